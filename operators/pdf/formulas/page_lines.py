"""The lines of a page as its letters show them, each a stretch of the content stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import AXIS, Box, Glyph, Rule, is_alphabet
from operators.pdf.formulas.signs import names
from operators.pdf.formulas.spans import Span

#: Letters smaller than this beside others of their line are scripts.
SMALL = 0.86
#: Office programs set formulas up to so many ems off their line.
_LEVEL = 0.2
#: The scripts of a word are at most so large; the words before a heading are larger.
_SCRIPT = 0.8
#: So many letters before and behind a large sign show the size of its text: TeX has one size of font for such signs.
_NEAR = 8
#: The name of a function and its limits have at most so many letters.
_LONGEST = 24
#: The upper number before an isotope has at most so many digits.
_DIGITS = 3
#: The space, in ems, between a sign and the numbers before an isotope, in a loose line too.
_SIGN = 0.8
#: How far below each other the numbers before an isotope are, in their own ems; two lines are further apart.
_STACKED = (0.5, 1.15)
#: How far, in ems, a letter stands at most behind smaller ones that came first: an item's number on a ball is further.
_LABEL, _FIRST = 0.6, 0.8
#: Ink that reaches within so many points of the end of a letter's box is that end.
_INK = 0.01
#: An upright rule of a table is higher, in ems, than one of its lines.
_ROWS = 2.0


@dataclass(slots=True, eq=False)
class Unit:
    """A letter, or what a span makes one; ``axis`` if it is centred on the axis of its line."""

    first: int
    last: int
    x0: float
    x1: float
    ink: Box
    level: float
    size: float
    glyph: Glyph | None = None
    floating: bool = False
    maths: bool = False
    axis: float = 0.0
    #: For the upper limit of a sum, which comes before its sign: that sign.
    anchor: Unit | None = None

    def leans(self) -> tuple[bool, bool]:
        """Whether its ink is all that is known of its left and its right end, as of letters of OpenType's formulas."""
        if self.glyph is None or not is_alphabet(self.glyph.char):
            return False, False
        return self.ink[0] < self.x0 + _INK, self.ink[2] > self.x1 - _INK


@dataclass(slots=True)
class TextLine:
    """A line: its units in the order of the stream, its baseline, and the size of its letters."""

    units: list[Unit]
    level: float
    size: float
    right: float
    firm: bool
    main: Unit


def units_of(glyphs: Sequence[Glyph], spans: Sequence[Span]) -> list[Unit]:
    """All units of a page in the order of its stream."""
    starts = {span.first: span for span in spans}
    units: list[Unit] = []
    at = 0
    while at < len(glyphs):
        span = starts.get(at)
        glyph = glyphs[at]
        if span is None:
            x0, x1, floating = glyph.x0, glyph.x1, glyph.maths and glyph.floating
            units.append(
                Unit(at, at, x0, x1, glyph.ink, glyph.level if floating else glyph.base, glyph.size, glyph, floating)
            )
            units[-1].maths = glyph.maths
            units[-1].axis = (glyph.ink[1] + glyph.ink[3]) / 2
            at += 1
        else:
            units.append(_of_span(glyphs, span))
            at = span.last + 1
    _anchor(units)
    return units


def _of_span(glyphs: Sequence[Glyph], span: Span) -> Unit:
    whole = glyphs[span.first : span.last + 1]
    ink = union(glyph.ink for glyph in whole)
    size = max(glyph.size for glyph in whole)
    x0, x1 = min(glyph.x0 for glyph in whole), max(glyph.x1 for glyph in whole)
    maths = span.kind != "under" or len(whole) == 1 or any(glyph.maths for glyph in whole)
    if span.rule is not None:
        ink = union([ink, (span.rule.x0, span.rule.y0, span.rule.x1, span.rule.y1)])
        x0, x1 = min(x0, span.rule.x0), max(x1, span.rule.x1)
    if span.kind == "frac" and span.rule is not None:
        level = span.rule.y + AXIS * size
        return Unit(span.first, span.last, x0, x1, ink, level, size, None, True, maths, span.rule.y)
    if span.kind == "fence":
        left = glyphs[span.first]
        axis = left.level - AXIS * left.size
        return Unit(span.first, span.last, x0, x1, ink, left.level, left.size, None, True, maths, axis)
    places = _standing(glyphs, span)
    inner = next((one.rule.y for one in _quotients(span) if one.rule is not None), None)
    if span.kind == "root":
        # Some fonts have one size of large roots for all sizes of text.
        size = max((glyphs[at].size for at in places if not glyphs[at].floating), default=glyphs[span.middle].size)
    firm = [glyphs[at] for at in places if not glyphs[at].floating and glyphs[at].size > 0.9 * size]
    if inner is not None and not firm:
        return Unit(span.first, span.last, x0, x1, ink, inner + AXIS * size, size, None, True, maths, inner)
    size = max([size, *(glyph.size for glyph in firm)])
    level = firm[0].base if firm else glyphs[places[0] if places else span.first].level
    return Unit(span.first, span.last, x0, x1, ink, level, size, None, not firm, maths, level - AXIS * size)


def _standing(glyphs: Sequence[Glyph], span: Span) -> list[int]:
    """The letters of a span that may stand on its line: none of a quotient, a root's sign or index, a brace's note."""
    apart = {at for one in _quotients(span) for at in range(one.first, one.last + 1)}
    if span.kind == "root":
        apart.update(range(span.first, span.inside))
    if span.kind == "brace" and span.rule is not None:
        sign, bar = glyphs[span.middle].sign, span.rule.y1 + 1
        over = sign is not None and sign.latex == r"\braceld"
        noted = [at for at in range(span.first, span.last + 1) if (glyphs[at].base > bar) != over]
        braces = [at for at in range(span.first, span.last + 1) if glyphs[at].kind == "overbrace"]
        if len({*noted, *braces}) <= span.last - span.first:
            apart.update(noted, braces)
    return [at for at in range(span.first, span.last + 1) if at not in apart]


def _quotients(span: Span) -> Iterator[Span]:
    """The outermost quotients in a span."""
    for inner in span.inner:
        yield from [inner] if inner.kind == "frac" else _quotients(inner)


def _anchor(units: Sequence[Unit]) -> None:
    """Tie small letters right above or below a large sign that follows them in the stream to that sign."""
    for at, unit in enumerate(units):
        if at + 1 < len(units) and _is_accent(unit, units[at + 1 : at + 2]):
            unit.anchor = units[at + 1]
        if unit.glyph is None:
            continue
        before = at - 1
        if unit.glyph.kind in ("rel", "bin"):
            while before >= 0 and before > at - 40 and _stands_over(units[before], unit):
                units[before].anchor = unit
                before -= 1
        if unit.glyph.kind != "op" or not unit.floating:
            continue
        text = max(one.size for one in units[max(0, at - _NEAR) : at + _NEAR])
        while before >= 0 and before > at - 40 and _is_limit(units[before], unit, text):
            units[before].anchor = unit
            before -= 1


def _stands_over(small: Unit, sign: Unit) -> bool:
    """Whether a small letter stands right over a relation, or over the beginning of a long arrow."""
    gap = sign.ink[1] - small.ink[3]
    return small.size < SMALL * sign.size and 0 < gap < sign.size and sign.x0 - 0.1 * sign.size < small.x0 < sign.x1


def _is_limit(small: Unit, sign: Unit, text: float) -> bool:
    """Whether a letter is smaller than its ``text`` and stands above or below a sign."""
    reach = 2.5 * sign.size
    above, below = sign.ink[1] - small.ink[3], small.ink[1] - sign.ink[3]
    return (
        small.size < SMALL * text
        and -0.1 * sign.size < max(above, below) < sign.size
        and sign.ink[0] - reach < small.ink[0]
        and small.ink[2] < sign.ink[2] + reach
    )


def text_lines(units: Sequence[Unit], walls: Sequence[Box] = (), floors: Sequence[Rule] = ()) -> list[TextLine]:
    """The lines of a page, in the order of its stream.

    Upright rules, ``walls``, and level ones that are part of no formula, ``floors``, part the cells of a table.
    """
    lines: list[TextLine] = []
    walls = _whole(walls)
    for unit in units:
        line = lines[-1] if lines else None
        joined = line is not None and _joins(line, unit)
        if line is not None and joined and floors and _are_apart(line.units[-1], unit):
            joined = not any(_lies_between(floor, line.units[-1], unit) for floor in floors)
        if line is not None and joined and not (walls and any(_parts(wall, line, unit) for wall in walls)):
            line.units.append(unit)
            if unit.anchor is None:  # a wide limit reaches over what follows its sign
                line.right = max(line.right, unit.x1)
            _settle(line, unit)
        else:
            shown = unit.anchor or unit
            right = unit.x1 if shown is unit else unit.x0
            lines.append(TextLine([unit], shown.level, shown.size, right, not shown.floating and shown is unit, unit))
    return lines


def _whole(walls: Sequence[Box]) -> list[Box]:
    """Upright rules, those that go on from each other as one: tables are ruled row by row."""
    found: list[Box] = []
    for wall in sorted(walls, key=lambda wall: (round(wall[0]), wall[1])):
        if found and abs(found[-1][0] - wall[0]) < 1 and wall[1] < found[-1][3] + 1.5:
            found[-1] = union([found[-1], wall])
        else:
            found.append(wall)
    return found


def _are_apart(last: Unit, unit: Unit) -> bool:
    """Whether the ink of one of two letters ends above that of the other."""
    return unit.anchor is None and (unit.ink[1] > last.ink[3] or last.ink[1] > unit.ink[3])


def _lies_between(floor: Rule, last: Unit, unit: Unit) -> bool:
    """Whether a level rule stands between two letters, one over the other, and is longer than both."""
    upper, lower = (last, unit) if last.ink[3] < unit.ink[1] else (unit, last)
    wide = floor.x0 < min(last.x0, unit.x0) and max(last.x1, unit.x1) < floor.x1
    return wide and upper.ink[3] - 1 < floor.y < lower.ink[1] + 1


def _parts(wall: Box, line: TextLine, unit: Unit) -> bool:
    """Whether an upright rule over more than one line stands before a letter."""
    between = line.right - 1 < wall[0] and wall[2] < unit.x0 + 1
    crosses = wall[1] < line.level - 0.5 * line.size and line.level < wall[3]
    return between and crosses and wall[3] - wall[1] > _ROWS * line.size


def _settle(line: TextLine, unit: Unit) -> None:
    """Take baseline and size from the first letters that show them."""
    small = unit.size < SMALL * line.size or unit.anchor is not None
    if small:
        return
    if abs(unit.level - line.level) < 0.4 * line.size or unit.size * SMALL > line.size:
        if not unit.floating and (not line.firm or unit.size * SMALL > line.size):
            line.level, line.firm = unit.level, True
        if unit.size * SMALL > line.size:
            line.level, line.size = unit.level, unit.size
        line.main = unit


def _joins(line: TextLine, unit: Unit) -> bool:
    shown = unit.anchor or unit
    size = line.size
    shift = (shown.level - line.level) / size
    if unit.x0 - line.right > 30 * size:
        return False
    if size < _LABEL * shown.size and unit.x0 - line.right > _FIRST * shown.size:
        return False
    if shown.floating and abs(shown.axis - (line.level - AXIS * size)) < 0.2 * size:
        return unit.x0 > line.right - 1.2 * size or unit is not shown
    if shown.size * (SMALL if shown.maths else _SCRIPT) > size:
        # Small letters came first, as upper limits and numerators do.
        near = line.units[0].x0 - 2 * shown.size < unit.x1 and unit.x0 < line.right + 2 * shown.size
        all_small = not line.firm or all(one.size < SMALL * shown.size for one in line.units)
        return near and all_small and abs(shift) < 3.0 and len(line.units) < 12
    if _STACKED[0] < shift < _STACKED[1] and abs(unit.size - size) < 0.1 and len(line.units) <= _DIGITS:
        # Two numbers at a line's start, one over the other: those before an isotope.
        return unit.anchor is None and abs(unit.x0 - line.units[0].x0) < 0.05 * size
    accent = unit.anchor is not None and unit.glyph is not None and unit.glyph.kind == "accent"
    if (unit.anchor is None or accent) and unit.size < SMALL * size:
        written = unit.glyph is not None and not unit.maths and line.units[-1].size > SMALL * size
        # Letters of the text: a script hugs what it belongs to.
        last = line.units[-1].glyph
        reach = _SIGN if last is not None and last.kind in ("rel", "bin") else 0.35
        hugs = -0.5 * size < unit.x0 - line.right < reach * size or _is_below(unit, line)
        if written and not hugs and not _limits(line, unit):
            return abs(shift) < 0.1 and unit.x0 > line.right - size
        # What follows a heading whose last line is one letter stands further below it than scripts do.
        if (
            unit.glyph is not None
            and not unit.maths
            and shift > 1.4
            and not (line.main.floating and _limits(line, unit))
        ):
            return False
        return -2.4 < shift < 1.9 and line.main.x0 - 2.5 * size < unit.x0 < line.right + 1.2 * size
    if shown.floating or not line.firm:
        return abs(shift) < 0.4 and unit.x0 > line.right - 1.2 * size
    return abs(shift) < (_LEVEL if unit.maths else 0.15) and unit.x0 > line.main.x0 - 0.5 * size


def _is_below(unit: Unit, line: TextLine) -> bool:
    """Whether a small letter begins right below one of the last small ones, as those before an isotope do."""
    small = [one for one in line.units[-_DIGITS:] if one.size < SMALL * line.size]
    return any(abs(one.x0 - unit.x0) < 0.05 * line.size and one.level < unit.level for one in small)


def _limits(line: TextLine, unit: Unit) -> bool:
    """Whether a small letter stands below or above the last large sign of a line, or the name of a function there."""
    left, name = line.main.x0, ""
    for one in reversed(line.units[-_LONGEST:]):
        if one.size < SMALL * line.size:
            continue
        if one.glyph is None or one.maths or (abs(one.x1 - left) > 0.05 * line.size and one is not line.main):
            break
        left, name = one.x0, one.glyph.char + name
    start = left if names().get(name, ("", False))[1] else line.main.x0
    return start - 1.5 * line.size < unit.x0 < line.right


def _is_accent(unit: Unit, following: Sequence[Unit]) -> bool:
    """Whether a unit is an accent over a letter of a formula."""
    if unit.glyph is None or unit.glyph.kind != "accent" or not following:
        return False
    wide = unit.ink[0] - unit.size < following[0].x0 < unit.ink[2]
    return (following[0].maths or unit.maths or _is_dressed(unit.glyph, following[0].glyph)) and (
        wide and unit.ink[3] < following[0].ink[3]
    )


def _is_dressed(accent: Glyph, letter: Glyph | None) -> bool:
    """Whether an upright accent stands before an italic letter: accented italics of words have one font."""
    return letter is not None and letter.family.encoding == "ITALIC" != accent.family.encoding
