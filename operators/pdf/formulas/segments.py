"""Where on a line a formula begins and ends: by fonts, gaps, relations and operators, and words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from operators.pdf.formulas.gaps import (
    APART,
    SPACED,
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
    is_paired,
    is_unit,
    is_upright_part,
    thin_space,
)
from operators.pdf.formulas.glyphs import GREEK
from operators.pdf.formulas.lists import hold_brackets, hold_list, interval_at, is_listed, is_mark, thin_comma
from operators.pdf.formulas.signs import Family, lone_signs, names, short_words, sign_of
from operators.pdf.formulas.tokens import Token

#: Words of formulas have at most so many letters; the least space, in ems, that a loose line may add to a thin one.
_LONGEST_WORD, _THINNEST = 8, 0.05
#: Kerns and slants change the space between two words by less, in ems.
_KERNED = 0.08
#: So near, in ems, parts of a formula stand that browsers space as relations.
_JOINED = 0.55
#: The most space, in ems, that browsers leave on the sides of a function's name: that of a relation.
_APPLIED = 0.36
#: Words of one letter, in the languages that have them.
_WORDS = frozenset("aAIOyeo")
#: How many words a bracket's partner may be away.
_LONGEST = 24
#: The space around "mod" and the widest behind it in brackets, in ems: TeX sets 0.28 and 0.33.
_MOD, _MODULUS, _BEHIND_MOD = 0.3, 0.4, 0.333
#: The most space, in ems, between words below the name of a function and what it is of.
_LIMITED = 0.75
#: Spaces that differ by less, in ems, are the same.
_SAME = 0.018
#: The least thin space, in ems, and how many digits stand behind one in a number.
THIN_LEAST, _THOUSANDS = 0.09, 3
#: The space, in ems, that a quotient has on its sides, and that scripts have behind them.
_QUOTIENT, _SCRIPT = 0.12, 0.05
_TYPED = 0.03
#: The most space, in ems, before the colon of a map (0.11 and that of scripts), and how much more stands behind that of
#: a relation.
_MAP, _EVEN = 0.164, 0.1
#: Spaces from this share of the usual one between two words on are no thin ones.
_WORDLIKE = 0.85


def segments(
    tokens: Sequence[Token], signs: Sequence[str], gaps: Gaps, sums: bool, opened: Token | None
) -> list[tuple[int, int]]:
    """The first and the last token of each formula on a line.

    ``signs`` are the LaTeX of tokens that are one sign; ``sums`` says that a relation between numbers is a formula,
    as it is where the text is set by TeX, ``opened`` is the last token of a formula of the line before that goes on.
    """
    size = gaps.size
    held = [
        token.kind == "maths" and not (signs[at] in lone_signs() and is_mark(tokens, at, gaps, opened is not None))
        for at, token in enumerate(tokens)
    ]
    if sums:
        for at, token in enumerate(tokens):
            if token.kind in ("relation", "operator") and _between_numbers(tokens, at, size, gaps):
                held[at] = True
    for at, token in enumerate(tokens):
        if token.kind == "dots" and is_listed(tokens, at, gaps):
            hold_list(tokens, held, at, gaps)
        elif thin_comma(tokens, at, gaps):
            held[at - 1 : at + 2] = [True] * 3
    if opened and (tokens[0].kind in ("number", "open", "letter", "name") or _is_product(tokens[0])):
        held[0] = True
    elif opened and _is_operator(opened) and tokens[0].kind == "word" and tokens[0].text.isascii():
        # No line ends in an operator but within a formula.
        held[0] = len(tokens[0].text) <= _LONGEST_WORD and not tokens[0].code
    if not any(held):
        return []
    for at, token in enumerate(tokens):
        if (
            token.text == ";"
            and (interval := interval_at(tokens, at, size))
            and any(held[max(0, interval.start - 1) : interval.stop])
        ):
            held[interval] = [True] * len(held[interval])
            tokens[interval.start].kind, tokens[interval.stop - 1].kind = "open", "close"
    _grow(tokens, held, size, gaps)
    if _close(tokens, held, size, gaps):
        _grow(tokens, held, size, gaps)
        _close(tokens, held, size, gaps)
    bound = hold_brackets(tokens, held, gaps)
    found: list[tuple[int, int]] = []
    for first, last in _stretches(tokens, held, size, gaps, bound):
        if opened and first == 0:
            found.append((first, last))
            continue
        low, high = _trimmed(tokens, first, last)
        if low <= high and not _is_lone(tokens, signs, low, high, gaps):
            found.append((low, high))
    return found


def _between_numbers(tokens: Sequence[Token], at: int, size: float, gaps: Gaps) -> bool:
    """Whether a sign stands between numbers as formulas have it; "12 + 3" typed as words has the spaces of words."""
    if not 0 < at < len(tokens) - 1:
        return False
    before, after = tokens[at - 1], tokens[at + 1]
    sides = before.kind in ("number", "close", "maths") or _is_product(before)
    sides = sides and (after.kind in ("number", "open", "maths") or _is_product(after))
    spaces = [gap_before(tokens, at, size), gap_before(tokens, at + 1, size)]
    typed = tokens[at].kind == "operator" and all(abs(space - gaps.word) < _SAME for space in spaces)
    return sides and not typed and all(0.1 < space < gaps.wide for space in spaces)


def _grow(tokens: Sequence[Token], held: list[bool], size: float, gaps: Gaps) -> None:
    """Add the numbers, brackets, names and signs of the text's font that belong to a formula."""
    changed = True
    while changed:
        changed = False
        for at in range(len(tokens)):
            if held[at]:
                continue
            right = at + 1 < len(tokens) and held[at + 1] and _belongs(tokens, at, at + 1, size, gaps)
            left = at > 0 and held[at - 1] and _belongs(tokens, at, at - 1, size, gaps)
            bridged = _is_bridge(tokens, held, at, size, gaps)
            if right or left or bridged:
                held[at] = changed = True


def _belongs(tokens: Sequence[Token], at: int, beside: int, size: float, gaps: Gaps) -> bool:
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
        if (other.kind == "name" or other.text in names()) and gap < (
            _modulus(gaps) if other.text == "mod" else gaps.thin
        ):
            return True
        argued = other.kind == "word" and other.sign == "letter" and abs(gap - THIN_SPACE) < _SAME
        return gap < TIGHT or signed or (beside < at and (argued or (other.sign == "punct" and gap < THIN)))
    if token.kind in ("relation", "operator"):
        return True
    if token.sign and "\u2190" <= token.text <= "\u22ff":
        return gap < THIN or signed  # texts do not have it
    if token.text in (",", ";", "…") and beside < at and _is_of_variables(tokens, at):
        return gap < THIN
    if token.kind == "mark":
        return gap < TIGHT or (token.text == "!" and signed)
    if token.kind == "name" and other.web and _is_applied(tokens, at, size):
        return True
    if token.kind in ("word", "letter", "name") and _has_own_space(
        token, other, clear_gap(tokens, max(at, beside), size), gaps
    ):
        return True
    if token.kind == "name" and beside < at and _is_of_text(tokens, at):
        return signed or gap < gaps.name
    if token.kind == "name":
        return signed or gap < max(gaps.name, _MOD if token.text == "mod" else thin_space(tokens, max(at, beside)))
    if _is_product(token):
        if other.sign == "op" and beside < at and gap < APART:
            return True  # what is integrated
        differential = len(token.text) == 2 and token.text[0] == "d" and beside < at
        return signed or gap < (APART if differential else gaps.product)
    if token.kind == "word":
        return is_upright_part(tokens, at, beside, gaps)
    if token.kind == "letter":
        if beside < at and (token.text not in "aAI" or gap < _WORDLIKE * THIN) and is_unit(token, other, gap, gaps):
            return True
        if _is_word_between(tokens, at, size):
            return False
        if signed and (token.italic or is_operand(tokens, at, beside, gaps)):
            return True
        return (gap < gaps.thin or signed) and not _has_letters_beside(tokens, at, beside, size)
    if token.text == ":" and 0 < at < len(tokens) - 1:
        spaces = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
        of_formula = spaces[0] < _MAP or spaces[1] - spaces[0] < _EVEN
        return of_formula and min(spaces) > 0.15 and spaces[1] < gaps.wide and not _is_typed(tokens, at, gaps)
    if token.text == "%" and beside < at:
        return gap < max(TIGHT, min(THIN_SPACE + _SAME, 0.8 * (gaps.word or gaps.usual)))
    return token.text == "#" and beside > at and gap < TIGHT


def _has_own_space(word: Token, other: Token, gap: float, gaps: Gaps) -> bool:
    """Whether a word stands as close to a formula as words never do: at a sign, or a thin space off."""
    if len(word.text) > _LONGEST_WORD or not is_inner(word, gap, gaps):
        return False
    related = other.kind == "relation" or other.sign == "rel"
    added = (other.kind == "operator" or other.sign == "bin") and gap > TIGHT  # a backslash has no space
    named = other.kind in ("maths", "name", "number") and not word.italic
    return (named and abs(gap - THIN_SPACE) < _SAME) or added or (related and other.text != ":")


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
    near = near or _is_apart(tokens, at, gaps.size)
    return near and after in ("maths", "number", "open", "letter")


def _is_apart(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether "mod" has the spaces of one without brackets, the one before it twice or thrice the one behind it."""
    if at + 1 == len(tokens):
        return False
    before, after = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
    return abs(after - _BEHIND_MOD) < _SAME and min(abs(before - 2 * after), abs(before - 3 * after)) < _SAME


def _is_word_between(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether an upright letter is a word between two formulas: more than a thin space and no sign on both sides."""
    if tokens[at].italic or not 0 < at < len(tokens) - 1:
        return False
    spaces = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
    sides = tokens[at - 1], tokens[at + 1]
    return min(spaces) > THIN_SPACE + _SAME and all(
        side.kind in ("maths", "number", "close", "open", "name") and side.sign not in ("rel", "bin", "op", "fence")
        for side in sides
    )


def _is_operator(token: Token) -> bool:
    return token.kind == "operator" or token.sign == "bin"


def _is_leading(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether an operator belongs to what follows it alone, as the sign of a number does: it stands right before it."""
    if tokens[at].sign != "bin" or not 0 < at < len(tokens) - 1:
        return False
    after = gap_before(tokens, at + 1, size)
    close = TIGHT + (_QUOTIENT if is_high(tokens[at + 1]) or tokens[at + 1].kind == "name" else 0.0)
    return after < close and gap_before(tokens, at, size) - after > THIN_SPACE - _SAME


def _is_of_text(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name of a function is rather a word of the text: another word follows it."""
    words = at + 1 < len(tokens) and tokens[at + 1].kind == "word"
    return words and tokens[at].text in short_words()


def _is_typed(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether the spaces around a colon are those of words, or it stands right behind a formula and ends its clause."""
    before, after = gap_before(tokens, at, gaps.size), gap_before(tokens, at + 1, gaps.size)
    word = gaps.word or gaps.usual
    if word and max(abs(before - word), abs(after - word)) < _SAME:
        return True
    null = _QUOTIENT if is_high(tokens[at - 1]) else TIGHT / 2 + (_SCRIPT if len(tokens[at - 1].ink) > 1 else 0.0)
    return before < null and after > gaps.comma and tokens[at + 1].sign != "rel"


def _is_product(token: Token) -> bool:
    """Whether an italic word can be variables side by side."""
    return token.kind == "word" and token.italic and len(token.text) <= 3 and token.text.isascii()


def _close(tokens: Sequence[Token], held: list[bool], size: float, gaps: Gaps) -> bool:
    """Add what stands between a bracket of a formula and its partner: a list, a cycle, an interval."""
    before = sum(held)
    for step in (1, -1):
        depth = 0
        for at in range(len(tokens))[::step]:
            if held[at]:
                depth = max(0, depth + step * _depth(tokens[at]))
            else:
                for inside in range(at, _partner(tokens, at, step, depth, size, gaps) if depth else at, step):
                    held[inside] = True
                depth = 0
    return sum(held) > before


def _partner(tokens: Sequence[Token], at: int, step: int, depth: int, size: float, gaps: Gaps) -> int:
    """The place behind the bracket that closes so many open ones, or the start if words stand before it."""
    place = at
    while 0 <= place < len(tokens) and abs(place - at) < _LONGEST:
        token = tokens[place]
        listed = token.text in (",", ";", "|", ".") or token.kind in (
            "number",
            "open",
            "close",
            "maths",
            "operator",
            "dots",
        )
        gap = gap_before(tokens, max(place, place - step), size)
        space = gaps.word or max(gaps.words, default=gaps.usual)
        typed = "," in (tokens[place - 1].text, token.text) and abs(gap - space) < _TYPED  # a comma of the sentence
        if not listed or typed or gap > gaps.wide:
            return at
        depth += step * _depth(token)
        if depth == 0:
            return place + step
        place += step
    return at


def _has_letters_beside(tokens: Sequence[Token], at: int, beside: int, size: float) -> bool:
    """Whether an upright letter is a word of the sentence rather than part of the formula."""
    far = at + 1 if beside < at else at - 1
    gap = abs(gap_before(tokens, max(at, beside), size))
    if (gap > TIGHT and tokens[at].text in _WORDS) or not (
        tokens[at].text.isascii() or tokens[at].text in GREEK or tokens[at].sign == "accent"
    ):
        return True
    return 0 <= far < len(tokens) and tokens[far].kind == "word" and abs(gap_before(tokens, max(at, far), size)) < 0.2


def _is_bridge(tokens: Sequence[Token], held: Sequence[bool], at: int, size: float, gaps: Gaps) -> bool:
    """Whether a colon or a comma stands inside a formula: tight on both sides or spaced like a relation."""
    if not 0 < at < len(tokens) - 1 or not held[at - 1] or not held[at + 1]:
        return False
    token = tokens[at]
    before, after = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
    if token.kind == "name":
        return max(before, after) < THIN
    if token.text == ":":
        if _is_typed(tokens, at, gaps):
            return False
        if abs(before - after) < _SAME and max(before, after) < 0.6 * (gaps.word or gaps.usual):
            return True  # as office programs set it
        # A map's colon has 0.11 before it and 0.33 behind, or nothing and 0.17, a relation's the same on both sides;
        # a sentence's has none before it, or what an office program leaves around a formula.
        if tokens[at + 1].sign == "rel" or before < 0.06:
            return tokens[at + 1].sign == "rel" or after < THIN
        return after > 0.15 and (before < _MAP or after - before < _EVEN)
    if token.text == "," and not any(one.italic and one.kind == "maths" for one in tokens):
        # The font of the variables has a comma of its own, that of the dots is used beside them.
        return "dots" in (tokens[at - 1].kind, tokens[at + 1].kind)
    if token.text in (";", ","):
        # TeX sets a thin space between dots and a comma behind them.
        if token.text == ";" and sum(map(_depth, tokens[:at])) <= 0:
            return False  # outside of brackets it parts two formulas
        return before < (gaps.comma if tokens[at - 1].kind == "dots" else TIGHT) and after < (
            THIN if token.text == ";" else gaps.comma
        )
    return token.text in ".|" and before < TIGHT and after < TIGHT


def _is_of_variables(tokens: Sequence[Token], at: int) -> bool:
    """Whether a mark is in the italics that office programs have for variables, and the words of its line are not."""
    return tokens[at].italic and not any(one.italic and one.kind == "word" and len(one.text) > 2 for one in tokens)


def _stretches(
    tokens: Sequence[Token], held: Sequence[bool], size: float, gaps: Gaps, bound: Collection[int]
) -> list[tuple[int, int]]:
    """Neighbouring tokens that were added, parted where a space of the text stands between them."""
    found: list[tuple[int, int]] = []
    for at in range(len(tokens)):
        if not held[at]:
            continue
        if found and found[-1][1] == at - 1 and (at in bound or not _parts(tokens, at, size, gaps)):
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found


def _parts(tokens: Sequence[Token], at: int, size: float, gaps: Gaps) -> bool:
    gap = gap_before(tokens, at, size)
    if gap > 2.5:
        return True
    space = gaps.word or gaps.usual
    if at > 1 and (space or tokens[at].web) and gap < _JOINED and abs(gap - space) > _KERNED:
        return False  # no space of the text parts them; a line may begin with a mark
    one, two = tokens[at - 1], tokens[at]
    if two.text == "mod" and _is_apart(tokens, at, size):
        return False
    apart = max(thin_space(tokens, at), _WORDLIKE * gaps.word)
    if gaps.word > apart and abs(gap - gaps.word) < _SAME and _is_upright(one) and _is_upright(two):
        return True  # a unit and the name of what it counts
    if two.kind == "open" and one.sign == "letter" and apart < gap and not _opens_mod(tokens, at):
        return True  # nothing is set between a function and its bracket
    if two.text == "(" and at + 1 < len(tokens) and tokens[at + 1].text[:1] == "m":
        return gap > (1.2 if "".join(t.text for t in tokens[at + 1 : at + 4]).startswith("mod") else APART)
    if gap < SPACED and any(
        t.sign == "op" or t.kind == "name" or (t.kind == "maths" and not t.text) for t in (one, two)
    ):
        return False
    for bar in (at - 1, at):
        if tokens[bar].sign == "fence" and 0 < bar < len(tokens) - 1:
            before, after = gap_before(tokens, bar, size), gap_before(tokens, bar + 1, size)
            if abs(before - after) < 0.15 and after < gaps.wide:
                return False
    if gap < SPACED and one.kind == two.kind == "maths" and _in_mod(tokens, at):
        return False
    if gap < _LIMITED and len(one.ink) > 1 and _has_limits(tokens, at):
        return False
    signed = any(t.kind in ("relation", "operator") or t.sign in ("rel", "bin", "punct") for t in (one, two))
    return gap > (gaps.wide + 0.35 if signed else APART)


def _is_upright(token: Token) -> bool:
    lettered = token.sign == "letter" and token.text.isascii() and token.text.isalpha()
    return lettered and not token.italic and token.kind != "name" and token.text not in names()


def _opens_mod(tokens: Sequence[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].text[:1] == "m"


def _has_limits(tokens: Sequence[Token], at: int) -> bool:
    """Whether the letters before a token spell the name of a function that has words below it."""
    spelled = "".join(token.text for token in tokens[max(0, at - 6) : at])
    return any(limits and spelled.endswith(name) for name, (_, limits) in names().items())


def _in_mod(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token stands behind the letters of "mod" in brackets, set in the formulas' own font."""
    return "".join(token.text for token in tokens[max(0, at - 4) : at]).endswith("mod")


def _trimmed(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int]:
    """The stretch without brackets of the sentence at its ends, and without marks that end a sentence.

    Braces are none of a sentence.
    """
    while first <= last:
        depth = 0
        lowest = 0
        for token in tokens[first : last + 1]:
            step = _depth(token)
            depth += step
            lowest = min(lowest, depth)
        if tokens[last].kind == "mark" and tokens[last].text == "!" and not _factorial(tokens, last):
            last -= 1
        elif tokens[first].text == ":" and tokens[first].kind != "maths" and first < last:
            first += 1  # of the sentence: what a formula says of itself begins with its name
        elif depth > 0 and tokens[first].kind == "open" and tokens[first].text != "{":
            first += 1
        elif tokens[first].text == "]" and is_paired(tokens[first : last + 1]):
            break  # an interval without its bounds
        elif is_room(tokens, last) or (depth < 0 and tokens[last].kind == "close" and tokens[last].text != "}"):
            last -= 1
        elif lowest < 0 and tokens[first].kind == "close":
            first += 1
        elif lowest < 0 and first < last and tokens[first + 1].kind == "close":
            first += 2  # an item's label: "b) x"
        else:
            break
    return first, last


def is_room(tokens: Sequence[Token], at: int) -> bool:
    """Whether a bracket holds nothing: an answer is to be written there."""
    if at + 1 >= len(tokens):
        return False
    kinds = tokens[at].kind, tokens[at + 1].kind
    return kinds == ("open", "close") or (tokens[at].text, tokens[at + 1].text) == ("（", "）")


def _is_relation(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether a letter of an unknown font has the value of a relation or an operator, and the spaces of one."""
    sign = sign_of(tokens[at].text, False, Family(), False) if tokens[at].text else None
    if sign is None or sign.kind not in ("rel", "bin") or not 0 < at < len(tokens) - 1:
        return False
    return min(gap_before(tokens, at, size), gap_before(tokens, at + 1, size)) > TIGHT


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


def _is_lone(tokens: Sequence[Token], signs: Sequence[str], first: int, last: int, gaps: Gaps) -> bool:
    """Whether a stretch is a sign that texts use by itself, or no more than marks of the text."""
    own = range(first, last + 1)
    if all(tokens[at].kind != "maths" for at in own):
        firm = any(tokens[at].kind in ("relation", "operator") or thin_comma(tokens, at, gaps) for at in own)
        return not firm or first == last
    maths = [at for at in own if tokens[at].kind == "maths"]
    if all(tokens[at].strange and len(tokens[at].ink) == 1 for at in maths):
        related = any(_is_relation(tokens, at, gaps.size) for at in maths)
        return not related or not any(tokens[at].text.isalnum() for at in own)
    return all(signs[at] in lone_signs() and len(tokens[at].ink) == 1 for at in own)
