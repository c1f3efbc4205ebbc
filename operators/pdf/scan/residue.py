"""What is left of a scanned page when its text is taken away: figures, tables, and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Box
from operators.pdf.scan.picture import PagePicture


@dataclass(slots=True)
class Residue:
    """The ink of a page that is no text, sorted out; places are in points.

    ``figures`` are pictures and tables (``html`` filled for these), captions not bound yet; ``rules`` are
    level strokes that may be bars of fractions or blanks to fill in; ``inside`` holds the indices of the
    lines that are words of a figure or a table and no text of the page.
    """

    figures: list[Figure] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)


def find_residue(picture: PagePicture, lines: Sequence[OCRLine]) -> Residue:
    """The figures, tables and rules of a page; ``lines`` are what OCR read on this very picture."""
    raise NotImplementedError
