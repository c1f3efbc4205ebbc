"""Two expressions, equations or inequalities compared by their values at chosen points."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from operators.verify.answer import Sameness, worst
from operators.verify.expressions.evaluation import Mode, Value, add, divide, has_sign, multiply, root, value_of
from operators.verify.expressions.parser import Program, parse
from operators.verify.expressions.tokens import LONGEST, Refused, narrow

_MOST_NAMES = 12

_RELATIONS = {
    "==": "=", "=": "=", "<": "<", ">": ">", "<=": "≤", ">=": "≥", "≤": "≤", "≥": "≥", "!=": "≠", "≠": "≠",
    r"\leq": "≤", r"\le": "≤", r"\leqslant": "≤", r"\geq": "≥", r"\ge": "≥", r"\geqslant": "≥", r"\lt": "<",
    r"\gt": ">", r"\neq": "≠", r"\ne": "≠", "≈": "≈", r"\approx": "≈",
}  # fmt: skip
_RELATION = re.compile(r"\\(?:leqslant|geqslant|leq|geq|neq|approx|le|ge|lt|gt|ne)(?![A-Za-z])|[<>=!]=|[<>=≤≥≠≈]")
_TURNED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
_WORD = re.compile(r"[A-Za-z]{2,}")

_REAL = Mode(real=True)
_FREE = Mode()

#: Expressions that agree at so many points are the same.
ENOUGH = 6
#: Fewer points than this decide nothing.
FEWEST = 4
_POINTS = 20
#: Numbers that are not exact are equal up to this share.
CLOSE = 1e-9


def same_expression(a: str, b: str) -> Sameness:
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
    signs, other_signs = ([_RELATIONS[sign] for sign in _RELATION.findall(text)] for text in (a, b))
    if len(signs) > 3:
        return "unsure"
    straight = _same_chain(sides, signs, others, other_signs)
    if straight != "yes" and len(signs) > 1:
        turned = [_TURNED.get(sign, sign) for sign in reversed(other_signs)]
        back = _same_chain(sides, signs, others[::-1], turned)
        return back if back == "yes" or straight == "no" else straight
    return straight


def _same_words(a: str, b: str) -> Sameness | None:
    # A run of letters alone may be a word, and "on" is not "no" although n times o is o times n.
    if not (_WORD.fullmatch(a) and _WORD.fullmatch(b)):
        return None
    if a == b:
        return "yes"
    return "unsure" if sorted(a) == sorted(b) else "no" if min(len(a), len(b)) > 3 else None


def _in_all_readings(a: str, b: str) -> Sameness:
    found: list[Sameness] = []
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
        for one, other in product(_tight(a, first), _tight(b, second)):
            yield one, other, natural


def _tight(text: str, loose: Program) -> list[Program]:
    tight = parse(text, tight=True) if loose.tight_matters else None
    return [loose] if tight is None else [loose, tight]


def _same_programs(a: Program, b: Program, natural: bool) -> Sameness:
    names = _names_of(a, b)
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


def _same_chain(sides: list[str], signs: list[str], others: list[str], other_signs: list[str]) -> Sameness:
    return worst(
        _same_relation(sides[place : place + 2], sign, others[place : place + 2], other_signs[place])
        for place, sign in enumerate(signs)
    )


def _same_relation(pair: list[str], sign: str, other: list[str], other_sign: str) -> Sameness:
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
    first, second = Difference(a, b), Difference(c, d)
    if sign != other_sign:
        return "unsure" if "≈" in (sign, other_sign) else "no"
    return same_difference(first, second, directed=sign in ("<", "≤"))


def same_difference(a: Difference, b: Difference, directed: bool) -> Sameness:
    """Whether two differences are zero together (and, if directed, negative together).

    "yes" if their quotient is the same everywhere (above zero, if directed); "no" if a point where one is zero
    is not one of the other's; else "unsure".
    """
    names = _names_of(a, b)
    if not names:
        return "unsure"
    ratio = _ratio(a, b, names)
    if ratio is not None:
        above_zero = not isinstance(ratio, complex) and ratio > 0
        return "yes" if above_zero or not directed else "no"
    apart = _has_other_zeros(a, b, names) or _has_other_zeros(b, a, names)
    return "no" if apart else "unsure"


def _ratio(a: Difference, b: Difference, names: tuple[str, ...]) -> Value | None:
    found: Value | None = None
    agreed = 0
    for point in points(names):
        first, second = a.at(point, _REAL), b.at(point, _REAL)
        if first is None or second is None:
            continue
        if first == 0 or second == 0:
            return None
        ratio = divide(first, second)
        if found is not None and not close(found, ratio):
            return None
        found = ratio
        agreed += 1
        if agreed == ENOUGH:
            break
    return found if agreed >= FEWEST else None


def _has_other_zeros(a: Difference, b: Difference, names: tuple[str, ...]) -> bool:
    """Whether some zero of the first difference is surely none of the second's."""
    for point in list(points(names))[:6]:
        for name in a.names:
            for zero in _zeros(a, point, name):
                value = b.at({**point, name: zero}, _FREE)
                if value is not None and abs(complex(value)) > 1e-6:
                    return True
    return False


def _zeros(difference: Difference, point: dict[str, Value], name: str) -> list[Value]:
    """Where the difference is zero as one name changes, if it is a polynomial of degree one or two in it."""
    values = [difference.at({**point, name: at}, _FREE) for at in (0, 1, -1, 2, Fraction(7, 3))]
    if None in values:
        return []
    middle, one, minus, two, check = (value for value in values if value is not None)
    try:
        square = add(divide(add(one, minus), 2), multiply(-1, middle))
        slope = divide(add(one, multiply(-1, minus)), 2)
        for at, value in ((2, two), (Fraction(7, 3), check)):
            if not close(value, add(add(multiply(multiply(square, at), at), multiply(slope, at)), middle)):
                return []
        if square == 0:
            return [] if slope == 0 else [divide(multiply(-1, middle), slope)]
        inside = add(multiply(slope, slope), multiply(-4, multiply(square, middle)))
        turn, below = root(2, inside), multiply(2, square)
        return [divide(add(multiply(-1, slope), multiply(sign, turn)), below) for sign in (1, -1)]
    except Refused:
        return []


def close(a: Value | None, b: Value | None) -> bool:
    """Whether two values are equal: exactly if both are exact, else to nine digits.

    >>> close(Fraction(1, 3), 0.3333333333333333), close(Fraction(1, 3), Fraction(33333, 100000))
    (True, False)
    """
    if a is None or b is None:
        return False
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a == b
    try:
        first, second = complex(a), complex(b)
        # What is left of a difference that should be nothing is next to nothing.
        return abs(first - second) <= max(CLOSE * max(abs(first), abs(second)), 1e-13 if 0 in (a, b) else 0.0)
    except OverflowError:
        return False


@lru_cache(maxsize=64)
def _coordinates(count: int, whole: bool) -> tuple[tuple[Fraction | int, ...], ...]:
    stream = random.Random(f"points of {count} names, whole: {whole}")  # noqa: S311 - no secret
    made = []
    for number in range(_POINTS):
        point: list[Fraction | int] = []
        for _ in range(count):
            if whole:
                point.append(stream.randint(2, 12) if number % 2 else stream.randint(1, 40))
            else:
                below = stream.choice((7, 11, 13, 17, 19))
                size = Fraction(stream.randint(1, (1, 3, 9)[number % 3] * below - 1), below)
                point.append(size if number % 2 == 0 or stream.random() < 0.3 else -size)
        made.append(tuple(point))
    return tuple(made)


def points(names: tuple[str, ...], whole: bool = False) -> Iterator[dict[str, Value]]:
    """Values for these names: fractions of both signs, small and larger, or whole numbers; the same in every run."""
    for point in _coordinates(len(names), whole):
        yield dict(zip(names, point, strict=True))


@dataclass(frozen=True, slots=True)
class Difference:
    """An equation or inequality as what stands on its left less what stands on its right."""

    left: Program
    right: Program

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it."""
        return _names_of(self.left, self.right)

    def at(self, point: dict[str, Value], mode: Mode) -> Value | None:
        """The difference at a point."""
        first, second = value_of(self.left, point, mode), value_of(self.right, point, mode)
        if first is None or second is None:
            return None
        if close(first, second):
            return 0
        return first - second if type(first) is type(second) else complex(first) - complex(second)


def _names_of(one: Program | Difference, other: Program | Difference) -> tuple[str, ...]:
    return tuple(sorted({*one.names, *other.names}))
