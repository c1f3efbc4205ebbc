"""The formulas of a page: where they stand, and each as LaTeX or with the reason why its picture is kept."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from dataflow_ext.boxes import union
from operators.pdf.formulas.belonging import is_operator
from operators.pdf.formulas.drawn import check_strokes, with_drawn
from operators.pdf.formulas.fences import fence_spans
from operators.pdf.formulas.gaps import Gaps, are_signs, cut, gap_before, is_paired, is_sign
from operators.pdf.formulas.glyphs import (
    Box,
    Doubt,
    Formula,
    Glyph,
    Rule,
    Stroke,
    in_known_fonts,
    in_letters_size,
    in_text_style,
    know_greek,
)
from operators.pdf.formulas.layout import NO_PITCH, Layout, Pitch
from operators.pdf.formulas.lines import TextLine, Unit, text_lines, units_of
from operators.pdf.formulas.neighbours import settled
from operators.pdf.formulas.painted import in_reading_order
from operators.pdf.formulas.pieces import filled, join_pieces
from operators.pdf.formulas.segments import is_room, segments
from operators.pdf.formulas.signs import Family, lone_signs, short_words
from operators.pdf.formulas.spans import Span, brace_spans, nested, rule_spans, within
from operators.pdf.formulas.tokens import Token, tokens_of
from operators.pdf.formulas.tree import latex

#: A formula of more letters than this is a figure or a table.
_MOST = 1_500
#: A gap, in ems, where an answer is to be written.
_ROOM = 0.9
#: The least gap, in ems, between a display and its number: amsmath leaves one em, less what its signs overhang.
#: A number alone may be closer in a narrow column.
_NUMBER, _CLOSE = 0.85, 0.5
#: Cells that are centred reach so far into the gap between two columns, against its width.
_CENTRED = 0.3
#: The least gap, in ems, between two columns of a table; how far from its rows, in ems, its rules are.
_COLUMN, _TABLE = 0.95, 30.0
#: The lines of a paragraph are at most so far apart, in ems.
_PITCH = 1.4
#: So many lines show the space between the words of a page, which is not wider, in ems.
_LOOKED_AT, _WIDEST = 60, 0.5
#: The sizes of text of TeX's classes and the distances of their lines, in its own points, of which these are so many of
#: PDF's; how near the double of an office program's size is to a whole number.
_CLASSES, _BIG_POINT, _WHOLE = {10.0: 12.0, 10.95: 13.6, 12.0: 14.5}, 72 / 72.27, 0.04
#: The least gap, in ems, behind an item's number without a mark.
_BEHIND_NUMBER = 0.3
#: The rows of a display are at most so far apart, in ems.
_ROWS = 6.0
#: Marks of the text's font in a display, and the least space, in ems, behind one that parts two formulas of it.
_MARKS, _PARTED = (",", ".", ";"), 1.5
#: With these a line may end within brackets.
_WITHIN = (":", ",", ";", "|")
#: What italic words are in formulas, and from how many letters on letters of the text's font are one.
_WORDS, _WORD = Family("TEX", "mathit"), 3
#: A relation is no further from what it relates, in ems, but in very loose lines.
_RELATED = 0.6
#: What a thin space is at least and at most, in ems.
_THIN = (0.07, 0.2)
#: An exercise's number and two marks or more that say how hard it is, or a heavy number with a star.
_HARD = re.compile(
    r"(?:\\mathbf\{\d\}|\d)*(?:\\(?:bullet|circ|star|bigstar|blacksquare|square)\s?){2,}"
    r"|(?:\\mathbf\{\d\}\.?)+\^\{?\\(?:star|ast)\}?"
)


def find_formulas(
    glyphs: Sequence[Glyph], rules: Sequence[Rule], walls: Sequence[Box] = (), strokes: Sequence[Stroke] = ()
) -> list[Formula]:
    """The formulas among a page's letters, which come in the order of its content stream, without blanks.

    ``rules`` are the level rules of the page, ``walls`` its upright ones, ``strokes`` its other
    drawings. Every letter and every rule within a formula
    is used exactly once; where that fails, or a sign has no name, the formula has a reason in place of LaTeX.
    """
    know_greek(glyphs)
    glyphs, bars, strokes = with_drawn(in_reading_order(glyphs, rules), strokes)
    rules = [*rules, *bars]
    whole = filled(join_pieces(in_letters_size(in_text_style(in_known_fonts(glyphs)))))
    every, rules = rules, [rule for rule in rules if not _is_of_frame(rule, walls)]
    # The font that a page's variables are set in is that of all of them.
    italics = not any(glyph.maths and _is_plain(glyph) for glyph in whole)
    proven = italics and any(_is_proof(whole, at) for at in range(len(whole)))
    if not italics:
        whole = _with_italic_words(whole)
    of_rules = [*rule_spans(whole, rules, proven), *brace_spans(whole, rules)]
    spans = nested([*of_rules, *fence_spans(whole, of_rules)])
    used = {one.rule.at for span in spans for one in within(span) if one.rule is not None}
    lines = text_lines(units_of(whole, spans), walls, [rule for rule in every if rule.at not in used])
    page = _Page(whole, rules, spans, lines, walls, italics, proven)
    found: list[Formula] = []
    for at in range(len(lines)):
        found += page.formulas(at)
    page.end()
    found = [formula for formula in settled(found, whole, rules) if not is_no_formula(formula.latex)]
    check_strokes(found, strokes)
    return found


def is_no_formula(latex: str) -> bool:
    """Whether signs are none of a formula whatever their font: Cyrillic letters, and marks of how hard an exercise is.

    >>> [is_no_formula(latex) for latex in ("И", "ГДЕ", "x_И", "a", r"\\mathbf{7}\\bullet\\circ\\circ", r"f\\circ g")]
    [True, True, False, False, True, False]
    """
    cyrillic = bool(latex) and all("\u0400" <= letter <= "\u04ff" for letter in latex)
    return cyrillic or _HARD.fullmatch(latex) is not None


def _is_of_frame(rule: Rule, walls: Sequence[Box]) -> bool:
    """Whether upright rules meet a level one at both ends: those of a frame around words, never a fraction's bar."""
    met = [wall for wall in walls if wall[1] - 1 <= rule.y <= wall[3] + 1]
    return all(any(abs(wall[0] - end) < 1.5 for wall in met) for end in (rule.x0, rule.x1))


class _Page:
    def __init__(
        self,
        glyphs: Sequence[Glyph],
        rules: Sequence[Rule],
        spans: Sequence[Span],
        lines: Sequence[TextLine],
        walls: Sequence[Box],
        italics: bool,
        proven: bool,
    ) -> None:
        self.walls = walls
        self.glyphs = glyphs
        self.rules = sorted(rules, key=lambda rule: rule.y)
        self._heights = [rule.y for rule in self.rules]
        self.lines = lines
        self.spans = spans
        self._starts = [span.first for span in spans]
        # Where what a rule is part of begins.
        self._owners = {one.rule.at: one.first for span in spans for one in within(span) if one.rule is not None}
        self.tokens: list[list[Token] | None] = [None] * len(lines)
        # The parts, on lines that follow each other, of a formula that goes on, and their tokens.
        self._open: list[Formula] = []
        self._opened: list[Token] = []
        # The rows of a display with brackets that are not closed, and their tokens.
        self._rows: list[Formula] = []
        self._sides: list[Token] = []
        self.italics, self.proven = italics, proven
        # A bold letter that stands in a formula somewhere is a variable of the page.
        self.bold = {
            one.char
            for at, one in enumerate(glyphs)
            if one.family.style == "mathbf" and not one.maths and _touches_maths(glyphs, at)
        }
        # So are letters without serifs, where one of them has a relation beside it; else they are names of keys.
        self.sans = any(
            one.family.style == "mathsf" and not one.maths and _is_related(glyphs, at) for at, one in enumerate(glyphs)
        )
        self.prose = [line for at, line in enumerate(lines) if self._is_prose(at)]
        self.space = _usual_space(self.prose)
        self.pitch = _usual_pitch(lines, self.prose)

    def _is_prose(self, at: int) -> bool:
        letters = _letters(self.lines[at])
        return letters > 12 and letters > 0.6 * len(self.lines[at].units)

    def read(self, at: int) -> list[Token]:
        """The tokens of a line."""
        found = self.tokens[at]
        if found is None:
            found = self.tokens[at] = tokens_of(self.lines[at], self.italics, self.proven, self.sans)
        return found

    def formulas(self, at: int) -> Iterator[Formula]:
        """The formulas of one line."""
        line = self.lines[at]
        before = self._open[-1] if self._open else None
        whole = before is not None and is_paired(self._opened)
        labelled = before is not None and not self._opens_modulus(at) and self._is_answered(at)
        if before is not None and whole and labelled:
            before.goes_on, before, self._open = False, None, []  # the answer is to be written behind its relation
        if not _is_possible(line, self.proven, self.bold) and before is None:
            return
        tokens = self.read(at)
        sums = any(unit.maths or (unit.glyph and unit.glyph.family.encoding) for unit in line.units)
        signs = [self._sign(token) for token in tokens]
        gaps = Gaps.of(tokens, line.size, self.space)
        found = segments(tokens, signs, gaps, sums, self._opened[-1] if before is not None else None)
        if not (found and found[0][0] == 0):
            self.close()
        if not found:
            return
        shown = self._display(at, tokens, found)
        if shown is not None:
            sides, self._open = self._opened if self._open else [], []
            first, last = shown
            if tokens[last].kind == "close" and not self._rows and is_paired([*sides, *tokens[first:last]]):
                last -= 1  # of the sentence
            formula = self._formula(line, tokens, first, last, display=True)
            if is_sign(tokens[last]) and not self._is_blank(line, tokens, last) and not self._goes_on_below(at):
                formula.latex, formula.reason = "", "it ends in a relation"
            self._pair(formula, [*sides, *tokens[first : last + 1]])
            yield formula
            return
        for number, (first, last) in enumerate(found):
            if last == len(tokens) - 2 and tokens[-1].text == ":" and not is_paired(tokens[first : last + 1]):
                last += 1  # within brackets that the next line closes
            opened = bool(self._open) and number == 0 and first == 0
            if opened and tokens[last].kind == "close" and last and self._closes_more(tokens[: last + 1]):
                last -= 1  # of the sentence
            formula = self._formula(line, tokens, first, last, display=False)
            blank = self._is_blank(line, tokens, last)
            inside = tokens[last].text in _WITHIN and not is_paired(tokens[first : last + 1])
            inside = inside or (tokens[last].sign == "fence" and not is_paired(tokens[first : last + 1]))
            signed = is_sign(tokens[last]) and (first == last or not are_signs(tokens[first : last + 1]))
            inside = inside or self._opens_modulus(at + 1) or (tokens[last].text == "mod" and last > first)
            unfinished = last == len(tokens) - 1 and (signed or inside) and not blank
            why = formula.reason or cut(tokens, first, last, gaps, opened=opened, goes_on=unfinished or blank)
            parts = [*(self._opened if opened else ()), *tokens[first : last + 1]]
            if opened and not (unfinished or blank or is_paired(parts)):
                why = why or "its brackets are not paired"
            formula.latex, formula.reason, formula.goes_on = "" if why else formula.latex, why, unfinished and not why
            if why:
                self.close()  # one half of it says nothing
            self._open = [*(self._open if opened else ()), formula] if formula.goes_on else []
            self._opened = parts
            yield formula

    def _closes_more(self, tokens: Sequence[Token]) -> bool:
        """Whether the last token of a formula that goes on closes a bracket that was opened before it."""
        return not is_paired([*self._opened, *tokens]) and is_paired([*self._opened, *tokens[:-1]])

    def _is_answered(self, at: int) -> bool:
        """Whether a line begins with a label, or with room for an answer, where a formula before it ends in a relation.

        An operator always has something behind it.
        """
        tokens, added = self.read(at), is_operator(self._opened[-1])
        return is_room(tokens, 0) or (not added and _is_labelled(tokens, self.lines[at].size))

    def _opens_modulus(self, at: int) -> bool:
        """Whether a line begins with the modulus of a congruence in brackets, or with "mod" and a variable."""
        units = self.lines[at].units[:4] if at < len(self.lines) else []
        chars = "".join(unit.glyph.char for unit in units if unit.glyph)
        return chars == "(mod" or (chars[:3] == "mod" and len(units) == 4 and units[3].maths)

    def end(self) -> None:
        """Doubt what has no end on the page."""
        self.close()
        self._doubt_rows()

    def _pair(self, formula: Formula, tokens: Sequence[Token]) -> None:
        """Keep the rows of a display whose brackets are not paired until another row closes them, else doubt them."""
        if self._rows and formula.base - self._rows[-1].base > _ROWS * formula.size:
            self._doubt_rows()
        self._rows.append(formula)
        self._sides += tokens
        if is_paired(self._sides):
            self._rows, self._sides = [], []

    def _doubt_rows(self) -> None:
        for row in self._rows:
            row.latex, row.reason = "", row.reason or "its brackets are not paired"
        self._rows, self._sides = [], []

    def _goes_on_below(self, at: int) -> bool:
        """Whether the line below has something of a formula, as the next row of a display has."""
        line, below = self.lines[at], self.lines[at + 1] if at + 1 < len(self.lines) else None
        return below is not None and below.level - line.level > 0.8 * line.size and any(u.maths for u in below.units)

    def _is_blank(self, line: TextLine, tokens: Sequence[Token], last: int) -> bool:
        """Whether room for an answer is behind a token: a rule, a wide gap, or the rest of a line."""
        end = tokens[last].x1
        if is_room(tokens, last + 1):
            return True
        if last < len(tokens) - 1:
            return (tokens[last + 1].x0 - end) / line.size > _ROOM
        # On the axis of formulas there are the bars of quotients.
        low, high = line.level - 0.12 * line.size, line.level + 0.5 * line.size
        own = self.rules[bisect_left(self._heights, low) : bisect_right(self._heights, high)]
        if any(-0.3 * line.size < rule.x0 - end < 1.5 * line.size for rule in own):
            return True
        added = tokens[last].sign == "bin"  # an answer stands behind a relation
        if added or any(_is_aside(one, line, end) for one in self.lines):
            return False
        rights = [one.right for one in self.prose if one.units[0].x0 < end and one is not line]
        return bool(rights) and max(rights) - end > 6 * line.size

    def close(self) -> None:
        """Doubt the parts of a formula that goes on, as its end was not found."""
        for part in self._open:
            part.latex, part.reason, part.goes_on = "", "its end was not found", False
        self._open = []

    def _sign(self, token: Token) -> str:
        sign = self.glyphs[token.first].sign
        return sign.latex if token.first == token.last and sign is not None else ""

    def _display(self, at: int, tokens: list[Token], found: list[tuple[int, int]]) -> tuple[int, int] | None:
        """The tokens of a display, if the line is one: words in it are a remark, its number at the edge is none."""
        line = self.lines[at]
        ticked = found[0][0] == 1 and self._sign(tokens[0]) in lone_signs()
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
        if any(token.text[:1] >= "\u2e80" for token in words) or _is_labelled(tokens[first : last + 1], line.size):
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
        near = [one for one in self.lines if one is not line and abs(one.level - line.level) < _ROWS * line.size]
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
        return any(one.units[0].x0 < right and one.right > left and _letters(one) > 3 for one in near)

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

    def _formula(self, line: TextLine, tokens: Sequence[Token], first: int, last: int, *, display: bool) -> Formula:
        low, high = tokens[first].first, tokens[last].last
        own = self.glyphs[low : high + 1]
        box = union(ink for token in tokens[first : last + 1] for ink in token.ink)
        box = (min(box[0], tokens[first].x0), box[1], max(box[2], tokens[last].x1), box[3])
        ids = [index for glyph in own for index in glyph.ids]
        reason, text = "", ""
        used: list[int] = []
        try:
            text, used = self._latex(low, high, box)
            # The arms of a brace are drawn as rules that may be higher than they are wide.
            upright = [wall for wall in self.walls if wall[3] - wall[1] > 0.3 * line.size]
            if any(box[0] < wall[0] and wall[2] < box[2] and wall[1] < box[3] and box[1] < wall[3] for wall in upright):
                raise Doubt("it holds an upright rule")
            if self._is_framed(box, line.size):
                raise Doubt("it stands in a frame of its own")
        except Doubt as doubt:
            text, reason = "", str(doubt)
        if reason:
            used = [rule.at for rule in self._rules_in(box)]
        return Formula(text, box, line.level, line.size, display, reason, ids, used)

    def _is_framed(self, box: Box, size: float) -> bool:
        """Whether rules stand on both sides as close as those of a box around a formula: TeX sets them 0.3 em off."""
        high = [wall for wall in self.walls if wall[1] < box[1] and box[3] < wall[3]]
        left = any(0.2 * size < box[0] - wall[2] < 0.45 * size for wall in high)
        return left and any(0.2 * size < wall[0] - box[2] < 0.45 * size for wall in high)

    def _latex(self, low: int, high: int, box: Box) -> tuple[str, list[int]]:
        if high - low > _MOST:
            raise Doubt("it has too many parts")
        layout = Layout(self.glyphs, [], [], self.pitch)
        inner = self.spans[bisect_left(self._starts, low) : bisect_right(self._starts, high)]
        if any(span.last > high for span in inner):
            raise Doubt("a part of it reaches beyond it")
        tree = layout.row(low, high, inner)
        ids = sorted(index for glyph in self.glyphs[low : high + 1] for index in glyph.ids)
        if sorted(layout.letters) != ids:
            raise Doubt("not every letter of it was used once")
        if len(set(layout.rules)) != len(layout.rules):
            raise Doubt("a rule of it was used twice")
        for rule in self._rules_in(box):
            beside = not box[1] < rule.y < box[3] and not low <= self._owners.get(rule.at, low) <= high
            if rule.at not in layout.rules and not beside:
                raise Doubt("it holds a rule that is no part of it")
        text = latex(tree)
        if not text.strip():
            raise Doubt("it is empty")
        return text, layout.rules

    def _rules_in(self, box: Box) -> list[Rule]:
        """The rules within a rectangle; those along its upper or lower edge as well."""
        found = self.rules[bisect_left(self._heights, box[1] - 1.5) : bisect_right(self._heights, box[3] + 1)]
        return [rule for rule in found if rule.x0 > box[0] - 2 and rule.x1 < box[2] + 2]


def _usual_space(lines: Sequence[TextLine]) -> float:
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


def _usual_pitch(lines: Sequence[TextLine], prose: Sequence[TextLine]) -> Pitch:
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


def _letters(line: TextLine) -> int:
    """How many letters of words a line has."""
    return sum(unit.glyph is not None and not unit.maths and unit.glyph.char.isalpha() for unit in line.units)


def _is_proof(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a letter says that its page has formulas: a sign that texts do not use, "=" beside an italic letter."""
    glyph = glyphs[at]
    if glyph.char == "=":
        return any(beside.family.encoding == "ITALIC" for beside in glyphs[max(0, at - 1) : at + 2])
    return glyph.maths and glyph.sign is not None and glyph.sign.latex not in lone_signs()


def _touches_maths(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a letter or a relation of formulas is right beside a letter."""
    one = glyphs[at]
    return any(
        beside.maths and beside.kind in ("letter", "rel") and -one.size < beside.x0 - one.x1 < 0.35 * one.size
        for beside in glyphs[at + 1 : at + 2]
    )


def _is_related(glyphs: Sequence[Glyph], at: int) -> bool:
    """Whether a relation stands right before or behind a letter."""
    one = glyphs[at]
    return any(
        beside.kind == "rel"
        and beside.char != ":"
        and max(beside.x0 - one.x1, one.x0 - beside.x1) < _RELATED * one.size
        for beside in glyphs[max(0, at - 1) : at + 2]
    )


def _with_italic_words(glyphs: Sequence[Glyph]) -> list[Glyph]:
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


def _is_plain(glyph: Glyph) -> bool:
    """Whether a letter is one of the plain alphabet."""
    return glyph.sign is not None and len(glyph.sign.latex) == 1 and glyph.kind == "letter"


def _is_possible(line: TextLine, italics: bool, bold: Collection[str]) -> bool:
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


def _has_gap(line: TextLine, left: float, right: float, edge: float) -> bool:
    """Whether a line has nothing between two places, but for their edges, and something on both their sides."""
    within = any(unit.x0 < right - edge and left + edge < unit.x1 for unit in line.units)
    return line.units[0].x0 < left and right < line.right and not within


def _is_aside(one: TextLine, line: TextLine, end: float) -> bool:
    """Whether a line goes on at another height where a line ends, as the rows behind a brace do."""
    return one is not line and abs(one.level - line.level) < 2 * line.size and 0 < one.units[0].x0 - end < 4 * line.size


def _is_labelled(tokens: Sequence[Token], size: float) -> bool:
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
