"""What an OCR engine is: pictures in, lines of text with boxes in pixels and scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, get_args, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]

#: A picture as encoded bytes, as the path of its file, or as pixels: height x width x 3 (RGB) of uint8.
Picture: TypeAlias = "bytes | Path | Pixels"

#: The engines that are known by name, which is that of their package.
EngineName = Literal["rapidocr", "paddleocr", "easyocr"]

ENGINES: tuple[EngineName, ...] = get_args(EngineName)


@dataclass(frozen=True, slots=True)
class OCRLine:
    """One piece of text in a picture: its words, how sure the engine is (0 to 1), and where it stands.

    ``box`` is x0, y0, x1, y1 in pixels of the picture, y downwards.
    """

    text: str
    score: float
    box: tuple[float, float, float, float]


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
