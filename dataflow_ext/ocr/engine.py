"""What an OCR engine is: what it reads and gives, pictures as pixels, and whether its package is installed."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar, get_args, runtime_checkable

from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.packages import install_hint
from dataflow_ext.pictures import MOST_PIXELS, of_8_bits, on_white

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    Pixels: TypeAlias = NDArray[np.uint8]

T = TypeVar("T")

#: A picture as encoded bytes, as the path of its file, or as pixels: height x width x 3 (RGB) of uint8.
Picture: TypeAlias = "bytes | Path | Pixels"

#: The engines that are known by name, which is that of their package.
EngineName = Literal["rapidocr", "paddleocr", "easyocr"]

ENGINES: tuple[EngineName, ...] = get_args(EngineName)

#: By package: the engine's name, and the extra that brings it.
_ENGINES = {"rapidocr": ("RapidOCR", "ocr"), "paddleocr": ("PaddleOCR", "paddleocr"), "easyocr": ("EasyOCR", "easyocr")}


@dataclass(frozen=True, slots=True)
class OCRLine:
    """One piece of text in a picture: its words, how sure the engine is (0 to 1), and where it stands.

    ``box`` is x0, y0, x1, y1 in pixels of the picture, y downwards.
    """

    text: str
    score: float
    box: tuple[float, float, float, float]

    @property
    def middle(self) -> float:
        """How far down the middle of its height is."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def height(self) -> float:
        """From its upper to its lower edge."""
        return self.box[3] - self.box[1]


@runtime_checkable
class OCREngine(Protocol):
    """Whatever reads text in pictures; its models are loaded on first use, in the process that uses them."""

    @property
    def name(self) -> str:
        """The name that records show."""

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        """The lines of each picture, from top to bottom as the engine found them; none is no error."""

    def identity(self) -> Mapping[str, object]:
        """All that the lines depend on beside the picture: engine, its version, models and options."""


#: Models that a fork brought along: their threads are gone, so that letting them go in the child could hang.
_inherited: list[object] = []


class Loaded(Generic[T]):
    """What engines have loaded in this process, by options: equal engines share, and a fork loads its own."""

    def __init__(self) -> None:
        self._start()
        os.register_at_fork(after_in_child=self._start_anew)

    @contextmanager
    def use(self, key: Hashable, load: Callable[[], T]) -> Iterator[T]:
        """What ``load`` gives, called on the first use of the key; for one thread at a time."""
        with self._lock:
            own = self._locks.setdefault(key, threading.Lock())
        with own:
            if key not in self._values:
                self._values[key] = load()
            yield self._values[key]

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._values: dict[Hashable, T] = {}

    def _start_anew(self) -> None:
        _inherited.append(self._values)
        self._start()


def installed_version(package: str) -> str | None:
    """The installed version of a package, None without one; the package is not imported."""
    try:
        return _found(package, version)
    except PackageNotFoundError:
        return None


@cache
def _found(package: str, find: Callable[[str], str]) -> str:
    """Looked up once a process, as files of a distribution are searched for it; one that is missing may come."""
    return find(package)


def must_be_installed(package: str) -> None:
    """Raise OptionError, which says how it is installed, if the package of an engine of ours is not."""
    if installed_version(package) is None:
        name, extra = _ENGINES[package]
        raise OptionError(f"{name} is not installed; install it with: {install_hint(extra)}")


#: Lines of pixels that are taken from a decoder's picture at once.
_STRIP = 128


def content_of(picture: Picture) -> tuple[str, bytes | Pixels]:
    """The SHA-256 of a picture's content, in hex, with the content: a file's bytes, or the pixels of an array.

    Raises InputError for a file that cannot be read, and for an array that is no picture.
    """
    content = _read(picture) if isinstance(picture, Path) else picture
    if isinstance(content, bytes):
        return hashlib.sha256(b"encoded:" + content).hexdigest(), content
    pixels = _checked(content)
    digest = hashlib.sha256(b"pixels:%d,%d:" % pixels.shape[:2])
    digest.update(pixels.data)
    return digest.hexdigest(), pixels


def pixels_of(picture: Picture, called: str | None = None) -> Pixels:
    """The picture as an array of height x width x 3 (RGB) of uint8, upright by its EXIF data.

    Transparent parts are white. Raises InputError for what is no picture, is damaged, or has more than
    120 million pixels; ``called`` is how its message names the picture.
    """
    if isinstance(picture, Path):
        return _decoded(_read(picture), called or called_of(picture))
    if isinstance(picture, bytes):
        return _decoded(picture, called or called_of(picture))
    return _checked(picture)


def called_of(picture: Picture) -> str:
    """How messages name a picture: by its file, else by its size."""
    if isinstance(picture, Path):
        return f"The picture {picture}"
    if isinstance(picture, bytes):
        return f"A picture of {len(picture):,} bytes"
    return "A picture"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"The picture {path} cannot be read: {reason}.") from error


def _checked(pixels: Pixels) -> Pixels:
    import numpy as np

    if not isinstance(pixels, np.ndarray):
        raise InputError(f"A picture is given as {type(pixels).__name__}; give bytes, a Path or an array of pixels.")
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
        raise InputError(
            f"A picture is an array of {pixels.dtype} with the shape {pixels.shape}; "
            "give uint8 of height x width x 3 (RGB)."
        )
    _not_too_many(pixels.shape[1], pixels.shape[0], "A picture")
    return np.ascontiguousarray(pixels)


def _decoded(data: bytes, called: str) -> Pixels:
    from PIL import Image, ImageOps

    try:
        opened = Image.open(BytesIO(data))
    except Image.DecompressionBombError:
        raise InputError(f"{called} has more than {MOST_PIXELS:,} pixels; make it smaller.") from None
    except Exception as error:  # whatever a decoder makes of bytes that were never a picture
        raise InputError(f"{called} is no picture of a known format; give PNG, JPEG, WebP or TIFF.") from error
    with opened:
        _not_too_many(*opened.size, called)
        try:
            ImageOps.exif_transpose(opened, in_place=True)
            return _pixels(on_white(of_8_bits(opened)))
        except Exception as error:  # decoders raise all kinds of errors on damaged files
            raise InputError(f"{called} is damaged ({error or type(error).__name__}); give it anew.") from error


def _pixels(image: Image) -> Pixels:
    """The picture's pixels, taken in strips: taken at once they would be in memory three times."""
    import numpy as np

    pixels = np.empty((image.height, image.width, 3), np.uint8)
    for top in range(0, image.height, _STRIP):
        low = min(top + _STRIP, image.height)
        pixels[top:low] = np.asarray(image.crop((0, top, image.width, low)))
    return pixels


def _not_too_many(width: int, height: int, called: str) -> None:
    if width * height > MOST_PIXELS:
        raise InputError(
            f"{called} has {width} x {height} pixels, more than the {MOST_PIXELS:,} that are read; make it smaller."
        )
