"""The flags that commands have, and what their texts stand for."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.cli.terminal import CommandParser
from dataflow_ext.errors import OptionError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.ocr import ENGINES
from dataflow_ext.packages import HOME

if TYPE_CHECKING:
    from dataflow_ext.models import Budget
    from dataflow_ext.ocr import OCREngine


def positive(text: str, least: int = 1) -> int:
    """The whole number in a flag's text, from 1 on."""
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} on")
    return value


def named(options: Sequence[str], flag: str, example: str) -> dict[str, str]:
    """Options given as NAME=VALUE, by name; :class:`OptionError` for one of another form.

    >>> named(["detect-side=2000"], "--ocr-option", "detect_side=960")
    {'detect_side': '2000'}
    """
    pairs = [option.partition("=") for option in options]
    if odd := [name for name, sign, _ in pairs if not name or not sign]:
        raise OptionError(f"{flag} {odd[0]}: write it as NAME=VALUE, such as {example}.")
    return {name.replace("-", "_"): value for name, _, value in pairs}


def share(text: str) -> float:
    """The share in a flag's text, from 0 to below 1."""
    value = _number(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a share from 0 to below 1, such as 0.2")
    return value


def count(text: str) -> int:
    """The whole number in a flag's text, from 0 on."""
    return positive(text, 0)


def amount(text: str) -> float:
    """The number in a flag's text, above 0."""
    value = _number(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def temperature(text: str) -> float | str:
    """The number in a flag's text, from 0 on, or ``none``."""
    if text == "none":
        return text
    value = _number(text)
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a number from 0 on nor none")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def budget(text: str) -> Budget:
    """The budget in a flag's text."""
    from dataflow_ext.models.budget import Budget  # a command's help has no use for models

    try:
        return Budget.parse(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in a flag's text, or with ``@`` in the file of that name.

    What is wrong with it is told without its text, which may hold a secret.
    """
    try:
        body = json.loads(Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the file cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise argparse.ArgumentTypeError("the text is not JSON") from None
    if not isinstance(body, dict):
        raise argparse.ArgumentTypeError('the JSON is not an object such as {"top_k": 20}')
    return body


#: Ready to stand in a command's help.
EXAMPLES = """  --model qwen3 --base-url http://localhost:8000/v1   on a server of one's own
  --model gpt-4o --budget 5usd --batch                cheaper, within a day
  --model DEPLOYMENT --provider azure --base-url https://NAME.openai.azure.com"""

#: The variable that holds the key, by provider.
KEY_ENV = {"openai": "OPENAI_API_KEY", "azure": "AZURE_OPENAI_API_KEY"}


def add_model_flags(parser: argparse.ArgumentParser, judge: bool = False, seeds: str = "") -> None:
    """Add the flags that name a model, with ``judge`` those that name a second one, and those for money."""
    model = parser.add_argument_group("model (without --model, local rules do the work)")
    model.add_argument("--model", metavar="NAME", help="model name at an OpenAI-compatible server")
    model.add_argument("--base-url", metavar="URL", help="the server, for example http://localhost:8000/v1")
    model.add_argument("--api-key-env", metavar="VAR",
                       help="environment variable that holds the key (default: OPENAI_API_KEY)")  # fmt: skip
    of = f"seed of {seeds}, also" if seeds else "seed that is"
    model.add_argument("--seed", type=int, metavar="N", help=f"{of} sent with each request")
    model.add_argument("--prompts", type=Path, metavar="DIR", help="folder with prompts that replace built-in ones")
    model.add_argument("--budget", type=budget, metavar="AMOUNT",
                       help="stop cleanly when this is spent: 5usd, 2Mtok, or both with a comma")  # fmt: skip
    model.add_argument("--estimate", action="store_true", help="tell what the run would cost, then stop")
    model.add_argument("--batch", action="store_true", help="use the server's Batch API: cheaper, within a day")
    if judge:
        _add_judge_flags(parser)


def _add_judge_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("judge (without --judge-model, the model is its own judge)")
    group.add_argument("--judge-model", metavar="NAME", help="model that judges, at the same server unless told")
    group.add_argument("--judge-base-url", metavar="URL", help="the judge's server")
    group.add_argument("--judge-api-key-env", metavar="VAR",
                       help="variable with the judge's key; another server never gets the model's key")  # fmt: skip
    group.add_argument("--judge-provider", choices=tuple(KEY_ENV), help="as --provider")
    group.add_argument("--judge-temperature", type=temperature, metavar="T",
                       help="as --temperature, which is the model's alone")  # fmt: skip


def add_ocr_flags(group: argparse._ArgumentGroup, when: Mapping[str, str], what: str) -> None:
    """Add the flags of OCR: which engine reads ``what``, with which options, and ``when``, where that is a choice.

    ``when`` says what each choice means, the usual one first.
    """
    if when:
        told = ", ".join(f"{choice}: {meaning}" for choice, meaning in when.items())
        group.add_argument(
            "--ocr", choices=tuple(when), default=next(iter(when)), help=f"{told} (default: %(default)s)"
        )
    group.add_argument(
        "--ocr-engine", choices=ENGINES, default="rapidocr", help=f"what reads {what} (default: %(default)s)"
    )
    group.add_argument("--ocr-option", action="append", default=[], metavar="NAME=VALUE",
                       help="an option of the engine, such as detect_side=1440 (docs/ocr.md)")  # fmt: skip


def ocr_of(args: argparse.Namespace, **usual: str) -> OCREngine:
    """The engine that the flags of OCR name, with their options over these."""
    from dataflow_ext.ocr import engine_of  # a command's help has no use for engines

    return engine_of(args.ocr_engine, **{**usual, **named(args.ocr_option, "--ocr-option", "detect_side=1440")})


def add_tuning_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that are seldom needed."""
    calls = parser.add_argument_group("fine tuning of model calls")
    calls.add_argument("--provider", choices=tuple(KEY_ENV),
                       help="azure: --model is a deployment, --base-url the resource (default: openai)")  # fmt: skip
    calls.add_argument("--azure-auth", choices=("key", "token"),
                       help="token: signed in by azure-identity, without a key (default: key)")  # fmt: skip
    calls.add_argument("--api-version", metavar="DATE", help="Azure's API version")
    calls.add_argument("--temperature", type=temperature, metavar="T",
                       help="0 if not given; none leaves it to the server")  # fmt: skip
    calls.add_argument("--max-tokens", type=positive, metavar="N", help="longest reply where a step sets none")
    calls.add_argument("--extra-body", type=json_object, metavar="JSON",
                       help="object that is added to each request's body, or @FILE with one")  # fmt: skip
    calls.add_argument("--max-image-side", type=positive, metavar="PX", help="make larger pictures smaller")
    calls.add_argument("--timeout", type=amount, metavar="S", help="seconds for a whole reply (default: 600)")
    calls.add_argument("--max-retries", type=count, metavar="N", help="repeats of a failed call (default: 8)")
    calls.add_argument("--max-in-flight", type=positive, metavar="N", help="calls at once (default: 64)")
    calls.add_argument("--rpm", type=amount, metavar="N", help="most requests a minute")
    calls.add_argument("--tpm", type=amount, metavar="N", help="most tokens a minute")
    calls.add_argument("--prices", type=Path, metavar="FILE", help="prices by model that replace the built-in ones")


def parser(
    module: str,
    description: str,
    examples: str,
    *,
    judge: bool = False,
    seeds: str = "",
    inputs: str = "INPUT...",
    unit: str = "input documents",
) -> argparse.ArgumentParser:
    """An argument parser with the flags that every pipeline has; the caller adds its inputs and its own.

    ``judge`` is for pipelines in which one model judges another's work; ``seeds`` says what ``--seed``
    decides beside the model's replies. ``inputs`` and ``unit`` are what the help calls its inputs.
    """
    home = "pipelines." if (HOME / "pipelines" / f"{module}.py").is_file() else ""
    made = CommandParser(
        prog=f"python -m {home}{module}",
        usage=f"%(prog)s {inputs} [--out DIR] [flags]",
        description=description,
        epilog=f"examples:\n{examples}\n\nmodels:\n{EXAMPLES}\n\nexport the built-in prompts to change them:\n"
        f"  python -m {home}{module} prompts my_prompts",
    )
    made.add_argument("--out", type=Path, default=Path("out"), metavar="DIR",
                      help="folder for the results (default: %(default)s)")  # fmt: skip
    add_model_flags(made, judge, seeds)
    running = made.add_argument_group("running")
    running.add_argument("--workers", type=positive, default=1, metavar="N", help="processes for heavy steps")
    running.add_argument("--engine", choices=("local", "ray"), default="local",
                         help="ray: on a cluster, see docs/ray.md (default: local)")  # fmt: skip
    running.add_argument("--rows-per-part", type=positive, default=16, metavar="N",
                         help="with --engine ray, inputs of a task (default: %(default)s)")  # fmt: skip
    running.add_argument("--limit", type=positive, metavar="N", help=f"only the first N {unit}")
    running.add_argument("--cache-dir", type=Path, metavar="DIR",
                         help=f"where finished work is remembered (default: OUT/{RUN_FOLDER})")  # fmt: skip
    running.add_argument("--fresh", action="store_true", help="do everything anew, remembered or not")
    running.add_argument("--dry-run", action="store_true",
                         help="check inputs, wiring, servers, keys and packages, then stop")  # fmt: skip
    running.add_argument("--no-preflight", action="store_true",
                         help="begin without a look at servers, keys and packages")  # fmt: skip
    add_tuning_flags(made)
    return made
