"""After a recovery: whether the step is tried again or the plan goes on, told where the texts leave no choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from dataflow_ext.text import lists
from operators.cot.plan import Plan, Step, once
from operators.cot.problems import Problem
from operators.cot.support.facts import Fact, conditions_of, effects_of
from operators.cot.tasks.challenges import lack_of_failure
from operators.cot.tasks.conclusion import Answered, Conclusion
from operators.cot.tasks.options import LETTERS, distinct, drawn, is_rival, label_problems
from operators.cot.tasks.task import (
    LAST,
    Draft,
    Fields,
    Named,
    Skipped,
    Stream,
    Task,
    goals_of,
    plan_problems,
    same,
    shown,
    typed,
    with_goal,
)
from operators.cot.texts import normalised, one_line, root, roots_of, words_of

LISTS = lists(__package__, "recovery.tsv")


_SMALL = frozenset(map(root, LISTS["small"]))


@lru_cache(maxsize=1 << 14)
def named_in(*texts: str) -> frozenset[str]:
    """The roots of the words that tell what texts are about."""
    return roots_of(*texts) - _SMALL


Label = Literal["retry_current_step", "continue_next_step"]
RETRY: Label = "retry_current_step"
CONTINUE: Label = "continue_next_step"

ONWARD = "the recovery goes on with what the next step does"
DONE = "the recovery brings about the step's effects"
ANEW = "the recovery orders the step's work anew"
READY = "the recovery works on what the step needs, and on nothing that the step changes"
UNSURE = "the recovery does not tell what comes of it"
EITHER = "the recovery goes one way or another"

# Recoveries are a sentence or two; what is longer than this many characters is none.
_LONGEST = 4000
_CLAUSES = re.compile(r"[,;:.!?()。，；！？]|\b(?:and|then|but|so)\b")
_LIMIT = re.compile(r"\b(?:un)?till?\b")
# An aim is what is hoped for, not what comes of an order.
_AIM = re.compile(r"\bto (?:ensure|avoid|prevent|help|make)\b.*")
_PLACE = re.compile(r"\b(?:in|into|inside|on|onto|to|under|through|around|over|against)((?: \w+){1,4})")
_ON = re.compile(r"\b(?:continue|proceed|move on|go on|carry on)\b")
_AGAIN = re.compile(r"\bonce more\b|\bbefore\b")
_REDONE = re.compile(r"\bre[\w-]+")
_ANEW = frozenset(map(root, LISTS["again"]))
_IT = LISTS["it"] | LISTS["rest"]


@dataclass(frozen=True, slots=True)
class _Work:
    """A step in stems: its verbs, main effects, what it changes, what it only needs, what the next step is about."""

    verbs: frozenset[str]
    effects: tuple[Fact, ...]
    changed: frozenset[str]
    needed: frozenset[str]
    ahead: frozenset[str]


def label_of(step: Step, next_step: Step) -> tuple[Label | None, str]:
    """The label and why; None where the recovery does not tell.

    >>> from operators.cot.plan import CausalChain, Failure, Spatial
    >>> after = [Spatial("inside", ["pieces", "pan"])]
    >>> chain = CausalChain("hand", "tilt and scrape", "pieces", causal_effect_on_spatial=after)
    >>> failure = Failure("Pieces stick to the board.", "Scrape the remaining pieces into the pan.")
    >>> step = Step(1, "Move the pieces to the pan.", causal_chain=chain, failure_reflecting=failure)
    >>> label_of(step, Step(2, "Fry the pieces."))
    ('continue_next_step', "the recovery brings about the step's effects")
    """
    labels = _labels(step)
    for following, label in labels:
        if following is next_step:
            return label
    labels.append((next_step, _label(step, next_step)))
    return labels[-1][1]


@once
def _labels(step: Step) -> list[tuple[Step, tuple[Label | None, str]]]:
    """The step's labels by the steps that were taken to follow it: in a plan it is one."""
    return []


def _label(step: Step, following: Step) -> tuple[Label | None, str]:
    failure = step.failure_reflecting
    told = failure.recovery_strategy.lower()
    spoken = set(words_of(told))
    if spoken & LISTS["either"] or len(told) > _LONGEST:
        return None, EITHER
    work = _work_of(step, following)
    signs = {sign for clause in _CLAUSES.split(told) for sign in _signs(_AIM.sub("", clause), work)}
    if signs > {ANEW}:
        return None, EITHER
    if ONWARD in signs or DONE in signs:
        return CONTINUE, ONWARD if ONWARD in signs else DONE
    if spoken & LISTS["limits"] or LISTS["rest"] & (spoken | set(words_of(failure.reason))):
        return None, UNSURE
    if signs:
        return RETRY, ANEW
    named = named_in(told)
    aloof = not named & (work.changed - work.needed | work.verbs) and not spoken & LISTS["it"]
    return (RETRY, READY) if aloof and named & work.needed - work.changed else (None, UNSURE)


def _signs(clause: str, work: _Work) -> Iterator[str]:
    """What a clause tells of the step's effects, of its work and of the next step."""
    order, *limits = _LIMIT.split(clause)
    limit, spoken, stems = "".join(limits), words_of(order), roots_of(order)
    own, done = stems & work.verbs, False
    if any(_tells(effect, order, False) or _tells(effect, limit, True) for effect in work.effects):
        done = True
    elif own & {root(word) for word in spoken[:2]} and (limit or LISTS["rest"] & set(spoken)):
        done = not LISTS["vague"] & set(words_of(limit))
    if done:
        yield DONE
    # Work that is done again up to its end is done then.
    told = limit if done and limit else clause
    anew = {root(word[2:].lstrip("-")) for word in _REDONE.findall(told)}
    again = _ANEW.intersection(roots_of(told)) or anew & work.verbs or (own and _AGAIN.search(told))
    onward = _ON.search(order)
    if again or (onward and own):
        yield ANEW
    elif onward and (stems & work.ahead or {"step", "plan"} & set(spoken)):
        yield ONWARD


def _tells(effect: Fact, clause: str, limit: bool) -> bool:
    """Whether a clause puts the effect's thing where it is to be, or, as a limit, says that it is as it is to be."""
    *movers, goal = (named_in(name) for name in effect.objects)
    spoken = set(words_of(clause))
    denied = bool(LISTS["denials"] & spoken)
    if not effect.truth:
        return limit and denied and bool((goal | named_in(effect.name)) & named_in(clause))
    if denied:
        return False
    if not movers:
        return (
            limit and bool(named_in(effect.name) & named_in(clause)) and bool(goal & named_in(clause) or _IT & spoken)
        )
    for found in _PLACE.finditer(clause):
        before = clause[: found.start()]
        moved = any(mover & named_in(before) for mover in movers) or _IT & set(words_of(before))
        if moved and goal & named_in(found[1]):
            return True
    return False


def _work_of(step: Step, following: Step) -> _Work:
    chain, conditions = step.causal_chain, conditions_of(step)
    effects = [fact for fact in effects_of(step) if fact not in conditions]
    patient, goal = named_in(chain.patient), named_in(step.step_goal)
    main = [fact for fact in effects if any(named_in(name) & (patient | goal) for name in fact.objects)]
    changed = patient.union(*(named_in(name) for fact in effects for name in fact.objects[: None if fact.truth else 1]))
    ahead = following.step_goal, following.causal_chain.action
    return _Work(
        verbs=frozenset(root(word) for text in (step.step_goal, chain.action) for word in words_of(text)[:1]),
        effects=tuple(main or effects),
        changed=changed,
        needed=frozenset().union(*(named_in(name) for fact in conditions for name in fact.objects)),
        ahead=named_in(*ahead, *(fact.name for fact in effects_of(following))) - goal - changed,
    )


#: Why there is no sample about a step.
UNTOLD = "the recovery does not tell whether the step is done"
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
            yield Skipped(step.step_id, UNTOLD) if label is None else self._draft(plan, step, after, label, stream)

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
        yield from plan_problems(fields, {**goals_of(step, after), **_failure(step)})
        told = fields["label"]
        if told not in (RETRY, CONTINUE):
            yield Problem("fields.label", f"label is {shown(told)}, but should be {RETRY} or {CONTINUE}")
            return
        yield from _label_problems(step, after, told)

    def _draft(self, plan: Plan, step: Step, after: Step, label: str, stream: Stream) -> Draft | Skipped:
        return Draft(step.step_id, with_goal(plan, **goals_of(step, after), **_failure(step), label=label))


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
