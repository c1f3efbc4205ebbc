"""Operators that look at all rows together, and operators that leave files behind."""

from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, estimate, run
from tests.core.samples import Flaky


class Share(Operator):
    """Each row's share of all texts' letters, which depends on the other rows."""

    inputs: ClassVar[Any] = {"echo": str}
    outputs: ClassVar[Any] = {"share": float}
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        sizes = [len(text) for text in table["echo"].to_pylist()]
        return Made({"share": pa.array([size / sum(sizes) for size in sizes], pa.float64())})


class Leaves(Operator):
    """Writes the texts into a file."""

    inputs: ClassVar[Any] = {"share": float}
    together: ClassVar[bool] = True
    remembered: ClassVar[bool] = False

    file: str

    def batch(self, table: pa.Table) -> Made:
        Path(self.file).write_text(str(table["share"].to_pylist()), encoding="utf-8")
        return Made({})


DOCS = pa.table({"row_id": list("abc"), "text": ["one", "down two", "three"]})


def test_a_retry_lets_a_step_that_looks_at_all_rows_together_see_all_of_them_again(tmp_path):
    switch = tmp_path / "down"
    steps = [Flaky(switch=str(switch)), Share(), Leaves(file=str(tmp_path / "left"))]
    whole = run(steps, DOCS)
    switch.touch()
    part = run(steps, DOCS)
    assert part.table["share"].to_pylist() == [3 / 8, 5 / 8]
    assert (tmp_path / "left").read_text() == "[0.375, 0.625]"
    switch.unlink()
    assert part.retry().table.equals(whole.table)
    assert (tmp_path / "left").read_text() == str(whole.table["share"].to_pylist())


def test_what_leaves_files_behind_is_done_in_every_run_and_by_no_estimate(tmp_path):
    steps = [Share(reads={"echo": "text"}), Leaves(file=str(tmp_path / "left"))]
    estimate(steps, DOCS, cache_dir=tmp_path / "cache")
    assert not (tmp_path / "left").exists()
    run(steps, DOCS, cache_dir=tmp_path / "cache")
    (tmp_path / "left").unlink()
    again = run(steps, DOCS, cache_dir=tmp_path / "cache")
    assert (tmp_path / "left").exists()
    assert [step.remembered for step in again.report.steps] == [True, False]


class SomeShare(Share):
    """The same, where an option leaves a column out."""

    outputs: ClassVar[Any] = {"share": float, "letters": int}

    def promised_outputs(self) -> dict[str, type]:
        return {"share": float}


def test_a_step_that_looks_at_all_rows_delivers_in_parts_what_its_options_promise(tmp_path):
    rows = pa.table({"row_id": list("abc"), "echo": ["one", "two", "six"]})
    made = run([SomeShare()], iter(rows.to_batches()), out=tmp_path / "out", rows_per_part=2)
    assert pa.table(made).drop_columns(["row_id"]).to_pylist() == [
        {"echo": text, "share": 1 / 3} for text in ("one", "two", "six")
    ]
