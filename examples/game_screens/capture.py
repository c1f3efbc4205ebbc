"""How a screen is stored: as PNG or JPEG, by some devices a little soft, tinted or cut."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


@dataclass(frozen=True, slots=True)
class Capture:
    """What is done to the two screens of a round before they are stored.

    ``quality`` is that of a JPEG, None for PNG; ``soft`` the share of the size that the picture was made smaller
    to and enlarged again; ``tint`` the strength of the three colours; ``cut`` by how many pixels at the left and
    the top the result screen is smaller than the question.
    """

    quality: int | None
    soft: float
    tint: tuple[float, float, float]
    cut: tuple[int, int]

    @property
    def suffix(self) -> str:
        """The file's ending."""
        return "png" if self.quality is None else "jpg"

    def store(self, image: Image.Image, path: Path, result: bool) -> None:
        """Write the picture."""
        from PIL import Image as images

        size = image.size
        if self.soft < 1:
            small = [round(side * self.soft) for side in size]
            image = image.resize((small[0], small[1]), images.Resampling.BILINEAR)
            image = image.resize(size, images.Resampling.BILINEAR)
        if self.tint != (1.0, 1.0, 1.0):
            image = image.point([round(value * share) for share in self.tint for value in range(256)])
        if result and any(self.cut):
            image = image.crop((*self.cut, *size))
        if self.quality is None:
            image.save(path, compress_level=1)
        else:
            image.save(path, quality=self.quality)


def captured(dice: Random) -> Capture:
    """One way to store a round."""
    cast = (dice.uniform(0.93, 1.0), dice.uniform(0.93, 1.0), dice.uniform(0.9, 1.0))
    cut = (dice.randrange(0, 3), dice.randrange(0, 3))
    soft = dice.choice((0.6, 0.75)) if dice.random() < 0.12 else 1.0
    return Capture(
        quality=dice.randrange(60, 96) if dice.random() < 0.6 or soft < 1 else None,
        soft=soft,
        tint=cast if dice.random() < 0.15 else (1.0, 1.0, 1.0),
        cut=cut if dice.random() < 0.1 else (0, 0),
    )
