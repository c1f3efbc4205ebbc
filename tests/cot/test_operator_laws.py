"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.models import ScriptedModel
from dataflow_ext.testing import check_operator
from operators import (
    AnchorValidator,
    AnchorWriter,
    CoTGenerator,
    CoTPlanReader,
    CoTReader,
    CoTSampleBuilder,
    CoTWriter,
    LetterBalancer,
)
from operators.cot.items import items
from operators.cot.reader import data_files
from operators.cot.sample import PLAN_FILE
from tests.cot.dataset.samples import entry, row, table, written
from tests.cot.plans_on_disk import a_plan, a_step, tea, write_item

#: An operator, its table, and how many rows live.
Case = tuple[Operator, pa.Table, int]


def annotated(folder: Path) -> Path:
    """A root with an item, one whose pictures are gone, and one whose plan is damaged."""
    root = folder / "root"
    write_item(root, "bare", a_plan(a_step(1, "Ring the bell.")), parts=())
    write_item(root, "tea", tea())
    write_item(root, "torn", tea())
    (root / "torn" / PLAN_FILE).write_text("{")
    return root


def built(folder: Path) -> pa.Table:
    """Samples of Task_29 and Task_31, five in all."""
    plans = CoTPlanReader().apply(items(annotated(folder))).table
    return CoTSampleBuilder(tasks=(29, 31)).apply(plans).table


def with_bad(source: pa.Table, **changes: Any) -> pa.Table:
    """The rows, and the first one once more with other values."""
    rows = source.to_pylist()
    return pa.Table.from_pylist([*rows, {**rows[0], **changes}], source.schema).drop_columns(["row_id"])


def reader(folder: Path) -> Case:
    return CoTPlanReader(), items(annotated(folder)), 2


def builder(folder: Path) -> Case:
    return CoTSampleBuilder(tasks=(29, 31), seed=2), CoTPlanReader().apply(items(annotated(folder))).table, 5


def balance(folder: Path) -> Case:
    return LetterBalancer(), with_bad(built(folder), fields="{"), 5


def anchors(folder: Path) -> Case:
    return AnchorWriter(), with_bad(built(folder), step_index=99), 5


def rules(folder: Path) -> Case:
    return CoTGenerator(), with_bad(AnchorWriter()(built(folder)), fields="{"), 5


def asked(folder: Path) -> Case:
    said = "This comes next in the plan, as the goal asks for it."
    replies = {"Pour the water": '{"reasoning": "' + said + '", "answer": "Pour the water."}', "": "no"}
    model = ScriptedModel(replies)
    return CoTGenerator(model=model, max_attempts=1), AnchorWriter()(built(folder)), 1


def validator(folder: Path) -> Case:
    finished = CoTGenerator()(AnchorWriter()(built(folder)))
    return AnchorValidator(), with_bad(finished, question="What now?"), 5


def writer(folder: Path) -> Case:
    good = [row(folder, n) for n in range(1, 4)]
    return CoTWriter(out=folder / "out"), table([*good, row(folder, 9, fields="{")]), 3


def loader(folder: Path) -> Case:
    written(folder / "cot", entry(1), "{", entry(2))
    written(folder / "cot", entry(3), task="Task_31_Prefix_Completed_Steps_MultiSelect")
    return CoTReader(), data_files(folder / "cot", folder), 3


CASES: Mapping[str, Callable[[Path], Case]] = {
    "CoTPlanReader": reader,
    "CoTSampleBuilder": builder,
    "LetterBalancer": balance,
    "AnchorWriter": anchors,
    "CoTGenerator": rules,
    "CoTGenerator, with a model": asked,
    "AnchorValidator": validator,
    "CoTWriter": writer,
    "CoTReader": loader,
}


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.cot.")}
    found = {name for name in homes if issubclass(getattr(operators, name), Operator)}
    assert found == {name.partition(",")[0] for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, source, rows = CASES[name](tmp_path)
    assert type(operator).__name__ == name.partition(",")[0]
    assert check_operator(operator, source).num_rows == rows
    assert operator.apply(source).rejects.num_rows > 0, "the table has a row that is rejected"


def test_a_data_set_that_is_gone_costs_the_writer_nothing(tmp_path: Path) -> None:
    operator, source, rows = writer(tmp_path)
    operator(source)
    shutil.rmtree(tmp_path / "out")
    assert operator(source).num_rows == rows
    assert len(list((tmp_path / "out").glob("*/data.jsonl"))) == 1
