"""Damages to calls: retrievals that are not theirs, and objects that are not in the room."""

import copy
from typing import Any

from operators.scene.model.scene import NEED_RETRIEVAL, written
from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    call,
    calls_in,
    chain,
    drafted,
    first,
    known,
    put_calls,
    turns_of,
)


def other_than_asked(**values: Any) -> Change:
    """A chain that puts another object than its add asks for, and tells so in all its rooms."""

    def change(parts: Any) -> None:
        _, each = drafted(parts, "add_object")
        parts["retrievals"][each["id"]] = {**parts["retrievals"][each["id"]], **values}

    return chain(change)


#: The rooms hold what the retrieval says, but no call gives it.
OTHERS = {
    "a retrieval of another size than is asked for": other_than_asked(size=[0.77, 0.88, 0.99]),
    "a retrieval of another description than is asked for": other_than_asked(desc="A brass piano"),
}

CHANGES = ("move_object", "rotate_object", "scale_object")


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
    "a call about what the turn before it removed": end_with_a_move_of(removed_jid),
    "a call about what was replaced": end_with_a_move_of(replaced_jid),
}  # fmt: skip

#: Both laws are broken: the object is not in the room of the turn, and two calls are about it.
WITHIN_A_TURN = {
    "a move of what the turn adds": chain(move_what_was_put),
    "a move of what the turn puts in place of another": chain(move_the_replacement),
    "a removal of what the turn adds": chain(remove_what_was_put),
    "a move of what comes later": before((0, _last_put)),
    "a move after the removal": move_what_is_gone,
}

#: By their codes; where two codes are named, either is true.
OF_CALLS: dict[str, dict[str, Change]] = {
    "call.no_retrieval": NO_RETRIEVAL,
    "call.no_retrieval|replay.state": OTHERS,
    "call.no_such_object": NO_SUCH_OBJECT,
    "call.no_such_object|call.twice": WITHIN_A_TURN,
}
