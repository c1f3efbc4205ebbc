"""What every part of a screen is drawn with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from examples.game_screens.canvas import Area, Canvas
from examples.game_screens.game import WORDS, GameRound, Language
from examples.game_screens.themes import Palette, Theme

Shown = Literal["question", "result"]
#: The two screens of a round.
SHOWN: tuple[Shown, Shown] = ("question", "result")
_FULL_WIDTH = "０１２３４５６７８９"


@dataclass(frozen=True)
class Stage:
    """A screen to be drawn: the canvas, the game's look, the round, and which of its two screens it is.

    ``unit`` is a hundredth of a phone's width in pixels. Each part takes its choices from its own dice, which
    are the same for both screens of a round.
    """

    canvas: Canvas
    unit: float
    theme: Theme
    dark: bool
    language: Language
    round: GameRound
    shown: Shown
    seed: str
    cards: int = 3
    lamp: bool = True

    @property
    def palette(self) -> Palette:
        """The colours."""
        return self.theme.dark if self.dark else self.theme.light

    @property
    def result(self) -> bool:
        """Whether this is the result screen."""
        return self.shown == "result"

    def dice(self, part: str) -> Random:
        """The dice of one part of the screen."""
        return Random(f"{self.seed}/{part}")

    def words(self, kind: str, which: int | None = None, **values: object) -> str:
        """One of the texts of a kind in the game's language, filled in."""
        texts = WORDS[self.language][kind]
        text = texts[which] if which is not None else self.dice(f"words {kind}").choice(texts)
        return filled(text, self.round, values)


def filled(text: str, round_: GameRound, values: Mapping[str, object] | None = None) -> str:
    """A text with the round's counts in it."""
    counts: dict[str, object] = {
        "of": round_.of,
        "level": round_.level,
        "gain": round_.gain,
        "gems": round_.gems,
        "n": round_.number,
    }
    counts["w"] = "".join(_FULL_WIDTH[int(digit)] for digit in str((values or {}).get("n", round_.number)))
    return text.format(**{**counts, "value": round_.numbers[round_.answer], **(values or {})})


def inset(area: Area, by: float) -> Area:
    """An area that is smaller on each side."""
    return area[0] + by, area[1] + by, area[2] - by, area[3] - by


def middle(area: Area) -> tuple[float, float]:
    """The centre of an area."""
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
