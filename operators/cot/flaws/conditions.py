"""Which conditions of its steps a sequence of steps breaks, as far as the plan's annotations tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from operators.cot.plan import Plan
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import contradicts, support_of

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


class PlanConditions:
    """The conditions of a plan's steps and what the other steps do to them.

    Only conditions that some other step touches are looked at: all others hold from the beginning, for all that the
    plan tells. Between two effects of one step that concern a condition, the later one counts.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._things = things_of(plan)
        self._effects = [tuple(reversed(effects_of(step))) for step in plan.steps]
        self._touched: dict[int, list[tuple[str, dict[int, _Touch]]]] = {}

    def broken(self, prefix: int, candidate: Sequence[Act]) -> list[Broken]:
        """The conditions that ``candidate`` breaks when it is done after the steps up to position ``prefix``.

        Steps of the gold window of the same length that the candidate leaves out count as coming later.
        """
        places = {act.step: place for place, act in enumerate(candidate) if act.step is not None}
        window = range(prefix + 1, prefix + 1 + len(candidate))
        found: list[Broken] = []
        for place, act in enumerate(candidate):
            if act.alteration is not None:
                step = -1 if act.step is None else act.step
                found.append(Broken(step, act.alteration.condition, act.alteration.how))
            if act.step is not None:
                done = {step: at for step, at in places.items() if at < place}
                found.extend(self._broken(act.step, prefix, done, window))
        return found

    def _broken(self, step: int, prefix: int, done: dict[int, int], window: range) -> Iterator[Broken]:
        """``done`` are the candidate's steps before this one, and their places."""
        for condition, touches in self._touches(step):
            late = [i for i in window if i != step and i not in done and i in touches and touches[i].establishes]
            last = max((i for i in touches if i in done), key=done.__getitem__, default=-1)
            if last < 0:
                last = max((i for i in touches if i <= prefix), default=-1)
            holds = last >= 0 and touches[last].establishes
            if holds or (last < 0 and not late):
                continue
            # What gold does before the step is what the step waits for.
            producer = max((i for i in late if i < step), default=-1)
            cause, how = (producer, "late") if producer >= 0 else (last, "undone") if last >= 0 else (late[0], "late")
            touch = touches[cause]
            yield Broken(step, condition, "late" if how == "late" else "undone", cause, touch.match, touch.strength)

    def _touches(self, step: int) -> list[tuple[str, dict[int, _Touch]]]:
        """The step's conditions that other steps touch, and how."""
        found = self._touched.get(step)
        if found is None:
            found = []
            for condition in conditions_of(self.plan.steps[step]):
                others = (i for i in range(len(self._effects)) if i != step)
                touches = {i: touch for i in others if (touch := self._touch(i, condition)) is not None}
                if touches:
                    found.append((condition.text, touches))
            self._touched[step] = found
        return found

    def _touch(self, step: int, condition: Fact) -> _Touch | None:
        for effect in self._effects[step]:
            if match := support_of(effect, condition, self._things):
                return _Touch(True, match.kind, match.strength)
            if match := contradicts(effect, condition, self._things):
                return _Touch(False, match.kind, match.strength)
        return None
