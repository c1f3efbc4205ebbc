"""Rows treated by themselves: whose outcome is whose, over processes, side by side and in slices."""

import asyncio
import os
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import pyarrow as pa
import pytest

from dataflow_ext import Made, Operator, RowError, parallel, progress, run
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from dataflow_ext.testing import check_operator

TEXTS = pa.table({"row_id": list("abcd"), "text": ["one", "", "three", None]})


def length(row: Record) -> Record:
    if not row["text"]:
        raise RowError("the text is empty")
    return {"length": len(row["text"])}


async def length_later(row: Record) -> Record:
    await asyncio.sleep(0.01 if row["text"] == "one" else 0)
    return length(row)


def with_process(row: Record) -> Record:
    return {"length": len(row["text"]), "process": os.getpid()}


class Lengths(Operator):
    """The number of characters of a text."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"length": int}

    by: str = "rules"
    at_once: int | None = None

    def batch(self, table: pa.Table) -> Made:
        progress.expect(table.num_rows, "texts")
        return made_of_rows(self, table, self.outcomes, self.at_once)

    def outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        return spread(length, rows, 2) if self.by == "rules" else side_by_side(self, length_later, rows)


@pytest.mark.parametrize("by", ["rules", "model"])
@pytest.mark.parametrize("at_once", [None, 1, 2, 100])
def test_each_row_has_its_own_outcome_whatever_is_treated_at_once(by: str, at_once: int | None) -> None:
    done = Lengths(by=by, at_once=at_once).apply(TEXTS)
    assert done.table.select(["row_id", "length"]).to_pylist() == [
        {"row_id": "a", "length": 3},
        {"row_id": "c", "length": 5},
    ]
    assert done.rejects.select(["row_id", "error", "message"]).to_pylist() == [
        {"row_id": "b", "error": "RowError", "message": "the text is empty"},
        {"row_id": "d", "error": "RowError", "message": "column 'text' is null"},
    ]
    check_operator(Lengths(by=by, at_once=at_once), TEXTS)


def test_a_value_of_no_declared_type_costs_its_row_alone_wherever_it_stands() -> None:
    class Marks(Lengths):
        inputs: ClassVar[Columns] = {"mark": Literal["a", "bb"]}

        def outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
            return [{"length": len(row["mark"])} for row in rows]

    done = Marks(at_once=2).apply(pa.table({"row_id": ["x", "y", "z", "w"], "mark": ["a", "bb", "ccc", "bb"]}))
    assert done.table.select(["row_id", "length"]).to_pylist() == [
        {"row_id": "x", "length": 1},
        {"row_id": "y", "length": 2},
        {"row_id": "w", "length": 2},
    ]
    assert done.rejects.select(["row_id", "message"]).to_pylist() == [
        {"row_id": "z", "message": "column 'mark': expected one of a, bb, got 'ccc'"}
    ]


def test_rows_are_spread_over_the_processes_of_the_run_in_their_order() -> None:
    rows = [{"text": "x" * n} for n in range(7)]
    with parallel.workers(2, at_once=True):
        made = spread(with_process, rows, 3)
    assert [each["length"] for each in made if isinstance(each, dict)] == list(range(7))
    assert os.getpid() not in {each["process"] for each in made if isinstance(each, dict)}


@pytest.mark.parametrize("by", ["rules", "model"])
def test_every_row_advances_the_progress_those_that_fail_too(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(progress, "advance", lambda pieces=1: told.append(pieces))
    assert run([Lengths(by=by)], TEXTS.slice(0, 3)).table.num_rows == 2
    assert sum(told) == 3
