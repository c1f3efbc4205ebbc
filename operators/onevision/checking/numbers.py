"""Whether each number of the reasoning is given or computed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from operators.onevision.checking.computing import follows
from operators.onevision.checking.material import Material
from operators.onevision.checking.places import Place, places_in
from operators.onevision.checking.words import quoted
from operators.onevision.records import Check
from operators.verify.expressions.equations import Equation

_CODE = "rewrite.number"
#: How many sentences back a number may follow from.
_BACK = 2
_ANGLE = re.compile(r"°|angle|degree|triangle|sin|cos|tan|circle|角|度|圆", re.IGNORECASE)
_GRAVITY = re.compile(r"\bg\b|gravit|m/s|weight|N/kg|重力|重量|牛|mg", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b|圆|circ|radius|arc|sector", re.IGNORECASE)
_ABOUT = re.compile(r"≈|~|\b(?:about|approx\w*|roughly|nearly|around|close|rounded?)\b|约|大概|近", re.IGNORECASE)
_CLOCK = re.compile(r"\b(?:year|in|since|until|from|by)\s\Z|年", re.IGNORECASE)


def number_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the reasoning's numbers, with the equations that stand in it."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    places = places_in(row.thinking)
    given = _Given(row.sources, places_in(row.reasoning), places)
    sums = _spans(row.thinking, equations)
    accepted: list[Place] = []
    for place in places:
        window = _around(row.thinking, place)
        if not (place.marker or _constant(place, window)):
            near = [each for each in accepted if place.sentence - each.sentence <= _BACK]
            if given.has(place, window):
                if other := given.instead(place, _explained(place, places, sums, given)):
                    note = f"{quoted(place.text)} where its sources have {quoted(other.text)}: {quoted(window, 80)}"
                    return Check(_CODE, "failed", note)
            elif not (_explained(place, places, sums, given) or follows(place, near, _sentence(row.thinking, place))):
                note = f"{quoted(place.text)} is neither given nor computed: {quoted(window, 80)}"
                return Check(_CODE, "failed", note)
        accepted.append(place)
    return Check(_CODE, "passed", f"{len(places)} numbers" if places else "it has no numbers")


class _Given:
    """The numbers of a row's sources, by value and by what stands around them."""

    def __init__(self, sources: Sequence[str], told: Sequence[Place], used: Sequence[Place]) -> None:
        self.values, self.by_word = _indexed(tuple(sources))
        self.vanished = {place.value for place in told} - {place.value for place in used}

    def has(self, place: Place, window: str) -> bool:
        """Whether a number stands in the sources, as a percentage or rounded too."""
        value = place.value
        if value in self.values or (place.percent and (value / 100 in self.values or value * 100 in self.values)):
            return True
        if value * 100 in self.values and value < 1:
            return True
        slack = Fraction(1, 2 * 10**place.digits)
        if place.digits >= 2 or _ABOUT.search(window):
            return any(each != value and abs(each - value) <= slack for each in self.values)
        return False

    def instead(self, place: Place, explained: bool) -> Place | None:
        """The number that the sources have where the reasoning has this one, which they have elsewhere.

        With the same two words behind it, or with the same word behind or before it and no longer anywhere in the
        reasoning.
        """
        if explained:
            return None
        for key, sure in ((("what", place.what), True), (("label", place.label), False), (("unit", place.unit), False)):
            there = self.by_word.get(key, ()) if key[1] else ()
            if not there or any(each.value == place.value for each in there):
                continue
            for each in there:
                if each.value in self.vanished or (sure and place.word and each.word):
                    return each
        return None


@lru_cache(maxsize=64)
def _indexed(sources: tuple[str, ...]) -> tuple[frozenset[Fraction], dict[tuple[str, str], list[Place]]]:
    by_word: dict[tuple[str, str], list[Place]] = defaultdict(list)
    values = set()
    for text in sources:
        for place in places_in(text):
            values.add(place.value)
            for key in (("what", place.what), ("label", place.label), ("unit", place.unit)):
                if key[1]:
                    by_word[key].append(place)
    return frozenset(values), dict(by_word)


def _constant(place: Place, window: str) -> bool:
    """Whether a number may stand in any reasoning."""
    value = place.value
    if value in (0, 1) or (place.word and value <= 2):
        return True
    if value in (30, 45, 60, 90, 180, 360) and value >= 90:
        return bool(_ANGLE.search(window))
    if value == 100:
        return "%" in window or "percent" in window or "百分" in window
    if value in (10, Fraction("9.8"), Fraction("9.81")):
        return bool(_GRAVITY.search(window))
    if value == 2:
        return not place.unit or bool(re.search(r"[²^√×*/÷+\-−(=]", window))
    return place.text in ("3.14", "3.1416", "3.14159", "3.142") and bool(_PI.search(window))


def _explained(place: Place, places: Sequence[Place], sums: Sequence[tuple[int, int]], given: _Given) -> bool:
    """Whether a number stands in an equation that holds and whose other numbers are given or small."""
    for start, end in sums:
        if start <= place.start < end:
            others = [each for each in places if start <= each.start < end and each.value != place.value]
            if all(each.value in given.values or each.value <= 2 or _usual(each) for each in others):
                return True
    return False


def _usual(place: Place) -> bool:
    return place.value in (10, 60, 90, 100, 180, 360, 1000) or place.text in ("9.8", "3.14")


def _spans(text: str, equations: Sequence[Equation]) -> list[tuple[int, int]]:
    """Where the equations that hold stand in the text."""
    spans, start = [], 0
    for equation in equations:
        found = text.find(equation.text, start)
        found = text.find(equation.text) if found < 0 else found
        if found >= 0:
            start = found
            if equation.holds:
                spans.append((found, found + len(equation.text)))
    return spans


def _around(text: str, place: Place) -> str:
    return text[max(place.start - 40, 0) : place.end + 25]


def _sentence(text: str, place: Place) -> str:
    return text[max(place.start - 120, 0) : place.end + 40]
