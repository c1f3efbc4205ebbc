"""What to do after a recovery: the step again, or the next one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.challenges import lack_of_failure
from operators.cot.tasks.conclusion import Answered, Conclusion
from operators.cot.tasks.next_step import LAST
from operators.cot.tasks.options import LETTERS, distinct, drawn, is_rival, label_problems
from operators.cot.tasks.recovery import CONTINUE, RETRY, label_of
from operators.cot.tasks.task import (
    Draft,
    Fields,
    Named,
    Skipped,
    Stream,
    Task,
    normalised,
    one_line,
    plan_problems,
    same,
    shown,
    typed,
    with_goal,
)

#: Why there is no sample about a step.
UNSURE = "the recovery does not tell whether the step is done"
ALIKE = "the goals of the step and of the next one are too much alike"
FEW_GOALS = "fewer than two other goals of the plan are wrong here"


#: How a label is told in words.
_RETRYING = ("retry the current step", "retry_current_step", "retry current step")
_CONTINUING = ("continue to the next step", "continue_next_step", "continue with the next step", "continue next step")


class RetryOrContinue(Task):
    """Whether the step is to be tried again after its recovery, or the next one is due."""

    number = 41
    name = "Task_41_Recovery_then_Retry_or_Continue"
    asked = "After applying the recovery strategy, should we retry the current step or continue to the next step?"
    undone = True
    flow = ("state", "chained", "after_recovery")
    types = typed("current_step_goal next_step_goal failure_reason recovery_strategy label")

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that another one follows, with a recovery that tells whether the step is done."""
        for step, after in zip(plan.steps, [*plan.steps[1:], None], strict=True):
            lack = LAST if after is None else lack_of_failure(step)
            if lack or after is None:
                yield Skipped(step.step_id, lack or LAST)
                continue
            label, _ = label_of(step, after)
            yield Skipped(step.step_id, UNSURE) if label is None else self._draft(plan, step, after, label, stream)

    def conclusion(self, of: Answered) -> Conclusion:
        """Either to retry the step or to continue with the next one, in words or as the label."""
        retry = of.answer == RETRY
        gold, rivals = (_RETRYING, _CONTINUING) if retry else (_CONTINUING, _RETRYING)
        said = {"current": f'"{of.goal()}"', "next": f'"{of.goal(1)}"'}
        return Conclusion(gold, said, lambda: (rivals, []), f"{self.number} {'retry' if retry else 'continue'}")

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Goals, failure or recovery that are not the plan's, and a label that the recovery does not bear out."""
        i = plan.position(step_index)
        if i is None or i + 1 >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that another one follows")
        else:
            yield from self._told(plan, plan.steps[i], plan.steps[i + 1], fields)

    def _told(self, plan: Plan, step: Step, after: Step, fields: Fields) -> Iterator[Problem]:
        yield from plan_problems(fields, {**_goals(step, after), **_failure(step)})
        told = fields["label"]
        if told not in (RETRY, CONTINUE):
            yield Problem("fields.label", f"label is {shown(told)}, but should be {RETRY} or {CONTINUE}")
            return
        yield from _label_problems(step, after, told)

    def _draft(self, plan: Plan, step: Step, after: Step, label: str, stream: Stream) -> Draft | Skipped:
        return Draft(step.step_id, with_goal(plan, **_goals(step, after), **_failure(step), label=label))


class StepAfterRecovery(RetryOrContinue):
    """Which of four steps is due after the recovery; the step that failed and the next one are both among them."""

    number = 42
    name = "Task_42_Next_Step_After_Recovery"
    asked = "After applying the recovery strategy, what is the most appropriate next step?"
    named: ClassVar[Named] = "last"
    types = typed("failure_reason recovery_strategy prefix_end_step options label gold_next_step_goal")

    def _draft(self, plan: Plan, step: Step, after: Step, label: str, stream: Stream) -> Draft | Skipped:
        due, other = (step, after) if label == RETRY else (after, step)
        gold, telling = one_line(due.step_goal), one_line(other.step_goal)
        if is_rival(telling, [gold]):
            return Skipped(step.step_id, ALIKE)
        goals = distinct(one_line(each.step_goal) for each in plan.steps)
        wrong = [goal for goal in goals if normalised(goal) != normalised(telling) and not is_rival(goal, [gold])]
        if len(wrong) < 2:
            return Skipped(step.step_id, FEW_GOALS)
        random = stream(step.step_id, "")
        options, letter = drawn(gold, [telling, *random.sample(wrong, 2)], 4, random)
        chosen = {"options": options, "label": letter, "gold_next_step_goal": gold}
        return Draft(step.step_id, with_goal(plan, **_failure(step), prefix_end_step=step.step_id, **chosen))

    def _told(self, plan: Plan, step: Step, after: Step, fields: Fields) -> Iterator[Problem]:
        yield from plan_problems(fields, {**_failure(step), "prefix_end_step": step.step_id})
        gold, options = fields["gold_next_step_goal"], fields["options"]
        yield from label_problems(options, fields["label"], gold)
        goals = {normalised(each.step_goal) for each in plan.steps}
        for letter, option in zip(LETTERS, options, strict=False):
            if normalised(option) not in goals:
                yield Problem("fields.options", f"option {letter} is no goal of the plan: {shown(option)}")
        if same(gold, step.step_goal) and same(gold, after.step_goal):
            return
        if not (same(gold, step.step_goal) or same(gold, after.step_goal)):
            both = f"{shown(step.step_goal)} nor {shown(after.step_goal)}"
            yield Problem("fields.plan", f"gold_next_step_goal is {shown(gold)}, neither {both}")
            return
        yield from _label_problems(step, after, RETRY if same(gold, step.step_goal) else CONTINUE)

    def conclusion(self, of: Answered) -> Conclusion:
        """The right option, or its letter; the step that failed and the next one may stand beside it."""
        return Conclusion.of_option(of, beside=[of.goal(), of.goal(1)])


def _goals(step: Step, after: Step) -> dict[str, str]:
    return {"current_step_goal": one_line(step.step_goal), "next_step_goal": one_line(after.step_goal)}


def _failure(step: Step) -> dict[str, str]:
    failure = step.failure_reflecting
    return {"failure_reason": one_line(failure.reason), "recovery_strategy": one_line(failure.recovery_strategy)}


def _label_problems(step: Step, after: Step, told: str) -> Iterator[Problem]:
    """A label that is not what the recovery says; a warning where it does not say enough."""
    label, why = label_of(step, after)
    if label is None:
        yield Problem("fields.label", f"the plan does not tell {told}: {why}", "warning")
    elif label != told:
        yield Problem("fields.label", f"the sample says {told}, but {label} is right: {why}")
