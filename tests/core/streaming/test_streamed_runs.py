"""Streamed runs: the rows of a run in memory, a part at a time, each part done once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError, OptionError, RowOperator, run
from dataflow_ext.errors import RowFailed
from tests.core.streaming.steps import AllInOne, Copies, Fails, Largest, Lines, NotByThree, Rank, Sorted, Sums

ROOT = Path(__file__).resolve().parents[3]
LONG = os.environ.get("ABUSE") == "long"


def in_order(rejects: pa.Table) -> list[str]:
    return sorted(map(str, rejects.to_pylist()))


def check_same(streamed, whole):
    assert streamed.table.combine_chunks().to_pylist() == whole.table.to_pylist()
    assert streamed.table.schema.equals(whole.table.schema)
    assert in_order(streamed.rejects) == in_order(whole.rejects)
    for one, other in zip(streamed.report.steps, whole.report.steps, strict=True):
        assert (one.operator, one.rows_in, one.rows_out, one.rejects()) == (
            other.operator, other.rows_in, other.rows_out, other.rejects(),
        )  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    numbers=st.lists(st.integers(0, 20), max_size=40),
    steps=st.lists(
        st.sampled_from([NotByThree, Fails, Copies, AllInOne, Largest, Sorted, Rank]), min_size=1, max_size=4
    ),
    merges=st.booleans(),
    size=st.integers(1, 12),
)
def test_any_list_of_steps_gives_what_it_gives_in_memory(tmp_path_factory, numbers, steps, merges, size):
    if steps.count(Rank) > 1:
        steps = [step for step in steps if step is not Rank]
    pipeline = [step() for step in steps] + [Sums()] * merges
    if not pipeline:
        return
    rows = pa.table({"n": pa.array(numbers, pa.int64()), "text": [f"row {n % 5}" for n in numbers]})
    if AllInOne in steps or merges:  # which pass on nothing else
        rows = rows.select(["n"])
    streamed = run(pipeline, rows, out=tmp_path_factory.mktemp("out"), rows_per_part=size)
    check_same(streamed, run(pipeline, rows))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(numbers=st.lists(st.one_of(st.none(), st.integers(0, 20)), max_size=40), size=st.integers(1, 12))
def test_a_step_that_writes_files_writes_by_parts_what_it_writes_in_memory(tmp_path_factory, numbers, size):
    rows = pa.table({"n": pa.array(numbers, pa.int64()), "text": [f"row {place}" for place in range(len(numbers))]})
    folder = tmp_path_factory.mktemp("out")
    steps = [[Fails(), Lines(out=folder / name), Copies()] for name in ("parts", "memory")]
    check_same(run(steps[0], rows, out=folder / "run", rows_per_part=size), run(steps[1], rows))
    assert (folder / "parts").exists() == (folder / "memory").exists()
    if (folder / "parts").exists():
        assert (folder / "parts").read_text() == (folder / "memory").read_text()
    assert not (folder / "scratch").exists()


def test_rows_larger_than_a_stretch_of_the_order_are_written_in_order(tmp_path):
    rows = pa.table({"n": [n * 7919 % 20_011 // 3 for n in range(20_011)], "text": [f"{n}" for n in range(20_011)]})
    run([Lines(out=tmp_path / "parts")], rows, out=tmp_path / "run", rows_per_part=3000)
    Lines(out=tmp_path / "memory").apply(rows)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "memory").read_bytes()


def test_a_row_is_traced_through_the_parts_as_in_memory(tmp_path):
    rows = [{"n": n, "text": "-"} for n in range(1, 12)]
    steps = [NotByThree(), Fails(), Copies()]
    whole = run(steps, rows)
    streamed = run(steps, rows, out=tmp_path, rows_per_part=4, keep_steps=range(4))
    for row_id in [*whole.table["row_id"].to_pylist(), *whole.rejects["row_id"].to_pylist()]:
        assert str(streamed.trace(row_id)) == str(whole.trace(row_id))
    with pytest.raises(InputError, match="after every step"):
        run(steps, rows, out=tmp_path, rows_per_part=4).trace(whole.table["row_id"][0].as_py())


def test_ids_of_repeated_rows_count_over_all_parts(tmp_path):
    rows = [{"n": n} for n in (1, 1, 2, 1, 2, 2, 1)]
    streamed = run([Fails()], rows, out=tmp_path, rows_per_part=2)
    assert streamed.table["row_id"].to_pylist() == run([Fails()], rows).table["row_id"].to_pylist()


def test_an_id_that_comes_twice_is_told_even_if_in_another_part(tmp_path):
    rows = [{"row_id": "a", "n": 1}, {"row_id": "b", "n": 1}, {"row_id": "a", "n": 2}]
    with pytest.raises(InputError, match="'a' comes twice"):
        run([Fails()], rows, out=tmp_path, rows_per_part=1)


def test_a_second_run_does_only_the_parts_that_changed(tmp_path):
    rows = [{"n": n} for n in range(1, 11)]
    run([NotByThree(), Copies()], rows, out=tmp_path, rows_per_part=3)
    files = {path: path.stat().st_ino for path in tmp_path.rglob("*.arrow")}
    rows[4] = {"n": 40}
    again = run([NotByThree(), Copies()], rows, out=tmp_path, rows_per_part=3)
    now = {path: path.stat().st_ino for path in tmp_path.rglob("*.arrow")}
    assert len(files) == len(now) == 4
    assert len(files.items() & now.items()) == 3
    check_same(again, run([NotByThree(), Copies()], rows))


def test_parts_that_are_no_more_are_gone(tmp_path):
    run([Copies()], [{"n": n} for n in range(9)], out=tmp_path, rows_per_part=2)
    run([Copies()], [{"n": n} for n in range(3)], out=tmp_path, rows_per_part=2)
    assert len(list(tmp_path.rglob("*.arrow"))) == 2


def test_a_damaged_part_is_made_again(tmp_path):
    rows = [{"n": n} for n in range(1, 8)]
    first = run([Copies()], rows, out=tmp_path, rows_per_part=3)
    expected = (tmp_path / "rows.parquet").read_bytes()
    damaged = sorted(tmp_path.rglob("*.arrow"))[1]
    damaged.write_bytes(damaged.read_bytes()[:-9] + b"scratched")
    again = run([Copies()], rows, out=tmp_path, rows_per_part=3)
    assert again.table.equals(first.table)
    assert (tmp_path / "rows.parquet").read_bytes() == expected


class Flaky(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"done": int}
    down: Path

    def row(self, n: int) -> dict[str, int]:
        if n == 4 and self.down.exists():
            raise ConnectionError("the server is down")
        return {"done": n}


def test_rows_whose_failure_may_pass_are_tried_in_the_next_run_and_no_other_part_is(tmp_path):
    down = tmp_path / "down"
    down.touch()
    rows = [{"n": n} for n in range(6)]
    steps = [Flaky(down=down, depends=())]
    first = run(steps, rows, out=tmp_path / "out", rows_per_part=2)
    assert [(stop.error, stop.rows) for stop in first.report.stopped] == [("ConnectionError", 1)]
    parts = {path: path.stat().st_ino for path in (tmp_path / "out").rglob("*.arrow")}
    again = run(steps, rows, out=tmp_path / "out", rows_per_part=2)
    assert len(parts.items() & {p: p.stat().st_ino for p in (tmp_path / "out").rglob("*.arrow")}.items()) == 2
    assert again.rejects.num_rows == 1


def test_a_limit_is_heard_by_the_reader(tmp_path):
    taken = []

    def endless():
        n = 0
        while True:
            taken.append(n)
            yield pa.table({"n": [n]})
            n += 1

    streamed = run([NotByThree()], endless(), out=tmp_path, rows_per_part=2, limit=5)
    assert streamed.table["n"].to_pylist() == [1, 2, 4]
    assert len(taken) == 5


def test_rows_after_a_step_are_there_where_a_stretch_ends_or_was_asked_to(tmp_path):
    rows = [{"n": n} for n in range(1, 9)]
    streamed = run([NotByThree(), Copies(), Sums()], rows, out=tmp_path, rows_per_part=3, keep_steps=["NotByThree"])
    assert streamed.after("NotByThree")["n"].to_pylist() == [1, 2, 4, 5, 7, 8]
    assert streamed.after(2)["n"].to_pylist() == run([NotByThree(), Copies()], rows).table["n"].to_pylist()
    with pytest.raises(InputError, match="were not kept"):
        run([NotByThree(), Copies()], rows, out=tmp_path / "other").after(1)
    with pytest.raises(OptionError, match="keep_steps names 'Nobody'"):
        run([NotByThree()], rows, out=tmp_path / "other", keep_steps=["Nobody"])


def test_what_reads_arrow_streams_reads_the_result_and_the_file_has_the_same_rows(tmp_path):
    streamed = run([Copies()], [{"n": n} for n in range(1, 9)], out=tmp_path, rows_per_part=3)
    assert pa.table(streamed).equals(streamed.table)
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == streamed.table.to_pylist()
    assert pq.read_table(tmp_path / ".run" / "rejects.parquet").to_pylist() == streamed.rejects.to_pylist()
    assert repr(streamed) == f"StreamResult(12 rows in 3 parts, 0 failed; {tmp_path / 'rows.parquet'})"


def test_no_row_at_all_gives_the_promised_columns(tmp_path):
    streamed = run([Copies(), Sums()], pa.table({"n": pa.array([], pa.int64())}), out=tmp_path)
    assert streamed.table.num_rows == 0
    assert (
        streamed.table.schema.names
        == run([Copies(), Sums()], pa.table({"n": pa.array([], pa.int64())})).table.column_names
    )


def test_with_on_error_raise_a_failed_row_ends_the_run_also_where_it_is_remembered(tmp_path):
    rows = [{"n": n} for n in range(8)]
    run([Fails()], rows, out=tmp_path, rows_per_part=3)
    with pytest.raises(RowFailed, match="5 is unlucky"):
        run([Fails()], rows, out=tmp_path, rows_per_part=3, on_error="raise")


PROGRAM = """
    import sys
    import pyarrow as pa
    from dataflow_ext import run
    from tests.core.streaming.steps import Copies, Fails, NotByThree, Rank, Sums

    rows = ({"n": n % 5000} for n in range(20_000))
    if __name__ == "__main__":
        run([NotByThree(), Fails(), Copies(), Rank(), Sums()], rows, out=sys.argv[1], rows_per_part=500)
"""


def test_kills_at_any_moment_leave_the_same_bytes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))

    def start(out: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.Popen([sys.executable, str(program), str(tmp_path / out)], env=environment)

    began = time.monotonic()
    assert start("whole").wait() == 0
    took = time.monotonic() - began
    draw, killed = random.Random(7), 0
    for _ in range(20 if LONG else 4):
        process = start("killed")
        time.sleep(draw.uniform(0.2, 1.0) * took * 0.7)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.wait()
    assert start("killed").wait() == 0
    assert killed
    for name in ("rows.parquet", ".run/rejects.parquet"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    names = [sorted(p.name for p in (tmp_path / out).rglob("*.arrow")) for out in ("whole", "killed")]
    assert names[0] == names[1]


def of(kind: str, rows: list[dict[str, Any]], folder: Path) -> Any:
    """The same rows as different things that hold rows."""
    table = pa.Table.from_pylist(rows)
    if kind == "list":
        return rows
    if kind == "table":
        return table
    if kind == "reader":
        return table.to_reader(max_chunksize=3)
    if kind == "dicts one by one":
        return iter(rows)
    if kind == "tables one by one":
        return (table.slice(n, 2) for n in range(0, table.num_rows, 2))
    if kind == "data set":
        import pyarrow.dataset as ds

        return ds.dataset(table)
    if kind == "data frame":
        return table.to_pandas()
    if kind == "folder":
        pq.write_table(table.slice(0, 4), folder / "a.parquet")
        (folder / "b.jsonl").write_text("".join(f'{{"n": {r["n"]}, "text": "{r["text"]}"}}\n' for r in rows[4:]))
        (folder / "_SUCCESS.jsonl").write_text("no data")
        return folder
    if kind == "jsonl":
        path = folder / "rows.jsonl"
        path.write_text("".join(f'{{"n": {r["n"]}, "text": "{r["text"]}"}}\n\n' for r in rows))
        return path
    path = folder / f"rows.{kind}"
    from dataflow_ext import write_table

    return write_table(table, path)


KINDS = ["list", "table", "reader", "dicts one by one", "tables one by one", "data set", "data frame", "folder",
         "jsonl", "parquet", "arrow"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_rows_come_from_whatever_holds_rows(kind, tmp_path):
    rows = [{"n": n, "text": f"t{n}"} for n in range(1, 10)]
    streamed = run([Fails()], of(kind, rows, tmp_path), out=tmp_path / "out", rows_per_part=2)
    check_same(streamed, run([Fails()], of(kind, rows, tmp_path) if kind == "data frame" else rows))


def test_a_lines_file_has_the_types_that_all_its_lines_fit(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"n": 1, "x": null}\n' * 5000 + '{"n": 2, "x": 0.5}\n{"n": 3, "x": 1, "y": "late"}\n')
    streamed = run([Copies(keep=("n",), writes={"n": "m"})], path, out=tmp_path / "out", rows_per_part=1000)
    assert streamed.table.schema.field("x").type == pa.float64()
    assert streamed.table["y"].to_pylist()[-3:] == ["late"] * 3


def test_texts_of_a_csv_file_stay_texts(tmp_path):
    (tmp_path / "rows.csv").write_text('label\n001\n"two\nlines"\n')

    class Label(RowOperator):
        inputs: ClassVar = {"label": str}
        outputs: ClassVar = {"said": str}

        def row(self, label: str) -> dict[str, str]:
            return {"said": label}

    streamed = run([Label()], tmp_path / "rows.csv", out=tmp_path / "out", rows_per_part=1)
    assert streamed.table["said"].to_pylist() == ["001", "two\nlines"]


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (iter([]), "gave no row"),
        (iter([{"n": 1}, 3]), "gave a int after dicts"),
        (iter([pa.table({"n": [1]}), pa.table({"n": ["x"]})]), "began as int64"),
        (iter([pa.table({"n": [1]}), pa.table({"n": [1], "m": [2]})]), "'m' came up after the first rows"),
        ("no/such/file.parquet", "There is no file"),
    ],
)
def test_sources_that_cannot_be_read_are_told_in_a_sentence(tmp_path, data, match):
    with pytest.raises(InputError, match=match):
        run([Copies()], data, out=tmp_path)


def test_a_folder_without_tables_is_told(tmp_path):
    (tmp_path / "in").mkdir()
    with pytest.raises(InputError, match="holds no"):
        run([Copies()], tmp_path / "in", out=tmp_path / "out")


def test_rows_that_no_run_wrote_and_rows_that_are_read_are_never_overwritten(tmp_path):
    (tmp_path / "rows.parquet").write_text("mine")
    with pytest.raises(InputError, match=r"rows.parquet was not written by a run of this pipeline; name another"):
        run([Fails()], pa.table({"n": [1]}), out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]
    assert (tmp_path / "rows.parquet").read_text() == "mine"
    out = tmp_path / "out"
    for _ in range(2):
        run([NotByThree()], pa.table({"n": [1, 2]}), out=out)
    for source in (out / "rows.parquet", str(out)):
        with pytest.raises(InputError, match="is an input, which this run would overwrite"):
            run([NotByThree()], source, out=out)
    (out / "report.html").write_text("mine")
    with pytest.raises(InputError, match=r"report.html was not written by a run"):
        run([NotByThree()], pa.table({"n": [1]})).write_page(out)
    assert (out / "report.html").read_text() == "mine"
