"""Steps with labels: what a data set gives, and what is wrong with a row that was changed."""

import json

from operators.scene.dataset.exports import step_problems, step_rows
from operators.scene.model.conversation import Conversation
from pipelines.scene_edit import main
from tests.scene.laws.lines import made


def test_every_label_is_proven_again_from_the_file_and_false_steps_stand_last(tmp_path, capsys):
    folder = made(False).folder
    assert main(["steps", str(folder), "--out", str(tmp_path / "steps.jsonl"), "--seed", "2"]) == 0
    assert capsys.readouterr().err.endswith("no labels not proven.\n")
    rows = [json.loads(line) for line in (tmp_path / "steps.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {len(row["labels"]) == len(row["completions"]) == len(row["marked"]) for row in rows} == {True}
    assert all(row["labels"][:-1] == [True] * (len(row["labels"]) - 1) for row in rows)
    assert sum(not row["labels"][-1] for row in rows) >= 2
    assert not any("[" in step for row in rows for step in row["completions"])
    again = tmp_path / "again.jsonl"
    assert main(["steps", str(folder), "--out", str(again), "--seed", "2"]) == 0
    assert again.read_bytes() == (tmp_path / "steps.jsonl").read_bytes()


def test_a_label_that_is_turned_round_is_told():
    line = made(False).lines[0]
    row = next(row for row in step_rows(line) if all(row["labels"]))
    conversation = Conversation.read(line)
    assert step_problems(row, conversation) == []
    row["labels"][0] = False
    assert [each.partition("' is ")[2] for each in step_problems(row, conversation)] == [
        "labelled false and is not disproved"
    ]


def test_a_folder_without_a_data_set_is_a_users_mistake(tmp_path):
    assert main(["steps", str(tmp_path), "--out", str(tmp_path / "steps.jsonl")]) == 2
