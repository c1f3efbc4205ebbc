"""A small world to claim things of: boxes on a shelf, by their lengths and places along it, before and after a push."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dataflow_ext.claims import Sort, Term, Vocabulary

#: A box: its place and its length, in metres.
Boxes = Mapping[str, tuple[float, float]]

SHELF = Vocabulary(
    sorts=[
        Sort("thing", "a box", thing=True),
        Sort("kind", "a kind of box"),
        Sort("side", "left or right", words={"left": ("left", "左"), "right": ("right", "右")}),
    ],
    terms=[
        Term("length", ("thing",), "how long it is", lambda boxes, name: boxes[name][1], "m"),
        Term("gap", ("thing", "thing"), "the room between two", lambda boxes, a, b: abs(
            boxes[a][0] - boxes[b][0]) - (boxes[a][1] + boxes[b][1]) / 2, "m"),
        Term("count", ("kind?",), "how many there are",
             lambda boxes, kind=None: sum(kind in (None, name.split(" ")[0]) for name in boxes), "1", 0),
        Term("filled", (), "the share of two metres that boxes take",
             lambda boxes: sum(length for _, length in boxes.values()) / 2, "1", share=True),
        Term("tilt", ("thing",), "how it leans", lambda boxes, name: 90 * boxes[name][1], "deg", 0),
        Term("beside", ("thing", "thing", "side"), "it is on that side of the other", lambda boxes, a, b, side: (
            boxes[a][0] < boxes[b][0]) == (side == "left") and a != b),
        Term("long", ("thing",), "longer than half a metre", lambda boxes, name: boxes[name][1] > 0.5),
    ],
    states=("before", "after"),
)  # fmt: skip


@dataclass(frozen=True)
class Shelf:
    """Boxes before and after."""

    before: Boxes
    after: Boxes

    @property
    def vocabulary(self) -> Vocabulary:
        return SHELF

    def find(self, sort: str, name: str, state: str) -> Sequence[str]:
        said = name.replace("_", " ").casefold()
        if sort == "kind":
            return [said.rstrip("s")] if said.rstrip("s") in ("crate", "tin", "jar") else []
        boxes = self.view(state)
        return [said] if said in boxes else [each for each in boxes if each.split(" ")[0] == said]

    def view(self, state: str) -> Boxes:
        return self.before if state == "before" else self.after

    def spoken(self, sort: str, found: str) -> Collection[str]:
        return {found, found.split(" ")[0]}

    def nouns(self) -> Mapping[str, bool]:
        there = {name.split(" ")[0] for name in (*self.before, *self.after)}
        return {word + s: word in there for word in ("crate", "tin", "jar") for s in ("", "s")}

    def names(self) -> Collection[str]:
        return {*self.before, *self.after}


#: Crate from 0.0 to 0.4, tins from 0.6 to 0.9 and from 1.0 to 1.6; afterwards the crate is pushed on by 0.15 and cut.
HERE = Shelf(
    {"crate": (0.2, 0.4), "tin 1": (0.75, 0.3), "tin 2": (1.3, 0.6)},
    {"crate": (0.35, 0.36), "tin 1": (0.75, 0.3), "tin 2": (1.3, 0.6), "lid": (1.9, 0.1)},
)
