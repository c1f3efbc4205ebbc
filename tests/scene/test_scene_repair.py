"""SceneRepair: what is moved, what is left out, and what stays as it is."""

import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import SceneRepair
from operators.scene.facts import fact_sheet
from operators.scene.model.scene import objects_of, written
from operators.scene.scene_repair import repaired
from tests.scene.turns import put, room


def faults(scene):
    return [str(each) for each in fact_sheet(scene).problems]


BED = put("b", "A double bed.", [1.6, 0.9, 2.0], [0.0, 0.0, -1.0])

ROOMS = {
    "a nightstand in the bed": (
        [BED, put("n", "A nightstand.", [0.5, 0.5, 0.4], [0.95, 0.0, -1.8])], ["nightstand moved by 0.06 m"]),
    "a bed through the wall": ([{**BED, "pos": [0.0, 0.0, -1.2]}], ["double bed moved by 0.15 m"]),
    "a floating plant": ([BED, put("p", "A potted plant.", [0.4, 1.0, 0.4], [1.5, 0.3, 1.5])], ["plant set down on the floor"]),
    "a desk with a lamp on it, in the wall": (
        [BED, put("d", "A writing desk.", [1.2, 0.75, 0.6], [0.0, 0.0, 1.8]), put("l", "A table lamp.", [0.2, 0.4, 0.2], [0.3, 0.75, 1.8])],
        ["desk moved by 0.10 m"]),
    "a wardrobe off the wall": (
        [BED, put("w", "A wardrobe.", [1.0, 2.2, 0.6], [0.9, 0.0, 1.25], 180)], ["wardrobe moved by 0.15 m"]),
    "a chair with its back to the desk": (
        [BED, put("d", "A writing desk.", [1.2, 0.75, 0.6], [-1.2, 0.0, 1.7], 180), put("c", "An office chair.", [0.5, 0.9, 0.5], [-1.2, 0.0, 1.0], 180)],
        ["office chair turned by 180°"]),
    "a cabinet that faces the wall": (
        [BED, put("s", "A sideboard.", [1.0, 0.8, 0.4], [0.0, 0.0, 1.8], 0)], ["sideboard turned by 180°"]),
    "nothing wrong": ([BED], []),
}  # fmt: skip


@pytest.mark.parametrize(("objects", "done"), ROOMS.values(), ids=ROOMS)
def test_faults_are_mended_by_the_smallest_move_with_what_stands_on_it(objects, done):
    found = repaired(room("bedroom", 4, 4, objects))
    assert (list(found.done), list(found.left), faults(found.scene)) == (done, [], [])


def test_a_room_whose_fault_no_small_move_mends_is_left_out_and_named_unless_it_is_kept():
    crowd = room("bedroom", 2, 2.2, [BED, put("w", "A wardrobe.", [1.6, 2.2, 0.6], [0.0, 0.0, -0.8])])
    good = room("bedroom", 4, 4, [BED])
    table = pa.table({"scene_id": ["a", "b"], "scene": [written(crowd), written(good)]})
    done = SceneRepair().apply(table)
    (reject,) = done.rejects.to_pylist()
    assert (reject["kind"], json.loads(reject["inputs"])["scene_id"]) == ("dropped", "a")
    assert reject["message"] == (
        "problems remain: double bed overlaps wardrobe by 0.90 m; double bed is 45 % outside the room, 0.90 m past the north "
        "wall"
    )
    assert done.table.to_pylist() == [{"row_id": done.table["row_id"][0].as_py(), "scene_id": "b",
                                       "scene": written(good), "repairs": []}]  # fmt: skip
    assert SceneRepair(keep_faulty=True)(table).num_rows == 2
    assert SceneRepair(enabled=False)(table)["scene"].to_pylist() == [written(crowd), written(good)]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.integers(0, 359)), min_size=1, max_size=4))
def test_a_repair_never_brings_a_fault_and_changes_places_and_turns_alone(places):
    made = room("bedroom", 4, 4, [put(f"o{i}", "A chair.", [0.5, 0.9, 0.5], [round(x, 2), 0.0, round(z, 2)], yaw)
                                  for i, (x, z, yaw) in enumerate(places)])  # fmt: skip
    found = repaired(made)
    assert len(found.left) <= len(faults(made))
    for old, new in zip(objects_of(made), objects_of(found.scene), strict=True):
        assert {k: v for k, v in old.items() if k not in ("pos", "rot")} == {
            k: v for k, v in new.items() if k not in ("pos", "rot")}  # fmt: skip
