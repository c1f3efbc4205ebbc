"""Calls and their effects in words."""

import pytest

from operators.scene.model.simulator import apply
from operators.scene.reasoning.turn import changes, heading, told_calls
from tests.scene.finished import CHAIN, EMPTY, FLAT, RETRIEVALS, call


def told(number: int) -> list[str]:
    states = [*CHAIN.states(), CHAIN.states()[-1]]
    return told_calls(states[number], CHAIN.turns[number], states[number + 1], RETRIEVALS)


def test_an_added_object_is_called_as_in_the_room_that_comes():
    assert told(0) == [
        "add bed at (0.00, 0.00, -0.90), 1.60 × 0.90 × 2.10 m, facing south (180°): A wide oak bed with a gray cover"
    ]


def test_what_is_there_is_called_as_in_the_room_before_and_told_with_its_old_value():
    assert told(2) == [
        "replace chair by nightstand 2, 0.45 × 0.50 × 0.40 m: A small oak nightstand",
        "move nightstand 1 from (-1.10, 0.00, -1.75) to (-1.05, 0.00, -1.70)",
    ]
    assert told(3) == ["finish: The bedroom is furnished."]


def test_every_tool_has_its_words():
    room = CHAIN.states()[1]
    calls = [
        call(1, "rotate_object", jid="bed-1", new_rotation=[0.0, 0.70711, 0.0, 0.70711]),
        call(2, "scale_object", jid="bed-1", new_size=[1.0, 1.0, 2.0]),
        call(3, "remove_object", jid="bed-1"),
    ]
    assert told_calls(room, calls, EMPTY, {}) == [
        "turn bed from south (180°) to east (90°)",
        "scale bed from 1.60 × 0.90 × 2.10 m to 1.00 × 1.00 × 2.00 m",
        "remove bed",
    ]


def test_changes_are_told_object_by_object():
    states = CHAIN.states()
    assert changes(states[1], states[1]) == []
    assert changes(states[0], states[1]) == ["bed is new, at (0.00, 0.00, -0.90)"]
    assert changes(states[2], states[3]) == [
        "chair is gone",
        "nightstand 2 is new, at (1.40, 0.00, -1.70)",
        "nightstand 1: pos [-1.1, 0.0, -1.75] is now [-1.05, 0.0, -1.7]",
    ]
    turned = apply(states[1], [call(1, "rotate_object", jid="bed-1", new_rotation=[0.0, 1.0, 0.0, 0.0])])
    assert changes(states[1], turned) == [f"bed: rot {FLAT} is now [0.0, 1.0, 0.0, 0.0]"]


@pytest.mark.parametrize(
    ("rot", "words"),
    [
        ([0.0, 1.0, 0.0, 0.0], "north (0°)"),
        ([0.0, -0.70711, 0.0, 0.70711], "west (270°)"),
        ([0.0, -0.70711, 0.0, -0.70711], "east (90°)"),
        ([0.0, 0.38268, 0.0, 0.92388], "southeast (135°)"),
        ([0.0, 0.0, 0.0, 0.0], "south (180°)"),
    ],
)
def test_a_rotation_is_told_by_where_the_front_looks(rot, words):
    assert heading(rot) == words
