"""Rows that may take so long and no longer: asynchronous ones here, the others in worker processes."""

import asyncio
import ctypes
import os
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, RowOperator, run
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, ScriptedModel
from dataflow_ext.testing import check_operator

TEXTS = pa.table({"row_id": list("abcd"), "text": ["one", "stuck", "three", None]})
TOO_LONG = {
    "row_id": "b",
    "kind": "failed",
    "error": "RowTimeout",
    "message": "took longer than the 1 s that it may take",
}
NULL = {"row_id": "d", "kind": "failed", "error": "RowError", "message": "column 'text' is null"}


class Length(RowOperator):
    """The length of a text, which for some texts is never found."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"length": int}

    def row(self, text: str) -> dict[str, int]:
        while text == "stuck":
            pass
        if text == "crash":
            ctypes.string_at(0)
        if text == "exit":
            os._exit(1)
        return {"length": len(text)}


class SpreadLength(Length):
    """The same, over the run's processes."""

    spread: ClassVar[bool] = True


class LengthLater(RowOperator):
    """The same, waiting."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"length": int}

    async def row(self, text: str) -> dict[str, int]:
        await asyncio.sleep(60 if text == "stuck" else 0)
        if text == "own":
            raise TimeoutError("the row's own")
        return {"length": len(text)}


class Letters(RowOperator):
    """A row for each letter, one after the other."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"letter": str}
    rows: ClassVar[Any] = "explode"

    def row(self, text: str) -> Iterator[dict[str, str]]:
        for letter in text:
            time.sleep(60 if text == "stuck" else 0)
            yield {"letter": letter}


class LettersLater(RowOperator):
    """The same, waiting."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"letter": str}
    rows: ClassVar[Any] = "explode"

    async def row(self, text: str) -> AsyncIterator[dict[str, str]]:
        for letter in text:
            await asyncio.sleep(60 if text == "stuck" else 0)
            yield {"letter": letter}


class Asking(RowOperator):
    """An operator that asks a model in a row that does not wait."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"length": int}
    model: Model

    def row(self, text: str) -> dict[str, int]:
        return {"length": len(text)}


def told(rejects: pa.Table) -> list[dict[str, Any]]:
    return rejects.select(["row_id", "kind", "error", "message"]).to_pylist()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("operator", [Length, SpreadLength, LengthLater])
def test_a_row_that_takes_too_long_is_a_reject_and_its_neighbours_live(
    operator: type[RowOperator], workers: int
) -> None:
    done = run([operator(row_timeout=1)], TEXTS, workers=workers)
    assert done.table.select(["row_id", "length"]).to_pylist() == [
        {"row_id": "a", "length": 3},
        {"row_id": "c", "length": 5},
    ]
    assert told(done.rejects) == [TOO_LONG, NULL]


@pytest.mark.parametrize("operator", [Letters, LettersLater])
def test_a_row_that_makes_several_has_the_time_for_all_of_them(operator: type[RowOperator]) -> None:
    done = operator(row_timeout=1).apply(TEXTS)
    assert "".join(done.table["letter"].to_pylist()) == "onethree"
    assert told(done.rejects) == [TOO_LONG, NULL]


def test_a_row_that_took_too_long_is_tried_again_by_the_next_run(tmp_path: Any) -> None:
    for _ in range(2):
        done = run([Length(row_timeout=0.5)], TEXTS, cache_dir=tmp_path)
        assert (done.report.steps[0].remembered, done.rejects["error"].to_pylist()) == (
            False,
            ["RowTimeout", "RowError"],
        )
    again = run([Length(row_timeout=0.5)], TEXTS.slice(2), cache_dir=tmp_path)
    assert run([Length(row_timeout=0.5)], TEXTS.slice(2), cache_dir=tmp_path).table.equals(again.table)


@pytest.mark.parametrize(
    ("operator", "workers"), [(Length(row_timeout=20), 1), (SpreadLength(row_timeout=20), 2), (SpreadLength(), 2)]
)
def test_a_row_that_kills_its_process_is_a_reject_with_the_reason(operator: RowOperator, workers: int) -> None:
    table = pa.table({"row_id": list("abcde"), "text": ["one", "crash", "three", "exit", "seven"]})
    done = run([operator], table, workers=workers)
    assert done.table["length"].to_pylist() == [3, 5, 5]
    assert told(done.rejects) == [
        {
            "row_id": row,
            "kind": "failed",
            "error": "WorkerDied",
            "message": f"its process {why}, also when it was tried alone",
        }
        for row, why in (("b", "was killed by SIGSEGV"), ("d", "ended with exit code 1"))
    ]
    assert done.rejects["attempts"].to_pylist() == [2, 2]


def test_a_timeout_of_the_rows_own_stays_that() -> None:
    done = LengthLater(row_timeout=20).apply(pa.table({"row_id": ["a", "b"], "text": ["own", "two"]}))
    assert [(r["error"], r["message"]) for r in told(done.rejects)] == [("TimeoutError", "the row's own")]


def test_an_operator_with_a_time_for_its_rows_keeps_the_laws() -> None:
    table = TEXTS.filter(pa.array([True, False, True, True]))
    check_operator(SpreadLength(row_timeout=20), table)
    check_operator(LengthLater(row_timeout=20), table)


def test_an_operator_that_no_worker_can_have_is_refused_when_it_is_made() -> None:
    class Here(Length):
        pass

    with pytest.raises(OptionError, match=r"Here: row_timeout needs an async row, .* it cannot be pickled"):
        Here(row_timeout=1)
    with pytest.raises(OptionError, match="which this is not: models are asked from one process"):
        Asking(row_timeout=1, model=ScriptedModel(["1"]))


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_time_that_makes_no_sense_is_refused(seconds: float) -> None:
    with pytest.raises(OptionError, match="row_timeout"):
        Length(row_timeout=seconds)
