"""One line of the lexicon of indoor nouns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal[
    "seat", "sofa", "table", "desk", "bed", "storage", "shelf", "lamp", "plant", "rug", "appliance", "decor", "other"
]
Stands = Literal["floor", "wall", "ceiling", "top"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A noun with all that is known about it; lists are texts with ``", "`` or, for Chinese, blanks between.

    ``words`` mean the same wherever they stand in a text. ``loose`` ones do only where they are what a description
    is about ("light" of "a modern light", not of "light wood"). ``core`` are the types of rooms that need one,
    ``rooms`` those in which it may well stand beside them; ``broader`` are the kinds that it is a sort of.
    """

    noun: str
    family: Family
    stands: Stands = "floor"
    faces: bool = False
    core: str = ""
    rooms: str = ""
    words: str = ""
    zh: str = ""
    broader: str = ""
    loose: str = ""
    plural: str = ""
    firm: bool = True
