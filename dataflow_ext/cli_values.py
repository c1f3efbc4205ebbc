"""What the texts of flags stand for; a wrong one is an ``argparse.ArgumentTypeError`` of one sentence."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.errors import OptionError

if TYPE_CHECKING:
    from dataflow_ext.models import Budget


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
