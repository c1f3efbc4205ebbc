"""Bad plans for the next K steps: what is wrong with them, and how they are to be."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from typing_extensions import TypedDict

from operators.cot.anchors import AnchorSteps
from operators.cot.flaws.bad_plans import FLAW_TYPES, BadPlan, Proof, Unproven, drawn_flaw, missing, prove
from operators.cot.plan import FEWEST, MOST, TOO_SHORT, Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.conclusion import Answered, Conclusion, but, series
from operators.cot.tasks.task import (
    Draft,
    Fields,
    Skipped,
    Stream,
    Task,
    plan_problems,
    position_of,
    same,
    shown,
    typed,
    with_goal,
)
from operators.cot.texts import normalised

_ANSWER = re.compile(r"FlawStep=(?P<step>\d{1,9}); FlawType=(?P<type>\w+); Reason=(?P<reason>\S.*)")


class FlawProof(TypedDict):
    """What the plan says of a flaw: the broken condition, the ids of the flawed and the prerequisite step."""

    condition: str
    step: int
    prerequisite: int
    match: str
    strength: float


#: The fields of both tasks.
_FIELDS = "prefix_end_step K bad_plan_steps gold_plan_steps flaw_step flaw_type proof label"


#: How a type of flaw is called in a sentence.
FLAWS = {
    "tool_mismatch": "a tool mismatch",
    "order_violation": "an order violation",
    "precondition_missing": "a missing precondition",
    "hallucinated_object": "a hallucinated object",
    "goal_mismatch": "a goal mismatch",
}


class _FlawedPlan(Task):
    """What both tasks have in common: prefix, bad and gold plan, and the proof."""

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each prefix that at least three steps follow, and each type of flaw that can be proven there."""
        for prefix, step in enumerate(plan.steps):
            if prefix + FEWEST >= len(plan.steps):
                yield Skipped(step.step_id, TOO_SHORT)
                continue
            for flaw_type in FLAW_TYPES:
                made = drawn_flaw(plan, prefix, flaw_type, stream(step.step_id, flaw_type))
                if isinstance(made, str):
                    yield Skipped(step.step_id, made)
                else:
                    fields = with_goal(plan, prefix_end_step=step.step_id, **self._made(made))
                    yield Draft(step.step_id, fields, flaw_type)

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Gold that is not the plan's next K steps, K out of its bounds, a flaw that the plan does not bear out."""
        prefix = plan.position(step_index)
        if prefix is None or prefix + FEWEST >= len(plan.steps):
            yield Problem("step.unknown", f"step {shown(step_index)} is no step of the plan that three others follow")
            return
        yield from plan_problems(fields, {"prefix_end_step": step_index})
        bad, gold = fields["bad_plan_steps"], fields["gold_plan_steps"]
        yield from _size_problems(fields, min(MOST, len(plan.steps) - prefix - 1))
        coming = [step.step_goal for step in plan.steps[prefix + 1 : prefix + 1 + len(gold)]]
        yield from plan_problems(fields, {"gold_plan_steps": coming})
        if len(bad) == len(gold) and prefix + len(bad) < len(plan.steps):
            yield from _wording_problems(bad, coming)
            proof = prove(plan, prefix, bad, fields.get("flaw_type"))
            yield from _proof_problems(fields, proof)
            yield from self._label_problems(fields, proof)

    @abstractmethod
    def _made(self, made: BadPlan) -> dict[str, Any]:
        """The fields after the prefix."""

    @abstractmethod
    def _label_problems(self, fields: Fields, proof: Proof | Unproven) -> Iterator[Problem]:
        """What is wrong with the label."""

    def _proof(self, plan: Plan, step_index: int, fields: Fields) -> Proof | None:
        bad = fields["bad_plan_steps"]
        prefix = position_of(plan, step_index)
        if prefix + len(bad) >= len(plan.steps):
            raise LookupError("The plan does not have as many steps after the prefix as the bad plan.")
        proof = prove(plan, prefix, bad, fields.get("flaw_type"))
        return proof if isinstance(proof, Proof) else None

    def _gold_at(self, plan: Plan, step_index: int, fields: Fields, place: int) -> Step:
        if not 0 <= place < len(fields["bad_plan_steps"]):
            raise LookupError(f"The bad plan has no step {place + 1}.")
        return plan.steps[position_of(plan, step_index) + 1 + place]


class FlawPointing(_FlawedPlan):
    """Which step of the bad plan is wrong, and how."""

    number = 35
    name = "Task_35_Failed_Planning_Flaw_Pointing"
    asked = "Identify the flaw in the bad plan."
    flow = ("state", "chained", "faults")
    types = typed(_FIELDS, proof=FlawProof)
    optional = frozenset(("proof",))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """What the flawed step needs and how it fails, what the step that has to come first brings about.

        Without a proof both are the step that belongs in the stated place.
        """
        proof = self._proof(plan, step_index, fields)
        if proof is None:
            return AnchorSteps.of(self._gold_at(plan, step_index, fields, fields["flaw_step"] - 1))
        flawed = plan.steps[position_of(plan, proof.step)]
        return AnchorSteps(flawed, plan.steps[position_of(plan, proof.prerequisite)], flawed)

    def _made(self, made: BadPlan) -> dict[str, Any]:
        proof = made.proof
        label = f"FlawStep={proof.flaw_step}; FlawType={proof.flaw_type}; Reason={proof.reason}"
        return {"K": len(made.gold), **_flaw(made), "label": label}

    def _label_problems(self, fields: Fields, proof: Proof | Unproven) -> Iterator[Problem]:
        found = _ANSWER.fullmatch(fields["label"])
        if found is None:
            form = "FlawStep=p; FlawType=T; Reason=…"
            yield Problem("fields.label", f"label is {shown(fields['label'])}, but is to be like {form}")
            return
        if int(found["step"]) != fields["flaw_step"]:
            yield Problem("fields.label", f"FlawStep is {found['step']}, but flaw_step is {shown(fields['flaw_step'])}")
        if found["type"] != fields["flaw_type"]:
            yield Problem("fields.label", f"FlawType is {found['type']}, but flaw_type is {shown(fields['flaw_type'])}")
        wanted = _wanted_reason(fields, proof)
        if wanted is not None and found["reason"] != wanted:
            yield Problem("fields.label", f"Reason is {shown(found['reason'])}, but is to be {shown(wanted)}")

    def conclusion(self, of: Answered) -> Conclusion:
        """The type of flaw, said of the flawed step; another type is a rival, other steps may stand beside."""
        bad, place, kind = of.texts("bad_plan_steps"), of.fields.get("flaw_step"), str(of.fields.get("flaw_type"))
        gold = bad[place - 1] if isinstance(place, int) and 0 < place <= len(bad) else ""
        said = {"gold": f'"{gold}"', "kind": FLAWS.get(kind, kind)}

        def others() -> tuple[list[str], list[str]]:
            return [form for other in FLAWS if other != kind for form in _forms(other)], but(bad, [gold])

        return Conclusion(_forms(kind), said, others, about=[gold])


class PlanRepair(_FlawedPlan):
    """How the bad plan is to be."""

    number = 36
    name = "Task_36_Plan_Repair_From_Flaw"
    asked = "Repair the plan by outputting the corrected K-step sequence."
    flow = ("state", "chained", "repair")
    types = typed(_FIELDS, proof=FlawProof, label=list[str])
    optional = frozenset(("K", "flaw_step", "flaw_type", "proof"))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """All of the step that has to come first; without a proof, of the first step that is not in its place."""
        proof = self._proof(plan, step_index, fields)
        if proof is not None:
            return AnchorSteps.of(plan.steps[position_of(plan, proof.prerequisite)])
        pairs = enumerate(zip(fields["bad_plan_steps"], fields["gold_plan_steps"], strict=False))
        place = next((place for place, (bad, gold) in pairs if not same(bad, gold)), 0)
        return AnchorSteps.of(self._gold_at(plan, step_index, fields, place))

    def _made(self, made: BadPlan) -> dict[str, Any]:
        return {**_flaw(made), "label": list(made.gold)}

    def _label_problems(self, fields: Fields, proof: Proof | Unproven) -> Iterator[Problem]:
        if not same(fields["label"], fields["gold_plan_steps"]):
            yield Problem("fields.label", "label is not gold_plan_steps")

    def conclusion(self, of: Answered) -> Conclusion:
        """The right steps in their order; a step of the bad plan alone is a rival."""
        gold = of.texts("label")

        def others() -> tuple[list[str], list[str]]:
            return but(of.texts("bad_plan_steps"), gold), of.goals_but(*gold)

        return Conclusion([tuple(gold)], {"gold": series(gold)}, others)


def _forms(kind: str) -> tuple[str, ...]:
    return FLAWS.get(kind, kind).partition(" ")[2] or kind, kind, kind.replace("_", " ")


def _flaw(made: BadPlan) -> dict[str, Any]:
    """The fields from the bad plan to the proof."""
    proof = made.proof
    told = {"flaw_step": proof.flaw_step, "flaw_type": proof.flaw_type, "proof": proof.fields}
    return {"bad_plan_steps": made.bad, "gold_plan_steps": made.gold, **told}


def _size_problems(fields: Fields, most: int) -> Iterator[Problem]:
    """``most`` is the greatest K that is possible here."""
    bad, gold = fields["bad_plan_steps"], fields["gold_plan_steps"]
    k = fields.get("K", len(gold))
    if not FEWEST <= k <= most:
        yield Problem("fields.k", f"K is {shown(k)}, but is to be from {FEWEST} to {most} here")
    for name, steps in (("bad_plan_steps", bad), ("gold_plan_steps", gold)):
        if len(steps) != k:
            yield Problem("fields.k", f"K is {shown(k)}, but {name} has {len(steps)} steps")


def _wording_problems(bad: Sequence[str], coming: Sequence[str]) -> Iterator[Problem]:
    """Steps of the plan that a bad plan has, but not word for word; spaces make no difference."""
    goals = {normalised(goal): goal for goal in coming}
    for place, text in enumerate(bad, 1):
        goal = goals.get(normalised(text))
        if goal is not None and not same(text, goal):
            message = f"step {place} of the bad plan is {shown(text)}, but the plan says {shown(goal)}"
            yield Problem("fields.proof", message)


def _proof_problems(fields: Fields, proof: Proof | Unproven) -> Iterator[Problem]:
    """What is stated of the flaw and not borne out."""
    if isinstance(proof, Unproven):
        # Who gives a proof along has to have one; of others no more is known than that their words tell nothing.
        yield Problem("fields.proof", proof.why, "error" if proof.refuted or "proof" in fields else "warning")
        return
    stated = fields.get("flaw_type", proof.flaw_type)
    if stated != proof.flaw_type:
        # Other authors may draw the line between the two types of wrong order elsewhere.
        level: Literal["error", "warning"] = "warning" if stated == proof.also and "proof" not in fields else "error"
        yield Problem("fields.proof", f"flaw_type is {shown(stated)}, but the plan shows {proof.flaw_type}", level)
    step = fields.get("flaw_step", proof.flaw_step)
    if step != proof.flaw_step:
        yield Problem("fields.proof", f"flaw_step is {shown(step)}, but the plan shows {proof.flaw_step}")
    for name, value in proof.fields.items():
        told = fields.get("proof", proof.fields)[name]
        if told != value:
            yield Problem("fields.proof", f"proof.{name} is {shown(told)}, but the plan shows {shown(value)}")


def _wanted_reason(fields: Fields, proof: Proof | Unproven) -> str | None:
    """The one reason that is right, None where others may be: words are free where no proof is given along."""
    if isinstance(proof, Unproven):
        return None
    if "proof" in fields and fields["flaw_type"] == proof.flaw_type:
        return proof.reason
    return missing(proof.condition) if fields["flaw_type"] == "precondition_missing" else None
