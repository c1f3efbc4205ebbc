"""Whether each number of the reasoning is given or computed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from operators.onevision.checking.computing import convertible, follows, may_convert
from operators.onevision.checking.constants import is_constant, is_index, is_known
from operators.onevision.checking.contexts import better, contexts_in
from operators.onevision.checking.deriving import derived, of_algebra
from operators.onevision.checking.equations import value_of
from operators.onevision.checking.given import Given
from operators.onevision.checking.material import Material
from operators.onevision.checking.places import Place, places_in
from operators.onevision.checking.restating import restated, runs_of
from operators.onevision.checking.words import quoted
from operators.onevision.records import Check
from operators.verify.expressions.equations import Equation

_CODE = "rewrite.number"
#: How many sentences back a number may follow from.
_BACK = 2
#: Numbers of a reasoning that are looked at.
_MOST = 300
#: Counts up to this need no source where none has another.
_COUNTED = 12
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|for instance|such as|something like|a number like|like|say|suppose|imagine|if|would|"
    r"hypothetical\w*|mistake\w*|wrong\w*)\b|例如|比如|譬如|假如|假设|如果|若|要是|误|错",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|[。！？；;\n]")
_SIGNS = frozenset("+-−×*·÷=<>≈(/^:：~≤≥")
#: So far from one unit another one is told that it equals.
_NEAR = 20
_MEASURE_WORDS = frozenset("个块条种类级名次项份根颗段组部层步张只本支道人边角圈位座棵")
_ARITHMETIC = frozenset("+−×*·÷")
#: Numbers of an equation that need no source.
_USUAL = frozenset((0.0, 1.0, 2.0, 3.14, 9.8, 10.0, 60.0, 90.0, 100.0, 180.0, 360.0, 1000.0))


def number_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the reasoning's numbers, with the equations that stand in it."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    reasoning = _Reasoning(row, row.thinking, equations)
    accepted: list[Place] = []
    doubted = None
    for place in reasoning.places:
        if note := reasoning.problem(place, accepted):
            around = row.thinking[max(place.start - 40, 0) : place.end + 25]
            told = f"{quoted(place.text)} {note}: {quoted(around, 80)}"
            if not reasoning.harmless(place):
                return Check(_CODE, "failed", told)
            doubted = doubted or told
        accepted.append(place)
    if twice := restated(row.thinking, reasoning.places, reasoning.spans, row.sources, reasoning.given.lists):
        note = f"{quoted(twice.here)} where {quoted(twice.elsewhere)} stands elsewhere: "
        return Check(_CODE, "failed", note + quoted(row.thinking[max(twice.start - 40, 0) : twice.start + 30], 80))
    if doubted:
        return Check(_CODE, "unsure", doubted)
    count = len(reasoning.places)
    return Check(_CODE, "passed", f"{count} numbers" if count else "it has no numbers")


class _Reasoning:
    """The numbers of a reasoning beside those that its sources give."""

    def __init__(self, row: Material, text: str, equations: Sequence[Equation]) -> None:
        self.text = text
        self.options = len(row.options)
        self.places = places_in(text)[:_MOST]
        self.runs = {place.start: run for run in runs_of(text, self.places) for place in run}
        texts = _longest(row.sources, row.code)
        self.given = Given(texts, row.code, places_in(row.reasoning), self.places)
        self.texts = texts
        self.numbers = {place.start: number for number, place in enumerate(self.places)}
        self.spans, self.exact = _spans(text, equations)

    def problem(self, place: Place, accepted: Sequence[Place]) -> str | None:
        """What is wrong with a number; None if it is given, computed from those before it, or usual."""
        if (
            place.marker
            or is_index(place, self.text)
            or is_constant(place, self.text, self.options)
            or self._explained(place, accepted)
        ):
            return None
        near = [each for each in accepted if place.sentence - each.sentence <= _BACK]
        around = self.text[max(place.start - 40, 0) : place.end + 25]
        if self.given.has(place, around):
            other = self._other(place)
            if other is None or follows(place, near, self.text):
                return None
            return f"where its sources have {quoted(other)}"
        if place.time:
            return "is no time of its sources"
        if any(each.value == place.value for each in accepted):
            return None
        if not self._is_part(place) and follows(place, near, self.text):
            return None
        beside = [each for each in self.places if each.sentence == place.sentence and each.value in self.given.units]
        if (
            self._is_one(place)
            or self._used_later(place)
            or derived(place, accepted, beside, self.text)
            or of_algebra(place, accepted, self.text)
        ):
            return None
        if is_known(place, self.text) and self.given.instead(place) is None:
            return None
        return "is neither given nor computed"

    def _is_one(self, place: Place) -> bool:
        """Whether a number is the one of a unit that is told in another, as in "1 m is 100 cm"."""
        number = self.numbers[place.start] + 1
        if place.value != 1 or number >= len(self.places):
            return False
        other = self.places[number]
        near = other.value > 0 and other.start - place.end <= _NEAR and convertible(place.measure, other.measure)
        return near and may_convert(1.0, other.value)

    def _used_later(self, place: Place) -> bool:
        """Whether an equation that holds exactly has this number and else only given ones."""
        for start, end in self.exact if not place.word else ():
            values = [each.value for each in self.places if start <= each.start < end]
            others = [value for value in values if value != place.value]
            if place.value in values and len(others) > 1 and all(value in self.given.units for value in others):
                return True
        return False

    def harmless(self, place: Place) -> bool:
        """Whether a number from nowhere contradicts nothing: a small count, or one of an example."""
        if place.time or self.given.has(place, "") or self.given.instead(place) is not None:
            return False
        if place.word:
            return place.value <= _COUNTED or _EXAMPLE.search(self._clause(place)) is not None
        if _EXAMPLE.search(self._clause(place)):
            return True
        return not place.digits and place.value <= _COUNTED and self._counts_new(place)

    def _clause(self, place: Place) -> str:
        return _CLAUSE.split(self.text[max(place.start - 60, 0) : place.start])[-1]

    def _counts_new(self, place: Place) -> bool:
        """Whether a word stands behind a number that stands behind none of the sources' numbers."""
        before = self.text[max(place.start - 3, 0) : place.start].rstrip()
        if place.measure or place.assigned or not place.unit or before[-1:] in _SIGNS:
            return False
        if not place.unit.isascii() and place.unit not in _MEASURE_WORDS:
            return False
        return not any((kind, place.unit) in self.given.by_word for kind in ("unit", "label"))

    def _other(self, place: Place) -> str | None:
        """The number that the sources have where the reasoning has this one."""
        beside = [each for each in self.places if each.sentence == place.sentence]
        computed = any(
            each.value == place.value and start <= each.start < end for each in self.places for start, end in self.spans
        )
        other = self.given.instead(place)
        if other is None and not computed:
            other = self.given.left_out([each for each in beside if not each.word], place)
        other = other or self.given.in_run(self.runs[place.start], place)
        if other is not None:
            return other.text
        if computed:
            return None
        words = contexts_in(self.text)[self.numbers[place.start]][1]
        fits = better(place.value, words, self.texts, frozenset(each.value for each in beside))
        return None if fits is None else f"{fits:g}"

    def _is_part(self, place: Place) -> bool:
        """Whether a number is what something is computed from, not what comes out."""
        before = self.text[max(place.start - 3, 0) : place.start].rstrip()
        behind = self.text[place.end : place.end + 12].lstrip()
        behind = behind.removeprefix(place.measure).lstrip() if place.measure else behind
        return before[-1:] in _ARITHMETIC or behind[:1] in _ARITHMETIC

    def _explained(self, place: Place, accepted: Sequence[Place]) -> bool:
        """Whether a number stands in an equation that holds and whose others are known; exactly, if it is no result."""
        for start, end in self.spans:
            if not start <= place.start < end:
                continue
            inside = [each for each in self.places if start <= each.start < end]
            if inside[-1] is not place and (start, end) not in self.exact:
                continue
            known = {each.value for each in accepted} | _USUAL
            others = (each.value for each in inside if each.value != place.value)
            if all(value in known or value in self.given.units for value in others):
                return True
            # One side of an equation that holds exactly vouches for the other.
            middle = self.text.find("=", start, end)
            other = [each.value for each in inside if (each.start > middle) is (place.start < middle)]
            sure = (start, end) in self.exact and len(other) > 1
            if sure and all(value in known or value in self.given.units for value in other):
                return True
        return False


def _longest(texts: Sequence[str], code: str) -> tuple[str, ...]:
    """The texts but the code, without sentences that stand in another of them."""
    others = [each for each in texts if each != code]
    return tuple(
        each
        for each in others
        if not (each[-1] in ".。" and any(each in other for other in others if len(other) > len(each)))
    )


def _spans(text: str, equations: Sequence[Equation]) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
    """Where the equations that hold stand in the text, and those among them that hold exactly."""
    spans, exact, start = [], set(), 0
    for equation in equations:
        found = text.find(equation.text, start)
        found = text.find(equation.text) if found < 0 else found
        if found < 0:
            continue
        start = found
        if equation.holds:
            spans.append((found, found + len(equation.text)))
            left, right = value_of(equation.left), value_of(equation.right)
            if left is None or right is None or math.isclose(left, right, rel_tol=1e-9):
                exact.add(spans[-1])
    return spans, exact
