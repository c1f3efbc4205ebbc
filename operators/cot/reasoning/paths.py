"""What can be said of a plan at a cut: steps and facts that fit together, as slots of phrases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from operators.cot.claims.world import PlanWorld
from operators.cot.plan import Step
from operators.cot.support.facts import Fact, conditions_of, effects_of

#: The names that fill a phrase's slots: ids of steps and names of facts.
Slots = Mapping[str, str]

_KEPT = 1 << 12


def conditions(step: Step) -> list[tuple[str, Fact]]:
    """A step's conditions with their names."""
    return [(f"condition_{step.step_id}_{n}", fact) for n, fact in enumerate(conditions_of(step), 1)]


def effects(step: Step) -> list[tuple[str, Fact]]:
    """A step's effects with their names."""
    return [(f"effect_{step.step_id}_{n}", fact) for n, fact in enumerate(effects_of(step), 1)]


@lru_cache(maxsize=_KEPT)
def results(world: PlanWorld, place: int, slot: str = "t") -> Sequence[Slots]:
    """The effects of the step at a position, which is named by ``slot``."""
    step = world.plan.steps[place]
    return [{slot: str(step.step_id), "f": name} for name, _ in effects(step)]


@lru_cache(maxsize=_KEPT)
def demands(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of the step at a position."""
    step = world.plan.steps[place]
    return [{"t": str(step.step_id), "f": name} for name, _ in conditions(step)]


@lru_cache(maxsize=_KEPT)
def kept(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of a step that hold, each with the step that left it so."""
    found = []
    for name, fact in conditions(world.plan.steps[place]):
        if world.holds(fact):
            by = next(step for step in range(world.cut, -1, -1) if world.leaves(step, fact))
            found.append({"a": str(world.plan.steps[by].step_id), "f": name})
    return found


@lru_cache(maxsize=_KEPT)
def from_start(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of a step with which nothing that is done has to do."""
    if world.cut < 0:
        return []
    last = str(world.plan.steps[world.cut].step_id)
    return [{"a": last, "f": name} for name, fact in conditions(world.plan.steps[place]) if world.untouched(fact)]


@lru_cache(maxsize=_KEPT)
def uses(world: PlanWorld, place: int, slot: str = "t") -> Sequence[Slots]:
    """Later steps that need what the step at a position leaves, each with the condition."""
    step, found = world.plan.steps[place], []
    for later in world.plan.steps[place + 1 :]:
        for name, fact in conditions(later):
            if world.leaves(place, fact):
                found.append({slot: str(step.step_id), "c": str(later.step_id), "f": name})
    return found


@lru_cache(maxsize=_KEPT)
def waiting(world: PlanWorld) -> Sequence[Slots]:
    """Steps to come that need what is missing, each with the condition."""
    return [
        {"c": str(step.step_id), "f": name}
        for step in world.plan.steps[world.cut + 1 :]
        for name, fact in conditions(step)
        if world.missing(fact)
    ]


@lru_cache(maxsize=_KEPT)
def finished(world: PlanWorld) -> Sequence[Slots]:
    """The steps that are done, but for the last of them."""
    return [{"d": str(step.step_id)} for step in world.plan.steps[: max(world.cut, 0)]]


@lru_cache(maxsize=_KEPT)
def further(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The steps behind the one at a position."""
    steps = world.plan.steps
    return [{"t": str(steps[place].step_id), "c": str(step.step_id)} for step in steps[place + 1 :]]
