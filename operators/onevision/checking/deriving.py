"""Whether a number is derived from others in a way that no equation is written for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from operators.onevision.checking.computing import convertible
from operators.onevision.checking.places import Place

_ABOUT = re.compile(
    r"≈|~|\b(?:about|approx\w*|roughly|nearly|around|close|almost|some|rounds?|rounded|rounding)\b|约|大概|近|左右",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\s?(?:倍|times\b|-?fold\b|[×x]\s(?:as|the|more)\b)", re.IGNORECASE)
_LESS = re.compile(
    r"\b(?:more|less|fewer|higher|lower|longer|shorter|taller|larger|smaller|faster|slower|older|younger|later|earlier|"
    r"ahead|behind|above|below|apart|short|left|remain\w*|over|change|rest|another|differ\w*|gap)\b|[多少高低长短大小快慢差剩余比早晚找]",
    re.IGNORECASE,
)
_ROUND = re.compile(r"π|\\pi|\bpi\b|圆|circ|disc|disk|radius|diameter|sphere|cylinder|ring|arc\b|sector|半径|直径|扇形")
_HOURS = re.compile(r"\s?(?:h\b|hours?|hrs?\b|小时|个小时|时)", re.IGNORECASE)
_MINUTES = re.compile(r"\s?(?:min|分)", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:averag\w*|mean)\b|平均", re.IGNORECASE)
_CLAUSE = re.compile(r"[。，,;；]")
_LETTER = re.compile(r"[A-Za-z(\\]")
#: Factors between units that a sentence changes without saying so.
_FACTORS = (10, 24, 60, 100, 1000, 3600, 3.6, 7)
_DAY = 1440
#: Numbers that are tried together, and sentences they may be away.
_MOST, _BACK = 10, 3


def derived(place: Place, earlier: Sequence[Place], beside: Sequence[Place], text: str) -> bool:
    """Whether a number is a share, a multiple, a gap, a time, a circle's measure, a changed unit or a counter's next.

    From those ``earlier`` in the text and those ``beside`` it in its sentence; as exact as it is written.
    """
    value = place.value
    if not 0 < value < 1e15:
        return False
    around = text[max(place.start - 30, 0) : place.end + 16]
    wide = text[max(place.start - 80, 0) : place.end + 16]
    slack = 0.5 * 10.0**-place.digits if place.digits or _ABOUT.search(around) else 1e-6 * value
    near = [each for each in (*beside, *reversed(earlier)) if place.sentence - each.sentence <= _BACK]
    made = [*_made(place, near, around, wide, text[place.end : place.end + 8])]
    if _MEAN.search(around):
        counts = [each.value for each in earlier if each.value in range(2, _MOST)]
        made += [each.value / count for each in near for count in dict.fromkeys(counts)]
    return any(abs(each - value) <= slack + 1e-9 * value for each in made) or _next_of(place, earlier)


def _made(place: Place, near: Sequence[Place], around: str, wide: str, behind: str) -> Iterator[float]:
    values = list(dict.fromkeys(each.value for each in near if 0 < each.value < 1e15))
    times = _TIMES.match(behind) is not None
    few = values[:_MOST]
    if place.percent or times:
        scale = 100 if place.percent else 1
        for one, other in permutations(few, 2):
            yield one / other * scale
            if place.percent:
                yield abs(one - other) / other * scale
    if place.percent:
        yield from (100 - each.value for each in near if each.percent)
        yield from (each * 100 for each in few if each <= 1)
    if _LESS.search(around):
        alike = list(dict.fromkeys(each.value for each in near if each.measure in ("", place.measure)))
        yield from (abs(one - other) for one, other in permutations(alike[: 2 * _MOST], 2))
    if _ROUND.search(wide):
        for each in few:
            yield from (math.pi * each * factor for factor in (1, 2, 0.5))
            yield from (math.pi * each * each * factor for factor in (1, 0.5, 0.25, 4, 2))
    yield from _converted(place, near)
    yield from _clock(near, behind)


def _converted(place: Place, near: Sequence[Place]) -> Iterator[float]:
    for each in near:
        if convertible(each.measure, place.measure):
            for factor in _FACTORS:
                yield each.value * factor
                yield each.value / factor


def _clock(near: Sequence[Place], behind: str) -> Iterator[float]:
    """Hours and minutes between two times of a day."""
    hours, minutes = _HOURS.match(behind), _MINUTES.match(behind)
    if not hours and not minutes:
        return
    times = list(dict.fromkeys(each.whole for each in near if each.time))[:_MOST]
    for one, other in permutations(times, 2):
        gap = (other - one) % _DAY
        yield gap // 60 if hours else gap % 60
        yield gap / 60 if hours else gap


def _next_of(place: Place, earlier: Sequence[Place]) -> bool:
    """Whether a name that had a number before has the next one now, as a counter of a loop."""
    if not place.assigned or place.digits:
        return False
    before = next((each for each in reversed(earlier) if each.assigned and each.label == place.label), None)
    return before is not None and abs(place.value - before.value) == 1


def of_algebra(place: Place, earlier: Sequence[Place], text: str) -> bool:
    """Whether a number of an expression with letters is made of one or two of those shortly before."""
    before = _CLAUSE.split(text[max(place.start - 12, 0) : place.start])[-1]
    behind = _CLAUSE.split(text[place.end : place.end + 12])[0]
    beside = before.rstrip()[-1:] in ("+", "-", "−", "=", "(", "{") or behind.lstrip()[:1] in ("+", "-", "−", "=")
    if not beside or not (re.search(r"[A-Za-z]\s?[-+−=)^]", before + behind) or _LETTER.match(behind)):
        return False
    values = list(dict.fromkeys(each.value for each in reversed(earlier) if place.sentence - each.sentence <= 1))[:5]
    made = {one * one for one in values}
    for one, other in permutations(values, 2):
        made |= {one * other, one + other, abs(one - other)}
    return place.value in made
