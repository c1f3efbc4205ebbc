"""Numbers that any reasoning may use, where it speaks of what they belong to."""

from __future__ import annotations

import re

from operators.onevision.checking.places import Place

_GRAVITY = re.compile(r"\bg\b|gravit|m/s|weight|N/kg|重力|重量|牛|mg", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b|圆|circ|radius|arc|sector", re.IGNORECASE)
_TIME = re.compile(r"minute|hour|second|\bmin\b|\d:\d|分钟|小时|秒|时间", re.IGNORECASE)
_OPTIONS = re.compile(r"option|choice|answer|选项|答案", re.IGNORECASE)
_SIGNS = frozenset("+-−×*·/÷^_√²³")
_ANGLE = re.compile(r"°|angle|degree|triangle|sin|cos|tan|circle|角|度|圆", re.IGNORECASE)


def is_constant(place: Place, text: str, options: int) -> bool:
    """Whether a number may stand in any reasoning: small words and factors, angles, gravity, percent, hours, pi."""
    value = place.value
    around = text[max(place.start - 40, 0) : place.end + 25]
    if place.word and (value <= 2 or (value == options and _OPTIONS.search(around))):
        return True
    if value in (0, 1, 2):
        return _is_operand(place, text) or (value == 2 and _counts(place, text))
    if value in (90, 180, 360):
        return bool(_ANGLE.search(around))
    if value == 60:
        return bool(_TIME.search(around))
    if value == 100:
        return "%" in around or "percent" in around or "百分" in around
    if value in (10, 9.8, 9.81):
        return bool(_GRAVITY.search(around))
    return place.text in ("3.14", "3.1416", "3.14159", "3.142") and bool(_PI.search(around))


def _counts(place: Place, text: str) -> bool:
    """Whether a small number counts things: it has no unit, no name equals it, and a word stands behind it."""
    behind = text[place.end : place.end + 2].lstrip()
    return not place.measure and not place.assigned and behind[:1].isalpha()


def _is_operand(place: Place, text: str) -> bool:
    """Whether a sign of arithmetic stands beside a number."""
    before, behind = text[max(place.start - 3, 0) : place.start].rstrip(), text[place.end : place.end + 3].lstrip()
    return before[-1:] in _SIGNS or behind[:1] in _SIGNS
