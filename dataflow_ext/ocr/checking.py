"""What an engine gives, checked before anything is stored or used: engines are also written by users."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dataflow_ext.errors import OCRError
from dataflow_ext.ocr.engine import OCREngine, OCRLine
from dataflow_ext.well_formed import well_formed


def read_checked(engine: OCREngine, pictures: Sequence[object]) -> list[list[OCRLine]]:
    """The engine's lines for each picture, with plain numbers, boxes of a size, and text that a file can hold.

    Raises :class:`OCRError` if it fails, gives lines for more or fewer pictures, or things that are no lines.
    """
    found = engine.read(pictures)  # type: ignore[arg-type]
    if len(found) != len(pictures):
        raise OCRError(f"The OCR engine {engine.name} gave lines for {len(found)} of {len(pictures)} pictures.")
    return [[_checked(line, engine.name) for line in lines] for lines in found]


def _checked(line: object, name: str) -> OCRLine:
    if not isinstance(line, OCRLine):
        raise OCRError(f"The OCR engine {name} gave {str(line)[:60]!r}, which is no OCRLine.")
    try:
        score, *sides = (float(number) for number in (line.score, *line.box))
        x0, y0, x1, y1 = sides
    except (TypeError, ValueError):
        raise OCRError(f"The OCR engine {name} gave a line with score {line.score!r} and box {line.box!r}.") from None
    if not all(map(math.isfinite, (score, *sides))) or not isinstance(line.text, str):
        raise OCRError(f"The OCR engine {name} gave a line with score {line.score!r} and box {line.box!r}.")
    x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    text = well_formed(line.text)
    return OCRLine(text, score, (x0, y0, max(x1, x0 + 1.0), max(y1, y0 + 1.0)))
