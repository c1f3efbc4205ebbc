"""Whether the equations of the reasoning hold."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted
from operators.onevision.model.records import Check
from operators.verify.expressions import evaluate
from operators.verify.expressions.equations import Equation

_CODE = "rewrite.equation"
#: A sign of arithmetic between two numbers, with a unit behind the first.
_COMPUTED = re.compile(r"\d[^\d=+*/×÷·−-]{0,12}[+*/×÷·−-][^\d=]{0,6}\d")
_UNITS = re.compile(r"[A-Za-z°Ωμ㐀-鿿$€]+[²³]?(?:/[A-Za-z]+[²³]?)?")
#: What may change the value without being seen here: percent, functions.
_OTHER = re.compile(r"%|\\?\b(?:sin|cos|tan|sqrt|log|ln)|√")
_SIGNS = frozenset("+*/×÷·−-^(√")
#: Beyond this share a gap is none of rounding.
_ROUNDING = 0.03
_LARGEST = 10**15


def equation_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the numeric equations that the reasoning claims."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    for equation in equations:
        if equation.holds is False or (_is_off(equation) and not _is_torn(equation, row.thinking)):
            return Check(_CODE, "failed", f"{quoted(equation.text)} does not hold")
    return Check(_CODE, "passed", f"{len(equations)} equations" if equations else "it has no equations")


def _is_off(equation: Equation) -> bool:
    """Whether a computation with one unit, or none, comes to another number than is written behind it."""
    if equation.relation != "=" or equation.holds or _OTHER.search(equation.text):
        return False
    units = [set(_UNITS.findall(side)) for side in (equation.left, equation.right)]
    if not _COMPUTED.search(equation.left) or _COMPUTED.search(equation.right) or len(units[0] | units[1]) > 1:
        return False
    left, right = _value_of(equation.left), _value_of(equation.right)
    if left is None or right is None:
        return False
    exact = not re.search(r"[./÷]", equation.text)
    return not math.isclose(left, right, rel_tol=1e-9 if exact else _ROUNDING, abs_tol=1e-9)


def _is_torn(equation: Equation, text: str) -> bool:
    """Whether an equation begins in the middle of another one."""
    return text[: max(text.find(equation.text), 0)].rstrip()[-1:] in _SIGNS


def _value_of(side: str) -> float | None:
    """The value of one side without its units; None if it has none, or one that is too large."""
    value = evaluate(_UNITS.sub("", side))
    if value is None or isinstance(value, complex):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) <= _LARGEST else None
