"""Figures of a page, and the caption lines that belong to them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from operators.pdf.numbering.label_words import as_written, with_capitals, words
from operators.pdf.parser.boxes import holds, union
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.text_lines import Line, make_lines

#: Words before the numbers of pictures and tables.
_PICTURES = [word for word in words("figure", "table") if word[0].isupper()]
_CAPTION = re.compile(
    r"[（(]?\s*(?:第\s*[\d.\-–—~～、，,（）()①-⑳]+\s*题(?:[解答]?图|\s*[（(]\d+[)）])?\s*[)）]?$"
    r"|第\s*[\d.\-–—~～、]+\s*题[解答]?图|(?:题|答)?图\s*[\d一二三四五六七八九十①-⑳]|[例]\s*\d+\s*[题]?[答]?图|[变]式\d+图"
    r"|[Ff]ig(?:ure|\.)?\s*\d|FIG(?:URE|\.)?\s*\d|表\s*\d"
    rf"|(?:{as_written(with_capitals(_PICTURES))})\.?\s+\d)"
)
_SENTENCE = re.compile(
    r"[。；？]$|^(?:Fig(?:ure|\.)?|Table|Diagram)\s*[\d.\-]+\s+(?:shows?|is|are|gives?|has|and|illustrates?|below|above|represents?)\b"
)
#: What an item begins with, and no label of a figure does.
OPENS_ITEM = re.compile(
    r"^(?:\d{1,3}\s*[.．、)）](?!\d)|[（(]\s*(?:\d{1,2}|[A-Ha-h]|[一二三四五六七八九十]+)\s*[)）]|[A-H]\s*[.．、)）]"
    r"|[①-⑳]|例|解|答|[一二三四五六七八九十]+、)"
)
_LONGEST = 120
_REACH = 3.0


@dataclass(slots=True)
class Figure:
    """A picture to be cut out of the page.

    ``kind`` is ``image``, ``table`` or ``equation`` (a formula set as a small picture inside a line);
    ``digest`` is the same for the same drawing at any place. ``labels`` are the words that stand in it.
    """

    kind: str
    box: Box
    digest: int
    captions: list[str] = field(default_factory=list)
    html: str = ""
    labels: list[Run] = field(default_factory=list)


def is_caption(text: str) -> bool:
    """Whether words are the caption of a figure or a table, and no sentence about one.

    >>> [is_caption(text) for text in ("第3题图", "Figure 2. A pond", "Figure 2 shows a pond", "第3题 计算")]
    [True, True, False, False]
    """
    return len(text) <= _LONGEST and _CAPTION.match(text) is not None and _SENTENCE.search(text) is None


def bind_captions(figures: list[Figure], runs: list[Run], body: float) -> tuple[list[Figure], list[Run]]:
    """The figures with the caption lines nearest above or below them, and the runs that are no captions."""
    gone: set[int] = set()
    found: list[tuple[Line, list[Run], Figure | None]] = []
    for row in _segments(runs, body) if figures else []:
        line = make_lines(row)[0]
        if not is_caption(line.text):
            continue
        figure = min(figures, key=lambda figure: _distance(figure, line))
        near = figure if _distance(figure, line) < _REACH * body else None
        if near:
            near.captions.append(line.text)
            gone.update(id(run) for run in row)
        found.append((line, row, near))
    for line, row, near in found:
        parts = _parts_above(figures, line, body) if near is None else _parts_beside(figures, near, line, body)
        if len(parts) > 1:
            whole = joined(parts, near.captions if near else [line.text])
            figures = [whole, *(figure for figure in figures if figure not in parts)]
            gone.update(id(run) for run in row)
    return figures, [run for run in runs if id(run) not in gone]


def _parts_beside(figures: Sequence[Figure], near: Figure, line: Line, body: float) -> list[Figure]:
    """A figure with those without captions on its level, if its own caption stands below the middle of all of them."""
    top, bottom = near.box[1], near.box[3]
    parts = [near] if near in figures else []
    for figure in figures:
        if figure is near or figure.kind != "image" or figure.captions:
            continue
        common = min(bottom, figure.box[3]) - max(top, figure.box[1])
        if common > 0.5 * min(bottom - top, figure.box[3] - figure.box[1]):
            parts.append(figure)
    return parts if _centred(parts, line, body) else []


def _centred(parts: Sequence[Figure], line: Line, body: float) -> bool:
    """Whether a line stands below, or above, the middle of some figures."""
    if not parts:
        return False
    x0, _, x1, _ = union([figure.box for figure in parts])
    return abs((x0 + x1) / 2 - (line.x0 + line.x1) / 2) < 1.5 * body


def _parts_above(figures: Sequence[Figure], line: Line, body: float) -> list[Figure]:
    """Figures without captions that stand side by side with the line below their middle."""
    parts = [
        figure
        for figure in figures
        if figure.kind == "image"
        and not figure.captions
        and figure.box[1] < line.top
        and line.top - 8 * body < figure.box[3] < line.top + 0.2 * body
    ]
    if not parts:
        return []
    lowest = max(parts, key=lambda figure: figure.box[3])
    parts = [figure for figure in parts if figure.box[3] > (lowest.box[1] + lowest.box[3]) / 2]
    y1 = max(figure.box[3] for figure in parts)
    return parts if _centred(parts, line, body) and line.top - y1 < _REACH * body else []


def joined(parts: Sequence[Figure], captions: Sequence[str] = ()) -> Figure:
    """Parts of one drawing as one picture."""
    digest = zlib.crc32(repr([part.digest for part in parts]).encode())
    labels = [run for part in parts for run in part.labels]
    return Figure("image", union([part.box for part in parts]), digest, list(captions), labels=labels)


def is_stacked(above: Box, below: Box, reach: tuple[float, float], words: Iterable[Box]) -> bool:
    """Whether two parts of a drawing stand above each other, so far apart, with no ``words`` between them."""
    common = min(above[2], below[2]) - max(above[0], below[0])
    narrow = min(above[2] - above[0], below[2] - below[0])
    if not reach[0] <= below[1] - above[3] <= reach[1] or common < 0.6 * narrow:
        return False
    gap = (min(above[0], below[0]), above[3] - 1, max(above[2], below[2]), below[1] + 1)
    return not any(holds(gap, box) for box in words)


def _segments(runs: Sequence[Run], body: float) -> list[list[Run]]:
    """Rows of runs that go on from each other without a gap of more than two ems."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: (round(run.base), run.x0)):
        last = rows[-1][-1] if rows else None
        if last and abs(last.base - run.base) < 0.3 * run.size and run.x0 - last.x1 < 2 * body:
            rows[-1].append(run)
        else:
            rows.append([run])
    return rows


def _distance(figure: Figure, line: Line) -> float:
    """How far a caption stands from a figure above it (or, dearer, below or beside it)."""
    x0, y0, x1, y1 = figure.box
    middle = (line.x0 + line.x1) / 2
    if not (x0 - 12 <= middle <= x1 + 12 or line.x0 - 12 <= (x0 + x1) / 2 <= line.x1 + 12):
        return 1e9
    table = figure.kind == "table"
    below, above = line.top - y1, y0 - line.bottom
    if below >= -line.size:
        return max(below, 0.0) + (6 if table else 0)
    if above >= -line.size:
        return max(above, 0.0) + (0 if table else 6)
    return 1e9
