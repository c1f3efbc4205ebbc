"""What a streamed run takes from an earlier one: never what was made of something else, and no more is kept."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from dataflow_ext import InputError, RowOperator, run
from tests.core.streaming.steps import Copies, Fails, NotByThree, Rank, Sums


class Placed(RowOperator):
    inputs: ClassVar = {"page": str}
    outputs: ClassVar = {"page": Path}
    folder: str

    def row(self, page: str) -> dict[str, Path]:
        return {"page": Path(self.folder) / page}


class Size(RowOperator):
    inputs: ClassVar = {"page": Path}
    outputs: ClassVar = {"size": int}

    def row(self, page: Path) -> dict[str, int]:
        return {"size": len(page.read_bytes())}


def test_a_file_that_changed_is_read_again_also_where_a_step_completed_its_name_in_place(tmp_path):
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("22")
    steps = [Placed(folder=str(tmp_path)), Size()]
    rows = [{"page": "a"}, {"page": "b"}]
    assert run(steps, rows, out=tmp_path / "out", rows_per_part=1).table["size"].to_pylist() == [1, 2]
    (tmp_path / "a").write_text("333")
    assert run(steps, rows, out=tmp_path / "out", rows_per_part=1).table["size"].to_pylist() == [3, 2]


def test_what_a_run_with_more_steps_left_is_gone(tmp_path):
    rows = [{"n": n} for n in range(10)]
    many = [NotByThree(), Rank(), Copies(keep=("n",), writes={"n": "m"}), Sums()]
    run(many, rows, out=tmp_path / "one", rows_per_part=2)
    for out in ("one", "two"):
        run([NotByThree()], rows, out=tmp_path / out, rows_per_part=2)
    one, two = (
        sorted(path.relative_to(tmp_path / out) for path in (tmp_path / out).rglob("*")) for out in ("one", "two")
    )
    assert one == two


def test_rows_that_a_later_run_replaced_are_told_to_be_gone(tmp_path):
    rows = [{"n": n} for n in range(4)]
    first = run([NotByThree()], rows, out=tmp_path)
    run([Fails()], rows, out=tmp_path)
    with pytest.raises(InputError, match="a later run in its folder made other parts"):
        first.table  # noqa: B018


def test_of_several_steps_of_one_name_the_rows_after_the_last_are_given_as_in_memory(tmp_path):
    rows = [{"n": n} for n in range(1, 9)]
    steps = [Copies(), NotByThree(), Copies(), NotByThree()]
    streamed = run(steps, rows, out=tmp_path, rows_per_part=3, keep_steps=["Copies"])
    assert streamed.after("Copies").to_pylist() == run(steps, rows).after("Copies").to_pylist()
    assert streamed.after(1).to_pylist() == run(steps, rows).after(1).to_pylist()
