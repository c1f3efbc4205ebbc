"""A turn of a chain: the room before and after it, its calls in words, and what was done before."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dataflow_ext import RowError
from operators.scene.claims.world import RoomWorld, turn_names
from operators.scene.model.chain import replayed
from operators.scene.model.floor import direction_name
from operators.scene.model.geometry import turned
from operators.scene.model.scene import Object, Scene, by_id
from operators.scene.model.simulator import Call, Retrievals, target_of


@dataclass(frozen=True)
class Turn:
    """One turn of ``total``, counted from 1; ``earlier`` says what the turns before it did, a line each."""

    number: int
    total: int
    before: Scene
    after: Scene
    calls: Sequence[Call]
    retrievals: Retrievals
    earlier: Sequence[str]

    @cached_property
    def world(self) -> RoomWorld:
        """What is true before and after it."""
        return RoomWorld.of(self.before, self.calls, self.retrievals)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """A name for each object of the room before or after it."""
        return turn_names(self.before, self.after)

    @property
    def subjects(self) -> list[str | None]:
        """What the calls are about, call by call: of an add the new object, of terminate nothing."""
        return [put_by(call, self.retrievals) if call["name"] == "add_object" else target_of(call)
                for call in self.calls]  # fmt: skip

    @property
    def ends(self) -> bool:
        """Whether this is the turn that says that the room is finished."""
        return [call["name"] for call in self.calls] == ["terminate"]


def turns_of(text: str) -> list[Turn]:
    """The turns of a chain as it travels in a column; RowError if the text holds none, or a call cannot be done."""
    chain, states = replayed(text)
    if not chain.turns:
        raise RowError("The chain has no turns.")
    turns: list[Turn] = []
    earlier: list[str] = []
    rooms = zip(states, [*states[1:], states[-1]], strict=True)
    for number, (calls, (before, after)) in enumerate(zip(chain.turns, rooms, strict=True), 1):
        turn = Turn(number, len(states), before, after, calls, chain.retrievals, list(earlier))
        turns.append(turn)
        done = zip(calls, turn.subjects, strict=True)
        said = (f"{DEEDS[call['name']]} {turn.names.get(str(jid), 'the room')}" for call, jid in done)
        earlier.append(f"Turn {number}: {', '.join(said)}")
    return turns


def put_by(call: Call, retrievals: Retrievals) -> str:
    """The id of the object that a call put."""
    return str((call.get("retrieval") or retrievals[call["id"]])["jid"])


def told_calls(before: Scene, calls: Sequence[Call], after: Scene, retrievals: Mapping[str, Object]) -> list[str]:
    """Each call of a turn in words."""
    names, there = turn_names(before, after), by_id(before)
    return [_told(call, names, there, retrievals.get(call["id"], {})) for call in calls]


def changes(before: Scene, after: Scene) -> list[str]:
    """What is another in the second room, object by object.

    >>> room = {"objects": [{"jid": "a", "desc": "A lamp.", "pos": [0.0, 0.0, 0.0]}]}
    >>> changes(room, {"objects": [{"jid": "a", "desc": "A lamp.", "pos": [1.0, 0.0, 0.0]}]})
    ['lamp: pos [0.0, 0.0, 0.0] is now [1.0, 0.0, 0.0]']
    """
    names = turn_names(before, after)
    old, new = by_id(before), by_id(after)
    told = [f"{names[jid]} is gone" for jid in old if jid not in new]
    told += [f"{names[jid]} is new, at {place(each['pos'])}" for jid, each in new.items() if jid not in old]
    for jid in old:
        for key in {**old[jid], **new.get(jid, {})} if jid in new else ():
            one, other = old[jid].get(key), new[jid].get(key)
            if one != other:
                told.append(f"{names[jid]}: {key} {one} is now {other}")
    return told


def place(pos: Sequence[float]) -> str:
    """A position.

    >>> place([1.2, 0.0, 0.45])
    '(1.20, 0.00, 0.45)'
    """
    return f"({', '.join(f'{value:.2f}' for value in pos)})"


def extent(size: Sequence[float]) -> str:
    """Width, height and depth.

    >>> extent([1.2, 0.5, 0.45])
    '1.20 × 0.50 × 0.45 m'
    """
    return " × ".join(f"{value:.2f}" for value in size) + " m"


def heading(rot: list[float]) -> str:
    """Where an object's front looks, with its bearing on the compass.

    >>> heading([0.0, 0.70711, 0.0, 0.70711]), heading([0.0, 0.0, 0.0, 1.0]), heading([0.0, 0.96593, 0.0, 0.25882])
    ('east (90°)', 'south (180°)', 'northeast (30°)')
    """
    x, _, z = turned(rot, 0.0, 0.0, 1.0)
    return f"{direction_name(x, z)} ({round(math.degrees(math.atan2(x, -z))) % 360}°)"


def _told(call: Call, names: Mapping[str, str], objects: Mapping[str, Object], put: Object) -> str:
    name, arguments = call["name"], call["arguments"]
    if name == "terminate":
        return f"finish: {arguments['reason']}"
    new = names.get(str(put.get("jid")), "an object")
    if name == "add_object":
        at, facing = place(arguments["position"]), heading(arguments["rotation"])
        return f"add {new} at {at}, {extent(arguments['size'])}, facing {facing}: {arguments['object_description']}"
    jid = str(target_of(call))
    target, old = names.get(jid, jid), objects.get(jid, {})
    if name == "replace_object":
        size = f", {extent(put['size'])}" if "size" in put else ""
        return f"replace {target} by {new}{size}: {arguments['new_object_description']}"
    if name == "move_object":
        return f"move {target}{_from(place, old.get('pos'))} to {place(arguments['new_position'])}"
    if name == "rotate_object":
        return f"turn {target}{_from(heading, old.get('rot'))} to {heading(arguments['new_rotation'])}"
    if name == "scale_object":
        return f"scale {target}{_from(extent, old.get('size'))} to {extent(arguments['new_size'])}"
    return f"remove {target}"


def _from(spelled: Any, value: Any) -> str:
    return "" if value is None else f" from {spelled(value)}"


#: What each tool does, in the order in which it is told; what the vocabulary states of it has an s more.
VERBS = {"add_object": "add", "remove_object": "remove", "move_object": "move", "rotate_object": "turn",
         "scale_object": "resize", "replace_object": "replace"}  # fmt: skip
#: What a call does, in one word for the strip of pictures.
DEEDS = {**VERBS, "scale_object": "scale", "terminate": "finish"}


def deeds(names: Iterable[Any]) -> str:
    """What the calls of a turn do, in short.

    >>> deeds(["add_object", "move_object", "add_object"])
    'add × 2, move'
    """
    counts = Counter(DEEDS.get(name, "no tool") for name in names)
    return ", ".join(what if n == 1 else f"{what} × {n}" for what, n in counts.items())
