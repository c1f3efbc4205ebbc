"""How a page sets its text: its space, its pitch, its variables, and the lines that are displays, formulas alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from operators.pdf.formulas.gaps import gap_before
from operators.pdf.formulas.glyphs import Glyph, Rule
from operators.pdf.formulas.layout import NO_PITCH, Pitch
from operators.pdf.formulas.page_lines import TextLine, Unit
from operators.pdf.formulas.signs import Family, lone_signs, short_words
from operators.pdf.formulas.tokens import Token

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


#: The least gap, in ems, between a display and its number: amsmath leaves one em, less what its signs overhang.
#: A number alone may be closer in a narrow column.
_NUMBER, _CLOSE = 0.85, 0.5
#: Cells that are centred reach so far into the gap between two columns, against its width.
_CENTRED = 0.3
#: The least gap, in ems, between two columns of a table; how far from its rows, in ems, its rules are.
_COLUMN, _TABLE = 0.95, 30.0
#: The lines of a paragraph are at most so far apart, in ems.
_PITCH = 1.4
#: The least gap, in ems, behind an item's number without a mark.
_BEHIND_NUMBER = 0.3
#: The rows of a display are at most so far apart, in ems.
ROWS = 6.0
#: Marks of the text's font in a display, and the least space, in ems, behind one that parts two formulas of it.
_MARKS, _PARTED = (",", ".", ";"), 1.5


class Displays:
    """The displays among a page's lines; ``rules`` are its level ones, downwards, ``prose`` its lines of words."""

    def __init__(
        self, glyphs: Sequence[Glyph], rules: Sequence[Rule], lines: Sequence[TextLine], prose: Sequence[TextLine]
    ) -> None:
        self.glyphs, self.rules, self.lines, self.prose = glyphs, rules, lines, prose
        self._heights = [rule.y for rule in rules]

    def find(self, at: int, tokens: Sequence[Token], found: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """The tokens of a display, if the line is one: words in it are a remark, its number at the edge is none."""
        line = self.lines[at]
        ticked = found[0][0] == 1 and sign_of_token(self.glyphs, tokens[0]) in lone_signs()
        first, last = int(ticked), len(tokens) - 1
        for low in range(last, 0, -1):
            gap = (tokens[low].x0 - tokens[low - 1].x1) / line.size
            kinds = {token.kind for token in tokens[low : last + 1]}
            if tokens[low].text == "(" and gap > (_NUMBER if kinds - {"open", "close", "number"} else _CLOSE):
                named = not any(token.sign in ("rel", "bin", "punct") for token in tokens[low : last + 1])
                if named and not kinds - {"open", "close", "number", "other", "letter", "maths"} and last - low < 6:
                    last = low - 1
                break
        if tokens[0].kind == "open" and last > 3:
            close = next((k for k in range(1, min(6, last)) if tokens[k].kind == "close"), None)
            if close and (tokens[close + 1].x0 - tokens[close].x1) / line.size > 1.2:
                first = close + 1
        if any(self._is_column(line, tokens[first : last + 1], at - first) for at in range(first + 1, last + 1)):
            return None
        if last - first < 2 and not _is_high(line) and not self._has_relation(tokens[first : last + 1]):
            return None
        words = [token for token in tokens[first : last + 1] if token.kind in ("word", "other")]
        if any(
            tokens[at].text in _MARKS and gap_before(tokens, at + 1, line.size) > _PARTED for at in range(first, last)
        ):
            words = [token for token in words if token.text not in _MARKS]  # two formulas with a comma between
        held = {at for low, high in found for at in range(low, high + 1)}
        plain = ("relation", "operator", "number", "open", "close", "mark")
        covered = sum(at in held or (not words and tokens[at].kind in plain) for at in range(first, last + 1))
        if covered < 0.6 * (last - first + 1) or sum(len(token.text) for token in words) > 30:
            return None
        if any(token.text[:1] >= "\u2e80" for token in words) or is_labelled(tokens[first : last + 1], line.size):
            return None
        if self._is_numbered(tokens, line.size):
            return None
        left = tokens[first].x0
        beside = self._margins(line, bool(words))
        if beside is None:
            return None
        if words and (self._is_tight(line) or _begins_sentence(tokens[first])):
            return None
        if words:
            before, after = left - beside[0], beside[1] - tokens[last].x1
            if before < 2 * line.size or abs(before - after) > 3 * line.size:
                return None
        if left < beside[0] + 1.2 * line.size and not (words == [] and _is_high(line)):
            return None
        return first, last

    def _is_numbered(self, tokens: Sequence[Token], size: float) -> bool:
        """Whether a line begins with a heavy number and a space behind it, and goes on in other letters."""
        heavy = [self.glyphs[token.first].family.style == "mathbf" for token in tokens]
        end = heavy.index(False) if False in heavy else 0
        number = "".join(glyph.char for token in tokens[:end] for glyph in self.glyphs[token.first : token.last + 1])
        return number.isdecimal() and (tokens[end].x0 - tokens[end - 1].x1) / size > _BEHIND_NUMBER

    def _is_column(self, line: TextLine, tokens: Sequence[Token], at: int) -> bool:
        """Whether a gap parts two columns of a table: rules cross it or nothing is said, a line beside has the same."""
        gap = gap_before(tokens, at, line.size)
        signs = {tokens[at - 1].sign, tokens[at].sign, tokens[at - 1].kind, tokens[at].kind}
        if gap < _COLUMN or signs & {"rel", "punct", "other", "relation"}:
            return False
        left, right = tokens[at - 1].x1, tokens[at].x0
        low = bisect_left(self._heights, line.level - _TABLE * line.size)
        high = bisect_right(self._heights, line.level + _TABLE * line.size)
        ruled = any(rule.x0 < left - line.size and right + line.size < rule.x1 for rule in self.rules[low:high])
        near = [one for one in self.lines if one is not line and abs(one.level - line.level) < ROWS * line.size]
        if ruled or gap > _PARTED:
            shared = sum(_has_gap(one, left, right, _CENTRED * (right - left)) for one in near)
            if shared > (0 if ruled else 1):
                return True
        if signs & {"bin", "operator"} or self._has_relation(tokens):
            return False
        return any(_has_gap(one, left, right, 0.2 * line.size) for one in near)

    def _has_relation(self, tokens: Sequence[Token]) -> bool:
        own = self.glyphs[tokens[0].first : tokens[-1].last + 1]
        return any(glyph.kind in ("rel", "op") for glyph in own)

    def _is_tight(self, line: TextLine) -> bool:
        """Whether a line of words right above a line is as near as that of the same paragraph."""
        left, right = line.units[0].x0, line.right
        near = [one for one in self.lines if 0 < line.level - one.level < _PITCH * line.size]
        return any(one.units[0].x0 < right and one.right > left and count_letters(one) > 3 for one in near)

    def _margins(self, line: TextLine, words: bool) -> tuple[float, float] | None:
        """The edges of the line of words that is nearest above or below this one, over or under it.

        Where there is none, any will do for a line without ``words``.
        """
        low, high = min(unit.x0 for unit in line.units), line.right
        near = [
            one
            for one in self.prose
            if one is not line
            and one.units[0].x0 < high
            and one.right > low
            and abs(one.level - line.level) < 12 * line.size
        ]
        if any(abs(one.level - line.level) < 0.5 * line.size for one in near):
            return None
        if not near:
            alone = all(one is line or abs(one.level - line.level) > 0.5 * line.size for one in self.lines)
            return (low - 3 * line.size, high + 3 * line.size) if alone and not words else None
        flush = any(abs(min(unit.x0 for unit in one.units) - low) < 0.3 * line.size for one in near)
        if flush and (words or not _is_high(line)):
            return None
        if any(abs(one.level - line.level) < 0.1 * line.size and 0 < low - one.right < line.size for one in self.prose):
            return None  # it goes on with a line of words
        near.sort(key=lambda one: abs(one.level - line.level))
        return min(unit.x0 for unit in near[0].units), max(one.right for one in near[:4])


def _has_gap(line: TextLine, left: float, right: float, edge: float) -> bool:
    """Whether a line has nothing between two places, but for their edges, and something on both their sides."""
    within = any(unit.x0 < right - edge and left + edge < unit.x1 for unit in line.units)
    return line.units[0].x0 < left and right < line.right and not within


def is_labelled(tokens: Sequence[Token], size: float) -> bool:
    """Whether a line begins with a label: a number or a letter with a mark, and a space behind it."""
    if len(tokens) > 2 and tokens[0].kind in ("number", "letter", "open"):
        for at in range(1, min(4, len(tokens) - 1)):
            if tokens[at].text in (".", ")", "、", ":") and tokens[at].kind in ("other", "close"):
                return (tokens[at + 1].x0 - tokens[at].x1) / size > 0.15
    return False


def _begins_sentence(token: Token) -> bool:
    return token.kind == "word" and not token.italic and token.text[1:].islower() and token.text[0].isupper()


def _is_high(line: TextLine) -> bool:
    """Whether a line is as high as displays are: quotients and sums in full size."""
    top, bottom = min(unit.ink[1] for unit in line.units), max(unit.ink[3] for unit in line.units)
    return bottom - top > 2.0 * line.size


def sign_of_token(glyphs: Sequence[Glyph], token: Token) -> str:
    """The command of a token that is one sign; else nothing."""
    sign = glyphs[token.first].sign
    return sign.latex if token.first == token.last and sign is not None else ""
