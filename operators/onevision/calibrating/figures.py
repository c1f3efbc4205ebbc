"""One number of a text changed."""

from __future__ import annotations

import random
import re
from decimal import Decimal

from operators.onevision.checking.words import listed

#: A number in digits, with nothing that makes it part of a name: no letter before it.
_NUMBER = re.compile(r"(?<![\w.,^_])\d+(?:\.\d+)?(?![\d^])")
#: Numbers that any reasoning may hold.
_TRIVIAL = listed("0 1 2 3 10 100 180 360")
#: What stands behind the number of a step or an item.
_MARKER = re.compile(r"[.)、）：:](?:\s|$)")
_STEP = re.compile(r"(?:\bsteps?|\bitem|第)\s?\Z", re.IGNORECASE)


def changed_number(text: str, rng: random.Random) -> str | None:
    """The text with one number changed, none of the trivial ones; None if it has no other."""
    found = [each for each in _NUMBER.finditer(text) if each[0] not in _TRIVIAL and not _counts(text, each)]
    if not found:
        return None
    chosen = rng.choice(found)
    return text[: chosen.start()] + other_number(chosen[0], rng) + text[chosen.end() :]


def other_number(written: str, rng: random.Random) -> str:
    """Another number in the same form: a digit changed, a little more or less, or ten times as much.

    >>> other_number("6", random.Random(1)) != "6"
    True
    """
    while True:
        way = rng.randrange(4)
        if way == 0:
            place = rng.choice([n for n, sign in enumerate(written) if sign.isdigit()])
            made = written[:place] + rng.choice("123456789") + written[place + 1 :]
        elif way == 1:
            made = str(Decimal(written) + rng.choice((1, 2, 3, 5)))
        elif way == 2:
            made = str(abs(Decimal(written) - rng.choice((1, 2, 4))))
        else:
            made = str(Decimal(written) * rng.choice((2, 10)))
        if Decimal(made) != Decimal(written) and Decimal(made) != 0:
            return made


def _counts(text: str, found: re.Match[str]) -> bool:
    """Whether a number counts steps or items of a list."""
    before = text[max(found.start() - 10, 0) : found.start()]
    first = not before.strip() or before.rstrip(" ").endswith("\n")
    return bool(_STEP.search(before)) or (first and bool(_MARKER.match(text, found.end())))
