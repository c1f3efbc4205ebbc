"""Where on a line a formula begins and ends: by fonts, gaps, relations and operators, and words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from operators.pdf.formulas.belonging import (
    EVEN,
    LONGEST_WORD,
    MAP,
    SAME,
    WORDLIKE,
    belongs,
    is_apart,
    is_operator,
    is_product,
    is_typed,
)
from operators.pdf.formulas.gaps import (
    APART,
    SPACED,
    THIN,
    TIGHT,
    Gaps,
    gap_before,
    is_paired,
    thin_space,
)
from operators.pdf.formulas.lists import (
    hold_brackets,
    hold_list,
    interval_at,
    is_condition,
    is_listed,
    is_mark,
    thin_comma,
    tuples_at,
)
from operators.pdf.formulas.signs import Family, lone_signs, names, sign_of
from operators.pdf.formulas.tokens import Token

#: Kerns and slants change the space between two words by less, in ems.
_KERNED = 0.08
#: So near, in ems, parts of a formula stand that browsers space as relations.
_JOINED = 0.55
#: How many words a bracket's partner may be away.
_LONGEST = 24
#: The most space, in ems, between words below the name of a function and what it is of.
_LIMITED = 0.75
_TYPED = 0.03


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
        elif token.kind == "dots" and (listed := tuples_at(tokens, at, gaps)):
            held[listed] = [True] * len(held[listed])
        elif thin_comma(tokens, at, gaps):
            held[at - 1 : at + 2] = [True] * 3
    if opened and (tokens[0].kind in ("number", "open", "letter", "name") or is_product(tokens[0])):
        held[0] = True
    elif opened and is_operator(opened) and tokens[0].kind == "word" and tokens[0].text.isascii():
        # No line ends in an operator but within a formula.
        held[0] = len(tokens[0].text) <= LONGEST_WORD and not tokens[0].code
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
    sides = before.kind in ("number", "close", "maths") or is_product(before)
    sides = sides and (after.kind in ("number", "open", "maths") or is_product(after))
    spaces = [gap_before(tokens, at, size), gap_before(tokens, at + 1, size)]
    typed = tokens[at].kind == "operator" and all(abs(space - gaps.word) < SAME for space in spaces)
    return sides and not typed and all(0.1 < space < gaps.wide for space in spaces)


def _grow(tokens: Sequence[Token], held: list[bool], size: float, gaps: Gaps) -> None:
    """Add the numbers, brackets, names and signs of the text's font that belong to a formula."""
    changed = True
    while changed:
        changed = False
        for at in range(len(tokens)):
            if held[at]:
                continue
            right = at + 1 < len(tokens) and held[at + 1] and belongs(tokens, at, at + 1, size, gaps)
            left = at > 0 and held[at - 1] and belongs(tokens, at, at - 1, size, gaps)
            bridged = _is_bridge(tokens, held, at, size, gaps)
            if right or left or bridged:
                held[at] = changed = True


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
        listed = listed or is_product(token)
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


def _is_bridge(tokens: Sequence[Token], held: Sequence[bool], at: int, size: float, gaps: Gaps) -> bool:
    """Whether a colon or a comma stands inside a formula: tight on both sides or spaced like a relation."""
    if not 0 < at < len(tokens) - 1 or not held[at - 1] or not held[at + 1]:
        return False
    token = tokens[at]
    before, after = gap_before(tokens, at, size), gap_before(tokens, at + 1, size)
    if token.kind == "name":
        return max(before, after) < THIN
    if token.text == ":":
        if is_typed(tokens, at, gaps):
            return False
        if abs(before - after) < SAME and max(before, after) < 0.6 * (gaps.word or gaps.usual):
            return True  # as office programs set it
        # A map's colon has 0.11 before it and 0.33 behind, or nothing and 0.17, a relation's the same on both sides;
        # a sentence's has none before it, or what an office program leaves around a formula.
        if tokens[at + 1].sign == "rel" or before < 0.06:
            return tokens[at + 1].sign == "rel" or after < THIN
        return after > 0.15 and (before < MAP or after - before < EVEN)
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
    if two.text == "mod" and is_apart(tokens, at, size):
        return False
    if two.kind == "open" and is_condition(tokens, at, gaps):
        return True
    apart = max(thin_space(tokens, at), WORDLIKE * gaps.word)
    if gaps.word > apart and abs(gap - gaps.word) < SAME and _is_upright(one) and _is_upright(two):
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
