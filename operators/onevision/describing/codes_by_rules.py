"""Formal code where rules can honestly give it: of boxes and of lines of text."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.onevision.describing.layout import plain, relation, rows_of, told
from operators.onevision.model.records import Detection

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
