"""What a declared column type is in Arrow, and what is refused."""

import datetime as dt
import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pyarrow as pa
import pytest
from pydantic import BaseModel

from dataflow_ext.columns import arrow_type, fields_of, is_record, optional, show_type, unwrap
from dataflow_ext.errors import ColumnError


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Number(enum.Enum):
    ONE = 1


class Point(BaseModel):
    x: float
    name: str | None = None


@dataclass
class Shape:
    colour: Colour
    points: list[Point] = field(default_factory=list)


class Tree(BaseModel):
    children: list["Tree"] = []


class Bare(BaseModel):
    pass


POINT = pa.struct([("x", pa.float64()), ("name", pa.string())])


@pytest.mark.parametrize(
    ("annotation", "arrow"),
    [
        (str, pa.string()),
        (int, pa.int64()),
        (float, pa.float64()),
        (bool, pa.bool_()),
        (bytes, pa.binary()),
        (Path, pa.string()),
        (dt.date, pa.date32()),
        (dt.datetime, pa.timestamp("us", tz="UTC")),
        (str | None, pa.string()),
        (Optional[int], pa.int64()),  # noqa: UP045 - the old spelling is what is tried here
        (Annotated[int, "metres"] | None, pa.int64()),
        (Literal["a", "b"], pa.string()),
        (Colour, pa.string()),
        (list[str | None], pa.list_(pa.string())),
        (Sequence[int], pa.list_(pa.int64())),
        (tuple[float, float], pa.list_(pa.float64(), 2)),
        (tuple[int, ...], pa.list_(pa.int64())),
        (dict[str, list[int]], pa.map_(pa.string(), pa.list_(pa.int64()))),
        (Point, POINT),
        (Shape, pa.struct([("colour", pa.string()), ("points", pa.list_(POINT))])),
        (pa.decimal128(9, 2), pa.decimal128(9, 2)),
    ],
    ids=str,
)
def test_every_annotation_has_its_arrow_type(annotation, arrow):
    assert arrow_type(annotation) == arrow


@pytest.mark.parametrize(
    "annotation",
    [Any, object, int | str, list, dict, list[Any], dict[int, str], Literal["a", 1], Number, [str], "str"],
    ids=str,
)
def test_what_a_column_cannot_hold_is_refused_in_one_sentence(annotation):
    with pytest.raises(ColumnError) as caught:
        arrow_type(annotation)
    assert str(caught.value).endswith(
        "; use str, int, float, bool, bytes, a date, a list, dict or tuple of these, "
        "a pydantic model, a dataclass or a pyarrow type."
    )


def test_a_tuple_of_different_types_is_refused():
    with pytest.raises(ColumnError, match=r"^A column .* a tuple's members must be of one type\.$"):
        arrow_type(tuple[int, str])


def test_a_model_within_itself_is_refused():
    with pytest.raises(ColumnError) as caught:
        arrow_type(Tree)
    assert str(caught.value) == "Tree contains itself; a table's column cannot hold that."


def test_a_model_without_fields_is_refused():
    with pytest.raises(ColumnError) as caught:
        arrow_type(list[Bare])
    assert str(caught.value) == "Bare has no fields; a table's column cannot hold that."


def test_optional_says_whether_a_null_may_stand_there():
    assert [optional(t) for t in (str, str | None, Annotated[str | None, "x"], pa.string(), list[str | None])] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_unwrap_takes_off_none_and_annotated():
    assert unwrap(Annotated[list[int] | None, "x"]) == list[int]


def test_fields_of_a_record_are_its_names_and_annotations_in_order():
    assert fields_of(Point) == {"x": float, "name": str | None}
    assert fields_of(Shape) == {"colour": Colour, "points": list[Point]}
    assert [is_record(t) for t in (Point, Shape, dict, Colour, list[Point])] == [True, True, False, False, False]


def test_types_in_messages_are_short():
    wide = pa.list_(pa.struct([(name, pa.int64()) for name in "abcd"]))
    assert show_type(wide) == "list<struct<a, b, c, …>>"
    assert show_type(POINT) == "struct<x, name>"
    assert show_type(pa.large_string()) == "large_string"
