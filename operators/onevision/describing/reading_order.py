"""Lines of text in the order in which one reads them, and those that stand beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine

#: Lines of a picture that are looked at.
MOST = 400


def rows_of(lines: Sequence[OCRLine]) -> list[list[OCRLine]]:
    """Rows from top to bottom, each from left to right; lines are beside each other if their middles are.

    >>> low, left, right = (OCRLine(text, 1.0, box) for text, box in
    ...     (("low", (0, 50, 9, 60)), ("left", (0, 1, 9, 11)), ("right", (20, 0, 29, 10))))
    >>> [[line.text for line in row] for row in rows_of([low, right, left])]
    [['left', 'right'], ['low']]
    """
    sound = [line for line in lines[:MOST] if line.text.strip() and all(map(math.isfinite, line.box))]
    rows: list[list[OCRLine]] = []
    for line in sorted(sound, key=lambda line: (_middle(line), line.box, line.text)):
        if rows and _middle(line) - _middle(rows[-1][0]) <= 0.5 * min(_height(line), _height(rows[-1][0])):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: (line.box, line.text)) for row in rows]


def plain(text: str, most: int = 200) -> str:
    """A text on one line, without double quotation marks and control characters, shortened.

    >>> plain('say "a"\\n now')
    "say 'a' now"
    """
    line = "".join(each if each.isprintable() else " " for each in text[: 2 * most])
    line = " ".join(line.translate(_QUOTES).split())
    return line if len(line) <= most else line[: most - 1] + "…"


_QUOTES = str.maketrans({'"': "'", "“": "'", "”": "'"})


def _middle(line: OCRLine) -> float:
    return (line.box[1] + line.box[3]) / 2


def _height(line: OCRLine) -> float:
    return line.box[3] - line.box[1]
