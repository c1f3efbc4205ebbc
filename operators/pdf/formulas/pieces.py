"""Signs put together from pieces: brackets, braces and arrows, which TeX sets from several letters, become one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import TALL, Box, Glyph
from operators.pdf.formulas.signs import Family, Sign

#: What a tip makes of the bars that run into it.
_LONG = {
    r"\to": r"\longrightarrow",
    r"\leftarrow": r"\longleftarrow",
    r"\rightharpoonup": r"\rightharpoonup",
    r"\leftharpoondown": r"\leftharpoondown",
}
_OVER = {r"\to": r"\overrightarrow", r"\vec": r"\overrightarrow", r"\leftarrow": r"\overleftarrow"}
#: Signs that make an arrow run into each other, TeX's by 0.17; pieces that are none touch. A bar is at most so high.
#: All in ems.
_OVERLAP, _TOUCHING, _FLAT = 0.1, 0.02, 0.1
#: How far, in ems, the ends of an arrow are from those of the letters below it, how far it stands above them, and how
#: far the two arrows of an equilibrium are apart.
_END, _ABOVE, _APART = 0.3, 0.35, 0.35


#: Brackets so far apart, in ems, hold something, at most so many letters.
_SPACE, _CELLS = 0.3, 400
#: Signs that are no part of another.
_NO_PIECES = ("letter", "digit")


def stretched(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with the bars and the tip of an arrow as one."""
    found: list[Glyph] = []
    at, count = 0, len(glyphs)
    while at < count:
        glyph = glyphs[at]
        if not glyph.maths or glyph.kind in _NO_PIECES:
            found.append(glyph)
            at += 1
            continue
        arrow, end = _arrow(glyphs, at)
        if end == at + 1 and _is(glyphs[at], r"\vec"):
            arrow, end = _arrow_of_accents(glyphs, at)
        over = _over(arrow, glyphs, end)
        if over is not None:
            found.append(over)
        elif end == at + 1:
            found.append(glyphs[at])
        else:
            found.append(arrow)
        at = end
    harpoons = any(glyph.sign is not None and glyph.sign.latex in _HARPOONS for glyph in found)
    return list(_both_ways(found)) if harpoons else found


def _arrow(glyphs: Sequence[Glyph], at: int) -> tuple[Glyph, int]:
    """The arrow that begins at a place, a letter by itself if none does, and where it ends."""
    end = at + 1
    while end < len(glyphs) and _runs_on(glyphs[end - 1], glyphs[end]):
        end += 1
    own = glyphs[at:end]
    tips = [glyph for glyph in own if _tip(glyph)]
    if len(own) == 1 or len(tips) != 1 or tips[0] is not own[0 if "left" in _tip(tips[0]) else -1]:
        return glyphs[at], at + 1
    ids = [index for glyph in own for index in glyph.ids]
    sign = Sign(_LONG.get(_tip(tips[0]), _tip(tips[0])), "rel")
    ink = union(glyph.ink for glyph in own)
    return replace(tips[0], ids=ids, sign=sign, x0=own[0].x0, x1=own[-1].x1, ink=ink), end


def _arrow_of_accents(glyphs: Sequence[Glyph], at: int) -> tuple[Glyph, int]:
    """The arrow over several letters that OpenType's fonts set from pieces of the one over a letter."""
    end = at + 1
    while end < len(glyphs) and _is(glyphs[end], r"\vec") and _touches(glyphs[end - 1], glyphs[end]):
        end += 1
    own = glyphs[at:end]
    ids = [index for glyph in own for index in glyph.ids]
    ink = union(glyph.ink for glyph in own)
    return replace(own[0], ids=ids, x1=own[-1].x1, ink=ink), end


def _touches(one: Glyph, two: Glyph) -> bool:
    return abs(two.x0 - one.x1) < _END * one.size and abs(one.base - two.base) < 0.1


def _tip(glyph: Glyph) -> str:
    name = glyph.sign.latex if glyph.sign is not None else ""
    return name if name in _LONG or name in _OVER else ""


def _runs_on(one: Glyph, two: Glyph) -> bool:
    """Whether two pieces of an arrow touch, one of which is a bar."""
    if not (one.maths and two.maths) or abs(one.base - two.base) > 0.1 or abs(one.size - two.size) > 0.1:
        return False
    if not (_is_bar(one) or _is_bar(two)) or not all(_is_bar(glyph) or _tip(glyph) for glyph in (one, two)):
        return False
    signs = one.sign is not None and two.sign is not None
    return two.x0 - one.x1 < (-_OVERLAP if signs else _TOUCHING) * one.size


def _is_bar(glyph: Glyph) -> bool:
    flat = glyph.ink[3] - glyph.ink[1] < _FLAT * glyph.size
    return flat and (glyph.sign is None or glyph.sign.latex == "-")


def _over(arrow: Glyph, glyphs: Sequence[Glyph], end: int) -> Glyph | None:
    """The arrow as an accent, if the letters right behind it in the stream are those that it covers."""
    name = _OVER.get(_tip(arrow) or next((tip for tip, long in _LONG.items() if _is(arrow, long)), ""))
    if name is None or end >= len(glyphs) or (len(arrow.ids) == 1 and arrow.kind == "accent"):
        return None
    last = end
    while last < len(glyphs) and _is_below(glyphs[last], arrow):
        last += 1
    own = glyphs[end:last]
    if not own or abs(own[0].x0 - arrow.x0) > _END * arrow.size or abs(own[-1].x1 - arrow.x1) > _END * arrow.size:
        return None
    if arrow.ink[3] < min(glyph.ink[1] for glyph in own) - _ABOVE * arrow.size:
        return None
    return replace(arrow, sign=Sign(name, "accent"))


def _is(glyph: Glyph, latex: str) -> bool:
    return glyph.sign is not None and glyph.sign.latex == latex


def _is_below(glyph: Glyph, arrow: Glyph) -> bool:
    middle = (glyph.ink[0] + glyph.ink[2]) / 2
    near = glyph.ink[1] < arrow.ink[3] + arrow.size
    return arrow.ink[0] < middle < arrow.ink[2] and near and arrow.ink[3] < (glyph.ink[1] + glyph.ink[3]) / 2


def _both_ways(glyphs: Sequence[Glyph]) -> Iterator[Glyph]:
    """The glyphs, with two harpoons one over the other as the sign of an equilibrium, on the line between them."""
    at = 0
    while at < len(glyphs):
        one, two = glyphs[at], glyphs[min(at + 1, len(glyphs) - 1)]
        if (
            {one.sign and one.sign.latex, two.sign and two.sign.latex} == {r"\rightharpoonup", r"\leftharpoondown"}
            and abs(one.x0 - two.x0) < 0.1 * one.size > abs(one.x1 - two.x1)
            and abs(one.base - two.base) < _APART * one.size
        ):
            ink, base = union([one.ink, two.ink]), (one.base + two.base) / 2
            yield replace(one, ids=one.ids + two.ids, sign=Sign(r"\rightleftharpoons", "rel"), ink=ink, base=base)
            at += 2
        else:
            yield one
            at += 1


_HARPOONS = (r"\rightharpoonup", r"\leftharpoondown")
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
    for glyph in stretched(glyphs):
        whole = _together(joined[-1], glyph) if joined else None
        if whole is None:
            joined.append(glyph)
        else:
            joined[-1] = whole
    return [_finished(glyph) if glyph.kind in _STACKED else glyph for glyph in _dotted(joined)]


def filled(glyphs: Sequence[Glyph]) -> Sequence[Glyph]:
    """The glyphs; those that stand between two tall brackets that follow each other in the stream between these.

    MathJax's tables are painted behind the formula that they stand in.
    """
    found = list(glyphs)
    for left, right in [(one, two) for one, two in pairwise(glyphs) if _are_empty(one, two)]:
        start = found.index(right)
        behind = found[start + 1 : start + _CELLS]
        own = [glyph for glyph in behind if _is_between(glyph, left.ink, right.ink)]
        found = [*found[:start], *own, *(glyph for glyph in found[start:] if glyph not in own)]
    return found


def _are_empty(one: Glyph, two: Glyph) -> bool:
    """Whether two glyphs are tall brackets with space between them."""
    paired = (one.kind, two.kind) in (("open", "close"), ("fence", "fence"))
    return paired and min(one.height, two.height) > TALL and two.x0 - one.x1 > _SPACE * one.size


def _is_between(glyph: Glyph, left: Box, right: Box) -> bool:
    x, y = (glyph.ink[0] + glyph.ink[2]) / 2, (glyph.ink[1] + glyph.ink[3]) / 2
    return left[2] < x < right[0] and left[1] < y < left[3]


def _together(last: Glyph, glyph: Glyph) -> Glyph | None:
    """A glyph and the one behind it as one, if they are pieces of a sign."""
    if not last.kind or last.kind in _NO_PIECES:
        return None
    ids, ink = last.ids + glyph.ids, union([last.ink, glyph.ink])
    x0, x1 = min(last.x0, glyph.x0), max(last.x1, glyph.x1)
    if glyph.kind in (*_STACKED, "fence") and _stacks(last, glyph):
        return replace(last, ids=ids, ink=ink, x1=x1, sign=_whole(last.sign, glyph.sign))
    # Some fonts call the bar within a brace by the brace's own name.
    if last.kind == "piece" and glyph.kind in _SIDES.values() and glyph.x1 == last.x1 and _stacks(last, glyph):
        return replace(last, ids=ids, ink=ink)
    if (heap := _heap(last, glyph)) is not None:
        base, family = max(last.base, glyph.base), _maths(last, glyph).family
        return replace(last, ids=ids, ink=ink, x0=x0, x1=x1, sign=heap, base=base, family=family)
    if last.kind == glyph.kind == "overbrace" and _side_by_side(last, glyph):
        sign = last.sign if last.x0 <= glyph.x0 else glyph.sign
        return replace(last, ids=ids, ink=ink, x0=x0, x1=x1, sign=sign)
    return None


def _finished(glyph: Glyph) -> Glyph:
    """A sign put together from all its pieces by its own name."""
    latex = glyph.sign.latex if glyph.sign else ""
    if glyph.kind == "fencepiece":
        return replace(glyph, sign=Sign(latex or "|", "fence"))
    if glyph.kind == "radpiece":
        return replace(glyph, sign=Sign(r"\sqrt", "radical"))
    return replace(glyph, sign=Sign(latex, _SIDES[latex]) if latex in _SIDES else None)


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
    return abs(last.base - glyph.base) < 0.05 * glyph.size


def _dotted(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs, with three points that stand above each other or on a slant as one sign."""
    found: list[Glyph] = []
    for glyph in glyphs:
        found.append(glyph)
        if glyph.char != "." or len(found) < 3 or any(one.char != "." or len(one.ids) > 1 for one in found[-3:]):
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
        ink = union([one.ink, two.ink, three.ink])
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
