"""How browsers paint formulas: roots as drawings, and what a style sheet moves after what it leaves in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import AXIS, Box, Formula, Glyph, Rule, Stroke
from operators.pdf.formulas.signs import Family, Sign

#: The bar of a drawn root is so thick, in points; its hook is at most so wide and it reaches at most so far beyond what
#: it covers, in ems.
_ROOT_BAR, _HOOK, _BEYOND = 0.5, 1.3, 0.5
#: In ems: how far over, under and beside a formula a drawing stands that is part of it, and how wide it is at least.
_OVER, _UNDER, _BESIDE, _LEAST = 0.5, 0.25, 0.2, 0.2
#: A sign between two letters is smaller than this, in points; how far it stands from them at most, in ems, and how high
#: it is at least. Lines are looked for in stripes of so many points.
_SIGN, _ROOT_SPACE, _HIGH, _ROOT_LINE = 20.0, 0.5, 0.3, 6.0


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
        bars.append(Rule(stroke.at, stroke.bar, stroke.y0, stroke.x1, stroke.y0 + _ROOT_BAR))
    return _with_signs(found, left), bars, left


def _with_signs(glyphs: list[Glyph], strokes: Sequence[Stroke]) -> list[Glyph]:
    """The letters with the drawings, as signs without a name, that stand between two of a line, one of a formula."""
    marks = [one for one in strokes if max(one.x1 - one.x0, one.y1 - one.y0) < _SIGN]
    lines: dict[int, list[tuple[int, Glyph]]] = {}
    for at, glyph in enumerate(glyphs if marks else ()):
        lines.setdefault(round(glyph.base / _ROOT_LINE), []).append((at, glyph))
    found: list[tuple[int, Glyph]] = []
    for mark in marks:
        line = round(mark.y1 / _ROOT_LINE)
        near = [each for stripe in range(line - 2, line + 3) for each in lines.get(stripe, ())]
        beside = [(at, one) for at, one in near if one.base - one.size < mark.y0 < one.base - 0.2 * one.size]
        place, before = max(
            ((at, one) for at, one in beside if one.x1 < mark.x0 + 1), key=lambda each: each[1].x1, default=(0, None)
        )
        behind = min((one for _, one in beside if one.x0 > mark.x1 - 1), key=lambda one: one.x0, default=None)
        if before is None or behind is None or not (before.maths or behind.maths):
            continue
        space = max(mark.x0 - before.x1, behind.x0 - mark.x1)
        if space < _ROOT_SPACE * before.size and mark.y1 - mark.y0 > _HIGH * before.size:
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


#: In ems: letters of a row share their baseline up to this; what stands beside a row reaches so far from its ends.
_LEVEL, _REACH = 0.08, 0.6
#: In ems: how far above or below a row its boxes are at most, and those as large as its letters that stand beside its
#: ends: lines of text are further apart.
_FAR, _LINE = 4.0, 0.8
#: The same of smaller boxes.
_LIMIT = 1.4
#: What is smaller than this against its row is a script of it.
_SMALL = 0.95
#: In ems: the most space between boxes over each other, and between the half of a quotient and its bar.
_APART, _BAR = 0.8, 0.6
#: In ems: the most space between two parts of a formula, in which there are boxes.
_PART = 8.0
#: The height of a small letter, in ems.
_SMALL_LETTER = 0.45
#: Pieces of a tall bracket, each of which has a box of its own.
_PIECES = frozenset({"piece", "fencepiece", "radpiece"})
#: What is set across the sign before it.
_ACROSS = "/\ue020"
#: What no scripts stand beside.
_BARE = _PIECES | {"accent"}
#: Ink that shares less than this part of the narrower one stands beside it.
_SHARED = 0.25
#: So many rows around a box and so many letters before a row are looked at; a gap in one is so wide, in ems.
_DEEPEST, _LOOKED_AT, _SPACE = 12, 150, 0.15
#: Bounds for pages drawn to take long: rows within rows, bars. Words are looked up in bands of so many points.
_NESTED, _MOST_RULES, _BAND = 30, 400, 20.0


@dataclass(slots=True, eq=False)
class _Row:
    """Letters that were painted as one row, and the rows painted after them that stand in its gaps."""

    glyphs: list[Glyph]
    ink: Box
    level: float
    size: float
    #: The bar that it stands above or below, if it is part of a quotient.
    bar: Rule | None = None
    #: The row whose gap it stands in, and the one before it that it stands over or under.
    around: _Row | None = None
    beside: _Row | None = None
    held: list[_Row] = field(default_factory=list)
    depth: int = 0
    #: Whether it was painted in parts.
    parted: bool = False
    #: Where it begins and ends with what it holds.
    reach: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        self.reach = self.ink[0], self.ink[2]

    @classmethod
    def of(cls, own: list[Glyph], rules: Sequence[Rule]) -> _Row:
        """The row of some letters; the pieces of a bracket from top to bottom."""
        ink = union((min(one.x0, one.ink[0]), one.ink[1], max(one.x1, one.ink[2]), one.ink[3]) for one in own)
        size, level = own[0].size, own[0].base
        if own[0].kind in _PIECES:
            own, level = sorted(own, key=lambda one: one.ink[1]), (ink[1] + ink[3]) / 2 + AXIS * size
        return cls(own, ink, level, size, next((rule for rule in rules if _is_near(rule, ink, level, size)), None))

    def hold(self, row: _Row) -> None:
        """Take a row that stands in a gap of this one or beside it."""
        row.around, row.depth = self, self.depth + 1
        self.held.append(row)
        x0, _, x1, _ = row.place
        self.reach = min(self.reach[0], x0), max(self.reach[1], x1)

    def extend(self, row: _Row) -> None:
        """Go on with the letters of another row."""
        self.glyphs, self.ink = [*self.glyphs, *row.glyphs], union([self.ink, row.ink])
        self.reach = min(self.reach[0], row.reach[0]), max(self.reach[1], row.reach[1])
        self.parted = True

    @property
    def outer(self) -> Box:
        """Its place in the row around it: as wide as the bar above or below it."""
        return self.ink if self.bar is None else (self.bar.x0, self.ink[1], self.bar.x1, self.ink[3])

    @property
    def place(self) -> Box:
        """Its place in the row that holds it."""
        return self.place_in(self.around) if self.around is not None else self.outer

    def place_in(self, around: _Row) -> Box:
        """Its place in a row: what stands at the same bar as that is no quotient in it."""
        return self.ink if self.bar is around.bar else self.outer


def _is_near(rule: Rule, ink: Box, level: float, size: float) -> bool:
    # The ink of a minus sign is further off than its line.
    apart = max(rule.y - max(ink[3], level), min(ink[1], level - _SMALL_LETTER * size) - rule.y)
    return -1 < apart < _BAR * size and rule.x0 - 1 < ink[0] and ink[2] < rule.x1 + 1


def in_reading_order(glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> Sequence[Glyph]:
    """The letters of a page, those of painted formulas as TeX would write them; ``rules`` may be bars of quotients."""
    if not any(glyph.family.painted for glyph in glyphs):
        return glyphs
    words: dict[int, list[Glyph]] = {}
    for glyph in glyphs:
        if not glyph.family.painted:
            words.setdefault(int(glyph.base / _BAND), []).append(glyph)
    found: list[Glyph] = []
    for painted, group in groupby(glyphs, key=lambda glyph: glyph.family.painted):
        part = list(group)
        found += _ordered(part, words, rules[:_MOST_RULES]) if painted else part
    return found


def _ordered(glyphs: Sequence[Glyph], words: Mapping[int, Sequence[Glyph]], rules: Sequence[Rule]) -> Iterator[Glyph]:
    outer: list[_Row] = []
    last: _Row | None = None
    for own in _rows(glyphs, words):
        row = _Row.of(own, rules)
        around = _around(row, last)
        begun = next((one for one in reversed(outer) if _continues(row, one, words)), None) if around is None else None
        if begun is not None:
            begun.extend(row)
            row = begun
        elif around is None:
            _place(row, outer)
        else:
            around.hold(row)
        last = row
    for row in _from_top(outer):
        yield from _read(row)


def _continues(row: _Row, begun: _Row, words: Mapping[int, Sequence[Glyph]]) -> bool:
    """Whether a row goes on behind a gap with one that was begun: KaTeX sets a formula in parts that end in signs."""
    one, two = begun.glyphs[-1], row.glyphs[0]
    if one.kind not in ("rel", "bin") or two.kind in _PIECES or begun.bar is not None or row.bar is not None:
        return False
    if abs(two.base - one.base) > _LEVEL * two.size or abs(two.size - one.size) > 0.1:
        return False
    if not one.x1 < two.x0 < one.x1 + _PART * two.size:
        return False
    band = int(two.base / _BAND)
    beside = (word for place in (band - 1, band, band + 1) for word in words.get(place, ()))
    return not any(_is_between(word, one, two) for word in beside)


def _around(row: _Row, last: _Row | None) -> _Row | None:
    """The row that holds another one: the nearest of those around the one that was painted before."""
    inner, depth = last, 0
    while inner is not None and depth < _DEEPEST:
        if inner.depth < _NESTED and _fits(row, inner):
            return inner
        if _is_stacked(row, inner):
            row.beside = inner
            return inner.around
        inner, depth = inner.beside or inner.around, depth + 1
    return None


def _place(row: _Row, outer: list[_Row]) -> None:
    """Put a row that none holds behind the others, but before those of its line that stand to its right."""
    at = outer.index(row.beside) + 1 if row.beside in outer else len(outer)
    while row.beside is None and at and row.outer[2] < outer[at - 1].reach[0] + _LEVEL * row.size:
        one = outer[at - 1]
        if abs(row.level - one.level) > (_LINE if row.size > _SMALL * one.size else _LIMIT) * one.size:
            break
        at -= 1
    outer.insert(at, row)


def _rows(glyphs: Sequence[Glyph], words: Mapping[int, Sequence[Glyph]]) -> Iterator[list[Glyph]]:
    """Letters that follow each other to the right on one baseline, with nothing painted before between them."""
    own: list[Glyph] = []
    for at, glyph in enumerate(glyphs):
        if own and not _goes_on(own[-1], glyph):
            yield own
            own = []
        elif own and glyph.x0 - own[-1].x1 > _SPACE * glyph.size:
            start, band = at - len(own), int(glyph.base / _BAND)
            beside = [one for place in (band - 1, band, band + 1) for one in words.get(place, ())]
            if any(_is_between(one, own[-1], glyph) for one in [*beside, *glyphs[max(0, start - _LOOKED_AT) : start]]):
                yield own
                own = []
        own.append(glyph)
    if own:
        yield own


def _is_between(one: Glyph, last: Glyph, glyph: Glyph) -> bool:
    return last.x1 - 1 < one.x0 < glyph.x0 and abs(one.base - glyph.base) < _LINE * glyph.size


def _goes_on(last: Glyph, glyph: Glyph) -> bool:
    """Whether a letter stands behind another one on its baseline, or is a piece of the same bracket."""
    if last.kind in _PIECES or glyph.kind in _PIECES:
        return {last.kind, glyph.kind} <= _PIECES and abs(last.x0 - glyph.x0) < 0.1
    if abs(glyph.base - last.base) > _LEVEL * glyph.size or abs(glyph.size - last.size) > 0.1:
        return False
    return glyph.char in _ACROSS or glyph.x0 > last.x1 - 0.5 * (glyph.x1 - glyph.x0)


def _fits(row: _Row, around: _Row) -> bool:
    """Whether a row stands in a gap of another one, or at its ends."""
    size, shift = around.size, abs(row.level - around.level)
    # A row of several parts is as long as lines of text, of which there are others over and under it.
    if row.size > size + 0.1 or shift > (_LIMIT if around.parted else _FAR) * size or around.glyphs[0].kind in _BARE:
        return False
    if row.bar is not None and row.bar is around.bar and (row.level < row.bar.y) != (around.level < row.bar.y):
        return False
    x0, _, x1, _ = row.place_in(around)
    if around.bar is not None and not around.bar.x0 - 1 < x0 < x1 < around.bar.x1 + 1:
        return False
    middle = (x0 + x1) / 2
    if any(x0 < (glyph.x0 + glyph.x1) / 2 < x1 or glyph.x0 < middle < glyph.x1 - 0.1 for glyph in around.glyphs):
        return False
    left, right = around.reach
    if left < middle < right:
        return True
    near = min(abs(x0 - right), abs(left - x1)) < _REACH * size
    if row.glyphs[0].kind in _PIECES:
        return near
    return near and shift < (_LIMIT if row.size < _SMALL * size else _LINE) * size


def _is_stacked(row: _Row, inner: _Row) -> bool:
    """Whether a row stands right above or below the one painted before it, as the other half of a quotient does."""
    if (row.size > inner.size + 0.1) or not _over(row, inner):
        return False
    if row.bar is not None and row.bar is inner.bar:
        return True
    return max(row.ink[1] - inner.ink[3], inner.ink[1] - row.ink[3]) < _APART * row.size


def _read(row: _Row) -> Iterator[Glyph]:
    """The letters of a row with those of the rows in its gaps."""
    middles = [(one.place[0] + one.place[2]) / 2 for one in row.held]
    places = [sum((glyph.x0 + glyph.x1) / 2 < middle for glyph in row.glyphs) for middle in middles]
    for at in range(len(row.glyphs) + 1):
        for one in _from_top([held for held, place in zip(row.held, places, strict=True) if place == at]):
            yield from _read(one)
        yield from row.glyphs[at : at + 1]


def _from_top(rows: Sequence[_Row]) -> list[_Row]:
    """The rows in their order, those that follow and stand over each other from top to bottom."""
    heaps: list[list[_Row]] = []
    for row in rows:
        if heaps and any(_over(row, one) for one in heaps[-1] if not one.parted):
            heaps[-1].append(row)
        else:
            heaps.append([row])
    return [row for heap in heaps for row in sorted(heap, key=lambda one: one.ink[1] + one.ink[3])]


def _over(one: _Row, two: _Row) -> bool:
    left, right = one.place, two.place
    shared = min(left[2], right[2]) - max(left[0], right[0])
    return shared > _SHARED * min(left[2] - left[0], right[2] - right[0])
