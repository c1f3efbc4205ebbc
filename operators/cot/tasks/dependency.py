"""How a step makes a later one possible: which of its effects is a condition of the next step, or of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NotRequired

from typing_extensions import TypedDict

from dataflow_ext.claims.closing import Gold
from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import KeyFrames, Wanted
from operators.cot.flaws.ground import ground_of
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.support.facts import Fact, conditions_of, effects_of, fact_of, things_of
from operators.cot.support.matching import establishes
from operators.cot.tasks.conclusion import Answered, Conclusion, state_of
from operators.cot.tasks.task import (
    LAST,
    Draft,
    Fields,
    Skipped,
    Stream,
    Task,
    plan_problems,
    position_of,
    same,
    shown,
    step_of,
    typed,
    with_goal,
)
from operators.cot.texts import bare, normalised, one_line

#: Why there is no sample about a step.
NO_CONDITION = "the next step has no conditions"
NO_EFFECT = "the step has no effects"
NO_SUPPORT = "no effect of the step establishes a condition of the next step"

#: What an answer names as the support.
_SUPPORTING = re.compile(r"establishes (.*), which directly supports")


class SupportForm(TypedDict):
    """An effect that establishes a condition, as other files may tell it; ours tell the condition alone, as a text."""

    condition: str
    effect: str
    kind: NotRequired[str]
    strength: NotRequired[int | float]


Told = SupportForm | str | list[SupportForm | str] | None


class DependencyForm(TypedDict):
    """The surest support by a relation and the surest by an affordance; "" where there is none."""

    spatial: NotRequired[Told]
    affordance: NotRequired[Told]


class InterStepDependency(Task):
    """How what a step brings about lets the next step be done, or a later one."""

    number = 28
    name = "Task_28_Inter_Step_Dependency_Analysis"
    asked = "How does the outcome of the previous step satisfy the preconditions for the next step?"
    flow = ("state", "direct", "delayed")
    types = typed("step_n_goal step_next_goal dependency_support", dependency_support=DependencyForm)

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that establishes a condition of the next, and for each later one that still rests on it.

        A later step rests on the last one that established its condition, if none has undone it since.
        """
        things, lasting = things_of(plan), _lasting(plan)
        for i, now in enumerate(plan.steps):
            after = plan.steps[i + 1] if i + 1 < len(plan.steps) else None
            found = {} if after is None else {after.step_id: _supports(now, after, things)}
            found |= {plan.steps[j].step_id: supports for j, supports in sorted(lasting.get(i, {}).items())}
            if after is None:
                yield Skipped(now.step_id, LAST)
            elif not any(found.values()):
                lack = NO_SUPPORT if effects_of(now) else NO_EFFECT
                yield Skipped(now.step_id, lack if conditions_of(after) else NO_CONDITION)
            for step_id, supports in found.items():
                if supports and after is not None:
                    goals = _goals(now, step_of(plan, step_id))
                    told = {kind: supports[kind].text if kind in supports else "" for kind in ("spatial", "affordance")}
                    variant = "" if step_id == after.step_id else f"next={step_id}"
                    yield Draft(now.step_id, with_goal(plan, **goals, dependency_support=told), variant)

    def answer(self, fields: Fields) -> str:
        """The two goals and the support between them: by a relation, if there is one.

        Of supports that tell their strength, as other files have them, it is the surest.
        """
        told = _all_told(fields)
        if not told:
            raise LookupError("dependency_support tells no support.")
        support = max(told, key=lambda each: each.get("strength", 1.0))["condition"]
        now, after = one_line(fields["step_n_goal"]), one_line(fields["step_next_goal"])
        return (
            f'Completing "{now}" establishes {one_line(support)}, which directly supports executing "{after}"'
            " by satisfying its corresponding preconditions."
        )

    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """The end of the step and the start of the one that rests on it."""
        now, after = _pair(plan, step_index, fields)
        return KeyFrames(((now.step_id, "end"), (after.step_id, "start")))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """Effects of the step, conditions and failure of the one that rests on it."""
        now, after = _pair(plan, step_index, fields)
        return AnchorSteps(conditions=after, effects=now, failure=after)

    def conclusion(self, of: Answered) -> Conclusion:
        """The condition that holds for the next step; its opposite is a rival."""
        raw = _SUPPORTING.search(of.answer)
        fact = fact_of(raw[1]) if raw else None
        state = state_of(fact) if fact else bare(of.answer)
        current, following = of.goal(), bare(str(of.fields.get("step_next_goal", "")))
        gold: list[Gold] = [state, *([raw[1]] if raw else [])]
        said = {"current": f'"{current}"', "next": f'"{following}"', "gold": state}

        def others() -> tuple[list[str], list[str]]:
            against = [state_of(fact.denied), fact.denied.text] if fact else []
            return [*of.goals_but(current, following), *against], []

        return Conclusion(gold, said, others, about=[current, following])

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Goals that are not those of the two steps, and supports that the plan does not bear out."""
        try:
            now, after = _pair(plan, step_index, fields)
        except LookupError:
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that another one follows")
            return
        yield from plan_problems(fields, _goals(now, after))
        if not _all_told(fields):
            yield Problem("fields.support", "dependency_support tells no support, neither spatial nor affordance")
        things = things_of(plan)
        for kind in ("spatial", "affordance"):
            for told in _told(fields, kind):
                wrong = list(_support_problems(told, kind, now, after, things))
                yield from wrong or _lasting_problems(told, plan, now, after)


def _pair(plan: Plan, step_id: int, fields: Fields) -> tuple[Step, Step]:
    """The step, and the later one that the fields name or else the next; LookupError if there are no such two."""
    i = position_of(plan, step_id)
    named = (step for step in plan.steps[i + 1 :] if same(one_line(step.step_goal), fields["step_next_goal"]))
    return plan.steps[i], next(named, None) or plan.steps[i + 1]


def _lasting(plan: Plan) -> dict[int, dict[int, dict[str, Fact]]]:
    """By step, by later step but the next, the surest condition of each kind that the one left for the other."""
    found: dict[int, dict[int, dict[str, Fact]]] = {}
    sure: dict[tuple[int, int, str], float] = {}
    named = [normalised(step.step_goal) for step in plan.steps]
    for j in range(2, len(plan.steps)):
        if named[j] in named[:j]:
            continue  # its goal would name an earlier one
        for fact, i, strength in ground_of(plan).conditions.provided(j):
            if i < j - 1 and strength > sure.get((i, j, fact.kind), 0.0):
                found.setdefault(i, {}).setdefault(j, {})[fact.kind] = fact
                sure[i, j, fact.kind] = strength
    return found


def _lasting_problems(told: Mapping[str, Any], plan: Plan, now: Step, after: Step) -> Iterator[Problem]:
    """A support that does not last until a later step, or that a step in between establishes anew."""
    i, j = position_of(plan, now.step_id), position_of(plan, after.step_id)
    provided = [(fact.text, by) for fact, by, _ in ground_of(plan).conditions.provided(j)]
    if i < j - 1 and not any(by == i and same(text, told["condition"]) for text, by in provided):
        said = shown(told["condition"])
        yield Problem("fields.support", f"{said} is not what the step leaves for the later one: see those in between")


def _goals(now: Step, after: Step) -> dict[str, str]:
    return {"step_n_goal": one_line(now.step_goal), "step_next_goal": one_line(after.step_goal)}


def _supports(now: Step, after: Step, things: frozenset[str]) -> dict[str, Fact]:
    """The condition of each kind that is established most surely; of those level, the plan's first."""
    found: dict[str, Fact] = {}
    sure = {"spatial": 0.0, "affordance": 0.0}
    for condition in conditions_of(after):
        match = establishes(effects_of(now), condition, things)
        if match is not None and match.strength > sure[condition.kind]:
            found[condition.kind], sure[condition.kind] = condition, match.strength
    return found


def _told(fields: Fields, kind: str) -> list[dict[str, Any]]:
    """The supports of a kind in one shape, whichever of the allowed shapes they have; a blank text is none."""
    told = fields["dependency_support"].get(kind)
    entries = told if isinstance(told, list) else [told]
    supports = ({"condition": each} if isinstance(each, str) else each for each in entries if each is not None)
    return [each for each in supports if each["condition"].strip()]


def _all_told(fields: Fields) -> list[dict[str, Any]]:
    return _told(fields, "spatial") + _told(fields, "affordance")


def _support_problems(
    told: Mapping[str, Any], kind: str, now: Step, after: Step, things: frozenset[str]
) -> Iterator[Problem]:
    """What of a support is not so: there is no such condition or effect, it is not established, or not so surely."""
    said = told["condition"]
    conditions = _saying([fact for fact in conditions_of(after) if fact.kind == kind], said)
    effects = _saying(effects_of(now), told["effect"]) if "effect" in told else effects_of(now)
    if not conditions:
        yield Problem("fields.support", f"{shown(said)} is no {kind} condition of the next step")
    elif not effects:
        yield Problem("fields.support", f"{shown(told.get('effect'))} is no effect of the step")
    elif (match := establishes(effects, conditions[0], things)) is None:
        yield Problem("fields.support", f"{shown(said)} is not what the step's effects establish")
    else:
        sure = round(match.strength, 2)
        if told.get("kind", match.kind) != match.kind:
            yield Problem(
                "fields.support", f"kind of {shown(said)} is {shown(told['kind'])}, but should be {match.kind}"
            )
        if told.get("strength", sure) != sure:
            yield Problem(
                "fields.support", f"strength of {shown(said)} is {shown(told['strength'])}, but should be {sure}"
            )


def _saying(facts: Sequence[Fact], text: str) -> Sequence[Fact]:
    return [fact for fact in facts if same(fact.text, text)]
