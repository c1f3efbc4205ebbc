"""The command line that all pipelines share: flags, models from flags, and errors as one sentence."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.cli.flags import add_model_flags, add_ocr_flags, add_tuning_flags, ocr_of, parser
from dataflow_ext.cli.records import called, module_of
from dataflow_ext.cli.terminal import SPENT, STOPPED, UNREAD, CommandParser, say, tell_rejects
from dataflow_ext.errors import DataflowError, NotReadyError, OptionError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.lazy import lazy_names, offered
from dataflow_ext.signals import Stopped, stopping

if TYPE_CHECKING:
    from dataflow_ext.cli.models import batched as batched
    from dataflow_ext.cli.models import cache_of as cache_of
    from dataflow_ext.cli.models import estimate_of as estimate_of
    from dataflow_ext.cli.models import judge_of as judge_of
    from dataflow_ext.cli.models import model_of as model_of
    from dataflow_ext.cli.models import session_of as session_of
    from dataflow_ext.cli.running import keep_record as keep_record
    from dataflow_ext.cli.running import keep_report as keep_report
    from dataflow_ext.cli.running import run_steps as run_steps
    from dataflow_ext.cli.running import told_stops as told_stops
    from dataflow_ext.cli.running import told_why_empty as told_why_empty
    from dataflow_ext.cli.running import writable as writable
    from dataflow_ext.prompt import Prompt

#: What is not needed to show help, and not light.
_HOME = offered(__spec__)

__all__ = [
    "RUN_FOLDER", "SPENT", "STOPPED", "UNREAD", "CommandParser",
    "add_model_flags", "add_ocr_flags", "add_tuning_flags", "app", "ended", "ocr_of", "parser", "prompts_of", "say",
    "tell_rejects",
    *_HOME,
]  # fmt: skip


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
    arguments = list(sys.argv[1:] if argv is None else argv)
    called.set((module_of(work), arguments))

    def chosen() -> int:
        if arguments[:1] == ["prompts"]:
            return _prompts(arguments[1:], prompts())
        if commands is not None and arguments and arguments[0] in commands:
            return commands[arguments[0]](arguments[1:])
        return work(arguments[1:] if arguments[:1] == ["run"] else arguments)

    return ended(chosen)


def ended(work: Callable[[], int]) -> int:
    """The exit code of a command's body, with a sentence for what a user, a signal or the machine is to blame for."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s", stream=sys.stderr)
    with stopping():
        try:
            return work()
        except KeyboardInterrupt as stop:
            say("Stopped. What was finished is kept; the same command goes on from there.")
            return stop.code if isinstance(stop, Stopped) else 130
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
