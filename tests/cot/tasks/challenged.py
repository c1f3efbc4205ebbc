"""A plan whose steps have little in common, with a challenge and a failure each, and plans of any texts."""

from __future__ import annotations

from hypothesis import strategies as st

from operators.cot.plan import CausalChain, Failure, Plan, Spatial, Step


def _step(step_id: int, goal: str, action: str, before: Spatial, after: Spatial, challenge: str, outcome: str, reason: str, recovery: str) -> Step:  # fmt: skip
    chain = CausalChain("hands", action, after.objects[0], [before], [], [after])
    return Step(step_id, goal, "", chain, challenge, outcome, Failure(reason, recovery))


#: Five steps: after the recoveries of 11 and 13 they are done, after that of 12 it is not, that of 14 does not tell.
CAKE = Plan(
    "Bake a cake and serve it.",
    [
        _step(
            11,
            "Pour the batter into the tin.",
            "tilt the bowl",
            Spatial("inside", ["batter", "bowl"]),
            Spatial("inside", ["batter", "tin"]),
            "What if the bowl were frozen?",
            "The batter would not run.",
            "Some of it sticks to the bowl.",
            "Scrape the batter into the tin with a spatula.",
        ),
        _step(
            12,
            "Carry the tin to the oven.",
            "walk with it",
            Spatial("holding", ["hands", "mitts"]),
            Spatial("inside", ["tin", "oven"]),
            "If the door were jammed, would the cake get done?",
            "The oven would stay empty.",
            "they are wet and let the heat through",
            "Dry the mitts on the rack and take another pair",
        ),
        _step(
            13,
            "Dust the cake with sugar.",
            "shake the sieve",
            Spatial("above", ["sieve", "cake"]),
            Spatial("covered_with", ["cake", "sugar"]),
            "What if the sieve had a hole?",
            "Lumps of sugar would fall on one spot.",
            "It has drawn damp!",
            "Press the sugar through the sieve, then go on to cut the cake.",
        ),
        _step(
            14,
            "Cut the cake with a long knife.",
            "saw downward",
            Spatial("holding", ["hands", "knife"]),
            Spatial("separated_into_parts", ["cake"]),
            "What if the blade were blunt?",
            "The crumb would tear under the knife.",
            "the blade slips",
            "Cut.",
        ),
        _step(
            15,
            "Lay the slices on plates.",
            "lift with a server",
            Spatial("holding", ["hands", "server"]),
            Spatial("on", ["slices", "plates"]),
            "What if the plates were missing?",
            "The slices would have to wait on the board.",
            "one of them topples over",
            "Set the slice upright with the server and wipe the plates.",
        ),
    ],
)


def any_challenged_plan() -> st.SearchStrategy[Plan]:
    """Plans of up to eight steps with texts of all kinds, some of them the same, some of them blank."""
    said = st.sampled_from(["", " ", "...", "Wipe it.", "wipe  it", "Pour again.", "倒水。", "What if it rains?"])
    text = said | st.text(max_size=20) | st.sampled_from([text for step in CAKE.steps for text in _texts(step)])
    goal = text.filter(lambda each: bool(each.strip()))
    chain = st.sampled_from([CausalChain(), *(step.causal_chain for step in CAKE.steps)])
    steps = st.lists(st.tuples(goal, chain, text, text, text, text), min_size=1, max_size=8)
    return st.builds(lambda goal, made: Plan(goal, [_of(i, each) for i, each in enumerate(made, 1)]), text, steps)


def _of(step_id: int, made: tuple[str, CausalChain, str, str, str, str]) -> Step:
    goal, chain, challenge, outcome, reason, recovery = made
    return Step(step_id, goal, "", chain, challenge, outcome, Failure(reason, recovery))


def _texts(step: Step) -> list[str]:
    failure = step.failure_reflecting
    return [
        step.step_goal,
        step.counterfactual_challenge_question,
        step.expected_challenge_outcome,
        failure.reason,
        failure.recovery_strategy,
    ]
