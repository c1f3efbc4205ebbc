"""What a row is called, from its source to what was made of it."""

import datetime as dt
import re

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.errors import InputError
from dataflow_ext.identity import exploded_ids, parent_of, short_hash, with_row_ids


def ids(table):
    return with_row_ids(table)["row_id"].to_pylist()


def test_a_row_s_id_is_the_hash_of_its_content_and_repeats_are_numbered():
    a, b, again, third = ids(pa.table({"x": ["a", "b", "a", "a"], "y": [1, 2, 1, 1]}))
    assert re.fullmatch("[0-9a-f]{20}", a)
    assert b != a
    assert (again, third) == (f"{a}#1", f"{a}#2")


def test_an_id_does_not_depend_on_the_order_of_rows_or_columns_or_on_chunks():
    table = pa.table({"x": ["a", "b"], "y": [1, 2]})
    a, b = ids(table)
    assert ids(table.take(pa.array([1, 0]))) == [b, a]
    assert ids(table.select(["y", "x"])) == [a, b]
    assert ids(pa.concat_tables([table[:1], table[1:]])) == [a, b]


def test_a_number_and_its_digits_are_different_rows():
    assert ids(pa.table({"x": ["1"]})) != ids(pa.table({"x": [1]}))
    assert ids(pa.table({"x": ["1"]})) != ids(pa.table({"y": ["1"]}))


def test_an_id_of_a_time_does_not_hang_on_the_library_of_its_zone():
    when = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)
    column = pa.array([[when]], pa.list_(pa.timestamp("us", tz="UTC")))
    spelled = short_hash("['x']", '["2024-05-01T00:00:00+00:00"]')
    assert ids(pa.table({"x": column})) == [spelled]


def test_a_table_s_own_ids_are_kept_as_strings():
    assert ids(pa.table({"row_id": ["p1", "p2"], "x": [1, 1]})) == ["p1", "p2"]
    assert ids(pa.table({"row_id": [7, 8]})) == ["7", "8"]


@pytest.mark.parametrize(
    "column", [["a", "a"], ["a", None], [["a"], ["b"]], [1.0, 2.0]], ids=["repeated", "null", "lists", "floats"]
)
def test_ids_that_do_not_tell_rows_apart_are_refused(column):
    with pytest.raises(InputError) as caught:
        with_row_ids(pa.table({"row_id": column}))
    assert str(caught.value) == "The column 'row_id' is reserved and must be unique; rename or drop yours."


def test_rows_that_came_out_of_a_row_are_counted_from_0_under_its_id():
    made = exploded_ids(["a", "b#1"], [0, 0, 1, 0])
    assert made == ["a.0", "a.1", "b#1.0", "a.2"]
    assert [parent_of(i) for i in made] == ["a", "a", "b#1", "a"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.none() | st.integers(0, 1)), max_size=12))
def test_ids_are_unique_whatever_repeats(rows):
    table = pa.table(
        {"x": pa.array([x for x, _ in rows], pa.string()), "y": pa.array([y for _, y in rows], pa.int64())}
    )
    made = ids(table)
    assert len(set(made)) == len(rows)
    assert len({i.partition("#")[0] for i in made}) == len(set(rows))


def test_the_borders_of_a_hash_s_parts_count():
    assert short_hash("ab", "c") != short_hash("a", "bc") != short_hash("abc")
