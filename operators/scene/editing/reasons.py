"""Why a chain ends where it does, in one sentence."""

from __future__ import annotations

import random
from collections import Counter

from operators.scene.editing.room import Room

#: What rooms are called, by their types.
_NAMES = {
    "bedroom": "bedroom", "livingroom": "living room", "diningroom": "dining room", "kidsroom": "kids' room",
    "office": "office", "kitchen": "kitchen", "bathroom": "bathroom", "hallway": "hallway", "library": "library",
    "study": "study", "storage": "storage room",
}  # fmt: skip


def reason(rng: random.Random, room: Room, main: str | None, turns: int) -> str:
    """A true sentence about the finished room; ``main`` is its :func:`main_kind`."""
    objects, name = len(room.things), _NAMES.get(str(room.scene.get("room_type")), "room")
    said = "1 object" if objects == 1 else f"{objects} objects"
    placed = "its only object has found its" if objects == 1 else f"all of its {objects} objects have found their"
    done = "one turn" if turns == 1 else f"{turns} turns"
    sentences = [
        f"The {name} is finished: {placed} place.",
        f"The {name} now holds {said}, and nothing is left to change.",
        f"After {done} of editing the {name} is complete.",
        f"Nothing more needs to be added, moved or removed: the {name} has {said}.",
        f"With {said} in place, the {name} needs no further edits.",
    ]
    if main is not None:
        sentences.append(f"The {name} is furnished as intended, with {main} among its {said}.")
    return rng.choice(sentences)


def main_kind(room: Room) -> str | None:
    """The kind of the largest object whose kind is known, with its number: "2 wardrobes"; None if none is known."""
    known = [each for each in room.things.values() if each.kind.noun != "object"]
    if not known:
        return None
    kind = max(known, key=lambda each: each.box.volume).kind
    number = Counter(each.kind.noun for each in known)[kind.noun]
    return f"{number} {kind.plural}" if number > 1 else f"{'an' if kind.noun[0] in 'aeiou' else 'a'} {kind.noun}"
