"""Numbers of texts: digits and words, their values, places and units."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.verify.numbers_in_text import number_of, numbers_in

ONE = [
    ("1,234.5", "2469/2"), ("1.2e3", "1200"), ("3/4", "3/4"), ("2 1/2", "5/2"), ("12%", "3/25"), ("seven", "7"), ("三分之二", "2/3"),
    ("一百二十", "120"), ("½", "1/2"), ("３", "3"), ("-5", "-5"), ("a dozen", "12"), ("half", "1/2"), ("two thirds", "2/3"), ("minus three", "-3"),
    ("3×10^8", "300000000"), ("10^{-5}", "1/100000"), ("two and a half", "5/2"), ("负五", "-5"), (r"\frac{3}{4}", "3/4"), ("twenty-five", "25"),
    ("one hundred and five", "105"), ("百分之二十", "1/5"), ("两万三千", "23000"), ("三点一四", "157/50"), ("three million", "3000000"),
]  # fmt: skip
IN = [
    ("From 3-5 kg to -2.5e3 m/s", [("3", "3", ""), ("5", "5", "kg"), ("-2.5e3", "-2500", "m/s")]),
    ("At 12:30 the 1st of the 3 boys", [("12:30", "750", "time"), ("1st", "1", "ordinal"), ("3", "3", "")]),
    ("one of them, 3:4, x2, H2O", [("3", "3", ""), ("4", "4", "")]),
    (r"\frac{3}{4} of 10^5, 3×10^8 m/s", [(r"\frac{3}{4}", "3/4", ""), ("10^5", "100000", ""), ("3×10^8", "300000000", "m/s")]),
    ("2 1/2 cups, 2½ and ½", [("2 1/2", "5/2", ""), ("2½", "5/2", ""), ("½", "1/2", "")]),
    ("Two thirds of a dozen; a third of it; the third man", [("Two thirds", "2/3", ""), ("a dozen", "12", ""), ("a third", "1/3", "")]),
    ("30% and 180° and 5 in the box", [("30", "30", "%"), ("180", "180", "°"), ("5", "5", "")]),
    ("(−3, 4), 10-5", [("−3", "-3", ""), ("4", "4", ""), ("10", "10", ""), ("5", "5", "")]),
    ("一个人，一下，统一，一起，三角形，第三，十分重要", []),
    ("两个苹果，一百二十元，半径5米，三千克", [("两", "2", ""), ("一百二十", "120", "元"), ("5", "5", "米"), ("三", "3", "千克")]),
    ("3 million people and 5万元", [("3 million", "3000000", ""), ("5万", "50000", "元")]),
    ("twenty-five apples, one hundred and six pears", [("twenty-five", "25", ""), ("one hundred and six", "106", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ONE)
def test_a_text_that_is_a_number_has_its_value(text: str, value: str) -> None:
    assert number_of(text) == Fraction(value)


@pytest.mark.parametrize(
    "text", ["", "abc", "7 apples", "12:30", "3-5", "1/0", "1e999999999", "9" * 600, "x2", "-", "%", "one two"]
)
def test_a_text_that_is_no_number_has_none(text: str) -> None:
    assert number_of(text) is None


@pytest.mark.parametrize(("text", "numbers"), IN)
def test_numbers_are_found_with_value_and_unit(text: str, numbers: list[tuple[str, str, str]]) -> None:
    assert [(n.text, str(n.value), n.unit) for n in numbers_in(text)] == numbers


@given(st.text(alphabet="0123456789 .,:/-+%°e^{}\\kgm半一二十百千万分之点½twohalf\ud800", max_size=60))
@settings(max_examples=80, deadline=None)
def test_places_cut_out_the_text_of_each_number_in_order(text: str) -> None:
    found = numbers_in(text)
    assert [text[n.start : n.end] for n in found] == [n.text for n in found]
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.integers(0, 10**15), st.integers(0, 4))
@settings(max_examples=40, deadline=None)
def test_a_number_with_thousands_apart_has_its_value(number: int, places: int) -> None:
    value = Fraction(number, 10**places)
    assert number_of(f"{number // 10**places:,}" + (f".{number % 10**places:0{places}d}" if places else "")) == value
