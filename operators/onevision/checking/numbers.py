"""Whether each number of the reasoning is given or computed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from operators.onevision.checking.computing import follows
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
_ANGLE = re.compile(r"°|angle|degree|triangle|sin|cos|tan|circle|角|度|圆", re.IGNORECASE)
_GRAVITY = re.compile(r"\bg\b|gravit|m/s|weight|N/kg|重力|重量|牛|mg", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b|圆|circ|radius|arc|sector", re.IGNORECASE)
_ABOUT = re.compile(r"≈|~|\b(?:about|approx\w*|roughly|nearly|around|close|rounded?)\b|约|大概|近", re.IGNORECASE)
_TIME = re.compile(r"minute|hour|second|\bmin\b|\d:\d|分|时|秒", re.IGNORECASE)
_OPTIONS = re.compile(r"option|choice|answer|选项|答案", re.IGNORECASE)
_SIGNS = frozenset("+-−×*·/÷^_√²³")
_ARITHMETIC = frozenset("+−×*·÷")
#: So many numbers of a source's sentence have to stand in a sentence of the reasoning to compare the two.
_SHARED = 2
#: Smaller numbers stand in many a text by chance.
_SMALL = 12
#: Signs of units and the letters that their names begin with.
_INITIALS = {"ω": "o", "°": "d", "$": "d", "%": "p", "€": "e", "℃": "d"}


def number_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the reasoning's numbers, with the equations that stand in it."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    places = places_in(row.thinking)[:_MOST]
    given = _Given(tuple(text for text in row.sources if text != row.code), row.code, places_in(row.reasoning), places)
    spans = _spans(row.thinking, equations)
    accepted: list[Place] = []
    runs = {place.start: run for run in runs_of(row.thinking, places) for place in run}
    for place in places:
        around = _around(row.thinking, place)
        if not (place.marker or _constant(place, around, row)):
            if _explained(place, places, spans, given.units.keys() | {each.value for each in accepted}):
                accepted.append(place)
                continue
            near = [each for each in accepted if place.sentence - each.sentence <= _BACK]
            if given.has(place, around):
                if (other := given.instead(place)) is None:
                    other = given.left_out(
                        [each for each in places if each.sentence == place.sentence and not each.word], place
                    )
                    other = other or given.in_run(runs[place.start], place)
                if other is not None and not follows(place, near, _sentence(row.thinking, place)):
                    note = f"{quoted(place.text)} where its sources have {quoted(other.text)}: {quoted(around, 80)}"
                    return Check(_CODE, "failed", note)
            elif any(each.value == place.value for each in accepted):
                pass
            elif _part(place, row.thinking) or not follows(place, near, _sentence(row.thinking, place)):
                note = f"{quoted(place.text)} is neither given nor computed: {quoted(around, 80)}"
                return Check(_CODE, "failed", note)
        accepted.append(place)
    if twice := restated(row.thinking, places, spans, row.sources, given.lists):
        note = f"{quoted(twice.here)} where {quoted(twice.elsewhere)} stands elsewhere: "
        return Check(_CODE, "failed", note + quoted(row.thinking[max(twice.start - 40, 0) : twice.start + 30], 80))
    return Check(_CODE, "passed", f"{len(places)} numbers" if places else "it has no numbers")


class _Given:
    """The numbers of a row's sources, by value and by what stands around them."""

    def __init__(self, sources: tuple[str, ...], code: str, told: Sequence[Place], used: Sequence[Place]) -> None:
        index = _indexed(sources, code)
        self.units, self.by_word, self.lists = index.units, index.by_word, index.lists
        self.used = {place.value for place in used}
        # Sentences that list one number more often than the whole reasoning does, and no other.
        told_often = Counter(place.value for place in used)
        self.doubtful = [
            each for each in self.lists if (Counter(place.value for place in each) - told_often).total() == 1
        ]
        self.told = {place.value for place in told}

    def has(self, place: Place, around: str) -> bool:
        """Whether a number stands in the sources, as a percentage or rounded too; with a unit, not as one of others."""
        value = place.value
        if place.time:
            return place.whole in self.units
        if value in self.units:
            return self._measured(place)
        if place.whole in self.units or (place.percent and round(value / 100, 12) in self.units):
            return True
        if value < 1 and round(value * 100, 9) in self.units:
            return True
        slack = 0.5 * 10.0**-place.digits
        if place.digits >= 2 or _ABOUT.search(around):
            return any(each != value and abs(each - value) <= slack for each in self.units)
        return False

    def _measured(self, place: Place) -> bool:
        """Whether a number stands in the sources with its unit; without one, if it is not small or no other has it."""
        units = self.units[place.value]
        if not place.measure or any(unit and _alike(place.measure, unit) for unit in units):
            return True
        if "" not in units:
            return False
        return place.value > _SMALL or place.value in self.told or ("unit", place.measure) not in self.by_word

    def instead(self, place: Place) -> Place | None:
        """The number that the sources have where the reasoning has this one, which they have elsewhere.

        What a name equals is one number. Else the same two words have to stand behind both, or one word behind or
        before both while the sources' number is nowhere in the reasoning.
        """
        if place.assigned and len(place.label) < 4:
            labelled = self.by_word.get(("label", place.label), [])
            named = [each for each in labelled if each.assigned] or labelled
            if named and all(each.value != place.value for each in named) and len({each.value for each in named}) == 1:
                return named[0]
        for kind, word in _keys(place):
            there = self.by_word.get((kind, word), ())
            if any(each.value == place.value for each in there):
                continue
            for each in there:
                gone = each.value not in self.used and (not place.measure or each.value in self.told)
                if gone or (kind == "what" and place.word and each.word):
                    return each
        return None

    def left_out(self, sentence: Sequence[Place], place: Place) -> Place | None:
        """The number that a source lists in a sentence where the reasoning has this one once too often.

        Not if the reasoning has that one elsewhere, or another sentence of the sources has this one beside the others.
        """
        have = Counter(each.value for each in sentence)
        found = None
        for listed in self.doubtful:
            there = Counter(each.value for each in listed)
            surplus, missing = have - there, there - have
            if surplus == {place.value: 1} and missing.total() == 1 and (there & have).total() >= _SHARED:
                found = next(each for each in listed if each.value in missing)
        if found is None or any(_beside(listed, place, have) for listed in self.lists):
            return None
        return found

    def in_run(self, run: Sequence[Place], place: Place) -> Place | None:
        """The number that a source's sentence has beside all others of a run, where the run has this one.

        Not if a sentence holds the whole run.
        """
        if len(run) <= _SHARED:
            return None
        have = Counter(each.value for each in run)
        found = None
        for listed in self.lists:
            there = Counter(each.value for each in listed)
            lacking = have - there
            if not lacking:
                return None
            if lacking == {place.value: 1}:
                found = next((each for each in listed if (there - have)[each.value]), None)
        return found


def _beside(listed: Sequence[Place], place: Place, have: Counter[float]) -> bool:
    """Whether a source's sentence holds a number, as often as the reasoning's does, beside another one of it."""
    there = Counter(each.value for each in listed)
    return there[place.value] >= have[place.value] and len(there.keys() & have.keys()) >= _SHARED


def _keys(place: Place) -> Iterator[tuple[str, str]]:
    for kind, word in (("what", place.what), ("label", place.label), ("unit", place.unit), ("of", place.of)):
        if word:
            yield ("unit" if kind == "of" else kind), word


def _alike(unit: str, other: str) -> bool:
    """Whether two units may be one: written in one script, they begin with one letter."""
    if not unit or not other or (unit.isascii() != other.isascii() and not {unit[0], other[0]} & _INITIALS.keys()):
        return True
    return _INITIALS.get(unit[0], unit[0]) == _INITIALS.get(other[0], other[0])


@dataclass(frozen=True, slots=True)
class _Index:
    """The numbers of texts: the units of each, those with a word beside them, and sentences that list several."""

    units: dict[float, frozenset[str]]
    by_word: dict[tuple[str, str], list[Place]]
    lists: list[list[Place]]


@lru_cache(maxsize=64)
def _indexed(sources: tuple[str, ...], code: str) -> _Index:
    by_word: dict[tuple[str, str], list[Place]] = defaultdict(list)
    units: dict[float, set[str]] = defaultdict(set)
    lists = []
    # What stands around a number in formal code says nothing of it.
    for place in places_in(code):
        units[place.value].add(place.measure)
        units[place.whole].add(place.measure)
    for text in sources:
        by_sentence: dict[int, list[Place]] = defaultdict(list)
        for place in places_in(text):
            units[place.value].add(place.measure)
            units[place.whole].add(place.measure)
            by_sentence[place.sentence].append(place)
            for key in _keys(place):
                by_word[key].append(place)
        lists += [listed for listed in by_sentence.values() if len(listed) > _SHARED]
    return _Index({value: frozenset(each) for value, each in units.items()}, dict(by_word), lists)


def _constant(place: Place, window: str, row: Material) -> bool:
    """Whether a number may stand in any reasoning."""
    value = place.value
    if place.word and (value <= 2 or (value == len(row.options) and _OPTIONS.search(window))):
        return True
    if value in (0, 1, 2) and _operand(place, row.thinking or ""):
        return True
    if value in (90, 180, 360):
        return bool(_ANGLE.search(window))
    if value == 60:
        return bool(_TIME.search(window))
    if value == 100:
        return "%" in window or "percent" in window or "百分" in window
    if value in (10, 9.8, 9.81):
        return bool(_GRAVITY.search(window))
    return place.text in ("3.14", "3.1416", "3.14159", "3.142") and bool(_PI.search(window))


def _operand(place: Place, text: str) -> bool:
    """Whether a sign of arithmetic stands beside a number."""
    before, behind = text[max(place.start - 3, 0) : place.start].rstrip(), text[place.end : place.end + 3].lstrip()
    return before[-1:] in _SIGNS or behind[:1] in _SIGNS


def _part(place: Place, text: str) -> bool:
    """Whether a number is what something is computed from, not what comes out."""
    before, behind = text[max(place.start - 3, 0) : place.start].rstrip(), text[place.end : place.end + 12].lstrip()
    behind = behind.removeprefix(place.measure).lstrip() if place.measure else behind
    return before[-1:] in _ARITHMETIC or behind[:1] in _ARITHMETIC


def _explained(
    place: Place, places: Sequence[Place], spans: Sequence[tuple[int, int]], known: AbstractSet[float]
) -> bool:
    """Whether a number stands in an equation that holds and whose other numbers are known or small."""
    for start, end in spans:
        if start <= place.start < end:
            others = [each for each in places if start <= each.start < end and each.value != place.value]
            if all(each.value in known or each.value <= 2 or _usual(each) for each in others):
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
