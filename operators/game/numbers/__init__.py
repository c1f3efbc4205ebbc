"""The numbers on a round's three cards: digits in OCR lines, rows of cards, and the closer look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr import OCREngine
    from dataflow_ext.ocr.engine import Pixels


def read_cards(picture: Path | Pixels, cards: Sequence[Box], engine: OCREngine) -> list[tuple[int | None, float]]:
    """The number on each card, and how sure it is (0 to 1), from cards cut out and enlarged; None for no number.

    Each card is read in its colours, then in black on white; what both ways give alike is sure. Boxes are in
    pixels of the picture. Raises PictureMissing or PictureDamaged for a picture that cannot be decoded.
    """
    from operators.game.numbers.closer import agreed, look_closer
    from operators.game.screen import screen

    if not cards:
        return []
    pixels = screen(picture) if isinstance(picture, Path) else picture
    plain = look_closer(pixels, cards, engine)
    inked = look_closer(pixels, cards, engine, ink=True)
    return [agreed(one, other) for one, other in zip(plain, inked, strict=True)]
