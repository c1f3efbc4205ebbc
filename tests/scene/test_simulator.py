"""What each call makes of a room, in both forms, and what cannot be done."""

from typing import Any

import pytest

from operators.scene.model.simulator import CallError, apply, target_of

CHAIR = {"desc": "red chair", "size": [0.5, 0.9, 0.5], "pos": [1.0, 0.0, 1.0], "rot": [0.0, 0.0, 0.0, 1.0], "jid": "c"}
TABLE = {**CHAIR, "desc": "oak table", "size": [1.4, 0.7, 0.8], "pos": [0.0, 0.0, 0.0], "jid": "t", "type": "major"}
ROOM = {"bounds_top": [], "bounds_bottom": [], "room_type": "study", "room_id": "R", "objects": [TABLE, CHAIR]}
GROUPS = {
    "room_envelope": {"bounds_top": [], "bounds_bottom": []},
    "room_type": "study",
    "room_id": "R",
    "groups": [
        {"group_name": "work", "group_type": "functional", "objects": [TABLE]},
        {"group_name": "sit", "group_type": "seating", "objects": [CHAIR]},
    ],
}
LAMP = {"jid": "l", "desc": "brass lamp", "size": [0.3, 1.5, 0.3]}


def call(name: str, number: int = 1, **arguments: Any) -> dict[str, Any]:
    return {"id": f"tool_{number}", "name": name, "arguments": arguments}


def add(number: int = 1, **more: Any) -> dict[str, Any]:
    return call("add_object", number, object_description="a lamp", position=[2.0, 0.0, 0.0],
                rotation=[0.0, 0.0, 0.0, 1.0], size=[0.3, 1.5, 0.3], **more)  # fmt: skip


def code_of(scene: Any, *calls: Any, retrievals: Any = None) -> str:
    with pytest.raises(CallError) as caught:
        apply(scene, calls, retrievals)
    return caught.value.code


@pytest.mark.parametrize(
    ("done", "changed"),
    [
        (call("move_object", jid="c", new_position=[0.5, 0.0, 0.25]), {"pos": [0.5, 0.0, 0.25]}),
        (call("rotate_object", jid="c", new_rotation=[0.0, 1.0, 0.0, 0.0]), {"rot": [0.0, 1.0, 0.0, 0.0]}),
        (call("scale_object", jid="c", new_size=[0.6, 1.0, 0.6]), {"size": [0.6, 1.0, 0.6]}),
    ],
)
def test_a_change_sets_one_value_of_one_object_in_both_forms(done: Any, changed: Any):
    assert apply(ROOM, [done]) == {**ROOM, "objects": [TABLE, {**CHAIR, **changed}]}
    work, sit = GROUPS["groups"]
    assert apply(GROUPS, [done]) == {**GROUPS, "groups": [work, {**sit, "objects": [{**CHAIR, **changed}]}]}


def test_an_added_object_stands_last_and_is_the_one_that_was_retrieved():
    lamp = {"desc": "brass lamp", "size": [0.3, 1.5, 0.3], "pos": [2.0, 0.0, 0.0], "rot": [0.0, 0.0, 0.0, 1.0],
            "jid": "l"}  # fmt: skip
    assert apply(ROOM, [add()], {"tool_1": LAMP}) == {**ROOM, "objects": [TABLE, CHAIR, lamp]}
    assert apply(ROOM, [{**add(), "retrieval": LAMP}]) == {**ROOM, "objects": [TABLE, CHAIR, lamp]}


def test_an_added_object_joins_the_group_that_is_named_or_begins_it():
    lamp = {"desc": "brass lamp", "size": [0.3, 1.5, 0.3], "pos": [2.0, 0.0, 0.0], "rot": [0.0, 0.0, 0.0, 1.0],
            "jid": "l"}  # fmt: skip
    work, sit = GROUPS["groups"]
    joined = apply(GROUPS, [add(group_name="work")], {"tool_1": LAMP})
    assert joined["groups"] == [{**work, "objects": [TABLE, lamp]}, sit]
    begun = apply(GROUPS, [add(group_name="light")], {"tool_1": {**LAMP, "group_type": "lighting"}})
    assert begun["groups"] == [work, sit, {"group_name": "light", "group_type": "lighting", "objects": [lamp]}]


def test_a_removed_object_is_gone_and_takes_its_empty_group_along():
    assert apply(ROOM, [call("remove_object", jid="t")]) == {**ROOM, "objects": [CHAIR]}
    assert apply(GROUPS, [call("remove_object", jid="t")])["groups"] == GROUPS["groups"][1:]


def test_a_replacement_keeps_place_position_and_rotation_and_nothing_else():
    done = call("replace_object", jid_to_replace="t", new_object_description="a lamp")
    put = {**TABLE, **LAMP}
    del put["type"]
    assert apply(ROOM, [done], {"tool_1": LAMP}) == {**ROOM, "objects": [put, CHAIR]}


def test_terminate_and_no_call_at_all_change_nothing():
    assert apply(ROOM, [call("terminate", reason="done")]) == ROOM == apply(ROOM, [])


def test_calls_are_done_one_after_the_other():
    moved = call("move_object", 2, jid="l", new_position=[0.0, 0.0, 1.0])
    assert apply(ROOM, [add(), moved], {"tool_1": LAMP})["objects"][2]["pos"] == [0.0, 0.0, 1.0]
    assert code_of(ROOM, moved, add(), retrievals={"tool_1": LAMP}) == "call.no_such_object"


def test_the_room_that_went_in_is_as_it_was():
    before = repr(ROOM) + repr(GROUPS)
    for scene in (ROOM, GROUPS):
        apply(scene, [add(), call("scale_object", 2, jid="c", new_size=[1.0, 1.0, 1.0])], {"tool_1": LAMP})
        apply(scene, [call("remove_object", jid="t")])
    assert repr(ROOM) + repr(GROUPS) == before


@pytest.mark.parametrize(
    ("done", "code"),
    [
        (call("paint_object", jid="c"), "call.unknown_tool"),
        (call("move_object", jid="c"), "call.arguments"),
        (call("move_object", jid="c", new_position=[1.0, 2.0]), "call.arguments"),
        (call("move_object", jid="c", new_position=[1.0, 2.0, float("nan")]), "call.arguments"),
        (call("move_object", jid="c", new_position=[1.0, 2.0, True]), "call.arguments"),
        (call("move_object", jid="c", new_position=[1.0, 2.0, 3.0], speed=1), "call.arguments"),
        (call("remove_object", jid=""), "call.arguments"),
        (call("remove_object", jid="nobody"), "call.no_such_object"),
        (add(), "call.no_retrieval"),
        ({**add(), "retrieval": {**LAMP, "jid": "c"}}, "jid.repeated"),
        ({**add(), "retrieval": {**LAMP, "pos": [0.0, 0.0, 0.0]}}, "call.no_retrieval"),
        ({"name": "terminate", "arguments": {"reason": "done"}}, "call.shape"),
        ("terminate", "call.shape"),
        ({"id": "tool_1", "name": ["x"], "arguments": {}}, "call.unknown_tool"),
        ({"id": "tool_1", "name": "terminate", "arguments": []}, "call.arguments"),
    ],
)
def test_a_call_that_cannot_be_done_tells_why_by_its_code(done: Any, code: str):
    assert code_of(ROOM, done) == code


def test_an_id_that_stands_twice_is_nobodys():
    twice = {**ROOM, "objects": [CHAIR, CHAIR]}
    assert code_of(twice, call("remove_object", jid="c")) == "call.no_such_object"


def test_the_target_is_told_for_every_tool():
    assert target_of(add()) is None
    assert target_of(call("remove_object", jid="c")) == "c"
    assert target_of(call("replace_object", jid_to_replace="t", new_object_description="x")) == "t"
