"""Lines that OCR read become runs, as a text layer has them: sizes evened out, scripts and labels told apart."""

from __future__ import annotations

from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.runs import Box, Run
from operators.pdf.scan.picture import PagePicture


def runs_of(picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box]) -> list[Run]:
    """The runs of a page in points; ``lines`` in pixels of the picture, ``rules`` in points."""
    raise NotImplementedError
