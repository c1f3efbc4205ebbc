"""Lies of eight kinds as sentences with blanks, which :mod:`tests.scene.lies.falsehoods` fills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

#: The kinds, and the codes of problems that fit each.
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "a": ("an object that is not there", ("text.object",)),
    "b": ("a wrong distance", ("text.number",)),
    "c": ("a wrong size", ("text.number",)),
    "d": ("a wrong overlap", ("text.relation",)),
    "e": ("a wrong wall, side or corner", ("text.relation",)),
    "f": ("a wrong facing or direction", ("text.relation", "text.number", "text.action")),
    "g": ("a wrong count", ("text.count", "text.object")),
    "h": ("a wrong action or object", ("text.action", "text.conclusion")),
}


class Phrasing(NamedTuple):
    """A sentence, what fills its blanks, and where it stands: seen, deed, outcome, end (the conclusion)."""

    shape: str
    where: str
    text: str


def _of(where: str, shape: str, *texts: str) -> list[Phrasing]:
    return [Phrasing(shape, where, text) for text in texts]


PHRASINGS: Mapping[str, list[Phrasing]] = {
    "a": [
        *_of("seen", "absent", "There is {ax} right beside {a}, which I would like to keep.",
             "Next to {a} I also spot {ax}.", "{AX} already stands at the {wall} wall.",
             "The {x} near {a} sets the tone of the whole room.",
             "Between the {x} and {a} there is little room to pass.", "{A} competes with the {x} for attention."),
        *_of("outcome", "absent", "That way {a} pairs nicely with the {x}, which stays where it is."),
    ],
    "b": [
        *_of("seen", "gap", "{A} and {b} are {n} apart.", "A strip of {n} separates {a} from {b}.",
             "Someone walking between {a} and {b} would have {n} to do so.", "{A} sits just {n} away from {b}."),
        *_of("seen", "wall gap", "{A} is pulled {n} away from the {wall} wall.", "Behind {a}, {n} remain to the {wall} wall.",
             "To the {wall} wall {a} has {n} to spare."),
        *_of("deed", "move length", "I shift {a} by {n}, which is all it takes.", "{A} travels {n} from where it was."),
    ],
    "c": [
        *_of("seen", "size", "{A} is {w} wide, so it dominates its surroundings.", "{A} has a footprint of {wr} by {d}.",
             "{A} measures {wr} x {hr} x {d}.", "At {h} in height, {a} is hard to overlook.", "{A} has a depth of {d}."),
        *_of("seen", "shell", "The room itself is {n} wide and {m} deep.", "I have a floor of {n} by {m} at my disposal."),
        *_of("deed", "new size", "{A} will be {w} wide and {h} tall, which I think is right."),
    ],
    "d": [
        *_of("seen", "no overlap", "{A} is pushed partly into {b}.", "{A} and {b} collide.",
             "{A} overlaps with {b} by {n}, which has to be corrected.", "There is an intersection of {a} and {b}.",
             "{A} penetrates {b} by {n}."),
        *_of("seen", "overlap", "{A} and {b} do not overlap at all.", "{A} is clear of {b}.",
             "Between {a} and {b} there is no contact."),
        *_of("seen", "trouble", "I see no collisions in the room.", "No piece of furniture intersects another one."),
        *_of("outcome", "after", "Afterwards there are no overlaps left in the room.",
             "With this, no two pieces touch each other any more."),
    ],
    "e": [
        *_of("seen", "wall", "{A} stands against the {wall} wall.", "{A} backs onto the {wall} wall.",
             "The {wall} wall is taken by {a}.", "{A} runs along the {wall} wall."),
        *_of("seen", "place", "{A} is tucked into the {corner} corner.", "{A} sits in the {side}ern half of the room.",
             "{A} is found at the {side} end of the room.", "In the picture from above {a} is in the {plan} half."),
        *_of("seen", "relation", "{A} stands {way} of {b}.", "Seen from above, {a} is {hand} {b}."),
    ],
    "f": [
        *_of("seen", "facing", "{A} faces {to}.", "{A} is oriented towards the {to}.",
             "The front of {a} looks to the {to}, as it should."),
        *_of("seen", "looked at", "{A} faces {b}.", "{A} is turned towards {b}, so the two belong together."),
        *_of("deed", "way", "I move {a} to the {to} a little.", "{A} slides {to}ward to improve the balance.",
             "{A} gets pushed further {to}."),
        *_of("deed", "turn", "I turn {a} so that it faces {to}.", "A rotation of {deg} degrees puts {a} right.",
             "I rotate {a} {sense} for a better orientation."),
    ],
    "g": [
        *_of("seen", "count", "There are {n} {ks} in the room.", "I count {n} {ks}.", "The {n} {ks} form a group of their own.",
             "{N} {ks} are more than enough here.", "All {n} {ks} are in good order."),
        *_of("seen", "total", "The room contains {n} objects at present.", "{N} pieces of furniture share the floor."),
        *_of("seen", "only one", "A single {k} is all the room has of that sort."),
        *_of("outcome", "total", "That brings the room to {d} objects."),
    ],
    "h": [
        *_of("deed+", "idle", "I also turn {a} a little.", "In addition I move {a} out of the way.",
             "{A} is removed to make space.", "At the same time I replace {a} with something lighter.",
             "I enlarge {a} as well.", "{A} gets shifted along with that."),
        *_of("deed", "moved", "I take {a} out of the room, since it is in the way.", "I rotate {a} where it stands."),
        *_of("deed", "turned", "I move {a} to a better spot.", "{A} is swapped for another one."),
        *_of("deed", "removed", "I move {a} to a quieter place."),
        *_of("end", "swapped verb", ""), *_of("end", "other object", ""), *_of("end", "one more", ""),
    ],
}  # fmt: skip
