"""Where on a line a formula begins and ends: by fonts, gaps, relations and operators, and words."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.signs import lone_signs
from operators.pdf.formulas.tokens import Token

#: Gaps in ems. TeX's relations have 0.28 around them, or up to twice that in a loose line, its operators
#: 0.22, names of functions 0.17; words have 0.33.
_TIGHT = 0.1
_THIN = 0.26
_THIN_SPACE = 0.185
_SCRIPT_SPACE = 0.07
_WIDE = 0.6
_APART = 0.29
#: Between a large sign or a name and a quotient, which has a little space of its own.
_SPACED = 0.42


def segments(
    tokens: Sequence[Token], signs: Sequence[str], size: float, sums: bool, opened: bool
) -> list[tuple[int, int]]:
    """The first and the last token of each formula on a line.

    ``signs`` are the LaTeX of tokens that are one sign; ``sums`` says that a relation between numbers is a formula,
    as it is where the text is set by TeX, ``opened`` that a formula of the line before goes on.
    """
    held = [token.kind == "maths" for token in tokens]
    if sums:
        for at, token in enumerate(tokens):
            if token.kind in ("relation", "operator") and _between_numbers(tokens, at, size):
                held[at] = True
    if not any(held):
        return []
    _grow(tokens, held, size, _thin_space(tokens, size))
    found: list[tuple[int, int]] = []
    for first, last in _stretches(tokens, held, size):
        low, high = (first, last) if opened and first == 0 else _trimmed(tokens, first, last)
        if low <= high and not _is_lone(tokens, signs, low, high):
            found.append((low, high))
    return found


def _thin_space(tokens: Sequence[Token], size: float) -> float:
    """Up to which gap a space is a thin one of a formula: clearly narrower than those between the line's words."""
    words = [
        _gap(tokens, at, size)
        for at in range(1, len(tokens))
        if tokens[at - 1].kind == tokens[at].kind == "word" and _gap(tokens, at, size) > 0.1
    ]
    return min([_THIN_SPACE, *(0.78 * gap for gap in words)])


def _gap(tokens: Sequence[Token], at: int, size: float) -> float:
    """The space before a token, in ems."""
    return (tokens[at].x0 - tokens[at - 1].x1) / size


def _between_numbers(tokens: Sequence[Token], at: int, size: float) -> bool:
    if not 0 < at < len(tokens) - 1:
        return False
    sides = tokens[at - 1].kind in ("number", "close", "maths") and tokens[at + 1].kind in ("number", "open", "maths")
    return sides and 0.1 < _gap(tokens, at, size) < _WIDE and 0.1 < _gap(tokens, at + 1, size) < _WIDE


def _grow(tokens: Sequence[Token], held: list[bool], size: float, thin: float) -> None:
    """Add the numbers, brackets, names and signs of the text's font that belong to a formula."""
    changed = True
    while changed:
        changed = False
        for at in range(len(tokens)):
            if held[at]:
                continue
            right = at + 1 < len(tokens) and held[at + 1] and _belongs(tokens, at, at + 1, size, thin)
            left = at > 0 and held[at - 1] and _belongs(tokens, at, at - 1, size, thin)
            bridged = _is_bridge(tokens, held, at, size, thin)
            if right or left or bridged:
                held[at] = changed = True


def _belongs(tokens: Sequence[Token], at: int, beside: int, size: float, thin: float) -> bool:
    """Whether a token goes with the formula beside it."""
    token, other = tokens[at], tokens[beside]
    gap = _gap(tokens, max(at, beside), size)
    if token.kind == "open" and at + 1 < len(tokens) and tokens[at + 1].text == "mod":
        return gap < 1.2
    if other.sign == "not" and beside < at:
        return token.kind == "relation"
    if gap < -0.6 or gap > _WIDE:
        return False
    signed = other.kind in ("relation", "operator") or other.sign in ("rel", "bin") or other.text == ":"
    if token.kind in ("number", "open", "close"):
        if other.kind == "name" and gap < _THIN:
            return True
        return gap < _TIGHT or (signed and gap < _WIDE) or (other.sign == "punct" and beside < at and gap < _THIN)
    if token.kind in ("relation", "operator"):
        return gap < _WIDE
    if token.kind == "mark":
        return gap < _TIGHT or (token.text == "!" and signed and gap < _THIN)
    if token.kind == "name":
        return gap < _THIN_SPACE + (_SCRIPT_SPACE if len(token.ink) > 1 else 0) or (signed and gap < _WIDE)
    if token.kind == "word" and token.italic and len(token.text) <= 3 and token.text.isascii():
        return gap < thin or (signed and gap < _WIDE)
    if token.kind == "word":
        return _is_function(token, other, beside > at, gap) or _is_unit(token, other, beside < at, gap, thin)
    if token.kind == "letter":
        return (gap < _THIN or (signed and gap < _WIDE)) and not _has_letters_beside(tokens, at, beside, size)
    if token.text == ":" and 0 < at < len(tokens) - 1:
        return _gap(tokens, at, size) > 0.15 and 0.15 < _gap(tokens, at + 1, size) < _WIDE
    if token.kind == "other":
        return token.text == "%" and beside < at and gap < _TIGHT
    return False


def _is_function(token: Token, other: Token, before: bool, gap: float) -> bool:
    """Whether a word is the name of a function: a bracket stands right behind it."""
    return before and other.text == "(" and token.text.isascii() and 1 < len(token.text) < 9 and gap < _TIGHT


def _is_unit(token: Token, other: Token, behind: bool, gap: float, thin: float) -> bool:
    """Whether a word is a unit: a thin space parts it from its number."""
    number = other.text[-1:].isdigit() or other.kind == "close"
    return behind and number and len(token.text) < 4 and 0.12 < gap < thin


def _has_letters_beside(tokens: Sequence[Token], at: int, beside: int, size: float) -> bool:
    """Whether an upright letter is a word of the sentence rather than part of the formula."""
    far = at + 1 if beside < at else at - 1
    gap = abs(_gap(tokens, max(at, beside), size))
    if gap > _TIGHT and tokens[at].text in "aAI":
        return True
    return 0 <= far < len(tokens) and tokens[far].kind == "word" and abs(_gap(tokens, max(at, far), size)) < 0.2


def _is_bridge(tokens: Sequence[Token], held: Sequence[bool], at: int, size: float, thin: float) -> bool:
    """Whether a colon or a comma stands inside a formula: tight on both sides or spaced like a relation."""
    if not 0 < at < len(tokens) - 1 or not held[at - 1] or not held[at + 1]:
        return False
    token = tokens[at]
    before, after = _gap(tokens, at, size), _gap(tokens, at + 1, size)
    if token.text == ":":
        return (before < _TIGHT and after < _THIN) or (before > 0.15 and after > 0.15)
    if token.text == "," and not any(one.italic and one.kind == "maths" for one in tokens):
        return False  # the font of the variables has a comma of its own
    if token.text in (";", ","):
        return before < _TIGHT and after < (_THIN if token.text == ";" else thin)
    return token.text in ".|" and before < _TIGHT and after < _TIGHT


def _stretches(tokens: Sequence[Token], held: Sequence[bool], size: float) -> list[tuple[int, int]]:
    """Neighbouring tokens that were added, parted where a space of the text stands between them."""
    found: list[tuple[int, int]] = []
    for at in range(len(tokens)):
        if not held[at]:
            continue
        if found and found[-1][1] == at - 1 and not _parts(tokens, at, size):
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found


def _parts(tokens: Sequence[Token], at: int, size: float) -> bool:
    gap = _gap(tokens, at, size)
    if gap > 2.5:
        return True
    one, two = tokens[at - 1], tokens[at]
    if two.text == "(" and at + 1 < len(tokens) and tokens[at + 1].text[:1] == "m":
        return gap > (1.2 if "".join(t.text for t in tokens[at + 1 : at + 4]).startswith("mod") else _APART)
    if gap < _SPACED and any(
        t.sign == "op" or t.kind == "name" or (t.kind == "maths" and not t.text) for t in (one, two)
    ):
        return False
    for bar in (at - 1, at):
        if tokens[bar].sign == "fence" and 0 < bar < len(tokens) - 1:
            before, after = _gap(tokens, bar, size), _gap(tokens, bar + 1, size)
            if abs(before - after) < 0.15 and after < _WIDE:
                return False
    if gap < _SPACED and one.kind == two.kind == "maths" and _in_mod(tokens, at):
        return False
    signed = any(t.kind in ("relation", "operator") or t.sign in ("rel", "bin", "punct") for t in (one, two))
    return gap > (_WIDE + 0.2 if signed else _APART)


def _in_mod(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token stands behind the letters of "mod" in brackets, set in the formulas' own font."""
    return "".join(token.text for token in tokens[max(0, at - 4) : at]).endswith("mod")


def _trimmed(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """The stretch without brackets of the sentence at its ends, and without marks that end a sentence."""
    while first <= last:
        depth = 0
        lowest = 0
        for token in tokens[first : last + 1]:
            step = _depth(token)
            depth += step
            lowest = min(lowest, depth)
        if tokens[last].kind == "mark" and tokens[last].text == "!" and not _factorial(tokens, last):
            last -= 1
        elif depth > 0 and tokens[first].kind == "open":
            first += 1
        elif depth < 0 and tokens[last].kind == "close":
            last -= 1
        elif lowest < 0 and tokens[first].kind == "close":
            first += 1
        else:
            break
    return first, last


def _factorial(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at - 1].kind in ("maths", "number", "close")


def _depth(token: Token) -> int:
    if token.kind == "open" or (token.kind == "maths" and token.text in ("(", "[")):
        return 1
    if token.kind == "close" or (token.kind == "maths" and token.text in (")", "]")):
        return -1
    if token.kind == "maths" and token.sign == "" and token.text == "":
        return 0
    return 0


def _is_lone(tokens: Sequence[Token], signs: Sequence[str], first: int, last: int) -> bool:
    """Whether a stretch is a sign that texts use by itself, or no more than marks of the text."""
    own = range(first, last + 1)
    if all(tokens[at].kind != "maths" for at in own):
        return not any(tokens[at].kind in ("relation", "operator") for at in own) or first == last
    maths = [at for at in own if tokens[at].kind == "maths"]
    if all(tokens[at].strange and len(tokens[at].ink) == 1 for at in maths):
        return True
    return all(signs[at] in lone_signs() and len(tokens[at].ink) == 1 for at in own)
