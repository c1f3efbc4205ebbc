"""How far the plan has been done in a prefix of the video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from typing_extensions import TypedDict

from operators.cot.plan import Plan
from operators.cot.problems import Problem
from operators.cot.tasks.fields import one_line, plan_problems, same, shown, with_goal
from operators.cot.tasks.task import Draft, Fields, Skipped, Stream, Task


class ListedStep(TypedDict):
    """A step as ``all_steps`` lists it."""

    step_id: int
    step_goal: str


class CompletedSteps(Task):
    """Up to which of all steps the shown prefix has got."""

    number = 31
    name = "Task_31_Prefix_Completed_Steps_MultiSelect"
    asked = "Up to which step_id has the plan been completed in this prefix?"
    types: ClassVar[Mapping[str, Any]] = {
        "high_level_goal": str,
        "all_steps": list[ListedStep] | list[str],
        "prefix_end_step": int,
        "label": int,
    }

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step; after the last one the plan is done."""
        listed = [{"step_id": step.step_id, "step_goal": one_line(step.step_goal)} for step in plan.steps]
        for step in plan.steps:
            end = step.step_id
            yield Draft(end, with_goal(plan, all_steps=listed, prefix_end_step=end, label=end))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Another prefix end or label than the step, or a list that is not all steps of the plan in their order."""
        if plan.position(step_index) is None:
            yield Problem("step.unknown", f"the plan has no step {shown(step_index)}")
        yield from plan_problems(fields, {"prefix_end_step": step_index})
        yield from self._list_problems(plan, fields["all_steps"])
        if fields["label"] != step_index:
            yield Problem("fields.label", f"label is {shown(fields['label'])}, but the prefix ends with {step_index}")

    def _list_problems(self, plan: Plan, listed: list[ListedStep] | list[str]) -> Iterator[Problem]:
        """Files made elsewhere may list the goals alone."""
        if len(listed) != len(plan.steps):
            count = f"all_steps has {len(listed)} steps, but the plan has {len(plan.steps)}"
            yield Problem("fields.plan", count)
            return
        entries: list[ListedStep | str] = [*listed]
        for i, (entry, step) in enumerate(zip(entries, plan.steps, strict=True)):
            step_id, goal = (step.step_id, entry) if isinstance(entry, str) else (entry["step_id"], entry["step_goal"])
            if step_id != step.step_id or not same(goal, step.step_goal):
                plans = f"{step.step_id}: {shown(step.step_goal)}"
                yield Problem("fields.plan", f"all_steps[{i}] is {step_id}: {shown(goal)}, but the plan says {plans}")
