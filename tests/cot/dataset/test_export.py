"""An export has what is to be chosen from in the human turn, and is what LLaMA-Factory and ms-swift read."""

import json
from pathlib import Path

import pytest

from dataflow_ext import InputError, run
from dataflow_ext.claims.steps import problems_of
from operators import CoTWriter
from operators.cot.dataset.export import export
from operators.cot.dataset.steps import step_rows, step_world
from operators.cot.dataset.trainers import asked
from operators.cot.load import load_plan
from operators.cot.plan import Plan, Step
from pipelines.cot_planning import items, main, pipeline
from tests.cot.dataset.samples import NEXT_ACTION, entry, uuid_of, written

TURN = "<image>\nGoal: Change the tube.\nWhat is the next planned action?"
SAID = "<think>The tire must be flat. So the lever comes next.</think>\nUse the lever."


def about(task, **fields):
    """The user's turn of a sample with these fields, below goal and question."""
    made = entry(task_name=f"Task_{task}_Whatever", fields={"high_level_goal": "Change the tube.", **fields})
    return asked(made).removeprefix(TURN)


def test_both_forms_have_pictures_question_and_answer(tmp_path):
    written(tmp_path / "cot", entry(1), entry(2, video="bike/film.mp4"))
    assert export(tmp_path / "cot", tmp_path / "out", input_root=tmp_path / "items") == 2
    lines = {
        path.name: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in (tmp_path / "out").glob("*.jsonl")
    }
    picture = f"{tmp_path}/items/bike/01_step/frame_001_ts_0.00s.jpg"
    assert lines["sharegpt.jsonl"] == [
        {
            "id": uuid_of(1),
            "conversations": [{"from": "human", "value": TURN}, {"from": "gpt", "value": SAID}],
            "images": [picture],
            "videos": [],
        },
        {
            "id": uuid_of(2),
            "conversations": [
                {"from": "human", "value": TURN.replace("<image>", "<image><video>")},
                {"from": "gpt", "value": SAID},
            ],
            "images": [picture],
            "videos": [f"{tmp_path}/items/bike/film.mp4"],
        },
    ]
    assert lines["swift.jsonl"][0] == {
        "id": uuid_of(1),
        "messages": [{"role": "user", "content": TURN}, {"role": "assistant", "content": SAID}],
        "images": [picture],
        "videos": [],
    }
    told = json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8"))["cot_planning"]
    assert told["file_name"] == "sharegpt.jsonl"
    assert set(told["columns"].values()) == {"conversations", "images", "videos"}


@pytest.mark.parametrize(
    ("task", "fields", "told"),
    [
        (29, {"options": ["no task of options"]}, ""),
        (33, {"options": ["Go.", "Stop."], "K": 3}, "\nK: 3\nOptions:\nA) Go.\nB) Stop."),
        (34, {"presented_steps": ["Go.", "Stop."]}, "\nCandidate steps:\n1) Go.\n2) Stop."),
        (36, {"bad_plan_steps": ["Go."]}, "\nBad plan:\n1) Go."),
        (31, {"all_steps": [{"step_id": 7, "step_goal": "Go."}]}, "\nSteps:\n7) Go."),
        (40, {"options": ["An <image> of\nit."]}, "\nOptions:\nA) An  of it."),
    ],
)
def test_the_human_turn_tells_what_is_to_be_chosen_from(task, fields, told):
    assert about(task, **fields) == told


def test_the_answer_is_not_told_in_the_human_turn():
    assert "Glue" not in about(40, options=["Go."], label="A", gold_recovery_strategy="Glue it.")


def test_a_line_that_is_no_sample_is_named(tmp_path):
    written(tmp_path / "cot", entry(1), "{")
    with pytest.raises(InputError, match=r"data\.jsonl, line 2, is no sample: json\.syntax"):
        export(tmp_path / "cot", tmp_path / "out")


def test_the_command_says_how_many_there_are(tmp_path, capsys):
    written(tmp_path / "cot", entry(1))
    assert main(["export", str(tmp_path / "cot"), "--out", str(tmp_path / "out")]) == 0
    assert "1 sample for LLaMA-Factory and ms-swift" in capsys.readouterr().err
    assert main(["export", str(tmp_path / NEXT_ACTION), "--out", str(tmp_path / "out")]) == 2


def test_the_steps_of_what_rules_wrote_have_labels_each_of_them_proven(tmp_path):
    root = Path(__file__).parents[3] / "examples" / "causal_plans"
    run([*pipeline(tasks=[29, 35, 38]), CoTWriter(out=tmp_path / "cot")], items(root))
    entries = {
        entry["id"]: entry
        for file in (tmp_path / "cot").glob("*/data.jsonl")
        for entry in map(json.loads, file.read_text("utf-8").splitlines())
    }
    export(tmp_path / "cot", tmp_path / "out", input_root=root)
    rows = [json.loads(line) for line in (tmp_path / "out" / "steps.jsonl").read_text("utf-8").splitlines()]
    assert {row["id"] for row in rows} == set(entries)
    for row in rows:
        entry = entries[row["id"]]
        assert row["prompt"] == asked(entry)
        assert list(problems_of(row, step_world(entry, load_plan(root / entry["meta"]["source_path"])))) == []
    false = [row for row in rows if not all(row["labels"])]
    assert len(false) == len(entries)
    assert all(row["labels"] == [True] * (len(row["labels"]) - 1) + [False] for row in false)


def test_what_rules_did_not_write_has_no_labelled_steps(tmp_path):
    written(tmp_path / "cot", entry(1))
    plan = Plan("Change the tube.", [Step(1, "Deflate the tire."), Step(2, "Use the lever.")])
    assert list(step_rows(entry(1), plan)) == []
