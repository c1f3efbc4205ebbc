"""Steps with labels: what a data set gives, and what is wrong with a row that was changed."""

import json

from dataflow_ext.claims.steps import problems_of
from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import export
from operators.scene.model.conversation import Conversation
from operators.scene.output.export import step_rows, world_of
from tests.scene.laws.lines import made


def test_every_label_is_proven_again_from_the_file_and_false_steps_stand_last(tmp_path):
    data = made(False)
    export(source_of(data.folder), "prm", tmp_path / "prm")
    rows = [json.loads(line) for line in (tmp_path / "prm" / "prm.jsonl").read_text(encoding="utf-8").splitlines()]
    known = {line["id"]: Conversation.read(line) for line in data.lines}
    assert [problem for row in rows for problem in step_problems(row, known[row["id"]])] == []
    assert {len(row["labels"]) == len(row["completions"]) == len(row["marked"]) for row in rows} == {True}
    assert all(row["labels"][:-1] == [True] * (len(row["labels"]) - 1) for row in rows)
    assert sum(not row["labels"][-1] for row in rows) >= 2
    assert not any("[" in step for row in rows for step in row["completions"])


def test_a_label_that_is_turned_round_is_told():
    line = made(False).lines[0]
    row = next(row for row in step_rows(line) if all(row["labels"]))
    conversation = Conversation.read(line)
    assert step_problems(row, conversation) == []
    row["labels"][0] = False
    assert [each.partition("' is ")[2] for each in step_problems(row, conversation)] == [
        "labelled false and is not disproved"
    ]


def step_problems(row, conversation):
    """What is wrong with a row of steps: a true one that is not proven, a false one that is not disproved."""
    plain = json.loads(json.dumps({name: row[name] for name in ("marked", "completions", "labels")}))
    return list(problems_of(plain, world_of(conversation, row["turn"])))
