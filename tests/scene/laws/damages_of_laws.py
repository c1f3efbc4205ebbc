"""Damages that keep a chain whole: its calls replay to all that is stated, but a law is broken."""

import copy
from typing import Any

from operators.scene.model.scene import written
from tests.scene.laws.chain_edits import CHAIR, end, in_start, move, now, put_as
from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    calls,
    calls_in,
    chain,
    drafted,
    known,
    last_state,
    put_calls,
    scene_in,
    things,
    turns_of,
)


def filled(parts: Any) -> None:
    """Let a chain begin with what its first call adds."""
    put = {**copy.deepcopy(CHAIR), "jid": "there-already"}
    if "groups" in parts["start"]:
        parts["start"]["groups"].append({"group_name": "there", "group_type": "", "objects": [put]})
    else:
        parts["start"]["objects"].append(put)


def emptied(parts: Any) -> None:
    """Let a chain of one turn add all that it begins with."""
    name = "groups" if "groups" in parts["start"] else "objects"
    parts["start"][name] = []
    turn, add = drafted(parts, "add_object")
    turn[:] = [add]
    parts["retrievals"] = {add["id"]: parts["retrievals"][add["id"]]}


def only(kind: str, change: Change) -> Change:
    """The change for lines of one type, of one turn or of several."""

    def made(line: Line) -> None:
        if line["metadata"]["conversation_type"] != kind:
            raise NotHere
        change(line)

    return made


START = {
    "a chain of several turns from a furnished room that it leaves as it is": only("multi_turn", chain(filled)),
    "a chain of one turn from an empty room": only("single_turn", chain(emptied)),
}  # fmt: skip


def one_turn_more(parts: Any, *listed: Any, at: int) -> None:
    parts["turns"].insert(at, list(listed))
    parts["texts"].insert(at, parts["texts"][-1])


def dropped_end(parts: Any) -> None:
    if len(parts["turns"]) < 3:
        raise NotHere
    parts["turns"].pop()
    parts["texts"].pop()


def end_and_move(line: Line) -> None:
    """Let the last answer move an object beside its end."""
    last = turns_of(line) - 1
    jid = next(o["jid"] for found in things(scene_in(line, last)) for o in found)
    put_calls(line, last, written([move(1, jid, [0.31, 0.0, 0.32]), *calls_in(line, last)]))


TERMINATE = {
    "no end": chain(dropped_end),
    "a move in place of the end": calls(lambda _: [move(1, "x", [0.0, 0.0, 0.0])], -1),
    "two ends in the last turn": calls(lambda listed: [*listed, end()], -1),
    "two last turns": chain(lambda parts: one_turn_more(parts, end(), at=len(parts["turns"]))),
    "an end in the first turn, beside its calls": calls(lambda listed: [*listed, end()]),
    "an end in the first turn, before its calls": calls(lambda listed: [end(), *listed]),
    "an end in place of the first turn": chain(lambda parts: one_turn_more(parts, end(), at=0)),
    "a move beside the end": end_and_move,
    "an end before the last editing turn": chain(lambda parts: one_turn_more(parts, end(), at=1)),
}

TURNS = {
    "one turn too many is told": lambda line: known(total_turns=line["metadata"]["total_turns"] + 1)(line),
    "one turn too few is told": lambda line: known(total_turns=line["metadata"]["total_turns"] - 1)(line),
    "no turns are told": known(total_turns=0),
    "less than no turns are told": known(total_turns=-2),
    "a thousand turns are told": known(total_turns=1000),
}


def idle(tool: str, argument: str, value: Any) -> Change:
    """A call of a tool with what the object has already."""

    def change(parts: Any) -> None:
        turn, each = now(parts)
        turn.append({"id": "tool_81", "name": tool, "arguments": {"jid": each["jid"], argument: value(each)}})

    return chain(change)


def replaced_by_its_like(parts: Any) -> None:
    turn, each = now(parts)
    told = {"jid_to_replace": each["jid"], "new_object_description": each["desc"]}
    turn.append({"id": "tool_81", "name": "replace_object", "arguments": told})
    parts["retrievals"]["tool_81"] = {"jid": "its-like", "desc": each["desc"], "size": each["size"]}


def moved_to_and_fro(parts: Any) -> None:
    turn, each = now(parts)
    turn += [move(1, each["jid"], [0.13, 0.0, 0.17]), move(2, each["jid"], each["pos"])]


NO_EFFECT = {
    "a move to where it stands": idle("move_object", "new_position", lambda each: each["pos"]),
    "a turn to where it looks": idle("rotate_object", "new_rotation", lambda each: each["rot"]),
    "a turn by 360 degrees": idle("rotate_object", "new_rotation", lambda each: [0.0 - v for v in each["rot"]]),
    "a scaling to its size": idle("scale_object", "new_size", lambda each: each["size"]),
    "a replacement by its like": chain(replaced_by_its_like),
}


def twice(*made: Any) -> Change:
    """Calls of one turn about the same object, from its id and itself."""

    def change(parts: Any) -> None:
        turn, each = now(parts)
        turn += [{"id": f"tool_8{n}", **call(each)} for n, call in enumerate(made)]

    return chain(change)


def calls_to(tool: str, argument: str, value: Any) -> Any:
    return lambda each: {"name": tool, "arguments": {"jid": each["jid"], argument: value}}


MOVED = calls_to("move_object", "new_position", [0.13, 0.0, 0.17])
TURNED = calls_to("rotate_object", "new_rotation", [0.0, 0.5, 0.0, 0.86603])
SCALED = calls_to("scale_object", "new_size", [0.61, 0.62, 0.63])


def moved_then_replaced(parts: Any) -> None:
    turn, each = now(parts)
    replaced_by_its_like(parts)
    parts["turns"][-2][-1]["arguments"]["new_object_description"] = "A tall shelf"
    parts["retrievals"]["tool_81"]["desc"] = "A tall shelf"
    turn.insert(-1, {"id": "tool_82", **MOVED(each)})


TWICE = {
    "two moves of an object": twice(MOVED, calls_to("move_object", "new_position", [0.23, 0.0, 0.27])),
    "a move and a turn of an object": twice(MOVED, TURNED),
    "a turn and a scaling of an object": twice(TURNED, SCALED),
    "a scaling and a removal of an object": twice(
        SCALED, lambda each: {"name": "remove_object", "arguments": {"jid": each["jid"]}}),
    "a move to and fro": chain(moved_to_and_fro),
    "a move and a replacement of an object": chain(moved_then_replaced),
}  # fmt: skip


def start_twice(parts: Any) -> None:
    _, free = now(parts)
    if not any(found := things(parts["start"])):
        raise NotHere
    found[-1].append({**copy.deepcopy(free), "pos": [0.4, 0.0, 0.3]})


def retrieved_twice(line: Line) -> None:
    """Let an object that is put in the second turn have the id of one that the first turn put."""
    known_ids = line["metadata"]["retrievals"]
    early, late = ([known_ids[c["id"]] for c in calls_in(line, turn) if c["id"] in known_ids] for turn in (0, 1))
    about = {c["arguments"].get("jid", c["arguments"].get("jid_to_replace")) for c in calls_in(line, 1)}
    free = [each["jid"] for each in early if each["jid"] not in about]
    if not free or not late:
        raise NotHere
    late[0]["jid"] = free[0]


REPEATED = {
    "a room that begins with two of an id": chain(start_twice),
    "a state with two of an id": last_state(
        lambda scene: things(scene)[-1].append(copy.deepcopy(things(scene)[0][0]))),
    "an add of what is there": retrieved_twice,
}  # fmt: skip


ASSETS = {
    "an instance that is put without its asset": put_as(jid="{other}__9", asset_jid=None),
    "an instance that is put with an empty asset": put_as(jid="{other}__9", asset_jid=""),
    "an instance that is put with a number for its asset": put_as(jid="{other}__9", asset_jid=2),
    "an instance that is put with another asset": put_as(jid="{other}__9", asset_jid="a-lamp"),
    "an instance that stands there without its asset": chain(lambda parts: _unnamed_instance(parts)),
}


def _unnamed_instance(parts: Any) -> None:
    """Let the room begin with another instance of what it has, without its asset."""
    if not any(found := things(parts["start"])):
        raise NotHere
    like = next(each for each in found if each)[0]
    found[0].append({**copy.deepcopy(CHAIR), "desc": like["desc"], "size": like["size"], "jid": f"{like['jid']}__9"})


def numbers(tool: str, argument: str, place: int, by: float) -> Change:
    """A chain with a number that has more digits."""

    def change(parts: Any) -> None:
        _, each = drafted(parts, tool)
        each["arguments"][argument][place] += by
        if argument == "size":
            parts["retrievals"][each["id"]]["size"] = each["arguments"]["size"]

    return chain(change)


ROUNDING = {
    "a place with three digits": numbers("add_object", "position", 0, 0.001),
    "a size with three digits": numbers("add_object", "size", 1, 0.001),
    "a rotation with six digits": numbers("add_object", "rotation", 3, -0.000001),
    "a move with three digits": numbers("move_object", "new_position", 2, 0.004),
    "a turn with six digits": numbers("rotate_object", "new_rotation", 1, 0.000004),
    "a scaling with three digits": numbers("scale_object", "new_size", 0, 0.001),
    "a place with the dirt of a sum": numbers("add_object", "position", 0, 1e-12),
    "a room that begins with a place of three digits": in_start(pos=[0.401, 0.0, 0.3]),
    "a room that begins with a size of three digits": in_start(size=[0.5, 0.805, 0.5]),
    "a room that begins with a rotation of six digits": in_start(rot=[0.0, 0.707107, 0.0, 0.707107]),
    "a replacement whose size has three digits": chain(lambda parts: _precise_replacement(parts)),
}


def _precise_replacement(parts: Any) -> None:
    _, each = drafted(parts, "replace_object")
    size = parts["retrievals"][each["id"]].get("size")
    if size is None:
        raise NotHere
    size[0] += 0.001


def in_form(name: str, change: Change) -> Change:
    """A change of the first room for lines of one form."""

    def made(parts: Any) -> None:
        if name not in parts["start"]:
            raise NotHere
        change(parts["start"])

    return chain(made)


FORMS = {
    "a room of groups that has objects as well": in_form("groups", lambda room: room.update(objects=[])),
    "a room of groups that has a floor as well": in_form(
        "groups", lambda room: room.update(bounds_top=room["room_envelope"]["bounds_top"])),
    "a room of groups that has a layout": in_form("groups", lambda room: room.update(groups_layout=[])),
    "a room of objects with an envelope": in_form(
        "objects", lambda room: room.update(room_envelope={"bounds_top": room["bounds_top"]})),
    "a room of objects whose groups do not add up": in_form("objects", lambda room: room.update(
        groups_layout=[{"group_name": "beds", "group_type": "", "objects": 99}])),
    "a room of objects whose groups are in words": in_form("objects", lambda room: room.update(groups_layout="beds")),
}  # fmt: skip

#: By their codes; where two codes are named, either is true.
OF_LAWS: dict[str, dict[str, Change]] = {
    "chain.start": START,
    "chain.terminate": TERMINATE,
    "chain.turns": TURNS,
    "call.no_effect": NO_EFFECT,
    "call.twice": TWICE,
    "jid.repeated": REPEATED,
    "asset.lost": ASSETS,
    "rounding": ROUNDING,
    "forms.exact": FORMS,
}
