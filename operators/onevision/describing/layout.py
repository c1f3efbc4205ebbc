"""Where things stand in a picture: lines of text in reading order, objects and their places."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.onevision.model.records import Detection

#: Lines of a picture that are looked at.
LINES = 400


def rows_of(lines: Sequence[OCRLine]) -> list[list[OCRLine]]:
    """Rows from top to bottom, each from left to right; lines are beside each other if their middles are.

    >>> low, left, right = (OCRLine(text, 1.0, box) for text, box in
    ...     (("low", (0, 50, 9, 60)), ("left", (0, 1, 9, 11)), ("right", (20, 0, 29, 10))))
    >>> [[line.text for line in row] for row in rows_of([low, right, left])]
    [['left', 'right'], ['low']]
    """
    sound = [line for line in lines[:LINES] if line.text.strip() and all(map(math.isfinite, line.box))]
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


#: Objects of a picture that are told of: those with the best scores.
OBJECTS = 40

_ENGLISH = (
    ("upper left", "top", "upper right"),
    ("left", "centre", "right"),
    ("lower left", "bottom", "lower right"),
)
_CHINESE = (("左上", "上方", "右上"), ("左侧", "中央", "右侧"), ("左下", "下方", "右下"))


def told(detections: Sequence[Detection]) -> list[Detection]:
    """The objects to tell of, the best by score, from left to right."""
    sound = [
        each
        for each in detections
        if each.label.strip() and all(map(math.isfinite, each.box)) and each.box[0] < each.box[2]
        and each.box[1] < each.box[3]
    ]  # fmt: skip
    best = sorted(sound, key=lambda each: (-each.score, each.box, each.label))[:OBJECTS]
    return sorted(best, key=lambda each: (each.box, each.label))


def place_of(box: tuple[float, float, float, float], width: int, height: int, *, chinese: bool = False) -> str:
    """Where a box's middle is, in words, by thirds of the picture.

    >>> place_of((0, 0, 20, 20), 300, 300), place_of((250, 120, 280, 160), 300, 300, chinese=True)
    ('upper left', '右侧')
    """
    names = _CHINESE if chinese else _ENGLISH
    column = _third((box[0] + box[2]) / 2, width)
    row = _third((box[1] + box[3]) / 2, height)
    return names[row][column]


def relation(first: Detection, other: Detection) -> str | None:
    """``left of`` or ``above`` if the first is clearly so, beside or over the other one; None else.

    >>> cup, plate = Detection("cup", 1.0, (0, 0, 9, 9)), Detection("plate", 1.0, (12, 2, 20, 9))
    >>> relation(cup, plate), relation(plate, cup)
    ('left of', None)
    """
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = first.box, other.box
    if ax1 <= bx0 and min(ay1, by1) > max(ay0, by0):
        return "left of"
    if ay1 <= by0 and min(ax1, bx1) > max(ax0, bx0):
        return "above"
    return None


def _third(middle: float, size: int) -> int:
    return min(2, max(0, int(3 * middle / max(size, 1))))
