"""Upright words within formulas: operands, names of functions that nobody listed, units, symbols of elements."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.gaps import THIN, TIGHT, Gaps, gap_before
from operators.pdf.formulas.signs import short_words
from operators.pdf.formulas.tokens import Token

#: Longer words beside a relation are those of a remark.
_LONGEST = 8
#: Spaces, in ems: TeX sets 0.22 around an operator and 0.28 around a relation, a quotient has 0.12 on its sides;
#: those of one line that differ by less than the last are the same.
_LEAST = 0.15
_EVEN = 0.05
_QUOTIENT = 0.17
_SAME = 0.018
#: The least thin space before a unit.
_THIN = 0.09


def is_upright_part(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps) -> bool:
    """Whether an upright word belongs to the formula beside it."""
    token, other = tokens[at], tokens[beside]
    gap = gap_before(tokens, max(at, beside), gaps.size)
    if beside > at and _is_function(token, other, gap):
        hyphened = at > 0 and tokens[at - 1].text == "-" and gap_before(tokens, at, gaps.size) < TIGHT
        return not hyphened
    if beside < at and _is_unit(token, other, gap, gaps):
        return True
    return is_operand(tokens, at, beside, gaps) or _is_element(token, other, gap)


def _is_function(token: Token, bracket: Token, gap: float) -> bool:
    """Whether a word is the name of a function: a bracket stands right behind it."""
    return bracket.text in ("(", "[") and token.text.isascii() and 1 < len(token.text) < 9 and gap < TIGHT


def _is_unit(token: Token, number: Token, gap: float, gaps: Gaps) -> bool:
    """Whether a word is a unit: a thin space parts it from its number."""
    counted = number.text[-1:].isdigit() or number.kind == "close"
    thin = _THIN < gap < (min(THIN, gaps.word - _SAME) if gaps.word else gaps.thin)
    return counted and thin and len(token.text) < 4 and token.text not in short_words()


def is_operand(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps) -> bool:
    """Whether a word is what a relation or an operator beside it stands for: the space between is the sign's own.

    TeX spaces all words of a line alike, and relations and operators otherwise, on both sides alike.
    """
    word, sign = tokens[at], tokens[beside]
    if not (word.text.isascii() and len(word.text) <= _LONGEST and _is_sign(sign)):
        return False
    gap = gap_before(tokens, max(at, beside), gaps.size)
    if not _LEAST < gap < gaps.wide or any(abs(gap - space) < _SAME for space in gaps.words):
        return False
    far = beside if beside < at else beside + 1
    return 0 < far < len(tokens) and -_EVEN < gap_before(tokens, far, gaps.size) - gap < _QUOTIENT


def _is_sign(token: Token) -> bool:
    return len(token.ink) == 1 and (token.kind in ("relation", "operator") or token.sign in ("rel", "bin"))


def _is_element(token: Token, other: Token, gap: float) -> bool:
    """Whether upright letters touch a number or letters with scripts, as in formulas of chemistry."""
    if not -TIGHT < gap < TIGHT or not token.text[0].isupper():
        return False
    counted = other.kind == "number" and other.x0 < token.x0 and len(token.ink) > 1
    return counted or (len(other.ink) > 1 and other.text.isalpha() and not other.italic)
