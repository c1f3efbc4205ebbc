"""The values of steps in their order, and what each is computed from."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from operators.verify.arithmetic import Equation
from operators.verify.reaching.steps import Steps
from operators.verify.reaching.values import Value, sources_of, values_in

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
#: A number behind such a word names its thing, unless a unit follows.
_NUMBERED = re.compile(
    r"\b(?:angles?|steps?|figures?|questions?|problems?|options?|cases?|pages?|numbers?|no\.|rows?|columns?|items?|parts?|"
    r"class|grades?|groups?|teams?|types?|lines?|points?|rooms?|levels?|equations?|bus|ship|train|"
    r"flight|machine|seats?|weeks?|days?|months?|years?|marks?|minutes?|hours?)"
    r"\s?\Z|第\Z",
    re.IGNORECASE,
)
#: What values are computed from, by their sentence and place.
Results = dict[tuple[int, int], frozenset[float]]


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
            if (place, value.start) not in wrong and not only_numbers(sentence, value)
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
        if place not in self._known:
            self._known[place] = self._derived(place)
        return self._known[place]

    @cached_property
    def _known(self) -> dict[int, frozenset[float] | None]:
        """What was found out of values, by their places."""
        return {}

    def _derived(self, place: int) -> frozenset[float] | None:
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


def only_numbers(text: str, value: Value) -> bool:
    """Whether a value only says which one of some numbered things is meant."""
    return value.kind is None and _NUMBERED.search(text, max(value.start - 12, 0), value.start) is not None
