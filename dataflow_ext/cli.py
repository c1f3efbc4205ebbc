"""The command line that all pipelines share: flags, models from flags, and errors as one sentence."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from dataflow_ext.errors import DataflowError, InputError, OptionError
from dataflow_ext.models import OpenAIModel
from dataflow_ext.prompt import export
from dataflow_ext.result import Result
from dataflow_ext.tables import write_text

#: Where a run keeps what is not data: remembered steps and replies, rejects, report, settings.
RUN_FOLDER = ".run"

_KEY_ENV = "OPENAI_API_KEY"


def parser(module: str, description: str, examples: str) -> argparse.ArgumentParser:
    """An argument parser with the flags that every pipeline has; the caller adds its inputs and its own."""
    made = argparse.ArgumentParser(
        prog=f"python -m pipelines.{module}",
        description=description,
        epilog=f"examples:\n{examples}\n\nexport the built-in prompts to change them:\n"
        f"  python -m pipelines.{module} prompts my_prompts",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--out", type=Path, default=Path("out"), metavar="DIR",
                      help="folder for the results (default: %(default)s)")  # fmt: skip
    model = made.add_argument_group("model (without --model, local rules do the work)")
    model.add_argument("--model", metavar="NAME", help="model name at an OpenAI-compatible server")
    model.add_argument("--base-url", metavar="URL", help="the server, for example http://localhost:8000/v1")
    model.add_argument("--api-key-env", default=_KEY_ENV, metavar="VAR",
                       help="environment variable that holds the key (default: %(default)s)")  # fmt: skip
    model.add_argument("--seed", type=int, metavar="N", help="seed that is sent with each request")
    model.add_argument("--prompts", type=Path, metavar="DIR", help="folder with prompts that replace built-in ones")
    running = made.add_argument_group("running")
    running.add_argument("--workers", type=_positive, default=1, metavar="N", help="processes for heavy steps")
    running.add_argument("--limit", type=_positive, metavar="N", help="only the first N input documents")
    running.add_argument("--cache-dir", type=Path, metavar="DIR",
                         help=f"where finished work is remembered (default: OUT/{RUN_FOLDER})")  # fmt: skip
    running.add_argument("--fresh", action="store_true", help="do everything anew, remembered or not")
    running.add_argument("--dry-run", action="store_true", help="check inputs and wiring, then stop")
    return made


def model_of(args: argparse.Namespace) -> OpenAIModel | None:
    """The model that the flags name, None if they name none."""
    if args.model is None:
        if args.base_url:
            raise OptionError("--base-url needs --model: the name of the model at that server.")
        return None
    if args.api_key_env != _KEY_ENV and args.api_key_env not in os.environ:
        # The name is not repeated: it may be the key itself, given by mistake.
        raise OptionError(
            "--api-key-env: there is no environment variable of that name; it takes the name of the variable "
            "that holds the key, not the key."
        )
    try:
        return OpenAIModel(name=args.model, base_url=args.base_url, api_key_env=args.api_key_env, seed=args.seed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = f"--{'model' if first['loc'] == ('name',) else str(first['loc'][0]).replace('_', '-')}"
        raise OptionError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None


def prompts_of(args: argparse.Namespace, package: str = "prompts") -> Path | None:
    """The folder with the user's prompts; :class:`OptionError` if nothing in it would ever be used."""
    folder: Path | None = args.prompts
    if folder is None:
        return None
    if not folder.is_dir():
        raise OptionError(f"--prompts: there is no folder {folder}.")
    known = sorted(e.name for e in resources.files(package).iterdir() if e.name.endswith(".md"))
    if not any((folder / name).is_file() for name in known):
        raise OptionError(f"--prompts: {folder} holds none of the prompts that can be replaced ({', '.join(known)}).")
    return folder


def writable(folder: Path) -> None:
    """Make the folder, and see that files can be written there, before any work is done for it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"Cannot write to {folder}: {error.strerror or error}.") from None


def guarded(work: Callable[[Sequence[str]], int], argv: Sequence[str] | None) -> int:
    """Run a command's body: a user's mistake is one sentence and exit code 2, an interrupt 130."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s", stream=sys.stderr)
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if arguments[:1] == ["prompts"]:
            return _prompts(arguments[1:])
        return work(arguments[1:] if arguments[:1] == ["run"] else arguments)
    except DataflowError as error:
        say(f"error: {error}")
        return 2
    except OSError as error:
        what = f" ({error.filename})" if error.filename is not None else ""
        say(f"error: {error.strerror or error}{what}.")
        return 2
    except KeyboardInterrupt:
        say("Stopped. What was finished is kept; the same command goes on from there.")
        return 130


def say(text: str) -> None:
    """One line for the person at the terminal."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def keep_record(result: Result, args: argparse.Namespace, folder: Path) -> None:
    """Write the report and the settings of a run where its caches are; neither holds a secret."""
    report = json.dumps(result.report.to_dict(), ensure_ascii=False, indent=2)
    told = {name: value for name, value in vars(args).items() if name != "api_key_env"}
    settings = json.dumps(told, ensure_ascii=False, indent=2, default=str)
    write_text(folder / "report.json", report + "\n")
    write_text(folder / "config.json", settings + "\n")


def _prompts(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        say("usage: prompts DIR   writes the built-in prompts into DIR; change them there, then use --prompts DIR")
        return 0 if arguments in (["--help"], ["-h"]) else 2
    for path in export(Path(arguments[0])):
        say(f"wrote {path}")
    return 0


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return value
