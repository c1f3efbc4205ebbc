"""Facts and plans of any kind: words of the tables and words that nobody knows, on few objects, so that they meet."""

from __future__ import annotations

from hypothesis import strategies as st

from operators.cot.plan import Affordance, CausalChain, Plan, Spatial, Step
from operators.cot.support.facts import Fact

_RELATIONS = [
    "on",
    "on_top_of",
    "placed_on",
    "inside",
    "in_box",
    "outside_of",
    "contains",
    "above",
    "under_lid",
    "attached_to",
    "detached_from",
    "holding",
    "held",
    "released",
    "contacting",
    "near",
    "next_to",
    "aligned_with",
    "evenly_mixed",
    "filled_with",
    "removed_from",
    "open",
    "closed",
    "sealed",
    "tightly_sealed",
    "wet",
    "not_wet",
    "partially_filled",
    "frobs",
    "standing_together",
    "in_hand",
    "covering",
    "covered_by",
    "里面",
    "submerged_in",
    "on(odd",
]
_STATES = [
    "open",
    "shut",
    "clean",
    "dirty",
    "ready_to_pour",
    "sealable",
    "sealed",
    "stirring",
    "stirred",
    "unlocked",
    "hot",
    "graspable",
    "可用",
    "frob",
]
_OBJECTS = [
    "box",
    "boxes",
    "blue_box",
    "jar",
    "jar_lid",
    "lid",
    "right_hand",
    "hands",
    "left_hand",
    "water",
    "red_lid",
    "盒子",
    "box_interior",
    "knife",
]

_names = st.sampled_from(_OBJECTS) | st.text(min_size=1, max_size=6).filter(str.strip)

relations = st.builds(
    lambda name, objects, truth: Fact("spatial", name, tuple(objects), truth),
    st.sampled_from(_RELATIONS),
    st.lists(st.sampled_from(_OBJECTS), min_size=1, max_size=3),
    st.booleans(),
)
affordances = st.builds(
    lambda name, thing: Fact("affordance", name, (thing,)), st.sampled_from(_STATES), st.sampled_from(_OBJECTS)
)
facts = relations | affordances
things = st.frozensets(st.sampled_from(_OBJECTS))

odd_facts = st.builds(
    lambda kind, name, objects, truth: Fact(kind, name, tuple(objects), truth),
    st.just("spatial"),
    st.text(min_size=1, max_size=8),
    st.lists(_names, min_size=1, max_size=6),
    st.booleans(),
) | st.builds(lambda name, thing: Fact("affordance", name, (thing,)), st.text(min_size=1, max_size=8), _names)


def plans_with_facts() -> st.SearchStrategy[Plan]:
    """Plans of up to four steps with facts before and after each."""
    some = st.lists(facts | odd_facts, max_size=4)
    steps = st.lists(st.tuples(some, some), min_size=1, max_size=4)
    return st.builds(lambda drawn: Plan("Do it.", [_step(i, *each) for i, each in enumerate(drawn, 1)]), steps)


def _step(step_id: int, before: list[Fact], after: list[Fact]) -> Step:
    return Step(
        step_id,
        f"Do part {step_id}.",
        causal_chain=CausalChain(
            causal_precondition_on_spatial=_spatial(before),
            causal_precondition_on_affordance=_affordances(before),
            causal_effect_on_spatial=_spatial(after),
            causal_effect_on_affordance=_affordances(after),
        ),
    )


def _spatial(drawn: list[Fact]) -> list[Spatial]:
    return [Spatial(fact.name, list(fact.objects), fact.truth) for fact in drawn if fact.kind == "spatial"]


def _affordances(drawn: list[Fact]) -> list[Affordance]:
    return [Affordance(fact.objects[0], [fact.name]) for fact in drawn if fact.kind == "affordance"]
