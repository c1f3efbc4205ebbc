"""Digits in pieces of pictures that nothing else is in: read without looking for text, where an engine can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from dataflow_ext.ocr.engine import OCREngine
from dataflow_ext.ocr.memory import read_checked

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: The border that a piece gets for an engine that looks for text, as a share of its height.
_BORDER = 0.5


@runtime_checkable
class DigitReader(Protocol):
    """An engine that reads pieces as digits, without looking for text first."""

    def read_digits(self, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
        """The digits of each piece, none is "", and how sure they are."""


def read_digits(engine: OCREngine, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
    """The digits that fill each piece, "" where there are none, and how sure they are (0 to 1)."""
    if isinstance(engine, DigitReader):
        return engine.read_digits(pieces)
    found = []
    for lines in read_checked(engine, [_bordered(piece) for piece in pieces]):
        text = "".join(line.text for line in sorted(lines, key=lambda line: line.box[0]))
        plain = text.isascii() and text.isdecimal()
        found.append((text, min(line.score for line in lines)) if plain else ("", 0.0))
    return found


def _bordered(piece: Pixels) -> Pixels:
    """A piece with a border in the colour of its edge."""
    import numpy as np

    more = max(8, round(_BORDER * piece.shape[0]))
    ground = np.median(np.concatenate([piece[:, 0], piece[:, -1]]), axis=0)
    bordered = np.empty((piece.shape[0] + 2 * more, piece.shape[1] + 2 * more, 3), np.uint8)
    bordered[:] = ground
    bordered[more:-more, more:-more] = piece
    return bordered
