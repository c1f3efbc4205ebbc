"""The value of an expression, exact where it can be, in bounded time.

Arithmetic is exact as long as numbers are short, then in floats, and refused beyond those.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from operators.verify.expressions.parser import Program, parse
from operators.verify.expressions.tokens import Refused

Value = int | Fraction | float | complex

#: Exact numbers have no more bits than this above or below the line.
_MOST_BITS = 2048
_LARGEST_FACTORIAL = 250
_LARGEST_ROOT = 64

_CONSTANTS: dict[str, Value] = {"pi": math.pi, "e": math.e, "i": 1j}


class Mode(NamedTuple):
    """What evaluation takes for granted: log as natural, reals only, ± as + or -."""

    natural: bool = False
    real: bool = False
    sign: int = 1


def evaluate(text: str) -> Fraction | float | complex | None:
    """The value of an arithmetic expression in plain text or LaTeX; exact unless it is irrational or too long.

    None for what is no arithmetic (names, relations, words), has no value, two values (±) or two readings
    that differ (``1/2(3+1)``), or is too large.

    >>> evaluate("2 1/2 + 0.1"), evaluate(r"\\frac{1}{3} \\cdot 6"), evaluate("√16 - 2³")
    (Fraction(13, 5), Fraction(2, 1), Fraction(-4, 1))
    >>> evaluate("10^{10^{10}}") is None, evaluate("12:30") is None
    (True, True)
    """
    program = parse(text)
    if program is None or program.names or has_sign(program):
        return None
    value = value_of(program)
    if program.tight_matters:
        other = parse(text, tight=True)
        if other is None or value_of(other) != value:
            return None
    return Fraction(value) if isinstance(value, int) else value


def has_sign(program: Program) -> bool:
    """Whether a plus-minus sign gives the expression two values."""
    return any(program.has(step) for step in ("±", "∓", "±neg", "∓neg"))


def value_of(program: Program, names: Mapping[str, Value] | None = None, mode: Mode = Mode()) -> Value | None:  # noqa: B008
    """The value of a program where its names have these values; None if there is none."""
    try:
        return _run(program, names or {}, mode)
    except (Refused, ZeroDivisionError, OverflowError, ValueError, KeyError):
        return None


def _run(program: Program, names: Mapping[str, Value], mode: Mode) -> Value:
    stack: list[Value] = []
    for operation, argument in program.steps:
        if operation == "number":
            stack.append(argument)  # type: ignore[arg-type]
            continue
        if operation == "name":
            stack.append(names[str(argument)])
            continue
        if operation == "constant":
            stack.append(_CONSTANTS[str(argument)])
            continue
        if operation in _OF_TWO:
            second = stack.pop()
            value = _OF_TWO[operation](stack[-1], second)
        elif operation == "call":
            value = _called(str(argument), stack, mode)
        elif operation in ("±", "∓"):
            second = stack.pop()
            value = add(stack[-1], second if (operation == "±") is (mode.sign > 0) else multiply(-1, second))
        else:
            value = _OF_ONE[operation](stack[-1], mode)
        if mode.real and type(value) is complex:
            raise Refused
        stack[-1] = value
    return settled(stack.pop())


def _called(name: str, stack: list[Value], mode: Mode) -> Value:
    argument = stack[-1]
    if name == "log base":
        # The base was put down before the argument.
        stack.pop()
        return logarithm(stack[-1], argument)
    if name in ("log", "lg"):
        return natural(argument) if mode.natural and name == "log" else logarithm(10, argument)
    if name == "ln":
        return 0 if argument == 1 else 1 if argument == math.e else natural(argument)
    if name == "abs":
        return absolute(argument)
    if name in ("sqrt", "cbrt"):
        return root(2 if name == "sqrt" else 3, argument)
    if name == "exp":
        return power(math.e, argument)
    return _trigonometric(name, argument)


def _trigonometric(name: str, argument: Value) -> Value:
    number = complex(argument)
    if not cmath.isfinite(number) or abs(number) > 1e9:
        raise Refused
    if name.startswith("arc"):
        return settled(_inverse(name[3:], number))
    if name in ("sinh", "cosh", "tanh"):
        return settled(getattr(cmath, name)(number))
    if name in ("sin", "cos"):
        return _rounded(getattr(cmath, name)(number))
    above, below = {"tan": ("sin", "cos"), "cot": ("cos", "sin"), "sec": ("", "cos"), "csc": ("", "sin")}[name]
    divisor = _rounded(getattr(cmath, below)(number))
    return divide(_rounded(getattr(cmath, above)(number)) if above else 1, divisor)


def _rounded(value: complex) -> Value:
    # sin(pi) is zero, not 1.2e-16; what is divided by it has no value.
    real = 0.0 if abs(value.real) < 1e-15 and abs(value.imag) < 1e-15 else value.real
    return settled(complex(real, value.imag))


def _inverse(name: str, number: complex) -> complex:
    if name in ("cot", "sec", "csc"):
        if number == 0:
            if name == "cot":
                return complex(math.pi / 2)
            raise Refused
        number = 1 / number
        name = {"cot": "tan", "sec": "cos", "csc": "sin"}[name]
    made: complex = {"sin": cmath.asin, "cos": cmath.acos, "tan": cmath.atan}[name](number)
    return made


def settled(value: Value) -> Value:
    """The same value in its plainest type: whole numbers as int, long fractions as float, no infinity."""
    if isinstance(value, int):
        return value if value.bit_length() <= _MOST_BITS else _afloat(value)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return settled(value.numerator)
        short = value.numerator.bit_length() <= _MOST_BITS and value.denominator.bit_length() <= _MOST_BITS
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
    if bits * min(abs(exponent), _MOST_BITS + 1) <= _MOST_BITS:
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


def absolute(value: Value) -> Value:
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


def _whole(of: Callable[..., int]) -> Callable[[Value, Value], Value]:
    def made(a: Value, b: Value) -> Value:
        if type(a) is not int or type(b) is not int:
            raise Refused
        return of(a, b)

    return made


def _extreme(of: Callable[..., Value]) -> Callable[[Value, Value], Value]:
    def made(a: Value, b: Value) -> Value:
        if isinstance(a, complex) or isinstance(b, complex):
            raise Refused
        return of(a, b)

    return made


_OF_TWO: dict[str, Callable[[Value, Value], Value]] = {
    "+": add, "-": lambda a, b: add(a, multiply(-1, b)),
    "*": multiply, "/": divide, "^": power, "root": root, "binom": binomial,
    "min": _extreme(min), "max": _extreme(max), "gcd": _whole(math.gcd), "lcm": _whole(math.lcm),
}  # fmt: skip
_OF_ONE: dict[str, Callable[[Value, Mode], Value]] = {
    "neg": lambda a, mode: multiply(-1, a),
    "±neg": lambda a, mode: multiply(mode.sign, a),
    "∓neg": lambda a, mode: multiply(-mode.sign, a),
    "!": lambda a, mode: factorial(a),
    "%": lambda a, mode: divide(a, 100),
    "°": lambda a, mode: multiply(a, math.pi / 180),
}
