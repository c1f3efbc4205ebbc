"""The values of a text, durations and times of day in one, and what a value may be computed from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

from operators.verify.numbers_in_text import Number, numbers_in
from operators.verify.units_in_text import measured, plain_unit

#: What a time of day, a share, a degree and a number of things measure; other kinds are those of units.
CLOCK, SHARE, DEGREE, MONEY, COUNT = "clock", "share", "degree", "money", "count"
TIME = ("time 1",)
_HALF = 0.5
#: Values that one may be computed from.
_MOST = 12
_LIST = re.compile(r"\s*(?:[,，、]|(?:,\s*)?\band\b|和)\s*")
_OF_DAY = re.compile(r"\s*(?:点钟?|时|o['’]?\s?clock)\s*(?:过)?\s*")
_PAST = re.compile(r"\s*(?:minutes\s+)?(past|after|to|before)\s+", re.IGNORECASE)
_AND_HALF = re.compile(r"\s*(?:and|个)?\s*")
#: What makes one and a half of a half: 一个半, "an hour and a half".
_ONE_AND = re.compile(r"(?<![零一二两三四五六七八九十百千万])一个?\Z|\b(?:an?|one)\s+(\w+)\s+and\s+\Z", re.IGNORECASE)
#: "Half an hour", "a quarter of a metre".
_OF_ONE = re.compile(r"\s(?:of\s)?an?\s(\w+)", re.IGNORECASE)
_THEN = re.compile(r"\s*(?:,|and|零|又)?\s*")
_POWERS = {"square": 2, "平方": 2, "cubic": 3, "立方": 3}
_POWERED = re.compile(r"(square|cubic|平方|立方)\s?(\w+)", re.IGNORECASE)
_SIGNS = ("$", "€", "£", "¥")
_MONEY = re.compile(r"\s?(?:[€$£¥元]|(?:dollar|euro|pound)s?\b)")
#: "In" that is no inch: "50 in 2022", "5 in the box".
_IN = re.compile(r"\s+in\s+\w")
_DECIMALS = re.compile(r"\.(\d+)")


@dataclass(slots=True)  # not frozen, which takes three times as long to make
class Value:
    """A value of a text: its number as written, and its size in the base unit of its kind (None: a bare number).

    ``listed`` is how many bare numbers stand in a row with it, as in "seats 1, 2 and 6"; 0 if it stands alone.
    """

    text: str
    value: float
    unit: str
    start: int
    end: int
    kind: object = None
    size: float = 0.0
    listed: int = 0

    @property
    def slack(self) -> float:
        """Half of its last digit; of a whole number nothing."""
        decimals = _DECIMALS.search(self.text)
        return 0.5 * 10.0 ** -len(decimals[1]) if decimals else 0.0

    @property
    def amount(self) -> float:
        """Its size, or its number where it has no unit."""
        return self.value if self.kind is None else self.size

    @property
    def shown(self) -> str:
        """The value with its unit."""
        if self.kind == CLOCK or self.text[-1:].isalpha():
            return self.text
        gap = "" if self.unit in ("%", "°") or not self.unit.isascii() else " "
        return f"{self.text}{gap}{self.unit}".strip()

    def comparable(self, other: Value) -> bool:
        """Whether both may be values of one thing."""
        return self.kind == other.kind or (None in (self.kind, other.kind) and CLOCK not in (self.kind, other.kind))

    def equals(self, other: Value) -> bool:
        """Whether both are the same, in other units too."""
        if self.kind is not None and self.kind == other.kind:
            return _near(self.size, other.size)
        if self.value == other.value:
            return self.comparable(other)
        shares = SHARE in (self.kind, other.kind) and None in (self.kind, other.kind)
        return shares and _near(self.size or self.value, other.size or other.value)


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-9)


@lru_cache(maxsize=16384)
def values_in(text: str) -> tuple[Value, ...]:
    """The values of a text, in its order.

    >>> [(value.text, value.kind, value.size) for value in values_in("1 hour 30 minutes, until half past four")]
    [('1 hour 30 minutes', ('time 1',), 5400.0), ('half past four', 'clock', 16200.0)]
    >>> [value.listed for value in values_in("Seats 1, 2 and 6 of 8 are red.")]
    [3, 3, 3, 0]
    """
    found: list[Value] = []
    for number in numbers_in(text):
        value = _value(number)
        if value.value == _HALF and (one := _ONE_AND.search(text, max(value.start - 16, 0), value.start)) is not None:
            unit = value.unit or one[1] or ""
            kind, factor = _kind(unit) if unit else (None, 0.0)
            value = replace(value, value=1.5, unit=unit, kind=kind, size=1.5 * factor)
        if 0 < value.value < 1 and not value.unit and (one := _OF_ONE.match(text, value.end)) and measured(one[1]):
            kind, factor = _kind(one[1])
            value = replace(value, unit=one[1], kind=kind, size=value.value * factor)
        if value.unit == "in" and _IN.match(text, value.end):
            value = replace(value, unit="", kind=None, size=0.0)
        if value.kind is None and (text[value.start - 1 : value.start] in _SIGNS or _MONEY.match(text, value.end)):
            value = replace(value, kind=MONEY, size=value.value)
        while found and (joined := _joined(text, found[-1], value)) is not None:
            found.pop()
            value = joined
        found.append(value)
    return tuple(_with_lists(text, found)) if len(found) > 2 else tuple(found)


def _value(number: Number) -> Value:
    try:
        value = float(number.value)
    except OverflowError:
        value = math.inf
    kind, factor = _kind(number.unit) if number.unit else (None, 0.0)
    return Value(number.text, value, number.unit, number.start, number.end, kind, value * factor)


@lru_cache(maxsize=512)
def _kind(unit: str) -> tuple[object, float]:
    if unit == "time":
        return CLOCK, 60.0
    if unit in ("%", "percent"):
        return SHARE, 0.01
    if unit == "ordinal":
        return "ordinal", 1.0
    if _MONEY.fullmatch(unit):
        return MONEY, 1.0
    plain = plain_unit(unit)
    if plain in ("°", "degree", "度", "°C", "℃", "°F"):
        return DEGREE, 1.0
    powered = _POWERED.fullmatch(unit)
    if powered is not None:
        plain = f"{plain_unit(powered[2])}{_POWERS[powered[1].lower()]}"
    found = measured(plain.replace("metre", "meter").replace("litre", "liter")) or measured(unit)
    return found if found is not None else (plain, 1.0)


def _joined(text: str, one: Value, other: Value) -> Value | None:
    """Two numbers of one value: hours and minutes, a whole and a half, the parts of a time of day."""
    between = text[one.end : other.start]
    if len(between) > 12:
        return None
    whole = text[one.start : other.end]
    if one.kind == TIME and other.kind == TIME and other.size < one.size:
        size = one.size + other.size
        if _THEN.fullmatch(between.replace(one.unit, "", 1)):
            gap = " " if text[other.end : other.end + 1] == " " else ""
            return replace(one, text=f"{whole}{gap}{other.unit}", value=size / 60, unit="min", size=size, end=other.end)
        return None
    if _OF_DAY.fullmatch(between) and 0 <= other.value < 60 and 0 <= one.value <= 24:
        minutes = 30 if other.value == _HALF else other.value
        return _clock(one, other, whole, one.value * 60 + minutes)
    if other.value == _HALF and not one.unit and one.value == int(one.value) and _AND_HALF.fullmatch(between):
        return replace(
            other, text=whole, start=one.start, value=one.value + _HALF, size=other.size * (2 * one.value + 1)
        )
    past = _PAST.fullmatch(between.replace(one.unit, "", 1) if one.unit else between)
    if past and other.value in range(1, 13) and (one.value in (_HALF, 0.25) or one.unit in ("minute", "minutes")):
        minutes = one.value * 60 if one.value < 1 else one.value
        late = past[1].lower() in ("past", "after")
        return _clock(one, other, whole, other.value * 60 + (minutes if late else -minutes))
    return None


def _clock(one: Value, other: Value, whole: str, minutes: float) -> Value:
    return Value(whole, minutes, "time", one.start, other.end, CLOCK, minutes * 60)


def _with_lists(text: str, values: Sequence[Value]) -> Iterator[Value]:
    """The values, those in a row of three and more bare ones marked."""
    run: list[Value] = []
    for value in values:
        goes_on = run and run[-1].unit == value.unit and _LIST.fullmatch(text, run[-1].end, value.start)
        if not goes_on and run:
            yield from _marked(run)
            run = []
        run.append(value)
    yield from _marked(run)


def _marked(run: Sequence[Value]) -> Iterable[Value]:
    return run if len(run) < 3 else [replace(each, listed=len(run)) for each in run]


def source_of(aim: Value, known: Sequence[Value]) -> tuple[Value, ...] | None:
    """What a value is computed from by one operation: sums, differences, products, quotients, shares, means, rests.

    How many stand in a list is counted. None if nothing known gives the value.

    >>> values = values_in("From 10:20 to 11:00 are 40 minutes, and 24 - 14 = 10.")
    >>> [value.text for value in source_of(values[2], values[:2])]
    ['10:20', '11:00']
    """
    return next(sources_of(aim, known, None), None)


def sources_of(aim: Value, known: Sequence[Value], said: str | None) -> Iterator[tuple[Value, ...]]:
    """All the ways in which a value is computed from what is known by one operation, the plainest first.

    A double or a half is one only where it is ``said`` to be, if something is.
    """
    near = known[-_MOST:]
    every = {round(amount, 7): each for each in near for amount in _amounts(each)}
    yield from _exact(aim, aim.value, every, clocks=False, mean=said is None or _MEAN.search(said) is not None)
    if aim.kind is not None:
        kinds = (TIME, CLOCK) if aim.kind in (TIME, CLOCK) else (aim.kind,)
        sizes = {round(each.size, 7): each for each in near if each.kind in kinds}
        yield from _exact(aim, aim.size, sizes, clocks=True, mean=False)
    yield from _of_all(aim, near, said)


def _amounts(value: Value) -> tuple[float, ...]:
    return (value.value, value.size) if value.kind == SHARE else (value.value,)


def _exact(
    aim: Value, target: float, table: dict[float, Value], *, clocks: bool, mean: bool
) -> Iterator[tuple[Value, Value]]:
    for amount, one in table.items():
        if amount in (0.0, target):
            continue
        pairs = [target - amount, target + amount, 2 * target - amount if mean else target]
        if not clocks and one.kind != CLOCK and amount != 1.0:
            pairs += [target / amount, target * amount, target * amount / 100, 100 * target / amount]
        for at, each in enumerate(pairs):
            key = round(each, 7)
            other = table.get(key)
            # Of a list all are added, not two.
            if other is None or other is one or key in (0.0, target) or (one.listed and other.listed):
                continue
            # What is added has to measure the same: no length is taken from an area.
            if at < 3 and len({one.kind, other.kind, aim.kind} - {None, CLOCK}) > 1:
                continue
            # Between two times of day lies a duration, and behind one of them another one.
            if not clocks or (one.kind == CLOCK) + (other.kind == CLOCK) == (
                1 if aim.kind == CLOCK else 2 * (each > target)
            ):
                yield one, other


def _of_all(aim: Value, near: Sequence[Value], said: str | None) -> Iterator[tuple[Value, ...]]:
    value = aim.value
    turns = aim.kind == DEGREE or (aim.kind is None and (said is None or _ANGLE.search(said) is not None))
    for each in near:
        amount = each.value
        if amount != value and _near(value * amount, 1):
            yield (each,)
        if amount != value and _near(value * value, amount) and (said is None or _ROOTED.search(said)):
            yield (each,)
        if said is None and _near(value, amount * amount):
            yield (each,)
        if turns and value in (180 - amount, 90 - amount, 360 - amount):
            yield (each,)
        if amount != value and value in (2 * amount, amount / 2) and (said is None or _DOUBLED.search(said)):
            yield (each,)
        if aim.kind is None and each.kind is not None and value in (amount / 1000, amount * 1000):
            yield (each,)
        if each.listed and value == each.listed and not aim.listed:
            yield tuple(other for other in near if other.listed == each.listed)
        if aim.kind == SHARE and each.kind == SHARE and value == 100 - amount != amount:
            yield (each,)
        if aim.kind == SHARE and _near(value, 100 * amount):
            yield (each,)
    for count in range(3, len(near) + 1):
        part = near[-count:]
        total = sum(each.value for each in part)
        if any(_near(value, made) for made in (total, total / count, math.prod(each.value for each in part))):
            yield tuple(part)
    if aim.kind == CLOCK:
        hour, minute = divmod(value, 60)
        hands = [
            each for each in near if each.value == hour or (each.value in (minute, minute / 5) and each.kind != CLOCK)
        ]
        if len({each.value == hour for each in hands}) == 2:
            yield tuple(hands)
    alike = [each for each in near if each.kind is not None and each.kind == near[-1].kind] if aim.kind is None else []
    if 1 < len(alike) == value:
        yield tuple(alike)
    for one, other in permutations(near, 2):
        if turns and value == 180 - one.value - other.value:
            yield (one, other)
    yield from _rounded(aim, near)


def _rounded(aim: Value, near: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """What gives a value that was rounded: its last digit decides."""
    slack = aim.slack or (0.5 if aim.kind == SHARE else 0.0)
    exact = 1e-9 * abs(aim.value)
    for one, other in permutations(near, 2):
        a, b = one.value, other.value
        made = [math.hypot(a, b)]
        if slack:
            made += [a * b] + ([a / b, 100 * a / b, 100 * (a - b) / b] if b else [])
        if any(abs(each - aim.value) <= max(slack, exact) for each in made if each != a):
            yield (one, other)
    for one in near if slack else ():
        a = abs(one.value)
        if any(
            abs(each - aim.value) <= slack for each in (math.sqrt(a), math.pi * a, 2 * math.pi * a, math.pi * a * a)
        ):
            yield (one,)


_DOUBLED = re.compile(r"\b(?:half|halves|halved|twice|doubl\w+)\b|半|倍", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:mean|average\w*|mid\w*|half\w*|cent(?:re|er)|between)\b|平均|中", re.IGNORECASE)
_ANGLE = re.compile(r"\b(?:angles?|triangles?|degrees?|turns?)\b|[∠°角]", re.IGNORECASE)
_ROOTED = re.compile(r"\b(?:roots?|squares?|sides?|lengths?|edges?|hypotenuse)\b|[√²根方边]", re.IGNORECASE)
