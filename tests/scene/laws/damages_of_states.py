"""Damages to what a line states: rooms of turns and final scenes that the calls do not give."""

import copy
from typing import Any

from operators.scene.model.scene import NEED_RETRIEVAL, written
from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    call,
    calls_in,
    final,
    first,
    known,
    last_state,
    put_calls,
    put_scene,
    scene_in,
    shifted,
    thing,
    things,
    turns_of,
)


def swapped(objects: list[Any]) -> None:
    """Change the order of the first two that differ."""
    if len(objects) < 2:
        raise NotHere
    objects[0], objects[1] = objects[1], objects[0]


def longest(scene: Any) -> list[Any]:
    return max(things(scene), key=len)


def groups(change: Change) -> Change:
    """Change the groups of a room, if it has any."""

    def made(scene: Any) -> None:
        if "groups" not in scene or len(scene["groups"]) < 2:
            raise NotHere
        change(scene["groups"])

    return made


def a_copy(scene: Any, **values: Any) -> dict[str, Any]:
    return {**copy.deepcopy(longest(scene)[0]), **values}


def two_states(line: Line) -> None:
    """Let two turns state each other's rooms."""
    last = turns_of(line) - 1
    if last < 2:
        raise NotHere
    one, other = scene_in(line, last), scene_in(line, last - 1)
    for turn, scene in ((last, other), (last - 1, one)):
        put_scene(line, turn, written(scene))


def two_answers(line: Line) -> None:
    """Let two editing turns have each other's calls."""
    if turns_of(line) < 3:
        raise NotHere
    one, other = calls_in(line, 0), calls_in(line, 1)
    put_calls(line, 0, written(other))
    put_calls(line, 1, written(one))


def one_less(line: Line) -> None:
    """Leave out the last call of the first answer, and its retrieval."""
    listed = calls_in(line, 0)
    if len(listed) < 2:
        raise NotHere
    line["metadata"]["retrievals"].pop(listed.pop()["id"], None)
    put_calls(line, 0, written(listed))


def argument(tool: str, name: str, place: int, by: float) -> Change:
    return call(lambda each: shifted(name, place, by)(each["arguments"]), tool)


def without_group(each: Any) -> None:
    if "group_name" not in each["arguments"]:
        raise NotHere
    del each["arguments"]["group_name"]


def other_group(each: Any) -> None:
    if "group_name" not in each["arguments"]:
        raise NotHere
    each["arguments"]["group_name"] = "far away"


STATE = {
    "an object 0.01 m to the side": last_state(thing(shifted("pos", 0, 0.01))),
    "an object 0.01 m higher": last_state(thing(shifted("pos", 1, 0.01))),
    "an object 0.01 m back": last_state(thing(shifted("pos", 2, -0.01), -1)),
    "an object 0.01 m wider": last_state(thing(shifted("size", 0, 0.01))),
    "an object turned by the last digit": last_state(thing(shifted("rot", 1, 0.00001))),
    "an object of another description": last_state(thing(lambda each: each.update(desc=each["desc"] + " "))),
    "an object of another id": last_state(thing(lambda each: each.update(jid="somebody-else"))),
    "an object with a key more": last_state(thing(lambda each: each.update(note="new"))),
    "objects in another order": last_state(lambda scene: swapped(longest(scene))),
    "an object left out": last_state(lambda scene: longest(scene).pop() and None),
    "an object too many": last_state(lambda scene: longest(scene).append(a_copy(scene, jid="one-more"))),
    "an empty room": last_state(lambda scene: scene.update({"groups" if "groups" in scene else "objects": []})),
    "another type of room": last_state(lambda scene: scene.update(room_type="sauna")),
    "another id of the room": last_state(lambda scene: scene.update(room_id="Room-77")),
    "a room with a key more": last_state(lambda scene: scene.update(style="modern")),
    "a floor that has moved": last_state(
        lambda s: shifted("bounds_bottom", 0, 0.0) and s.get("room_envelope", s)["bounds_bottom"][0].__setitem__(0, -9.0)),
    "a floor with a corner more": last_state(
        lambda s: s.get("room_envelope", s)["bounds_bottom"].append([0.0, 0.0, 0.0])),
    "rooms of two turns that have changed places": two_states,
    "groups in another order": last_state(groups(lambda found: found.reverse())),
    "a group of another name": last_state(groups(lambda found: found[0].update(group_name="elsewhere"))),
    "a group of another type": last_state(groups(lambda found: found[0].update(group_type="elsewhere"))),
    "a group without a type": last_state(groups(lambda found: found[0].pop("group_type"))),
    "an object in another group": last_state(groups(lambda found: found[1]["objects"].append(found[0]["objects"].pop()))),
    "a group without objects": last_state(
        groups(lambda found: found.append({"group_name": "new", "group_type": "", "objects": []}))),
    "a call left out": one_less,
    "an add 0.01 m beside": argument("add_object", "position", 2, 0.01),
    "an add turned by the last digit": argument("add_object", "rotation", 3, 0.00001),
    "a move 0.01 m beside": argument("move_object", "new_position", 0, 0.01),
    "a rotation of the last digit": argument("rotate_object", "new_rotation", 1, 0.00001),
    "a scaling of 0.01 m": argument("scale_object", "new_size", 0, 0.01),
    "an add that names no group": call(without_group, "add_object"),
    "an add to another group": call(other_group, "add_object"),
    "a retrieval of another id": lambda line: _retrieval(line).update(jid="somebody-else"),
}  # fmt: skip


def _retrieval(line: Line) -> Any:
    return first(iter(line["metadata"]["retrievals"].values()))


FINAL = {
    "a final scene that tells a real id": final(
        lambda scene: first(o for found in things(scene) for o in found if o["jid"] == NEED_RETRIEVAL).update(jid="real-1")),
    "a final scene that hides an id that was there": final(
        lambda scene: first(o for found in things(scene) for o in found if o["jid"] != NEED_RETRIEVAL).update(jid=NEED_RETRIEVAL)),
    "a final object 0.01 m beside": final(thing(shifted("pos", 0, 0.01))),
    "a final object 0.01 m smaller": final(thing(shifted("size", 2, -0.01))),
    "a final object turned": final(thing(shifted("rot", 3, 0.00001))),
    "a final object of another description": final(thing(lambda each: each.update(desc="A piano"))),
    "a final object without a place": final(thing(lambda each: each.pop("pos"))),
    "a final object without an id": final(thing(lambda each: each.pop("jid"))),
    "a final object with a key more": final(thing(lambda each: each.update(note="new"))),
    "a final scene without an object": final(lambda scene: longest(scene).pop() and None),
    "a final scene with an object too many": final(lambda scene: longest(scene).append(a_copy(scene))),
    "final objects in another order": final(lambda scene: swapped(longest(scene))),
    "final groups in another order": final(groups(lambda found: found.reverse())),
    "a final scene of another type": final(lambda scene: scene.update(room_type="sauna")),
    "a final scene that is the first one": lambda line: known(final_scene=scene_in(line, 0))(line),
}  # fmt: skip


#: A call comes before the one that it rests on.
TOO_EARLY = {"calls of two turns that have changed places": two_answers}

#: By their codes; where two codes are named, either is true.
OF_STATES: dict[str, dict[str, Change]] = {
    "replay.state": STATE,
    "replay.final": FINAL,
    "call.no_such_object|replay.state": TOO_EARLY,
}
