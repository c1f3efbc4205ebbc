"""Whether a formula within a line was cut at its ends: what would be missing there, or belongs to something else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from operators.pdf.formulas.gaps import Gaps, gap_before
from operators.pdf.formulas.glyphs import Box, Formula, Glyph, Rule
from operators.pdf.formulas.signs import lone_signs
from operators.pdf.formulas.tokens import Token

#: Gaps in ems: letters of one word touch; TeX's spaces within formulas are at most 0.28, unless a line is loose.
_TOUCHING = 0.06
_RELATION = 0.3
_NAME = 0.2
#: A thin space is at most this share of the one between two words: 0.17 of 0.25 ems in narrow fonts.
_THIN = 0.8
#: Lines of text are at least an em apart; what stands closer, one over the other, is of one line.
_OVER = 0.8
_NEAR = 0.15
_INSIDE = 0.08
#: Parts of one display are at most so far apart, share so much of their height, and differ by more than rounding.
_ASIDE = 0.5
_COMMON = 0.3
_LEVEL = 0.1
#: No space around a relation is wider, in ems, unless a line is very loose.
_RELATED = 1.0
#: How far, in ems, the bar over a letter or a large sign is from its ink: TeX leaves 0.12 over a letter's box.
_BAR = 0.45
_PIECES = "it is one of several pieces of a formula"
#: Signs that may stand before what they belong to.
_UNARY = {"+", "-", "\u2212", "±", "∓", "~", "∼", "≈", ":"}


def cut(tokens: Sequence[Token], first: int, last: int, gaps: Gaps, *, opened: bool, goes_on: bool) -> str:
    """Why a formula may not be all that is there, empty if nothing says so.

    ``gaps`` are the spaces of its line; ``opened`` and ``goes_on`` say that its beginning stands on the line before,
    its end on the next one.
    """
    if first == last and is_sign(tokens[first]):
        return ""
    if is_sign(tokens[last]) and not goes_on and not _are_dots(tokens[first : last + 1]):
        return "it ends in a relation"
    before = tokens[first - 1] if first else None
    gap = gap_before(tokens, first, gaps.size) if before else 1.0
    if is_sign(tokens[first]) and tokens[first].text not in _UNARY and not opened and gap < _RELATION:
        return "it begins with a relation"
    if before and before.kind in ("word", "name") and gap < (_NAME if before.kind == "name" else _TOUCHING):
        return "letters touch its beginning"
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    gap = gap_before(tokens, last + 1, gaps.size) if after else 1.0
    if after and after.kind == "name" and gap < _NAME:
        return "the name of a function touches its end"
    if after and after.kind == "word" and tokens[last].text[-1:].isdigit() and _TOUCHING < gap < _THIN * gaps.word:
        return "a thin space is between its number and a word"
    if not opened and not goes_on and not _is_paired(tokens[first : last + 1]):
        return "its brackets are not paired"
    return ""


def doubt_neighbours(formulas: Sequence[Formula], glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> None:
    """Doubt formulas that letters of others stand in, over or beside, and those by a sign or rule that is in none.

    What TeX sets as one formula has its own letters in its rectangle and no others: these were pieces of one.
    """
    used = {index for formula in formulas for index in formula.glyphs}
    by_top = sorted(glyphs, key=lambda glyph: glyph.ink[1])
    tops = [glyph.ink[1] for glyph in by_top]
    drawn = {at for formula in formulas for at in formula.rules}
    left = sorted((rule for rule in rules if rule.at not in drawn), key=lambda rule: rule.y)
    heights = [rule.y for rule in left]
    ordered = sorted(formulas, key=lambda formula: formula.box[1])
    joints: dict[int, list[Formula]] = {}
    for at, formula in enumerate(ordered):
        own, size = set(formula.glyphs), formula.size
        high, low = formula.box[1] - 2 * size, formula.box[3] + _NEAR * size
        for glyph in by_top[bisect_left(tops, high) : bisect_right(tops, low)]:
            if not own.isdisjoint(glyph.ids):
                continue
            if _holds(formula.box, glyph):
                _doubt(formula, "a letter in it is no part of it")
            elif used.isdisjoint(glyph.ids) and _is_of_formula(glyph) and _is_beside(formula, glyph):
                _doubt(formula, "a sign beside it is in no formula")
            elif used.isdisjoint(glyph.ids) and _adjoins(formula, glyph):
                joints.setdefault(glyph.ids[0], []).append(formula)
        near = left[bisect_left(heights, formula.box[1] - _BAR * size) : bisect_right(heights, formula.box[3])]
        if any(formula.box[0] - 2 < rule.x0 and rule.x1 < formula.box[2] + 2 for rule in near):
            _doubt(formula, "a rule over it is in no formula")
        for other in ordered[at + 1 :]:
            if other.box[1] > low:
                break
            if _is_over(formula, other) or _is_aside(formula, other):
                _doubt(formula, _PIECES)
                _doubt(other, _PIECES)
    for formula in (formula for sides in joints.values() if len(sides) > 1 for formula in sides):
        _doubt(formula, "a sign between it and another one is in neither")


def _holds(box: Box, glyph: Glyph) -> bool:
    """Whether the middle of a letter's ink stands in a rectangle, not at its edge."""
    x, y = (glyph.ink[0] + glyph.ink[2]) / 2, (glyph.ink[1] + glyph.ink[3]) / 2
    edge = _INSIDE * glyph.size
    return box[0] + edge < x < box[2] - edge and box[1] + edge < y < box[3] - edge


def _is_beside(formula: Formula, glyph: Glyph) -> bool:
    x0, y0, x1, y1 = formula.box
    ink, near = glyph.ink, _NEAR * formula.size
    return ink[0] < x1 and x0 < ink[2] and y0 - near < ink[3] and ink[1] < y1 + near


def _adjoins(formula: Formula, glyph: Glyph) -> bool:
    """Whether a relation or an operator stands right before or behind a formula, on its line."""
    if glyph.kind not in ("rel", "bin") or not glyph.maths or abs(glyph.base - formula.base) > _LEVEL * formula.size:
        return False
    return max(glyph.x0 - formula.box[2], formula.box[0] - glyph.x1) < _RELATED * formula.size


def _is_over(formula: Formula, other: Formula) -> bool:
    across = other.box[0] < formula.box[2] - 1 and formula.box[0] < other.box[2] - 1
    return across and abs(other.base - formula.base) < _OVER * formula.size


def _is_aside(formula: Formula, other: Formula) -> bool:
    """Whether two formulas that stand side by side have different baselines, as parts of one have."""
    size = max(formula.size, other.size)
    gap = max(formula.box[0], other.box[0]) - min(formula.box[2], other.box[2])
    common = min(formula.box[3], other.box[3]) - max(formula.box[1], other.box[1])
    high = min(formula.box[3] - formula.box[1], other.box[3] - other.box[1])
    return gap < _ASIDE * size and common > _COMMON * high and abs(other.base - formula.base) > _LEVEL * size


def _is_of_formula(glyph: Glyph) -> bool:
    return glyph.maths and glyph.sign is not None and glyph.sign.latex not in lone_signs()


def _doubt(formula: Formula, reason: str) -> None:
    if not formula.reason:
        formula.latex, formula.reason, formula.goes_on = "", reason, False


def is_sign(token: Token) -> bool:
    """Whether a token is a relation or an operator, which stand between two parts."""
    return len(token.ink) == 1 and (token.kind in ("relation", "operator") or token.sign in ("rel", "bin"))


def _are_dots(tokens: Sequence[Token]) -> bool:
    """Whether the last tokens are centred dots, whose sign alone is an operator."""
    return len(tokens) > 2 and len({token.text for token in tokens[-3:]}) == 1


def _is_paired(tokens: Sequence[Token]) -> bool:
    """Whether brackets open and close; those of intervals may be of two kinds, or be turned outwards."""
    sides = [token.text for token in tokens if token.kind in ("open", "close") or token.sign in ("open", "close")]
    sides = [side for side in sides if side and side in "()[]{}⌊⌋⌈⌉"]
    if any(side in "[]" for side in sides):
        return len(sides) % 2 == 0
    opened = sum(side in "({⌊⌈" for side in sides)
    return 2 * opened == len(sides)
