"""Which Arrow types serve where another was declared, and how they are brought to it."""

import io

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext.columns import compatible, conform, conform_rows
from dataflow_ext.errors import RowError

WIDE = pa.struct([("extra", pa.int8()), ("a", pa.int32()), ("b", pa.large_string())])
NARROW = pa.struct([("b", pa.string()), ("a", pa.int64())])
UTC = pa.timestamp("us", tz="UTC")


@pytest.mark.parametrize(
    ("actual", "wanted", "fits"),
    [
        (pa.large_string(), pa.string(), True),
        (pa.string_view(), pa.string(), True),
        (pa.dictionary(pa.int8(), pa.large_string()), pa.string(), True),
        (pa.dictionary(pa.int8(), pa.int64()), pa.string(), False),
        (pa.binary(), pa.string(), False),
        (pa.string(), pa.binary(), False),
        (pa.binary(4), pa.binary(), True),
        (pa.int64(), pa.string(), False),
        (pa.string(), pa.int64(), False),
        (pa.int8(), pa.int64(), True),
        (pa.uint32(), pa.int64(), True),
        (pa.uint64(), pa.int64(), False),
        (pa.int8(), pa.uint8(), False),
        (pa.uint8(), pa.uint16(), True),
        (pa.int64(), pa.int32(), False),
        (pa.int64(), pa.float64(), True),
        (pa.float32(), pa.float64(), True),
        (pa.float64(), pa.float32(), False),
        (pa.float64(), pa.int64(), False),
        (pa.bool_(), pa.int64(), False),
        (pa.null(), NARROW, True),
        (pa.timestamp("ns", tz="Asia/Shanghai"), UTC, True),
        (pa.timestamp("us"), UTC, False),
        (pa.large_list(pa.int8()), pa.list_(pa.int64()), True),
        (pa.list_(pa.int8(), 3), pa.list_(pa.int64()), True),
        (pa.list_(pa.float64()), pa.list_(pa.float64(), 4), False),
        (pa.list_(pa.float64(), 3), pa.list_(pa.float64(), 4), False),
        (pa.list_(pa.string()), pa.list_(pa.int64()), False),
        (WIDE, NARROW, True),
        (NARROW, WIDE, False),
        (pa.list_(WIDE), pa.list_(NARROW), True),
        (pa.map_(pa.large_string(), pa.int8()), pa.map_(pa.string(), pa.int64()), True),
        (pa.map_(pa.int64(), pa.int8()), pa.map_(pa.string(), pa.int64()), False),
        (pa.list_(pa.string()), pa.map_(pa.string(), pa.string()), False),
    ],
    ids=str,
)
def test_a_type_serves_for_another_if_all_of_its_values_are_values_of_it(actual, wanted, fits):
    assert compatible(actual, wanted) is fits


@pytest.mark.parametrize(
    ("array", "wanted"),
    [
        (pa.array(["a", None, "b"], pa.large_string()), pa.string()),
        (pa.array(["a", None, "a"]).dictionary_encode(), pa.string()),
        (pa.array(["a", None, "b"], pa.string_view()), pa.string()),
        (pa.array([1, None, 3], pa.uint16()), pa.int64()),
        (pa.array([1, None, 3]), pa.float64()),
        (pa.nulls(3), pa.list_(NARROW)),
        (pa.array([[1, None], None, []], pa.large_list(pa.int8())), pa.list_(pa.int64())),
        (pa.array([[1, 2], None, [3, 4]], pa.list_(pa.field("element", pa.float32()), 2)), pa.list_(pa.float64(), 2)),
        (pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int8(), 2)), pa.list_(pa.int64())),
        (pa.array([[("k", 1)], None, []], pa.map_(pa.large_string(), pa.int8())), pa.map_(pa.string(), pa.int64())),
    ],
    ids=lambda x: str(x.type) if isinstance(x, pa.Array) else str(x),
)
def test_values_stay_the_same_under_another_type_whole_sliced_and_chunked(array, wanted):
    values = array.to_pylist()
    for given, expected in (
        (array, values),
        (array[1:], values[1:]),
        (array[2:2], []),
        (pa.chunked_array([array[:1], array[1:]]), values),
        (pa.chunked_array([], array.type), []),
    ):
        got = conform(given, wanted)
        got.validate(full=True)
        assert (got.type, got.to_pylist()) == (wanted, expected)


def test_a_struct_s_other_fields_are_left_out_and_the_rest_is_put_in_order():
    rows = [{"extra": 1, "a": 2, "b": "x"}, None, {"extra": 3, "a": None, "b": "y"}]
    lists = pa.array([rows, None, [], rows[2:]], pa.list_(WIDE))
    kept = [{"b": "x", "a": 2}, None, {"b": "y", "a": None}]
    assert conform(pa.array(rows, WIDE)[1:], NARROW).to_pylist() == kept[1:]
    assert conform(lists, pa.list_(NARROW)).to_pylist() == [kept, None, [], kept[2:]]
    assert conform(lists[1:], pa.list_(NARROW)).to_pylist() == [None, [], kept[2:]]


def test_not_null_fields_make_no_other_type():
    strict = pa.list_(pa.field("item", pa.struct([pa.field("b", pa.string(), nullable=False)]), nullable=False))
    wanted = pa.list_(pa.struct([("b", pa.string())]))
    array = pa.array([[{"b": "x"}], []], strict)
    assert array.type != wanted
    assert (conform(array, wanted).type, conform(array, wanted).to_pylist()) == (wanted, [[{"b": "x"}], []])


def test_the_list_element_names_of_parquet_make_no_difference():
    wanted = pa.list_(NARROW)
    file = io.BytesIO()
    pq.write_table(pa.table({"x": pa.array([[{"b": "x", "a": 1}]], wanted)}), file, store_schema=False)
    read = pq.read_table(file)["x"]
    assert conform(read, wanted).to_pylist() == [[{"b": "x", "a": 1}]]


def test_the_strings_and_categories_of_pandas_are_strings():
    frame = pandas.DataFrame({"s": ["001", None], "c": pandas.Categorical(["x", "y"])})
    table = pa.Table.from_pandas(frame)
    assert conform(table["s"], pa.string()).to_pylist() == ["001", None]
    assert conform(table["c"], pa.string()).to_pylist() == ["x", "y"]


def test_equal_types_cost_nothing():
    array = pa.array([1, 2])
    assert conform(array, pa.int64()) is array


def test_a_value_without_a_counterpart_is_an_error_for_its_row_alone():
    column = pa.chunked_array([[1, 2**60 + 1], [3]])
    with pytest.raises(RowError, match=r"^values of type int64 cannot be read as double: Integer value 11529"):
        conform(column, pa.float64())
    read, wrong = conform_rows(column, pa.float64())
    assert (read.to_pylist(), list(wrong)) == ([1.0, None, 3.0], [1])
