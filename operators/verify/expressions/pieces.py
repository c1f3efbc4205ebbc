"""A stretch of mathematics in a running text, and the pieces that it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

ItemKind = Literal["number", "operator", "open", "close", "postfix", "name", "function", "unit", "label", "relation"]


class Item(NamedTuple):
    """One piece of a stretch: what it is, how an expression writes it, and where it stands."""

    kind: ItemKind
    text: str
    start: int
    end: int


@dataclass(slots=True)
class Stretch:
    """Pieces of mathematics in a row, with the words before and after them."""

    items: list[Item] = field(default_factory=list)
    before: str = ""
    after: str = ""
