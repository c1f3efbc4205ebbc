"""Conversations as the page shows them: turn by turn, in words, with the places of their pictures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataflow_ext.report.parts import Part, Pictures, el, words
from operators.scene.furniture.names import short_names
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import picture_names
from operators.scene.model.scene import Object, Scene, objects_of
from operators.scene.model.simulator import Call, target_of

_SIDES = ("south", "south-east", "east", "north-east", "north", "north-west", "west", "south-west")


def told_calls(before: Scene, calls: Sequence[Call], after: Scene, retrievals: Mapping[str, Object]) -> list[str]:
    """Each call of a turn in words; what it puts has its name in the room ``after``, all else that in ``before``."""
    names = {**short_names(after), **short_names(before)}
    objects = {each["jid"]: each for each in objects_of(before)}
    return [_told(call, names, objects, retrievals.get(call["id"], {})) for call in calls]


def changes(before: Scene, after: Scene) -> list[str]:
    """What is another in the second room, object by object.

    >>> room = {"objects": [{"jid": "a", "desc": "A lamp.", "pos": [0.0, 0.0, 0.0]}]}
    >>> changes(room, {"objects": [{"jid": "a", "desc": "A lamp.", "pos": [1.0, 0.0, 0.0]}]})
    ['lamp: pos [0.0, 0.0, 0.0] is now [1.0, 0.0, 0.0]']
    """
    names = {**short_names(after), **short_names(before)}
    old, new = ({each["jid"]: each for each in objects_of(scene)} for scene in (before, after))
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


def heading(rot: Sequence[float]) -> str:
    """Where an object's front looks.

    >>> heading([0.0, 0.70711, 0.0, 0.70711]), heading([0.0, 0.0, 0.0, 1.0]), heading([0.0, 0.96593, 0.0, 0.25882])
    ('90° (east)', '0° (south)', '150° (north-east)')
    """
    x, y, z, w = rot
    degrees = round(math.degrees(math.atan2(2 * (x * z + w * y), w * w + z * z - x * x - y * y))) % 360
    return f"{degrees}° ({_SIDES[round(degrees / 45) % 8]})"


def _told(call: Call, names: Mapping[str, str], objects: Mapping[str, Object], put: Mapping[str, Any]) -> str:
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


#: What a call does, in one word for the strip of pictures.
DEEDS = {
    "add_object": "add",
    "remove_object": "remove",
    "move_object": "move",
    "rotate_object": "turn",
    "scale_object": "scale",
    "replace_object": "replace",
    "terminate": "finish",
}


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn: its picture as a part of a page, what is done in short and call by call, and what is said."""

    number: int
    picture: Part
    objects: int
    deeds: str
    calls: Sequence[str]
    think: str
    conclusion: str
    template: str

    def part(self, *more: Part) -> Part:
        """The turn with its picture beside it; ``more`` stands below the calls."""
        template = f" · template {self.template}" if self.template else ""
        note = f"Turn {self.number + 1}: {self.objects} object{'' if self.objects == 1 else 's'}{template}"
        calls = el("ol", *(el("li", call) for call in self.calls))
        done = el("div", el("p", self.conclusion, look="strong"), calls, *more, words(self.think), look="said")
        return el("div", el("div", self.picture, el("p", note, look="facts")), done, look="turn-row")


def shown_turns(row: Mapping[str, Any], pictures: Pictures) -> list[ShownTurn]:
    """The turns of a finished row; pictures are those of the data set."""
    chain = Chain.read(row["chain"])
    states = chain.states()
    names = picture_names(row["id"], len(states))
    turns = []
    for number, (calls, text) in enumerate(zip(chain.turns, row["texts"], strict=True)):
        after = states[min(number + 1, len(states) - 1)]
        turns.append(
            ShownTurn(
                number=number,
                picture=pictures.of(names[number]),
                objects=len(objects_of(states[number])),
                deeds=deeds(call["name"] for call in calls),
                calls=told_calls(states[number], calls, after, chain.retrievals),
                think=text["think"].strip(),
                conclusion=text["conclusion"],
                template=text["template"],
            )
        )
    return turns


@dataclass(slots=True)
class Room:
    """A room of the data set: its finished picture and its conversations with their points."""

    scene_id: str
    room_type: str
    objects: int
    picture: str
    chains: list[tuple[str, str]]


def rooms(rows: Iterable[Mapping[str, Any]]) -> list[Room]:
    """The rooms of the rows, which come sorted by room, each with all its conversations."""
    found: dict[str, Room] = {}
    for row in rows:
        told = row["id"], f"{row['score']:.0f} points" if row["judged_by"] else "not judged"
        if room := found.get(row["scene_id"]):
            room.chains.append(told)
            continue
        states = Chain.read(row["chain"]).states()
        last = picture_names(row["id"], len(states))[-1]
        kind, objects = row["room_type"] or "room", len(objects_of(states[-1]))
        found[row["scene_id"]] = Room(row["scene_id"], kind, objects, last, [told])
    return list(found.values())


def deeds(names: Iterable[Any]) -> str:
    """What the calls of a turn do, in short.

    >>> deeds(["add_object", "move_object", "add_object"])
    'add × 2, move'
    """
    counts = Counter(DEEDS.get(name, "no tool") for name in names)
    return ", ".join(what if n == 1 else f"{what} × {n}" for what, n in counts.items())
