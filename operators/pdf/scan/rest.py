"""Signs that OCR passed over, a lone ``=`` or the 1 of a fraction: found by their ink and read once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from operators.pdf.parser.boxes import centre, scaled, union, widened
from operators.pdf.parser.runs import Box
from operators.pdf.scan.picture import PagePicture

#: The signs stand on one sheet, so much larger than on the page, with so much white around them, in ems.
_LARGER = 2
_MARGIN = 0.9
#: The width of the sheet in pixels, if it holds more than one row.
_SHEET = 736
#: A page with more signs passed over than this, and than it has lines, shows no text, or noise.
_MOST = 20
_MIN_SCORE = 0.6


@dataclass(slots=True)
class _Page:
    """A page in pixels: its lines, its rules, its places of figures, the height of its text."""

    lines: list[Box]
    rules: list[Box]
    figures: list[Box]
    em: float


def read_rest(
    picture: PagePicture,
    lines: Sequence[OCRLine],
    rules: Sequence[Box],
    figures: Sequence[Box],
    engine: OCREngine,
) -> list[OCRLine]:
    """The signs beside the lines, and the parts of fractions, that are not in ``lines``; boxes in pixels.

    ``rules`` and ``figures`` are in points. All signs are put on one sheet, so that they cost one short
    reading; a page without any costs none. The caller adds the result to ``lines``.
    """
    boxes = find_rest(picture, lines, rules, figures)
    if not boxes:
        return []
    page = _page(picture, lines, rules, figures)
    sheet, places = _sheet(picture.pixels, boxes, page.em)
    found: dict[int, list[OCRLine]] = {}
    for line in read_pictures(engine, [sheet])[0]:
        x, y = centre(line.box)
        for number, (x0, y0, x1, y1) in enumerate(places):
            if x0 <= x <= x1 and y0 <= y <= y1 and line.score >= _MIN_SCORE:
                found.setdefault(number, []).append(line)
    rest = []
    for number, box in enumerate(boxes):
        read = sorted(found.get(number, []), key=lambda line: line.box[0])
        text = _as_sized("".join(line.text for line in read), picture.pixels, box, page)
        if text:
            rest.append(OCRLine(text, min((line.score for line in read), default=1.0), box))
    return rest


def _as_sized(text: str, pixels: NDArray[np.uint8], box: Box, page: _Page) -> str:
    """What a sign is, given its size on the page: alone on the sheet a comma looks like a 9, an ``=`` like 二."""
    high = box[3] - box[1]
    if _is_ring(pixels, box, page.em):
        return "。"
    if text == "二" and high < 0.45 * page.em:
        return "="
    if text.isalnum() and high < 0.4 * page.em:
        return "，" if any(_is_at_foot(box, line) for line in page.lines) else ""
    return text


def _is_at_foot(box: Box, line: Box) -> bool:
    middle, high = (line[1] + line[3]) / 2, line[3] - line[1]
    return middle < box[1] and box[3] < line[3] + 0.2 * high and max(line[0] - box[2], box[0] - line[2]) < high


def _is_ring(pixels: NDArray[np.uint8], box: Box, em: float) -> bool:
    """Whether a mark is a ring as small as a full stop: engines do not find these alone."""
    x0, y0, x1, y1 = (int(edge) for edge in box)
    wide, high = x1 - x0, y1 - y0
    if not 0.2 * em < min(wide, high) <= max(wide, high) < 0.5 * em or abs(wide - high) > 0.25 * max(wide, high):
        return False
    grey = cv2.cvtColor(pixels[y0:y1, x0:x1], cv2.COLOR_RGB2GRAY)
    x, y = wide // 2, high // 2
    middle = float(grey[y - 1 : y + 1, x - 1 : x + 1].mean())
    # From the middle outwards in all four directions comes its stroke.
    sides = (grey[y, : x - 1], grey[y, x + 1 :], grey[: y - 1, x], grey[y + 1 :, x])
    return all(middle - float(side.min()) > 50 for side in sides if side.size)


def find_rest(
    picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box], figures: Sequence[Box]
) -> list[Box]:
    """Where signs stand that no line covers, in pixels: level with a line or a bar beside it, or at a bar."""
    if not lines:
        return []
    page = _page(picture, lines, rules, figures)
    found = [box for box in _joined(_free_marks(picture.pixels, page), page.em) if _belongs(box, page)]
    return found if len(found) <= max(_MOST, len(lines)) else []


def _page(picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box], figures: Sequence[Box]) -> _Page:
    boxes = [line.box for line in lines]
    scale = picture.scale
    # Boxes are a little higher than the text.
    em = 0.85 * median(box[3] - box[1] for box in boxes)
    return _Page(boxes, [scaled(rule, scale) for rule in rules], [scaled(box, scale) for box in figures], em)


def _free_marks(pixels: NDArray[np.uint8], page: _Page) -> list[Box]:
    """The marks as large as signs that lie outside lines, rules and figures."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    around = 2 * max(int(page.em), 1) + 1
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, around, 40)
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    taken = np.zeros(ink.shape, np.bool_)
    for x0, y0, x1, y1 in [*page.lines, *page.figures, *(widened(rule, 3) for rule in page.rules)]:
        taken[max(int(y0), 0) : int(y1) + 1, max(int(x0), 0) : int(x1) + 1] = True
    touched = np.bincount(numbers[taken].ravel(), minlength=len(stats))
    wide, high, area = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    free = (touched < 0.3 * area) & (np.maximum(wide, high) > 0.2 * page.em)
    free &= (wide < 1.4 * page.em) & (high < 1.4 * page.em)
    free[0] = False
    boxes = stats[free]
    return [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, _ in boxes]


def _joined(marks: Sequence[Box], em: float) -> list[Box]:
    """The marks put together to signs and words: beside each other, or one right above the other as in ``=``."""
    groups: list[Box] = []
    for mark in sorted(marks, key=lambda box: (box[0], box[1])):
        near = [box for box in groups if _is_near(box, mark, em)]
        groups = [box for box in groups if box not in near]
        groups.append(union([*near, mark]))
    return sorted(groups, key=lambda box: (box[1], box[0]))


def _is_near(one: Box, two: Box, em: float) -> bool:
    across = max(one[0], two[0]) - min(one[2], two[2])
    down = max(one[1], two[1]) - min(one[3], two[3])
    return (across < 0.35 * em and down < -0.3 * min(one[3] - one[1], two[3] - two[1])) or (
        across < -0.5 * min(one[2] - one[0], two[2] - two[0]) and down < 0.3 * em
    )


def _belongs(box: Box, page: _Page) -> bool:
    """Whether a sign is a piece of a line: beside one or beside a bar, or a numerator or a denominator."""
    x0, y0, x1, y1 = box
    if y1 - y0 > 1.5 * page.em:
        return False
    middle = (y0 + y1) / 2
    for left, top, right, bottom in page.lines:
        gap = max(left - x1, x0 - right)
        if gap < 1.2 * page.em and top + 0.15 * page.em < middle < bottom:
            return True
    for left, top, right, bottom in page.rules:
        # A unit stands right behind the blank for its number.
        behind = right - left > 2 * page.em and -0.3 * page.em < x0 - right < 0.8 * page.em
        if behind and _stands_on(box, bottom, page.em):
            return True
        if right - left > 6 * page.em:
            continue
        gap, bar = max(left - x1, x0 - right), (top + bottom) / 2
        if gap < 0.8 * page.em and abs(middle - bar) < 0.25 * page.em:
            return True
        inside = left - 0.2 * page.em < x0 and x1 < right + 0.2 * page.em
        if inside and min(abs(y0 - bar), abs(y1 - bar)) < 0.4 * page.em:
            return True
    return False


def _stands_on(box: Box, rule: float, em: float) -> bool:
    return box[3] - box[1] > 0.4 * em and -0.45 * em < box[3] - rule < 0.25 * em


def _sheet(pixels: NDArray[np.uint8], boxes: Sequence[Box], em: float) -> tuple[NDArray[np.uint8], list[Box]]:
    """The signs on one white sheet, in rows, and the place of each on it."""
    margin, wide = int(_MARGIN * em * _LARGER), _SHEET
    x = y = high = 0
    cuts, places = [], []
    for x0, y0, x1, y1 in boxes:
        cut = pixels[max(int(y0) - 2, 0) : int(y1) + 3, max(int(x0) - 2, 0) : int(x1) + 3]
        cut = np.asarray(cv2.resize(cut, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC), np.uint8)
        across, down = cut.shape[1] + 2 * margin, cut.shape[0] + 2 * margin
        if x and x + across > wide:
            x, y, high = 0, y + high, 0
        cuts.append(cut)
        places.append((float(x), float(y), float(x + across), float(y + down)))
        x, high = x + across, max(high, down)
    size = (int(max(place[3] for place in places)), int(max(place[2] for place in places)), 3)
    sheet = np.full(size, 255, np.uint8)
    for cut, place in zip(cuts, places, strict=True):
        top, left = int(place[1]) + margin, int(place[0]) + margin
        sheet[top : top + cut.shape[0], left : left + cut.shape[1]] = cut
    return sheet, places
