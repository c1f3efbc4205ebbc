"""How tests change a chain so that it stays whole: what it begins with, what it puts, what its turns are about."""

import copy
from typing import Any

from operators.scene.model.chain import Chain
from tests.scene.laws.edits import Change, NotHere, chain, drafted, things

CHAIR = {"desc": "A plain chair", "size": [0.5, 0.8, 0.5], "pos": [0.4, 0.0, 0.3], "rot": [0.0, 0.0, 0.0, 1.0],
         "jid": "chair-1"}  # fmt: skip


def end(number: int = 98) -> dict[str, Any]:
    return {"id": f"tool_{number}", "name": "terminate", "arguments": {"reason": "Done."}}


def move(number: int, jid: str, position: list[float]) -> dict[str, Any]:
    return {"id": f"tool_8{number}", "name": "move_object", "arguments": {"jid": jid, "new_position": position}}


def in_start(**changes: Any) -> Change:
    """A chain whose room begins with another chair, changed so."""

    def change(parts: Any) -> None:
        begin = things(parts["start"])
        if not any(begin):
            raise NotHere
        begin[0].append({**copy.deepcopy(CHAIR), **changes})

    return chain(change)


def states_of(parts: Any) -> list[Any]:
    """The rooms before each turn of a chain."""
    return Chain(**{key: parts[key] for key in ("start", "turns", "retrievals")}).states()


def beside(parts: Any, jid: str) -> list[str]:
    """The ids in the first room that has this one."""
    rooms = ([each["jid"] for found in things(state) for each in found] for state in states_of(parts))
    return next(ids for ids in rooms if jid in ids)


def now(parts: Any, turn: int = -2) -> tuple[list[Any], Any]:
    """A turn of a chain, and an object that no call of it is about, as it is at the turn's end."""
    before = [each for found in things(states_of(parts)[turn]) for each in found]
    about = {c["arguments"].get("jid", c["arguments"].get("jid_to_replace")) for c in parts["turns"][turn]}
    free = [each for each in before if each["jid"] not in about]
    if not free:
        raise NotHere
    return parts["turns"][turn], free[0]


def put_as(**changes: Any) -> Change:
    """A chain whose first add puts an object that is changed so; None takes a value away.

    ``{other}`` in a value is the id of an object that stands in the room with it.
    """

    def change(parts: Any) -> None:
        _, add = drafted(parts, "add_object")
        old = parts["retrievals"][add["id"]]
        other = next(each for each in beside(parts, old["jid"]) if each != old["jid"])
        told = {k: v.format(other=other) if isinstance(v, str) else v for k, v in changes.items()}
        new = {**old, **told}
        parts["retrievals"][add["id"]] = {k: v for k, v in new.items() if v is not None}
        for turn in parts["turns"]:
            for call in turn:
                for key in ("jid", "jid_to_replace"):
                    if call["arguments"].get(key) == old["jid"]:
                        call["arguments"][key] = new["jid"]

    return chain(change)
