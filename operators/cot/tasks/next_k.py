"""The next K steps after a prefix: to be picked out of options, and to be put in order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from dataflow_ext.claims.closing import Gold
from operators.cot.plan import FEWEST, MOST, TOO_SHORT, Plan
from operators.cot.problems import Problem
from operators.cot.tasks.conclusion import Answered, Conclusion, but, series
from operators.cot.tasks.options import LETTERS, distinct, is_rival, repeat_problems, rival_problems
from operators.cot.tasks.task import (
    Draft,
    Fields,
    Named,
    Skipped,
    Stream,
    Task,
    plan_problems,
    same,
    shown,
    typed,
    with_goal,
)
from operators.cot.texts import normalised, one_line

#: The bounds of what is offered to pick from.
FEWEST_DISTRACTORS, MOST_OPTIONS = 2, 8

#: Why there is no sample of a prefix.
REPEATED = "a goal comes twice among the next three steps"
NO_DISTRACTORS = "fewer than two other steps are distinct from the next three"

# Of a long plan, as many steps as this are looked at for distractors.
_CANDIDATES = 24


class _NextK(Task):
    """What the two tasks have in common: prefix, K and the gold steps."""

    ahead = 1
    named: ClassVar[Named] = "last"
    flow = ("candidates", "chained", "delayed")

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each prefix that enough steps follow; K is drawn, and lowered where that many cannot be asked."""
        goals = [one_line(step.step_goal) for step in plan.steps]
        for i, step in enumerate(plan.steps):
            most = min(MOST, len(goals) - i - 1)
            if most < FEWEST:
                yield Skipped(step.step_id, TOO_SHORT)
                continue
            random = stream(step.step_id, "")
            made = self._made(goals, i, random.randint(FEWEST, most), random)
            if isinstance(made, str):
                yield Skipped(step.step_id, made)
            else:
                yield Draft(step.step_id, with_goal(plan, prefix_end_step=step.step_id, **made))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """A prefix that too few steps follow, K out of its bounds, gold steps that are not the next K of the plan."""
        i = plan.position(step_index)
        if i is None or i + FEWEST >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that three others follow")
            return
        yield from plan_problems(fields, {"prefix_end_step": step_index})
        k, gold, most = fields["K"], fields["gold_next_k_step_goals"], min(MOST, len(plan.steps) - i - 1)
        if not FEWEST <= k <= most:
            yield Problem("fields.k", f"K is {shown(k)}, but is to be from {FEWEST} to {most} here")
        if k != len(gold):
            yield Problem("fields.k", f"K is {shown(k)}, but there are {len(gold)} gold steps")
        coming = [step.step_goal for step in plan.steps[i + 1 : i + 1 + len(gold)]]
        yield from plan_problems(fields, {"gold_next_k_step_goals": coming})
        yield from self._choice_problems(fields)

    @abstractmethod
    def _made(self, goals: Sequence[str], i: int, k: int, random: Random) -> dict[str, Any] | str:
        """The fields from K on after the prefix up to position ``i``, with K or the next lower one; or why not."""

    @abstractmethod
    def _choice_problems(self, fields: Fields) -> Iterator[Problem]:
        """What is wrong with what is offered, and with the label."""


class NextKSteps(_NextK):
    """Which of the offered steps are among the next K."""

    number = 33
    name = "Task_33_Next_K_Steps_MultiSelect_From_Prefix"
    asked = "Select all steps that will occur in the next K steps (order not required)."
    types = typed("prefix_end_step K options label_set gold_next_k_step_goals", label_set=str | list[str])

    def answer(self, fields: Fields) -> str:
        """The letters of the next steps, in the order of the alphabet."""
        return ",".join(sorted(_letters(fields["label_set"])))

    def _made(self, goals: Sequence[str], i: int, k: int, random: Random) -> dict[str, Any] | str:
        k = _asked(goals, i, k)
        if not k:
            return REPEATED
        for fewer in range(k, FEWEST - 1, -1):
            gold = list(goals[i + 1 : i + 1 + fewer])
            others = _distractors([*goals[: i + 1], *goals[i + 1 + fewer :]], gold, random)
            if len(others) >= FEWEST_DISTRACTORS:
                options = [*gold, *others]
                random.shuffle(options)
                label = ",".join(letter for letter, each in zip(LETTERS, options, strict=False) if each in gold)
                return {"K": fewer, "options": options, "label_set": label, "gold_next_k_step_goals": gold}
        return NO_DISTRACTORS

    def _choice_problems(self, fields: Fields) -> Iterator[Problem]:
        """Whoever made the file chose K, distractors and order; a distractor need not be of the plan."""
        options, gold = fields["options"], fields["gold_next_k_step_goals"]
        right = {normalised(goal) for goal in gold}
        marks = [normalised(option) in right for option in options]
        wrong = [option for option, mark in zip(options, marks, strict=True) if not mark]
        if len(options) > MOST_OPTIONS:
            yield Problem("fields.options", f"there are {len(options)} options, but there may be {MOST_OPTIONS}")
        if len(wrong) < FEWEST_DISTRACTORS:
            few = f"{len(wrong)} of the options are wrong, but at least {FEWEST_DISTRACTORS} have to be"
            yield Problem("fields.options", few)
        yield from repeat_problems(options)
        yield from rival_problems(wrong, gold)
        offered = set(map(normalised, options))
        for goal in gold:
            if normalised(goal) not in offered:
                yield Problem("fields.options", f"no option is the gold step {shown(goal)}")
        letters = [letter for letter, mark in zip(LETTERS, marks, strict=False) if mark]
        if _letters(fields["label_set"]) != letters:
            label = f"label_set is {shown(fields['label_set'])}, but the gold steps are {shown(letters)}"
            yield Problem("fields.label", label)

    def conclusion(self, of: Answered) -> Conclusion:
        """The goals of the next steps, or their letters, in any order."""
        gold, letters = of.texts("gold_next_k_step_goals"), of.answer.split(",")
        options = of.texts("options")
        spelled: list[Gold] = [",".join(letters), ", ".join(letters), frozenset(letters)]

        def others() -> tuple[list[str], list[str]]:
            return [*but(options, gold), *(each for each in LETTERS[: len(options)] if each not in letters)], []

        return Conclusion([frozenset(gold), *spelled], {"gold": series(gold)}, others)


class NextKOrder(_NextK):
    """In which order the next K steps come."""

    number = 34
    name = "Task_34_Next_K_Steps_Reordering_From_Prefix"
    asked = "Reorder the shuffled candidate steps into the most plausible next-step sequence."
    types = typed("prefix_end_step K presented_steps gold_next_k_step_goals label", label=list[str])

    def _made(self, goals: Sequence[str], i: int, k: int, random: Random) -> dict[str, Any] | str:
        k = _asked(goals, i, k)
        if not k:
            return REPEATED
        gold = list(goals[i + 1 : i + 1 + k])
        presented = list(gold)
        while presented == gold:
            random.shuffle(presented)
        return {"K": k, "presented_steps": presented, "gold_next_k_step_goals": gold, "label": list(gold)}

    def _choice_problems(self, fields: Fields) -> Iterator[Problem]:
        presented, gold = fields["presented_steps"], fields["gold_next_k_step_goals"]
        if list(map(normalised, presented)) == list(map(normalised, gold)):
            yield Problem("fields.order", "presented_steps are in the gold order already")
        if sorted(map(one_line, presented)) != sorted(map(one_line, gold)):
            yield Problem("fields.order", "presented_steps are not the gold steps in another order")
        if not same(fields["label"], gold):
            yield Problem("fields.label", "label is not gold_next_k_step_goals")

    def conclusion(self, of: Answered) -> Conclusion:
        """The next steps in their order."""
        gold = of.texts("label")
        return Conclusion([tuple(gold)], {"gold": series(gold)}, lambda: (of.goals_but(*gold), []))


def _letters(label_set: str | Sequence[str]) -> list[str]:
    """The letters of a label set in either of its shapes: ``"A,C"``, or a list as other files have it."""
    return label_set.split(",") if isinstance(label_set, str) else list(label_set)


def _asked(goals: Sequence[str], i: int, k: int) -> int:
    """The greatest K up to ``k`` with which no goal comes twice among the next steps; 0 if there is none."""
    coming = [normalised(goal) for goal in goals[i + 1 : i + 1 + k]]
    return next((n for n in range(k, FEWEST - 1, -1) if len(set(coming[:n])) == n), 0)


def _distractors(others: Sequence[str], gold: Sequence[str], random: Random) -> list[str]:
    """Goals of other steps that are not right as well, as many as there is room for; none the same as another."""
    looked_at = random.sample(others, min(len(others), _CANDIDATES))
    return [each for each in distinct(looked_at) if not is_rival(each, gold)][: MOST_OPTIONS - len(gold)]
