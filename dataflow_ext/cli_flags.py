"""The flags that several commands have: which model, which judge, how fast, for how much; what reads pictures."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.cli_values import amount, budget, count, json_object, named, positive, temperature
from dataflow_ext.ocr import ENGINES

if TYPE_CHECKING:
    from dataflow_ext.ocr import OCREngine

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
