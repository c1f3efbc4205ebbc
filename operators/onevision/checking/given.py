"""The numbers that a row's sources give, and those that they have where a reasoning has others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from operators.onevision.checking.places import Place, places_in

_ABOUT = re.compile(r"≈|~|\b(?:about|approx\w*|roughly|nearly|around|close|rounded?)\b|约|大概|近", re.IGNORECASE)
#: So many numbers of a source's sentence have to stand in a sentence of the reasoning to compare the two.
_SHARED = 2
#: Smaller numbers stand in many a text by chance.
SMALL = 12
_LATER = re.compile(r"\b(?:later|earlier|after|before|plus|add|minus)|[+=−加减后前]", re.IGNORECASE)
#: Signs of units and the letters that their names begin with.
_INITIALS = {"ω": "o", "°": "d", "$": "d", "%": "p", "€": "e", "℃": "d"}
#: A name of one thing that has one number, in a row's texts: a word, not a variable.
_NAME = re.compile(r"[a-z]{3,}|[㐀-鿿]{2}")
#: Such words before a number name nothing.
_NO_NAME = re.compile(
    r"(?:about|over|under|total|sum|mak|make|give|equal|show|read|becom|answer|option|choic|step|mean|averag|mark|"
    r"label|valu|number|percent|than|add|plu|minu|time|divid|get|leav|remain|exact|onli|anoth|through|until|sinc|"
    r"between|around|near|out|off|down|per|each|all|both|first|second|last|next|after|befor|are|has|had|"
    r"mass|length|height|width|radius|diamet|area|volum|speed|distanc|temperatur|price|cost|weight|forc|voltag|current|"
    r"resist|side|leg|block|bodi|car|line|bar|point|angl|level|year|day|month|hour|box|row|column|cell|batteri)\Z"
    r"|.*[为是有到从约共和与得于在的了等个上下中]|质量|长度|高度|宽度|半径|直径|面积|体积|速度|距离|温度|时间|价格|数量|人数"
    r"|分数|电压|电流|电阻|重力|拉力|张力|弹力|路程|边长|周长|总数|平均|年份|楼层"
)


class Given:
    """The numbers of a row's sources, by value and by what stands around them."""

    def __init__(self, sources: tuple[str, ...], code: str, told: Sequence[Place], used: Sequence[Place]) -> None:
        index = _indexed(sources, code)
        self.units, self.by_word, self.lists, self.times = index.units, index.by_word, index.lists, index.times
        self.used = {place.value for place in used}
        # Sentences that list one number more often than the whole reasoning does, and no other.
        told_often = Counter(place.value for place in used)
        self.doubtful = [
            each for each in self.lists if (Counter(place.value for place in each) - told_often).total() == 1
        ]
        self.told = {place.value for place in told}
        self.bare = {place.value for place in told if not place.measure}

    def has(self, place: Place, around: str) -> bool:
        """Whether a number stands in the sources, as a percentage or rounded too; with a unit, not as one of others."""
        value = place.value
        if place.time:
            return self._is_time(place, around)
        if value in self.units:
            return self._measured(place)
        if place.whole in self.units or (place.percent and value <= 100 and value / 100 in self.units):
            return True
        if value < 1 and round(value * 100, 9) in self.units:
            return True
        slack = 0.5 * 10.0**-place.digits
        if place.digits >= 2 or _ABOUT.search(around):
            return any(each != value and abs(each - value) <= slack for each in self.units)
        return False

    def _is_time(self, place: Place, around: str) -> bool:
        """Whether a time stands in the sources, is a full hour, or is told to be so much later or earlier."""
        if place.whole in self.units or place.whole % 60 == 0:
            return True
        return _LATER.search(around) is not None and any(abs(place.whole - time) in self.units for time in self.times)

    def _measured(self, place: Place) -> bool:
        """Whether a number stands in the sources with its unit; without one, if it is not small or no other has it."""
        units = self.units[place.value]
        if not place.measure or any(unit and _alike(place.measure, unit) for unit in units):
            return True
        if "" not in units:
            return False
        return place.value > SMALL or place.value in self.bare or ("unit", place.measure) not in self.by_word

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
        if other := self._named(place):
            return other
        for kind, word in _keys(place):
            there = self.by_word.get((kind, word), ())
            if any(each.value == place.value for each in there):
                continue
            for each in there:
                gone = each.value not in self.used and (not place.measure or each.value in self.told)
                if gone or (kind == "what" and place.word and each.word):
                    return each
        return None

    def _named(self, place: Place) -> Place | None:
        """The one number that the sources have behind a name, with this unit."""
        if not _NAME.fullmatch(place.label) or _NO_NAME.match(place.label):
            return None
        there = [each for each in self.by_word.get(("label", place.label), ()) if each.measure == place.measure]
        if not there or len({each.value for each in there}) > 1 or there[0].value == place.value:
            return None
        return there[0]

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
    times: frozenset[float]


@lru_cache(maxsize=64)
def _indexed(sources: tuple[str, ...], code: str) -> _Index:
    by_word: dict[tuple[str, str], list[Place]] = defaultdict(list)
    units: dict[float, set[str]] = defaultdict(set)
    times: set[float] = set()
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
            if place.time:
                times.add(place.whole)
            for key in _keys(place):
                by_word[key].append(place)
        lists += [listed for listed in by_sentence.values() if len(listed) > _SHARED]
    return _Index({value: frozenset(each) for value, each in units.items()}, dict(by_word), lists, frozenset(times))
