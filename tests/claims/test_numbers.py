"""Numbers as texts say them: what digits stand for, what counts in words, and what is left unread."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.claims.numbers import agrees, differs, said_in
from dataflow_ext.claims.proof import Quantity

M, DEG, NONE = (("m", 1),), (("deg", 1),), ()


def digits(text):
    return [(round(each.value, 6), each.dimension, each.exact) for each in said_in(text) if each.by == "digits"]


@pytest.mark.parametrize(("text", "value", "dimension", "exact"), [
    ("leaves 0.41 m", 0.41, M, True), ("41cm", 0.41, M, True), ("离墙0.41米", 0.41, M, True), ("90°", 90.0, DEG, True),
    ("约0.4米", 0.4, M, False), ("12 %", 0.12, NONE, True), ("2.5 times", 2.5, NONE, True), ("1,200", 1200.0, None, True),
    ("more than 2 m", 2.0, M, False), ("2 m or so", 2.0, M, False), ("0.4米左右", 0.4, M, False), ("2倍", 2.0, NONE, True),
    ("5.6 m²", 5.6, (("m", 2),), True), ("-1.20 m", -1.2, M, True), ("minus 1.2 m", -1.2, M, True), ("a 2-metre sofa",
     2.0, M, True), ("chairs (4)", 4.0, None, True), ("wall—0.4 m", 0.4, M, True), ("1.5e3 m", 1500.0, M, True),
    ("2E-2 m", 0.02, M, True), ("It is 1.5e3.", 1500.0, None, True), ("2e-1m", 0.2, M, True), ("1.5e-3 m", 0.0015, M, True),
])  # fmt: skip
def test_a_number_in_digits_is_read_with_its_unit(text, value, dimension, exact):
    assert digits(text) == [(value, dimension, exact)]


@pytest.mark.parametrize(
    "text", ["the third chair", "nightstand_2", "v1.2.3", "model A4", "the east half", "南半边", "完成"]
)
def test_ordinals_names_and_places_are_no_numbers(text):
    assert [each for each in said_in(text) if each.by != "weak"] == []


@pytest.mark.parametrize("text", [
    "half a metre", "a metre and a half", "two metres", "twice", "a third of it", "two thirds", "a good metre", "sixty",
    "a quarter of a metre", "three times", "a dozen", "3/4 m", "1½ m", "20多厘米", "1米75", "40-odd", "2 hundred",
    "2 and a half", "一米半", "两成", "三分之一", "一半", "两倍", "半米", "八十厘米", "half again as wide", "2.5 thousand",
    "twenty-five", "Ninety-nine crates", "a thirty-metre wall",
])  # fmt: skip
def test_a_quantity_in_words_is_not_read(text):
    found = list(said_in(text))
    assert "unread" in {each.by for each in found} and {dimension for _, dimension, _ in digits(text)} <= {None}


@pytest.mark.parametrize(
    ("text", "value"), [("two chairs", 2.0), ("Twelve pieces", 12.0), ("三把椅子", 3.0), ("十二件", 12.0)]
)
def test_a_small_count_may_stand_in_words(text, value):
    assert [(each.by, each.value) for each in said_in(text)] == [("count", value)]


@pytest.mark.parametrize(
    "text", ["1.2 by 0.6 m", "from 1.2 to 0.6 m", "1.2 x 0.6 m", "1.2到0.6米", "between 1.2 and 0.6 m"]
)
def test_numbers_side_by_side_have_one_unit(text):
    assert digits(text) == [(1.2, M, True), (0.6, M, True)]


@pytest.mark.parametrize(("text", "true", "false"), [
    ("0.41 m", [0.41, 0.4149, 0.4051], [0.40, 0.42, 0.45]),
    ("0.4 m", [0.4, 0.44, 0.36], [0.34, 0.46]),
    ("about 0.4 m", [0.44, 0.36, 0.4], [0.3, 0.5]),
    ("more than 0.4 m", [0.41, 3.0], [0.39, 0.0]),
    ("less than 0.4 m", [0.39, 0.0], [0.41]),
    ("just over 0.4 m", [0.41, 0.44], [0.38, 0.46]),
    ("nearly 2 m", [1.9, 2.0], [1.7, 2.1]),
])  # fmt: skip
def test_a_number_is_a_value_to_its_own_last_digit(text, true, false):
    (found,) = said_in(text)
    assert [agrees(found, Quantity(each, M, 0.005, 1)) for each in true] == [True] * len(true)
    assert [agrees(found, Quantity(each, M, 0.005, 1)) for each in false] == [False] * len(false)


@pytest.mark.parametrize(("text", "value", "so"), [
    ("0.4 m", Quantity(0.6, M), True), ("0.41 m", Quantity(0.44, M), False), ("about 0.4 m", Quantity(0.9, M), False),
    ("0.4", Quantity(0.6, M), False), ("two", Quantity(3.0, places=0), False), ("2", Quantity(3.0, places=0), True),
    ("1.2 m", Quantity(-1.2, M), False), ("20 %", Quantity(0.8, ratio=True), False), ("65", Quantity(0.5, share=True),
     False), ("65 %", Quantity(0.5, share=True), True), ("2 times", Quantity(0.5, ratio=True), False),
])  # fmt: skip
def test_only_plain_digits_that_are_far_off_say_something_else(text, value, so):
    (found,) = said_in(text)
    assert (agrees(found, value), differs(found, value)) == (False, so)


def test_a_unit_has_to_be_that_of_the_value():
    (found,) = said_in("0.41 m")
    assert not agrees(found, Quantity(0.41, DEG))


def test_a_quotient_is_told_as_it_is_or_by_what_is_more():
    wider = Quantity(1.2, ratio=True, terms=2)
    assert [agrees(next(said_in(text)), wider) for text in ("120 %", "20 %", "1.2 times", "1.2", "80 %", "0.2 times")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip


@given(st.floats(0.01, 50), st.integers(0, 3), st.sampled_from(["m", "米", " metres", "°", " %"]))
def test_digits_with_a_unit_are_their_value(value, places, unit):
    (found,) = said_in(f"{value:.{places}f}{unit}")
    factor = 0.01 if unit == " %" else 1
    assert found.value == pytest.approx(float(f"{value:.{places}f}") * factor)
    assert (found.most - found.least) == pytest.approx(10**-places * factor)


@given(st.floats(0.01, 50), st.integers(0, 2))
def test_a_value_that_is_written_down_is_itself(value, places):
    (found,) = said_in(f"{value:.{places}f} m")
    assert agrees(found, Quantity(value, M)) and not differs(found, Quantity(value, M))


@given(st.floats(0.1, 50), st.floats(0.011, 3))
def test_a_value_that_is_a_centimetre_off_is_not_proven(value, off):
    (found,) = said_in(f"{value + off:.2f} m")
    assert not agrees(found, Quantity(value, M, 0.005, 1))


@given(st.floats(0.1, 50), st.floats(1.2, 3), st.booleans())
def test_a_value_that_is_a_fifth_off_is_false(value, factor, more):
    (found,) = said_in(f"{value * factor if more else value / factor:.3f} m")
    assert differs(found, Quantity(value, M, 0.005, 1))
