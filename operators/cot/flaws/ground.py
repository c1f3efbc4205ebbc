"""What flaws are made and proven on: a plan with what is worked out from it once."""

from __future__ import annotations

from functools import cached_property, lru_cache

from operators.cot.flaws.conditions import Act, PlanConditions
from operators.cot.flaws.objects import Object, Role, Slot, slots_of, unknown_objects
from operators.cot.flaws.tools import Tools
from operators.cot.flaws.vocabulary import Vocabulary, in_latin
from operators.cot.plan import Plan, Same


class Ground:
    """A plan with its words, its conditions and its tools."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.words = Vocabulary(plan)
        self.conditions = PlanConditions(plan)
        self._slots: dict[int, list[Slot]] = {}
        self._gold: dict[tuple[int, int], tuple[list[Act], frozenset[tuple[int, str]]]] = {}

    @cached_property
    def tools(self) -> Tools:
        """The plan's tools and what each of them lends itself to."""
        return Tools(self.words)

    @cached_property
    def unknown(self) -> dict[Role, list[Object]]:
        """By role the objects that the plan does not know and that are not found where it takes place."""
        return unknown_objects(self.words)

    def slots(self, step: int) -> list[Slot]:
        """Where the goal of the step at this position can name an object that it cannot do without."""
        found = self._slots.get(step)
        if found is None:
            found = slots_of(self.plan.steps[step], self.plan) if in_latin(self.words.goals[step]) else []
            self._slots[step] = found
        return found

    def gold(self, prefix: int, k: int) -> tuple[list[Act], frozenset[tuple[int, str]]]:
        """The ``k`` steps that follow the prefix up to position ``prefix``, and which conditions they break."""
        found = self._gold.get((prefix, k))
        if found is None:
            acts = [Act(self.words.goals[i], i) for i in range(prefix + 1, prefix + 1 + k)]
            found = acts, frozenset(broken.key for broken in self.conditions.broken(prefix, acts))
            self._gold[prefix, k] = found
        return found


def ground_of(plan: Plan) -> Ground:
    """The plan's ground, worked out once for as long as the plan is in use; the plan must not be changed meanwhile."""
    return _ground_of(Same(plan))


@lru_cache(maxsize=64)
def _ground_of(key: Same) -> Ground:
    return Ground(key.it)
