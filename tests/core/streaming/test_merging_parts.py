"""Steps that merge rows, in parts: the groups, their order and their rows are those of a run in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest

from dataflow_ext import GroupOperator, Made, Merged, Operator, RowOperator, run
from tests.core.streaming.steps import Sums
from tests.core.streaming.test_streamed_runs import check_same

NAN = math.nan


class ByFloat(GroupOperator):
    inputs: ClassVar = {"k": float | None, "v": int}
    outputs: ClassVar = {"joined": str}
    key: ClassVar = ("k",)

    def group(self, k: list[Any], v: list[int]) -> Iterator[Merged]:
        yield Merged(range(len(v)), {"joined": ",".join(map(str, v))})


class ByText(ByFloat):
    inputs: ClassVar = {"k": str, "v": int}


class ByPath(ByFloat):
    inputs: ClassVar = {"k": Path, "v": int}


def joined(step: ByFloat, keys: list[Any], values: list[int | None], rows_per_part: int, out: Path) -> list[str]:
    table = pa.table({"k": keys, "v": pa.array(values, pa.int64())})
    streamed = run([step], table, out=out, rows_per_part=rows_per_part)
    assert str(streamed.table.to_pylist()) == str(run([step], table).table.to_pylist())  # as NaN is not itself
    return streamed.table["joined"].to_pylist()


@pytest.mark.parametrize("rows_per_part", [1, 2, 9])
def test_zeros_of_either_sign_are_one_key_and_each_nan_is_its_own(rows_per_part, tmp_path):
    keys = [0.0, NAN, 1.0, -0.0, NAN, None, 1.0, -0.0, None]
    assert joined(ByFloat(), keys, list(range(9)), rows_per_part, tmp_path) == ["0,3,7", "1", "2,6", "4", "5,8"]


@pytest.mark.parametrize("rows_per_part", [1, 2, 5])
def test_paths_that_are_equal_are_one_key_however_they_are_spelled(rows_per_part, tmp_path):
    assert joined(ByPath(), ["a/b", "c", "a//b", "a/./b", "c"], [0, 1, 2, 3, 4], rows_per_part, tmp_path) == [
        "0,2,3",
        "1,4",
    ]


@pytest.mark.parametrize("rows_per_part", [1, 2, 3, 6])
def test_a_row_that_the_merge_rejects_has_no_say_in_where_its_group_stands(rows_per_part, tmp_path):
    values = [None, 1, 2, 3, 4, 5]
    assert joined(ByText(), ["a", "b", "c", "a", "d", "b"], values, rows_per_part, tmp_path) == ["1,5", "2", "3", "4"]


def test_the_key_of_a_merge_can_be_the_row_id(tmp_path):
    table = pa.table({"row_id": ["x", "y"], "v": [1, 2]})
    step = ByText(reads={"k": "row_id"})
    streamed = run([step], table, out=tmp_path, rows_per_part=1)
    assert streamed.table.column_names == ["row_id", "parents", "joined"]
    check_same(streamed, run([step], table))


class Down(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}

    def row(self, n: int) -> dict[str, int]:
        if n == 4:
            raise ConnectionError("the server is down")
        return {"n": n}


def test_rows_that_stopped_before_a_merge_are_told_as_in_memory(tmp_path):
    rows = [{"n": n} for n in (1, 4, 1, 4, 2)]
    streamed = run([Down(), Sums()], rows, out=tmp_path, rows_per_part=2)
    assert [(stop.error, stop.rows) for stop in streamed.report.stopped] == [("ConnectionError", 2)]
    assert streamed.report.stopped == run([Down(), Sums()], rows).report.stopped


class Pair(Operator):
    inputs: ClassVar = {"a": int, "b": int}
    outputs: ClassVar = {"sum": int}
    rows: ClassVar[Any] = "explode"
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        import pyarrow.compute as pc

        return Made({"sum": pc.add(table["a"], table["b"])}, rows=range(table.num_rows))


def test_a_step_that_reads_one_column_twice_takes_no_other_away(tmp_path):
    table = pa.table({"n": [3, 1, 2], "text": ["x", "y", "z"]})
    step = Pair(reads={"a": "n", "b": "n"})
    streamed = run([step], table, out=tmp_path, rows_per_part=2)
    assert streamed.table["text"].to_pylist() == ["x", "y", "z"]
    check_same(streamed, run([step], table))
