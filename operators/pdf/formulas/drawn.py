"""Signs that a page draws as paths: a root, as browsers draw it, is read, all others are doubts."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.glyphs import AXIS, Box, Formula, Glyph, Rule, Stroke
from operators.pdf.formulas.signs import Family, Sign

#: The bar of a drawn root is so thick, in points; its hook is at most so wide and it reaches at most so far beyond what
#: it covers, in ems.
_BAR, _HOOK, _BEYOND = 0.5, 1.3, 0.5
#: In ems: how far over, under and beside a formula a drawing stands that is part of it, and how wide it is at least.
_OVER, _UNDER, _BESIDE, _LEAST = 0.5, 0.25, 0.2, 0.2
#: A sign between two letters is smaller than this, in points; how far it stands from them at most, in ems, and how high
#: it is at least. Lines are looked for in stripes of so many points.
_SIGN, _SPACE, _HIGH, _LINE = 20.0, 0.5, 0.3, 6.0


def with_drawn(glyphs: Sequence[Glyph], strokes: Sequence[Stroke]) -> tuple[Sequence[Glyph], list[Rule], list[Stroke]]:
    """The letters of a page with the signs that are drawn, the bars of drawn roots, and the drawings that are left."""
    found, bars, left = list(glyphs), list[Rule](), list[Stroke]()
    # Short ones first: a root within another one stands behind that one's sign.
    for stroke in sorted(strokes, key=lambda one: one.x1 - one.x0):
        inside = [at for at, glyph in enumerate(found) if _covers(stroke, glyph)] if stroke.bar is not None else []
        if stroke.bar is None or not inside or not any(found[at].maths for at in inside):
            left.append(stroke)
            continue
        size = _size(stroke, found, inside)
        end = max(max(found[at].x1, found[at].ink[2]) for at in inside)
        if stroke.bar - stroke.x0 > _HOOK * size or stroke.x1 - end > _BEYOND * size:
            left.append(stroke)
            continue
        ink, sign = (stroke.x0, stroke.y0, stroke.bar, stroke.y1), Sign(r"\sqrt", "radical")
        root = Glyph([stroke.at], "√", sign, Family("UNICODE"), stroke.x0, stroke.bar, ink, stroke.y1, size)
        found.insert(inside[0], root)
        bars.append(Rule(stroke.at, stroke.bar, stroke.y0, stroke.x1, stroke.y0 + _BAR))
    return _with_signs(found, left), bars, left


def _with_signs(glyphs: list[Glyph], strokes: Sequence[Stroke]) -> list[Glyph]:
    """The letters with the drawings, as signs without a name, that stand between two of a line, one of a formula."""
    marks = [one for one in strokes if max(one.x1 - one.x0, one.y1 - one.y0) < _SIGN]
    lines: dict[int, list[tuple[int, Glyph]]] = {}
    for at, glyph in enumerate(glyphs if marks else ()):
        lines.setdefault(round(glyph.base / _LINE), []).append((at, glyph))
    found: list[tuple[int, Glyph]] = []
    for mark in marks:
        line = round(mark.y1 / _LINE)
        near = [each for stripe in range(line - 2, line + 3) for each in lines.get(stripe, ())]
        beside = [(at, one) for at, one in near if one.base - one.size < mark.y0 < one.base - 0.2 * one.size]
        place, before = max(
            ((at, one) for at, one in beside if one.x1 < mark.x0 + 1), key=lambda each: each[1].x1, default=(0, None)
        )
        behind = min((one for _, one in beside if one.x0 > mark.x1 - 1), key=lambda one: one.x0, default=None)
        if before is None or behind is None or not (before.maths or behind.maths):
            continue
        space = max(mark.x0 - before.x1, behind.x0 - mark.x1)
        if space < _SPACE * before.size and mark.y1 - mark.y0 > _HIGH * before.size:
            ink = (mark.x0, mark.y0, mark.x1, mark.y1)
            sign = Glyph([mark.at], "\ufffd", None, Family("STRANGE"), mark.x0, mark.x1, ink, before.base, before.size)
            found.append((place, sign))
    for place, sign in sorted(found, key=lambda each: -each[0]):
        glyphs.insert(place + 1, sign)
    return glyphs


def _size(stroke: Stroke, glyphs: Sequence[Glyph], inside: Sequence[int]) -> float:
    """The size of a root: that of what it covers, or of the letters on its line beside it."""
    beside = [glyphs[at] for at in (inside[0] - 1, inside[-1] + 1) if 0 <= at < len(glyphs)]
    middle = (stroke.y0 + stroke.y1) / 2
    near = [one for one in beside if min(abs(one.x1 - stroke.x0), abs(one.x0 - stroke.x1)) < one.size]
    level = [one.size for one in near if abs(one.base - AXIS * one.size - middle) < AXIS * one.size]
    return max([*level, *(glyphs[at].size for at in inside)])


def _covers(stroke: Stroke, glyph: Glyph) -> bool:
    x, y = (glyph.ink[0] + glyph.ink[2]) / 2, (glyph.ink[1] + glyph.ink[3]) / 2
    return stroke.bar is not None and stroke.bar - 0.5 < x < stroke.x1 and stroke.y0 < y < stroke.y1


def check_strokes(formulas: Sequence[Formula], strokes: Sequence[Stroke]) -> None:
    """Doubt formulas that have a drawing over, under or in them: an arrow, a brace, a line across."""
    for formula in formulas:
        if not formula.reason and any(_is_part(stroke, formula.box, formula.size) for stroke in strokes):
            formula.latex, formula.reason, formula.goes_on = "", "it holds a drawing", False


def _is_part(stroke: Stroke, box: Box, size: float) -> bool:
    """Whether a drawing stands within the width of a formula and touches it, or nearly so."""
    within = box[0] - _BESIDE * size < (stroke.x0 + stroke.x1) / 2 < box[2] + _BESIDE * size
    wide = _LEAST * size < stroke.x1 - stroke.x0 < box[2] - box[0] + size
    near = box[1] - _OVER * size < stroke.y1 and stroke.y0 < box[3] + _UNDER * size
    return within and wide and near and stroke.y1 - stroke.y0 < box[3] - box[1] + size
