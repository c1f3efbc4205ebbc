"""How a step of a plan leads to the next one: what the one leaves that the other requires."""

from __future__ import annotations

from functools import lru_cache

from operators.cot.plan import Plan, Same
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import establishes


def link_of(plan: Plan, position: int) -> Fact | None:
    """A condition of the step after the one at ``position`` that this one establishes, and does not find in place.

    None if there is no such condition, or no such steps. The surest one comes out; of those level, the plan's first.
    """
    return _link(Same(plan), position)


@lru_cache(maxsize=1 << 10)
def _link(plan: Same, position: int) -> Fact | None:
    steps = plan.it.steps
    if not 0 <= position < len(steps) - 1:
        return None
    now, things = steps[position], things_of(plan.it)
    best, sure = None, 0.0
    for condition in conditions_of(steps[position + 1]):
        match = establishes(effects_of(now), condition, things)
        if match is None or match.strength <= sure or establishes(conditions_of(now), condition, things) is not None:
            continue
        best, sure = condition, match.strength
    return best
