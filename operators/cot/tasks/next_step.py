"""What comes next, how far the plan has been done, and which steps lie between two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from typing_extensions import TypedDict

from operators.cot.evidence import HeadTail, Wanted
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.conclusion import Answered, Conclusion, series
from operators.cot.tasks.task import (
    LAST,
    Draft,
    Fields,
    Named,
    Shows,
    Skipped,
    Stream,
    Task,
    goals_of,
    plan_problems,
    position_of,
    same,
    shown,
    typed,
    with_goal,
)
from operators.cot.texts import bare, one_line


class NextAction(Task):
    """Which step follows the one whose end is shown."""

    number = 29
    name = "Task_29_Next_Action_Prediction"
    asked = "What is the next planned action?"
    gold, ahead = "next_step_goal", 1
    shows: ClassVar[Shows] = "end"
    named: ClassVar[Named] = "last"
    flow: ClassVar[tuple[str, str, str]] = ("candidates", "chained", "delayed")
    types = typed("current_step_goal next_step_goal")

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step but the last."""
        for now, after in zip(plan.steps, [*plan.steps[1:], None], strict=True):
            if after is None:
                yield Skipped(now.step_id, LAST)
            else:
                yield Draft(now.step_id, with_goal(plan, **self._goals(now, after)))

    def conclusion(self, of: Answered) -> Conclusion:
        """The goal of the next step; the step that is done may stand beside it."""
        gold = bare(of.answer)
        return Conclusion([gold], {"gold": f'"{gold}"'}, lambda: (of.goals_but(gold, of.goal()), [of.goal()]))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Goals that are not those of the step and the next one."""
        i = plan.position(step_index)
        if i is None or i + 1 >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that another one follows")
        else:
            yield from plan_problems(fields, self._goals(plan.steps[i], plan.steps[i + 1]))

    def _goals(self, now: Step, after: Step) -> dict[str, Any]:
        return {**goals_of(now, after)}


class NextStepGoal(NextAction):
    """Which step follows the prefix that is shown."""

    number = 30
    name = "Task_30_Next_Step_Goal_Prediction_From_Prefix"
    asked = "What is the next step goal?"
    shows = "prefix"
    types = typed("current_step_goal next_step_goal prefix_end_step")

    def _goals(self, now: Step, after: Step) -> dict[str, Any]:
        return {**super()._goals(now, after), "prefix_end_step": now.step_id}


class ListedStep(TypedDict):
    """A step as ``all_steps`` lists it."""

    step_id: int
    step_goal: str


class CompletedSteps(Task):
    """Up to which of all steps the shown prefix has got."""

    number = 31
    name = "Task_31_Prefix_Completed_Steps_MultiSelect"
    asked = "Up to which step_id has the plan been completed in this prefix?"
    flow = ("state", "chained", "shown")
    types = typed("all_steps prefix_end_step label", all_steps=list[ListedStep] | list[str], label=int)

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step; after the last one the plan is done."""
        listed = [{"step_id": step.step_id, "step_goal": one_line(step.step_goal)} for step in plan.steps]
        for step in plan.steps:
            end = step.step_id
            yield Draft(end, with_goal(plan, all_steps=listed, prefix_end_step=end, label=end))

    def conclusion(self, of: Answered) -> Conclusion:
        """The last step that is done, by its goal or number; the next one may stand beside it."""
        gold = of.goal()

        def others() -> tuple[list[str], list[str]]:
            numbers = (step.step_id for step in of.plan.steps if step.step_id != of.step_index)
            return [*of.goals_but(gold, of.goal(1)), *(f"step {each}" for each in numbers)], [of.goal(1)]

        return Conclusion([gold, f"step {of.step_index}"], {"gold": f'"{gold}"'}, others)

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
    named: ClassVar[Named] = "last"
    flow = ("between_glimpses", "chained", "delayed")
    types = typed("head_step_goal tail_step_goal middle_steps")

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

    def conclusion(self, of: Answered) -> Conclusion:
        """The missing steps in their order; head and tail may stand beside them."""
        gold = of.texts("middle_steps")
        ends = [bare(str(of.fields.get(name, ""))) for name in ("head_step_goal", "tail_step_goal")]
        return Conclusion([tuple(gold)], {"gold": series(gold)}, lambda: (of.goals_but(*gold, *ends), ends))

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
