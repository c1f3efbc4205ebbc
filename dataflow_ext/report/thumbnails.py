"""Small pictures that a page holds in itself: made of files that may be missing, damaged or hostile."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from PIL.Image import Image

#: A box in pixels of the picture, and whether it is the one that counts.
Mark: TypeAlias = tuple[Sequence[float], bool]

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")
#: Larger pictures and files are not opened.
_MOST_PIXELS = 40_000_000
_MOST_BYTES = 64 << 20
_BOX, _CHOSEN = "#2f6fe0", "#c2189b"


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture as a data URI with its size in pixels; without one, ``problem`` says in a few words why."""

    uri: str = ""
    width: int = 0
    height: int = 0
    problem: str = ""


class Thumbnails:
    """Makes thumbnails, each once, and no more than ``most`` in all, so that a page stays small.

    A picture is fitted into ``width`` x 2.2 ``width`` pixels, or 1.7 ``width`` x ``width`` if it is wider
    than high. ``root``, if it is given, is the folder outside of which no file is opened.
    """

    def __init__(self, width: int = 220, most: int = 400, quality: int = 80, root: Path | None = None) -> None:
        self._width, self._most, self._quality = width, most, quality
        self._root = None if root is None else root.resolve()
        self._made: dict[tuple[Path, str], Thumbnail] = {}

    def of(self, path: Path, marks: Sequence[Mark] = ()) -> Thumbnail:
        """The thumbnail of a picture file, with boxes drawn around what is marked."""
        key = (path, repr(marks))
        if key not in self._made:
            if len(self._made) >= self._most:
                return Thumbnail(problem="left out, to keep this page small")
            self._made[key] = self._thumbnail(path, marks)
        return self._made[key]

    def _thumbnail(self, path: Path, marks: Sequence[Mark]) -> Thumbnail:
        from PIL import Image

        try:
            if self._root is not None and not path.resolve().is_relative_to(self._root):
                return Thumbnail(problem="outside of the folder")
            if not path.is_file():
                return Thumbnail(problem="not there")
            if path.stat().st_size > _MOST_BYTES:
                return Thumbnail(problem="too large to show")
            with Image.open(path, formats=_FORMATS) as picture:
                if math.prod(picture.size) > _MOST_PIXELS:
                    return Thumbnail(problem="too large to show")
                return self._encoded(picture, marks)
        except Image.DecompressionBombError:
            return Thumbnail(problem="too large to show")
        except Exception:  # decoders raise all kinds of errors on damaged files
            return Thumbnail(problem="cannot be decoded")

    def _encoded(self, picture: Image, marks: Sequence[Mark]) -> Thumbnail:
        small, scale = _small(picture, self._width)
        _draw(small, marks, scale)
        out = BytesIO()
        small.save(out, "JPEG", quality=self._quality, optimize=True)
        data = base64.b64encode(out.getvalue()).decode()
        return Thumbnail(f"data:image/jpeg;base64,{data}", small.width, small.height)


def _small(picture: Image, width: int) -> tuple[Image, float]:
    """The picture, upright and without transparency, as small as it is shown, and by how much it shrank."""
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(picture)
    if upright.mode not in ("RGB", "RGBA", "L"):
        upright = upright.convert("RGBA")
    high = upright.height >= upright.width
    scale = min((width if high else 1.7 * width) / upright.width, (2.2 if high else 1) * width / upright.height, 1.0)
    size = (max(1, round(upright.width * scale)), max(1, round(upright.height * scale)))
    small = upright.resize(size, Image.Resampling.BOX if scale < 0.5 else Image.Resampling.LANCZOS)
    if small.mode == "RGBA":
        small = Image.alpha_composite(Image.new("RGBA", size, "white"), small)
    return small.convert("RGB"), scale


def _draw(picture: Image, marks: Sequence[Mark], scale: float) -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    for box, chosen in sorted(marks, key=lambda mark: mark[1]):
        x0, y0, x1, y1 = (min(max(side * scale, -9.0), 9e3) if math.isfinite(side) else 0.0 for side in box)
        edges = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        # White below the colour, so that the line stands out on cards of any colour.
        draw.rectangle(
            (edges[0] - 1, edges[1] - 1, edges[2] + 1, edges[3] + 1), outline="white", width=5 if chosen else 4
        )
        draw.rectangle(edges, outline=_CHOSEN if chosen else _BOX, width=3 if chosen else 2)
