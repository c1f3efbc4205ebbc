"""The laws that all operators keep, on the operators for any table."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator, write_table
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.testing import check_operator
from operators import AskModel, Join, Limit, TopK, TrainTestSplit


def echo(request: Request) -> str:
    return request.prompt.upper()


ROWS = pa.table({
    "kind": ["a", "b", "a", None, "a", "b"],
    "n": [3, 1, 2, 5, 3, None],
    "score": [0.5, 0.25, 0.5, 1.0, None, float("nan")],
})  # fmt: skip
CASES = {
    "AskModel": lambda folder: (AskModel(model=ScriptedModel(echo), prompt="Name {{ kind }}."), 5),
    "Join": lambda folder: (Join(other=levels(folder), on=["kind"]), 3),
    "Limit": lambda folder: (Limit(limit=1, by=["kind"], order="n"), 3),
    "TopK": lambda folder: (TopK(best=1, by=["kind"]), 3),
    "TrainTestSplit": lambda folder: (TrainTestSplit(by=["kind"], order=["n"], test_share=0.4), 4),
}


def levels(folder: Path) -> Path:
    return write_table(pa.table({"kind": ["a", None, "z"], "level": [7, 8, 9]}), folder / "levels.parquet")


@pytest.mark.parametrize("name", CASES)
def test_an_operator_for_any_table_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, rows = CASES[name](tmp_path)
    assert check_operator(operator, ROWS).num_rows == rows


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.table.")}
    assert {name for name in homes if issubclass(getattr(operators, name), Operator)} == set(CASES)
