"""What comes next: after a step that has just ended, and after a prefix of the video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from operators.cot.evidence import KeyFrames, Prefix, Wanted
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.fields import one_line, plan_problems, position_of, shown, step_of, with_goal
from operators.cot.tasks.task import AnchorSteps, Draft, Fields, Skipped, Stream, Task

#: Why there is no sample about the last step.
LAST = "no step follows"


class NextAction(Task):
    """Which step follows the one whose end is shown."""

    number = 29
    name = "Task_29_Next_Action_Prediction"
    types: ClassVar[Mapping[str, Any]] = {"high_level_goal": str, "current_step_goal": str, "next_step_goal": str}

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step but the last."""
        for now, after in zip(plan.steps, [*plan.steps[1:], None], strict=True):
            if after is None:
                yield Skipped(now.step_id, LAST)
            else:
                yield Draft(now.step_id, with_goal(plan, **self._goals(now, after)))

    def question(self, fields: Fields) -> str:
        """The same for all samples."""
        return "What is the next planned action?"

    def answer(self, fields: Fields) -> str:
        """The goal of the next step."""
        return one_line(fields["next_step_goal"])

    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """The end of the step."""
        return KeyFrames(((step_of(plan, step_index).step_id, "end"),))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """All of the next step."""
        return AnchorSteps.of(plan.steps[position_of(plan, step_index) + 1])

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
    types: ClassVar[Mapping[str, Any]] = {**NextAction.types, "prefix_end_step": int}

    def question(self, fields: Fields) -> str:
        """The same for all samples."""
        return "What is the next step goal?"

    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """The prefix that ends with the step."""
        return Prefix(step_of(plan, step_index).step_id)

    def _goals(self, now: Step, after: Step) -> dict[str, Any]:
        return {**super()._goals(now, after), "prefix_end_step": now.step_id}
