"""How a step makes the next one possible: which of its effects is a condition of the step that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NotRequired

from typing_extensions import TypedDict

from operators.cot.evidence import KeyFrames, Wanted
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import establishes
from operators.cot.tasks.fields import one_line, plan_problems, position_of, same, shown, with_goal
from operators.cot.tasks.task import AnchorSteps, Draft, Fields, Skipped, Stream, Task

#: Why there is no sample about a step.
LAST = "no step follows"
NO_CONDITION = "the next step has no conditions"
NO_EFFECT = "the step has no effects"
NO_SUPPORT = "no effect of the step establishes a condition of the next step"


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
    """How what a step brings about lets the next step be done."""

    number = 28
    name = "Task_28_Inter_Step_Dependency_Analysis"
    asked = "How does the outcome of the previous step satisfy the preconditions for the next step?"
    types: ClassVar[Mapping[str, Any]] = {
        "high_level_goal": str,
        "step_n_goal": str,
        "step_next_goal": str,
        "dependency_support": DependencyForm,
    }

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that establishes a condition of the next."""
        things = things_of(plan)
        for now, after in zip(plan.steps, [*plan.steps[1:], None], strict=True):
            if after is None:
                yield Skipped(now.step_id, LAST)
            elif not conditions_of(after):
                yield Skipped(now.step_id, NO_CONDITION)
            elif not effects_of(now):
                yield Skipped(now.step_id, NO_EFFECT)
            elif not (found := _supports(now, after, things)):
                yield Skipped(now.step_id, NO_SUPPORT)
            else:
                told = {kind: found[kind].text if kind in found else "" for kind in ("spatial", "affordance")}
                yield Draft(now.step_id, with_goal(plan, **_goals(now, after), dependency_support=told))

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
        """The end of the step and the start of the next."""
        now, after = _pair(plan, step_index)
        return KeyFrames(((now.step_id, "end"), (after.step_id, "start")))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """Effects of the step, conditions and failure of the next."""
        now, after = _pair(plan, step_index)
        return AnchorSteps(conditions=after, effects=now, failure=after)

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Goals that are not those of the two steps, and supports that the plan does not bear out."""
        try:
            now, after = _pair(plan, step_index)
        except LookupError:
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that another one follows")
            return
        yield from plan_problems(fields, _goals(now, after))
        if not _all_told(fields):
            yield Problem("fields.support", "dependency_support tells no support, neither spatial nor affordance")
        things = things_of(plan)
        for kind in ("spatial", "affordance"):
            for told in _told(fields, kind):
                yield from _support_problems(told, kind, now, after, things)


def _pair(plan: Plan, step_id: int) -> tuple[Step, Step]:
    """The step and the one that follows; LookupError if there are no such two."""
    i = position_of(plan, step_id)
    return plan.steps[i], plan.steps[i + 1]


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
    """The facts that a text says, word for word."""
    return [fact for fact in facts if same(fact.text, text)]
