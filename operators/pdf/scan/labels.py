"""The lines of a scanned page that label a figure: inside it, or short and right beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.boxes import centre, holds, near
from operators.pdf.parser.captions import is_caption
from operators.pdf.parser.runs import Box

_MARK = re.compile(
    r"^(?:\d{1,3}\s*[.．、)）](?!\d)|[（(]\s*(?:\d{1,2}|[A-Ha-h]|[一二三四五六七八九十]+)\s*[)）]|[A-H]\s*[.．、)）]"
    r"|[①-⑳]|例|解|答|[一二三四五六七八九十]+、)"
)
_NAME = re.compile(r"[\dA-Za-z.,，′'’°()（）+\-−=xyπ%/\s]{1,8}$")
_LONGEST = 8
#: Words inside a drawing beyond this number of letters are text that it was drawn around.
_MANY = 150
#: Distances in ems.
_BESIDE = 0.75
_ROW = 1.6


def is_name(text: str) -> bool:
    """Whether words may name a point, a length or an angle: a few letters and digits.

    >>> [is_name(text) for text in ("A", "6 cm", "D'", "小明")]
    [True, True, True, False]
    """
    return _NAME.match(text) is not None


def labels_of(box: Box, lines: Sequence[tuple[int, OCRLine]], em: float) -> set[int]:
    """The numbers of the lines that label the drawing in ``box``; all places in pixels."""
    within = [(index, line) for index, line in lines if _lies_in(line, box) and not is_caption(line.text)]
    if sum(len(line.text) for _, line in within) > _MANY:
        within = [(index, line) for index, line in within if len(line.text) <= _LONGEST]
    taken = {index for index, _ in within}
    for index, line in lines:
        if (
            index not in taken
            and len(line.text) <= _LONGEST
            and near(line.box, box, _BESIDE * em - 0.15 * (line.box[3] - line.box[1]))
            and not _MARK.match(line.text)
            and not is_caption(line.text)
            and not _goes_on(line, lines, box, em)
        ):
            taken.add(index)
    return taken


def _lies_in(line: OCRLine, box: Box) -> bool:
    """Whether a line is in a drawing; text that runs past a slanting side begins or ends outside."""
    common = min(line.box[2], box[2]) - max(line.box[0], box[0])
    return holds(box, line.box) and common > 0.6 * (line.box[2] - line.box[0])


def _goes_on(line: OCRLine, lines: Sequence[tuple[int, OCRLine]], box: Box, em: float) -> bool:
    """Whether a short line is a stretch of a row of text outside the drawing."""
    middle = centre(line.box)[1]
    return any(
        other is not line
        and other.box[1] < middle < other.box[3]
        and other.box[0] - _ROW * em < line.box[2]
        and line.box[0] < other.box[2] + _ROW * em
        and (len(other.text) > _LONGEST or _MARK.match(other.text) is not None)
        and not holds(box, other.box)
        for _, other in lines
    )
