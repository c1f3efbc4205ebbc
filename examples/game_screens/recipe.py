"""What one round's two screens are drawn from, and how they are drawn and stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType

from examples.game_screens.canvas import Area, Canvas
from examples.game_screens.capture import Capture, captured
from examples.game_screens.game import GameRound
from examples.game_screens.layout import draw_screen
from examples.game_screens.stage import SHOWN, Shown, Stage
from examples.game_screens.themes import Theme
from examples.game_screens.words import Language

#: Screens by device: width and height in pixels.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "phone_720": (720, 1280),
        "phone_1080": (1080, 1920),
        "phone_long": (1080, 2340),
        "phone_notch": (1170, 2532),
        "phone_fine": (1440, 3200),
        "phone_small": (480, 854),
        "phone_wide": (2340, 1080),
        "tablet": (1600, 2560),
        "tablet_wide": (2048, 1536),
        "desktop": (1366, 768),
    }
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A round of a game on a device; ``cards`` other than 3, or no lamp, make a broken screen."""

    device: str
    episode: str
    theme: Theme
    dark: bool
    language: Language
    game: GameRound
    seed: str
    cards: int = 3
    lamp: bool = True

    @property
    def capture(self) -> Capture:
        """How the screens are stored."""
        return captured(Random(f"{self.seed}/{self.game.number}"))

    def path(self, shown: Shown) -> str:
        """Where a screen is stored, relative to the folder of all devices."""
        return f"{self.device}/{self.episode}_round_{self.game.number:02d}_{shown}.{self.capture.suffix}"

    def store(self, folder: Path) -> list[Area]:
        """Draw and write both screens; returns where the cards lie, left to right."""
        from PIL import Image

        width, height = SIZES[self.device]
        unit = min(width / 100, height / 150)
        places: list[Area] = []
        for shown in SHOWN:
            canvas = Canvas(Image.new("RGB", (width, height)))
            stage = Stage(
                canvas, unit, self.theme, self.dark, self.language, self.game, shown, self.seed, self.cards, self.lamp
            )
            places = draw_screen(stage)
            self.capture.store(canvas.image, folder / self.path(shown), shown == "result")
        return places
