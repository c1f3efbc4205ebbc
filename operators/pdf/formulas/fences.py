"""Stretches between tall brackets, behind a tall brace that nothing closes, and over or under a horizontal brace."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.glyphs import Glyph, Rule
from operators.pdf.formulas.spans import Span, goes_on

#: A page with more brackets open than this was not written by hand.
_MOST_OPEN = 60
#: A brace of this share of another one's height is no part of its rows.
_ALIKE = 0.8


def is_tall(glyph: Glyph) -> bool:
    """Whether a bracket or a bar is larger than those of the text."""
    return glyph.kind in ("open", "close", "fence") and glyph.floating


def fence_spans(glyphs: Sequence[Glyph], rule_spans: Sequence[Span]) -> list[Span]:
    """The stretches from each tall opening bracket to its partner, or to the end of the rows behind a brace."""
    spans = []
    waiting: list[int] = []
    for at, glyph in enumerate(glyphs):
        if not is_tall(glyph):
            continue
        waiting = [one for one in waiting[-_MOST_OPEN:] if _beside(glyphs[one], glyph)]
        partner = next((one for one in reversed(waiting) if _closes(glyphs[one], glyph)), None)
        if glyph.kind != "open" and partner is not None:
            spans.append(Span("fence", partner, at))
            waiting = waiting[: waiting.index(partner)]
        elif glyph.kind != "close":
            waiting.append(at)
    closed = {span.first for span in spans}
    starts = {span.first: span.last for span in sorted(rule_spans, key=lambda span: span.last)}
    braces = [at for at, glyph in enumerate(glyphs) if at not in closed and _is_brace(glyph)]
    for at in braces if len(braces) < _MOST_OPEN else ():
        last = _rows_behind(glyphs, at, starts)
        if last > at:
            spans.append(Span("fence", at, last, middle=-1))
    return spans


def _is_brace(glyph: Glyph) -> bool:
    return is_tall(glyph) and glyph.sign is not None and glyph.sign.latex == r"\{"


def _beside(one: Glyph, two: Glyph) -> bool:
    """Whether a bracket can still belong to one before it: on the same line, further to the right."""
    return two.x0 > one.x0 and abs(one.level - two.level) < 0.6 * one.size


def _closes(one: Glyph, two: Glyph) -> bool:
    """Whether two brackets are a pair: of one height, on one axis."""
    if one.kind == "close" or (one.kind == "fence") != (two.kind == "fence"):
        return False
    if one.kind == "fence" and (one.sign is None or two.sign is None or one.sign.latex != two.sign.latex):
        return False
    return abs(one.ink[1] - two.ink[1]) < 0.3 * one.size and abs(one.ink[3] - two.ink[3]) < 0.3 * one.size


def _rows_behind(glyphs: Sequence[Glyph], at: int, starts: dict[int, int]) -> int:
    """The last letter of the rows that a brace opens: they stand within its height, each below the one before."""
    brace = glyphs[at]
    low, high = brace.ink[1] - 0.35 * brace.size, brace.ink[3] + 0.35 * brace.size
    last, level, place = at, None, at + 1
    while place < len(glyphs):
        end = starts.get(place, place)
        part = glyphs[place : end + 1]
        top, bottom = min(g.ink[1] for g in part), max(g.ink[3] for g in part)
        if not (low < (top + bottom) / 2 < high and part[0].x0 > brace.x0):
            break
        if place > at + 1 and _is_brace(part[0]) and bottom - top > _ALIKE * (brace.ink[3] - brace.ink[1]):
            break  # that of other rows beside these
        if end == place and part[0].size > 0.9 * brace.size and not part[0].floating:
            if level is not None and part[0].level < level - 0.5 * brace.size:
                break
            level = part[0].level
        last, place = end, end + 1
    return last


def brace_spans(glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> list[Span]:
    """The stretches of horizontal braces: what they embrace, and the note on their other side."""
    spans = []
    for at, glyph in enumerate(glyphs):
        # TeX sets a brace from four pieces or more, the fonts of OpenType from three, if it is not one sign.
        whole = len(glyph.ids) >= 4 or glyph.family.encoding == "UNICODE"
        if glyph.kind != "overbrace" or not whole or glyph.sign is None:
            continue
        side = 1 if glyph.sign.latex == r"\braceld" else -1
        bar = Rule(-1, glyph.ink[0], glyph.ink[1], glyph.ink[2], glyph.ink[3])
        own = [r for r in rules if bar.x0 < r.x0 and r.x1 < bar.x1 and bar.y0 - 1 < r.y < bar.y1 + 1]
        found = Span("brace", at, at, at, bar, own=own)
        for step in (-1, 1):
            if not 0 <= at + step < len(glyphs):
                continue
            ink = glyphs[at + step].ink
            where = 1 if (ink[1] + ink[3]) / 2 > bar.y else -1
            if not bar.x0 - 1 < (ink[0] + ink[2]) / 2 < bar.x1 + 1 or _distance(ink, bar) > 0.8 * glyph.size:
                continue
            end = at + step
            while 0 <= end + step < len(glyphs) and (
                _stays(glyphs[end + step], bar, where, glyph.size)
                or (where != side and goes_on(glyphs[end], glyphs[end + step]))
            ):
                end += step
            if where != side and any(
                one.size > 0.85 * glyph.size for one in glyphs[min(at, end) : max(at, end) + 1] if one is not glyph
            ):
                continue
            found.first, found.last = min(found.first, end), max(found.last, end)
        if found.first < at or found.last > at:
            spans.append(found)
    return spans


def _distance(ink: tuple[float, float, float, float], bar: Rule) -> float:
    return max(bar.y0 - ink[3], ink[1] - bar.y1)


def _stays(glyph: Glyph, bar: Rule, where: int, size: float) -> bool:
    middle = (glyph.ink[0] + glyph.ink[2]) / 2
    near = _distance(glyph.ink, bar) < 2.5 * size
    return near and bar.x0 - 1 < middle < bar.x1 + 1 and ((glyph.ink[1] + glyph.ink[3]) / 2 - bar.y) * where > 0
