"""One picture: found below its folder, checked, and made upright, in colour and not too large where it is not."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

from dataflow_ext.errors import RowError
from dataflow_ext.files import atomic
from dataflow_ext.pictures import Malformed, without_metadata

if TYPE_CHECKING:
    from PIL.Image import Image

#: Another number for pictures that would be made otherwise: the names of those that were made hold it.
VERSION = 1
#: Larger files are no pictures of a data set.
MOST_BYTES = 200_000_000

_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF")
#: The endings of files whose pixels stay as they are.
_LIES_AS = {"JPEG": ".jpg", "PNG": ".png"}
#: How files of JPEG and PNG end.
_ENDS = (b"\xff\xd9", b"IEND\xaeB`\x82")
_ORIENTATION = 0x0112
#: Categories of characters that no file of a data set is named with: controls, marks that are not seen, halves.
_ODD = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_HIDDEN = re.compile(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|data:|[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Limits:
    """Where made pictures lie, and how large pictures may be: the longer side when used, the pixels when read."""

    folder: Path
    max_side: int
    max_pixels: int


@dataclass(frozen=True, slots=True)
class Normalised:
    """A picture to use: the absolute path of its file, the SHA-256 of that file, and its size in pixels."""

    picture: Path
    picture_key: str
    width: int
    height: int


def found(image: str, roots: Sequence[Path]) -> Path:
    """The real path of an image below the first of the folders that has it, which it cannot leave.

    Raises RowError for a path that is none, leads out of its folder, or at whose end is no file.

    >>> found("../secret.png", [Path(".")])
    Traceback (most recent call last):
    dataflow_ext.errors.RowError: The image '../secret.png' leads out of its folder; give a path below it.
    """
    called = f"The image {image!r:.200}"
    if problem := _path_problem(image):
        raise RowError(f"{called} {problem}")
    try:
        for root in roots:
            base = os.path.realpath(root)
            path = os.path.join(base, image)  # noqa: PTH118 - Path would leave out what is odd
            if not os.path.lexists(path):
                continue
            real = os.path.realpath(path, strict=True)
            if os.path.commonpath([base, real]) != base:
                raise RowError(f"{called} is a link that leads out of its folder; put the picture itself there.")
            if not stat.S_ISREG(os.stat(real).st_mode):  # noqa: PTH116
                raise RowError(f"{called} is no file.")
            return Path(real)
    except (OSError, ValueError) as error:
        if isinstance(error, RowError):
            raise
        raise RowError(f"{called} cannot be found: {getattr(error, 'strerror', None) or error}.") from None
    raise RowError(f"{called} is missing: there is no such file in {', '.join(map(str, roots))}.")


def normalised(path: Path, limits: Limits, whole: Collection[str] = ()) -> Normalised:
    """The picture in a file, or one that is made of it: upright, RGB or grey of 8 bits, PNG or JPEG, not too large.

    It has no metadata (places, cameras, comments); its pixels are not encoded anew for that. ``whole`` holds the
    SHA-256 of files that were used as they lie before, so that not all of them is read again.
    Raises RowError for what is no picture, is damaged, or has too few or too many pixels.
    """
    data = _read(path)
    digest = hashlib.sha256(data).hexdigest()
    with _opened(path, data) as image:
        size = _checked_size(path, image.size, limits)
        if _fits(image, data, limits.max_side) and (digest in whole or _upright(path, image)):
            bare = data if digest in whole else _bare(path, data)
            if bare == data:
                return Normalised(path, digest, *size)
            return _made(path, digest, limits, lambda: (_LIES_AS[str(image.format)], bare))
    return _made(path, digest, limits, lambda: _encoded(path, data, limits.max_side))


def _bare(path: Path, data: bytes) -> bytes:
    try:
        return without_metadata(data)
    except Malformed as error:
        raise _damaged(path, error) from None


def _path_problem(image: str) -> str | None:
    if not image.strip():
        return "is no path."
    if image.startswith("/") or _ADDRESS.match(image):
        return "is an address or an absolute path; put the picture below the images' folder and give its path there."
    if "\\" in image:
        return "holds a backslash; write paths with '/'."
    if _HIDDEN.search(image):
        return "holds an encoded '.', '/' or the like; write the path as it is."
    if ".." in image.split("/"):
        return "leads out of its folder; give a path below it."
    if not image.isascii() or not image.isprintable():
        odd = next((sign for sign in image if unicodedata.category(sign) in _ODD), None)
        if odd is not None:
            return f"holds the character U+{ord(odd):04X}, which no file's name has."
    return None


def _read(path: Path) -> bytes:
    try:
        if (size := path.stat().st_size) > MOST_BYTES:
            raise RowError(f"The picture {path} has {size:,} bytes, more than the {MOST_BYTES:,} that are read.")
        data = path.read_bytes()
    except OSError as error:
        raise RowError(f"The picture {path} cannot be read: {error.strerror or error}.") from None
    if not data:
        raise RowError(f"The picture {path} is an empty file.")
    return data


def _opened(path: Path, data: bytes) -> Image:
    from PIL import Image, UnidentifiedImageError

    try:
        return Image.open(BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise RowError(f"The picture {path} has too many pixels to be read safely; give a smaller one.") from None
    except UnidentifiedImageError:
        raise RowError(f"The file {path} is no picture; PNG, JPEG, GIF, WebP, BMP and TIFF can be read.") from None
    except Exception as error:
        raise _damaged(path, error) from None


def _checked_size(path: Path, size: tuple[int, int], limits: Limits) -> tuple[int, int]:
    width, height = size
    if width * height > limits.max_pixels:
        raise RowError(
            f"The picture {path} has {width:,} x {height:,} pixels, more than the {limits.max_pixels:,} that are read."
        )
    if min(size) < 2 or min(size) * limits.max_side < 2 * max(size):
        raise RowError(f"The picture {path} has {width:,} x {height:,} pixels: too few to show anything.")
    return size


def _fits(image: Image, data: bytes, max_side: int) -> bool:
    """Whether a picture can be used as it lies, as far as its head tells."""
    if image.format not in ("JPEG", "PNG") or image.mode not in ("RGB", "L") or "transparency" in image.info:
        return False
    # A PNG's 16 bits are cut to 8 when it is read.
    deep = image.format == "PNG" and data[24:25] == b"\x10"
    return not deep and max(image.size) <= max_side and not getattr(image, "is_animated", False)


def _upright(path: Path, image: Image) -> bool:
    """Whether a picture lies as it is to be seen; RowError if it is damaged, which shows when all of it is read."""
    try:
        # For that the pixels of a JPEG need not be made in full.
        image.draft(image.mode, (1, 1))
        image.load()
        return bool(image.getexif().get(_ORIENTATION, 1) == 1)
    except Exception as error:  # decoders raise all kinds of errors
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> RowError:
    return RowError(f"The picture {path} is damaged: {error or type(error).__name__}; give it anew.")


def _made(path: Path, digest: str, limits: Limits, make: Callable[[], tuple[str, bytes]]) -> Normalised:
    """The picture that is made of another, or was made earlier."""
    name = hashlib.sha256(f"{digest} {limits.max_side} {VERSION}".encode()).hexdigest()[:32]
    for ending in (".jpg", ".png"):
        if (kept := _kept(_place(limits.folder, name + ending))) is not None:
            return kept
    try:
        ending, made = make()
    except RowError:
        raise
    except Exception as error:
        raise _damaged(path, error) from None
    target = _place(limits.folder, name + ending)
    with atomic(target) as partial:
        partial.write_bytes(made)
    again = _kept(target)
    if again is None:
        raise RowError(f"The picture {target} was written but cannot be read again; look at the disk.")
    return again


def _place(folder: Path, name: str) -> Path:
    return folder / name[:2] / name


def _kept(path: Path) -> Normalised | None:
    """A picture that was made earlier; None if there is none, or what is there was damaged."""
    from PIL import Image

    try:
        data = path.read_bytes()
        with Image.open(BytesIO(data), formats=("JPEG", "PNG")) as image:
            width, height = image.size
    except Exception:
        return None
    # It was made by this code and is whole, unless something happened to the disk.
    if not data.endswith(_ENDS):
        return None
    return Normalised(path, hashlib.sha256(data).hexdigest(), width, height)


def _encoded(path: Path, data: bytes, max_side: int) -> tuple[str, bytes]:
    """Ending and bytes of a picture made upright, plain and small enough: JPEG of what lost detail before, else PNG."""
    from PIL import Image, ImageOps

    with _opened(path, data) as image:
        lossy = image.format in ("JPEG", "MPO") or (image.format == "WEBP" and b"VP8L" not in data[:64])
        if max(image.size) > max_side:
            # A JPEG is read at the nearest size above the wanted one.
            image.draft(image.mode, (max_side, max_side))
        image.load()
        plain = _plain(ImageOps.exif_transpose(image))
    plain.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    # Colour profiles and remarks cost bytes and show nothing.
    plain.info = {}
    made = BytesIO()
    if lossy:
        plain.save(made, "JPEG", quality=92)
        return ".jpg", made.getvalue()
    plain.save(made, "PNG", compress_level=4)
    return ".png", made.getvalue()


def _plain(image: Image) -> Image:
    """The picture in grey or colour of 8 bits, on white where it was transparent."""
    from PIL import Image as images

    if image.mode.startswith("I;16"):
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if image.mode in ("I", "F"):
        return _stretched(image)
    if "transparency" not in image.info and image.mode not in ("RGBA", "LA", "PA", "La", "RGBa"):
        return image if image.mode in ("L", "RGB") else image.convert("L" if image.mode == "1" else "RGB")
    clear = image.convert("RGBA")
    return images.alpha_composite(images.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _stretched(image: Image) -> Image:
    """A picture of numbers without a known range in grey; darkest and brightest tell their range."""
    low, high = cast("tuple[float, float]", image.convert("F").getextrema())
    if low >= 0 and high <= 255 and image.mode == "I":
        return image.convert("L")
    scale = 255 / (high - low) if high > low else 0.0
    return image.convert("F").point(lambda value: value * scale + (-low * scale)).convert("L")
