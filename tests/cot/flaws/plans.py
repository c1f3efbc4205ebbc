"""Small plans for flaws, and a stream that takes the first of whatever there is to draw from."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any

from operators.cot.plan import Affordance, CausalChain, Failure, Interaction, KeyFrame, Plan, Spatial, Step


class First(Random):
    """Draws what comes first, in the order in which it comes."""

    def sample(self, population: Sequence[Any], k: int, **_: Any) -> list[Any]:
        return list(population)[:k]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        pass

    def choice(self, seq: Sequence[Any]) -> Any:
        return seq[0]


def first(step_id: int, variant: str) -> Random:
    return First()


def fact(text: str) -> Spatial:
    """``not open(jar)`` or ``inside(jar, box)``."""
    name, _, objects = text.removeprefix("not ").rstrip(")").partition("(")
    return Spatial(name, objects.split(", "), not text.startswith("not "))


def able(text: str) -> Affordance:
    """``wrench: sturdy, long``."""
    name, _, types = text.partition(": ")
    return Affordance(name, types.split(", "))


def step(
    step_id: int,
    goal: str,
    needs: Sequence[str] = (),
    brings: Sequence[str] = (),
    *,
    patient: str = "",
    agent: str = "hands",
    tools: Sequence[str] = (),
) -> Step:
    """A step whose conditions and effects are written as in answers, affordances with a colon."""
    chain = CausalChain(
        agent,
        "",
        patient,
        [fact(each) for each in needs if ":" not in each],
        [able(each) for each in needs if ":" in each],
        [fact(each) for each in brings if ":" not in each],
        [able(each) for each in brings if ":" in each],
    )
    frame = KeyFrame(1, "", CausalChain(), Interaction(["hands", *tools]))
    return Step(step_id, goal, "", chain, failure_reflecting=Failure("it slips", "grip it"), critical_frames=[frame])


#: Only the last two steps depend on each other, by one relation.
BRACKET = Plan(
    "Mount the bracket on the frame.",
    [
        step(10, "Unpack the bracket.", (), ["not packed(bracket)"], patient="bracket"),
        step(20, "Clean the frame with the brush.", ["brush: bristled"], ["frame: spotless"], patient="frame", tools=["brush"]),
        step(30, "Hold the bracket against the frame.", (), ["against(bracket, frame)"], patient="bracket"),
        step(
            40,
            "Fasten the bracket with a small wrench.",
            ["against(bracket, frame)", "wrench: sturdy"],
            ["bracket: loadable"],
            patient="bracket",
            tools=["wrench"],
        ),
    ],
)  # fmt: skip

#: The jar has to be open for the filling, and is open from the beginning; one step closes it.
JAR = Plan(
    "Store the jam.",
    [
        step(1, "Boil the jam.", (), ["jam: thick"]),
        step(2, "Pour the jam.", ["open(jar)"], ["inside(jam, jar)"]),
        step(3, "Screw the lid down.", (), ["not open(jar)"]),
        step(4, "Stick the label on.", (), ["labelled(jar)"]),
    ],
)

#: Two relations between neighbours: whatever order breaks one of them breaks the other.
TWOFOLD = Plan(
    "Do it.",
    [
        step(1, "Begin."),
        step(2, "Make.", (), ["ra(aa)", "rb(bb)"]),
        step(3, "Use.", ["ra(aa)", "rb(bb)"], ["rc(cc)", "rd(dd)"]),
        step(4, "End.", ["rc(cc)", "rd(dd)"]),
    ],
)
