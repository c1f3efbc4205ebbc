"""Whether each number of the reasoning is given, computed, or from nowhere, and whether its equations hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import permutations

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted
from operators.onevision.model.records import NOT_RUN, Check
from operators.verify.arithmetic import Equation
from operators.verify.expressions.units import converted_factors
from operators.verify.numbers import Number, numbers_in

_CODE = "rewrite.number"
#: Numbers of a reasoning that are looked at, and those before one that it may be computed from.
_MOST, _NEAR = 300, 8
#: Whole numbers up to this, without a unit, count things that a reader sees.
_COUNTED = 12
#: Numbers that all know: of percent, angles, circles, gravity, clocks and calendars.
_KNOWN = frozenset((1.0, 24.0, 30.0, 31.0, 60.0, 90.0, 100.0, 180.0, 360.0, 365.0, 1000.0, 3.14, 9.8))
_PERCENT = ("%", "percent")
#: What says that a number is an example, a supposition or a mistake.
_EXAMPLE = re.compile(
    r"\b(?=[eismw])(?:e\.g\.|example|instance|say|suppose|imagine|if|would|mistake\w*|wrong\w*)\b|例如|比如|假设|如果|若|误|错",
    re.IGNORECASE,
)
#: What stands before the number of a step or an item, or before an index.
_COUNTS = re.compile(
    r"(?:\A|\n)\s*\(?\Z|\b(?:steps?|case|part|option|equation)\s*\(?\Z|[第步]\s?\(?\Z|_\{?\w{0,3}\Z", re.I
)
_DECIMALS = re.compile(r"\.(\d+)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")

#: A value and its unit.
_Sound = tuple[float, str]


def number_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the reasoning's numbers, with the equations that stand in it.

    A number is sound that question, options, picture or description have, that everybody knows or counts, that stands
    in an equation that holds, or that comes out of two sound ones before it. A larger one that only the source has is
    open, if the picture was read.
    """
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    have: set[float] = set().union(*(values_of(text) for text in row.shown))
    parts = frozenset[float]().union(*map(parts_of_times, row.shown))
    told: set[float] = set().union(*(values_of(text) for text in (row.reasoning, row.conclusion, row.answer)))
    if row.read_by in ("", NOT_RUN):
        # Nobody read the picture, so it may show whatever its source says.
        have |= told
    numbers = numbers_in(row.thinking)[:_MOST]
    spans = list(_spans(row.thinking, equations))
    sound: list[_Sound] = []
    open_ = None
    for number in numbers:
        value = as_float(number)
        in_equation = any(start <= number.start < end for start, end in spans)
        given = in_equation or _is_known(number, value, row.thinking) or _has(have, number, value)
        given = given or (number.unit != "time" and value in parts)
        if not given and not _computed(number, value, sound):
            if not _has(told, number, value):
                around = quoted(row.thinking[max(number.start - 40, 0) : number.end + 25], 80)
                return Check(_CODE, "failed", f"{quoted(number.text)} is neither given nor computed: {around}")
            if value > _COUNTED:
                open_ = open_ or f"only the source has {quoted(number.text)}"
        sound.append((value, number.unit))
        have.add(value)
    if open_:
        return Check(_CODE, "unsure", open_)
    return Check(_CODE, "passed", f"{len(numbers)} numbers" if numbers else "it has no numbers")


def equation_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the numeric equations that the reasoning claims."""
    if row.thinking is None:
        return Check("rewrite.equation", "not run", "there is no reasoning")
    for equation in equations:
        if equation.holds is False:
            return Check("rewrite.equation", "failed", f"{quoted(equation.text)} does not hold")
    return Check("rewrite.equation", "passed", f"{len(equations)} equations" if equations else "it has no equations")


@lru_cache(maxsize=1024)
def values_of(text: str) -> frozenset[float]:
    """The values of a text's numbers, without signs; of a percentage its share, too."""
    found = [(as_float(number), number.unit) for number in numbers_in(text)]
    return frozenset([value for value, _ in found] + [value / 100 for value, unit in found if unit in _PERCENT])


def parts_of_times(text: str) -> frozenset[float]:
    """The hours and the minutes that the times in a text show.

    >>> sorted(parts_of_times("from 09:15 to 10:15"))
    [9.0, 10.0, 15.0]
    """
    if ":" not in text:
        return frozenset()
    times = (as_float(number) for number in numbers_in(text) if number.unit == "time")
    return frozenset(part for value in times for part in divmod(value, 60))


def as_float(number: Number) -> float:
    """A number's value without its sign; infinite if it is too large."""
    try:
        return abs(float(number.value))
    except OverflowError:
        return math.inf


def _is_known(number: Number, value: float, text: str) -> bool:
    """Whether a number needs no source: a small count, a constant, the number of a step, one of an example."""
    before = text[max(number.start - 60, 0) : number.start]
    counts = value <= _COUNTED and not number.unit and (value == int(value) or not _DIGITS.search(number.text))
    counts = counts and not before.rstrip().endswith("=")
    full_hour = number.unit == "time" and value % 60 == 0
    if counts or full_hour or number.unit == "ordinal" or value in _KNOWN:
        return True
    return _COUNTS.search(before) is not None or _EXAMPLE.search(before) is not None


def _has(values: Set[float], number: Number, value: float) -> bool:
    """Whether some values have a number, as a percentage, rounded to its digits, or digit by digit ("40 million")."""
    if value in values or (number.unit in _PERCENT and value / 100 in values):
        return True
    digits = [float(each) for each in _DIGITS.findall(number.text)]
    if digits and all(each in values or each in _KNOWN for each in digits):
        return True
    slack = _slack(number)
    return 0 < slack < 0.1 and any(abs(each - value) <= slack for each in values)


def _slack(number: Number) -> float:
    """Half of a number's last digit; of a whole one nothing, unless it is a percentage."""
    decimals = _DECIMALS.search(number.text)
    if decimals is None:
        return 0.5 if number.unit in _PERCENT else 0.0
    return 0.5 * 10.0 ** -len(decimals[1])


def _computed(number: Number, value: float, sound: Sequence[_Sound]) -> bool:
    """Whether a number comes out of some shortly before it by one operation, or is one of them in another unit.

    What is left of a hundred per cent is one, too.
    """
    slack = max(_slack(number), 1e-9 * value)
    near = sound[-_NEAR:]
    if number.unit in _PERCENT and any(unit in _PERCENT and abs(100 - each - value) <= slack for each, unit in near):
        return True
    return any(abs(made - value) <= slack for made in (*_converted(near, number.unit), *_results(near)))


def _converted(values: Sequence[_Sound], unit: str) -> Iterator[float]:
    for value, other in values:
        if other not in ("", unit) and (factors := converted_factors(other, unit)) is not None:
            yield value * factors[0] / factors[1]
        elif other and not unit:  # "20 mA = 0.02 A in …", where the second unit may be a word
            yield from (value / 1000, value * 1000)
    if converted_factors(unit.removesuffix("s"), "min") is not None:
        for early, late in permutations([value for value, each in values if each == "time"], 2):
            yield from (late - early, (late - early) // 60, (late - early) % 60)


def _results(near: Sequence[_Sound]) -> Iterator[float]:
    """Sums, differences, products, quotients, shares, means, squares, roots, halves, rest angles, circles."""
    values = list(dict.fromkeys(value for value, _ in near))
    for one, other in permutations(values, 2):
        yield from (one + other, one - other, one * other, math.hypot(one, other))
        if other:
            yield from (one / other, 100 * one / other, 100 * (one - other) / other)
    for value in values:
        yield from (value * value, math.sqrt(value), 2 * value, value / 2, 90 - value, 180 - value, 360 - value)
        yield from (math.pi * value, 2 * math.pi * value, math.pi * value * value)
    for count in range(3, len(values) + 1):
        total = sum(values[-count:])
        yield from (total, total / count)


def _spans(text: str, equations: Sequence[Equation]) -> Iterator[tuple[int, int]]:
    """Where the equations that hold stand in the text."""
    start = 0
    for equation in equations:
        found = text.find(equation.text, start)
        if found >= 0:
            start = found
            if equation.holds:
                yield found, found + len(equation.text)
