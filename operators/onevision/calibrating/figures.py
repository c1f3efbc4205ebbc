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
_COLONS = (":", "：")
#: What stands behind the number of a step or an item.
_MARKER = re.compile(r"[.)、）：:](?:\s|$)")
_STEP = re.compile(r"(?:\bsteps?|\bitem|第)\s?\Z", re.IGNORECASE)


def changed_number(text: str, rng: random.Random) -> str | None:
    """The text with one number changed, none of the trivial ones; None if it has no other."""
    found = [each for each in _NUMBER.finditer(text) if each[0] not in _TRIVIAL and not _counts(text, each)]
    if not found:
        return None
    chosen = rng.choice(found)
    before, behind = text[: chosen.start()], text[chosen.end() :]
    # A time stays one: as many digits.
    of_time = before[-1:] in _COLONS or behind[:1] in _COLONS
    return before + (_other_digit(chosen[0], rng) if of_time else other_number(chosen[0], rng)) + behind


def other_number(written: str, rng: random.Random) -> str:
    """Another number in the same form: a digit changed, a little more or less, or ten times as much.

    >>> other_number("6", random.Random(1)) != "6"
    True
    """
    while True:
        way = rng.randrange(4)
        if way == 0:
            made = _other_digit(written, rng)
        elif way == 1:
            made = str(Decimal(written) + rng.choice((1, 2, 3, 5)))
        elif way == 2:
            made = str(abs(Decimal(written) - rng.choice((1, 2, 4))))
        else:
            made = str(Decimal(written) * rng.choice((2, 10)))
        if Decimal(made) != Decimal(written) and Decimal(made) != 0:
            return made


def _other_digit(written: str, rng: random.Random) -> str:
    """A number with its last digit changed; of a decimal fraction any."""
    places = [n for n, sign in enumerate(written) if sign.isdigit()]
    place = rng.choice(places) if "." in written else places[-1]
    return written[:place] + rng.choice([each for each in "123456789" if each != written[place]]) + written[place + 1 :]


def _counts(text: str, found: re.Match[str]) -> bool:
    """Whether a number counts steps or items of a list."""
    before = text[max(found.start() - 10, 0) : found.start()]
    first = not before.strip() or before.rstrip(" ").endswith("\n")
    return bool(_STEP.search(before)) or (first and bool(_MARKER.match(text, found.end())))
