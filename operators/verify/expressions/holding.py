"""Whether two sides stand in the relation that a text says they do: yes, no, or not to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .conversions import converted_factors, is_coherent
from .sides import Side, values_of
from .units import conversion
from .values import Value

#: A statement of about equal numbers holds up to this share, whatever its digits.
ABOUT = 0.01
#: It fails for sure beyond this share.
FAR = 0.05
_EXACT = 1e-9
#: Whole numbers are the result of rounding up to this share.
_WHOLE = 0.02
#: Rounding to more than this share of the number is no rounding.
_COARSE = 0.1


def holds(left: Side, relation: str, right: Side, names: Mapping[str, Value] | None = None) -> bool | None:
    """Whether the relation holds in some reading; False only where units and rounding cannot explain the gap.

    None where a side has no value.
    """
    if not names and relation in ("=", "≈") and (found := converted(left, relation, right)) is not None:
        return found
    firsts, seconds = values_of(left, names), values_of(right, names)
    if not firsts or not seconds:
        return None
    pairs = [(first, second) for first in firsts for second in seconds]
    if relation == "≠":
        return _judged(not any(_equal(a, b) for a, b in pairs), left, right, pairs)
    if relation in ("<", ">", "≤", "≥"):
        return _judged(any(_ordered(a, relation, b) for a, b in pairs), left, right, pairs)
    if any(_equal(a, b) or _rounded(a, b, left, right) for a, b in pairs):
        return True
    if relation == "≈" and any(abs(a - b) <= _about(a, b, left, right) for a, b in pairs):
        return True
    if any(_nearly(a, b, left, right, relation) for a, b in pairs):
        return None
    return _judged(False, left, right, pairs)


def converted(left: Side, relation: str, right: Side) -> bool | None:
    """Whether one quantity is another in other units; None unless each is a number and a unit of the same thing."""
    if not (left.bare and right.bare and len(left.units) == len(right.units) == 1) or left.units == right.units:
        return None
    factors = converted_factors(left.units[0], right.units[0])
    firsts, seconds = values_of(left), values_of(right)
    if factors is None or not firsts or not seconds:
        return None
    first, second = float(firsts[0]) * factors[0], float(seconds[0]) * factors[1]
    gap, size = abs(first - second), max(abs(first), abs(second))
    step = max((left.step or 0.0) * factors[0], (right.step or 0.0) * factors[1])
    if gap <= _EXACT * size or gap <= min(0.5 * step, _WHOLE * size) or (relation == "≈" and gap <= FAR * size):
        return True
    return None if gap <= FAR * size else False


def _equal(a: float, b: float) -> bool:
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a == b
    return abs(a - b) <= _EXACT * max(abs(a), abs(b)) or abs(a - b) < 1e-14


def _ordered(a: float, relation: str, b: float) -> bool:
    if _equal(a, b):
        return relation in ("≤", "≥")
    return a < b if relation in ("<", "≤") else a > b


def _rounded(a: float, b: float, left: Side, right: Side) -> bool:
    """Whether one side is the other, rounded to the digits that are written."""
    for value, side, other in ((b, right, left), (a, left, right)):
        step = side.step
        # Whole numbers added and multiplied are never rounded.
        if step is None or other.whole or (other.bare and (other.step or 0) >= step):
            continue
        exact = a if side is right else b
        percent = 0.01 if "%" in side.expression and abs(value) < abs(float(exact)) * 1.5 and abs(value) <= 10 else 1.0
        shown = step * (percent if _is_share(side, value) else 1.0)
        if step >= 1 and shown == step and abs(exact - value) > _WHOLE * abs(exact):
            # 7 ÷ 6 is not 1.
            continue
        if abs(exact - value) <= shown * 0.5 * (1 + 1e-9) and abs(exact - value) <= _COARSE * 2 * abs(exact) + 1e-12:
            return True
    return False


def _is_share(side: Side, value: float) -> bool:
    values = values_of(side)
    return "%" in side.expression and len(values) > 1 and value == values[0]


def _about(a: float, b: float, left: Side, right: Side) -> float:
    size = max(abs(a), abs(b))
    step = max(left.significant_step(), right.significant_step())
    return float(max(ABOUT * size, min(0.5 * step, _COARSE * size))) * (1 + 1e-9)


def _nearly(a: float, b: float, left: Side, right: Side, relation: str) -> bool:
    """Whether rounding on the way, or digits cut off, may explain the gap."""
    gap, size = float(abs(a - b)), float(max(abs(a), abs(b)))
    if relation == "≈":
        return gap <= max(FAR * size, 2 * _about(a, b, left, right))
    if left.whole and right.whole:
        return False
    blur = left.blur(float(a)) + right.blur(float(b))
    cut = max((side.step or 0.0) * (0.01 if _is_share(side, v) else 1) for side, v in ((left, a), (right, b)))
    inexact = not (left.whole or right.whole) or blur > 0 or "/" in left.expression + right.expression
    if cut >= 1 and not blur and gap > FAR * size:
        return False
    return gap <= blur * (1 + 1e-9) or (inexact and gap < cut * (1 - 1e-9) and gap <= 0.2 * size)


def _judged(found: bool, left: Side, right: Side, pairs: list[tuple[float, float]]) -> bool | None:
    if found:
        return True
    if left.scaled or right.scaled:
        return None
    units = {*left.units, *right.units}
    if any(side.added and (len(set(side.units)) > 1 or len(set(side.labels)) > 1) for side in (left, right)):
        return None
    if left.bare and right.bare:
        return None if units else False
    if not units or (len(units) == 1 and left.units and right.units):
        return False
    if left.tight_unit and not right.units:
        return None
    if left.bare and left.units:
        return None
    if any(unit.startswith(("°C", "°F", "K")) or unit.endswith("度") for unit in units):
        return None
    if left.units and right.units and all(map(is_coherent, units)):
        return False
    return None if any(conversion(float(a), float(b), units) for a, b in pairs) else False
