"""Conversations as the page shows them: turn by turn, in words, with the places of their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataflow_ext.report.parts import Part, Pictures, el, words
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import picture_names
from operators.scene.model.scene import objects_of
from operators.scene.reasoning.turn import deeds, told_calls


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
