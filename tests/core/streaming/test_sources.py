"""Where streamed rows come from: nothing is changed on the way, and what cannot be read is told in a sentence."""

from __future__ import annotations

import json
import os
import sys
from typing import ClassVar

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError, OptionError, RowOperator, run
from dataflow_ext.streaming.source import source_of
from tests.core.streaming.steps import Copies, NotByThree
from tests.core.streaming.test_streamed_runs import check_same


@pytest.mark.parametrize(
    ("first", "later"),
    [(True, 7), ("7", 7), (7, "7"), ({"a": 1}, {"a": 1, "b": 2}), (1, 0.5), (None, "text"), ([1], ["text"])],
)
def test_a_later_value_that_is_none_of_the_first_rows_type_ends_the_run(first, later, tmp_path):
    rows = ({"n": 1, "x": first if n < 4096 else later} for n in range(4100))
    with pytest.raises(InputError, match="Column 'x' began as"):
        run([NotByThree()], rows, out=tmp_path)


@pytest.mark.parametrize(
    ("first", "later"), [(0.5, 7), ({"a": 1, "b": 2}, {"b": 3}), ("text", None), ([0.5], [1]), (7, 8.0)]
)
def test_a_later_value_that_the_first_rows_type_holds_is_one_of_it(first, later, tmp_path):
    rows = [{"n": 1, "x": first if n < 4096 else later} for n in range(4100)]
    streamed = run([NotByThree()], iter(rows), out=tmp_path)
    x = streamed.table["x"]
    assert x[-1].as_py() == ({"a": None, "b": 3} if isinstance(later, dict) else later)
    assert x.type == pa.array([first]).type


def test_texts_of_any_width_and_dictionaries_of_them_follow_each_other(tmp_path):
    texts = pa.array(["a", "b"])
    kinds = [texts, texts.cast(pa.large_string()), texts.dictionary_encode(), texts.cast(pa.string_view())]
    streamed = run([NotByThree()], (pa.table({"n": [1, 2], "t": kind}) for kind in kinds), out=tmp_path)
    assert streamed.table["t"].to_pylist() == ["a", "b"] * 4


def test_a_data_set_is_read_as_a_table_is(tmp_path):
    table = pa.table({"n": [1, 2, 3], "t": pa.array(["a", "b", "c"], pa.string_view())})
    check_same(run([Copies()], ds.dataset(table), out=tmp_path, rows_per_part=2), run([Copies()], table))


def test_a_field_whose_name_holds_half_a_character_keeps_its_values(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"n": n, "x\ud800": n}) + "\n" for n in (1, 2)))
    check_same(run([Copies()], path, out=tmp_path / "out"), run([Copies()], path))


def test_large_pictures_are_read_a_few_at_a_time(tmp_path):
    picture = bytes(1 << 20)
    path = tmp_path / "pictures.parquet"
    pq.write_table(pa.table({"picture": [picture] * 100}), path, use_dictionary=False)
    sizes = [table.num_rows for table in source_of(path).tables]
    assert sum(sizes) == 100
    assert max(sizes) <= 32
    taken: list[int] = []

    def pictures():
        for n in range(100):
            taken.append(n)
            yield {"picture": picture}

    next(source_of(pictures()).tables)
    assert len(taken) <= 32


@pytest.mark.parametrize("dtype", [pa.struct([]), pa.month_day_nano_interval()])
def test_a_column_that_no_parquet_file_holds_is_told_before_the_work(dtype, tmp_path):
    done: list[int] = []

    class Notes(RowOperator):
        inputs: ClassVar = {"n": int}
        outputs: ClassVar = {"m": int}

        def row(self, n: int) -> dict[str, int]:
            done.append(n)
            return {"m": n}

    with pytest.raises(InputError, match=r"Column 'odd' \(.*\) cannot be written to rows.parquet"):
        run([Notes()], pa.table({"n": [1], "odd": pa.nulls(1, dtype)}), out=tmp_path)
    assert done == []


def test_a_lines_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(b'{"n": 1, "text": "\xff"}\n')
    with pytest.raises(InputError, match=r"rows.jsonl, line 1: not JSON \(.*can't decode byte 0xff"):
        run([NotByThree()], tmp_path / "rows.jsonl", out=tmp_path / "out")


def test_columns_in_a_dict_are_not_taken_for_paths(tmp_path):
    with pytest.raises(InputError, match="Cannot make a table of dict"):
        run([NotByThree()], {"n": [1]}, out=tmp_path)


@pytest.mark.parametrize("rows", [0, 1.5, None])
def test_a_part_has_a_whole_number_of_rows(rows, tmp_path):
    with pytest.raises(OptionError, match="rows_per_part ≥ 1, got"):
        run([NotByThree()], [{"n": 1}], out=tmp_path, rows_per_part=rows)


def test_an_output_that_is_a_file_is_told(tmp_path):
    (tmp_path / "rows").write_text("mine")
    with pytest.raises(OptionError, match="is a file; name a folder"):
        run([NotByThree()], [{"n": 1}], out=tmp_path / "rows")
    assert (tmp_path / "rows").read_text() == "mine"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the size of files by the system's own means")
def test_a_part_for_which_there_is_no_room_leaves_nothing_behind(tmp_path):
    import resource
    import signal

    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large|errno 27"):
            run([NotByThree()], pa.table({"n": [1], "noise": [os.urandom(1 << 17)]}), out=tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(tmp_path.rglob("*.arrow")) == []
