"""The command ``rowsmith``: each pipeline by its name, and what looks after the replies that runs keep."""

from __future__ import annotations

import ast
import keyword
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext import __version__
from dataflow_ext.errors import DataflowError, OptionError
from dataflow_ext.packages import DISTRIBUTION, HOME, put_first
from dataflow_ext.signals import leave_quietly

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

_HELP = f"""usage: {DISTRIBUTION} COMMAND …

{{pipelines}}

  list            the pipelines, and the operators that they are made of
  show            an operator's columns, options, rejects and example; all of them if none is named
  run             a run again, by the folder that it left or its run.toml
  new             a working start with a test: new operator FOLDER, new pipeline FOLDER
  view            the page of a run, or of any table: in a browser, or as one file to mail
  trace           a row's life: what went into each step and what came out, prompts and replies with it
  export          a run's data in the form of a trainer: hf, llamafactory, swift, easyr1, grpo, dpo, prm …
  cache           kept model replies: stats, prune

  {DISTRIBUTION} COMMAND --help tells the flags of a command; --version tells the version.
  A pipeline is also run by: python -m pipelines.NAME, with underscores.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; its exit code, 2 after a mistake, which is told in one sentence."""
    if argv is None:  # a process of its own: an interrupt while it is imported is no traceback
        leave_quietly()
    arguments = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    name, rest = arguments[0], arguments[1:]
    if name in _COMMANDS:
        return _command(name, rest)
    if name.replace("_", "-") in _files():
        return _pipeline(name.replace("-", "_"), rest)
    if name in ("--help", "-h", "help"):
        sys.stdout.write(_HELP.format(pipelines=_listed()))
    elif name == "list":
        sys.stdout.write(f"{_listed()}\n\n{_operators_listed()}\n")
    elif name == "show":
        return _show(rest)
    elif name == "--version":
        sys.stdout.write(f"{DISTRIBUTION} {__version__}\n")
    else:
        near = get_close_matches(name, [*_files(), "list", "show", *_COMMANDS], n=1)
        meant = f"did you mean {near[0]}?" if near else f"`{DISTRIBUTION} --help` tells which there are."
        sys.stderr.write(f"error: There is no command {name}; {meant}\n")
        return 2
    return 0


#: Commands that work by themselves, each by its function: what one needs is imported when it is called.
_COMMANDS = {
    "cache": "dataflow_ext.commands.cache:main",
    "export": "dataflow_ext.commands.export:main",
    "new": "dataflow_ext.commands:new",
    "run": "dataflow_ext.cli.records:repeat",
    "trace": "dataflow_ext.commands.view:trace",
    "view": "dataflow_ext.commands.view:main",
}


def _command(name: str, arguments: Sequence[str]) -> int:
    """Run a command; a mistake is told in one sentence."""
    from dataflow_ext.cli import ended

    module, _, function = _COMMANDS[name].partition(":")
    return ended(lambda: getattr(import_module(module), function)(arguments))


def new(arguments: Sequence[str]) -> int:
    """Write a package with an operator, or with a pipeline, that works and has a test, into a folder; the exit code."""
    from dataflow_ext.cli.terminal import say
    from dataflow_ext.files import write_text

    if len(arguments) != 2 or arguments[0] not in ("operator", "pipeline") or arguments[1].startswith("-"):
        say(f"usage: {DISTRIBUTION} new operator|pipeline FOLDER   writes a start that works, with a test")
        return 0 if {"--help", "-h"} & set(arguments) else 2
    kind, folder = arguments[0], Path(arguments[1])
    module = re.sub(r"\W", "_", folder.resolve().name.lower())
    if not module.isidentifier() or keyword.iskeyword(module):
        raise OptionError(f"{folder.name!r} cannot name a Python module; give the folder a name of letters.")
    if folder.is_dir() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty; name a new folder.")
    for file in sorted((Path(__file__).parent / "starts" / kind).iterdir()):
        name = file.name.removesuffix(".txt").replace("MODULE", module)
        text = file.read_text(encoding="utf-8").replace("MODULE", module).replace("DISTRIBUTION", DISTRIBUTION)
        say(f"wrote {write_text(folder / name, text)}")
    say(f"try it: cd {shlex.quote(str(folder))} && python -m pip install -e . pytest && python -m pytest")
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


def _operators() -> Mapping[str, type[Operator]]:
    """The operators that came with this library, by name, family by family, and those of other packages.

    A package offers its own by entry points of the group ``rowsmith.operators``.
    """
    put_first()
    package = import_module("operators")
    from dataflow_ext.operator import Operator

    named = {name: getattr(package, name) for name in package.__all__}
    for point in entry_points(group=f"{DISTRIBUTION}.operators"):
        try:
            named.setdefault(point.name, point.load())
        except Exception as error:  # somebody else's package
            sys.stderr.write(f"note: {point.value} cannot be loaded: {error}\n")
    found = {name: each for name, each in named.items() if isinstance(each, type) and issubclass(each, Operator)}
    return dict(sorted(found.items(), key=lambda item: (item[1].__module__.split(".")[:2], item[0])))


def _operators_listed() -> str:
    from dataflow_ext.description import described

    return "\n".join(f"  {name:<26}{described(each).summary}" for name, each in _operators().items())


def _show(names: Sequence[str]) -> int:
    from dataflow_ext.description import catalogue, page

    if {"--help", "-h"} & set(names):
        sys.stdout.write(f"usage: {DISTRIBUTION} show [OPERATOR …]   columns, options, rejects and an example\n")
        return 0
    known = _operators()
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f"did you mean {near[0]}?" if near else f"`{DISTRIBUTION} list` tells which there are."
            sys.stderr.write(f"error: There is no operator {name}; {meant}\n")
            return 2
    pages = map(page, (known[name] for name in names)) if names else [catalogue(known.values())]
    sys.stdout.write("\n".join(pages))
    return 0


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
