"""What a picture file must be to go into a data set, or to a model: whole, of a known format, of bounded size, bare."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.errors import InputError
from dataflow_ext.pictures.metadata import Malformed as Malformed
from dataflow_ext.pictures.metadata import format_of as format_of
from dataflow_ext.pictures.metadata import without_metadata as without_metadata

if TYPE_CHECKING:
    from PIL.Image import Image

#: What may go into a data set: trainers (by Pillow) and browsers open all of them, and metadata can be taken out.
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
#: A larger file is no picture of a data set.
MOST_BYTES = 200_000_000
#: With more pixels a picture is not decoded: A3 at 600 dpi has 70 million, and each takes up to 4 bytes of memory.
MOST_PIXELS = 120_000_000

_ENDINGS = {
    "PNG": (".png",),
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "WEBP": (".webp",),
    "GIF": (".gif",),
    "BMP": (".bmp", ".dib"),
}


class UnfitPicture(InputError):
    """A picture that is not used; its text goes on behind the picture's name: "is an empty file"."""


@dataclass(frozen=True, slots=True)
class CheckedPicture:
    """A picture that may be used: its file without metadata, its format as Pillow names it, its size in pixels."""

    data: bytes
    format: str
    width: int
    height: int

    def name(self, name: str) -> str:
        """A file name for it: the given one, with another ending if a browser would take it for something else.

        >>> CheckedPicture(b"", "PNG", 1, 1).name("fig.html"), CheckedPicture(b"", "PNG", 1, 1).name("fig.JPG")
        ('fig.html.png', 'fig.JPG')
        """
        known = [ending for endings in _ENDINGS.values() for ending in endings]
        return name if Path(name).suffix.lower() in known else name + _ENDINGS[self.format][0]


def checked_file(path: Path, *, decode: bool = True) -> CheckedPicture:
    """The picture in a file, checked as :func:`checked_picture` does; UnfitPicture also if it cannot be read."""
    try:
        if not path.is_file():
            raise UnfitPicture("is not there")
        if (size := path.stat().st_size) > MOST_BYTES:
            raise UnfitPicture(f"has {size:,} bytes, more than the {MOST_BYTES:,} that are read")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, UnfitPicture):
            raise
        raise UnfitPicture(f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    return checked_picture(data, decode=decode)


def checked_picture(data: bytes, *, decode: bool = True) -> CheckedPicture:
    """The picture in a file's bytes, without its metadata; UnfitPicture if it is none, or may do harm.

    Wanted is a PNG, JPEG, WebP, GIF or BMP file that is whole and has at most ``MOST_PIXELS``. Pixels are never
    encoded anew, so a file without metadata comes back byte for byte; what follows its end is cut off. All of the
    first frame is decoded, unless ``decode`` is off because it was before.

    >>> checked_picture(b"<svg onload='alert(1)'/>")
    Traceback (most recent call last):
    dataflow_ext.pictures.UnfitPicture: is SVG, HTML or other text, which may hold scripts; give PNG or JPEG
    """
    kind = format_of(data)
    if kind is None:
        raise UnfitPicture(_no_picture(data))
    try:
        bare = without_metadata(data)
    except Malformed as error:
        raise UnfitPicture(f"is damaged: {error}") from None
    with opened_picture(bare, (kind,), MOST_PIXELS) as opened:
        if decode:
            _decode(opened)
        size = opened.size
    return CheckedPicture(bare, kind, *size)


def opened_picture(data: bytes, formats: Collection[str], most_pixels: int) -> Image:
    """The picture, opened and not yet decoded; UnfitPicture if it is of another format or has more pixels."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on many pixels, which have a limit of ours, and on damaged remarks
            opened = Image.open(BytesIO(data), formats=tuple(formats))
    except Image.DecompressionBombError:
        raise UnfitPicture(f"has more than {most_pixels:,} pixels; make it smaller") from None
    except Exception as error:  # decoders raise all kinds of errors
        raise UnfitPicture(f"is damaged or no picture ({error or type(error).__name__})") from None
    width, height = opened.size
    if width * height > most_pixels:
        opened.close()
        raise UnfitPicture(f"has {width:,} x {height:,} pixels, more than the {most_pixels:,} that are read")
    return opened


def of_8_bits(image: Image) -> Image:
    """The picture in grey or colour of 8 bits, with transparency if it has any."""
    if "transparency" in image.info or image.mode in ("PA", "La", "RGBa"):
        return image.convert("RGBA")
    if image.mode.startswith("I"):  # 16 bits of grey
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if image.mode in ("1", "F"):
        return image.convert("L")
    return image if image.mode in ("L", "LA", "RGB", "RGBA") else image.convert("RGB")


def on_white(image: Image) -> Image:
    """A picture of 8 bits in colour, on white where it is transparent."""
    from PIL import Image as images

    if image.mode == "RGB":
        return image  # as it is: converting would copy it
    if image.mode == "L":
        return image.convert("RGB")
    clear = image.convert("RGBA")
    return images.alpha_composite(images.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _decode(opened: Image) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # For that the pixels of a JPEG need not be made in full.
            opened.draft(opened.mode, (1, 1))
            opened.load()
    except Exception as error:
        raise UnfitPicture(f"is damaged ({error or type(error).__name__})") from None


def _no_picture(data: bytes) -> str:
    if not data:
        return "is an empty file"
    head = data[:1024].lstrip(b"\xef\xbb\xbf\x00\t\n\r ")
    if head.startswith(b"<") or b"<svg" in head or b"<html" in head:
        return "is SVG, HTML or other text, which may hold scripts; give PNG or JPEG"
    return "is no PNG, JPEG, WebP, GIF or BMP file"
