"""Turns that make a room worse, and chains without any."""

import pyarrow as pa

from examples.made_rooms.room import synthetic_room
from operators import SceneReverseEditor
from operators.scene.editing.chains import first_slip
from operators.scene.model.chain import Chain
from operators.scene.model.scene import written
from operators.scene.reading.room_file import read_room
from tests.scene.facts.turns import put, room

BED = put("b", "A double bed.", [1.6, 0.9, 2.0], [0.0, 0.0, -1.0])
DESK = put("d", "A writing desk.", [1.2, 0.75, 0.6], [1.4, 0.0, 1.5])


def test_the_first_turn_after_which_more_overlaps_is_told():
    clear, clash = room("bedroom", 4, 4, [BED, DESK]), room("bedroom", 4, 4, [BED, {**DESK, "pos": [1.0, 0.0, -1.0]}])
    bare = room("bedroom", 4, 4, [])
    assert first_slip([bare, clear, clear]) is None
    assert first_slip([bare, clear, clash, clear]) == 2
    assert first_slip([clash, clear]) is None
    assert first_slip([bare, clear, clash]) is None, "what the finished room has does not count"


def test_without_slips_no_turn_of_a_chain_makes_the_room_worse():
    scene = written(read_room(written(synthetic_room(5, 0, room_type="bedroom")).encode()).scene)
    table = pa.table({"scene_id": ["a"], "scene": [scene]})
    chains = SceneReverseEditor(chains=6, slips=False, seed=3)(table)["chain"].to_pylist()
    assert [first_slip(Chain.read(text).states()) for text in chains] == [None] * 6
