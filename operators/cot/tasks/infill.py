"""Which steps lie between two of which there are glimpses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from operators.cot.evidence import HeadTail, Wanted
from operators.cot.plan import Plan
from operators.cot.problems import Problem
from operators.cot.tasks.fields import one_line, plan_problems, position_of, shown, with_goal
from operators.cot.tasks.task import Draft, Fields, Skipped, Stream, Task

#: How many steps may be missing in a sample, and how many samples there are of one head.
MISSING = (1, 3)
TAILS = 2

#: Why there is no sample with this head.
NO_TAIL = "fewer than two steps follow"


class MiddleSteps(Task):
    """The steps between a head and a tail, in order."""

    number = 32
    name = "Task_32_Middle_Steps_Infill_From_Head_Tail"
    asked = "Based on the beginning/end glimpses of the video, infer the missing middle steps in order."
    gold, ahead = "middle_steps", 1
    types: ClassVar[Mapping[str, Any]] = {
        "high_level_goal": str,
        "head_step_goal": str,
        "tail_step_goal": str,
        "middle_steps": list[str],
    }

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """At most two for each step as head, with other tails; their variants tell the tail's id."""
        for h, head in enumerate(plan.steps):
            fewest, most = MISSING
            tails = range(h + fewest + 1, min(h + most + 2, len(plan.steps)))
            if not tails:
                yield Skipped(head.step_id, NO_TAIL)
                continue
            for t in sorted(stream(head.step_id, "").sample(tails, min(TAILS, len(tails)))):
                yield Draft(head.step_id, with_goal(plan, **_goals(plan, h, t)), f"tail={plan.steps[t].step_id}")

    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """Glimpses of head and tail."""
        h = position_of(plan, step_index)
        return HeadTail(plan.steps[h].step_id, plan.steps[h + len(fields["middle_steps"]) + 1].step_id)

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """A head without a tail, and goals that are not those of head, tail and all steps between them."""
        h, missing = plan.position(step_index), len(fields["middle_steps"])
        if h is None or h + 2 >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that two others follow")
        elif not missing:
            yield Problem("fields.plan", "middle_steps is empty, so that nothing is missing")
        elif (t := h + missing + 1) >= len(plan.steps):
            left = len(plan.steps) - h - 2
            yield Problem("fields.plan", f"middle_steps has {missing} steps, but between head and end are only {left}")
        else:
            yield from plan_problems(fields, _goals(plan, h, t))


def _goals(plan: Plan, h: int, t: int) -> dict[str, Any]:
    return {
        "head_step_goal": one_line(plan.steps[h].step_goal),
        "tail_step_goal": one_line(plan.steps[t].step_goal),
        "middle_steps": [one_line(step.step_goal) for step in plan.steps[h + 1 : t]],
    }
