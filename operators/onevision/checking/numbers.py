"""Whether each number of the reasoning is given, computed, or from nowhere, and whether its equations hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from operators.onevision.checking.material import Material, quoted
from operators.onevision.model.records import NOT_RUN, Check
from operators.verify.arithmetic import Equation
from operators.verify.reaching.values import CLOCK, SHARE, TIME, Value, source_of, values_in

_CODE = "rewrite.number"
#: Numbers of a reasoning that are looked at, and those before one that it may be computed from.
_MOST, _NEAR = 300, 8
#: Whole numbers up to this, without a unit, count things that a reader sees.
_COUNTED = 12
#: Numbers that all know: of percent, angles, circles, gravity, clocks and calendars.
_KNOWN = frozenset((1.0, 24.0, 30.0, 31.0, 60.0, 90.0, 100.0, 180.0, 360.0, 365.0, 1000.0, 3.14, 9.8))
#: Minutes.
_HALF_DAY = 720
#: What a count measures: nothing, or points, which are no unit in a picture.
_THINGS = (None, "point")
#: What says that a number is an example, a supposition or a mistake.
_EXAMPLE = re.compile(
    r"\b(?=[eismw])(?:e\.g\.|example|instance|say|suppose|imagine|if|would|mistake\w*|wrong\w*)\b|例如|比如|假设|如果|若|误|错",
    re.IGNORECASE,
)
#: What stands before the number of a step or an item, or before an index.
_COUNTS = re.compile(
    r"(?:\A|\n)\s*\(?\Z|\b(?:steps?|case|part|option|equation)\s*\(?\Z|[第步]\s?\(?\Z|_\{?\w{0,3}\Z", re.I
)
_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_OPENS = re.compile(r"[(（]")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def number_check(row: Material, thinking: str, equations: Sequence[Equation]) -> Check:
    """The check of the reasoning's numbers, with the equations that stand in it.

    A number is sound that question, options, picture or description have, that everybody knows or counts, that stands
    in an equation that holds, or that is computed from sound ones before it or given ones in its sentence. A larger one
    that only the source has is open, if the picture was read.
    """
    have: set[float] = set().union(*(amounts_of(text) for text in row.shown))
    told: set[float] = set().union(*(amounts_of(text) for text in (row.reasoning, row.conclusion, row.answer)))
    if row.read_by in ("", NOT_RUN):
        # Nobody read the picture, so it may show whatever its source says.
        have |= told
    times = [value for text in row.shown for value in values_in(text) if value.kind == CLOCK]
    numbers = values_in(thinking)[:_MOST]
    spans = list(_spans(thinking, equations))
    sound: list[Value] = []
    open_ = None
    for place, number in enumerate(numbers):
        in_equation = any(start <= number.start < end for start, end in spans)
        if not (in_equation or _is_known(number, thinking) or _has(have, number)):
            beside = [each for each in _behind(numbers, place, thinking) if _has(have, each)]
            computed = _computed(number, [*sound[-_NEAR:], *beside])
            if not computed and not (number.kind == TIME and _computed(number, times)):
                if not _has(told, number):
                    around = quoted(thinking[max(number.start - 40, 0) : number.end + 25], 80)
                    return Check(_CODE, "failed", f"{quoted(number.text)} is neither given nor computed: {around}")
                if abs(number.value) > _COUNTED:
                    open_ = open_ or f"only the source has {quoted(number.text)}"
        sound.append(number)
        have |= _amounts(number)
    if open_:
        return Check(_CODE, "unsure", open_)
    return Check(_CODE, "passed", f"{len(numbers)} numbers" if numbers else "it has no numbers")


def equation_check(equations: Sequence[Equation]) -> Check:
    """The check of the numeric equations that the reasoning claims."""
    for equation in equations:
        if equation.holds is False:
            return Check("rewrite.equation", "failed", f"{quoted(equation.text)} does not hold")
    return Check("rewrite.equation", "passed", f"{len(equations)} equations" if equations else "it has no equations")


@lru_cache(maxsize=1024)
def amounts_of(text: str) -> frozenset[float]:
    """The values of a text's numbers, without signs; of a percentage its share, of times their hours and minutes and
    the other half of the day, too.

    >>> sorted(amounts_of("from 09:15, 20%"))
    [0.2, 9.0, 15.0, 20.0, 555.0, 1275.0]
    """
    return frozenset(amount for value in values_in(text) for amount in _amounts(value))


def _amounts(value: Value) -> set[float]:
    amounts = {abs(value.value)}
    if value.kind == SHARE:
        amounts.add(abs(value.size))
    if value.kind == CLOCK:
        amounts.update((*divmod(value.value, 60), (value.value + _HALF_DAY) % (2 * _HALF_DAY)))
    return amounts


def _is_known(number: Value, text: str) -> bool:
    """Whether a number needs no source: a small count, a constant, the number of a step, one of an example."""
    before, value = text[max(number.start - 60, 0) : number.start], abs(number.value)
    counts = value <= _COUNTED and number.kind in _THINGS and (value == int(value) or not _DIGITS.search(number.text))
    counts = counts and not before.rstrip().endswith("=")
    full_hour = number.kind == CLOCK and value % 60 == 0
    if counts or full_hour or number.unit == "ordinal" or value in _KNOWN:
        return True
    return _COUNTS.search(before) is not None or _EXAMPLE.search(before) is not None


def _has(amounts: Set[float], number: Value) -> bool:
    """Whether some values have a number, as a percentage, rounded to its digits, or digit by digit ("40 million")."""
    if any(each in amounts for each in (abs(number.value), abs(number.size) if number.kind == SHARE else None)):
        return True
    digits = [float(each) for each in _DIGITS.findall(number.text)] if number.kind != CLOCK else []
    if digits and all(each in amounts or each in _KNOWN for each in digits):
        return True
    slack = number.slack or (0.5 if number.kind == SHARE else 0.0)  # half of the last digit
    return 0 < slack < 0.1 and any(abs(each - abs(number.value)) <= slack for each in amounts)


def _computed(number: Value, near: Sequence[Value]) -> bool:
    """Whether a number comes of some by one operation, or is one of them in another unit."""
    # Two of a list may be added, too.
    return (
        any(number.equals(each) for each in near)
        or source_of(number, [replace(each, listed=0) for each in near]) is not None
    )


def _behind(numbers: Sequence[Value], place: int, text: str) -> list[Value]:
    """The numbers that explain one in its sentence: "40 minutes from 10:20 to 11:00", "40 (a half of 80)"."""
    end = _END.search(text, numbers[place].end)
    stop = end.start() if end is not None else len(text)
    following = [each for each in numbers[place + 1 : place + 1 + _NEAR] if each.start < stop]
    return [each for each in following if each.kind == CLOCK or _OPENS.search(text, numbers[place].end, each.start)]


def _spans(text: str, equations: Sequence[Equation]) -> Iterator[tuple[int, int]]:
    """Where the equations that hold stand in the text."""
    start = 0
    for equation in equations:
        found = text.find(equation.text, start)
        if found >= 0:
            start = found
            if equation.holds:
                yield found, found + len(equation.text)
