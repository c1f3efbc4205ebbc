"""What a picture of a data set is: its bytes, its size, and why EasyR1 could not use it."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from io import BytesIO
from math import prod, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.errors import InputError
from dataflow_ext.pictures import FORMATS, Malformed, without_metadata
from operators.game.easyr1.form import MAX_PIXELS, MIN_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image

#: A file with more bytes is no screenshot.
MOST_BYTES = 256 << 20
#: With more pixels than this Pillow, by which EasyR1 opens pictures, refuses to.
MOST_PIXELS = 178_956_970

_FORMATS = (*FORMATS, "TIFF")
_ORIENTATION = 0x0112


class PictureFault(InputError):
    """A picture that EasyR1 cannot use; ``code`` is the checker's name for the reason."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code

    def __reduce__(self) -> tuple[type[PictureFault], tuple[str, str]]:
        return PictureFault, (self.code, str(self))


@dataclass(frozen=True, slots=True)
class Facts:
    """A picture's size in pixels, the hash of its file, and the hash of its decoded content."""

    width: int
    height: int
    file: bytes
    content: bytes


def file_hash(data: bytes) -> bytes:
    """What tells one file from another."""
    return hashlib.blake2b(data, digest_size=16).digest()


def picture_bytes(path: Path) -> bytes:
    """The bytes of a picture's file; PictureFault if there is none, or it is no file of a picture's size."""
    try:
        size = path.stat().st_size if path.is_file() else None
        data = path.read_bytes() if size is not None and size <= MOST_BYTES else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PictureFault("image-missing", f"cannot be read: {reason}") from None
    if size is None:
        raise PictureFault("image-missing", "is not there")
    if size > MOST_BYTES:
        raise PictureFault("picture-huge", f"is a file of more than {MOST_BYTES >> 20} MiB")
    return data


def without_remarks(data: bytes) -> bytes:
    """The picture's file without metadata; PictureFault if it is of a format that data sets do not hold."""
    try:
        return without_metadata(data)
    except Malformed as error:
        raise PictureFault("picture-damaged", f"cannot go into a data set: {error}") from None


def facts_of(data: bytes) -> Facts:
    """The size and content of an encoded picture; PictureFault if it cannot be decoded as a whole, or lies turned."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            opened = Image.open(BytesIO(data), formats=_FORMATS)
        except Image.DecompressionBombError:
            raise PictureFault("picture-huge", f"has more than {MOST_PIXELS:,} pixels") from None
        except Exception:  # whatever a decoder makes of bytes that were never a picture
            raise PictureFault("picture-damaged", "is no picture of a known format") from None
    with opened:
        width, height = opened.size
        _must_fit(width, height)
        content = _content(opened)
        _must_be_upright(opened)
        return Facts(width, height, file_hash(data), content)


def _must_fit(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureFault("picture-huge", f"has more than {MOST_PIXELS:,} pixels")
    if max(width, height) > MOST_STRETCHED * min(width, height):
        why = f"has {width} x {height} pixels; the model's image processor refuses more than {MOST_STRETCHED} to 1"
        raise PictureFault("picture-shape", why)


def _content(opened: Image) -> bytes:
    try:
        pixels = opened.convert("RGB")
    except Exception as error:  # decoders raise all kinds of errors on damaged files
        raise PictureFault("picture-damaged", f"is damaged ({str(error)[:80] or type(error).__name__})") from None
    return hashlib.blake2b(b"%d,%d:" % pixels.size + pixels.tobytes(), digest_size=16).digest()


def _must_be_upright(opened: Image) -> None:
    try:
        turned = opened.getexif().get(_ORIENTATION, 1)
    except Exception:  # EXIF data that cannot be read turns nothing
        return
    if turned in range(2, 9):
        why = f"is turned by its EXIF data (orientation {turned}), which EasyR1 does not heed; save it upright"
        raise PictureFault("picture-turned", why)


#: A token stands for a square of this many pixels a side.
_SIDE = 28
#: A picture that is longer than this many times its width is refused by the image processor.
MOST_STRETCHED = 200


def image_tokens(width: int, height: int, max_pixels: int = MAX_PIXELS) -> int:
    """The image tokens of a picture of this size (pixels), with EasyR1's ``max_pixels``.

    >>> image_tokens(1080, 2340), image_tokens(1080, 2340, max_pixels=1_048_576)
    (3276, 1350)
    """
    width, height = max(width, 1), max(height, 1)
    if width * height > max_pixels:
        width, height = _scaled(width, height, sqrt(max_pixels / (width * height)))
    if width * height < MIN_PIXELS:
        width, height = _scaled(width, height, sqrt(MIN_PIXELS / (width * height)))
    # The model rounds sides to whole squares; its own limits of pixels are wider than these.
    return prod(max(round(side / _SIDE), 1) for side in (width, height))


def _scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(int(width * factor), 1), max(int(height * factor), 1)
