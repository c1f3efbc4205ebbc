"""What flaws are made and proven on: which conditions a sequence of steps breaks, and the plan's words and tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from dataflow_ext.text import stem, tokens
from operators.cot.flaws.objects import Object, Role, Slot, slots_of, unknown_objects
from operators.cot.flaws.tools import Tools
from operators.cot.plan import Kept, Plan, once
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import contradicts, support_of
from operators.cot.support.names import ALIASES
from operators.cot.texts import PlanWords, in_latin

#: How a condition is broken: nothing has established it yet, something has undone it, the tool does not lend itself
#: to it, the plan does not know the object, the step serves nothing.
How = Literal["late", "undone", "tool", "object", "purpose"]


@dataclass(frozen=True, slots=True)
class Alteration:
    """What is wrong with a step of a candidate whatever its place: the condition that no order mends.

    It is one condition, whatever comes of it. A step that is to use a thing that is not there breaks the one that the
    thing is there; that things can be put into it, or that they are in it afterwards, is part of that one. Other
    conditions and effects of the step are counted as they are in the plan.
    """

    how: How
    condition: str
    #: What it is called, how that is known, and the reason in one sentence.
    flaw_type: Literal["tool_mismatch", "hallucinated_object", "goal_mismatch"] = "goal_mismatch"
    match: str = ""
    reason: str = ""


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


class PlanConditions(Kept):
    """The conditions of a plan's steps and what the other steps do to them.

    A condition that no other step touches holds from the beginning, for all that the plan tells. Between two effects
    of one step that concern a condition, the later one counts. Of the steps before a window none is looked at further
    back than the last that touches a condition, and none twice for the same one.
    """

    def __init__(self, plan: Plan) -> None:
        self._steps, self._things = plan.steps, things_of(plan)

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
                tried = watched[act.step]
                found += [made for each in tried if (made := _broken(each, act.step, place, places)) is not None]
        return found

    def provided(self, step: int) -> Iterator[tuple[Fact, int, float]]:
        """The step's conditions that earlier ones establish, each with the last of them that has to do with it."""
        for condition in conditions_of(self._steps[step]):
            last = self._last_before(step, condition)
            if last is not None and last[1].establishes:
                yield condition, last[0], last[1].strength

    @once
    def _watch(self, prefix: int, k: int) -> dict[int, list[_Watched]]:
        """For each step of a gold window its conditions that can be broken there."""
        window = range(prefix + 1, prefix + 1 + k)
        return {step: list(self._watched_of(step, window)) for step in window}

    def _watched_of(self, step: int, window: range) -> Iterator[_Watched]:
        for condition in conditions_of(self._steps[step]):
            others = ((i, self._touch(i, condition)) for i in window if i != step)
            later = {i: touch for i, touch in others if touch is not None}
            before = self._last_before(window.start, condition)
            if later or (before is not None and not before[1].establishes):
                yield _Watched(condition.text, before, later)

    def _last_before(self, step: int, condition: Fact) -> tuple[int, _Touch] | None:
        """Of the steps before one the last that touches a condition."""
        touches = ((i, self._touch(i, condition)) for i in range(step - 1, -1, -1))
        return next(((i, touch) for i, touch in touches if touch is not None), None)

    @once
    def _touch(self, step: int, condition: Fact) -> _Touch | None:
        """What the last effect of a step that touches the condition does to it."""
        for effect in reversed(effects_of(self._steps[step])):
            if _words(condition).isdisjoint(_words(effect)):  # most effects are of other things: that is fast to see
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


@lru_cache(maxsize=1 << 14)
def _words(fact: Fact) -> frozenset[str]:
    """The words of the names of its objects: facts that share none cannot be about the same thing."""
    return frozenset(stem(ALIASES.get(word, word)) for name in fact.objects for word in tokens(name))


class Ground(Kept):
    """A plan with its words, its conditions and its tools."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.words = PlanWords(plan)
        self.conditions = PlanConditions(plan)

    @cached_property
    def tools(self) -> Tools:
        """The plan's tools and what each of them lends itself to."""
        return Tools(self.words)

    @cached_property
    def unknown(self) -> dict[Role, list[Object]]:
        """By role the objects that the plan does not know and that are not found where it takes place."""
        return unknown_objects(self.words)

    @once
    def slots(self, step: int) -> list[Slot]:
        """Where the goal of the step at this position can name an object that it cannot do without."""
        return slots_of(self.plan.steps[step], self.plan) if in_latin(self.words.goals[step]) else []

    @once
    def gold(self, prefix: int, k: int) -> tuple[list[Act], frozenset[tuple[int, str]]]:
        """The ``k`` steps that follow the prefix up to position ``prefix``, and which conditions they break."""
        acts = [Act(self.words.goals[i], i) for i in range(prefix + 1, prefix + 1 + k)]
        return acts, frozenset(broken.key for broken in self.conditions.broken(prefix, acts))


@once
def ground_of(plan: Plan) -> Ground:
    """The plan's ground, worked out once."""
    return Ground(plan)
