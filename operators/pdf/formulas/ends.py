"""Whether a formula within a line was cut at its ends: what would be missing there, or belongs to something else."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.gaps import Gaps, gap_before
from operators.pdf.formulas.tokens import Token

#: Gaps in ems: letters of one word touch; TeX's spaces within formulas are at most 0.28, unless a line is loose.
_TOUCHING = 0.06
_RELATION = 0.3
_NAME = 0.2
#: A thin space is at most this share of the one between two words: 0.17 of 0.25 ems in narrow fonts.
_THIN = 0.8
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
    hyphened = first > 1 and tokens[first - 2].text == "-" and tokens[first].text == "("
    near = _NAME if before and before.kind == "name" else _TOUCHING
    if before and before.kind in ("word", "name") and gap < near and not hyphened:
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
