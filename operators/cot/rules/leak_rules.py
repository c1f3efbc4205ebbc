"""What a rule for leaks is: words of one kind, and what makes them innocent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from operators.cot.rules.leak_words import BEGIN, NUMERAL

Spared = Literal["name", "term", "amount", ""]


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that leak, and where they start.

    ``spared`` tells what makes them innocent: that they lie within a ``name`` of an object or agent, or within any
    ``term`` of the plan; that they are an ``amount`` which the plan's texts tell; nothing if it is empty.
    """

    code: str
    words: str
    start: int
    spared: Spared = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that matches only where there is one of ``needs``, if there are any, and what ``near`` matches."""

    code: str
    needs: str
    pattern: re.Pattern[str]
    near: re.Pattern[str] | None
    spared: Spared


#: For rules whose leaks have a digit.
DIGIT = re.compile(r"\d")
#: For rules whose leaks have a numeral of either kind.
COUNT = re.compile(rf"\d|{BEGIN}{NUMERAL}")


def rule(
    code: str, needs: str, *pattern: str, near: re.Pattern[str] | None = None, spared: Spared | None = None
) -> Rule:
    """A rule; numbers of frames are innocent within names, all else is not, unless told otherwise."""
    if spared is None:
        spared = "name" if code == "leak.frame" else ""
    return Rule(code, needs, re.compile("".join(pattern)), near, spared)
