"""What would happen if, and what to do when a step fails: in words and among options."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.conclusion import Answered, Conclusion
from operators.cot.tasks.options import (
    GIVEN_AWAY,
    TOO_SIMILAR,
    Clauses,
    Speech,
    drawn,
    fits_only,
    hardest,
    is_rival,
    label_problems,
    says_much_of,
    similarity,
    speech_of,
    with_crossed,
)
from operators.cot.tasks.task import AboutOneStep, Draft, Fields, Named, Skipped, Stream, typed, with_goal
from operators.cot.texts import bare, one_line

#: Why there is no sample about a step.
NO_CHALLENGE = "the step has no challenge question"
NO_OUTCOME = "the step has no expected outcome"
NO_CONDITION = "the challenge question does not tell its condition"
YES_OR_NO = "the expected outcome answers yes or no, not what comes"

_ASKING = r"(?:then )?(?:how|what|why|would|could|will|can|does|do|did|is|are|was|were|should|might|may|has|have|had)\b"
_SHAPES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:and )?what (?:(?:would|will|could|might) happen |happens )?if "
        rf"(?P<cond>(?:(?!, {_ASKING})[^?？])+)(?:, {_ASKING}[^?？]*)?",
        rf"if (?P<cond>(?:(?!, {_ASKING})[^?？])+), {_ASKING}[^?？]*",
        rf"(?:suppose|imagine|assume)(?: that)? (?P<cond>(?:(?!, {_ASKING})[^?？.])+)[,.;:] {_ASKING}[^?？]*",
        rf"{_ASKING}(?:(?! if )[^?？])* if (?!(?:it|they|this|that|he|she)\b)(?P<cond>(?:(?! if |, {_ASKING})[^?？])+)",
        r"(?:如果|假如|假设|倘若|要是|若是|若)(?P<cond>[^?？]+?)(?:的话)?[,，]?(?:那么|那)?(?:会|将会|将|又会)?(?:怎样|怎么样|如何|怎么办|发生什么(?:事|情况)?|有什么(?:后果|结果|影响)|出现什么(?:情况|结果)?)",
    )
]

_YES_OR_NO = re.compile(r"(?:yes|no)\s*[,.;:!—–-]|(?:不会|不能|会的|是的|不是)[,，。]", re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def condition_of(question: str) -> str | None:
    """The condition that a challenge question asks about; None where it is not one clause of it.

    >>> condition_of("What if the tube, once patched, leaks?")
    'the tube, once patched, leaks'
    >>> condition_of("If the board were flat, would the transfer be efficient?")
    'the board were flat'
    """
    line = one_line(question).rstrip("?？ ")
    found = next((match for shape in _SHAPES if (match := shape.fullmatch(line))), None)
    return (found["cond"].strip().rstrip(".,;:!，。 ") or None) if found else None


class _Choice(AboutOneStep):
    """Base of tasks whose one right option of four is a text of the step; the wrong ones are of other steps."""

    gold = "label"
    #: The field of the right option, what its text consists of, and why there is no sample where too few are wrong.
    right: ClassVar[str]
    clauses: ClassVar[Clauses]
    few: ClassVar[str]

    @abstractmethod
    def case(self, step: Step) -> tuple[str, str, str]:
        """A step's text, "" for one that is no option, the circumstances in which it is right, and what names them."""

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that lacks nothing and whose right option has three wrong ones beside it."""
        speeches = [speech_of(step) for step in plan.steps]
        for i, step in enumerate(plan.steps):
            lack = self.lack(step)
            wrong = [] if lack else self._wrong(plan, i, speeches)
            if lack or len(wrong) < 3:
                yield Skipped(step.step_id, lack or self.few)
                continue
            told, random = self.told(step), stream(step.step_id, "")
            chosen = hardest(self.question(told), told[self.right], wrong, random)
            if chosen is None:
                yield Skipped(step.step_id, GIVEN_AWAY)
                continue
            options, label = drawn(told[self.right], chosen, 4, random)
            made = with_goal(plan, **told, options=options, label=label)
            yield Draft(step.step_id, {name: made[name] for name in self.types})

    def conclusion(self, of: Answered) -> Conclusion:
        """The right option, or its letter."""
        return Conclusion.of_option(of)

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Besides: options and letter of which not the right text alone is right."""
        yield from super().problems(plan, step_index, fields)
        yield from label_problems(fields["options"], fields["label"], fields[self.right])

    def _wrong(self, plan: Plan, i: int, speeches: Sequence[Speech]) -> list[str]:
        """Texts of other steps, or clauses of them, that are wrong for this one: they speak of what it has not."""
        gold, circumstances, asked = self.case(plan.steps[i])
        found = []
        for step, speech in zip(plan.steps, speeches, strict=True):
            text, others, about = self.case(step)
            if (
                fits_only(text, speech, speeches[i], about)
                and not says_much_of(text, gold)
                and not is_rival(text, [gold])
                and similarity(others, circumstances) < TOO_SIMILAR
            ):
                found.append((text, speech))
        return with_crossed(gold, found, speeches[i], self.clauses, asked)


class CounterfactualPrediction(AboutOneStep):
    """What comes of a step under a condition that the plan challenges it with."""

    number = 37
    name = "Task_37_Counterfactual_Prediction"
    gold = "expected_challenge_outcome"
    named: ClassVar[Named] = "last"
    flow: ClassVar[tuple[str, str, str]] = ("asked", "chained", "counterfactual")
    types = typed("step_goal counterfactual_challenge_question expected_challenge_outcome")

    def question(self, fields: Fields) -> str:
        """The challenge."""
        return one_line(fields["counterfactual_challenge_question"])

    def lack(self, step: Step) -> str | None:
        """That there is no challenge, or no outcome of it."""
        if not one_line(step.counterfactual_challenge_question):
            return NO_CHALLENGE
        return None if one_line(step.expected_challenge_outcome) else NO_OUTCOME

    def told(self, step: Step) -> dict[str, str]:
        """The goal, the challenge and the outcome."""
        return {
            "step_goal": one_line(step.step_goal),
            "counterfactual_challenge_question": one_line(step.counterfactual_challenge_question),
            "expected_challenge_outcome": one_line(step.expected_challenge_outcome),
        }

    def conclusion(self, of: Answered) -> Conclusion:
        """The outcome; those of other steps are rivals."""
        return Conclusion.of_step(of, lambda step: step.expected_challenge_outcome)


class CounterfactualOutcome(_Choice, CounterfactualPrediction):
    """Which of four outcomes is the expected one; the wrong ones are of other steps, in whole or in part."""

    number = 38
    name = "Task_38_Counterfactual_Outcome_MCQ"
    right, clauses = "expected_challenge_outcome", "statements"
    few = "fewer than three outcomes of other steps are wrong here"
    types = typed("step_goal counterfactual_challenge_question expected_challenge_outcome options label")

    def lack(self, step: Step) -> str | None:
        """Besides that the outcome says yes or no, or the challenge no condition."""
        if lack := super().lack(step):
            return lack
        if _YES_OR_NO.match(one_line(step.expected_challenge_outcome)):
            return YES_OR_NO
        return None if condition_of(step.counterfactual_challenge_question) else NO_CONDITION

    def question(self, fields: Fields) -> str:
        """The condition in a question for the outcome; a challenge without one is asked as it is."""
        asked = one_line(fields["counterfactual_challenge_question"])
        condition = condition_of(asked)
        return f"What is the most likely outcome if {condition}?" if condition else asked

    def case(self, step: Step) -> tuple[str, str, str]:
        """The outcome, unless it says yes or no, and the challenge."""
        outcome, asked = one_line(step.expected_challenge_outcome), step.counterfactual_challenge_question
        return "" if _YES_OR_NO.match(outcome) else outcome, asked, asked

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Besides: options from elsewhere."""
        yield from super().problems(plan, step_index, fields)
        if condition_of(fields["counterfactual_challenge_question"]) is None:
            yield Problem("fields.plan", "the challenge question tells no condition", "warning")


#: Why there is no sample about a step.
NO_REASON = "the step has no failure reason"
NO_RECOVERY = "the step has no recovery strategy"


def lack_of_failure(step: Step) -> str | None:
    """Why the step's failure cannot be asked about; None where it can."""
    if not bare(step.failure_reflecting.reason):
        return NO_REASON
    return None if bare(step.failure_reflecting.recovery_strategy) else NO_RECOVERY


class FailureRecovery(AboutOneStep):
    """What to do if the step fails for the reason that the plan gives."""

    number = 39
    name = "Task_39_Failure_Recovery_Protocol"
    gold = "recovery_strategy"
    named: ClassVar[Named] = "required"
    flow: ClassVar[tuple[str, str, str]] = ("asked", "chained", "recovered")
    types = typed("step_goal reason recovery_strategy")

    def question(self, fields: Fields) -> str:
        """The failure, and what to do then."""
        return f"If the step fails because {bare(fields['reason'])}, what is a plausible recovery strategy?"

    def lack(self, step: Step) -> str | None:
        """That there is no reason, or no recovery."""
        return lack_of_failure(step)

    def told(self, step: Step) -> dict[str, str]:
        """The goal, the reason and the recovery."""
        failure = step.failure_reflecting
        return {
            "step_goal": one_line(step.step_goal),
            "reason": one_line(failure.reason),
            "recovery_strategy": one_line(failure.recovery_strategy),
        }

    def conclusion(self, of: Answered) -> Conclusion:
        """The recovery; those of other steps are rivals."""
        return Conclusion.of_step(of, lambda step: step.failure_reflecting.recovery_strategy)


class RecoveryChoice(_Choice, FailureRecovery):
    """Which of four recoveries resolves the failure; the wrong ones are of other steps, in whole or in part."""

    number = 40
    name = "Task_40_Recovery_Strategy_MCQ"
    right, clauses = "gold_recovery_strategy", "orders"
    few = "fewer than three recoveries of other steps are wrong here"
    types = typed("step_goal failure_reason options label gold_recovery_strategy")

    def question(self, fields: Fields) -> str:
        """The failure, and which recovery is best."""
        return f"Which recovery strategy best resolves the failure where {bare(fields['failure_reason'])}?"

    def case(self, step: Step) -> tuple[str, str, str]:
        """The recovery and the failure, whose reason does not tell what it is of."""
        failure = step.failure_reflecting
        return one_line(failure.recovery_strategy), failure.reason, ""

    def told(self, step: Step) -> dict[str, str]:
        """The same under this task's names."""
        goal, reason, recovery = super().told(step).values()
        return {"step_goal": goal, "failure_reason": reason, "gold_recovery_strategy": recovery}
