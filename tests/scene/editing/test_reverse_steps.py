"""Each way back: what it leaves, and the call that undoes it."""

from __future__ import annotations

import math
import random
from functools import partial

import pyarrow as pa
import pytest

from examples.made_rooms.room import synthetic_room
from operators import SceneReverseEditor
from operators.scene.editing.adding import reverse_adds, reverse_remove
from operators.scene.editing.catalogue import catalogue
from operators.scene.editing.chains import first_slip
from operators.scene.editing.changing import reverse_change, reverse_replace
from operators.scene.editing.room import Room, band_of
from operators.scene.editing.state import State
from operators.scene.model.chain import Chain
from operators.scene.model.floor import floor_of
from operators.scene.model.geometry import (
    box_of,
    degrees_between,
    nearest_wall,
    outside_share,
    overlap_depth,
    turned_by,
)
from operators.scene.model.kinds import kind_of
from operators.scene.model.scene import objects_of, rounded, same_room, written
from operators.scene.model.simulator import apply
from operators.scene.reading.room_file import read_room
from tests.scene.editing.rooms import L_SHAPE, furnished, ssr, thing
from tests.scene.turns import put, room


def stepped(room, back, seed):
    """The room before, and the call; the call makes the room of it."""
    state = State.at_end(Room.of(room, catalogue()))
    draft = back(state, random.Random(seed))
    if draft is None:
        return None
    before = state.room.scene_of(state.things)
    call = {**draft.call("tool_1"), **({"retrieval": draft.retrieval} if draft.retrieval else {})}
    assert same_room(apply(before, [call]), room)
    return before, call


def changed(before, room):
    """The object that is another in the room before, then and after."""
    after = {each["jid"]: each for each in objects_of(room)}
    [(old, new)] = [(o, after[o["jid"]]) for o in objects_of(before) if o != after.get(o["jid"])]
    return old, new


def test_what_is_moved_stood_up_to_half_a_metre_away_at_the_same_height_inside_the_floor():
    room = ssr(
        [thing(0, "A small stool.", [0.3, 0.4, 0.3], 0.3, 0.3), thing(1, "A sofa.", [2.0, 0.8, 0.9], -1, -1)], L_SHAPE
    )
    for seed in range(150):
        before, call = stepped(room, partial(reverse_change, "move_object"), seed)
        old, new = changed(before, room)
        dx, dz = new["pos"][0] - old["pos"][0], new["pos"][2] - old["pos"][2]
        assert call["arguments"] == {"jid": new["jid"], "new_position": new["pos"]}
        assert max(abs(dx), abs(dz)) <= 0.5 + 1e-9
        assert math.hypot(dx, dz) >= 0.1 - 1e-9
        assert old["pos"][1] == new["pos"][1]
        assert floor_of(room).contains(old["pos"][0], old["pos"][2])


def test_a_moved_thing_does_not_stand_deep_in_another():
    stools = [thing(i, "A small stool.", [0.4, 0.4, 0.4], -0.6 + 0.6 * i, 0.0) for i in range(3)]
    for seed in range(100):
        before, _ = stepped(ssr(stools), partial(reverse_change, "move_object"), seed)
        boxes = [box_of(each) for each in before["objects"]]
        assert max(overlap_depth(a, b) for i, a in enumerate(boxes) for b in boxes[:i]) < 0.3


def test_what_hangs_on_a_wall_slides_along_it():
    picture = {**thing(0, "An abstract painting.", [0.8, 0.6, 0.03], -2.45, 0.0, 90.0), "pos": [-2.45, 1.2, 0.0]}
    room = ssr([picture])
    for seed in range(30):
        old, new = changed(stepped(room, partial(reverse_change, "move_object"), seed)[0], room)
        assert abs(old["pos"][0] - new["pos"][0]) < 0.011
        assert abs(old["pos"][2] - new["pos"][2]) >= 0.09


def test_four_of_five_rotations_are_about_a_quarter_turn_and_none_is_small():
    room = ssr([thing(0, "A dining chair.", [0.5, 0.9, 0.5], degrees=30.0)])
    angles = []
    for seed in range(400):
        old, new = changed(stepped(room, partial(reverse_change, "rotate_object"), seed)[0], room)
        angles.append(degrees_between(old["rot"], new["rot"]))
    near = sum(75 - 0.01 <= angle <= 105.01 for angle in angles) / len(angles)
    assert min(angles) > 14.98
    assert 0.74 < near < 0.86
    assert any(angle < 60 for angle in angles)
    assert any(angle > 120 for angle in angles)


@pytest.mark.parametrize("rot", [[0.0, 0.0, 0.0, 1.0], [-0.03367, 0.7063, 0.03367, 0.7063]])
def test_a_turn_is_about_the_upright_axis_of_the_world(rot):
    flat = {"pos": [0.0] * 3, "size": [1.0, 1.0, 1.0], "rot": rot}
    turned = {**flat, "rot": turned_by(rot, 90.0)}
    (ax, az), (bx, bz) = box_of(flat).front, box_of(turned).front
    assert (round(bx, 3), round(bz, 3)) == (round(az, 3) + 0.0, round(-ax, 3) + 0.0)
    assert box_of(flat).high == pytest.approx(box_of(turned).high)


def test_a_quaternion_and_its_negative_are_no_rotation():
    rot = [0.1, -0.5, 0.2, 0.8]
    assert degrees_between(rot, [-n for n in rot]) < 0.001
    assert degrees_between([0.0] * 4, rot) == 0.0


def test_things_with_a_front_are_turned_rather_than_others():
    room = ssr(
        [thing(0, "A grey sofa.", [2.0, 0.8, 0.9]), *(thing(i, "A round rug.", [1.0, 0.02, 1.0]) for i in (1, 2))]
    )
    turned = [
        changed(stepped(room, partial(reverse_change, "rotate_object"), seed)[0], room)[1]["jid"] for seed in range(60)
    ]
    assert turned.count("o0") > 45


def test_a_scaling_is_by_the_same_factor_for_all_sides_and_can_be_seen():
    size = [1.53, 0.84, 0.97]
    room = ssr([thing(0, "A desk.", size)])
    factors = []
    for seed in range(200):
        old, new = changed(stepped(room, partial(reverse_change, "scale_object"), seed)[0], room)
        factor = sum(new["size"]) / sum(old["size"])
        assert all(abs(a - b / factor) < 0.02 for a, b in zip(old["size"], new["size"], strict=True))
        assert old["size"] == rounded(old["size"], "size")
        factors.append(factor)
    assert 0.69 < min(factors) < 0.75
    assert 1.25 < max(factors) < 1.31
    assert not [factor for factor in factors if 0.96 < factor < 1.04]


def test_what_is_too_small_to_be_scaled_visibly_is_not():
    assert stepped(ssr([thing(0, "A pin.", [0.02, 0.02, 0.02])]), partial(reverse_change, "scale_object"), 1) is None


def test_a_replaced_thing_was_of_the_same_kind_and_stood_in_the_same_place():
    room = ssr(
        [
            {
                **thing(0, "A grey three-seat sofa.", [2.0, 0.8, 0.9], 0.5),
                "type": "major",
                "jid": "s__2",
                "asset_jid": "s",
            }
        ]
    )
    before, call = stepped(room, reverse_replace, 3)
    [old], [new] = before["objects"], room["objects"]
    assert kind_of(old["desc"]).family == "sofa"
    assert (old["pos"], old["rot"], old["type"]) == (new["pos"], new["rot"], "major")
    assert call["arguments"] == {"jid_to_replace": old["jid"], "new_object_description": new["desc"]}
    assert call["retrieval"] == {key: value for key, value in new.items() if key not in ("pos", "rot")}


def test_nothing_is_replaced_that_the_catalogue_does_not_know():
    assert stepped(ssr([thing(0, "?", [1.0] * 3)]), reverse_replace, 1) is None


def test_what_is_removed_stood_free_inside_the_floor():
    room = furnished()
    for seed in range(60):
        if (step := stepped(room, reverse_remove, seed)) is not None:
            before, call = step
            *others, extra = before["objects"]
            assert (extra["jid"], extra["pos"][1]) == (call["arguments"]["jid"], 0.0)
            assert outside_share(box_of(extra), floor_of(room)) < 0.01
            assert sum(overlap_depth(box_of(extra), box_of(each)) for each in others) < 0.25
            assert kind_of(extra["desc"]).stands == "floor"


def test_what_is_removed_and_has_a_back_stood_at_a_wall():
    room, backs = ssr([thing(0, "A stool.", [0.4, 0.4, 0.4])], [[-3.0, 3.0], [3.0, 3.0], [3.0, -3.0], [-3.0, -3.0]]), 0
    for seed in range(80):
        before, _ = stepped(room, reverse_remove, seed)
        *_, extra = before["objects"]
        if kind_of(extra["desc"]).family in ("storage", "shelf", "desk", "sofa"):
            box = box_of(extra)
            wall = nearest_wall(box, floor_of(room))
            assert wall.gap == pytest.approx(0.02, abs=0.011)
            assert [a + b for a, b in zip(box.front, wall.wall.out, strict=True)] == pytest.approx([0.0, 0.0], abs=1e-4)
            backs += 1
    assert backs > 10


def test_nothing_is_removed_from_a_closet_in_which_nothing_fits():
    closet = ssr([thing(0, "A sofa.", [0.2, 0.2, 0.2])], [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3]])
    assert stepped(closet, reverse_remove, 1) is None


@pytest.mark.parametrize(("progress", "due"), [(0.0, 0), (0.29, 0), (0.3, 1), (0.69, 1), (0.7, 2), (1.0, 2)])
def test_the_band_that_is_due_goes_first(progress, due):
    sizes = {1: [1.0, 1.0, 1.0], 2: [2.0, 1.0, 2.0], 0: [0.5, 0.5, 0.5]}
    objects = [thing(i, "A chair.", sizes[(i + due) % 3 if i else due]) for i in range(9)]
    if due:  # nothing is overdue
        objects = [each for each in objects if band_of(each["size"]) >= due]
    state = State.at_end(Room.of(ssr(objects), catalogue()))
    [call] = reverse_adds(state, random.Random(1), 1, progress)
    assert band_of(call.arguments["size"]) == due


def test_an_add_tells_all_of_an_object_and_the_retrieval_all_but_its_place():
    sofa = {**thing(0, "A sofa.", [2.0, 0.8, 0.9], 0.5, 0.25), "jid": "s__2", "asset_jid": "s", "type": "major"}
    state = State.at_end(Room.of(ssr([sofa]), catalogue()))
    [call] = reverse_adds(state, random.Random(1), 3, 0.0)
    assert call.call("tool_7") == {
        "id": "tool_7",
        "name": "add_object",
        "arguments": {
            "object_description": "A sofa.",
            "position": [0.5, 0.0, 0.25],
            "rotation": [0.0, 0.0, 0.0, 1.0],
            "size": [2.0, 0.8, 0.9],
        },
    }
    assert call.retrieval == {
        "desc": "A sofa.", "size": [2.0, 0.8, 0.9], "jid": "s__2", "asset_jid": "s", "type": "major"
    }  # fmt: skip


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
