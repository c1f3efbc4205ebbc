"""Rows for GRPO, whose solutions a reward is computed from, verify again from the exported files alone."""

import json
from pathlib import Path

import pytest

from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import FORMS, export
from operators.scene.model.simulator import apply
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in
from tests.datasets.families import HAS, scene


def exported(folder: Path, to: str) -> list[dict]:
    """The rows of an export, of all its files."""
    export(source_of(folder), to, out := folder.parent / to)
    files = [out / name for name in FORMS[to].files.values() if (out / name).is_file()]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("family", [each for each in HAS if each is not scene])
def test_a_solution_is_what_the_same_rows_conversation_comes_to_and_nothing_else(tmp_path, family):
    made = family(tmp_path)
    said = {each["id"].rpartition(".")[0] if family.__name__ == "sampled" else each["id"]: each["messages"][-1]["content"]
            for each in exported(made, "messages")}  # fmt: skip
    rows = exported(made, "grpo")
    assert {row["id"] for row in rows} == set(said)
    for row in rows:
        question, options = row["prompt"][-1]["content"], [Option(**each) for each in row.get("options", [])]
        found = answer_in(said[row["id"]], question=question, options=options)
        assert found is not None
        other = "Z" if row["solution"].isalpha() else f"{row['solution']}1"
        verdicts = [equivalent(found.text, gold, question=question, options=options).verdict
                    for gold in (row["solution"], other)]  # fmt: skip
        assert verdicts == ["yes", "no"]


def test_the_calls_of_a_turn_give_the_room_that_its_row_tells(tmp_path):
    rows = exported(scene(tmp_path), "grpo")
    told = [json.loads(row["solution"]) for row in rows]
    assert [apply(each["scene"], each["calls"], each["retrievals"]) for each in told] == [
        each["scene_after"] for each in told
    ]
    assert any(each["scene"] != each["scene_after"] for each in told)
