"""Two expressions, equations or inequalities compared by their values at chosen points."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .evaluation import Mode, has_sign, value_of
from .parser import parse
from .reading import Program, Reading
from .relations import same_difference
from .sampling import ENOUGH, FEWEST, Difference, Same, close, points
from .signs import LONGEST, narrow
from .values import Value

_MOST_NAMES = 12

_RELATIONS = {
    "==": "=", "=": "=", "<": "<", ">": ">", "<=": "≤", ">=": "≥", "≤": "≤", "≥": "≥", "!=": "≠", "≠": "≠",
    r"\leq": "≤", r"\le": "≤", r"\leqslant": "≤", r"\geq": "≥", r"\ge": "≥", r"\geqslant": "≥", r"\lt": "<",
    r"\gt": ">", r"\neq": "≠", r"\ne": "≠", "≈": "≈", r"\approx": "≈",
}  # fmt: skip
_RELATION = re.compile(r"\\(?:leqslant|geqslant|leq|geq|neq|approx|le|ge|lt|gt|ne)(?![A-Za-z])|[<>=!]=|[<>=≤≥≠≈]")
_TURNED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_WORD = re.compile(r"[A-Za-z]{2,}")


def same_expression(a: str, b: str) -> Same:
    """Whether two texts are the same number, expression, equation or inequality.

    Numbers are compared exactly or, where irrational, to nine digits; names by values at points that are the
    same in every run. "unsure" is said of what is not understood or has too few values.

    >>> same_expression("(x+1)^2", "x^2 + 2x + 1"), same_expression(r"\\frac{\\sqrt{2}}{2}", "1/√2")
    ('yes', 'yes')
    >>> same_expression("y = 2x + 1", "2x - y + 1 = 0"), same_expression("x = 3", "y = 3")
    ('yes', 'no')
    """
    if len(a) > LONGEST or len(b) > LONGEST:
        return "unsure"
    a, b = narrow(a).strip().rstrip(".").strip(), narrow(b).strip().rstrip(".").strip()
    sides, others = _RELATION.split(a), _RELATION.split(b)
    if len(sides) != len(others):
        return "unsure"
    if len(sides) == 1:
        return _same_words(a, b) or _in_all_readings(a, b)
    signs, other_signs = (
        [_RELATIONS[sign] for sign in _RELATION.findall(a)],
        [_RELATIONS[sign] for sign in _RELATION.findall(b)],
    )
    if len(signs) > 3:
        return "unsure"
    straight = _same_chain(sides, signs, others, other_signs)
    if straight != "yes" and len(signs) > 1:
        turned = [_TURNED.get(sign, sign) for sign in reversed(other_signs)]
        back = _same_chain(sides, signs, others[::-1], turned)
        return back if back == "yes" or straight == "no" else straight
    return straight


def _same_words(a: str, b: str) -> Same | None:
    # A run of letters alone may be a word, and "on" is not "no" although n times o is o times n.
    if not (_WORD.fullmatch(a) and _WORD.fullmatch(b)):
        return None
    if a == b:
        return "yes"
    return "unsure" if sorted(a) == sorted(b) else "no" if min(len(a), len(b)) > 3 else None


def _in_all_readings(a: str, b: str) -> Same:
    found: list[Same] = []
    for first, second, natural in _readings(a, b):
        found.append(_same_programs(first, second, natural))
        if found[-1] == "unsure" or found[-1] != found[0]:
            return "unsure"
    return found[0] if found else "unsure"


def _readings(a: str, b: str) -> Iterator[tuple[Program, Program, bool]]:
    first, second = parse(a), parse(b)
    if first is None or second is None:
        return
    logs = (False, True) if first.has("call", "log") or second.has("call", "log") else (False,)
    for natural in logs:
        yield first, second, natural
        for one in _tight(a, first):
            for other in _tight(b, second):
                if one is not first or other is not second:
                    yield one, other, natural


def _tight(text: str, loose: Program) -> list[Program]:
    tight = parse(text, Reading(tight=True)) if loose.tight_matters else None
    return [loose] if tight is None else [loose, tight]


def _same_programs(a: Program, b: Program, natural: bool) -> Same:
    names = tuple(sorted({*a.names, *b.names}))
    if len(names) > _MOST_NAMES:
        return "unsure"
    real = not (a.has("constant", "i") or b.has("constant", "i"))
    if not names:
        values, others = _values(a, {}, natural, False), _values(b, {}, natural, False)
        return "unsure" if None in values or None in others else "yes" if _as_sets(values, others) else "no"
    for whole in (False, True):
        agreed = 0
        for point in points(names, whole):
            values, others = _values(a, point, natural, real), _values(b, point, natural, real)
            if None in values or None in others:
                continue
            if not _as_sets(values, others):
                return "no"
            agreed += 1
            if agreed == ENOUGH:
                break
        if agreed >= FEWEST:
            return "yes"
    return "unsure"


def _values(program: Program, point: dict[str, Value], natural: bool, real: bool) -> list[Value | None]:
    signs = (1, -1) if has_sign(program) else (1,)
    return [value_of(program, point, Mode(natural=natural, real=real, sign=sign)) for sign in signs]


def _as_sets(values: list[Value | None], others: list[Value | None]) -> bool:
    return all(any(close(a, b) for b in others) for a in values) and all(
        any(close(a, b) for a in values) for b in others
    )


def _same_chain(sides: list[str], signs: list[str], others: list[str], other_signs: list[str]) -> Same:
    found: list[Same] = []
    for place, sign in enumerate(signs):
        pair, other = sides[place : place + 2], others[place : place + 2]
        found.append(_same_relation(pair, sign, other, other_signs[place]))
    return "no" if "no" in found else "unsure" if "unsure" in found else "yes"


def _same_relation(pair: list[str], sign: str, other: list[str], other_sign: str) -> Same:
    if sign in (">", "≥"):
        pair, sign = pair[::-1], _TURNED[sign]
    if other_sign in (">", "≥"):
        other, other_sign = other[::-1], _TURNED[other_sign]
    programs = [parse(side) for side in (*pair, *other)]
    if None in programs or any(program is not None and has_sign(program) for program in programs):
        if pair[0].strip() == other[0].strip() and sign == other_sign:
            return _in_all_readings(pair[1], other[1])
        return "unsure"
    a, b, c, d = (program for program in programs if program is not None)
    if any(program.tight_matters for program in (a, b, c, d)):
        return "unsure"
    first = Difference(a, b, tuple(sorted({*a.names, *b.names})))
    second = Difference(c, d, tuple(sorted({*c.names, *d.names})))
    if sign != other_sign:
        return "unsure" if "≈" in (sign, other_sign) else "no"
    return same_difference(first, second, directed=sign in ("<", "≤"))
