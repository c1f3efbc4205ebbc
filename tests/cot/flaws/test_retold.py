"""Goals of steps with another tool."""

from __future__ import annotations

import pytest

from operators.cot.flaws.ground import ground_of
from operators.cot.flaws.tools import with_tool
from operators.cot.plan import Plan
from tests.cot.flaws.plans import step


@pytest.mark.parametrize(
    ("goal", "tool", "expected"),
    [
        ("Pry the bead off with two levers.", "tire_lever", "Pry the bead off with the floor mop."),
        ("Pry the bead off using a tire lever", "tire_lever", "Pry the bead off using the floor mop"),
        ("Pump it up with the big red pump!", "pump", "Pump it up with the floor mop!"),
        ("Stir with wooden spoon until done.", "wooden_spoon", "Stir with the floor mop until done."),
        ("Stir the soup.", "wooden_spoon", "Stir the soup using the floor mop."),
        ("Stir the soup", "wooden_spoon", "Stir the soup using the floor mop"),
        ("Put the wooden spoon into the soup.", "wooden_spoon", None),
        ("Stir the soup with a ladle.", "wooden_spoon", None),
        ("Wooden spoon out, stir.", "wooden_spoon", None),
    ],
)
def test_a_goal_is_retold_where_it_reads_well(goal: str, tool: str, expected: str | None) -> None:
    names = ["tire_lever", "pump", "wooden_spoon"]
    plan = Plan("", [step(i, "Go.", [f"{name}: strong"], tools=[name]) for i, name in enumerate(names, 1)])
    assert with_tool(goal, tool, "floor_mop", ground_of(plan).tools) == expected
