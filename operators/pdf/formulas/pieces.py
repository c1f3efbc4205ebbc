"""Pieces of large brackets and braces put together: what TeX stacks from several letters becomes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from operators.pdf.formulas.glyphs import Box, Glyph
from operators.pdf.formulas.signs import Family, Sign

_SIDES = {"(": "open", "[": "open", r"\{": "open", ")": "close", "]": "close", r"\}": "close"}
_STACKED = ("piece", "fencepiece", "radpiece")


#: Signs that TeX sets from others over, below or across each other: what they are together.
_HEAPS = {
    (r"\sim", "="): Sign(r"\cong", "rel"),
    (".", "="): Sign(r"\doteq", "rel"),
    (r"\int", r"\int"): Sign(r"\iint", "op"),
    (r"\iint", r"\int"): Sign(r"\iiint", "op"),
}


def join_pieces(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with the pieces of one bracket, which follow each other and stand above each other, as one."""
    joined: list[Glyph] = []
    for glyph in glyphs:
        last = joined[-1] if joined else None
        if last is not None and glyph.kind in (*_STACKED, "fence") and _stacks(last, glyph):
            last.ids = last.ids + glyph.ids
            last.ink = _union(last.ink, glyph.ink)
            last.x1 = max(last.x1, glyph.x1)
            last.sign = _whole(last.sign, glyph.sign)
        elif last is not None and (heap := _heap(last, glyph)) is not None:
            last.ids = last.ids + glyph.ids
            last.ink = _union(last.ink, glyph.ink)
            last.x0, last.x1, last.sign = min(last.x0, glyph.x0), max(last.x1, glyph.x1), heap
            last.base, last.family = max(last.base, glyph.base), _maths(last, glyph).family
        elif last is not None and last.kind == glyph.kind == "overbrace" and _side_by_side(last, glyph):
            last.ids = last.ids + glyph.ids
            last.sign = last.sign if last.x0 <= glyph.x0 else glyph.sign
            last.ink = _union(last.ink, glyph.ink)
            last.x0, last.x1 = min(last.x0, glyph.x0), max(last.x1, glyph.x1)
        else:
            joined.append(replace(glyph, ids=list(glyph.ids)))
    joined = _dotted(joined)
    for glyph in joined:
        if glyph.kind == "fencepiece":
            glyph.sign = Sign(glyph.sign.latex if glyph.sign else "|", "fence")
        elif glyph.kind == "radpiece":
            glyph.sign = Sign(r"\sqrt", "radical")
        elif glyph.kind == "piece":
            latex = glyph.sign.latex if glyph.sign else ""
            glyph.sign = Sign(latex, _SIDES[latex]) if latex in _SIDES else None
    return joined


def _stacks(last: Glyph, glyph: Glyph) -> bool:
    """Whether a piece goes on where the one before it ends."""
    if last.kind not in (*_STACKED, "fence") or abs(last.x0 - glyph.x0) > 0.05 * glyph.size:
        return False
    if "fence" in (last.kind, glyph.kind) and (
        last.sign != glyph.sign or last.ink[1] - 1 < glyph.ink[1] < last.ink[1] + 1
    ):
        return False
    return glyph.ink[1] - last.ink[3] < 0.15 * glyph.size and last.ink[1] - glyph.ink[3] < 0.15 * glyph.size


def _heap(last: Glyph, glyph: Glyph) -> Sign | None:
    """The sign that two glyphs make, one above the other or, as integrals, across each other."""
    if last.sign is None or glyph.sign is None or not (last.maths or glyph.maths):
        return None
    found = _HEAPS.get((last.sign.latex, glyph.sign.latex))
    if found is None or abs(last.size - glyph.size) > 0.1:
        return None
    if found.kind == "op":
        return found if glyph.x0 - last.x1 < 0.05 * glyph.size and abs(last.level - glyph.level) < 0.1 else None
    middles = abs((last.ink[0] + last.ink[2]) - (glyph.ink[0] + glyph.ink[2])) / 2
    return found if middles < 0.08 * glyph.size and last.ink[3] <= glyph.ink[1] + 0.1 * glyph.size else None


def _maths(one: Glyph, two: Glyph) -> Glyph:
    return one if one.maths else two


def _side_by_side(last: Glyph, glyph: Glyph) -> bool:
    return len(last.ids) < 4 and abs(last.base - glyph.base) < 0.05 * glyph.size


def _dotted(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with three points that stand above each other or on a slant as one sign."""
    found: list[Glyph] = []
    for glyph in glyphs:
        found.append(glyph)
        if len(found) < 3 or any(one.char != "." or len(one.ids) > 1 for one in found[-3:]):
            continue
        one, two, three = found[-3:]
        down = [two.base - one.base, three.base - two.base]
        across = [two.x0 - one.x0, three.x0 - two.x0]
        if abs(down[0] - down[1]) > 0.1 * one.size or not 0.2 < abs(down[0]) / one.size < 0.7:
            continue
        if max(map(abs, across)) < 0.05 * one.size:
            latex = r"\vdots"
        elif abs(across[0] - across[1]) < 0.1 * one.size and down[0] * across[0] > 0:
            latex = r"\ddots"
        else:
            continue
        low = max(one.base, three.base)
        ink = _union(_union(one.ink, two.ink), three.ink)
        first, last = min(one.x0, three.x0), max(one.x1, three.x1)
        family = Family("OMS")
        found[-3:] = [
            Glyph(one.ids + two.ids + three.ids, "", Sign(latex, "ord"), family, first, last, ink, low, one.size)
        ]
    return found


def _whole(one: Sign | None, two: Sign | None) -> Sign | None:
    """The sign of a bracket from those of two of its pieces: a brace has one that is the same on both sides."""
    if one is None or two is None:
        return None
    return two if one.latex == "brace" else one


def _union(one: Box, two: Box) -> Box:
    return (min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3]))
