"""Numbers that a reasoning states twice and differently: a result, a list, or an equation of its sources."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from operators.onevision.checking.computing import convertible, may_convert
from operators.onevision.checking.places import Place

#: What stands between numbers of a list or a sum.
JOINT = re.compile(r"\s*(?:[A-Za-z°Ω%]{1,4})?\s*(?:[、,，;；+＋]|and|和|与|,\s*and)\s*")
#: What says that a result is told again, and that it is told for what it is.
_THAT_IS = re.compile(r"即|也就是|\bi\.e\.|\bthat is\b")
_SO = re.compile(r"所以|因此|故|\b(?:so|thus|hence|therefore)\b", re.IGNORECASE)
_IS = re.compile(
    r"[^\w=]{0,3}(?:so|thus|hence|therefore|所以|因此)[,，]?\s?(?:the |its |it )?"
    r"[A-Za-z㐀-鿿]{0,12}\s?(?:is|was|costs?|equals|为|是)\s?\$?",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\s?[=≈×*/÷+√<>]|about|approx|round|close|near|option|choice|answer|than|half|twice|averag|mean|each|\bper\b|平均|每|约|近|选|比|第",
    re.IGNORECASE,
)
_OR = re.compile(r"\s?[A-Za-z°Ω/²³%㐀-鿿]{0,8}[,，]?\s?(?:or|i\.e\.|that is|which is|即|也就是)[,，]?\s?(?:about |约)?")
#: So far from a value it is told in other words.
_NEXT = 26
#: So far from a result it is told again.
_FAR = 30
_EQUATION = re.compile(r"(?:(?<![A-Za-z])[A-Za-z](?![A-Za-z])|\d+(?:\.\d+)?|[-+−*×/÷^²³√()=]|[ ])+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
#: Numbers of an equation, and of a list, from which on it is compared.
_LONG = 3

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Restated:
    """A number as the reasoning has it, and as it stands elsewhere."""

    here: str
    elsewhere: str
    start: int


def restated(
    text: str, places: Sequence[Place], spans: Sequence[Span], sources: Sequence[str], lists: Sequence[Sequence[Place]]
) -> Restated | None:
    """The first number that is told in two ways; ``spans``: the text's equations that hold, ``lists``: the sources'."""
    found = [
        *_results(text, places, spans),
        *_in_other_words(text, places),
        *_lists(text, places, spans, lists),
        *_equations(text, spans, sources),
    ]
    return min(found, key=lambda each: each.start, default=None)


def runs_of(text: str, places: Sequence[Place]) -> list[list[Place]]:
    """The numbers of a text in runs, with nothing but signs of a list or a sum between those of one."""
    runs: list[list[Place]] = []
    for place in places:
        if runs and JOINT.fullmatch(text, runs[-1][-1].end, place.start):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _results(text: str, places: Sequence[Place], spans: Sequence[Span]) -> Iterator[Restated]:
    """Results of equations that are told again with another number and the same unit, or as "that is"."""
    for start, end in spans:
        inside = [each for each in places if start <= each.start < end]
        following = next((each for each in places if each.start >= end), None)
        if not inside or following is None or following.start - end > _FAR:
            continue
        result, between = inside[-1], text[end : following.start]
        if (
            any(each.value in (following.value, following.whole) for each in inside)
            or _OTHER.search(between)
            or _OTHER.match(text, following.end)
        ):
            continue
        if round(result.value * 100, 9) == following.value or abs(result.value - following.value) < 0.5:
            continue
        same = bool(result.measure) and result.measure == following.measure
        same = same or (_IS.fullmatch(between) is not None and not _near_kin(result.value, following.value))
        if (_THAT_IS.search(between) and following.measure in ("", result.measure)) or (same and _SO.search(between)):
            yield Restated(following.text, result.text, following.start)


def _in_other_words(text: str, places: Sequence[Place]) -> Iterator[Restated]:
    """Values told again behind "or" and "that is": a fraction as another percentage, a length in another unit."""
    for number, (one, other) in enumerate(pairwise(places)):
        if other.start - one.end > _NEXT or not _OR.fullmatch(text, one.end, other.start):
            continue
        if not one.value or not other.value:
            continue
        before = places[number - 1] if number else None
        if other.percent and before is not None and text[before.end : one.start] == "/":
            share = 100 * before.value / one.value
            if abs(share - other.value) > 10.0**-other.digits:
                yield Restated(other.text, f"{before.text}/{one.text}", other.start)
        elif convertible(one.measure, other.measure) and not may_convert(one.value, other.value):
            yield Restated(other.text, f"{one.text} {one.measure}", other.start)


def _near_kin(value: float, other: float) -> bool:
    """Whether a number is half, twice, the square, the root or the rest of another."""
    kin = (value / 2, value * 2, value * value, math.sqrt(value), 90 - value, 180 - value, 360 - value, 100 - value)
    return any(math.isclose(other, abs(each), rel_tol=0.01) for each in kin)


def _lists(
    text: str, places: Sequence[Place], spans: Sequence[Span], lists: Sequence[Sequence[Place]]
) -> Iterator[Restated]:
    """Lists that stand twice with one number changed, of which only one is computed with or stands in a source."""
    long = [run for run in runs_of(text, places) if len(run) >= _LONG]
    sound = [run for run in long if _in_span(run, spans) or _listed(run, lists)]
    for run in long:
        if run in sound:
            continue
        for other in sound:
            changed = [(one, two) for one, two in zip(run, other, strict=False) if one.value != two.value]
            if len(run) == len(other) and len(changed) == 1:
                yield Restated(changed[0][0].text, changed[0][1].text, changed[0][0].start)


def _in_span(run: Sequence[Place], spans: Sequence[Span]) -> bool:
    return any(start <= run[0].start < end for start, end in spans)


def _listed(run: Sequence[Place], lists: Sequence[Sequence[Place]]) -> bool:
    """Whether a sentence of the sources has the numbers of a run in their order, one behind the other."""
    have = [each.value for each in run]
    for listed in lists:
        values = [each.value for each in listed]
        if any(values[n : n + len(have)] == have for n in range(len(values) - len(have) + 1)):
            return True
    return False


def _equations(text: str, spans: Sequence[Span], sources: Sequence[str]) -> Iterator[Restated]:
    """Equations of a source with one number changed, unless they hold as they stand."""
    own = list(_written(text))
    known: dict[str, list[list[str]]] = {}
    for source in sources if own else ():
        for _, equation in _written(source):
            known.setdefault(_NUMBER.sub("#", equation), []).append(_NUMBER.findall(equation))
    for start, equation in own:
        theirs = known.get(_NUMBER.sub("#", equation), [])
        numbers = _NUMBER.findall(equation)
        if not theirs or numbers in theirs or any(first <= start < end for first, end in spans):
            continue
        for each in theirs:
            changed = [(one, two) for one, two in zip(numbers, each, strict=True) if one != two]
            if len(changed) == 1:
                yield Restated(*changed[0], start)


@lru_cache(maxsize=512)
def _written(text: str) -> tuple[tuple[int, str], ...]:
    """The equations of a text with enough numbers, without spaces, and where they begin."""
    written = []
    for found in _EQUATION.finditer(text) if "=" in text else ():
        equation = found[0].replace(" ", "").replace("−", "-")
        if "=" in equation and len(_NUMBER.findall(equation)) >= _LONG:
            written.append((found.start() + len(found[0]) - len(found[0].lstrip()), equation))
    return tuple(written)
