"""Lists within formulas, which dots go on or end, and the signs that open the items of a text's lists."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.gaps import THIN, TIGHT, Gaps, clear_gap, gap_before, is_sign
from operators.pdf.formulas.tokens import Token

#: What a list of a formula has between its commas.
_LISTED = ("maths", "number", "letter", "dots")
#: A thin space is clearly less than the one between the words of its line, and more than none.
_THINNER = 0.75
_LEAST = 0.07
#: The least gap, in ems, behind a list's bullet: a word's space; operators at a row's start have 0.22.
_MARK = 0.3
#: So many tokens a bound of an interval has at most, so wide, in ems, the space at the semicolon between them is.
_BOUND, _INTERVAL = 6, 0.9
#: The space, in ems, that scripts have behind them.
_SCRIPT = 0.06
#: So many tokens a bracket holds at most, words among them.
_HELD = 24
#: Spaces of one line that differ by less, in ems, are the same.
_EXACT = 0.004


def is_mark(tokens: Sequence[Token], at: int, gaps: Gaps, opened: bool) -> bool:
    """Whether a sign opens a list's item or ticks an answer: it has room on both sides."""
    begins = not opened if at == 0 else gap_before(tokens, at, gaps.size) > gaps.wide
    return begins and at + 1 < len(tokens) and gap_before(tokens, at + 1, gaps.size) > _MARK


def thin_comma(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether a comma has a thin space behind it, as formulas have it: the words of the line stand further apart."""
    if tokens[at].text not in (",", ";") or not 0 < at < len(tokens) - 1 or not gaps.word:
        return False
    before, after = gap_before(tokens, at, gaps.size), gap_before(tokens, at + 1, gaps.size)
    near = before < (gaps.comma if tokens[at - 1].kind == "dots" else TIGHT)
    thin = _LEAST < after < min(gaps.comma, _THINNER * gaps.word)
    return near and thin and all(tokens[beside].kind in _LISTED for beside in (at - 1, at + 1))


def is_listed(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether dots stand in a list of a formula, or behind its last comma."""
    before = _listed(tokens, at, -1, gaps.size)
    if before is None:
        return False
    ends = before.kind == "maths" and tokens[at - 1].text == "," and gap_before(tokens, at, gaps.size) < gaps.comma
    return ends or _listed(tokens, at, 1, gaps.size) is not None


def hold_list(tokens: Sequence[Token], held: list[bool], at: int, gaps: Gaps) -> None:
    """Add dots and the numbers and variables of the list before them."""
    held[at] = True
    while at > 1 and tokens[at - 1].text == "," and gap_before(tokens, at, gaps.size) < gaps.comma:
        part = at - 2
        if tokens[part].kind not in ("maths", "number", "letter") or gap_before(tokens, at - 1, gaps.size) > TIGHT:
            return
        while part > 0 and tokens[part - 1].kind == "number" and gap_before(tokens, part, gaps.size) < TIGHT:
            part -= 1
        held[part:at] = [True] * (at - part)
        at = part


def hold_brackets(tokens: Sequence[Token], held: list[bool], gaps: Gaps) -> set[int]:
    """Add what stands between a bracket inside a formula and its partner, words too: where none may part is returned.

    What was opened right behind a letter, a relation or an operator of a formula is closed in it.
    """
    bound: set[int] = set()
    for at in range(1, len(tokens)):
        if not (_opens(tokens[at]) and held[at] and held[at - 1]) or at in bound:
            continue
        end = _partner(tokens, at, gaps.size)
        if end is not None and (_is_remark(tokens[at - 1 : end]) or _are_conditions(tokens, at, end, gaps.size)):
            held[at] = held[end] = False
            continue
        before, own = tokens[at - 1], tokens[at].kind == "maths"
        signed = before.sign in ("rel", "bin") or before.kind in ("relation", "operator")
        if not (signed or own or before.sign == "letter" or before.kind == "name"):
            continue
        if not own and gap_before(tokens, at, gaps.size) > (
            gaps.wide if signed else TIGHT + _SCRIPT * (len(before.ink) > 1)
        ):
            continue
        if end is not None and end > at + 1 and not all(held[at : end + 1]):
            held[at : end + 1] = [True] * (end + 1 - at)
            bound.update(range(at + 1, end + 1))
    for at in range(len(tokens) - 1, 0, -1):
        # What is said of a function's value: "se(log OR) = 2", "Attention(Q) = V".
        if not (held[at] and tokens[at].sign == "close" and at + 1 < len(tokens) and held[at + 1]):
            continue
        start = _start(tokens, at, gaps.size)
        if not start or held[start - 1] or "rel" not in (tokens[at + 1].kind[:3], tokens[at + 1].sign):
            continue
        if (
            tokens[start - 1].kind == "word"
            and not tokens[start - 1].code
            and gap_before(tokens, start, gaps.size) < TIGHT
        ):
            held[start - 1 : at] = [True] * (at + 1 - start)
            bound.update(range(start, at + 1))
    return bound


def _is_remark(tokens: Sequence[Token]) -> bool:
    """Whether brackets hold Chinese words with a mark between them, or behind no letter: 产量 y(单位:kg).

    The first token is what stands before the brackets.
    """
    wide = any(token.kind == "word" and token.text >= "\u2e80" for token in tokens[1:])
    return wide and (tokens[0].sign != "letter" or any(token.text in (":", ",", "，", "：") for token in tokens))


def _are_conditions(tokens: Sequence[Token], at: int, end: int, size: float) -> bool:
    """Whether brackets hold relations with a comma of the text between them: a formula's own has space behind it."""
    commas = [
        place
        for place in range(at + 1, end - 1)
        if tokens[place].text == "," and tokens[place].kind == "other" and not tokens[place].italic
    ]
    if not commas or any(gap_before(tokens, place + 1, size) > _LEAST / 2 for place in commas):
        return False
    parts = zip([at, *commas], [*commas, end], strict=True)
    return all(any(is_sign(token) and token.sign != "bin" for token in tokens[low:high]) for low, high in parts)


def is_condition(tokens: Sequence[Token], at: int, gaps: Gaps) -> bool:
    """Whether a bracket behind a script holds a relation and is as far from the script as words are from each other."""
    end = _partner(tokens, at, gaps.size) if gaps.word and len(tokens[at - 1].ink) > 1 else None
    if end is None or abs(clear_gap(tokens, at, gaps.size) - gaps.word) > _EXACT:
        return False
    return any(is_sign(token) and token.sign == "rel" for token in tokens[at + 1 : end])


def tuples_at(tokens: Sequence[Token], at: int, gaps: Gaps) -> slice | None:
    """The list of brackets that dots stand in, with thin spaces at its commas: (x, y), …, (z, w)."""
    if not 2 < at < len(tokens) - 3 or not tokens[at - 1].text == tokens[at + 1].text == ",":
        return None
    spaces = [gap_before(tokens, place, gaps.size) for place in range(at - 1, at + 3)]
    low, high = _start(tokens, at - 2, gaps.size), _partner(tokens, at + 2, gaps.size)
    known = gaps.word or gaps.usual
    if low is None or high is None or max(spaces) > min(THIN, _THINNER * known if known else THIN):
        return None
    held = all(any(token.kind == "maths" for token in part) for part in (tokens[low:at], tokens[at : high + 1]))
    while (
        low > 2
        and tokens[low - 1].text == ","
        and gap_before(tokens, low, gaps.size) < max(spaces) + _LEAST
        and (before := _start(tokens, low - 2, gaps.size)) is not None
    ):
        low = before
    return slice(low, high + 1) if held else None


def _start(tokens: Sequence[Token], at: int, size: float) -> int | None:
    """The place of the bracket that another one closes."""
    if tokens[at].sign != "close":
        return None
    places = range(at - 1, max(-1, at - _HELD), -1)
    return next((place for place in places if _opens(tokens[place]) and _partner(tokens, place, size) == at), None)


def _opens(token: Token) -> bool:
    return token.sign == "open" and len(token.ink) == 1


def _partner(tokens: Sequence[Token], at: int, size: float) -> int | None:
    """The place of the bracket that closes another one, if the line has it near."""
    depth = 0
    for place in range(at, min(at + _HELD, len(tokens))):
        depth += _opens(tokens[place]) - (tokens[place].sign == "close" and tokens[place].text not in "?!")
        if depth == 0:
            return place
        if tokens[place].code or (place > at and gap_before(tokens, place, size) > _INTERVAL):
            return None
    return None


def _listed(tokens: Sequence[Token], at: int, step: int, size: float) -> Token | None:
    """The sign before or behind dots that thin spaces, and a comma at most, part from them."""
    beside = at + step
    if 0 <= beside + step < len(tokens) and tokens[beside].text == ",":
        beside += step
    if not 0 <= beside < len(tokens) or tokens[beside].kind not in ("maths", "number", "letter", "operator"):
        return None
    near = all(gap_before(tokens, k, size) < THIN for k in range(min(at, beside) + 1, max(at, beside) + 1))
    return tokens[beside] if near else None


def interval_at(tokens: Sequence[Token], at: int, size: float) -> slice | None:
    """The interval whose bounds a semicolon parts, with spaces around it: a bracket opens or closes at each end."""
    ends = []
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(tokens) and abs(place - at) < _BOUND and not _is_bracket(tokens[place]):
            if tokens[place].kind in ("word", "mark"):
                return None
            place += step
        if not (0 <= place < len(tokens) and _is_bracket(tokens[place]) and abs(place - at) > 1):
            return None
        ends.append(place)
    low, high = ends
    if tokens[low].text == ")" or tokens[high].text == "(":
        return None  # only square brackets are turned outwards
    whole = all(gap_before(tokens, place, size) < _INTERVAL for place in range(low + 1, high + 1))
    return slice(low, high + 1) if whole else None


def _is_bracket(token: Token) -> bool:
    return "open" in (token.kind, token.sign) or "close" in (token.kind, token.sign)
