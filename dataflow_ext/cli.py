"""The command line that all pipelines share: flags, models from flags, and errors as one sentence."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.cli_parser import CommandParser, parser
from dataflow_ext.errors import DataflowError, NotReadyError, OptionError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.lazy import lazy_names
from dataflow_ext.recipe import called, module_of
from dataflow_ext.signals import Stopped, stopping
from dataflow_ext.terminal import SPENT, STOPPED, UNREAD, say

if TYPE_CHECKING:
    from dataflow_ext.cli_models import batched as batched
    from dataflow_ext.cli_models import cache_of as cache_of
    from dataflow_ext.cli_models import estimate_of as estimate_of
    from dataflow_ext.cli_models import judge_of as judge_of
    from dataflow_ext.cli_models import model_of as model_of
    from dataflow_ext.cli_models import session_of as session_of
    from dataflow_ext.cli_outcome import told_why_empty as told_why_empty
    from dataflow_ext.cli_running import keep_record as keep_record
    from dataflow_ext.cli_running import keep_report as keep_report
    from dataflow_ext.cli_running import run_steps as run_steps
    from dataflow_ext.cli_running import told_stops as told_stops
    from dataflow_ext.cli_running import writable as writable
    from dataflow_ext.prompt import Prompt

#: What is not needed to show help, and not light.
_HOME = {
    "batched": "dataflow_ext.cli_models",
    "cache_of": "dataflow_ext.cli_models",
    "estimate_of": "dataflow_ext.cli_models",
    "judge_of": "dataflow_ext.cli_models",
    "model_of": "dataflow_ext.cli_models",
    "session_of": "dataflow_ext.cli_models",
    "told_why_empty": "dataflow_ext.cli_outcome",
    "keep_record": "dataflow_ext.cli_running",
    "keep_report": "dataflow_ext.cli_running",
    "run_steps": "dataflow_ext.cli_running",
    "told_stops": "dataflow_ext.cli_running",
    "writable": "dataflow_ext.cli_running",
}

__all__ = ["RUN_FOLDER", "SPENT", "STOPPED", "UNREAD", "CommandParser", "app", "parser", "prompts_of", "say", *_HOME]


def prompts_of(args: argparse.Namespace, prompts: Sequence[type[Prompt]]) -> Path | None:
    """The folder with the user's prompts; :class:`OptionError` if nothing in it would ever be used."""
    folder: Path | None = args.prompts
    if folder is None:
        return None
    if not folder.is_dir():
        raise OptionError(f"--prompts: there is no folder {folder}.")
    known = sorted(prompt.template for prompt in prompts)
    if not any((folder / name).is_file() for name in known):
        raise OptionError(f"--prompts: {folder} holds none of the prompts that can be replaced ({', '.join(known)}).")
    return folder


#: A command's body: arguments to exit code.
Command = Callable[[Sequence[str]], int]


def app(
    work: Command,
    argv: Sequence[str] | None,
    prompts: Callable[[], Sequence[type[Prompt]]] = tuple,
    commands: Mapping[str, Command] | None = None,
) -> int:
    """A pipeline's command: its run, or by the first word one of its ``commands`` or ``prompts``; the exit code.

    A user's mistake is one sentence and exit code 2, an interrupt 130.

    SIGTERM and SIGHUP end it like an interrupt, with 143 and 129; a second signal ends it at once.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s", stream=sys.stderr)
    arguments = list(sys.argv[1:] if argv is None else argv)
    called.set((module_of(work), arguments))
    with stopping():
        try:
            return _told(work, arguments, prompts, commands or {})
        except KeyboardInterrupt as stop:
            say("Stopped. What was finished is kept; the same command goes on from there.")
            return stop.code if isinstance(stop, Stopped) else 130


def _told(
    work: Command,
    arguments: Sequence[str],
    prompts: Callable[[], Sequence[type[Prompt]]],
    commands: Mapping[str, Command],
) -> int:
    """The exit code of a command's body, with a sentence for what a user or the machine is to blame for."""
    try:
        if arguments[:1] == ["prompts"]:
            return _prompts(arguments[1:], prompts())
        if arguments and arguments[0] in commands:
            return commands[arguments[0]](arguments[1:])
        return work(arguments[1:] if arguments[:1] == ["run"] else arguments)
    except DataflowError as error:
        for line in str(error).split("\n"):
            say(f"error: {line}")
        # A server that does not answer may do so later: the code of rows that were not done.
        return STOPPED if isinstance(error, NotReadyError) and error.transient else 2
    except OSError as error:
        what = f" ({error.filename})" if error.filename is not None else ""
        say(f"error: {error.strerror or error}{what}.")
        return 2


def _prompts(arguments: Sequence[str], prompts: Sequence[type[Prompt]]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        say("usage: prompts DIR   writes the built-in prompts into DIR; change them there, then use --prompts DIR")
        return 0 if arguments in (["--help"], ["-h"]) else 2
    from dataflow_ext.prompt import export

    for path in export(Path(arguments[0]), names=[prompt.template for prompt in prompts]):
        say(f"wrote {path}")
    return 0


__getattr__ = lazy_names(__name__, _HOME)
