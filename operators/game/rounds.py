"""A game's round: its records, its screenshots as pixels, and the game's own rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dataflow_ext import InputError, OptionError, RowError
from dataflow_ext.packages import install_hint
from dataflow_ext.report.figures import wilson

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

Light: TypeAlias = Literal["GREEN", "RED", "YELLOW"]

#: More digits are no number on a card.
MOST_DIGITS = 8

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


class PictureMissing(InputError):
    """A picture that a round names is not there."""


class PictureDamaged(InputError):
    """A picture cannot be decoded as a whole."""


def screen(path: Path) -> Pixels:
    """The screenshot as an array of height x width x 3 (RGB) of uint8.

    Raises PictureMissing, or PictureDamaged for what is no picture or not a whole one.
    """
    from dataflow_ext.ocr import pixels_of

    if not path.is_file():
        raise PictureMissing(f"The picture {path} is not there; collect the round again, or take it out.")
    try:
        return pixels_of(path)
    except InputError as error:
        raise PictureDamaged(str(error)) from None


def must_have_numpy() -> None:
    """Raise OptionError if the packages that look at pictures are not installed."""
    if any(find_spec(package) is None for package in ("numpy", "cv2")):
        hint = install_hint("ocr")
        raise OptionError(f"Screenshots are looked at with NumPy and OpenCV; install them with: {hint}")


#: Chance agreement is one in three; a rule is believed that surely holds in more rounds than this.
_BELIEVED = 0.7


def asked_for(numbers: Sequence[int], light: Light) -> int:
    """The place of the card that the rule asks for; of equal cards the leftmost.

    >>> asked_for([5, 8, 3], "GREEN"), asked_for([5, 8, 3], "YELLOW"), asked_for([3, 8, 3], "RED")
    (1, 0, 0)
    """
    ordered = sorted(numbers)
    wanted = {"GREEN": ordered[-1], "RED": ordered[0], "YELLOW": ordered[len(ordered) // 2]}[light]
    return list(numbers).index(wanted)


def agrees(numbers: Sequence[int], light: Light, card: int) -> bool:
    """Whether the card shows the number that the rule asks for.

    >>> agrees([3, 8, 3], "RED", 2), agrees([3, 8, 3], "RED", 1)
    (True, False)
    """
    return 0 <= card < len(numbers) and numbers[card] == numbers[asked_for(numbers, light)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many rounds that are sure in all three values go by the rule, and how many there are."""

    agree: int
    of: int

    @property
    def enough(self) -> bool:
        """Whether there are rounds enough to believe the rule, if all of them went by it."""
        return wilson(self.of, self.of)[0] > _BELIEVED

    @property
    def believed(self) -> bool:
        """Whether the rule holds beyond doubt: 95 % sure of more than 70 % of the rounds, nine of nine at least."""
        return wilson(self.agree, self.of)[0] > _BELIEVED


def evidence(rounds: Iterable[tuple[Sequence[int], Light, int]]) -> Evidence:
    """How the rule fares in rounds whose three values are sure."""
    outcomes = [agrees(numbers, light, card) for numbers, light, card in rounds]
    return Evidence(sum(outcomes), len(outcomes))
