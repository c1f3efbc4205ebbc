"""Damages that keep a chain whole: its calls replay to all that is stated, but a law is broken."""

import copy
from typing import Any

from operators.scene.chain import Chain
from operators.scene.scene import NEED_RETRIEVAL, written
from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    asked,
    calls,
    calls_in,
    chain,
    drafted,
    known,
    last_state,
    put_calls,
    said,
    scene_in,
    things,
    turns_of,
)

CHAIR = {"desc": "A plain chair", "size": [0.5, 0.8, 0.5], "pos": [0.4, 0.0, 0.3], "rot": [0.0, 0.0, 0.0, 1.0],
         "jid": "chair-1"}  # fmt: skip


def end(number: int = 98) -> dict[str, Any]:
    return {"id": f"tool_{number}", "name": "terminate", "arguments": {"reason": "Done."}}


def move(number: int, jid: str, position: list[float]) -> dict[str, Any]:
    return {"id": f"tool_8{number}", "name": "move_object", "arguments": {"jid": jid, "new_position": position}}


def only(kind: str, change: Change) -> Change:
    """The change for lines of one type, of one turn or of several."""

    def made(line: Line) -> None:
        if line["metadata"]["conversation_type"] != kind:
            raise NotHere
        change(line)

    return made


def in_start(**changes: Any) -> Change:
    """A chain whose room begins with another chair, changed so."""

    def change(parts: Any) -> None:
        begin = things(parts["start"])
        if not begin:
            raise NotHere
        begin[0].append({**copy.deepcopy(CHAIR), **changes})

    return chain(change)


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


START = {
    "a chain of several turns from a furnished room": only("multi_turn", chain(filled)),
    "a chain of one turn from an empty room": only("single_turn", chain(emptied)),
    "a chain of one turn that is called one of several": only("single_turn", known(conversation_type="multi_turn")),
    "a chain from an empty room that is called one of one turn": only("multi_turn", known(conversation_type="single_turn")),
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


def now(parts: Any, turn: int = -2) -> tuple[list[Any], Any]:
    """A turn of a chain, and an object that no call of it is about, as it is at the turn's end."""
    states = Chain(**{k: parts[k] for k in ("start", "turns", "retrievals")}).states()
    before = [each for found in things(states[turn - 1]) for each in found]
    about = {c["arguments"].get("jid", c["arguments"].get("jid_to_replace")) for c in parts["turns"][turn]}
    free = [each for each in before if each["jid"] not in about]
    if not free:
        raise NotHere
    return parts["turns"][turn], free[0]


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
    found = things(parts["start"])
    if not found:
        raise NotHere
    found[-1].append({**copy.deepcopy(found[0][0]), "pos": [0.4, 0.0, 0.3]})


def retrieved_twice(line: Line) -> None:
    """Let the last object that is put have the id of the first one."""
    put = [*line["metadata"]["retrievals"].values()]
    if len(put) < 2 or line["metadata"]["conversation_type"] == "single_turn":
        raise NotHere
    put[1]["jid"] = put[0]["jid"]


REPEATED = {
    "a room that begins with two of an id": chain(start_twice),
    "a state with two of an id": last_state(
        lambda scene: things(scene)[-1].append(copy.deepcopy(things(scene)[0][0]))),
    "an add of what is there": retrieved_twice,
}  # fmt: skip


def put_as(**changes: Any) -> Change:
    """A chain whose first add puts an object that is changed so; None takes a value away."""

    def change(parts: Any) -> None:
        _, add = drafted(parts, "add_object")
        old = parts["retrievals"][add["id"]]
        new = {**old, **changes}
        parts["retrievals"][add["id"]] = {k: v for k, v in new.items() if v is not None}
        for turn in parts["turns"]:
            for call in turn:
                for key in ("jid", "jid_to_replace"):
                    if call["arguments"].get(key) == old["jid"]:
                        call["arguments"][key] = new["jid"]

    return chain(change)


ASSETS = {
    "an instance that is put without its asset": put_as(jid="oak-bed__2", asset_jid=None),
    "an instance that is put with an empty asset": put_as(jid="oak-bed__2", asset_jid=""),
    "an instance that is put with a number for its asset": put_as(jid="oak-bed__2", asset_jid=2),
    "an instance that is put with another asset": put_as(jid="oak-bed__2", asset_jid="a-lamp"),
    "an instance that stands there without its asset": in_start(jid="oak-bed__3"),
}


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
    "a zero below nothing": in_start(pos=[0.4, -0.0, 0.3]),
    "a replacement whose size has three digits": chain(lambda parts: _precise_replacement(parts)),
}


def _precise_replacement(parts: Any) -> None:
    _, each = drafted(parts, "replace_object")
    size = parts["retrievals"][each["id"]].get("size")
    if size is None:
        raise NotHere
    size[0] += 0.001


def start_with(**values: Any) -> Change:
    """A chain whose rooms have more keys."""
    return chain(lambda parts: parts["start"].update(values))


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

KINDS = (
    "TODO", "TBD", "[insert reasoning here]", "{instruction}", "{{object_name}}", "<your reasoning here>",
    "[PLACEHOLDER]", "Lorem ipsum dolor sit amet.", "<object>", "XXX", "[To be generated]", "To be filled in.",
    "<NEED_RETRIVEAL>", "<NEED_RETRIEVAL>", "[object description]", "{reason}", "FIXME", "N/A", "$instruction",
    "%s", "[...]", "待补充", "undefined", "null",
)  # fmt: skip

PLACEHOLDERS = {
    **{f"{kind} for a reasoning": said(0, think=kind) for kind in KINDS},
    **{f"{kind} within a reasoning": said(0, think=f"This comes next. {kind} It serves.") for kind in KINDS[:14]},
    "a placeholder for a conclusion": said(0, conclusion="[conclusion]"),
    "a placeholder in the last conclusion": said(-1, conclusion="TODO"),
    "a placeholder for an instruction": asked("{instruction}"),
    "a placeholder in an instruction": asked("I want a room with [furniture]."),
    "something to do in an instruction": asked("TODO: write the instruction"),
    "a placeholder for a description": in_start(desc="<description>"),
    "something to do in a description": in_start(desc="TODO"),
    "a placeholder of an id in a description": in_start(desc=NEED_RETRIEVAL),
    "a placeholder for an id": in_start(jid=NEED_RETRIEVAL),
    "a placeholder for an id, spelled right": in_start(jid="<NEED_RETRIEVAL>"),
    "a placeholder for what was put": put_as(jid=NEED_RETRIEVAL),
    "a placeholder for a reason": calls(lambda _: [{**end(), "arguments": {"reason": "{reason}"}}], -1),
    "a placeholder for a type of room": start_with(room_type="<room_type>"),
    "a description of an add with a placeholder": put_as(desc="[object description]"),
}

EMPTY = {
    "no reasoning": said(0, think=""),
    "a reasoning of spaces": said(0, think="   "),
    "a reasoning of line ends": said(-1, think="\n\n"),
    "a reasoning of signs that nobody sees": said(0, think="\u200b\u00a0\ufeff"),
    "a reasoning of points": said(0, think="..."),
    "no conclusion": said(0, conclusion=""),
    "a conclusion of spaces": said(0, conclusion=" \t "),
    "no last conclusion": said(-1, conclusion=""),
}

#: One plain case of each; others test the texts at length.
TEXTS = {
    "text.object": {"a piano that is not there": said(-1, think="The grand piano stands at the wall.")},
    "text.number": {"a width that is not so": said(-1, think="The bed is 9.37 m wide. The desk is 9.37 m wide.")},
    "text.relation": {
        "an overlap that is not so": said(
            -1, think="The bed overlaps the wardrobe by half a metre. The desk overlaps the bookcase.")
    },
    "text.count": {"objects that nobody sees": said(-1, think="The room holds 47 objects.")},
    "text.action": {"a removal that is no call": said(-1, think="I remove the bed. I remove the desk.")},
    "text.conclusion": {"a conclusion about nothing": said(0, conclusion="I leave the room as it is.")},
    "instruction.object": {"a piano that is asked for": asked("I want a room with a grand piano and a bathtub.")},
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
    "text.placeholder": PLACEHOLDERS,
    "text.empty": EMPTY,
    **TEXTS,
}
