"""The tree of a formula: what stands beside, over, under, above and inside of what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True)
class Leaf:
    """One sign or word as LaTeX writes it."""

    latex: str
    kind: str


@dataclass(slots=True)
class Row:
    """Parts beside each other; ``gaps`` are the spaces before them, in ems."""

    parts: list[Node] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Fraction:
    """A quotient; without a bar, two lines in brackets as a binomial has them."""

    above: Node
    below: Node
    bar: bool = True


@dataclass(slots=True)
class Root:
    """A root of what its bar covers."""

    inside: Node
    index: Node | None = None


@dataclass(slots=True)
class Scripts:
    """A base with what stands at its upper and lower right, or above and below it."""

    base: Node
    upper: Node | None = None
    lower: Node | None = None
    over: Node | None = None
    under: Node | None = None


@dataclass(slots=True)
class Decorated:
    """Something under an accent, a line or a brace."""

    command: str
    inside: Node


@dataclass(slots=True)
class Fenced:
    """Something between brackets that are as tall as it is."""

    left: str
    right: str
    inside: Node


@dataclass(slots=True)
class Array:
    """Rows of cells between brackets; empty cells are None."""

    left: str
    right: str
    rows: list[list[Node | None]]


Node: TypeAlias = Leaf | Row | Fraction | Root | Scripts | Decorated | Fenced | Array
