"""What to do when a step fails: its recovery, in words and among options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from operators.cot.anchors import without_stop
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.recovery.own_things import Speech, fits_only, says_much_of, speech_of
from operators.cot.tasks.fields import one_line, with_goal
from operators.cot.tasks.hard_negatives import GIVEN_AWAY, hardest, with_crossed
from operators.cot.tasks.options import TOO_SIMILAR, drawn, is_rival, label_problems, similarity
from operators.cot.tasks.task import AboutOneStep, Draft, Fields, Skipped, Stream

#: Why there is no sample about a step.
NO_REASON = "the step has no failure reason"
NO_RECOVERY = "the step has no recovery strategy"
FEW_RECOVERIES = "fewer than three recoveries of other steps are wrong here"


def lack_of_failure(step: Step) -> str | None:
    """Why the step's failure cannot be asked about; None where it can."""
    if not reason_of(step.failure_reflecting.reason):
        return NO_REASON
    return None if without_stop(step.failure_reflecting.recovery_strategy) else NO_RECOVERY


def reason_of(text: str) -> str:
    """A reason as it stands within a question: the plan's own words, as in the required sentences, without a stop.

    Its first letter is kept, since nothing tells whether it begins a name.

    >>> reason_of("The lid slips.")
    'The lid slips'
    """
    return without_stop(one_line(text)).rstrip("。！？ ")


class FailureRecovery(AboutOneStep):
    """What to do if the step fails for the reason that the plan gives."""

    number = 39
    name = "Task_39_Failure_Recovery_Protocol"
    gold = "recovery_strategy"
    types: ClassVar[Mapping[str, Any]] = {
        "high_level_goal": str,
        "step_goal": str,
        "reason": str,
        "recovery_strategy": str,
    }

    def question(self, fields: Fields) -> str:
        """The failure, and what to do then."""
        return f"If the step fails because {reason_of(fields['reason'])}, what is a plausible recovery strategy?"

    def lack(self, step: Step) -> str | None:
        """That there is no reason, or no recovery."""
        return lack_of_failure(step)

    def told(self, step: Step) -> dict[str, str]:
        """The goal, the reason and the recovery."""
        return _texts(step)


class RecoveryChoice(FailureRecovery):
    """Which of four recoveries resolves the failure; the wrong ones are of other steps, in whole or in part."""

    number = 40
    name = "Task_40_Recovery_Strategy_MCQ"
    gold = "label"
    types: ClassVar[Mapping[str, Any]] = {
        "high_level_goal": str,
        "step_goal": str,
        "failure_reason": str,
        "options": list[str],
        "label": str,
        "gold_recovery_strategy": str,
    }

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step whose recovery has three wrong ones beside it."""
        speeches = [speech_of(step) for step in plan.steps]
        for i, step in enumerate(plan.steps):
            lack = lack_of_failure(step)
            wrong = [] if lack else _wrong(plan, i, speeches)
            if lack or len(wrong) < 3:
                yield Skipped(step.step_id, lack or FEW_RECOVERIES)
                continue
            texts = self.told(step)
            gold = texts.pop("gold_recovery_strategy")
            random = stream(step.step_id, "")
            hard = hardest(self.question(texts), gold, wrong, random)
            if hard is None:
                yield Skipped(step.step_id, GIVEN_AWAY)
                continue
            options, label = drawn(gold, hard, 4, random)
            chosen = {"options": options, "label": label, "gold_recovery_strategy": gold}
            yield Draft(step.step_id, with_goal(plan, **texts, **chosen))

    def question(self, fields: Fields) -> str:
        """The failure, and which recovery is best."""
        return f"Which recovery strategy best resolves the failure where {reason_of(fields['failure_reason'])}?"

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Besides: options and letter of which not the step's own recovery alone is right."""
        yield from super().problems(plan, step_index, fields)
        yield from label_problems(fields["options"], fields["label"], fields["gold_recovery_strategy"])

    def told(self, step: Step) -> dict[str, str]:
        """The same under this task's names."""
        texts = _texts(step)
        return {
            "step_goal": texts["step_goal"],
            "failure_reason": texts["reason"],
            "gold_recovery_strategy": texts["recovery_strategy"],
        }


def _texts(step: Step) -> dict[str, str]:
    failure = step.failure_reflecting
    return {
        "step_goal": one_line(step.step_goal),
        "reason": one_line(failure.reason),
        "recovery_strategy": one_line(failure.recovery_strategy),
    }


def _wrong(plan: Plan, i: int, speeches: Sequence[Speech]) -> list[str]:
    """Recoveries, or clauses of them, that do not resolve this failure: they speak of things that the step has not."""
    failure = plan.steps[i].failure_reflecting
    gold = one_line(failure.recovery_strategy)
    recoveries = []
    for other, speech in zip(plan.steps, speeches, strict=True):
        recovery = one_line(other.failure_reflecting.recovery_strategy)
        if (
            fits_only(recovery, speech, speeches[i])
            and not says_much_of(recovery, gold)
            and not is_rival(recovery, [gold])
            and similarity(other.failure_reflecting.reason, failure.reason) < TOO_SIMILAR
        ):
            recoveries.append((recovery, speech))
    return with_crossed(gold, recoveries, speeches[i], "orders")
