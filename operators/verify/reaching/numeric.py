"""Whether steps come to a number: it has to be read or computed before the sentence that concludes it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from dataflow_ext.text import patterns
from operators.verify.arithmetic import Equation
from operators.verify.reaching.steps import Steps
from operators.verify.reaching.values import CLOCK, TIME, Value, source_of, sources_of, values_in

#: What an answer may differ by that was rounded from what was computed: half of its last digit, or one in a hundred.
_ROUNDED = 0.01
_PATTERNS = patterns(__package__, "patterns.tsv")
_ABOUT = re.compile(_PATTERNS["about"], re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
#: A number behind such a word names its thing, unless a unit follows.
_NUMBERED = re.compile(_PATTERNS["numbered"], re.IGNORECASE)
#: What a question asks for that wants the most or the least of some values.
_EXTREME = re.compile(rf"(?P<most>{_PATTERNS['most']})|(?P<least>{_PATTERNS['least']})", re.IGNORECASE)
_RANKED = re.compile(_PATTERNS["ranked"], re.IGNORECASE)
Same = Callable[[str], bool]
#: What values are computed from, by their sentence and place.
Results = dict[tuple[int, int], frozenset[float]]


def is_extreme(value: Value, others: Sequence[Value], question: str) -> bool | None:
    """Whether a value is the most or the least of some, as a question wants it; None if it asks for neither."""
    asked = {found.lastgroup for found in _EXTREME.finditer(question)}
    if len(asked) != 1 or _RANKED.search(question):
        return None
    sign = 1 if asked == {"most"} else -1
    return all(sign * value.amount >= sign * each.amount for each in others if each.kind == value.kind)


def value_of(text: str) -> Value | None:
    """The one value of an answer.

    >>> value_of("1 hour 30 minutes").value, value_of("between 2 and 3")
    (90.0, None)
    """
    found = values_in(text)
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class Trace:
    """The values of some steps in order, each with its sentence, and which of them an equation computes."""

    steps: Steps
    asked: tuple[Value, ...]

    @cached_property
    def values(self) -> list[tuple[int, Value]]:
        """Each value with the number of its sentence.

        Those that only number a thing are left out, and what is said to come out where it does not.
        """
        _, wrong = self._right_sides
        return [
            (place, value)
            for place, sentence in enumerate(self.steps.sentences)
            for value in values_in(sentence)
            if (place, value.start) not in wrong and not _numbers(sentence, value)
        ]

    @property
    def results(self) -> Results:
        """Where an equation computes a value, by sentence and place, and what it computes it from."""
        return self._right_sides[0]

    @cached_property
    def _right_sides(self) -> tuple[Results, Results]:
        """The same of equations that may hold, and of those that do not."""
        found: tuple[Results, Results] = {}, {}
        for equation, end in self._equations:
            place = bisect_right(self._starts, max(end - 1, 0)) - 1
            for value in values_in(self.steps.sentences[min(place, len(self.steps.sentences) - 1)]):
                if end - len(equation.right) <= self._starts[place] + value.start < end:
                    operands = frozenset(map(float, _DIGITS.findall(equation.left)))
                    found[equation.holds is False].setdefault((place, value.start), operands)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(each) + 1 for each in self.steps.sentences)]

    @cached_property
    def _equations(self) -> list[tuple[Equation, int]]:
        """What is computed in signs, with the place where each ends."""
        found, at = [], 0
        for equation in self.steps.computed:
            at = max(self.steps.text.find(equation.text, at), 0)
            found.append((equation, at + len(equation.text)))
        return found

    def before(self, place: int) -> list[Value]:
        """What is known before a value: those before it, and what the question gives."""
        return [*self.asked, *(value for _, value in self.values[:place])]

    def derived(self, place: int) -> frozenset[float] | None:
        """What a value is computed from, in signs or in words; None if it is only read."""
        sentence, value = self.values[place]
        before = [each for _, each in self.values[:place]]
        known = any(each.equals(value) for each in before if not each.listed)
        if (sentence, value.start) in self.results:
            return self.results[sentence, value.start]
        alone = sum(at == sentence for at, _ in self.values) == 1
        again = sentence == len(self.steps.sentences) - 2 and any(each.equals(value) for each in before)
        if alone and again and not any(each.equals(value) for each in self.asked):
            return frozenset()  # it is taken up
        if value.listed or known:
            return None
        # How many are told in a list is told before them; what is computed from a value stands behind it.
        others = [*before, *(each for at, each in self.values[place + 1 :] if at == sentence and each.listed)]
        made_of = {each.value for found in sources_of(value, others, self.steps.sentences[sentence]) for each in found}
        return frozenset(made_of) if made_of or (alone and self.steps.concludes(sentence)) else None


def _numbers(text: str, value: Value) -> bool:
    """Whether a value only says which one of some numbered things is meant."""
    return value.kind is None and _NUMBERED.search(text, max(value.start - 12, 0), value.start) is not None


def reaches_number(
    steps: Steps, wanted: Value, same: Same, question: str, rivals: Sequence[str]
) -> tuple[bool | None, str]:
    """Whether the steps end at a number, None if nobody can tell, and the value that they end at ("" if none).

    The sentence that states the number last only concludes: before it the number has to be read or computed, or it has
    to be computed there from the last value that was. ``same`` tells whether a text is the answer, ``rivals`` are other
    values of which the nearest may be meant.
    """
    trace = Trace(steps, tuple(value for value in values_in(question) if not _numbers(question, value)))
    return _Search(trace, wanted, same, question, rivals).verdict() if trace.values else (None, "")


@dataclass(frozen=True)
class _Search:
    """The search for where steps come to a number, from their end to their beginning."""

    trace: Trace
    wanted: Value
    same: Same
    question: str
    rivals: Sequence[str]

    def is_wanted(self, value: Value) -> bool:
        """Whether a value is the number."""
        wanted = self.wanted
        if value.kind is not None and value.kind == wanted.kind:
            return value.equals(wanted)
        if value.text.casefold().startswith(f"{wanted.text.casefold()} "):  # "three quarters" are three
            return True
        return value.equals(wanted) or (value.comparable(wanted) and self.same(f"{value.text} {value.unit}".strip()))

    @cached_property
    def _ending(self) -> list[int]:
        """The places of the values that the last sentence concludes with."""
        last, begin = len(self.trace.steps.sentences) - 1, self.trace.steps.conclusion
        return [at for at, (of, value) in enumerate(self.trace.values) if of == last and value.start >= begin]

    @cached_property
    def _computed(self) -> list[int]:
        """Those of them that an equation computes there."""
        values = self.trace.values
        return [at for at in self._ending if (values[at][0], values[at][1].start) in self.trace.results]

    @cached_property
    def _stated(self) -> list[int]:
        """Those of them that state the number, unless it is only what the last step computes with."""
        stated, computed = [at for at in self._ending if self.is_wanted(self.trace.values[at][1])], self._computed
        if not stated or (computed and stated[-1] < computed[-1]):
            return []
        return [] if not computed and stated[-1] < len(self.trace.values) - 1 and self._goes_on() else stated

    def _goes_on(self) -> bool:
        """Whether the last value is a new one that is computed from the number."""
        last = len(self.trace.values) - 1
        end = self.trace.values[last][1]
        fresh = end.kind == self.wanted.kind and not any(each.equals(end) for each in self.trace.before(last))
        return fresh and self.wanted.value in (self.trace.derived(last) or ())

    def verdict(self) -> tuple[bool | None, str]:
        """Whether the steps end at the number, and the value that they end at."""
        wanted, values = self.wanted, self.trace.values
        named = [value for _, value in values if value.value == wanted.value]
        exact = any(values[at][1].kind == wanted.kind for at in self._stated)
        if named and not exact and not named[-1].comparable(wanted):
            return False, named[-1].shown
        if any(at in self._computed for at in self._stated):
            return True, wanted.shown
        found = self._ends_elsewhere() or self._search()
        return self._less_extreme() or found if found[0] else found

    def _less_extreme(self) -> tuple[bool | None, str] | None:
        """The verdict where the number is only read, and the question asks for more or less than it."""
        wanted, values = self.wanted, [value for _, value in self.trace.values]
        if wanted.kind is None or self.trace.results or is_extreme(wanted, values, self.question) is not False:
            return None
        return None, max(values, key=lambda each: each.kind == wanted.kind).shown

    def _ends_elsewhere(self) -> tuple[bool | None, str] | None:
        """The verdict where the last sentence concludes with another value; None where that tells nothing."""
        wanted, end = self.wanted, self.trace.values[-1][1]
        if self._stated or not self._ending or not end.comparable(wanted) or _is_rounded(end, wanted):
            return None
        if len(self._ending) == 1 and self.trace.steps.concludes(-1) and not _is_nearest(end, wanted, self.rivals):
            return False, end.shown
        restates = len(self._ending) > 1 or any(each.equals(end) for _, each in self.trace.values[:-1])
        tells = restates and end.kind is not None and end.kind == wanted.kind and not self.trace.results
        return (None, end.shown) if tells else None

    def _search(self) -> tuple[bool | None, str]:
        """The verdict by the last value before the conclusion that is the number, or that is computed."""
        wanted, values, stated = self.wanted, self.trace.values, self._stated
        first = max(self._ending[0], *(at + 1 for at in self._computed), 0) if stated else len(values)
        listed, other = False, None
        # What the steps are tried with is told before there is an answer.
        given = values[: next((at for at, (_, value) in enumerate(values) if self.is_wanted(value)), None)]
        for place in range(first - 1, -1, -1):
            at, value = values[place]
            named = stated and value.value == wanted.value and value.comparable(wanted)
            if self.is_wanted(value) or named or _is_rounded(value, wanted):
                if not value.listed:
                    return True, wanted.shown
                listed = True
            elif _is_nearest(value, wanted, self.rivals):
                return True, wanted.shown
            elif not value.comparable(wanted):
                other = other or (value if (at, value.start) in self.trace.results else None)
            elif value.kind is None is not wanted.kind and value.text.isalpha():
                continue  # "two apples" are no mass
            elif (made_of := self.trace.derived(place)) is not None:
                if wanted.value in made_of and any(of < at and each.equals(value) for of, each in given):
                    continue  # it only tries the answer
                return self._behind(place, made_of)
        wrong = next(
            (each for each in self.trace.steps.computed if each.holds is False and self.same(each.right)), None
        )
        if wrong is not None:
            return None, wrong.text
        return (True, wanted.shown) if listed else self._read(first, other)

    def _behind(self, end: int, made_of: frozenset[float]) -> tuple[bool | None, str]:
        """Whether the number follows from the last value that is computed before it, which is another one."""
        trace, wanted, stated, steps = self.trace, self.wanted, self._stated, self.trace.steps
        sentence, value = trace.values[end]
        hard = (sentence, value.start) in trace.results
        tail = [each for at, each in trace.values[end + 1 :] if not self.is_wanted(each) and not each.listed]
        others = [
            each
            for at, (of, each) in enumerate(trace.values[:end])
            if (of, each.start) in trace.results
            or (stated and of == sentence == len(steps.sentences) - 1)
            or ((sentence - of < 2 - hard or (each.kind == TIME == wanted.kind)) and trace.derived(at))
        ]
        said = steps.text[len(steps.text) - sum(len(each) + 1 for each in steps.sentences[sentence:]) + 1 :]
        times = [each for each in trace.before(end) if each.kind == CLOCK]
        if stated and wanted.kind == TIME and source_of(wanted, times):
            return True, wanted.shown
        part = wanted.kind is None and 0 < wanted.value < 1  # "a quarter" is one of those that make a whole
        if part or not made_of:
            others = [each for _, each in trace.values[:end]]
        known = [*(each for each in others if part or each.value not in made_of), *tail, value]
        if hard and not stated and not tail:
            known = []  # what nothing says is computed with what the steps end at is not
        for found in sources_of(wanted, known, said):
            back = found == (value,) and wanted.value in made_of
            if not back and (value in found or any(each in tail for each in found)):
                return True, wanted.shown
        written = trace.values[stated[-1]][1].text if stated else ""
        if "/" in written and value.value in map(float, _DIGITS.findall(written)):
            return True, wanted.shown
        if _ABOUT.search(said) and stated and abs(value.value - wanted.value) <= abs(value.value) / 10:
            return True, wanted.shown
        earlier = [(at, each) for at, each in trace.values[:end] if self.is_wanted(each)]
        computed = [each for at, each in earlier if (at, each.start) in trace.results]
        if computed and (value.kind != wanted.kind or is_extreme(wanted, [value], self.question)):
            return True, wanted.shown
        return (False if hard and not earlier else None), value.shown

    def _read(self, first: int, computed: Value | None) -> tuple[bool | None, str]:
        """Whether a number that nothing was computed before is read off, or follows from what is read.

        Where another thing was ``computed``, it has to follow from that.
        """
        trace, wanted = self.trace, self.wanted
        before = trace.before(first)
        others = [value for _, value in trace.values[first:] if not self.is_wanted(value)]
        found = sources_of(wanted, [*before, *others], trace.steps.text)
        follows = any(computed is None or computed in each for each in found)
        if not self._stated:
            at, final = trace.values[-1]
            alone = sum(other == at for other, _ in trace.values) == 1 and final.comparable(wanted)
            if follows and not (alone and trace.steps.concludes(at)):
                return True, wanted.shown
            return (False if alone else None), final.shown
        if not before or not trace.steps.concludes(-1) or follows:
            return True, wanted.shown
        rivals = [
            value for value in before if value.comparable(wanted) or (value.kind == CLOCK and wanted.kind == TIME)
        ]
        return None if rivals else True, rivals[-1].shown if rivals else wanted.shown


def _is_rounded(value: Value, wanted: Value) -> bool:
    if not value.comparable(wanted) or value.value == int(value.value):
        return False
    in_unit = wanted.value / wanted.size if wanted.size and value.size else 1.0
    gap = abs((value.size if wanted.size and value.size else value.value) * in_unit - wanted.value)
    return gap <= (wanted.slack or 0.5) and gap <= _ROUNDED * abs(wanted.value)


def _is_nearest(value: Value, wanted: Value, rivals: Sequence[str]) -> bool:
    """Whether of all options this one is the nearest by far to what was computed, within a tenth."""
    others = [each.value for each in map(value_of, rivals) if each is not None]
    gap = abs(value.value - wanted.value)
    return bool(others) and gap <= abs(value.value) / 10 and all(abs(value.value - each) > 2 * gap for each in others)
