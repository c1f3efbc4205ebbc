"""Stretches of a page's letters that a rule or a pair of tall brackets makes one: quotients, roots, bars, arrays.

TeX writes the parts of a formula one after the other, so each of them is a stretch of the content stream: the upper
part of a quotient and right behind it the lower one, a root's sign and what its bar covers.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.formulas.glyphs import Glyph, Rule

#: How far, in ems, a part of a quotient reaches from its bar, and how far its next letters stand apart.
_REACH = 9.0
_TIGHT = 0.85
_APART = 0.45
#: Bars of quotients that are longer, in ems, have no others of their own length over or below them.
_LONG = 8.0
#: The least space, in ems, between two columns of a table.
_COLUMN = 1.5
#: What is at least of this share of the largest letters is no script; the lines of a table are further apart, in ems.
_FULL, _LINES = 0.9, 0.8
#: What begins so close to a bar's end, in ems, stands behind it.
_BESIDE = 0.01
#: Bounds for pages that are drawn to take long; what is then left of a formula makes it a picture.
_MOST_RULES = 400
_MOST_TRIES = 60
#: Bars are at most so thick, in ems (0.068 in STIX), and drawn by so many points thicker.
_THICK, _DRAWN = 0.08, 0.9


@dataclass(slots=True)
class Span:
    """Letters ``first`` to ``last`` that make one part; ``middle`` is where its second half begins.

    Of a root, ``middle`` is its sign and ``inside`` where what its bar covers begins, ``behind`` how many letters of
    its index follow that; a brace has rules of its own.
    ``kind`` is ``frac``, ``root``, ``over``, ``under``, ``brace`` or ``fence``.
    """

    kind: str
    first: int
    last: int
    middle: int = 0
    rule: Rule | None = None
    inner: list[Span] = field(default_factory=list)
    inside: int = 0
    behind: int = 0
    own: list[Rule] = field(default_factory=list)


class Places:
    """The letters of a page by height, for quick looks at what is near a rule."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self.glyphs = glyphs
        self._order = sorted(range(len(glyphs)), key=lambda at: glyphs[at].ink[1])
        self._tops = [glyphs[at].ink[1] for at in self._order]

    def near(self, rule: Rule, up: float, down: float) -> list[int]:
        """Indices, in the stream's order, of letters within the width of a rule."""
        low, high = bisect_left(self._tops, rule.y - up), bisect_right(self._tops, rule.y + down)
        found = []
        for at in self._order[low:high]:
            ink = self.glyphs[at].ink
            if rule.x0 - 1 <= (ink[0] + ink[2]) / 2 <= rule.x1 + 1:
                found.append(at)
        return sorted(found)


def rule_spans(glyphs: Sequence[Glyph], rules: Sequence[Rule], italics: bool = False) -> list[Span]:
    """The stretches that rules make of a page's letters; rules that belong to none give none.

    ``italics`` says that italic letters of the text are variables.
    """
    places = Places(glyphs)
    spans = []
    sizes = sorted(glyph.size for glyph in glyphs) or [10.0]
    thick = _THICK * sizes[len(sizes) // 2] + _DRAWN
    for rule in rules[:_MOST_RULES]:
        if rule.y1 - rule.y0 > thick or rule.x1 - rule.x0 < 1.5 or rule.x1 - rule.x0 > 450:
            continue
        found = _root(rule, places) or _quotient(rule, places, rules) or _bar(rule, places, rules, italics)
        if found is not None:
            spans.append(found)
    return spans


def _root(rule: Rule, places: Places) -> Span | None:
    """The root whose sign ends where the rule begins."""
    glyphs = places.glyphs
    sign = None
    for at in places.near(Rule(0, rule.x0 - 14, rule.y0, rule.x0 + 2, rule.y1), 4, 4):
        glyph = glyphs[at]
        reach = 0.12 * glyph.size
        if glyph.kind == "radical" and abs(glyph.ink[2] - rule.x0) < reach and abs(glyph.ink[1] - rule.y0) < reach:
            sign = at
    if sign is None:
        return None
    foot = glyphs[sign].ink[3] + 0.3 * glyphs[sign].size
    inside = sign + 1
    while inside < len(glyphs) and _is_index(glyphs[inside], glyphs[sign]):
        inside += 1
    last = inside - 1
    while last + 1 < len(glyphs):
        ink = glyphs[last + 1].ink
        if not (rule.x0 - 1 < (ink[0] + ink[2]) / 2 < rule.x1 + 0.3 and rule.y0 - 1 < (ink[1] + ink[3]) / 2 < foot):
            break
        last += 1
    if last < inside:
        return None
    first = sign
    while first > 0 and _is_index(glyphs[first - 1], glyphs[sign]):
        first -= 1
    if first < sign and first > 0 and goes_on(glyphs[first - 1], glyphs[first]):
        first = sign  # the end of a longer script before the root
    behind = 0
    if first == sign == inside - 1:
        while last + 1 < len(glyphs) and _is_index(glyphs[last + 1], glyphs[sign]):
            last, behind = last + 1, behind + 1
    return Span("root", first, last, sign, rule, inside=inside, behind=behind)


def goes_on(glyph: Glyph, beside: Glyph) -> bool:
    """Whether a letter stands right before another one, on its level and in its size."""
    near = -0.3 * glyph.size < beside.x0 - glyph.x1 < 0.4 * glyph.size
    return near and abs(glyph.base - beside.base) < 0.05 * glyph.size and abs(glyph.size - beside.size) < 0.1


def _is_index(glyph: Glyph, sign: Glyph) -> bool:
    """Whether a small letter stands over the hook of a root's sign."""
    middle = (glyph.ink[0] + glyph.ink[2]) / 2
    # TeX sets an index into the hook, by 0.5 em; a script before a root ends where its sign begins.
    hooked = glyph.x1 > sign.x0 + (0.0 if sign.height > 1.1 else 0.15) * sign.size
    small = glyph.size < 0.65 * sign.size or (glyph.size < 0.8 * sign.size and hooked)
    hook = sign.ink[0] - 0.7 * sign.size < middle < sign.ink[0] + 0.5 * sign.size
    return small and hook and glyph.ink[3] < (sign.ink[1] + sign.ink[3]) / 2 + 0.15 * sign.size


def _quotient(rule: Rule, places: Places, rules: Sequence[Rule]) -> Span | None:
    """The letters right above a rule and, next in the stream, those right below it, as TeX centres them."""
    glyphs = places.glyphs
    size = 12.0
    near = places.near(rule, _REACH * size, _REACH * size)
    nearset = set(near)
    best: tuple[float, int] | None = None
    for at in near:
        if at - 1 in nearset and _side(glyphs[at - 1], rule) < 0 < _side(glyphs[at], rule):
            gap = max(abs(_gap(glyphs[at - 1], rule)), abs(_gap(glyphs[at], rule)))
            if best is None or gap < best[0]:
                best = (gap, at)
    if best is None:
        return None
    middle = best[1]
    first = _reach(glyphs, rule, middle - 1, -1, rules)
    last = _reach(glyphs, rule, middle, 1, rules)
    if glyphs[middle].family.font == "mathjax":  # what is painted next may stand on the line below
        ends = range(last, max(middle, last - _MOST_TRIES), -1)
        last = next((end for end in ends if _dense(glyphs[middle : end + 1], rule, rules, size)), middle)
    if last + 1 < len(glyphs) and _is_text_below(glyphs[last], glyphs[last + 1]):
        return None
    for low in range(first, min(middle, first + _MOST_TRIES)):
        if _is_quotient(glyphs[low:middle], glyphs[middle : last + 1], rule, rules):
            return Span("frac", low, last, middle, rule)
    return None


def _is_text_below(last: Glyph, following: Glyph) -> bool:
    """Whether the letters below a rule go on beyond its end, as a line of text does below an underlined heading."""
    letters = last.kind in ("letter", "digit") and following.kind in ("letter", "digit")
    return letters and goes_on(last, following)


def _side(glyph: Glyph, rule: Rule) -> int:
    """-1 above a rule, 1 below it, 0 across it."""
    if glyph.ink[3] <= rule.y + 0.6:
        return -1
    return 1 if glyph.ink[1] >= rule.y - 0.6 else 0


def _gap(glyph: Glyph, rule: Rule) -> float:
    return (rule.y - glyph.ink[3]) if _side(glyph, rule) < 0 else (glyph.ink[1] - rule.y)


def _reach(glyphs: Sequence[Glyph], rule: Rule, at: int, step: int, rules: Sequence[Rule]) -> int:
    """How far the letters on one side of a rule go on in the stream."""
    side, first = _side(glyphs[at], rule), at
    while 0 <= at + step < len(glyphs):
        glyph = glyphs[at + step]
        middle = (glyph.ink[0] + glyph.ink[2]) / 2
        if not rule.x0 - 1 < middle < rule.x1 + 1 or _side(glyph, rule) != side or _gap(glyph, rule) > _REACH * 10:
            break
        if glyph.ink[0] > rule.x1 - _BESIDE * glyph.size:
            break
        if step > 0 and _is_lower_script(glyph, glyphs[first : at + 1]):
            break
        at += step
    return at


def _is_lower_script(glyph: Glyph, part: Sequence[Glyph]) -> bool:
    """Whether a letter stands below all of a quotient's lower part and is larger: a quotient in a script goes first."""
    low, size = max(one.ink[3] for one in part), max(one.size for one in part)
    return glyph.kind in ("letter", "digit") and glyph.ink[1] > low and glyph.size > 1.15 * size


def _is_quotient(above: Sequence[Glyph], below: Sequence[Glyph], rule: Rule, rules: Sequence[Rule]) -> bool:
    """Whether two groups stand close to a rule, centred, and the wider one fills it: as TeX sets a quotient."""
    wide = rule.x1 - rule.x0
    widest, slack = 0.0, 0.0
    if wide > _LONG * max(glyph.size for glyph in above) and (
        any(_crosses(one, rule, above, below) for one in rules) or max(map(_widest_gap, (above, below))) > _COLUMN
    ):
        return False
    for side, sign in ((above, -1), (below, 1)):
        size = max(glyph.size for glyph in side)
        if min(_gap(glyph, rule) for glyph in side) > _TIGHT * size or not _dense(side, rule, rules, size):
            return False
        if not _is_one_line(side, rules, size):
            return False
        low, high = min(glyph.ink[1] for glyph in side) - 1, max(glyph.ink[3] for glyph in side) + 1
        own = [one for one in rules if one is not rule and low < one.y < high]
        own = [
            one for one in own if rule.x0 - 0.5 <= one.x0 and one.x1 <= rule.x1 + 0.5 and (one.y - rule.y) * sign > 0
        ]
        x0 = min([glyph.x0 for glyph in side] + [one.x0 - 1.2 for one in own])
        x1 = max([glyph.x1 for glyph in side] + [one.x1 + 1.2 for one in own])
        # What stands at the edge may have a little space of its own: italics lean out, brackets keep off.
        allowed = 0.16 * size + (1.4 if own else 0.0) + 0.3
        if abs((x0 + x1) / 2 - (rule.x0 + rule.x1) / 2) > allowed:
            return False
        slack = max(slack, allowed)
        widest = max(widest, x1 - x0)
    return -1.6 * slack < wide - widest < 2.2 * slack


def _is_one_line(side: Sequence[Glyph], rules: Sequence[Rule], size: float) -> bool:
    """Whether a group's full-sized letters stand on one line, but for those that a bar or a tall sign holds together.

    What stands on several is rows of a table.
    """
    firm = sorted((g for g in side if g.size > _FULL * size and not g.floating), key=lambda g: g.base)
    for one, two in pairwise(firm):
        if two.base - one.base < _LINES * size:
            continue
        bars = (rule for rule in rules if one.base < rule.y < two.base)
        tall = (g.ink for g in side if g.floating and g.ink[1] < one.base < two.base < g.ink[3] + _LINES * size)
        if not any(bars) and not any(tall):
            return False
    return True


def _widest_gap(side: Sequence[Glyph]) -> float:
    """The widest space, in ems, that all lines of a group leave: between the columns of a table it is wide."""
    gap, reach = 0.0, math.inf
    for x0, x1 in sorted((glyph.ink[0], glyph.ink[2]) for glyph in side):
        gap, reach = max(gap, x0 - reach), max(x1, reach) if reach < math.inf else x1
    return gap / max(glyph.size for glyph in side)


def _crosses(one: Rule, rule: Rule, above: Sequence[Glyph], below: Sequence[Glyph]) -> bool:
    """Whether a rule of the same ends parts one of two groups, as the rules of a table do."""
    if one is rule or max(abs(one.x0 - rule.x0), abs(one.x1 - rule.x1)) > 1:
        return False
    return any(any(g.ink[3] < one.y for g in side) and any(g.ink[1] > one.y for g in side) for side in (above, below))


def _dense(side: Sequence[Glyph], rule: Rule, rules: Sequence[Rule], size: float) -> bool:
    """Whether letters go on from each other upwards or downwards without a gap as between two lines."""
    spans = sorted((glyph.ink[1], glyph.ink[3]) for glyph in side)
    reach = spans[0][1]
    for top, bottom in spans[1:]:
        if top - reach > _APART * size:
            between = [one for one in rules if reach - 1 < one.y < top + 1 and rule.x0 - 1 < one.x0 < rule.x1]
            if not between:
                return False
        reach = max(reach, bottom)
    return True


def _bar(rule: Rule, places: Places, rules: Sequence[Rule], italics: bool) -> Span | None:
    """The letters right below a rule that is as wide as they are, or those right above it."""
    glyphs = places.glyphs
    near = places.near(rule, 16, 16)
    for kind, side in (("over", 1), ("under", -1)):
        close = [
            at for at in near if _side(glyphs[at], rule) == side and _gap(glyphs[at], rule) < 0.5 * glyphs[at].size
        ]
        if not close:
            continue
        first = last = close[0] if side > 0 else close[-1]
        nearest = min(close, key=lambda at: _gap(glyphs[at], rule))
        first = _reach(glyphs, rule, nearest, -1, rules)
        last = _reach(glyphs, rule, nearest, 1, rules)
        while last > nearest and abs(glyphs[last - 1].x1 - rule.x1) < abs(glyphs[last].x1 - rule.x1):
            last -= 1
        while first < nearest and abs(glyphs[first + 1].x0 - rule.x0) < abs(glyphs[first].x0 - rule.x0):
            first += 1
        whole = glyphs[first : last + 1]
        size = max(glyph.size for glyph in whole)
        tight = 0.02 * size < min(_gap(glyph, rule) for glyph in whole) < 0.28 * size
        level = max(g.ink[3] for g in whole) - min(g.ink[1] for g in whole) < 2.5 * size
        level = level and _dense(whole, rule, rules, size) and _is_one_line(whole, rules, size)
        fits = abs(min(g.x0 for g in whole) - rule.x0) < 0.12 * size and abs(max(g.x1 for g in whole) - rule.x1) < (
            0.2 * size
        )
        if tight and fits and level and any(_may_be_maths(glyph, kind, italics and len(whole) == 1) for glyph in whole):
            return Span(kind, first, last, first, rule)
    return None


def _may_be_maths(glyph: Glyph, kind: str, variable: bool) -> bool:
    """Whether a letter can stand under a bar of formulas: words are underlined, but have no bars above them.

    An italic letter by itself may be a ``variable``.
    """
    italic, bold = glyph.family.encoding == "ITALIC", glyph.family.style == "mathbf"
    return glyph.maths or (italic and variable) or (kind == "over" and (italic or bold or glyph.kind == "digit"))


def within(span: Span) -> Iterator[Span]:
    """A stretch and those inside it."""
    yield span
    for inner in span.inner:
        yield from within(inner)


def nested(spans: Sequence[Span]) -> list[Span]:
    """The outermost stretches, each with those inside it; of two that cross, the later one is left out."""
    top: list[Span] = []
    stack: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.first, -span.last, span.kind != "frac")):
        while stack and stack[-1].last < span.first:
            stack.pop()
        if stack and span.last > stack[-1].last:
            continue
        (stack[-1].inner if stack else top).append(span)
        stack.append(span)
    return top
