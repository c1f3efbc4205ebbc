"""What an OCR engine is: what it reads and gives, and whether its package is installed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar, get_args, runtime_checkable

from dataflow_ext.errors import OptionError
from dataflow_ext.packages import install_hint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
