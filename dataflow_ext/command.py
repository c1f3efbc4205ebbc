"""The command ``rowsmith``: each pipeline by its name, and what looks after the replies that runs keep."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from dataflow_ext import __version__
from dataflow_ext.errors import DataflowError
from dataflow_ext.installing import DISTRIBUTION
from dataflow_ext.own_packages import HOME, put_first
from dataflow_ext.signals import leave_quietly

_HELP = f"""usage: {DISTRIBUTION} COMMAND …

{{pipelines}}

  list            the pipelines alone
  cache           kept model replies: stats, prune, export

  {DISTRIBUTION} COMMAND --help tells the flags of a command; --version tells the version.
  A pipeline is also run by: python -m pipelines.NAME, with underscores.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code, 2 after a mistake, which is told in one sentence."""
    if argv is None:  # a process of its own: an interrupt while it is imported is no traceback
        leave_quietly()
    arguments = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    name, rest = arguments[0], arguments[1:]
    if name == "cache":
        from dataflow_ext.cache_command import main as cache  # a pipeline needs nothing of it

        return cache(rest)
    if name.replace("_", "-") in _files():
        return _pipeline(name.replace("-", "_"), rest)
    if name in ("--help", "-h", "help"):
        sys.stdout.write(_HELP.format(pipelines=_listed()))
    elif name == "list":
        sys.stdout.write(f"{_listed()}\n")
    elif name == "--version":
        sys.stdout.write(f"{DISTRIBUTION} {__version__}\n")
    else:
        near = get_close_matches(name, [*_files(), "list", "cache"], n=1)
        meant = f"did you mean {near[0]}?" if near else f"`{DISTRIBUTION} --help` tells which there are."
        sys.stderr.write(f"error: There is no command {name}; {meant}\n")
        return 2
    return 0


def pipelines() -> Mapping[str, str]:
    """The pipelines that came with this library, with what each does; none of them is imported.

    >>> pipelines()["pdf-vqa"]
    'Textbook PDFs to question–answer rows with pictures'
    """
    return {name: _about(path.read_text(encoding="utf-8")) for name, path in _files().items()}


def _files() -> Mapping[str, Path]:
    files = sorted((HOME / "pipelines").glob("[!_]*.py"))
    return {path.stem.replace("_", "-"): path for path in files}


def _listed() -> str:
    return "\n".join(f"  {name:<16}{what}" for name, what in pipelines().items())


def _about(source: str) -> str:
    """The first line of a module's docstring, up to the command that it names."""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0].partition(":")[0]


def _pipeline(module: str, arguments: Sequence[str]) -> int:
    put_first()
    try:
        run = import_module(f"pipelines.{module}").main
    except DataflowError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    code: int = run(arguments)
    return code
