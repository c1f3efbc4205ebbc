"""Values into Arrow and back: nothing is converted quietly, and what went in comes out."""

import datetime as dt
import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.errors import ValueTypeError


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Kind(enum.StrEnum):
    A = "a"


class Point(BaseModel):
    x: int
    name: str = "origin"


class Line(BaseModel):
    start: Point
    others: list[Point] = []
    marks: dict[str, Point] = {}


class Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")
    x: int


@dataclass(kw_only=True)
class Named:
    label: str
    weight: float | None = None


@dataclass(frozen=True)
class Pair:
    left: Colour
    right: tuple[float, float] | None


INSTANT = dt.datetime(2024, 5, 1, 12, 0, 0, 123456, tzinfo=dt.timezone(dt.timedelta(hours=8)))


@pytest.mark.parametrize(
    ("value", "column", "message"),
    [
        ("1", int, "expected int, got str '1'"),
        ("001", int, "expected int, got str '001'"),
        (1.5, int, "expected int, got float 1.5"),
        (1.0, int, "expected int, got float 1.0"),
        (True, int, "expected int, got bool True"),
        (True, float, "expected float, got bool True"),
        (1, str, "expected str, got int 1"),
        (b"a", str, "expected str, got bytes b'a'"),
        ("a", bytes, "expected bytes, got str 'a'"),
        (1, bool, "expected bool, got int 1"),
        (5, Path, "expected str, got int 5"),
        ("c", Literal["b", "a"], "expected one of a, b, got 'c'"),
        ("", Literal["a"], "expected one of a, got ''"),
        ("green", Colour, "expected one of blue, red, got 'green'"),
        (dt.datetime(2024, 1, 1), dt.datetime, "expected a datetime with a time zone, got one without"),
        (dt.datetime(2024, 1, 1, 9), dt.date, "expected date, got datetime datetime.datetime(2024, 1, 1, 9, 0)"),
        (dt.date(2024, 1, 1), dt.datetime, "expected datetime, got date datetime.date(2024, 1, 1)"),
        (0, list[int], "expected a list, got int 0"),
        ("", list[str], "expected a list, got str ''"),
        ({1}, list[int], "expected a list, got set {1}"),
        ([1, "2"], list[int], "expected int, got str '2'"),
        ([1, None], list[int], "expected int, got None"),
        ((), tuple[float, float], "expected 2 values, got ()"),
        ((1.0, 2.0, 3.0), tuple[float, float], "expected 2 values, got (1.0, 2.0, 3.0)"),
        ([], dict[str, int], "expected a dict, got list []"),
        ({"a": "1"}, dict[str, int], "expected int, got str '1'"),
        ({1: 1}, dict[str, int], "expected str, got int 1"),
        (None, int, "expected int, got None"),
        ({"x": "001"}, Point, "expected Point, field x: Input should be a valid integer"),
        ({"name": "a"}, Point, "expected Point, field x: Field required"),
        ({"x": 1, "z": 2}, Point, "expected Point, got the unknown key 'z'"),
        ({"start": {"x": 1, "z": 2}}, Line, "expected Line, got the unknown key 'start.z'"),
        ({"start": {"x": 1}, "others": [{"x": 1, "z": 2}]}, Line, "expected Line, got the unknown key 'others.0.z'"),
        ({"start": {"x": 1}, "marks": {"m": {"x": 1, "z": 2}}}, Line, "expected Line, got the unknown key 'marks.m.z'"),
        ({"label": "a"}, Named, "expected Named: Input should be an instance of Named"),
        (Point(x=1), Named, "expected Named: Input should be an instance of Named"),
        (1.5, pa.int64(), "expected int64, got float 1.5"),
        ([1.5], pa.list_(pa.int32()), "expected int32, got float 1.5"),
        (np.float32(1.5), int, "expected int, got float 1.5"),
        (np.array([1.5]), pa.list_(pa.int32()), "expected int32, got float 1.5"),
        ({"a": 1, "z": 2}, pa.struct([("a", pa.int64())]), "expected struct<a: int64>, got the unknown key 'z'"),
        (
            dt.datetime(2024, 1, 1),
            pa.date32(),
            "expected date32[day], got datetime datetime.datetime(2024, 1, 1, 0, 0)",
        ),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_is_refused_and_named(value, column, message):
    with pytest.raises(ValueTypeError) as caught:
        encode([value], column)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "column", "start"),
    [
        (2**63, int, "expected int: "),
        (2**60 + 1, float, "expected float: "),
        (300, pa.int8(), "expected int8: "),
    ],
    ids=["int64", "float", "int8"],
)
def test_a_value_beyond_the_type_s_range_is_refused(value, column, start):
    with pytest.raises(ValueTypeError) as caught:
        encode([value], column)
    assert str(caught.value).startswith(start)


@pytest.mark.parametrize(
    ("value", "column", "stored"),
    [
        ("001", str, "001"),
        (1, float, 1.0),
        (Kind.A, str, "a"),
        (Colour.RED, Colour, "red"),
        ("red", Colour, "red"),
        (INSTANT, dt.datetime, INSTANT),
        (Path("a/b.png"), Path, "a/b.png"),
        ("a/b.png", Path, "a/b.png"),
        ({"x": 1}, Point, {"x": 1, "name": "origin"}),
        ({"x": 1, "z": 2}, Loose, {"x": 1}),
        (None, Point | None, None),
        ({"a": None}, dict[str, int | None], [("a", None)]),
        ({"a": Point(x=1)}, dict[str, Point], [("a", {"x": 1, "name": "origin"})]),
        ((1, 2), list[int], [1, 2]),
        (np.int16(3), int, 3),
        (np.float32(0.5), float, 0.5),
        (np.bool_(True), bool, True),
        (np.array([[1.0, 2.0]]), list[list[float]], [[1.0, 2.0]]),
        (np.array([1, 2]), tuple[float, float], [1.0, 2.0]),
        (np.array([1, 2]), pa.list_(pa.int32()), [1, 2]),
    ],
    ids=str,
)
def test_a_value_that_fits_is_stored_as_it_is(value, column, stored):
    array = encode([value], column)
    assert (array.type, array.to_pylist()) == (arrow_type(column), [stored])


def test_a_record_that_was_changed_after_it_was_made_is_still_checked():
    point = Point(x=1)
    point.x = "1"
    with pytest.raises(ValueTypeError, match=r"^expected int, got str '1'$"):
        encode([point], Point)


def test_nulls_among_records_and_lists_keep_their_places():
    column = list[Pair | None] | None
    values = [None, [None, Pair(Colour.RED, None)], [], None, [Pair(Colour.BLUE, (1.0, 2.0))]]
    assert decode(encode(values, column), column) == values


def test_a_string_that_is_no_member_is_refused_on_the_way_out_too():
    for column in (Colour, Literal["red", "blue"]):
        with pytest.raises(ValueTypeError, match=r"^expected one of blue, red, got 'green'$"):
            decode(pa.array(["red", None, "green"]), column)


_BARE = {
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    bytes: st.binary(max_size=5),
    Path: st.sampled_from([Path("a"), Path("b/c.png")]),
    dt.date: st.dates(),
    dt.datetime: st.datetimes(timezones=st.just(dt.UTC)),
    Colour: st.sampled_from(Colour),
    Literal["x", "y"]: st.sampled_from(["x", "y"]),
    Point: st.builds(Point, x=st.integers(0, 9), name=st.text("ab", max_size=2)),
    Line: st.builds(
        Line,
        start=st.just(Point(x=1)),
        others=st.lists(st.just(Point(x=2)), max_size=2),
        marks=st.dictionaries(st.text("ab"), st.just(Point(x=3)), max_size=2),
    ),
    Named: st.builds(Named, label=st.text("ab"), weight=st.none() | st.floats(0, 1)),
    Pair: st.builds(Pair, st.sampled_from(Colour), st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1))),
}


@st.composite
def typed(draw, depth=3):
    """An annotation and a strategy of its values."""
    shape = draw(st.sampled_from(["bare", "list", "pair", "many", "dict", "optional"] if depth else ["bare"]))
    if shape == "bare":
        annotation = draw(st.sampled_from(list(_BARE)))
        return annotation, _BARE[annotation]
    inner, values = draw(typed(depth - 1))
    return {
        "list": (list[inner], st.lists(values, max_size=3)),
        "pair": (tuple[inner, inner], st.tuples(values, values)),
        "many": (tuple[inner, ...], st.lists(values, max_size=3).map(tuple)),
        "dict": (dict[str, inner], st.dictionaries(st.text("abc", max_size=2), values, max_size=3)),
        "optional": (inner | None, st.none() | values),
    }[shape]


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_what_is_encoded_is_decoded_to_the_same_values_for_any_nested_type(data):
    annotation, values = data.draw(typed())
    rows = data.draw(st.lists(values, max_size=6))
    array = encode(rows, annotation)
    assert array.type == arrow_type(annotation)
    array.validate(full=True)
    assert decode(array, annotation) == rows
    assert decode(array[1:4], annotation) == rows[1:4]
    assert decode(pa.chunked_array([array[:2], array[2:]], array.type), annotation) == rows
