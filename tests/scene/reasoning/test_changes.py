"""What is measured of a call, which is what its reasons rest on."""

from __future__ import annotations

import pytest

from operators.scene.reasoning.changes import changes_of, degrees, percent, way
from operators.scene.reasoning.room import State
from operators.scene.reasoning.turn import Turn, turns_of
from operators.scene.simulator import Call
from tests.scene.finished import add, call
from tests.scene.reasoning.rooms import BED, CHAIR, DESK, OVERLAP, TURNS, WEST, chain_of, placed, room, turn_of

HALF_TURN = [0.0, 1.0, 0.0, 0.0]


def gains(turn: Turn) -> dict[str, dict[str, str]]:
    (change,) = changes_of(turn, State(turn.before, turn.names), State(turn.after, turn.names))
    return {gain.topic: gain.values for gain in change.gains}


def moved(jid: str, x: float, z: float) -> Call:
    return call(1, "move_object", jid=jid, new_position=[x, 0.0, z])


def test_a_move_out_of_an_overlap_tells_how_deep_it_was() -> None:
    assert gains(TURNS["move"])["overlap.gone"] == {
        "name": "the desk", "other": "the bed" if "bed" in TURNS["move"].names.values() else "the double bed",
        "depth": "0.5", "left": "0",
    }  # fmt: skip


def test_a_move_that_leaves_some_overlap_says_how_much() -> None:
    found = gains(turn_of(OVERLAP, moved("desk", 1.2, -1.7)))
    assert (found["overlap.less"]["depth"], found["overlap.less"]["left"]) == ("0.5", "0.2")


def test_a_move_that_makes_nothing_measurably_better_claims_no_gain() -> None:
    assert gains(TURNS["move for nothing"]) == {} or set(gains(TURNS["move for nothing"])) <= {"wall.reached"}
    farther = turn_of(room(placed(BED, 0.0, -0.95), placed(DESK, 1.4, -1.7)), moved("bed", 0.0, -0.5))
    assert gains(farther) == {}


def test_a_bed_that_comes_to_the_wall_is_better_off_and_a_chair_is_not() -> None:
    to_wall = gains(turn_of(room(placed(BED, 0.0, -0.5)), moved("bed", 0.0, -0.9)))
    assert to_wall == {"wall.reached": {"name": "the double bed", "wall": "north", "gap": "0.45", "left": "0.05"}}
    assert gains(turn_of(room(placed(CHAIR, 0.0, -1.0)), moved("chair", 0.0, -1.7))) == {}


def test_a_move_into_the_room_tells_the_share_that_was_outside() -> None:
    found = gains(turn_of(room(placed(DESK, 1.7, 0.0)), moved("desk", 1.4, 0.0)))
    assert found["outside.gone"] == {"name": "the desk", "share": "25", "left": "0"}


def test_a_chair_that_is_turned_to_its_desk_looks_at_it() -> None:
    assert gains(TURNS["rotate"])["faces.now"] == {"name": "the office chair", "other": "the desk", "facing": "north"}


@pytest.mark.parametrize(("rotation", "turned"), [(WEST, -90), ([0.0, 0.70711, 0.0, 0.70711], 90), (HALF_TURN, -180)])
def test_a_turn_is_measured_from_above_and_against_the_clock(rotation: list[float], turned: int) -> None:
    turn = turn_of(room(placed(DESK, 0.0, 0.0)), call(1, "rotate_object", jid="desk", new_rotation=rotation))
    (change,) = changes_of(turn, State(turn.before, turn.names), State(turn.after, turn.names))
    assert abs(degrees(change)) == abs(turned)
    assert abs(turned) == 180 or degrees(change) == turned


@pytest.mark.parametrize(
    ("x", "z", "told"), [(0.3, 0.0, ("0.3", "east")), (0.0, -0.4, ("0.4", "north")), (-0.3, 0.3, ("0.42", "southwest"))]
)
def test_a_way_has_a_length_and_a_direction(x: float, z: float, told: tuple[str, str]) -> None:
    turn = turn_of(room(placed(CHAIR, 0.0, 0.0)), moved("chair", x, z))
    (change,) = changes_of(turn, State(turn.before, turn.names), State(turn.after, turn.names))
    assert way(change) == told


def test_a_new_size_is_told_in_percent_of_the_old_one() -> None:
    turn = TURNS["scale"]
    (change,) = changes_of(turn, State(turn.before, turn.names), State(turn.after, turn.names))
    assert percent(change) == [10, 10, 0]


def test_what_is_removed_frees_what_it_overlapped() -> None:
    assert gains(TURNS["remove"])["removed.overlap"]["depth"] == "0.5"


def test_in_a_corner_the_wall_of_an_object_is_the_one_behind_its_back() -> None:
    # The desk's end is nearer to the east wall than its back is to the north wall.
    turn = turn_of(room(), call(1, "terminate", reason="Done."))
    _, z0, x1, _ = State(turn.before, turn.names).room.floor.bounds
    corner = placed(DESK, x1 - 0.6 - 0.01, z0 + 0.3 + 0.06)
    place = State(room(corner), {"desk": "desk"}).place("desk")
    assert (place.wall, round(place.gap, 2), place.back) == ("north", 0.06, True)


def test_what_an_earlier_turn_brought_is_known_to_the_later_ones() -> None:
    put = [add(1, BED, [0.0, 0.0, -0.9])]
    gone = [call(2, "remove_object", jid="bed")]
    first, second, _ = turns_of(chain_of(room(), put, gone, puts=[BED]).text())
    assert (dict(first.brought), dict(second.brought)) == ({}, {"bed": 1})
    assert not second.finished_things


def test_the_wish_is_told_of_a_chain_of_one_turn_in_a_furnished_room() -> None:
    assert [name for name, turn in TURNS.items() if not turn.alone] == ["add", "end", "end with a fault"]
