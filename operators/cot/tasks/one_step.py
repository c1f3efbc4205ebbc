"""What tasks about a single step share: it is shown by its start, and its fields are what the plan says of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.fields import plan_problems, shown, step_of, with_goal
from operators.cot.tasks.task import Draft, Fields, Skipped, Stream, Task


class AboutOneStep(Task):
    """Base of tasks that ask about one step of the plan."""

    shows = "start"

    @abstractmethod
    def lack(self, step: Step) -> str | None:
        """Why the step cannot be asked about; None where it can."""

    @abstractmethod
    def told(self, step: Step) -> dict[str, str]:
        """The fields that the plan's words on the step alone decide."""

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that lacks nothing."""
        for step in plan.steps:
            lack = self.lack(step)
            yield Skipped(step.step_id, lack) if lack else Draft(step.step_id, with_goal(plan, **self.told(step)))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Fields that are not what the plan says of the step."""
        if plan.position(step_index) is None:
            yield Problem("step.unknown", f"the plan has no step {shown(step_index)}")
        else:
            yield from plan_problems(fields, self.told(step_of(plan, step_index)))
