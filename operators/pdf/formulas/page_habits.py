"""How a page sets its words and its variables: its usual space and pitch, and which letters are variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from operators.pdf.formulas.glyphs import Glyph
from operators.pdf.formulas.layout import NO_PITCH, Pitch
from operators.pdf.formulas.lines import TextLine, Unit
from operators.pdf.formulas.signs import Family, lone_signs, short_words

#: So many lines show the space between the words of a page, which is not wider, in ems.
_LOOKED_AT, _WIDEST = 60, 0.5
#: The sizes of text of TeX's classes and the distances of their lines, in its own points, of which these are so many of
#: PDF's; how near the double of an office program's size is to a whole number.
_CLASSES, _BIG_POINT, _WHOLE = {10.0: 12.0, 10.95: 13.6, 12.0: 14.5}, 72 / 72.27, 0.04
#: What italic words are in formulas, and from how many letters on letters of the text's font are one.
_WORDS, _WORD = Family("TEX", "mathit"), 3
#: A relation is no further from what it relates, in ems, but in very loose lines.
_RELATED = 0.6
#: What a thin space is at least and at most, in ems.
_THIN = (0.07, 0.2)


def usual_space(lines: Sequence[TextLine]) -> float:
    """The space between two words, in ems, that most lines have, as the last ones of paragraphs do; else 0."""
    spaces: Counter[float] = Counter()
    for line in lines[:_LOOKED_AT]:
        own = sorted(
            (two.x0 - one.x1) / line.size
            for one, two in pairwise(line.units)
            if two.x0 - one.x1 > _THIN[0] * line.size and _is_word(one) and _is_word(two)
        )
        if own and own[len(own) // 2] < _WIDEST:
            spaces[round(own[len(own) // 2], 2)] += 1
    space, times = max(spaces.items(), key=lambda item: item[1], default=(0.0, 0))
    return space if times > 1 else 0.0


def usual_pitch(lines: Sequence[TextLine], prose: Sequence[TextLine]) -> Pitch:
    """The distances of the lines of a text that TeX set: as most lines of words show it, and that of its class.

    The sizes of office programs are whole or half points: they set the rows of matrices by their own rule.
    """
    sizes = Counter(round(line.size, 2) for line in lines)
    size = max(sizes, key=sizes.__getitem__, default=0.0)
    if abs(2 * size - round(2 * size)) < _WHOLE:
        return NO_PITCH
    apart = Counter(
        round(two.level - one.level, 2)
        for one, two in pairwise(prose[:_LOOKED_AT])
        if 0 < two.level - one.level < 2 * one.size and abs(one.size - two.size) < _THIN[0]
    )
    distance, times = max(apart.items(), key=lambda item: item[1], default=(0.0, 0))
    own = _CLASSES.get(round(size / _BIG_POINT, 2), 0.0) * _BIG_POINT
    return Pitch(tuple(one for one in (distance if times > 1 else 0.0, own) if one), measured=times > 1)


def _is_word(unit: Unit) -> bool:
    return unit.glyph is not None and not unit.maths and unit.glyph.char.isalpha() and unit.glyph.char < "\u2e80"


def count_letters(line: TextLine) -> int:
    """How many letters of words a line has."""
    return sum(unit.glyph is not None and not unit.maths and unit.glyph.char.isalpha() for unit in line.units)


def is_proof(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a letter says that its page has formulas: a sign that texts do not use, "=" beside an italic letter."""
    glyph = glyphs[at]
    if glyph.char == "=":
        return any(beside.family.encoding == "ITALIC" for beside in glyphs[max(0, at - 1) : at + 2])
    return glyph.maths and glyph.sign is not None and glyph.sign.latex not in lone_signs()


def touches_maths(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a letter or a relation of formulas is right beside a letter."""
    one = glyphs[at]
    return any(
        beside.maths and beside.kind in ("letter", "rel") and -one.size < beside.x0 - one.x1 < 0.35 * one.size
        for beside in glyphs[at + 1 : at + 2]
    )


def is_related(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a relation stands right before or behind a letter."""
    one = glyphs[at]
    return any(
        beside.kind == "rel"
        and beside.char != ":"
        and max(beside.x0 - one.x1, one.x0 - beside.x1) < _RELATED * one.size
        for beside in glyphs[max(0, at - 1) : at + 2]
    )


def with_italic_words(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The letters of a page whose variables have a font of their own; words of the text's italic font are words."""
    found = list(glyphs)
    first = 0
    for at in range(1, len(found) + 1):
        if at < len(found) and _spells(found[at - 1], found[at]):
            continue
        if at - first >= _WORD or "".join(one.char for one in found[first:at]) in short_words():
            for place in range(first, at):
                if found[place].family.encoding == "ITALIC":
                    found[place] = replace(found[place], family=_WORDS)
        first = at
    return found


def _spells(one: Glyph, two: Glyph) -> bool:
    """Whether two italic letters stand in one word."""
    italic = one.family.encoding == two.family.encoding == "ITALIC" and one.char.isalpha() and two.char.isalpha()
    # An italic f leans over what follows it.
    return italic and abs(one.base - two.base) < 0.1 and -0.3 * one.size < two.x0 - one.x1 < 0.1 * one.size


def is_plain(glyph: Glyph) -> bool:
    """Whether a letter is one of the plain alphabet."""
    return glyph.sign is not None and len(glyph.sign.latex) == 1 and glyph.kind == "letter"


def may_hold_formula(line: TextLine, italics: bool, bold: Collection[str]) -> bool:
    """Whether a line has anything of a formula: its fonts, a part put together, a relation, a variable."""
    return any(
        unit.maths
        or unit.glyph is None
        or unit.glyph.char in "=+"
        or (italics and unit.glyph.family.encoding == "ITALIC")
        or (unit.glyph.char in bold and unit.glyph.family.style == "mathbf")
        for unit in line.units
    ) or any(_is_thin(line, at) for at in range(1, len(line.units) - 1))


def _is_thin(line: TextLine, at: int) -> bool:
    """Whether a comma with a thin space behind it stands between two numbers."""
    before, comma, after = line.units[at - 1 : at + 2]
    if comma.glyph is None or comma.glyph.char != "," or before.glyph is None or after.glyph is None:
        return False
    thin = _THIN[0] < (after.x0 - comma.x1) / line.size < _THIN[1]
    return thin and before.glyph.char.isdigit() and after.glyph.char.isdigit()
