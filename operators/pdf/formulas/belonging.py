"""Which words, numbers and signs of the text's font go with a formula beside them."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.gaps import (
    APART,
    THIN,
    THIN_SPACE,
    TIGHT,
    Gaps,
    clear_gap,
    gap_before,
    is_even,
    is_high,
    is_inner,
    is_operand,
    is_unit,
    is_upright_part,
    thin_space,
)
from operators.pdf.formulas.glyphs import GREEK
from operators.pdf.formulas.signs import names, short_words
from operators.pdf.formulas.tokens import Token

#: Words of formulas have at most so many letters; the least space, in ems, that a loose line may add to a thin one.
LONGEST_WORD, _THINNEST = 8, 0.05
#: The most space, in ems, that browsers leave on the sides of a function's name: that of a relation.
_APPLIED = 0.36
#: Words of one letter, in the languages that have them.
_WORDS = frozenset("aAIOyeo")
#: The space around "mod" and the widest behind it in brackets, in ems: TeX sets 0.28 and 0.33.
_MOD, _MODULUS, _BEHIND_MOD = 0.3, 0.4, 0.333
#: Spaces that differ by less, in ems, are the same.
SAME = 0.018
#: The least thin space, in ems, and how many digits stand behind one in a number.
THIN_LEAST, _THOUSANDS = 0.09, 3
#: The space, in ems, that a quotient has on its sides, and that scripts have behind them.
_QUOTIENT, _SCRIPT = 0.12, 0.05
#: The most space, in ems, before the colon of a map (0.11 and that of scripts), and how much more stands behind that of
#: a relation.
MAP, EVEN = 0.164, 0.1
#: Spaces from this share of the usual one between two words on are no thin ones.
WORDLIKE = 0.85


def belongs(tokens: Sequence[Token], at: int, beside: int, size: float, gaps: Gaps) -> bool:
    """Whether a token goes with the formula beside it."""
    token, other = tokens[at], tokens[beside]
    gap = gap_before(tokens, max(at, beside), size)
    if token.kind == "open" and at + 1 < len(tokens) and tokens[at + 1].text == "mod":
        return gap < 1.2
    if other.sign == "not" and beside < at:
        return token.kind == "relation"
    if token.text == "mod" and _is_modulo(tokens, at, gaps):
        return True
    if gap < -0.6 or gap > gaps.wide:
        return False
    signed = other.kind in ("relation", "operator") or other.sign in ("rel", "bin") or other.text == ":"
    signed = signed and not (beside > at and _is_leading(tokens, beside, size))
    if other.sign == "fence" or other.text == "|":
        signed = gap > 0.15 and is_even(tokens, beside, size)
    if token.kind == "letter" and other.kind == "dots":
        return gap < THIN
    counts = other.kind in ("word", "maths", "letter") or len(other.ink) > 1
    if token.kind == "number" and beside > at and counts and TIGHT < gap < gaps.thin:
        return True  # its unit, what it counts
    if token.kind in ("word", "letter") and other.text == "/" and other.kind == "maths" and beside < at and gap < TIGHT:
        return True  # texts have a slash of their own
    if token.kind == "word" and other.text == "/" and 1 < beside < at and gap < TIGHT:
        return tokens[beside - 1].kind in ("word", "letter") and len(token.text) < 4  # kJ/mol
    if token.kind == other.kind == "number" and THIN_LEAST < gap < gaps.comma:
        return len(tokens[max(at, beside)].text) == _THOUSANDS  # a thin space within a number
    if token.kind == "number" and other.text == "(" and beside > at and gap < 0.6 * (gaps.word or gaps.usual):
        return True
    if token.kind in ("number", "open", "close"):
        return _is_of_number(tokens, at, beside, gaps, signed)
    if token.kind in ("relation", "operator"):
        return True
    if token.sign and "\u2190" <= token.text <= "\u22ff":
        return gap < THIN or signed  # texts do not have it
    if token.text in (",", ";", "…") and beside < at and _is_of_variables(tokens, at):
        return gap < THIN
    if token.kind == "mark":
        return gap < TIGHT or (token.text == "!" and signed)
    if token.kind in ("name", "word", "letter"):
        return _is_of_word(tokens, at, beside, gaps, signed)
    if token.text == ":" and 0 < at < len(tokens) - 1:
        spaces = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
        of_formula = spaces[0] < MAP or spaces[1] - spaces[0] < EVEN
        return of_formula and min(spaces) > 0.15 and spaces[1] < gaps.wide and not is_typed(tokens, at, gaps)
    if token.text == "%" and beside < at:
        return gap < max(TIGHT, min(THIN_SPACE + SAME, 0.8 * (gaps.word or gaps.usual)))
    return token.text == "#" and beside > at and gap < TIGHT


def _is_of_number(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps, signed: bool) -> bool:
    """Whether a number or a bracket goes with the formula beside it; ``signed`` if a relation or an operator is."""
    other, gap = tokens[beside], gap_before(tokens, max(at, beside), gaps.size)
    widest = _modulus(gaps) if other.text == "mod" else gaps.thin
    if (other.kind == "name" or other.text in names()) and gap < widest:
        return True
    argued = other.kind == "word" and other.sign == "letter" and abs(gap - THIN_SPACE) < SAME
    return gap < TIGHT or signed or (beside < at and (argued or (other.sign == "punct" and gap < THIN)))


def _is_of_word(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps, signed: bool) -> bool:
    """Whether a name, a word or a letter goes with the formula beside it."""
    token, other, size = tokens[at], tokens[beside], gaps.size
    gap = gap_before(tokens, max(at, beside), size)
    if token.kind == "name" and other.web and _is_applied(tokens, at, size):
        return True
    if _has_own_space(token, other, clear_gap(tokens, max(at, beside), size), gaps):
        return True
    if token.kind == "name" and beside < at and _is_of_text(tokens, at):
        return signed or gap < gaps.name
    if token.kind == "name":
        return signed or gap < max(gaps.name, _MOD if token.text == "mod" else thin_space(tokens, max(at, beside)))
    if is_product(token):
        if other.sign == "op" and beside < at and gap < APART:
            return True  # what is integrated
        differential = len(token.text) == 2 and token.text[0] == "d" and beside < at
        return signed or gap < (APART if differential else gaps.product)
    if token.kind == "word":
        return is_upright_part(tokens, at, beside, gaps)
    measured = token.text not in _WORDS or (token.text in "aAI" and gap < WORDLIKE * THIN)
    if beside < at and measured and is_unit(token, other, gap, gaps):
        return True
    if _is_word_between(tokens, at, size):
        return False
    if signed and (token.italic or is_operand(tokens, at, beside, gaps)):
        return True
    return (gap < gaps.thin or signed) and not _has_letters_beside(tokens, at, beside, size)


def _has_own_space(word: Token, other: Token, gap: float, gaps: Gaps) -> bool:
    """Whether a word stands as close to a formula as words never do: at a sign, or a thin space off."""
    if len(word.text) > LONGEST_WORD or not is_inner(word, gap, gaps) or other.leans[other.x0 < word.x0]:
        return False
    related = other.kind == "relation" or other.sign == "rel"
    added = (other.kind == "operator" or other.sign == "bin") and gap > TIGHT  # a backslash has no space
    named = other.kind in ("maths", "name", "number") and not word.italic
    return (named and abs(gap - THIN_SPACE) < SAME) or added or (related and other.text != ":")


def _is_applied(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether the name of a function stands between two parts of a formula, as browsers space it."""
    if not 0 < at < len(tokens) - 1 or tokens[at].text in short_words():
        return False
    sides = tokens[at - 1].kind in ("maths", "number", "close", "relation") and tokens[at + 1].kind in ("maths", "open")
    return sides and max(gap_before(tokens, at, size), gap_before(tokens, at + 1, size)) < _APPLIED


def _modulus(gaps: Gaps) -> float:
    return max(_MODULUS, gaps.word + _THINNEST)


def _is_modulo(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether "mod" stands between two parts of a formula, or behind one at the end of its line."""
    if not at or tokens[at - 1].kind not in ("maths", "number", "close"):
        return False
    after = tokens[at + 1].kind if at + 1 < len(tokens) else "maths"
    near = all(gap_before(tokens, k, gaps.size) < _modulus(gaps) for k in (at, at + 1) if k < len(tokens))
    near = near or is_apart(tokens, at, gaps.size)
    return near and after in ("maths", "number", "open", "letter")


def is_apart(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether "mod" has the spaces of one without brackets, the one before it twice or thrice the one behind it."""
    if at + 1 == len(tokens):
        return False
    before, after = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
    return abs(after - _BEHIND_MOD) < SAME and min(abs(before - 2 * after), abs(before - 3 * after)) < SAME


def _is_word_between(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether an upright letter is a word between two formulas: more than a thin space and no sign on both sides."""
    if tokens[at].italic or not 0 < at < len(tokens) - 1:
        return False
    sides = tokens[at - 1], tokens[at + 1]
    spaces = [gap_before(tokens, at, size), gap_before(tokens, at + 1, size)]
    if max(spaces) > THIN_SPACE + SAME:  # what leans towards it is further away
        spaces = [gap for gap, leans in zip(spaces, (sides[0].leans[1], sides[1].leans[0]), strict=True) if not leans]
    return min(spaces, default=0.0) > THIN_SPACE + SAME and all(
        side.kind in ("maths", "number", "close", "open", "name") and side.sign not in ("rel", "bin", "op", "fence")
        for side in sides
    )


def is_operator(token: Token) -> bool:
    """Whether a token is an operator, which has something on both sides."""
    return token.kind == "operator" or token.sign == "bin"


def _is_leading(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether an operator belongs to what follows it alone, as the sign of a number does: it stands right before it."""
    if tokens[at].sign != "bin" or not 0 < at < len(tokens) - 1:
        return False
    after = gap_before(tokens, at + 1, size)
    close = TIGHT + (_QUOTIENT if is_high(tokens[at + 1]) or tokens[at + 1].kind == "name" else 0.0)
    return after < close and gap_before(tokens, at, size) - after > THIN_SPACE - SAME


def _is_of_text(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name of a function is rather a word of the text: another word follows it."""
    words = at + 1 < len(tokens) and tokens[at + 1].kind == "word"
    return words and tokens[at].text in short_words()


def is_typed(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether the spaces around a colon are those of words, or it stands right behind a formula and ends its clause."""
    before, after = gap_before(tokens, at, gaps.size), gap_before(tokens, at + 1, gaps.size)
    word = gaps.word or gaps.usual
    if word and max(abs(before - word), abs(after - word)) < SAME:
        return True
    null = _QUOTIENT if is_high(tokens[at - 1]) else TIGHT / 2 + (_SCRIPT if len(tokens[at - 1].ink) > 1 else 0.0)
    return before < null and after > gaps.comma and tokens[at + 1].sign != "rel"


def is_product(token: Token) -> bool:
    """Whether an italic word can be variables side by side."""
    return token.kind == "word" and token.italic and len(token.text) <= 3 and token.text.isascii()


def _has_letters_beside(tokens: Sequence[Token], at: int, beside: int, size: float) -> bool:
    """Whether an upright letter is a word of the sentence rather than part of the formula."""
    far = at + 1 if beside < at else at - 1
    gap = abs(gap_before(tokens, max(at, beside), size))
    if (gap > TIGHT and tokens[at].text in _WORDS) or not (
        tokens[at].text.isascii() or tokens[at].text in GREEK or tokens[at].sign == "accent"
    ):
        return True
    return 0 <= far < len(tokens) and tokens[far].kind == "word" and abs(gap_before(tokens, max(at, far), size)) < 0.2


def _is_of_variables(tokens: Sequence[Token], at: int) -> bool:
    """Whether a mark is in the italics that office programs have for variables, and the words of its line are not."""
    return tokens[at].italic and not any(one.italic and one.kind == "word" and len(one.text) > 2 for one in tokens)
