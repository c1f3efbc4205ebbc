"""Expressions, equations and inequalities are the same, are not, or are left open."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.verify.expressions import same_expression

TABLE = [
    ("(x+1)^2", "x^2 + 2x + 1", "yes"), (r"\frac{\sqrt{2}}{2}", "1/√2", "yes"), ("sin 2x", "2 sin x cos x", "yes"),
    ("sin^2 x + cos^2 x", "1", "yes"), ("sin^2 x + cos^2 x - 1", "0", "yes"), ("|x|", "sqrt(x^2)", "yes"), ("sqrt(x^2)", "x", "no"),
    ("log(x^2)", "2 log x", "yes"), ("a^2 - b^2", "(a-b)(a+b)", "yes"), ("e^{x+y}", "e^x e^y", "yes"), ("2πr", r"2\pi r", "yes"),
    ("v_0 t", "tv_{0}", "yes"), ("x_1 + x_2", "x₁ + x₂", "yes"), (r"\sqrt{ab}", r"\sqrt{a}\sqrt{b}", "yes"), ("n!", "n(n-1)!", "yes"),
    ("(-1)^n", "(-1)^{n+2}", "yes"), (r"x \pm 1", r"x \mp 1", "yes"), (r"x \pm 1", "x + 1", "no"), ("50%", "0.5", "yes"), ("50%", "50", "no"),
    ("1/3", "0.3333333333", "no"), ("3.14", r"\pi", "no"), ("2x", "2y", "no"), ("x", "x + 0.0001", "no"), ("1/2x", "x/2", "unsure"),
    ("log x", "ln x", "unsure"), ("on", "no", "unsure"), ("cat", "act", "unsure"), ("60 kg", "60 N", "no"), ("12:30", "12:45", "unsure"),
    ("y = 2x + 1", "2x - y + 1 = 0", "yes"), ("x = 3", "3 = x", "yes"), ("x = 3", "2x = 6", "yes"), ("x = 3", "y = 3", "no"),
    ("x = 3", "x = 4", "no"), ("x^2 + y^2 = 4", "4 - x^2 = y^2", "yes"), ("x^2 + y^2 = 4", "x^2 + y^2 = 9", "no"), ("y/x = 2", "y = 2x", "no"),
    ("x = 2", "x^3 = 8", "unsure"), ("x = ±2", "x = ∓2", "yes"), ("x = ±2", "x = 2", "no"), ("x > 3", "3 < x", "yes"), ("x > 3", "x < 3", "no"),
    ("x > 3", r"x \geq 3", "no"), ("-x < 3", "x > -3", "yes"), ("1 < x < 3", "3 > x > 1", "yes"), ("1 < x < 3", "0 < x < 3", "no"),
    ("x = 3", "3", "unsure"), ("10^{10^{10}}", "10^{10^{10}}", "unsure"), ("", "", "unsure"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "verdict"), TABLE)
def test_the_verdict_is_the_same_both_ways(a: str, b: str, verdict: str) -> None:
    assert (same_expression(a, b), same_expression(b, a)) == (verdict, verdict)


COEFFICIENTS = st.lists(st.integers(-9, 9), min_size=2, max_size=4).filter(lambda c: c[-1] != 0)


def _polynomial(coefficients: list[int]) -> str:
    return " + ".join(f"({c})x^{power}" for power, c in enumerate(coefficients))


@given(COEFFICIENTS, st.integers(-5, 5), st.permutations(range(4)))
@settings(max_examples=30, deadline=None)
def test_algebraic_rewrites_stay_the_same(coefficients: list[int], root: int, order: list[int]) -> None:
    plain = _polynomial(coefficients)
    terms = [f"({c})x^{power}" for power, c in enumerate(coefficients)]
    commuted = " + ".join(terms[place] for place in order if place < len(terms))
    expanded = _polynomial([a - root * b for a, b in zip([0, *coefficients], [*coefficients, 0], strict=True)])
    assert same_expression(plain, commuted) == "yes"
    assert same_expression(plain, f"{plain} + 0(x + 7) + y - y") == "yes"
    assert same_expression(rf"\left({plain}\right)(x - ({root}))", expanded) == "yes"


@given(COEFFICIENTS, st.integers(0, 3), st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_one_changed_coefficient_is_never_the_same(coefficients: list[int], place: int, by: int) -> None:
    changed = list(coefficients)
    changed[place % len(changed)] += by
    assert same_expression(_polynomial(coefficients), _polynomial(changed)) == "no"
    assert same_expression(f"y = {_polynomial(coefficients)}", f"y = {_polynomial(changed)}") == "no"
