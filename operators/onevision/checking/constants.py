"""Numbers that any reasoning may use, where it speaks of what they belong to."""

from __future__ import annotations

import math
import re

from operators.onevision.checking.places import Place

_GRAVITY = re.compile(r"\bg\b|gravit|m/s|weight|N/kg|重力|重量|牛|mg", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b|圆|circ|radius|arc|sector", re.IGNORECASE)
_TIME = re.compile(r"minute|hour|second|\bmin\b|\d:\d|分钟|小时|秒|时间", re.IGNORECASE)
_OPTIONS = re.compile(r"option|choice|answer|选项|答案", re.IGNORECASE)
_SIGNS = frozenset("+-−×*·/÷^_√²³")
#: Numbers that everybody knows, with what is spoken of where they stand.
_KNOWN = tuple(
    (frozenset(values), re.compile(pattern, re.IGNORECASE))
    for values, pattern in (
        (
            (60, 3600, 24, 7, 12, 28, 29, 30, 31, 365, 366, 52, 1440),
            r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|min|January|February|March|April|June|July|August|"
            r"September|October|November|December)\b|[秒时天周年月]|分钟|\d:\d",
        ),
        ((3.6, 3600, 1000), r"km/h|m/s|千米/时"),
        ((4, 9, 7, 4.18, 4.184, 4.19, 4.2), r"\bk?cal|kJ|calori|千卡|千焦|比热"),
        ((273, 273.15, 32, 1.8, 212), r"\bK\b|kelvin|[°º]\s?[CF]|℃|℉|fahrenheit|开尔文|绝对温度"),
        ((22.4, 6.02, 8.31, 8.314), r"\bmol|摩尔|\bgas\b|气体"),
        ((340, 343), r"sound|声"),
        ((180, 360, 540, 720), r"°|angle|degree|polygon|角|边形"),
    )
)
_ROOTS = re.compile(r"sin|cos|tan|√|sqrt|°|\broots?\b|diagonal|根号|角", re.IGNORECASE)
#: Sines, cosines and tangents of usual angles, and small roots.
_USUAL_ROOTS = (0.6, 0.8, 0.75, 1 / math.sqrt(3), *(math.sqrt(each) / 2 for each in (2, 3)), *map(math.sqrt, (2, 3, 5)))
_TRIPLE = re.compile(r"(?<!\d)(\d{1,3})[-–:：, ]{1,2}(\d{1,3})[-–:：, ]{1,2}(\d{1,3})(?!\d)")
_INDEX = re.compile(r"_\{?[A-Za-z0-9,]{0,4}\Z")
_ANGLE = re.compile(r"°|angle|degree|triangle|sin|cos|tan|circle|角|度|圆", re.IGNORECASE)


def is_constant(place: Place, text: str, options: int) -> bool:
    """Whether a number may stand in any reasoning: small words and factors, angles, gravity, percent, hours, pi."""
    value = place.value
    around = text[max(place.start - 40, 0) : place.end + 25]
    if place.word and (value <= 2 or (value == options and _OPTIONS.search(around))):
        return True
    if value in (0, 1, 2):
        return _is_operand(place, text) or is_fraction(place, text) or (value == 2 and _counts(place, text))
    if value in (90, 180, 360):
        return bool(_ANGLE.search(around))
    if value == 60:
        return bool(_TIME.search(around))
    if value == 100:
        return "%" in around or "percent" in around or "百分" in around
    if value in (10, 9.8, 9.81):
        return bool(_GRAVITY.search(around))
    return place.text in ("3.14", "3.1416", "3.14159", "3.142") and bool(_PI.search(around))


def is_index(place: Place, text: str) -> bool:
    """Whether a number is the index of a name, as in R_{23}."""
    return "_" in text and _INDEX.search(text[max(place.start - 7, 0) : place.start]) is not None


def is_known(place: Place, text: str) -> bool:
    """Whether a number is one that everybody knows: a power of ten, days of a month, the sine of a usual angle."""
    value = place.value
    if value == 100 and place.measure in ("%", "°", "percent", "degree", "degrees", "度"):
        return False
    if value in (100.0, 1e3, 1e4, 1e5, 1e6, 1e8, 1e9):
        return True
    if is_triple(place, text):
        return True
    around = text[max(place.start - 40, 0) : place.end + 25]
    if any(value in values and pattern.search(around) for values, pattern in _KNOWN):
        return True
    if place.digits and (place.digits > 1 or value in (0.6, 0.8)) and _ROOTS.search(around):
        return any(abs(value - each) <= 0.5 * 10.0**-place.digits for each in _USUAL_ROOTS)
    return False


def _counts(place: Place, text: str) -> bool:
    """Whether a small number counts things: it has no unit, no name equals it, and a word stands behind it."""
    behind = text[place.end : place.end + 2].lstrip()
    return not place.measure and not place.assigned and behind[:1].isalpha()


def is_triple(place: Place, text: str) -> bool:
    """Whether a number stands among three that are the sides of a right triangle, as in 5-12-13."""
    for found in _TRIPLE.finditer(text, max(place.start - 14, 0), place.end + 14):
        if found.start() <= place.start < found.end():
            one, two, three = sorted(map(int, found.groups()))
            return one * one + two * two == three * three
    return False


def is_fraction(place: Place, text: str) -> bool:
    """Whether a number stands above or below the line of a LaTeX fraction."""
    return (
        text[max(place.start - 6, 0) : place.start].endswith(("frac{", "}{")) and text[place.end : place.end + 1] == "}"
    )


def _is_operand(place: Place, text: str) -> bool:
    """Whether a sign of arithmetic stands beside a number."""
    before, behind = text[max(place.start - 3, 0) : place.start].rstrip(), text[place.end : place.end + 3].lstrip()
    return before[-1:] in _SIGNS or behind[:1] in _SIGNS
