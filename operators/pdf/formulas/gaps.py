"""The spaces of a line: which words beside a formula belong to it, and whether it was cut at its ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.formulas.signs import short_words
from operators.pdf.formulas.tokens import Token

#: Gaps in ems. TeX's relations have 0.28 around them, or up to twice that in a loose line, its operators
#: 0.22, names of functions 0.17; words have 0.33.
TIGHT = 0.1
THIN = 0.26
_THIN_SPACE = 0.185
#: What TeX sets as a thin space.
THIN_SPACE = 0.167
_COMMA = 0.21
#: Behind a name in a line without words, whose spaces it could be mistaken for.
_NAME = 0.24
_DIFFERENTIAL = 0.29
_WIDE = 0.6
#: Around a relation in a line without words that is stretched to the width of a narrow column.
_LOOSEST = 2.0
#: Two parts of a formula without a sign between them are at most a word's space apart.
APART = 0.45
#: Between a large sign or a name and a quotient, which has a little space of its own.
SPACED = 0.42
#: Space that scripts and quotients bring; what TeX leaves behind a script, in points.
_BEHIND = 0.498
_SCRIPT_SPACE = 0.07
_NULL_SPACE = 0.13
#: Behind the first tokens of a line, its label, and at the end of a sentence the space is wider than those of words.
_LABEL, _ENDS = 3, (".", "?", "!", ":")
#: A space between two words, and one between a word and something else, is at least so wide, in ems.
_LEAST_WORDS, _LEAST_WORD = 0.14, 0.186


@dataclass(slots=True, frozen=True)
class Gaps:
    """The spaces of a line whose letters have this size.

    Up to which gap, in ems, a space is thin, around a relation, before a differential, behind a name, behind a comma;
    ``word`` is the space between its words, 0 if they are too few, ``words`` are all of them, ``usual`` is that of most
    lines of its page. A loose line has
    wider ones: TeX's spaces between words grow by 0.12 to 0.17 when those of relations grow by 0.28.
    """

    size: float
    thin: float = THIN
    wide: float = _WIDE
    product: float = _DIFFERENTIAL
    name: float = _THIN_SPACE
    comma: float = _COMMA
    word: float = 0.0
    words: tuple[float, ...] = ()
    usual: float = 0.0
    #: The least of them, that of the page where it has none.
    least: float = 0.0

    def is_typed(self, gap: float) -> bool:
        """Whether a space is one between two words of the line; where it has none, of the page."""
        return any(abs(gap - space) < _SAME for space in self.words or (self.word or self.usual,))

    @classmethod
    def of(cls, tokens: Sequence[Token], size: float, usual: float = 0.0) -> Gaps:
        """The spaces of a line, from those between its words; ``usual`` is that of its page, 0 if it has none."""
        places = [
            at
            for at in range(1, len(tokens))
            if "word" in (tokens[at - 1].kind, tokens[at].kind)
            and "maths" not in (tokens[at - 1].kind, tokens[at].kind)
            and _least_space(tokens, at) < gap_before(tokens, at, size) < 1.5
            and not _is_of_unit(tokens, at, size, usual)
            and not (at <= _LABEL and tokens[at - 1].text in (".", ")"))
        ]
        within = [at for at in places if tokens[at - 1].text not in _ENDS]
        words = sorted(gap_before(tokens, at, size) for at in within or places)
        if not words and usual and _is_natural(tokens, size):
            words = [usual]
        if not words:
            even = [gap_before(tokens, at, size) for at in range(1, len(tokens)) if is_sign(tokens[at])
                    and is_even(tokens, at, size)]  # fmt: skip
            return cls(
                size,
                thin=_COMMA,
                name=_NAME,
                wide=max([_WIDE, *(gap + _EVEN for gap in even if gap < _LOOSEST)]),
                usual=usual,
                least=usual,
            )
        loose = max(0.0, words[len(words) // 2] - 0.25) / 0.125
        return cls(
            size,
            min(THIN, 0.78 * words[0]),
            max(_WIDE, 0.278 * (1 + loose) + 0.15),
            min(_DIFFERENTIAL, 0.92 * words[0]),
            min(THIN, 0.9 * words[0]),
            min(_COMMA, 0.92 * words[0]),
            words[(len(words) - 1) // 2] if len(words) > 2 else 0.0,
            tuple(
                gap_before(tokens, at, size)
                for at in range(1, len(tokens))
                if tokens[at - 1].kind == tokens[at].kind == "word"
            ),
            usual,
            words[0] if within else usual,
        )


def _is_of_unit(tokens: Sequence[Token], at: int, size: float, usual: float) -> bool:
    """Whether a thin space parts a word from another one, which a thin space parts from its number: 5 N m."""
    if at < 2 or tokens[at - 2].kind != "number":
        return False
    one, two = gap_before(tokens, at - 1, size), gap_before(tokens, at, size)
    return max(abs(one - THIN_SPACE), abs(two - THIN_SPACE)) < _SAME and two < CLOSER * usual


def _least_space(tokens: Sequence[Token], at: int) -> float:
    """The least space that parts two words, or a word and something else, which may have a thin space before it."""
    return _LEAST_WORDS if tokens[at - 1].kind == tokens[at].kind == "word" else _LEAST_WORD


def _is_natural(tokens: Sequence[Token], size: float) -> bool:
    """Whether no space around a relation of a line is stretched, as those between its words are then."""
    return not any(
        is_sign(tokens[at]) and _RELATION < gap_before(tokens, at, size) < 1.0 and not is_high(tokens[at - 1])
        for at in range(1, len(tokens))
    )


def is_high(token: Token) -> bool:
    """Whether a token is a quotient, a root or what stands between tall brackets: these have space of their own."""
    return token.kind == "maths" and not token.text


def gap_before(tokens: Sequence[Token], at: int, size: float) -> float:
    """The space before a token, in ems."""
    return (tokens[at].x0 - tokens[at - 1].x1) / size


def thin_space(tokens: Sequence[Token], at: int) -> float:
    """Up to which gap, in ems, a space before a token is a thin one: scripts and quotients bring some of their own."""
    wide = _THIN_SPACE
    for token, end in ((tokens[at - 1], -1), (tokens[at], 0)):
        if is_high(token):
            wide += _NULL_SPACE
        elif end and len(token.ink) > 1:
            wide += _SCRIPT_SPACE
    return wide


def is_even(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether the spaces on both sides of a sign are the same, as those of a relation are."""
    return 0 < at < len(tokens) - 1 and abs(gap_before(tokens, at, size) - gap_before(tokens, at + 1, size)) < 0.15


#: Longer words beside a relation are those of a remark.
_LONGEST = 8
#: Spaces, in ems: TeX sets 0.22 around an operator, some packages 0.13, and 0.28 around a relation, a quotient has 0.12
#: on its sides; those of one line that differ by less than the last are the same.
_LEAST = 0.11
_EVEN = 0.05
_QUOTIENT = 0.17
_SAME = 0.018
#: How far, in ems, what stands behind a letter that leans is off besides, and what stands beside a quotient.
_LEANING, _BESIDE = 0.05, 0.12
#: The least thin space before a unit.
_THIN = 0.09


def is_upright_part(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps) -> bool:
    """Whether an upright word belongs to the formula beside it."""
    token, other = tokens[at], tokens[beside]
    gap = gap_before(tokens, max(at, beside), gaps.size)
    applied = at > 0 and (is_sign(tokens[at - 1]) or tokens[at - 1].text == "/")
    if beside > at and _is_function(token, other, gap, applied):
        hyphened = at > 0 and tokens[at - 1].text == "-" and gap_before(tokens, at, gaps.size) < TIGHT
        return not hyphened
    if beside < at and is_unit(token, other, gap, gaps):
        return True
    return is_operand(tokens, at, beside, gaps) or _is_element(token, other, gap)


def _is_function(token: Token, bracket: Token, gap: float, applied: bool) -> bool:
    """Whether a word is the name of a function: a bracket stands right behind it.

    One that words of texts have is so only behind a sign, ``applied``.
    """
    return (
        (bracket.text in ("(", "[") or bracket.sign == "fence")
        and not token.code
        and token.text.isascii()
        and 1 < len(token.text) < 9
        and (applied or token.text.lower() not in short_words())
        and gap < TIGHT
    )


def is_unit(token: Token, number: Token, gap: float, gaps: Gaps) -> bool:
    """Whether a word is a unit: a thin space parts it from its number."""
    counted = number.text[-1:].isdigit() or number.kind == "close" or number.sign == "fence" or is_high(number)
    scripts = _SCRIPT_SPACE if len(number.ink) > 1 or is_high(number) else 0.0
    thin = _THIN < gap < (min(THIN, gaps.word - _SAME) if gaps.word else gaps.thin + scripts)
    written = len(token.text) < 4 or (gaps.word > _THIN_SPACE + _SAME and abs(gap - THIN_SPACE) < _SAME)
    joined = number.kind in ("word", "letter") and not number.italic and abs(gap - THIN_SPACE) < _SAME
    joined = joined and gap < (gaps.word or gaps.usual) - 4 * _SAME  # another unit behind it
    if is_high(number) and gaps.is_typed(gap) and abs(gap - THIN_SPACE - _BESIDE) > _SAME:
        return False
    # A power of a unit behind a variable: 12π cm².
    powered = len(token.ink) > 1 and number.kind == "maths" and number.sign == "letter"
    counted = counted or (powered and THIN_SPACE - _SAME < gap < THIN_SPACE + _LEANING and not gaps.is_typed(gap))
    return (counted or joined) and thin and written and token.text[0] < "\u2e80" and token.text not in short_words()


def is_operand(tokens: Sequence[Token], at: int, beside: int, gaps: Gaps) -> bool:
    """Whether a word is what a relation or an operator beside it stands for: the space between is the sign's own.

    TeX spaces all words of a line alike, and relations and operators otherwise, on both sides alike.
    """
    word, sign = tokens[at], tokens[beside]
    if not (word.text.isascii() and len(word.text) <= _LONGEST and is_sign(sign)):
        return False
    gap = clear_gap(tokens, max(at, beside), gaps.size)
    if not _LEAST < gap < gaps.wide or any(abs(gap - space) < _SAME for space in gaps.words):
        return False
    far = beside if beside < at else beside + 1
    if not 0 < far < len(tokens):
        return len(gaps.words) > 1 and far > 0
    wider = clear_gap(tokens, far, gaps.size) - gap
    return -_EVEN < wider < _QUOTIENT and (abs(gap - gaps.usual) > _SAME or abs(wider) < _SAME)


def clear_gap(tokens: Sequence[Token], at: int, size: float) -> float:
    """The space before a token, in ems, without that which scripts have behind them."""
    scripted = len(tokens[at - 1].ink) > 1 and not is_high(tokens[at - 1])
    return gap_before(tokens, at, size) - (_BEHIND / size if scripted else 0.0)


#: Symbols of chemical elements.
_ELEMENTS = re.compile("(?:[A-Z][a-z]?)+")


def _is_element(token: Token, other: Token, gap: float) -> bool:
    """Whether upright letters touch a number or letters with scripts, as in formulas of chemistry."""
    if not -TIGHT < gap < TIGHT or not _ELEMENTS.fullmatch(token.text):
        return False
    counted = other.kind == "number" and other.x0 < token.x0 and len(token.ink) > 1
    return counted or (len(other.ink) > 1 and other.text.isalpha() and not other.italic)


#: Gaps in ems: letters of one word touch; TeX's spaces within formulas are at most 0.28, unless a line is loose.
_TOUCHING = 0.06
#: The space of a relation in a line that is not stretched, and how exactly.
_RELATED, _EXACT = 0.278, 0.006
_RELATION = 0.3
_NAMED = 0.2
#: A thin space is at most this share of the one between two words: 0.17 of 0.25 ems in narrow fonts. What kerns, and
#: bars that reach beyond their letters, leave more than the second share of it between a word and a formula (0.71).
_THINLY, CLOSER, _HALF = 0.8, 0.69, 0.5
#: Signs that may stand before what they belong to.
_UNARY = {"+", "-", "\u2212", "±", "∓", "~", "∼", "≈", ":"}


def cut(tokens: Sequence[Token], first: int, last: int, gaps: Gaps, *, opened: bool, goes_on: bool) -> str:
    """Why a formula may not be all that is there, empty if nothing says so.

    ``gaps`` are the spaces of its line; ``opened`` and ``goes_on`` say that its beginning stands on the line before,
    its end on the next one.
    """
    if first == last and _is_between(tokens, first, gaps):
        return "it begins with a relation"
    if are_signs(tokens[first : last + 1]):
        return ""
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if after and after.text[:1] >= "\u2e80" and after.kind == "word" and tokens[last].kind == "maths":
        goes_on = True  # Chinese words are what a relation stands for: PA ⊥ 平面 ABC
    tight = last > first and gap_before(tokens, last, gaps.size) < TIGHT and not is_sign(tokens[last - 1])
    if is_sign(tokens[last]) and not (goes_on or tight or _are_dots(tokens[first : last + 1])):
        return "it ends in a relation"
    before = tokens[first - 1] if first else None
    gap = gap_before(tokens, first, gaps.size) if before else 1.0
    if is_sign(tokens[first]) and tokens[first].text not in _UNARY and not opened and gap < _RELATION:
        return "it begins with a relation"
    hyphened = first > 1 and tokens[first - 2].text == "-" and tokens[first].text == "("
    near = _NAMED if before and before.kind == "name" else _TOUCHING
    if before and before.kind in ("word", "name") and not before.code and gap < near and not hyphened:
        return "letters touch its beginning"
    if before and before.kind in ("close", "number") and gap < _TOUCHING and not opened:
        return "letters touch its beginning"
    # Brackets of the text's own may be set in a font of formulas.
    closed = "close" in (tokens[first].kind, tokens[first].sign)
    if before and is_inner(before, gap, gaps) and not (hyphened or closed or tokens[first].leans[0]):
        return "a word before it stands closer than words do"
    if tokens[last].text == "/":
        return "it ends in a relation"
    gap = gap_before(tokens, last + 1, gaps.size) if after else 1.0
    if after and after.text == "\ufffd" and gap < THIN_SPACE + _SAME:
        return "a sign without a name touches its end"
    if after and after.kind == "name" and gap < _NAMED:
        return "the name of a function touches its end"
    share = _THINLY / CLOSER if tokens[last].text[-1:].isdigit() else 1.0
    # Bars of roots reach beyond them.
    kerned = tokens[last].web or is_high(tokens[last]) or tokens[last].leans[1]
    if after and not kerned and gap > _TOUCHING and is_inner(after, gap / share, gaps):
        return "a word behind it stands closer than words do"
    if not opened and not is_paired(tokens[first : last + 1]) and not (goes_on and _opens(tokens[first : last + 1])):
        return "its brackets are not paired"
    return ""


def _is_between(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether a sign by itself has a relation's spaces on both sides, and not those of words."""
    related = tokens[at].kind in ("relation", "operator") or tokens[at].sign in ("rel", "bin")
    if not related or not 0 < at < len(tokens) - 1 or tokens[at - 1].text in _ENDS:
        return False
    spaces = clear_gap(tokens, at, gaps.size), clear_gap(tokens, at + 1, gaps.size)
    known = bool(gaps.words or gaps.word or gaps.usual)
    own = not any(map(gaps.is_typed, spaces)) if known else abs(spaces[0] - _RELATED) < _EXACT
    return own and abs(spaces[0] - spaces[1]) < _SAME


def is_inner(word: Token, gap: float, gaps: Gaps) -> bool:
    """Whether the space between a word and a formula is none of those between words: the word is part of it.

    Where a line has few words, a thin space alone is none of these.
    """
    if word.kind not in ("word", "letter", "name") or word.code or word.text[:1] >= "\u2e80" or word.text[-1:] == "f":
        return False  # spaces kern with an f
    if gaps.word:
        return gap < CLOSER * min((gaps.word, *gaps.words))
    thin = abs(gap - THIN_SPACE) < _SAME and gap < CLOSER * gaps.least
    return thin or _TOUCHING < gap < _HALF * gaps.least


def are_signs(tokens: Sequence[Token]) -> bool:
    """Whether tokens are one sign that is spoken of, or several with commas."""
    parts = [token for token in tokens if token.text != ","]
    if len(tokens) == 1:
        return is_sign(tokens[0])
    return len(parts) < len(tokens) and all(is_sign(part) or part.sign == "ord" for part in parts)


def is_sign(token: Token) -> bool:
    """Whether a token is a relation or an operator, which stand between two parts."""
    return len(token.ink) == 1 and (token.kind in ("relation", "operator") or token.sign in ("rel", "bin"))


def _are_dots(tokens: Sequence[Token]) -> bool:
    """Whether the last tokens are centred dots, whose sign alone is an operator."""
    return len(tokens) > 2 and len({token.text for token in tokens[-3:]}) == 1


def _opens(tokens: Sequence[Token]) -> bool:
    """Whether brackets open that a line to come may close."""
    sides = [token.text for token in tokens if token.kind in ("open", "close") or token.sign in ("open", "close")]
    return sum(side in "({[⌊⌈" for side in sides if side) > sum(side in ")}]⌋⌉" for side in sides if side)


def is_paired(tokens: Sequence[Token]) -> bool:
    """Whether brackets open and close; those of intervals may be of two kinds, or be turned outwards."""
    sides = [token.text for token in tokens if token.kind in ("open", "close") or token.sign in ("open", "close")]
    sides = [side for side in sides if side and side in "()[]{}⌊⌋⌈⌉"]
    if any(side in "[]" for side in sides):
        return len(sides) % 2 == 0
    opened = sum(side in "({⌊⌈" for side in sides)
    return 2 * opened == len(sides)
