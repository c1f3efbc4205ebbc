"""Which conditions of its steps a sequence of steps breaks, as far as the plan's annotations tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from operators.cot.plan import Plan
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import contradicts, support_of
from operators.cot.support.tokens import stem, tokens
from operators.cot.support.words import ALIASES

#: How a condition is broken: nothing has established it yet, something has undone it, the tool does not lend itself
#: to it, the plan does not know the object, the step serves nothing.
How = Literal["late", "undone", "tool", "object", "purpose"]


@dataclass(frozen=True, slots=True)
class Alteration:
    """What is wrong with a step of a candidate whatever its place: the condition that no order mends."""

    how: How
    condition: str


@dataclass(frozen=True, slots=True)
class Act:
    """A step of a candidate: its text, the plan's step that it is (None if it is none), and how it was altered."""

    text: str
    step: int | None
    alteration: Alteration | None = None


@dataclass(frozen=True, slots=True)
class Broken:
    """A condition of ``step`` that a candidate breaks; ``cause`` is the step that establishes it later or undid it.

    Steps are positions in the plan, counted from 0; -1 stands for a step that the plan does not have.
    """

    step: int
    condition: str
    how: How
    cause: int = -1
    match: str = "exact"
    strength: float = 1.0

    @property
    def key(self) -> tuple[int, str]:
        """What makes it the same broken condition in another candidate."""
        return self.step, self.condition


@dataclass(frozen=True, slots=True)
class _Touch:
    """What a step does to a condition of another: establishes it or undoes it."""

    establishes: bool
    match: str
    strength: float


@dataclass(frozen=True, slots=True)
class _Watched:
    """A condition of a step, how the prefix leaves it (None if it does not touch it), and who touches it after that."""

    condition: str
    before: tuple[int, _Touch] | None
    touches: dict[int, _Touch]


class PlanConditions:
    """The conditions of a plan's steps and what the other steps do to them.

    A condition that no other step touches holds from the beginning, for all that the plan tells. Between two effects
    of one step that concern a condition, the later one counts.
    """

    def __init__(self, plan: Plan) -> None:
        self._things = things_of(plan)
        self._conditions = [conditions_of(step) for step in plan.steps]
        self._effects = [tuple(reversed(effects_of(step))) for step in plan.steps]
        self._steps_by_word = _steps_by_word(self._effects)
        self._touched: dict[int, list[tuple[str, dict[int, _Touch]]]] = {}
        self._watched: dict[tuple[int, int], dict[int, list[_Watched]]] = {}

    def broken(self, prefix: int, candidate: Sequence[Act]) -> list[Broken]:
        """The conditions that ``candidate`` breaks when it is done after the steps up to position ``prefix``.

        Its steps are of the gold window, the steps that follow the prefix, as many as it has. Those of them that it
        leaves out count as coming later.
        """
        places = {act.step: place for place, act in enumerate(candidate) if act.step is not None}
        watched = self._watch(prefix, len(candidate))
        found: list[Broken] = []
        for place, act in enumerate(candidate):
            if act.alteration is not None:
                step = -1 if act.step is None else act.step
                found.append(Broken(step, act.alteration.condition, act.alteration.how))
            if act.step is not None:
                made = (_broken(each, act.step, place, places) for each in watched[act.step])
                found.extend(broken for broken in made if broken is not None)
        return found

    def _watch(self, prefix: int, k: int) -> dict[int, list[_Watched]]:
        """For each step of a gold window its conditions that can be broken there."""
        found = self._watched.get((prefix, k))
        if found is None:
            window = range(prefix + 1, prefix + 1 + k)
            found = {step: list(self._watched_of(step, window)) for step in window}
            self._watched[prefix, k] = found
        return found

    def _watched_of(self, step: int, window: range) -> Iterator[_Watched]:
        for condition, touches in self._touches(step):
            last = max((i for i in touches if i < window.start), default=None)
            before = None if last is None else (last, touches[last])
            later = {i: touch for i, touch in touches.items() if i in window}
            if later or (before is not None and not before[1].establishes):
                yield _Watched(condition, before, later)

    def _touches(self, step: int) -> list[tuple[str, dict[int, _Touch]]]:
        """The step's conditions that other steps touch, and how."""
        found = self._touched.get(step)
        if found is None:
            found = []
            for condition in self._conditions[step]:
                near = {i for word in _words(condition) for i in self._steps_by_word.get(word, ()) if i != step}
                touches = {i: touch for i in sorted(near) if (touch := self._touch(i, condition)) is not None}
                if touches:
                    found.append((condition.text, touches))
            self._touched[step] = found
        return found

    def _touch(self, step: int, condition: Fact) -> _Touch | None:
        for effect in self._effects[step]:
            if _words(effect).isdisjoint(_words(condition)):
                continue
            if match := support_of(effect, condition, self._things):
                return _Touch(True, match.kind, match.strength)
            if match := contradicts(effect, condition, self._things):
                return _Touch(False, match.kind, match.strength)
        return None


def _broken(watched: _Watched, step: int, place: int, places: Mapping[int, int]) -> Broken | None:
    """The condition if it does not hold when ``step`` is done at ``place``."""
    last, last_place = watched.before, -1
    late: list[tuple[int, _Touch]] = []
    for i, touch in watched.touches.items():
        at = places.get(i, place + 1)
        if at > place:
            late += [(i, touch)] if touch.establishes else []
        elif at > last_place:
            last, last_place = (i, touch), at
    if last is not None and last[1].establishes:
        return None
    # What gold does before the step is what the step waits for.
    waited = [each for each in late if each[0] < step]
    if not waited and last is not None:
        return Broken(step, watched.condition, "undone", last[0], last[1].match, last[1].strength)
    if not late:
        return None
    cause, touch = waited[-1] if waited else late[0]
    return Broken(step, watched.condition, "late", cause, touch.match, touch.strength)


def _steps_by_word(effects: Sequence[Iterable[Fact]]) -> dict[str, set[int]]:
    """For each word of the names of objects the steps whose effects have it."""
    found: dict[str, set[int]] = {}
    for step, facts in enumerate(effects):
        for word in frozenset().union(*map(_words, facts)):
            found.setdefault(word, set()).add(step)
    return found


@lru_cache(maxsize=1 << 14)
def _words(fact: Fact) -> frozenset[str]:
    """The words of the names of its objects: facts that share none cannot be about the same thing."""
    return frozenset(stem(ALIASES.get(word, word)) for name in fact.objects for word in tokens(name))
