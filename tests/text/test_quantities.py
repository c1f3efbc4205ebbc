"""Quantities as texts say them: whole phrases in digits and words, English and Chinese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.text.numerals import cardinal
from dataflow_ext.text.quantities import said_in

M, DEG, NONE = (("m", 1),), (("deg", 1),), ()
ONES = ["two", "three", "four", "five", "six", "seven", "eight", "nine"]
PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
HAN = "零一二三四五六七八九"


def said(text):
    return [(round(each.value, 6), each.dimension, each.bound) for each in said_in(text) if not each.weak]


@pytest.mark.parametrize(("text", "value", "dimension", "bound"), [
    ("a metre and a half", 1.5, M, ""), ("two metres and a quarter", 2.25, M, ""),
    ("two and a half metres", 2.5, M, ""), ("one and three quarter metres", 1.75, M, ""),
    ("a quarter of a metre", 0.25, M, ""), ("a half metre", 0.5, M, ""), ("half-metre", 0.5, M, ""),
    ("two fifths", 0.4, None, ""), ("1½ m", 1.5, M, ""), ("2 1/2 m", 2.5, M, ""), ("3/4 m", 0.75, M, ""),
    ("a hundred and twenty centimetres", 1.2, M, ""), ("half a dozen", 6.0, None, ""), ("twenty-five", 25.0, None, ""),
    ("a quarter turn", 90.0, DEG, ""), ("half a turn", 180.0, DEG, ""), ("a right angle", 90.0, DEG, ""),
    ("nearly a metre", 1.0, M, "just under"), ("a good metre", 1.0, M, "just over"), ("not quite half", 0.5, None,
     "just under"), ("well over two metres", 2.0, M, "over"), ("three times", 3.0, NONE, ""),
    ("一米半", 1.5, M, ""), ("两倍半", 2.5, NONE, ""), ("两成", 0.2, NONE, ""), ("三成五", 0.35, NONE, ""),
    ("十分之一", 0.1, None, ""), ("一又二分之一米", 1.5, M, ""), ("近半米", 0.5, M, "just under"),
    ("一米七五", 1.75, M, ""), ("1米75", 1.75, M, ""), ("一点五米", 1.5, M, ""), ("两个半小时", 9000.0, (("s", 1),), ""),
    ("20多厘米", 0.2, M, "over"), ("十来厘米", 0.1, M, "about"), ("两米多", 2.0, M, "over"), ("一米不到", 1.0, M,
     "just under"), ("不到整个厨房的十分之一", 0.1, None, "under"), ("半圈", 180.0, DEG, ""),
])  # fmt: skip
def test_a_phrase_is_read_whole(text, value, dimension, bound):
    weak_ends = [each for each in said_in(text) if each.weak and each.end > 1]
    assert (said(text), weak_ends) == ([(round(value, 6), dimension, bound)], [])


@pytest.mark.parametrize("text", ["the third chair", "the east half", "南半边", "完成", "十分", "一成不变"])
def test_ordinals_places_and_words_that_look_like_numbers_are_none(text):
    assert said(text) == []


@pytest.mark.parametrize("text", ["half again as wide", "a metre or two", "sixty-odd", "一米八几"])
def test_a_phrase_that_goes_on_is_not_half_read(text):
    assert [each.unread for each in said_in(text)] == [True]


@pytest.mark.parametrize(("text", "low", "high"), [
    ("two to three metres", 2.0, 3.0), ("0.4 to 0.5 m", 0.4, 0.5), ("between 40 and 50 cm", 0.4, 0.5),
    ("两三米", 2.0, 3.0), ("三到四米", 3.0, 4.0), ("40-50厘米", 0.4, 0.5),
])  # fmt: skip
def test_a_range_has_two_ends(text, low, high):
    (found,) = said_in(text)
    assert (round(found.value, 6), round(found.upper, 6), found.dimension) == (low, high, M)


@given(st.sampled_from(ONES), st.sampled_from(sorted(PARTS)), st.booleans())
def test_a_number_and_a_part_is_their_sum_on_either_side_of_the_unit(word, part, behind):
    text = f"{word} metres and a {part}" if behind else f"{word} and a {part} metres"
    (found,) = said_in(text)
    assert (found.start, found.end, found.dimension) == (0, len(text), M)
    assert found.value == pytest.approx(ONES.index(word) + 2 + PARTS[part])


@given(st.integers(1, 9), st.integers(2, 9), st.booleans())
def test_a_chinese_fraction_or_number_of_tenths_is_its_value(above, below, tenths):
    text = f"{HAN[above]}成{HAN[below]}" if tenths else f"{HAN[below]}分之{HAN[above]}"
    (found,) = said_in(text)
    assert found.value == pytest.approx(above / 10 + below / 100 if tenths else above / below)


@given(st.integers(0, 9999))
def test_a_chinese_integer_is_its_value(number):
    written, zero = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        written += ("零" if digit and zero and written else "") + (HAN[digit] + name if digit else "")
        zero = not digit
    assert cardinal(written or "零") == (number, 0.5)


@given(st.floats(0.01, 50), st.integers(0, 3), st.sampled_from(["m", "米", " metres", "°", " %"]))
def test_digits_with_a_unit_are_their_value(value, places, unit):
    (found,) = said_in(f"{value:.{places}f}{unit}")
    assert found.value == pytest.approx(float(f"{value:.{places}f}") * (0.01 if unit == " %" else 1))
    assert found.half == pytest.approx(0.5 * 10**-places * (0.01 if unit == " %" else 1))
