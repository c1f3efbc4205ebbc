"""Three numbers in a model's reply."""

from __future__ import annotations

import re

from operators.game.numbers.digits import MOST_DIGITS

_SEED = re.compile(r"\[(\d+),\s*(\d+),\s*(\d+)\]")
_LIST = re.compile(r"\[\s*([0-9]+)\s*,\s*([0-9]+)\s*,\s*([0-9]+)\s*\]")
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)\n?\s*```", re.DOTALL)
#: What may stand around the list.
_AROUND = " \t\r\n\"'`*“”"
_LONGEST_SHOWN = 60


def strict_numbers(text: str) -> list[int]:
    """The numbers of a reply that is a list of three and nothing else; a fence, quotes, bold or a full stop may be.

    >>> strict_numbers("**[5, 8, 3]**.")
    [5, 8, 3]
    """
    bare = text.strip()
    fenced = _FENCE.fullmatch(bare)
    bare = (fenced[1] if fenced else bare).strip(_AROUND).removesuffix(".").strip(_AROUND)
    found = _LIST.fullmatch(bare)
    if found is None or max(map(len, found.groups())) > MOST_DIGITS:
        raise ValueError(_wanted("nothing else than a list of three numbers, such as [5, 8, 3]", text))
    return [int(group) for group in found.groups()]


def seed_numbers(text: str) -> list[int]:
    """The first list of three numbers anywhere in a reply.

    >>> seed_numbers("I see [5,8, 3] on the cards.")
    [5, 8, 3]
    """
    found = _SEED.search(text)
    if found is None or max(map(len, found.groups())) > MOST_DIGITS:
        raise ValueError(_wanted("a list of three numbers, such as [5, 8, 3]", text))
    return [int(group) for group in found.groups()]


def _wanted(what: str, text: str) -> str:
    shown = " ".join(text.split())
    return f"the reply must hold {what}, not {shown[:_LONGEST_SHOWN] or 'nothing'!r}"
