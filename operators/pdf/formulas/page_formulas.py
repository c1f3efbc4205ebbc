"""The formulas of a page: where they stand, and each as LaTeX or with the reason why its picture is kept."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from dataflow_ext.boxes import union
from operators.pdf.formulas.belonging import is_operator
from operators.pdf.formulas.displays import (
    ROWS,
    Displays,
    count_letters,
    is_labelled,
    is_plain,
    is_proof,
    is_related,
    may_hold_formula,
    sign_of_token,
    touches_maths,
    usual_pitch,
    usual_space,
    with_italic_words,
)
from operators.pdf.formulas.fences import brace_spans, fence_spans
from operators.pdf.formulas.gaps import Gaps, are_signs, cut, is_paired, is_sign
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
from operators.pdf.formulas.layout import Layout
from operators.pdf.formulas.neighbours import settled
from operators.pdf.formulas.page_lines import TextLine, text_lines, units_of
from operators.pdf.formulas.painted import check_strokes, in_reading_order, with_drawn
from operators.pdf.formulas.pieces import filled, join_pieces
from operators.pdf.formulas.segments import is_room, segments
from operators.pdf.formulas.spans import Span, nested, rule_spans, within
from operators.pdf.formulas.tokens import Token, tokens_of
from operators.pdf.formulas.tree import latex

#: A formula of more letters than this is a figure or a table.
_MOST = 1_500
#: A gap, in ems, where an answer is to be written.
_ROOM = 0.9
#: With these a line may end within brackets.
_WITHIN = (":", ",", ";", "|")
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
    italics = not any(glyph.maths and is_plain(glyph) for glyph in whole)
    proven = italics and any(is_proof(whole, at) for at in range(len(whole)))
    if not italics:
        whole = with_italic_words(whole)
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
            if one.family.style == "mathbf" and not one.maths and touches_maths(glyphs, at)
        }
        # So are letters without serifs, where one of them has a relation beside it; else they are names of keys.
        self.sans = any(
            one.family.style == "mathsf" and not one.maths and is_related(glyphs, at) for at, one in enumerate(glyphs)
        )
        self.prose = [line for at, line in enumerate(lines) if self._is_prose(at)]
        self._displays = Displays(glyphs, self.rules, lines, self.prose)
        self.space = usual_space(self.prose)
        self.pitch = usual_pitch(lines, self.prose)

    def _is_prose(self, at: int) -> bool:
        letters = count_letters(self.lines[at])
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
        if not may_hold_formula(line, self.proven, self.bold) and before is None:
            return
        tokens = self.read(at)
        sums = any(unit.maths or (unit.glyph and unit.glyph.family.encoding) for unit in line.units)
        signs = [sign_of_token(self.glyphs, token) for token in tokens]
        gaps = Gaps.of(tokens, line.size, self.space)
        found = segments(tokens, signs, gaps, sums, self._opened[-1] if before is not None else None)
        if not (found and found[0][0] == 0):
            self.close()
        if not found:
            return
        shown = self._displays.find(at, tokens, found)
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
        return is_room(tokens, 0) or (not added and is_labelled(tokens, self.lines[at].size))

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
        if self._rows and formula.base - self._rows[-1].base > ROWS * formula.size:
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


def _is_aside(one: TextLine, line: TextLine, end: float) -> bool:
    """Whether a line goes on at another height where a line ends, as the rows behind a brace do."""
    return one is not line and abs(one.level - line.level) < 2 * line.size and 0 < one.units[0].x0 - end < 4 * line.size
