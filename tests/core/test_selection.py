"""Rows by number or mask, with the limit of one array set so small that tables are taken apart as if they were large."""

import os
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext import GroupOperator, Merged, RowOperator, codec, read_table, run, selection, tables, write_table
from dataflow_ext.codec import encode
from dataflow_ext.columns import conform
from dataflow_ext.fingerprint.content import table_hash
from dataflow_ext.images import IMAGE, Image
from dataflow_ext.selection import cut, keep, take

LIMITS = [(64, 0), (64, 1 << 60), (512, 8)]


@pytest.fixture(params=LIMITS, ids=["slices", "copies", "both"])
def small(request, monkeypatch):
    """A limit of some bytes; rows are passed on as slices, as copies, or as either."""
    monkeypatch.setattr(selection, "LARGE", request.param[0])
    monkeypatch.setattr(selection, "_WORTH_A_SLICE", request.param[1])


def pictures(count: int) -> pa.ChunkedArray:
    rows = [
        None if n % 5 == 4 else {"bytes": bytes([n % 256]) * (n % 7 * 10), "path": f"{n}.png"} for n in range(count)
    ]
    return pa.chunked_array([pa.array(rows[n : n + 9], IMAGE) for n in range(0, count, 9)], IMAGE)


def table_of(count: int) -> pa.Table:
    lists = [None if n % 4 == 3 else [{"bytes": b"x" * n, "path": None}] * (n % 3) for n in range(count)]
    return pa.table(
        {"n": range(count), "picture": pictures(count), "lists": pa.array(lists, pa.list_(IMAGE))},
        metadata={"kept": "yes"},
    )


@given(data=st.data(), limits=st.sampled_from(LIMITS), count=st.integers(1, 60))
def test_rows_by_number_are_what_arrow_takes_however_large_the_table_is(data, limits, count):
    table = table_of(count)
    rows = data.draw(st.lists(st.integers(0, count - 1), max_size=80))
    mask = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "LARGE", limits[0])
        patch.setattr(selection, "_WORTH_A_SLICE", limits[1])
        got, kept = take(table, rows), keep(table, pa.array(mask))
    assert got.to_pylist() == [table.to_pylist()[n] for n in rows]
    assert kept.to_pylist() == [row for row, stays in zip(table.to_pylist(), mask, strict=True) if stays]
    assert got.schema.equals(table.schema, check_metadata=True)
    assert kept.schema.equals(table.schema, check_metadata=True)


def test_slices_of_large_rows_copy_nothing():
    picture = pa.array([b"x" * 50_000] * 100, pa.binary())
    table = pa.table({"picture": pa.chunked_array([picture] * 2)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "LARGE", 1_000_000)
        before = pa.total_allocated_bytes()
        got = take(table, [*range(150, 160), 3, 3, *range(95, 105)])
        assert pa.total_allocated_bytes() - before < 10_000
    assert [len(chunk) for chunk in got["picture"].chunks] == [10, 1, 1, 5, 5]


def test_a_large_array_is_cut_into_slices_that_are_not(small):
    array = pictures(40).combine_chunks()
    parts = cut(array)
    assert len(parts) > 1
    assert pa.chunked_array(parts).to_pylist() == array.to_pylist()


def test_wide_binary_is_brought_to_the_declared_type_in_parts(small):
    wide = pa.chunked_array([pa.array([bytes([n]) * n for n in range(60)], pa.large_binary())])
    got = conform(wide, pa.binary())
    assert (got.type, got.to_pylist(), got.num_chunks > 1) == (pa.binary(), wide.to_pylist(), True)


def arrays_of_at_most(limit: int) -> Any:
    """As Arrow makes arrays of Python values: in chunks where one array cannot hold the bytes."""

    def made(values: list[Any], dtype: pa.DataType | None = None) -> pa.Array | pa.ChunkedArray:
        whole = pa.array(values, dtype)
        chunked = whole.nbytes > limit and len(whole) > 1 and pa.types.is_binary(whole.type)
        return pa.chunked_array([whole[:1], whole[1:]]) if chunked else whole

    return made


def test_values_that_one_array_cannot_hold_are_encoded_in_chunks(monkeypatch):
    monkeypatch.setattr(codec, "arrow_array", arrays_of_at_most(100))
    images = [None if n == 3 else Image(bytes([n]) * 30, f"{n}.png") for n in range(9)]
    got = encode(images, Image | None)
    assert got.num_chunks > 1
    assert got.to_pylist() == [i and {"bytes": i.bytes, "path": i.path} for i in images]
    assert encode([[i] for i in images[:3]], list[Image]).to_pylist() == [[v] for v in got.to_pylist()[:3]]


def test_a_value_that_no_array_can_hold_rejects_its_row_alone(monkeypatch):
    monkeypatch.setattr(codec, "arrow_array", arrays_of_at_most(100))

    class Album(RowOperator):
        inputs, outputs = {"n": int}, {"pictures": list[Image]}

        def row(self, n: int) -> dict[str, list[Image]]:
            return {"pictures": [Image(b"x" * 20)] * n}

    done = Album().apply(pa.table({"n": [1, 9, 2]}))
    assert [len(row) for row in done.table["pictures"].to_pylist()] == [1, 2]
    assert done.rejects["message"].to_pylist() == ["column 'pictures': expected list, got a value of more than 2 GiB"]


class Some(RowOperator):
    """Kind ``filter``."""

    inputs, rows = {"n": int}, "filter"

    def row(self, n: int) -> bool | str:
        return True if n % 3 else "a third"


class Flaky(RowOperator):
    """Kind ``same``, with a failure that passes."""

    inputs, outputs = {"n": int}, {"m": int}

    def row(self, n: int) -> dict[str, int]:
        if n == 7 and "SERVER_IS_DOWN" in os.environ:
            raise ConnectionError("down")
        return {"m": n}


class Twice(RowOperator):
    """Kind ``explode``."""

    inputs, outputs, rows = {"m": int}, {"half": int}, "explode"

    def row(self, m: int) -> list[dict[str, int]]:
        return [{"half": 2 * m}, {"half": 2 * m + 1}]


class Albums(GroupOperator):
    """Kind ``whole``, with pictures that are carried."""

    inputs: ClassVar[Any] = {"album": int, "half": int, "lists": pa.list_(IMAGE)}
    outputs: ClassVar[Any] = {"count": int, "lists": pa.list_(IMAGE)}
    key, order, carried = ("album",), ("half",), ("lists",)

    def group(self, album: list[int], half: list[int]) -> list[Merged]:
        return [Merged(list(range(len(half))), {"count": len(half)})]


def test_a_run_over_a_large_table_gives_what_a_small_one_gives(small, tmp_path, monkeypatch):
    table = table_of(40).append_column("album", pa.array([n // 10 for n in range(40)]))
    steps = [Some(), Flaky(), Twice(), Albums()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "LARGE", 1 << 30)
        wanted = run(steps, table)
    for _ in range(2):  # the second time from memory
        got = run(steps, table, cache_dir=tmp_path)
        assert [table_hash(got.after(n)) for n in range(5)] == [table_hash(wanted.after(n)) for n in range(5)]
        assert got.rejects.to_pylist() == wanted.rejects.to_pylist()
    monkeypatch.setenv("SERVER_IS_DOWN", "1")
    first = run(steps, table)
    assert first.rejects["kind"].to_pylist().count("failed") == 1
    monkeypatch.delenv("SERVER_IS_DOWN")
    again = first.retry()
    assert (again.table.to_pylist(), again.rejects.to_pylist()) == (
        wanted.table.to_pylist(),
        wanted.rejects.to_pylist(),
    )


def test_a_parquet_file_of_much_data_has_row_groups_that_readers_can_hold(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "LARGE", 1000)
    table = table_of(40)
    path = write_table(table, tmp_path / "a.parquet")
    assert pq.ParquetFile(path).num_row_groups == -(-40 // (40 * 1000 // table.nbytes))
    assert read_table(path).to_pylist() == table.to_pylist()
