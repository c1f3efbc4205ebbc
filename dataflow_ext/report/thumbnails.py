"""Small pictures that a page holds in itself: of files, or bytes, that may be missing, damaged or hostile."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")
#: Larger pictures and files are not opened.
_MOST_PIXELS = 40_000_000
_MOST_BYTES = 64 << 20
_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture as a data URI with the size that it has in full; without one, ``problem`` says in a few words why."""

    uri: str = ""
    width: int = 0
    height: int = 0
    problem: str = ""


def thumbnail(source: Path | bytes, width: int = 480) -> Thumbnail:
    """The picture of a file, or of its bytes, upright, on white, and fitted into so many pixels and 2.2 times as many.

    A picture that is wider than high is fitted into 1.7 times as many and as many.
    """
    from PIL import Image

    try:
        if isinstance(source, Path) and not source.is_file():
            return Thumbnail(problem="not there")
        if (source.stat().st_size if isinstance(source, Path) else len(source)) > _MOST_BYTES:
            return Thumbnail(problem="too large to show")
        with Image.open(source if isinstance(source, Path) else BytesIO(source), formats=_FORMATS) as picture:
            if math.prod(picture.size) > _MOST_PIXELS:
                return Thumbnail(problem="too large to show")
            return _encoded(picture, width)
    except Image.DecompressionBombError:
        return Thumbnail(problem="too large to show")
    except Exception:  # decoders raise all kinds of errors on damaged files
        return Thumbnail(problem="cannot be decoded")


def _encoded(picture: Image, width: int) -> Thumbnail:
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
    out = BytesIO()
    small.convert("RGB").save(out, "JPEG", quality=_QUALITY, optimize=True)
    data = base64.b64encode(out.getvalue()).decode()
    return Thumbnail(f"data:image/jpeg;base64,{data}", upright.width, upright.height)
