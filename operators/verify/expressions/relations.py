"""Two equations or inequalities compared: the same if one difference is a fixed multiple of the other."""

from __future__ import annotations

from fractions import Fraction

from .evaluation import Mode
from .sampling import ENOUGH, FEWEST, Difference, Same, close, points
from .values import Refused, Value, add, divide, multiply, root

_REAL = Mode(real=True)
_FREE = Mode()


def same_difference(a: Difference, b: Difference, directed: bool) -> Same:
    """Whether two differences are zero together (and, if directed, negative together).

    "yes" if their quotient is the same everywhere (above zero, if directed); "no" if a point where one is zero
    is not one of the other's; else "unsure".
    """
    names = tuple(sorted({*a.names, *b.names}))
    if not names:
        return "unsure"
    ratio = _ratio(a, b, names)
    if ratio is not None:
        return "yes" if not directed or _above_zero(ratio) else "no"
    apart = _has_other_zeros(a, b, names) or _has_other_zeros(b, a, names)
    return "no" if apart else "unsure"


def _above_zero(ratio: Value) -> bool:
    return not isinstance(ratio, complex) and ratio > 0


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
