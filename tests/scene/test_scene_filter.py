"""SceneFilter: its three conditions, what counts as a collision, and what is told of a room that goes."""

import json
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError
from dataflow_ext.testing import check_operator
from operators.scene.facts import fact_sheet
from operators.scene.scene_filter import Clashes, SceneFilter, clashes
from tests.scene.rooms_on_disk import a_room, in_groups, spread, thing


def table(*rooms: dict[str, Any]) -> pa.Table:
    return pa.table({"scene_id": [f"r{i}" for i in range(len(rooms))], "scene": [json.dumps(room) for room in rooms]})


def with_last(room: dict[str, Any], *last: dict[str, Any]) -> dict[str, Any]:
    """The room with these in place of its last objects."""
    return {**room, "objects": [*room["objects"][: -len(last)], *last]}


def clash(number: int, pairs: int = 1) -> dict[str, Any]:
    """A room of so many objects, of which pairs stand in each other at the far wall."""
    doubles = [thing(f"d{i}", 0.3 + i // 2 * 0.7 + i % 2 * 0.1, 2.7) for i in range(2 * pairs)]
    return with_last(spread(number), *doubles)


def outside(number: int, out: int) -> dict[str, Any]:
    """A room of so many objects, of which some stand in its wall, out of each other's way."""
    return with_last(spread(number), *(thing(f"o{i}", 0.3 + i * 0.7, 3.0) for i in range(out)))


@pytest.mark.parametrize(
    ("room", "kept"),
    [
        (clash(20, 1), True),  # 20 objects are enough whatever they do
        (clash(19, 1), False),  # 2 of 19 collide, which is more than 10 %
        (spread(5), True),  # (1) wants 5 objects
        (spread(4), False),
        (outside(5, 1), True),
        (outside(5, 2), False),  # 40 % out of bounds, and (3) wants more than 5 objects
        (outside(6, 2), True),  # (3) does not ask for what is out of bounds
        (outside(6, 5), True),
    ],
)
def test_a_room_stays_if_it_fulfils_one_of_three_conditions(room, kept):
    assert SceneFilter().apply(table(room)).table.num_rows == kept


def test_limits_are_exclusive():
    """A tenth of 20 objects collides: not less than 10 %."""
    assert SceneFilter(many_objects=99).apply(table(clash(20))).table.num_rows == 0
    assert SceneFilter(many_objects=99, collisions_below=0.101).apply(table(clash(20))).table.num_rows == 1


def test_the_rates_and_how_they_were_measured_are_told_of_each_room():
    [row] = SceneFilter(enabled=False)(table(clash(10))).to_pylist()
    assert (row["collision_rate"], row["oob_rate"]) == (0.2, 0.0)
    [row] = SceneFilter(enabled=False, metric="pairs", tolerance=0.05)(table(clash(10))).to_pylist()
    assert row["collision_rate"] == 1 / 45
    assert row["filter"] == (
        "share of pairs that collide by 0.05 m or more; share of objects with 5 % or more of the footprint outside"
    )
    [row] = SceneFilter(enabled=False)(table(outside(10, 3))).to_pylist()
    assert row["oob_rate"] == 0.3


def test_a_room_that_goes_is_told_with_its_numbers_and_the_nearest_condition():
    done = SceneFilter().apply(table(clash(10), spread(4), outside(5, 2), clash(19, 3)))
    measure = (
        "share of objects that collide by 0.05 m or more; share of objects with 5 % or more of the footprint outside"
    )
    assert done.rejects["message"].to_pylist() == [
        f"10 objects, 20.0 % of objects colliding, 0.0 % of objects out of bounds ({measure}); nearest was condition 1: "
        "20.0 % colliding, less than 10.0 % is wanted",
        f"4 objects, 0.0 % of objects colliding, 0.0 % of objects out of bounds ({measure}); nearest was condition 1: "
        "4 objects, at least 5 are wanted",
        f"5 objects, 0.0 % of objects colliding, 40.0 % of objects out of bounds ({measure}); nearest was condition 1: "
        "40.0 % out of bounds, less than 30.0 % is wanted",
        f"19 objects, 31.6 % of objects colliding, 0.0 % of objects out of bounds ({measure}); nearest was condition 2: "
        "19 objects, at least 20 are wanted",
    ]
    assert set(done.rejects["kind"].to_pylist()) == {"dropped"}
    assert json.loads(done.rejects["inputs"][0].as_py()) == {
        "scene_id": "r0", "room_type": "bedroom", "objects": 10, "collision_rate": 0.2, "oob_rate": 0.0,
    }  # fmt: skip


def test_what_rightly_shares_space_does_not_collide():
    table_ = thing("table", 2.0, 1.5, desc="A table", size=[1.6, 0.75, 0.9])
    rug = thing("rug", 2.0, 1.5, desc="A rug", size=[2.4, 0.03, 1.8])
    lamp = thing("lamp", desc="A table lamp", size=[0.3, 0.5, 0.3], pos=[2.0, 0.75, 1.5])
    chair = thing("chair", 2.0, 2.12, size=[0.5, 0.9, 0.5])  # 8 cm under the table
    room = a_room(table_, rug, lamp, chair)
    assert clashes(room) == Clashes(4, 0, 0, 0)


def test_objects_that_only_touch_do_not_collide():
    assert clashes(a_room(thing("a", 1.0), thing("b", 1.5), thing("c", pos=[1.0, 0.5, 1.0]))).pairs == 0


def test_the_tolerances_are_metres_of_penetration_and_a_share_of_the_footprint():
    deep = a_room(thing("a", 1.0), thing("b", 1.3), thing("c", 3.8))  # 0.2 m into each other; a tenth outside
    assert clashes(deep, tolerance=0.2, outside_tolerance=0.1) == Clashes(3, 1, 2, 1)
    assert clashes(deep, tolerance=0.21, outside_tolerance=0.11) == Clashes(3, 0, 0, 0)


def test_what_the_filter_counts_is_what_the_fact_sheet_tells():
    deep = a_room(thing("a", 1.0), thing("b", 1.45), thing("c", 3.775))  # 0.05 m into each other; a 20th outside
    words = [each.word for each in fact_sheet(deep).physical]
    assert clashes(deep) == Clashes(3, words.count("overlap"), 2, words.count("outside")) == Clashes(3, 1, 2, 1)
    near = a_room(thing("a", 1.0), thing("b", 1.46), thing("c", 3.77))
    words = [each.word for each in fact_sheet(near).physical]
    assert clashes(near) == Clashes(3, words.count("overlap"), 0, words.count("outside")) == Clashes(3, 0, 0, 0)


def test_an_object_outside_an_l_shaped_floor_is_out_of_bounds():
    corners = [[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]]
    floor = {"bounds_top": [[x, 2.6, z] for x, z in corners], "bounds_bottom": [[x, 0, z] for x, z in corners]}
    room = a_room(thing("in", 0.5, 2.0), thing("out", 2.5, 2.0), **floor)
    assert clashes(room, outside_tolerance=0.1) == Clashes(2, 0, 0, 1)


def test_rooms_in_groups_are_measured_across_their_groups():
    room = in_groups(("one", [thing("a", 1.0)]), ("two", [thing("b", 1.1)]))
    assert clashes(room) == Clashes(2, 1, 2, 0)


def test_a_row_that_is_no_room_is_a_reject():
    done = SceneFilter().apply(pa.table({"scene_id": ["a", "b"], "scene": ["{", json.dumps(spread(5))]}))
    assert (done.table.num_rows, done.rejects["kind"].to_pylist()) == (1, ["failed"])


def test_options_are_checked():
    with pytest.raises(OptionError, match="metric"):
        SceneFilter(metric="meshes")
    with pytest.raises(OptionError, match="collisions_below"):
        SceneFilter(collisions_below=10)


def test_it_keeps_the_laws_of_operators():
    kept = check_operator(SceneFilter(), table(spread(6), clash(10), spread(20)))
    assert kept["scene_id"].to_pylist() == ["r0", "r2"]
