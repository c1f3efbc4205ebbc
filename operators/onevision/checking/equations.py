"""Whether the equations of the reasoning hold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from operators.onevision.checking.computing import convertible, may_convert
from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted
from operators.onevision.records import Check
from operators.verify.expressions import evaluate
from operators.verify.expressions.equations import Equation

_CODE = "rewrite.equation"
#: A sign of arithmetic between two numbers, with a unit behind the first.
_COMPUTED = re.compile(r"\d[^\d=+*/×÷·−-]{0,12}[+*/×÷·−-][^\d=]{0,6}\d")
_WHOLE = re.compile(r"[./÷]")
_UNITS = re.compile(r"[A-Za-z°Ωμ㐀-鿿$€%]+[²³]?(?:/[A-Za-z]+[²³]?)?")
_FUNCTION = re.compile(r"\\?\b(?:sin|cos|tan|sqrt)")
#: A number with its unit.
_ONE = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)\s*([A-Za-zΩμ/]{1,12}|[㐀-鿿]{1,3})")
#: Like terms added up.
_LIKE = re.compile(
    r"(?<![\w.^+*/)−-])(?<![+*/)−-] )(\d{0,6}[a-z]{1,3})((?: ?[-+−] ?\d{0,6}[a-z]{1,3}){1,6})"
    r" ?= ?(\d{0,6}[a-z]{1,3})(?![\w^(])(?! ?[-+−*/(^])"
)
_TERM = re.compile(r"([-+−]?) ?(\d{0,6})([a-z]{1,3})")
_SIGNS = frozenset("+*/×÷·−-^(√")
#: A gap that rounding does not explain, one that is no rounding to a whole number, and ratios of units.
_GAP = 0.03
_COARSE = 0.1
_ROUNDED = 1e-3
_LARGEST = 10**15
_RATIOS = (3.6, 60.0, 3600.0, 24.0, 7.0, 1.8)


def equation_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the numeric equations that the reasoning claims; one that seems not to hold leaves it open."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    if wrong := _like_terms(row.thinking):
        return Check(_CODE, "failed", f"{quoted(wrong)} does not hold")
    doubted = None
    for equation in _whole(row.thinking, equations):
        if equation.holds is False:
            return Check(_CODE, "failed", f"{quoted(equation.text)} does not hold")
        if _seems_off(equation):
            if _plain(equation):
                return Check(_CODE, "failed", f"{quoted(equation.text)} does not hold")
            if doubted is not None:
                continue
            doubted = Check(_CODE, "unsure", f"{quoted(equation.text)} seems not to hold")
    return doubted or Check(_CODE, "passed", f"{len(equations)} equations" if equations else "it has no equations")


def _whole(text: str, equations: Sequence[Equation]) -> Iterator[Equation]:
    """The equations that do not begin in the middle of one."""
    start = 0
    for equation in equations:
        place = text.find(equation.text, start)
        if place >= 0:
            start = place
            if text[:place].rstrip()[-1:] in _SIGNS:
                continue
        yield equation


def _seems_off(equation: Equation) -> bool:
    """Whether the numbers of a computation give another result, units left aside."""
    if equation.relation != "=" or _COMPUTED.search(equation.right):
        return False
    if not _COMPUTED.search(equation.left) and not _FUNCTION.search(equation.left):
        return _converts_wrongly(equation)
    left, right = value_of(equation.left), value_of(equation.right)
    if left is None or right is None:
        return False
    if not left or not right:
        return not math.isclose(left, right, abs_tol=1e-9)
    if equation.holds is None and not _WHOLE.search(equation.text):
        return not math.isclose(left, right)
    ratio = abs(left / right)
    if equation.holds and "%" in equation.text and _near(ratio, 0.01, 100.0):
        return False
    if equation.holds:
        return abs(ratio - 1) > _COARSE and left != int(left) and right == int(right)
    if any(abs(ratio / each - 1) < _GAP or abs(ratio * each - 1) < _GAP for each in _RATIOS):
        return False
    return abs(ratio - 1) > _GAP and not _ten(ratio)


def _plain(equation: Equation) -> bool:
    """Whether a computation that is off has numbers of one unit, so that no conversion may explain it."""
    left, right = value_of(equation.left), value_of(equation.right)
    units = set(_UNITS.findall(equation.left))
    if not left or not right or _FUNCTION.search(equation.left) or len(units) > 1 or "%" in equation.text:
        return False
    if units and not units >= set(_UNITS.findall(equation.right)):
        return False
    ratio = abs(left / right)
    return _COMPUTED.search(equation.left) is not None and not may_convert(left, right) and abs(ratio - 1) > _ROUNDED


def _like_terms(text: str) -> str | None:
    """The first sum of like terms that has another result than it says."""
    for found in _LIKE.finditer(text) if "=" in text else ():
        terms = _TERM.findall((found[1] + found[2]).replace(" ", ""))
        names = {name for _, _, name in terms} | {found[3].lstrip("0123456789")}
        if len(names) > 1:
            continue
        total = sum((-1 if sign in ("-", "−") else 1) * int(count or 1) for sign, count, _ in terms)
        if total != int(found[3].removesuffix(terms[0][2]) or 1):
            return found[0]
    return None


def _near(ratio: float, *others: float) -> bool:
    return any(abs(ratio / each - 1) < _GAP for each in others)


def _converts_wrongly(equation: Equation) -> bool:
    """Whether a number with a unit is told to be one with another unit of its kind that it cannot be."""
    sides = _ONE.fullmatch(equation.left.strip()), _ONE.fullmatch(equation.right.strip())
    if sides[0] is None or sides[1] is None or not convertible(sides[0][2].casefold(), sides[1][2].casefold()):
        return False
    left, right = float(sides[0][1]), float(sides[1][1])
    if not left or not right:
        return left != right
    return not may_convert(left, right)


def value_of(side: str) -> float | None:
    """The value of one side without its units; None if it has none, or one that is too large."""
    value = evaluate(side if _FUNCTION.search(side) else _UNITS.sub("", side))
    if value is None or isinstance(value, complex):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) <= _LARGEST else None


def _ten(ratio: float) -> bool:
    """Whether a ratio is a power of ten, as between units of one kind."""
    return any(abs(ratio / 10.0**power - 1) < 1e-6 for power in (-6, -3, 3, 6))
