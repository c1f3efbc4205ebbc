"""Numbers as texts say them, and what they may stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.claims.numbers import agrees
from dataflow_ext.claims.proof import Quantity
from dataflow_ext.text.quantities import said_in

M = (("m", 1),)


@pytest.mark.parametrize(("text", "value", "dimension", "bound"), [
    ("leaves 0.41 m", 0.41, M, ""), ("41cm", 0.41, M, ""), ("离墙0.41米", 0.41, M, ""), ("约0.4米", 0.4, M, "about"),
    ("two metres", 2.0, M, ""), ("twenty-five degrees", 25.0, (("deg", 1),), ""), ("90°", 90.0, (("deg", 1),), ""),
    ("12 %", 0.12, (), ""), ("百分之12", 0.12, (), ""), ("half a metre", 0.5, M, ""), ("半米", 0.5, M, ""),
    ("三分之二", 2 / 3, None, ""), ("two thirds", 2 / 3, None, ""), ("a sixth", 1 / 6, None, ""),
    ("one and a half metres", 1.5, M, ""), ("1,200 px", 1200.0, (("px", 1),), ""), ("两把", 2.0, None, ""),
    ("十二把", 12.0, None, ""), ("more than 2 m", 2.0, M, "over"), ("at most 30°", 30.0, (("deg", 1),), "under"),
    ("just under 2 m", 2.0, M, "just under"), ("2 m or so", 2.0, M, "about"), ("0.4米左右", 0.4, M, "about"),
    ("5.6 m²", 5.6, (("m", 2),), ""), ("twelve", 12.0, None, ""), ("-1.20", -1.2, None, ""), ("a 2-metre sofa", 2.0, M, ""),
])  # fmt: skip
def test_a_number_is_read_with_its_unit_and_what_stands_around_it(text, value, dimension, bound):
    found = [each for each in said_in(text) if not each.weak]
    assert [(round(each.value, 6), each.dimension, each.bound) for each in found] == [
        (round(value, 6), dimension, bound)
    ]


@pytest.mark.parametrize("text", ["the third chair", "nightstand_2", "v1.2.3", "model A4"])
def test_ordinals_and_names_are_no_numbers(text):
    assert [each for each in said_in(text) if not each.weak] == []


def test_a_range_has_two_ends():
    (found,) = said_in("between 0.4 and 0.5 m")
    assert agrees(found, Quantity(0.47, M)) and not agrees(found, Quantity(0.56, M))
    (found,) = said_in("0.4-0.5 m")
    assert (found.value, found.upper) == (0.4, 0.5)


@pytest.mark.parametrize(("text", "true", "false"), [
    ("0.41 m", [0.41, 0.4149, 0.4051], [0.40, 0.42, 0.45]),
    ("0.4 m", [0.4, 0.44, 0.36], [0.34, 0.46]),
    ("about 0.4 m", [0.44, 0.36, 0.4], [0.34, 0.46]),
    ("more than 0.4 m", [0.41, 3.0], [0.39, 0.0]),
    ("less than 0.4 m", [0.39, 0.0], [0.41]),
    ("just over 0.4 m", [0.41, 0.44], [0.38, 0.46]),
    ("half a metre", [0.5, 0.45, 0.55], [0.43, 0.57]),
])  # fmt: skip
def test_a_number_is_a_value_to_its_own_last_digit(text, true, false):
    (found,) = said_in(text)
    assert [agrees(found, Quantity(each, M, 0.005, 1)) for each in true] == [True] * len(true)
    assert [agrees(found, Quantity(each, M, 0.005, 1)) for each in false] == [False] * len(false)


def test_a_unit_has_to_be_that_of_the_value():
    (found,) = said_in("0.41 m")
    assert not agrees(found, Quantity(0.41, (("deg", 1),)))


def test_a_quotient_is_told_in_several_ways():
    wider = Quantity(7 / 6, ratio=True, terms=2)
    for text in ("a sixth", "17 %", "117 %", "1.17 times"):
        assert [text for each in said_in(text) if agrees(each, wider)] == [text]
    assert not any(agrees(each, wider) for each in said_in("a third"))


@pytest.mark.parametrize(("text", "third", "less"), [
    ("a third", True, False), ("a third as deep as", True, False), ("三分之一", True, False),
    ("a third narrower", True, True), ("by a third", True, True), ("by about a third", True, True),
    ("缩小了约三分之一", True, True), ("比书桌窄三分之一", True, True), ("a third of it", True, False),
])  # fmt: skip
def test_a_part_is_what_is_less_only_where_words_say_so(text, third, less):
    (found,) = said_in(text)
    shares = [Quantity(value, ratio=True, terms=2) for value in (1 / 3, 2 / 3)]
    assert [agrees(found, each) for each in shares] == [third, less]


@given(st.floats(0.01, 50), st.integers(0, 2))
def test_a_value_that_is_written_down_is_itself(value, places):
    (found,) = said_in(f"{value:.{places}f} m")
    assert agrees(found, Quantity(value, M))


@given(st.floats(0.1, 50), st.floats(0.011, 3))
def test_a_value_that_is_a_centimetre_off_is_another(value, off):
    (found,) = said_in(f"{value + off:.2f} m")
    assert not agrees(found, Quantity(value, M, 0.005, 1))
