"""Where things stand in a picture, in the order of reading, and the formal code that rules can make of that."""

from __future__ import annotations

import html
import json
import math
from collections import Counter
from collections.abc import Sequence

from dataflow_ext.boxes import middle
from dataflow_ext.ocr import OCRLine
from dataflow_ext.well_formed import short
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
    return beside_each_other(sound)


def beside_each_other(lines: Sequence[OCRLine]) -> list[list[OCRLine]]:
    """Lines in such rows, whatever their boxes are."""
    rows: list[list[OCRLine]] = []
    for line in sorted(lines, key=lambda line: (line.middle, line.box, line.text)):
        if rows and line.middle - rows[-1][0].middle <= 0.5 * min(line.height, rows[-1][0].height):
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
    return short(" ".join(line.translate(_QUOTES).split()), most)


_QUOTES = str.maketrans({'"': "'", "“": "'", "”": "'"})


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
    x, y = middle(box)
    return (_CHINESE if chinese else _ENGLISH)[_third(y, height)][_third(x, width)]


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


#: Objects between which relations are told.
_RELATED = 12


def scene_graph_of(detections: Sequence[Detection]) -> str | None:
    """A scene graph of the objects with their boxes, and who is left of or above whom; None without any.

    >>> print(scene_graph_of([Detection("cup", 0.9, (0.0, 0.0, 9.5, 9.0)), Detection("cup", 0.8, (12, 2, 20, 9))]))
    {"objects": [{"id": "cup_1", "label": "cup", "box": [0, 0, 10, 9]},
      {"id": "cup_2", "label": "cup", "box": [12, 2, 20, 9]}],
     "relations": [{"subject": "cup_1", "relation": "left of", "object": "cup_2"}]}
    """
    objects = told(detections)
    if not objects:
        return None
    counts: Counter[str] = Counter()
    ids = []
    for each in objects:
        label = plain(each.label, 60)
        counts[label] += 1
        ids.append(f"{label.replace(' ', '_')}_{counts[label]}")
    lines = [
        {"id": id, "label": plain(each.label, 60), "box": _whole(each.box)}
        for id, each in zip(ids, objects, strict=True)
    ]
    near = list(zip(ids, objects, strict=True))[:_RELATED]
    relations = [
        {"subject": id, "relation": said, "object": other_id}
        for id, each in near
        for other_id, other in near
        if (said := relation(each, other))
    ]
    return f'{{"objects": [{_listed(lines)}],\n "relations": [{_listed(relations)}]}}'


def text_of(ocr: Sequence[OCRLine]) -> str | None:
    """The lines of text in reading order, those beside each other on one line; None without any."""
    lines = ["  ".join(plain(line.text) for line in row) for row in rows_of(ocr)]
    return "\n".join(lines) or None


def table_of(ocr: Sequence[OCRLine]) -> str | None:
    """An HTML table, if the lines of text clearly stand in a grid: as many cells in each row, in columns; else None.

    Single lines above the grid are taken for its title and left out.
    """
    rows = rows_of(ocr)
    while rows and len(rows[0]) == 1:
        rows = rows[1:]
    width = len(rows[0]) if rows else 0
    if width < 2 or len(rows) < 3 or any(len(row) != width for row in rows):
        return None
    for cells in zip(*rows, strict=True):
        # All cells of a column share some x, and end before the next one begins.
        if max(cell.box[0] for cell in cells) >= min(cell.box[2] for cell in cells):
            return None
    made = []
    for number, row in enumerate(rows):
        tag = "th" if number == 0 else "td"
        made.append("".join(f"<{tag}>{html.escape(plain(cell.text))}</{tag}>" for cell in row))
    return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in made) + "\n</table>"


def _whole(box: tuple[float, float, float, float]) -> list[int]:
    """The box with whole corners, none of them within it."""
    x0, y0, x1, y1 = box
    return [max(0, int(x0)), max(0, int(y0)), -int(-x1 // 1), -int(-y1 // 1)]


def _listed(values: Sequence[object]) -> str:
    return ",\n  ".join(json.dumps(value, ensure_ascii=False) for value in values)
