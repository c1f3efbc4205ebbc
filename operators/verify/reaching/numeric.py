"""Whether steps come to a number: it has to be read or computed before the sentence that concludes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from operators.verify.reaching.readings import another_asked_for, is_extreme
from operators.verify.reaching.steps import Steps
from operators.verify.reaching.trace import Trace, only_numbers
from operators.verify.reaching.values import CLOCK, TIME, Value, source_of, sources_of, values_in

#: What an answer may differ by that was rounded from what was computed: half of its last digit, or one in a hundred.
_ROUNDED = 0.01
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|close(?:st)?|near(?:est)?)\b|大约|约|接近|近似", re.IGNORECASE
)
Same = Callable[[str], bool]


def value_of(text: str) -> Value | None:
    """The one value of an answer.

    >>> value_of("1 hour 30 minutes").value, value_of("between 2 and 3")
    (90.0, None)
    """
    found = values_in(text)
    return found[0] if len(found) == 1 else None


def reaches_number(
    steps: Steps, wanted: Value, same: Same, question: str = "", rivals: Sequence[str] = ()
) -> tuple[bool | None, str]:
    """Whether the steps end at a number, None if nobody can tell, and the value that they end at ("" if none).

    The sentence that states the number last only concludes: before it the number has to be read or computed, or it has
    to be computed there from the last value that was. ``same`` tells whether a text is the answer, ``rivals`` are other
    values of which the nearest may be meant.
    """
    trace = Trace(steps, tuple(value for value in values_in(question) if not only_numbers(question, value)))
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
        made = [value for of, value in values if (of, value.start) in self.trace.results and value in named]
        if made and not any(map(self.is_wanted, made)):
            return False, made[-1].shown
        found = self._search()
        if not found[0]:
            return found
        return self._less_extreme() or self._used_up() or self._stated_otherwise() or self._not_asked_for() or found

    def _less_extreme(self) -> tuple[bool | None, str] | None:
        """The verdict where the number is only read, and the question asks for more or less than it."""
        wanted, values = self.wanted, [value for _, value in self.trace.values]
        if wanted.kind is None or self.trace.results or is_extreme(wanted, values, self.question) is not False:
            return None
        return None, max(values, key=lambda each: each.kind == wanted.kind).shown

    def _used_up(self) -> tuple[bool | None, str] | None:
        """The verdict where the number was told on the way, and something else is what the steps compute at last.

        What is computed with later on is on the way, and so is what only tries a value that was told before.
        """
        trace, values, stated = self.trace, self.trace.values, self._stated
        told = [at for at, (_, value) in enumerate(values) if at not in stated and self.is_wanted(value)]
        ends = self._ends
        if not told or any(self.is_wanted(values[end][1]) for end in ends):
            return None
        behind = [end for end in ends if end > told[0]]
        later = range(told[-1] + 1, min(stated, default=len(values)))
        behind += [at for at in later if self.wanted.value in (trace.derived(at) or ()) and not self._tried(at)]
        if not behind or any(map(self._goes_on_from, behind)):
            return None
        last = values[behind[-1]][1]
        return None if is_extreme(self.wanted, [last], self.question) else (None, last.shown)

    def _goes_on_from(self, place: int) -> bool:
        """Whether the last sentence computes the number from a value and something new behind it."""
        _, value = self.trace.values[place]
        new = [each for _, each in self.trace.values[place + 1 : self._stated[0]]] if self._stated else []
        return any(value in found for found in sources_of(self.wanted, [*new, value], self.trace.steps.text))

    @cached_property
    def _ends(self) -> dict[int, frozenset[float]]:
        """Where something is computed in signs that is not computed with, and of what; not in the last statement."""
        values, ends = self.trace.values, dict[int, frozenset[float]]()
        for at, (of, value) in enumerate(values):
            made_of = self.trace.results.get((of, value.start))
            if made_of is not None and at not in self._stated and (self.is_wanted(value) or not self._tried(at)):
                ends = {end: made for end, made in ends.items() if values[end][1].value not in made_of} | {at: made_of}
        return ends

    def _tried(self, place: int) -> bool:
        """Whether a sentence before told a value already."""
        of, value = self.trace.values[place]
        return any(sooner < of and each.equals(value) for sooner, each in self.trace.values[:place])

    def _stated_otherwise(self) -> tuple[bool | None, str] | None:
        """The verdict where the last sentence states a value, and not the number."""
        end = self.trace.values[-1][1]
        if self._stated or not self._ending or self.trace.steps.closings:
            return None
        near = _is_rounded(end, self.wanted) or _is_nearest(end, self.wanted, self.rivals)
        return None if near else (None, end.shown)

    def _not_asked_for(self) -> tuple[bool | None, str] | None:
        """The verdict where the number is only read, and something else is read off what the question asks for."""
        trace, values = self.trace, self.trace.values
        other = another_asked_for(trace.steps, self.wanted, self.question)
        if other is None:
            return None
        steps = range(self._stated[0] if self._stated and not trace.steps.closings else len(values))
        told = [at for at in steps if self.is_wanted(values[at][1])]
        computed = any(trace.derived(at) is not None for at in told)
        return None if computed or not told else (None, other)

    def _search(self) -> tuple[bool | None, str]:
        """The verdict by the last value before the conclusion that is the number, or that is computed."""
        wanted, values, stated = self.wanted, self.trace.values, self._stated
        first = max(self._ending[0], *(at + 1 for at in self._computed), 0) if stated else len(values)
        listed, other = False, None
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
        if _ABOUT.search(said) and stated and abs(value.value - wanted.value) <= abs(value.value) / 10:
            return True, wanted.shown
        earlier = any(self.is_wanted(each) for _, each in trace.values[:end])
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
        if follows and not self._stated:  # what gives another option as well proves none
            options = [each for each in map(value_of, self.rivals) if each is not None]
            follows = all(source_of(each, [*before, *others], trace.steps.text) is None for each in options)
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
