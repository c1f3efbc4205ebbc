"""What is known of a round: what was seen in its pictures, by whom, how surely, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dataflow_ext import RowError

Light: TypeAlias = Literal["GREEN", "RED", "YELLOW"]

#: x0, y0, x1, y1 in pixels of the picture, upright, y downwards.
Box: TypeAlias = tuple[float, float, float, float]

#: x and y in the same pixels.
Point: TypeAlias = tuple[float, float]


@dataclass(slots=True)
class Look:
    """One look at a picture: by whom, what was seen ("" for nothing), how surely (0 to 1), and why.

    ``by`` is ``ocr``, ``ocr crop``, ``colour``, ``difference``, ``vlm`` or ``rule``. ``value`` is what was seen
    as :func:`told` writes it: ``5 8 3``, ``GREEN``, ``1``.
    """

    by: str
    value: str
    confidence: float
    reason: str


@dataclass(slots=True)
class Reading:
    """Where a value comes from: the look that counts (``by``, ``confidence``, ``reason``), and all looks in order."""

    by: str
    confidence: float
    reason: str
    looks: list[Look]


@dataclass(slots=True)
class Found:
    """What was found in a picture without a model: the value, None for nothing, and the look that gave it.

    ``earlier`` are looks that it rests on, ``columns`` what else was found, by column. ``parts`` are the parts
    of the value that are sure by themselves (for numbers: each card's, None where it is not).
    """

    value: Any
    look: Look
    earlier: list[Look] = field(default_factory=list)
    columns: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[int | None, ...] = ()


@dataclass(slots=True)
class CardChange:
    """What a result picture did to one card.

    ``changed`` is the mean change and ``green``, ``red`` and ``other`` the mean colour gained, in Lab units over the
    card's area. ``toward`` is the mean step along the two axes of colour where colour was gained, else where
    anything changed. ``contrast`` is contrast after by before; ``faded`` is how far the card went over into the
    ground around it (0 to 1), and ``explained`` how much of the change that explains (at most 1). ``size`` is how
    large the card is now, and ``alike`` how alike its edges are there. ``near`` is the green, red and other colour
    gained above and below the card, by shapes that lie in its column alone: a line of text is no card's mark.
    """

    changed: float
    green: float
    red: float
    other: float
    toward: tuple[float, float]
    contrast: float
    faded: float
    explained: float
    size: float
    alike: float
    near: tuple[float, float, float]


class UnsureError(RowError):
    """What a picture shows cannot be told surely enough; the round is not used."""


class NumbersUnsure(UnsureError):
    """The numbers on the three cards are not sure."""


class LightUnsure(UnsureError):
    """The colour of the light is not sure."""


class CardUnsure(UnsureError):
    """Which card is the correct one is not sure."""


class RoundContradiction(UnsureError):
    """Numbers, light and correct card do not go together by the game's rule."""


def told(value: Any) -> str:
    """A value as looks and records write it.

    >>> told([5, 8, 3]), told("RED"), told(1), told(None)
    ('5 8 3', 'RED', '1', '')
    """
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
