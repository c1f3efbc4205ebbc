"""What samples are for trainers: with what is to be chosen from in the human turn, and labels that are proven."""

import json
from pathlib import Path

import pytest

from dataflow_ext import InputError, run
from dataflow_ext.claims.steps import problems_of
from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import export
from operators import CoTWriter
from operators.cot.dataset.export import asked, step_rows, step_world
from operators.cot.items import load_plan
from operators.cot.plan import Plan, Step
from pipelines.cot_planning import items, pipeline
from tests.cot.dataset.samples import entry, written

TURN = "<image>\nGoal: Change the tube.\nWhat is the next planned action?"
SAID = "<think>The tire must be flat. So the lever comes next.</think>\nUse the lever."


def about(task, **fields):
    """The user's turn of a sample with these fields, below goal and question."""
    made = entry(task_name=f"Task_{task}_Whatever", fields={"high_level_goal": "Change the tube.", **fields})
    return asked(made).removeprefix(TURN)


def exported(folder, to, **options):
    """The lines of an export, by the form's first file."""
    count = export(source_of(folder, **options), to, folder / "exports" / to)
    [path] = (folder / "exports" / to).glob("*.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == count
    return lines


def test_a_sample_is_a_conversation_with_pictures_question_and_answer(tmp_path):
    for name in ("01_step/frame_001_ts_0.00s.jpg", "film.mp4"):
        (tmp_path / "items/bike" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "items/bike" / name).write_bytes(b"seen")
    written(tmp_path / "cot", entry(1), entry(2, video="bike/film.mp4"))
    one, two = exported(tmp_path / "cot", "swift", inputs=tmp_path / "items")
    assert one == {
        "messages": [{"role": "user", "content": TURN}, {"role": "assistant", "content": SAID}],
        "images": ["images/bike/01_step/frame_001_ts_0.00s.jpg"],
        "videos": [],
    }
    assert (two["messages"][0]["content"], two["videos"]) == (
        TURN.replace("<image>", "<image><video>"),
        ["images/bike/film.mp4"],
    )
    assert (tmp_path / "cot/exports/swift/images/bike/film.mp4").read_bytes() == b"seen"


def test_a_picture_that_is_not_there_is_asked_for(tmp_path):
    written(tmp_path / "cot", entry(1))
    with pytest.raises(InputError, match=r"There is no picture .*; name the folder that pictures lie in with --inputs"):
        exported(tmp_path / "cot", "swift")


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
        exported(tmp_path / "cot", "swift")


def test_a_problem_is_a_sample_with_one_right_option(tmp_path):
    fields = {"high_level_goal": "Change the tube.", "options": ["Go.", "Stop."], "label": "B"}
    made = entry(1, task_name="Task_40_Recovery_Strategy_MCQ", fields=fields)
    written(tmp_path / "cot", made, task="Task_40_Recovery_Strategy_MCQ")
    [row] = source_of(tmp_path / "cot").problems()
    assert (row["answer"], row["problem"].endswith("A) Go.\nB) Stop.")) == ("B", True)


def test_the_steps_of_what_rules_wrote_have_labels_each_of_them_proven(tmp_path):
    root = Path(__file__).parents[3] / "examples" / "causal_plans"
    run([*pipeline(tasks=[29, 35, 38]), CoTWriter(out=tmp_path / "cot")], items(root))
    entries = {
        entry["id"]: entry
        for file in (tmp_path / "cot").glob("*/data.jsonl")
        for entry in map(json.loads, file.read_text("utf-8").splitlines())
    }
    rows = exported(tmp_path / "cot", "prm", inputs=root)
    assert {row["id"] for row in rows} == set(entries)
    for row in rows:
        entry = entries[row["id"]]
        assert row["prompt"] == asked(entry)
        assert list(problems_of(row, step_world(entry, load_plan(root / entry["meta"]["source_path"])))) == []
    false = [row for row in rows if not all(row["labels"])]
    assert len(false) == len(entries)
    assert all(row["labels"] == [True] * (len(row["labels"]) - 1) + [False] for row in false)
    pairs = {row["id"]: row for row in exported(tmp_path / "cot", "dpo", inputs=root)}
    for row in false:
        pair = pairs[row["id"]]
        assert pair["rejected"] == [{"role": "assistant", "content": " ".join(row["completions"])}]
        assert pair["chosen"] != pair["rejected"]


def test_what_rules_did_not_write_has_no_labelled_steps(tmp_path):
    written(tmp_path / "cot", entry(1))
    plan = Plan("Change the tube.", [Step(1, "Deflate the tire."), Step(2, "Use the lever.")])
    assert list(step_rows(entry(1), plan)) == []
