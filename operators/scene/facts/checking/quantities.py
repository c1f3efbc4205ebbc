"""The numbers of a sentence with their units, and how near a value must be to agree with one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from operators.scene.facts.checking.words import APPROXIMATE, NUMBER_WORDS

Unit = Literal["m", "deg", "%", "m2", "m3", "times", "tuple", "dims", "axis", "none"]

_N = r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)"
_TUPLE = re.compile(rf"[\[(]\s*(?:[xyz]\s*[=:]\s*)?{_N}\s*m?(?:\s*[,/]\s*(?:[xyz]\s*[=:]\s*)?{_N}\s*m?){{1,3}}\s*[\])]")
_DIMS = re.compile(
    rf"(?<![\w.]){_N}\s*(?:m|cm)?\s*(?:x|by)\s*{_N}\s*(?:m\b|cm\b)?(?:\s*(?:x|by)\s*{_N})?\s*(?:cm|m)?\b"
)
_AXIS = re.compile(
    rf"(?<![a-z])([xyz])(?:[ -](?:coordinate|position|value|axis))?\s*(?:=|:|is|of|at|to|from|near|~)?\s*({_N})"
)
_MORE = re.compile(
    r"(?:\b(?:more than|over|at least|exceed\w*|above|greater than|no less than|well over|upwards of|beyond|not "
    r"less than)\s*|[>≥]\s*)$"
)
_LESS = re.compile(
    r"(?:\b(?:less than|under|within|at most|below|up to|no more than|not more than|not even|fewer than|smaller "
    r"than)\s*|[<≤]\s*)$"
)

#: A height that something comes to, which is no comparison.
_UP_TO = re.compile(
    r"\b(?:reach\w*|ris\w+|extend\w*|goes|comes|stretch\w*|grow\w*|tower\w*) (?:all the way )?up to\s*$"
)
_PLAIN = re.compile(
    rf"(?<![\w.])(?P<n>{_N})(?!\w*[._]\d)\s*-?\s*(?P<u>square met(?:er|re)s?|sq\.? ?m\b|m2\b|m3\b|cubic "
    rf"met(?:er|re)s?|"
    r"met(?:er|re)s?\b|cm\b|centimet(?:er|re)s?\b|mm\b|millimet(?:er|re)s?\b|m\b|degrees?\b|deg\b|%|"
    r"percent(?:age points)?\b|per ?cent\b|"
    r"times\b|x\b|fold\b)?"
)
_WORDED = re.compile(
    r"\b(?:(?P<half>half)(?: of)? an? (?P<hu>met(?:er|re)|turn)|(?P<quarter>quarter)[ -]turn|(?P<turn>half)[ -]turn|"
    rf"(?P<w>{'|'.join(w for w in NUMBER_WORDS if len(w) > 2)}) (?P<u>met(?:er|re)s?|centimet(?:er|re)s?|"
    rf"degrees?|percent|"
    r"square met(?:er|re)s?))\b"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or several of one bracket: values in metres, degrees, percent, with half the last digit's worth."""

    unit: Unit
    values: tuple[float, ...]
    slack: float
    start: int
    end: int
    text: str
    axis: str = ""
    compared: int = 0

    def near(self, value: float, factor: float = 1.0) -> bool:
        """Whether a value agrees with the first number."""
        return abs(value - self.values[0]) <= self.slack * factor


def quantities(text: str) -> list[Quantity]:
    """The quantities of a sentence in lower case, in their order; plain counts have the unit "none".

    >>> [(each.unit, each.values) for each in quantities("a 1.2 x 0.6 m desk at (1, 0, -2.5), 50 cm off, x = 3")]
    [('dims', (1.2, 0.6)), ('tuple', (1.0, 0.0, -2.5)), ('m', (0.5,)), ('axis', (3.0,))]
    """
    found: list[Quantity] = []
    masked = text
    for unit, pattern in (("tuple", _TUPLE), ("dims", _DIMS), ("axis", _AXIS)):
        found += [_grouped(unit, match, text) for match in pattern.finditer(masked)]  # type: ignore[arg-type]
        masked = pattern.sub(lambda match: "\0" * len(match.group()), masked)
    found += [_worded(match, text) for match in _WORDED.finditer(masked)]
    masked = _WORDED.sub(lambda match: "\0" * len(match.group()), masked)
    found += [_plain(match, text) for match in _PLAIN.finditer(masked)]
    return sorted((_compared(each, text) for each in found), key=lambda each: each.start)


def _compared(quantity: Quantity, text: str) -> Quantity:
    """The quantity with the sign of a comparison before it: 1 for "more than", -1 for "less than"."""
    before = text[: quantity.start]
    if _UP_TO.search(before):
        return quantity
    sign = 1 if _MORE.search(before) else -1 if _LESS.search(before) else 0
    return replace(quantity, compared=sign, slack=min(quantity.slack, 0.05)) if sign else quantity


def _grouped(unit: Unit, match: re.Match[str], text: str) -> Quantity:
    piece = match.group()
    numbers = [match.group(2)] if unit == "axis" else re.findall(_N, piece)
    scale = 0.01 if "cm" in piece else 1.0
    slack = max(_half_digit(number) for number in numbers) * scale
    axis = match.group(1) if unit == "axis" else ""
    values = tuple(float(number) * scale for number in numbers)
    return Quantity(
        unit, values, _widened(slack, values[0], text[: match.start()]), match.start(), match.end(), piece, axis
    )


def _worded(match: re.Match[str], text: str) -> Quantity:
    if match["quarter"]:
        unit, value = "deg", 90.0
    elif match["turn"] or match["hu"] == "turn":
        unit, value = "deg", 180.0
    elif match["half"]:
        unit, value = "m", 0.5
    else:
        value = float(NUMBER_WORDS[match["w"]])
        name = match["u"]
        unit = "m2" if "square" in name else "deg" if name.startswith("deg") else "%" if name == "percent" else "m"
        value *= 0.01 if name.startswith("cent") else 1.0
    slack = 0.06 * max(value, 1.0) if unit != "m" else 0.1
    return Quantity(unit, (value,), slack, match.start(), match.end(), match.group())  # type: ignore[arg-type]


def _plain(match: re.Match[str], text: str) -> Quantity:
    name, number = (match["u"] or "").replace(" ", ""), match["n"]
    value, slack = float(number), _half_digit(number)
    unit: Unit = "none"
    if name.startswith(("square", "sq", "m2")):
        unit = "m2"
    elif name.startswith(("m3", "cubic")):
        unit = "m3"
    elif name.startswith(("cm", "centi", "mm", "milli")):
        scale = 0.001 if name.startswith(("mm", "milli")) else 0.01
        unit, value, slack = "m", value * scale, slack * scale + 0.005
    elif name.startswith("m"):
        unit = "m"
    elif name.startswith("deg"):
        unit = "deg"
    elif name.startswith(("%", "per")):
        unit = "%"
    elif name in ("times", "x", "fold"):
        unit = "times"
    return Quantity(
        unit, (value,), _widened(slack, value, text[: match.start()]), match.start(), match.end(), match.group()
    )


def _half_digit(number: str) -> float:
    """Half of the last digit's worth, and what rounding a rounded value may add."""
    digits = len(number.partition(".")[2])
    return 0.5 * 10.0**-digits + (0.0056 if digits >= 2 else 0.006)


def _widened(slack: float, value: float, before: str) -> float:
    return max(slack, 0.1 * abs(value), 0.05) if APPROXIMATE.search(before) else slack
