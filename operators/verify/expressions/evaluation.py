"""The value of an expression, exact where it can be, in bounded time."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from operators.verify.expressions.parser import Program, Reading, parse
from operators.verify.expressions.values import (
    Refused,
    Value,
    add,
    binomial,
    divide,
    factorial,
    logarithm,
    multiply,
    natural,
    power,
    root,
    settled,
)
from operators.verify.expressions.values import size as absolute

_CONSTANTS: dict[str, Value] = {"pi": math.pi, "e": math.e, "i": 1j}


class Mode(NamedTuple):
    """What evaluation takes for granted: angles without a sign in degrees, log as natural, reals only, ± as + or -."""

    degrees: bool = False
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
    if program is None or program.names or program.has("±") or program.has("∓") or has_sign(program):
        return None
    value = value_of(program)
    if program.tight_matters:
        other = parse(text, Reading(tight=True))
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
    "°": lambda a, mode: a if mode.degrees else multiply(a, math.pi / 180),
}


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
    return _trigonometric(name, argument, mode)


def _trigonometric(name: str, argument: Value, mode: Mode) -> Value:
    number = complex(argument)
    if not cmath.isfinite(number) or abs(number) > 1e9:
        raise Refused
    if name.startswith("arc"):
        angle = _inverse(name[3:], number)
        return settled(angle * 180 / math.pi if mode.degrees else angle)
    if mode.degrees and not name.endswith("h"):
        number *= math.pi / 180
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
