"""Arithmetic within limits: exact as long as numbers are short, then in floats, and refused beyond those."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

Value = int | Fraction | float | complex

#: Exact numbers have no more bits than this above or below the line.
MOST_BITS = 2048
_LARGEST_FACTORIAL = 250
_LARGEST_ROOT = 64


class Refused(Exception):
    """The text is no expression that is understood, or its value is none or too large."""


def settled(value: Value) -> Value:
    """The same value in its plainest type: whole numbers as int, long fractions as float, no infinity."""
    if isinstance(value, int):
        return value if value.bit_length() <= MOST_BITS else _afloat(value)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return settled(value.numerator)
        short = value.numerator.bit_length() <= MOST_BITS and value.denominator.bit_length() <= MOST_BITS
        return value if short else _afloat(value)
    if isinstance(value, complex):
        if not cmath.isfinite(value):
            raise Refused
        whole = value.imag == 0 or abs(value.imag) <= 1e-14 * abs(value.real)
        return value.real if whole else value
    if not math.isfinite(value):
        raise Refused
    return value


def _afloat(value: int | Fraction) -> float:
    try:
        made = float(value)
    except OverflowError:
        raise Refused from None
    if made == 0 and value:
        raise Refused
    return made


def add(a: Value, b: Value) -> Value:
    """The sum."""
    if type(a) is int and type(b) is int:
        return a + b
    return settled(_joined(a) + _joined(b) if _mixed(a, b) else a + b)


def multiply(a: Value, b: Value) -> Value:
    """The product."""
    return settled(_joined(a) * _joined(b) if _mixed(a, b) else a * b)


def divide(a: Value, b: Value) -> Value:
    """The quotient; refused for a divisor of zero."""
    if b == 0:
        raise Refused
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return settled(Fraction(a, b) if type(a) is int and type(b) is int else Fraction(a) / b)
    return settled(_joined(a) / _joined(b))


def _mixed(a: Value, b: Value) -> bool:
    return isinstance(a, int | Fraction) is not isinstance(b, int | Fraction)


def _joined(a: Value) -> float | complex:
    return _afloat(a) if isinstance(a, int | Fraction) else a


def power(base: Value, exponent: Value) -> Value:
    """The power: exact where it is short, the real one of an odd root, else the principal one."""
    if base == 0:
        if isinstance(exponent, complex) or exponent <= 0:
            raise Refused
        return 0
    if isinstance(base, int | Fraction):
        if type(exponent) is int:
            return _whole_power(base, exponent)
        if isinstance(exponent, Fraction) and exponent.denominator <= _LARGEST_ROOT:
            return power(root(exponent.denominator, base), exponent.numerator)
    return _float_power(_joined(base), _joined(exponent))


def _whole_power(base: int | Fraction, exponent: int) -> Value:
    if base in (1, -1):
        return base if exponent % 2 else 1
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * min(abs(exponent), MOST_BITS + 1) <= MOST_BITS:
        return settled(Fraction(base) ** exponent if exponent < 0 else base**exponent)
    return _float_power(_afloat(base), _afloat(exponent))


def _float_power(base: float | complex, exponent: float | complex) -> Value:
    try:
        made: complex | float = base**exponent
    except (OverflowError, ZeroDivisionError, ValueError):
        raise Refused from None
    if made == 0:
        raise Refused
    return settled(made)


def root(degree: Value, value: Value) -> Value:
    """The root: exact where there is one, real for odd degrees, else the principal one."""
    if type(degree) is not int or not 0 < degree <= _LARGEST_ROOT:
        return power(value, divide(1, degree))
    if isinstance(value, complex):
        return settled(value ** (1 / degree))
    if value < 0 and degree % 2:
        return settled(-root(degree, -value))
    if isinstance(value, int | Fraction):
        exact = _exact_root(degree, -value if value < 0 else value)
        if exact is not None:
            return exact if value >= 0 or degree == 1 else _turned(degree, exact)
    if degree == 2 and value < 0:
        return settled(cmath.sqrt(value))
    made: float | complex = _joined(value) ** (1 / degree)
    return settled(made)


def _turned(degree: int, size: int | Fraction) -> Value:
    return settled(complex(0, _afloat(size))) if degree == 2 else settled(_afloat(size) * (-1) ** (1 / degree))


def _exact_root(degree: int, value: int | Fraction) -> int | Fraction | None:
    above, below = _whole_root(degree, value.numerator), _whole_root(degree, value.denominator)
    if above is None or below is None:
        return None
    return above if below == 1 else Fraction(above, below)


def _whole_root(degree: int, value: int) -> int | None:
    if value < 2:
        return value
    if degree == 2:
        guess = math.isqrt(value)
    elif value.bit_length() > 1000:
        return None
    else:
        guess = round(value ** (1 / degree))
    return guess if guess**degree == value else None


def factorial(value: Value) -> Value:
    """The factorial of a whole number; refused for others and for large ones."""
    if type(value) is not int or not 0 <= value <= _LARGEST_FACTORIAL:
        raise Refused
    return settled(math.factorial(value))


def binomial(n: Value, k: Value) -> Value:
    """How many ways there are to choose k of n."""
    if type(n) is not int or type(k) is not int or not 0 <= k <= n <= _LARGEST_FACTORIAL:
        raise Refused
    return settled(math.comb(n, k))


def size(value: Value) -> Value:
    """The absolute value."""
    if isinstance(value, complex):
        return settled(abs(value))
    return -value if value < 0 else value


def logarithm(base: Value, value: Value) -> Value:
    """The logarithm; exact for a whole power of a whole base."""
    if value == 0 or base in (0, 1):
        raise Refused
    if type(base) is int and isinstance(value, int | Fraction) and base > 1 and value > 0:
        exact = _exact_logarithm(base, Fraction(value))
        if exact is not None:
            return exact
    return divide(natural(value), natural(base))


def _exact_logarithm(base: int, value: Fraction) -> int | None:
    sign, number = (1, value.numerator) if value.denominator == 1 else (-1, value.denominator)
    if value != (number if sign > 0 else Fraction(1, number)):
        return None
    guess = round(number.bit_length() / base.bit_length()) if number > 1 else 0
    guess = round(math.log(number, base)) if number.bit_length() < 1000 else guess
    return sign * guess if base**guess == number else None


def natural(value: Value) -> Value:
    """The natural logarithm, complex for negative numbers."""
    if value == 0:
        raise Refused
    number = _joined(value)
    return settled(cmath.log(number) if isinstance(number, complex) or number < 0 else math.log(number))
