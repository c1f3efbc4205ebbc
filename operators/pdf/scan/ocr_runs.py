"""Lines that OCR read become runs, as a text layer has them: sizes evened out, scripts and labels told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext.ocr import OCRLine
from operators.pdf.parser.boxes import scaled
from operators.pdf.parser.runs import Box, Run
from operators.pdf.scan.line_ink import Ink, Piece, advance, count_ideographs, even_bases, even_sizes, read_ink
from operators.pdf.scan.ocr_text import clean_lines, clean_text, find_bars, within_bar, without_bars
from operators.pdf.scan.picture import PagePicture

#: What stands for a part of a fraction that could not be read.
UNREAD = "□"

#: A full stop is no larger than this, in ems.
_RING = 0.45
_RINGS = frozenset("oO0°。")
_DOTS = re.compile(r"[.．·…⋯•\s]+$")
_PAGE = re.compile(r"\d{1,4}$")
_LEADER = " ………… "


def set_full_stops(pieces: Sequence[Piece], body: float) -> None:
    """Make a small ring at the foot of a line a full stop, whatever letter it was taken for."""
    for piece in pieces:
        if piece.text not in _RINGS or max(piece.x1 - piece.x0, piece.high) > _RING * body:
            continue
        row = [
            other
            for other in pieces
            if other.text not in _RINGS and other.size >= body and -0.15 * body < piece.foot - other.base < 0.3 * body
        ]
        if row:
            nearest = min(row, key=lambda other: (abs(other.x1 - piece.x0), other.x0))
            piece.text, piece.size, piece.base = "。", nearest.size, nearest.base


def hold_fractions(pieces: Sequence[Piece], rules: Sequence[Box], body: float) -> None:
    """Put a numerator or denominator whose counterpart was not read into its line, with a sign for what is missing.

    ``rules`` are level rules in points. Alone it would become a line of its own, or the number of a question.
    """
    for rule in rules:
        if not 0.3 * body < rule[2] - rule[0] < 6 * body:
            continue
        middle = (rule[1] + rule[3]) / 2
        near = [piece for piece in pieces if rule[0] < (piece.x0 + piece.x1) / 2 < rule[2] and _fits(piece, rule, body)]
        above = [piece for piece in near if 0 < middle - piece.base < 0.6 * piece.size]
        below = [piece for piece in near if 0.5 * piece.size < piece.base - middle < 1.4 * piece.size]
        if bool(above) == bool(below):
            continue
        row = [
            piece
            for piece in pieces
            if piece not in near
            and abs(piece.base - middle - 0.28 * body) < 0.25 * body
            and min(abs(piece.x1 - rule[0]), abs(piece.x0 - rule[2])) < 2 * body
        ]
        if len(above or below) == 1 and row:
            piece = (above or below)[0]
            piece.text = f"{piece.text}/{UNREAD}" if above else f"{UNREAD}/{piece.text}"
            piece.base, piece.size = row[0].base, row[0].size


def _fits(piece: Piece, rule: Box, body: float) -> bool:
    return piece.x1 - piece.x0 < rule[2] - rule[0] + 0.7 * body


def join_leaders(pieces: Sequence[Piece], body: float) -> list[Piece]:
    """The pieces with the lines of a table of contents whole: words, dots, and the number of a page.

    Dots are read badly, so it is enough that three lines of the page end in a number after a wide gap, if
    dots were seen in a third of them.
    """
    lines = []
    for page in pieces:
        row = [one for one in pieces if one.x1 <= page.x0 and abs(one.base - page.base) < 0.3 * body]
        words = [one for one in row if not _DOTS.match(one.text)]
        if _PAGE.match(page.text) and words:
            last = max(words, key=lambda one: one.x1)
            if page.x0 - last.x1 > 4 * body:
                lines.append((last, _dots(last, page, pieces, body), page))
    seen = sum(bool(dots) or last.text[-1] in "…." for last, dots, _ in lines)
    if len(lines) < 3 or 3 * seen < len(lines):
        return list(pieces)
    gone: set[int] = set()
    for last, dots, page in lines:
        last.text = f"{_DOTS.sub('', last.text)}{_LEADER}{page.text}"
        last.x1 = page.x1
        gone.update(id(one) for one in [*dots, page])
    return [piece for piece in pieces if id(piece) not in gone]


def _dots(last: Piece, page: Piece, pieces: Sequence[Piece], body: float) -> list[Piece]:
    return [
        one
        for one in pieces
        if _DOTS.match(one.text) and last.x1 < one.x1 and one.x0 < page.x0 and abs(one.foot - page.foot) < 0.6 * body
    ]


#: A line less than this share as dark as most is a watermark.
_FAINT = 0.4
#: Strokes wider than those of most lines by this are bold.
_HEAVY = 1.28
#: A gap in a line above this, in ems, parts what stands beside each other.
_WIDE_GAP = 2.5
#: A digit that stands further from the point before it, in ems, is no decimal.
_FAR = 0.41
_LABEL = re.compile(r"(?:[一二三四五六七八九十]{1,3}、)?\d{1,3}[.．](?=\d)")
#: Letters stand this far from the edge of their place, in ems: runs touch where words do.
_BEARING = 0.05
#: Words that open a part of a worked example.
_LEAD = re.compile(r"(?:解|证明?|分析|解析|答案?|点评|点拨|说明|典例|例题)(?=[^\s：:])")
_LEAD_INSIDE = re.compile(r"(?<=[。？！?．.])(?:解|证明|分析)(?=[^\s：:答析明法方])")
_POWER = re.compile(r"(?<=[×x·]10)([-−–]?\d{1,2})(?!\d)")
_SUPERSCRIPTS = str.maketrans("0123456789-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻")
_CAPTION = re.compile(r"第\s*[\d\-–—~～、]+\s*题[解答]?图$")


def runs_of(picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box]) -> list[Run]:
    """The runs of a page in points; ``lines`` in pixels of the picture, ``rules`` in points.

    Left out are lines that the engine is not sure of, watermarks, and what was read twice. The order of
    ``lines`` does not matter.
    """
    pieces = _measured(picture, lines, rules)
    if not pieces:
        return []
    usual = median(piece.contrast for piece in pieces)
    # Dots hold too little ink to tell.
    pieces = [piece for piece in pieces if not piece.tall or piece.contrast >= _FAINT * usual]
    body = even_sizes(pieces)
    even_bases(pieces)
    set_full_stops(pieces, body)
    hold_fractions(pieces, rules, body)
    pieces = join_leaders(pieces, body)
    usual = _usual_stroke(pieces, body)
    runs = []
    for one in pieces:
        bold, side = _is_bold(one, usual, body), _BEARING * one.size
        runs.append(Run(one.text, one.x0 - side, one.x1 + side, one.base, one.size, bold=bold))
    return sorted(runs, key=lambda run: (run.base, run.x0, run.text))


def _usual_stroke(pieces: Sequence[Piece], body: float) -> float:
    """The mean width of strokes in most lines of the page's text."""
    return median(
        [one.stroke for one in pieces if one.size == body and one.tall >= 8] or [one.stroke for one in pieces]
    )


def _is_bold(piece: Piece, usual: float, body: float) -> bool:
    letters = sum(char.isalpha() for char in piece.text)
    # Strokes grow with the letters, but blur keeps them from getting finer in small ones.
    return letters >= 2 and piece.tall >= 4 and piece.stroke > _HEAVY * usual * max(piece.size / body, 1.0)


def _measured(picture: PagePicture, lines: Sequence[OCRLine], rules: Sequence[Box]) -> list[Piece]:
    grey = np.asarray(cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    scale = picture.scale
    strokes = [scaled(rule, scale) for rule in rules]
    sure = clean_lines(lines)
    fractions = find_bars(strokes, sure)
    pieces: list[Piece] = []
    for line in sure:
        bare = without_bars(line, fractions)
        for inner in within_bar(bare, fractions) if bare is not None else ():
            # A short level stroke that is no bar may be the ideograph 一.
            near = [rule for rule in strokes if _meets(rule, inner.box)]
            near = [rule for rule in near if rule in fractions or _is_long(rule, inner.box)]
            pieces += _pieces(inner, grey, near, scale)
    return pieces


def _pieces(line: OCRLine, grey: NDArray[np.uint8], rules: Sequence[Box], scale: float) -> list[Piece]:
    # A blank to fill in is seen as a rule; what OCR made of its ends is no text.
    text = line.text.strip("_ ") if rules else line.text
    ink = read_ink(grey, line.box, rules) if text else None
    if ink is None:
        return []
    line = OCRLine(text, line.score, line.box)
    parts = _parts(line, ink, rules)
    inks = [ink] if len(parts) == 1 else [read_ink(grey, part.box, rules) for part in parts]
    return [_piece(part, own, scale) for part, own in zip(parts, inks, strict=True) if own is not None]


def _meets(bar: Box, box: Box) -> bool:
    return bar[0] < box[2] and bar[2] > box[0] and bar[1] < box[3] and bar[3] > box[1]


def _is_long(rule: Box, box: Box) -> bool:
    return rule[2] - rule[0] > 1.2 * (box[3] - box[1])


def _piece(line: OCRLine, ink: Ink, scale: float) -> Piece:
    text = clean_text(line.text)
    size, foot, below = ink.size(text)
    text = _with_powers(_with_space(text, ink, size), ink)
    tall = 2 * count_ideographs(text) + sum(char.isascii() and char.isalnum() for char in text)
    x0, y0, x1, y1 = (edge / scale for edge in ink.box)
    return Piece(text, x0, x1, y1 - y0, foot / scale, below, size / scale, tall, ink.contrast, ink.stroke / scale)


def _with_space(text: str, ink: Ink, size: float) -> str:
    """The text with the blank behind its first word, which OCR leaves out where ideographs follow.

    ``解`` opens a solution if a blank parts it from what follows, and ``1.8`` is question 1 if the 8 stands
    far from the point.
    """
    lead = _LEAD.match(text)
    if lead is not None and any(_follows(gap, lead.end() * size, ink, size) for gap in ink.gaps):
        return f"{lead[0]} {text[lead.end() :]}"
    for inside in _LEAD_INSIDE.finditer(text):
        if any(_index_at(text, ink, (gap[0] + gap[1]) / 2) == inside.end() for gap in ink.blanks):
            return f"{text[: inside.start()]} {inside[0]} {text[inside.end() :]}"
    label = _LABEL.match(text)
    before = text[: label.end() - 1].count("、") if label is not None else 0
    if label is None or before >= len(ink.points):
        return text
    # A 1 stands in the middle of its place.
    far = _FAR + (0.04 if text[label.end()] == "1" else 0.0)
    return f"{label[0]} {text[label.end() :]}" if ink.points[before] > far * size else text


def _with_powers(text: str, ink: Ink) -> str:
    """The text with the exponents of powers of ten raised, as they are on the page: 3×10⁸, not 3×108."""
    for power in _POWER.finditer(text):
        near = [x for x in ink.raised if -1 <= _index_at(text, ink, x) - power.start(1) <= len(power[1])]
        if len(near) == sum(map(str.isdigit, power[1])):
            text = f"{text[: power.start(1)]}{power[1].translate(_SUPERSCRIPTS)}{text[power.end(1) :]}"
    return text


def _follows(gap: tuple[float, float], width: float, ink: Ink, size: float) -> bool:
    """Whether a gap is the blank behind a first word of so many pixels."""
    return abs(gap[0] - ink.box[0] - width) < 0.35 * size and gap[1] - gap[0] > 0.6 * size


def _parts(line: OCRLine, ink: Ink, rules: Sequence[Box]) -> list[OCRLine]:
    """A line cut where a rule stands in a gap of it, a blank to fill in, and where a caption follows a gap."""
    size, foot, below = ink.size(line.text)
    feet = [rule for rule in rules if rule[1] > foot - (below + 0.15) * size]
    cuts = {
        gap: _index_at(line.text, ink, (gap[0] + gap[1]) / 2)
        for gap in ink.gaps
        if _is_blank(gap, feet, size) or gap[1] - gap[0] > _WIDE_GAP * size
    }
    caption = _CAPTION.search(line.text)
    if caption is not None and caption.start() > 0 and ink.gaps:
        start = caption.start()
        off, gap = min((abs(_index_at(line.text, ink, (gap[0] + gap[1]) / 2) - start), gap) for gap in ink.gaps)
        if off <= 2:
            cuts[gap] = start
    x0, y0, x1, y1 = line.box
    parts: list[OCRLine] = []
    done = 0
    for (left, right), at in sorted(cuts.items()):
        if line.text[done:at].strip() and line.text[at:].strip():
            parts.append(OCRLine(line.text[done:at].strip(), line.score, (x0, y0, left + 1, y1)))
            done, x0 = at, right - 1
    return [*parts, OCRLine(line.text[done:].strip(), line.score, (x0, y0, x1, y1))] if parts else [line]


def _is_blank(gap: tuple[float, float], rules: Sequence[Box], size: float) -> bool:
    wide = gap[1] - gap[0]
    return wide > size and any(min(rule[2], gap[1]) - max(rule[0], gap[0]) > 0.7 * wide for rule in rules)


def _index_at(text: str, ink: Ink, x: float) -> int:
    """The number of characters that stand to the left of a gap at x, by their usual widths."""
    gaps = [(left, right) for left, right in ink.gaps]
    blank = sum(right - left for left, right in gaps)
    left = x - ink.box[0] - sum(min(right, x) - start for start, right in gaps if start < x)
    share = left / max(ink.box[2] - ink.box[0] - blank, 1.0)
    widths = [0.0 if char.isspace() else advance(char) for char in text]
    done, target = 0.0, share * sum(widths)
    best, nearest = 0, target
    for at, width in enumerate(widths, start=1):
        done += width
        # Where the engine saw a blank, the gap is there rather than beside it.
        off = abs(done - target) - (0.8 if at < len(text) and text[at].isspace() else 0.0)
        if off < nearest:
            best, nearest = at, off
    return best
