"""Damages to what a line tells: rooms, calls and retrievals that do not fit, and whole chains that break a law."""

import copy
from typing import Any

from operators.scene.scene import NEED_RETRIEVAL, written
from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    call,
    calls,
    calls_in,
    chain,
    drafted,
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

CHANGES = ("move_object", "rotate_object", "scale_object")


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


def one_less(listed: list[Any]) -> None:
    if len(listed) < 2:
        raise NotHere
    listed.pop()


def argument(tool: str, name: str, place: int, by: float) -> Change:
    return call(lambda each: shifted(name, place, by)(each["arguments"]), tool)


def without_group(each: Any) -> None:
    if "group_name" not in each["arguments"]:
        raise NotHere
    del each["arguments"]["group_name"]


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
    "calls of two turns that have changed places": two_answers,
    "a call left out": calls(one_less),
    "an add 0.01 m beside": argument("add_object", "position", 2, 0.01),
    "an add turned by the last digit": argument("add_object", "rotation", 3, 0.00001),
    "a move 0.01 m beside": argument("move_object", "new_position", 0, 0.01),
    "a rotation of the last digit": argument("rotate_object", "new_rotation", 1, 0.00001),
    "a scaling of 0.01 m": argument("scale_object", "new_size", 0, 0.01),
    "an add that names no group": call(without_group, "add_object"),
    "an add to another group": call(lambda each: each["arguments"].update(group_name="far away"), "add_object"),
    "a retrieval of another size": lambda line: shifted("size", 0, 0.1)(_retrieval(line)),
    "a retrieval of another id": lambda line: _retrieval(line).update(jid="somebody-else"),
}  # fmt: skip


def _retrieval(line: Line) -> Any:
    return first(iter(line["metadata"]["retrievals"].values()))


FINAL = {
    "a final scene that tells a real id": final(
        lambda scene: first(o for l in things(scene) for o in l if o["jid"] == NEED_RETRIEVAL).update(jid="real-1")),
    "a final scene that hides an id that was there": final(
        lambda scene: first(o for l in things(scene) for o in l if o["jid"] != NEED_RETRIEVAL).update(jid=NEED_RETRIEVAL)),
    "a final object 0.01 m beside": final(thing(shifted("pos", 0, 0.01))),
    "a final object 0.01 m smaller": final(thing(shifted("size", 2, -0.01))),
    "a final object turned": final(thing(shifted("rot", 3, 0.00001))),
    "a final object of another description": final(thing(lambda each: each.update(desc="A piano"))),
    "a final object with a key more": final(thing(lambda each: each.update(note="new"))),
    "a final scene without an object": final(lambda scene: longest(scene).pop() and None),
    "a final scene with an object too many": final(lambda scene: longest(scene).append(a_copy(scene))),
    "final objects in another order": final(lambda scene: swapped(longest(scene))),
    "final groups in another order": final(groups(lambda found: found.reverse())),
    "a final scene of another type": final(lambda scene: scene.update(room_type="sauna")),
    "a final scene that is the first one": lambda line: known(final_scene=scene_in(line, 0))(line),
}  # fmt: skip


def put_of(parts: Any, *tools: str) -> tuple[Any, Any]:
    """A call that puts something, and its retrieval."""
    _, each = drafted(parts, *(tools or ("add_object", "replace_object")))
    return each, parts["retrievals"][each["id"]]


def retrieval(change: Change, *tools: str) -> Change:
    """Change the retrieval of the first call that puts something, and nothing else."""

    def made(line: Line) -> None:
        found = (c for t in range(turns_of(line)) for c in calls_in(line, t))
        known_ids = line["metadata"]["retrievals"]
        each = first(c for c in found if c["id"] in known_ids and (not tools or c["name"] in tools))
        change((known_ids, each["id"]))

    return made


NO_RETRIEVAL = {
    "an add without a retrieval": retrieval(lambda at: at[0].pop(at[1]), "add_object"),
    "a replacement without a retrieval": retrieval(lambda at: at[0].pop(at[1]), "replace_object"),
    "no retrieval at all": known(retrievals={}),
    "a retrieval for a call that is not there": lambda line: line["metadata"]["retrievals"].update(
        tool_99={"jid": "x", "desc": "A chair", "size": [0.5, 0.5, 0.5]}),
    "a retrieval for the end": lambda line: line["metadata"]["retrievals"].update(
        {calls_in(line, turns_of(line) - 1)[0]["id"]: {"jid": "x", "desc": "A chair", "size": [0.5, 0.5, 0.5]}}),
    "a retrieval for a call that puts nothing": lambda line: line["metadata"]["retrievals"].update(
        {first(c for t in range(turns_of(line)) for c in calls_in(line, t) if c["name"] in CHANGES)["id"]:
         {"jid": "x", "desc": "A chair", "size": [0.5, 0.5, 0.5]}}),
    "a retrieval with a place": retrieval(lambda at: at[0][at[1]].update(pos=[0.0, 0.0, 0.0])),
    "a retrieval with a rotation": retrieval(lambda at: at[0][at[1]].update(rot=[0.0, 0.0, 0.0, 1.0])),
    "a retrieval without an id": retrieval(lambda at: at[0][at[1]].pop("jid")),
    "a retrieval whose id is a number": retrieval(lambda at: at[0][at[1]].update(jid=5)),
    "an empty retrieval": retrieval(lambda at: at[0].update({at[1]: {}})),
}  # fmt: skip


def about(jid: str, *tools: str) -> Change:
    """Let a call be about another object."""

    def change(each: Any) -> None:
        name = "jid_to_replace" if "jid_to_replace" in each["arguments"] else "jid"
        each["arguments"][name] = jid

    return call(change, *(tools or (*CHANGES, "remove_object", "replace_object")))


def move(number: int, jid: str, position: list[float]) -> dict[str, Any]:
    """A call that moves an object, with an id that no other call has."""
    return {"id": f"tool_9{number}", "name": "move_object", "arguments": {"jid": jid, "new_position": position}}


def before(found: Any) -> Change:
    """Let the first answer begin with a move of an object that it does not have yet, or not any more."""

    def change(line: Line) -> None:
        listed = calls_in(line, found[0] % turns_of(line))
        put_calls(line, found[0] % turns_of(line), written([move(1, found[1](line), [0.1, 0.0, 0.2]), *listed]))

    return change


def _last_put(line: Line) -> str:
    return [*line["metadata"]["retrievals"].values()][-1]["jid"]


def move_what_was_put(parts: Any) -> None:
    """Move an object in the turn that adds it."""
    turn, each = drafted(parts, "add_object")
    place = [each["arguments"]["position"][0] + 0.5, *each["arguments"]["position"][1:]]
    turn.append(move(1, parts["retrievals"][each["id"]]["jid"], [round(v, 2) for v in place]))


def move_the_replacement(parts: Any) -> None:
    """Move an object in the turn that puts it in place of another."""
    turn, each = drafted(parts, "replace_object")
    turn.append(move(1, parts["retrievals"][each["id"]]["jid"], [0.11, 0.0, 0.22]))


def remove_what_was_put(parts: Any) -> None:
    """Add an object more, and take it away in the same turn."""
    turn, each = drafted(parts, "add_object")
    extra = {**copy.deepcopy(each), "id": "tool_91"}
    parts["retrievals"]["tool_91"] = {**parts["retrievals"][each["id"]], "jid": "passing-by"}
    turn += [extra, {"id": "tool_92", "name": "remove_object", "arguments": {"jid": "passing-by"}}]


def move_what_is_gone(line: Line) -> None:
    """Move an object after the call of the same turn that removes it."""
    for turn in range(turns_of(line)):
        listed = calls_in(line, turn)
        for each in listed:
            if each["name"] == "remove_object":
                return put_calls(line, turn, written([*listed, move(1, each["arguments"]["jid"], [0.0, 0.0, 0.0])]))
    raise NotHere


def end_with_a_move_of(jid_of: Any) -> Change:
    """Put a turn before the last one, which moves an object that is gone."""

    def change(line: Line) -> None:
        last = turns_of(line) - 1
        listed = calls_in(line, last)
        put_calls(line, last, written([move(1, jid_of(line), [0.0, 0.0, 0.0]), *listed]))

    return change


def replaced_jid(line: Line) -> str:
    found = (c for t in range(turns_of(line)) for c in calls_in(line, t) if c["name"] == "replace_object")
    return str(first(found)["arguments"]["jid_to_replace"])


def removed_jid(line: Line) -> str:
    found = (c for t in range(turns_of(line)) for c in calls_in(line, t) if c["name"] == "remove_object")
    return str(first(found)["arguments"]["jid"])


NO_SUCH_OBJECT = {
    "a call about nobody": about("nobody"),
    "a move of nobody": about("nobody", "move_object"),
    "a rotation of nobody": about("nobody", "rotate_object"),
    "a scaling of nobody": about("nobody", "scale_object"),
    "a removal of nobody": about("nobody", "remove_object"),
    "a replacement of nobody": about("nobody", "replace_object"),
    "a call about a placeholder": about(NEED_RETRIEVAL),
    "a call about an id in capitals": call(
        lambda each: each["arguments"].update(jid=each["arguments"]["jid"].upper()), *CHANGES),
    "a call about what comes later": before((0, _last_put)),
    "a call about what the turn before it removed": end_with_a_move_of(removed_jid),
    "a call about what was replaced": end_with_a_move_of(replaced_jid),
}  # fmt: skip

#: Both laws are broken: the object is not in the room of the turn, and two calls are about it.
WITHIN_A_TURN = {
    "a move of what the turn adds": chain(move_what_was_put),
    "a move of what the turn puts in place of another": chain(move_the_replacement),
    "a removal of what the turn adds": chain(remove_what_was_put),
    "a move after the removal": move_what_is_gone,
}

#: By their codes; where two codes are named, either is true.
OF_CHAINS: dict[str, dict[str, Change]] = {
    "replay.state": STATE,
    "replay.final": FINAL,
    "call.no_retrieval": NO_RETRIEVAL,
    "call.no_such_object": NO_SUCH_OBJECT,
    "call.no_such_object|call.twice": WITHIN_A_TURN,
}
