"""What comes next: after a step that has just ended, and after a prefix of the video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.fields import one_line, plan_problems, shown, with_goal
from operators.cot.tasks.task import Draft, Fields, Shows, Skipped, Stream, Task

#: Why there is no sample about the last step.
LAST = "no step follows"


class NextAction(Task):
    """Which step follows the one whose end is shown."""

    number = 29
    name = "Task_29_Next_Action_Prediction"
    asked = "What is the next planned action?"
    gold, ahead = "next_step_goal", 1
    shows: ClassVar[Shows] = "end"
    types: ClassVar[Mapping[str, Any]] = {"high_level_goal": str, "current_step_goal": str, "next_step_goal": str}

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step but the last."""
        for now, after in zip(plan.steps, [*plan.steps[1:], None], strict=True):
            if after is None:
                yield Skipped(now.step_id, LAST)
            else:
                yield Draft(now.step_id, with_goal(plan, **self._goals(now, after)))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Goals that are not those of the step and the next one."""
        i = plan.position(step_index)
        if i is None or i + 1 >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that another one follows")
        else:
            yield from plan_problems(fields, self._goals(plan.steps[i], plan.steps[i + 1]))

    def _goals(self, now: Step, after: Step) -> dict[str, Any]:
        return {"current_step_goal": one_line(now.step_goal), "next_step_goal": one_line(after.step_goal)}


class NextStepGoal(NextAction):
    """Which step follows the prefix that is shown."""

    number = 30
    name = "Task_30_Next_Step_Goal_Prediction_From_Prefix"
    asked = "What is the next step goal?"
    shows = "prefix"
    types: ClassVar[Mapping[str, Any]] = {**NextAction.types, "prefix_end_step": int}

    def _goals(self, now: Step, after: Step) -> dict[str, Any]:
        return {**super()._goals(now, after), "prefix_end_step": now.step_id}
