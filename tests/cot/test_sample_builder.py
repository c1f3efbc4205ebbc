"""CoTSampleBuilder: a sample or a reason for each task and step, from the item and the seed alone."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError
from operators import CoTPlanReader, CoTSampleBuilder
from operators.cot.items import items
from operators.cot.plan import Plan
from operators.cot.sample import sample_id
from operators.cot.tasks import TASKS
from operators.cot.tasks.next_step import NextAction
from operators.cot.tasks.task import Draft, Fields, Skipped, Stream
from tests.cot.plans_on_disk import tea, write_item

ROOT = Path(__file__).parents[2] / "examples" / "causal_plans"
NEXT_ACTION = "Task_29_Next_Action_Prediction"


def read(root: Path) -> pa.Table:
    return CoTPlanReader()(items(root))


@pytest.fixture(scope="module")
def annotated() -> pa.Table:
    """The two items of the examples, read."""
    return read(ROOT)


def rejects(done: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = done.rejects.to_pylist()
    return found


def test_a_sample_has_question_answer_fields_and_evidence(tmp_path: Path) -> None:
    write_item(tmp_path, "v", tea())
    done = CoTSampleBuilder(tasks=(29,), seed=3).apply(read(tmp_path))
    first, second = done.table.drop_columns(["row_id"]).to_pylist()
    source = "v/causal_plan_with_keyframes.json"
    assert first == {
        "root": str(tmp_path),
        "source_path": source,
        "plan_file": str(tmp_path / source),
        "id": sample_id(3, source, NEXT_ACTION, 10, ""),
        "task_name": NEXT_ACTION,
        "step_index": 10,
        "evidence_type": "keyframe_single",
        "image": ["v/10_boil_water/frame_009_ts_9.50s.jpg"],
        "video": None,
        "fields": '{"high_level_goal": "Have tea.", "current_step_goal": "Boil water.", '
        '"next_step_goal": "Pour the water."}',
        "question": "What is the next planned action?",
        "answer": "Pour the water.",
    }
    assert (second["step_index"], second["answer"]) == (20, "Drink the tea.")
    [last] = rejects(done)
    told = {name: last[name] for name in ("operator", "error", "kind", "message", "inputs")}
    assert told == {
        "operator": "CoTSampleBuilder",
        "error": "Skipped",
        "kind": "dropped",
        "message": "no step follows",
        "inputs": json.dumps({"source_path": source, "task_name": NEXT_ACTION, "step_index": 5}),
    }


def test_every_task_and_step_of_every_plan_is_a_sample_or_is_skipped_with_its_reason(annotated: pa.Table) -> None:
    done = CoTSampleBuilder(seed=1).apply(annotated)
    told = [json.loads(each["inputs"]) for each in rejects(done)]
    assert {(each["error"], each["kind"]) for each in rejects(done)} == {("Skipped", "dropped")}
    assert all(each["message"] for each in rejects(done))
    found = {(each["source_path"], each["task_name"], each["step_index"]) for each in told}
    found |= {(each["source_path"], each["task_name"], each["step_index"]) for each in done.table.to_pylist()}
    assert found == {
        (row["source_path"], name, step["step_id"])
        for row in annotated.to_pylist()
        for name in TASKS
        for step in row["plan"]["steps"]
    }


def test_ids_are_those_of_seed_item_task_step_and_variant_and_are_uuids_of_version_4(annotated: pa.Table) -> None:
    rows = CoTSampleBuilder(seed=7)(annotated).to_pylist()
    ids = [row["id"] for row in rows]
    assert len(set(ids)) == len(ids)
    assert all(str(uuid.UUID(each)) == each and uuid.UUID(each).version == 4 for each in ids)
    plain = [row for row in rows if row["task_name"].startswith(("Task_29", "Task_33", "Task_42"))]
    assert [row["id"] for row in plain] == [
        sample_id(7, row["source_path"], row["task_name"], row["step_index"], "") for row in plain
    ]
    assert ids == [row["id"] for row in CoTSampleBuilder(seed=7)(annotated).to_pylist()]
    assert not set(ids) & {row["id"] for row in CoTSampleBuilder(seed=8)(annotated).to_pylist()}


def test_other_items_and_other_tasks_change_no_sample(annotated: pa.Table) -> None:
    alone = CoTSampleBuilder(tasks=("42", "35"), seed=1)(annotated.slice(1)).drop_columns(["row_id"])
    together = CoTSampleBuilder(seed=1)(annotated).drop_columns(["row_id"]).to_pylist()
    [source] = set(alone["source_path"].to_pylist())
    named = set(alone["task_name"].to_pylist())
    assert alone.to_pylist() == [r for r in together if r["source_path"] == source and r["task_name"] in named]
    assert len(named) == 2


def test_tasks_are_named_by_number_range_or_name() -> None:
    assert CoTSampleBuilder(tasks=(42, "28-29", NEXT_ACTION)).tasks == (*list(TASKS)[:2], list(TASKS)[-1])
    with pytest.raises(OptionError, match="'43' is no task; use numbers from 28 to 42"):
        CoTSampleBuilder(tasks=(43,))
    with pytest.raises(OptionError, match="No task is named"):
        CoTSampleBuilder(tasks=())


def test_without_pictures_every_sample_is_skipped_for_that(tmp_path: Path) -> None:
    write_item(tmp_path, "v", tea(), parts=())
    done = CoTSampleBuilder(tasks=(29, 37)).apply(read(tmp_path))
    assert done.table.num_rows == 0
    assert [each["message"] for each in rejects(done)] == ["the item has no pictures"] * 6


def test_a_missing_key_frame_costs_the_samples_that_show_it(tmp_path: Path) -> None:
    write_item(tmp_path, "v", tea(), parts=("metas", "frames"))
    (tmp_path / "v" / "20_pour_the_water" / "frame_009_ts_19.50s.jpg").unlink()
    done = CoTSampleBuilder(tasks=(29,)).apply(read(tmp_path))
    assert done.table["step_index"].to_pylist() == [10]
    assert [each["message"] for each in rejects(done)] == ["no key frame at the end of the step", "no step follows"]


class Clumsy(NextAction):
    """A task that stumbles over a plan's second step, and over its end."""

    name = "Task_29_Next_Action_Prediction"

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        yield from super().drafts(plan, stream)
        raise RuntimeError("it fell at the end")

    def question(self, fields: Fields) -> str:
        if fields["current_step_goal"].startswith("Pour"):
            raise ValueError("it stumbled")
        return super().question(fields)


def test_what_goes_wrong_with_one_sample_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_item(tmp_path, "v", tea())
    monkeypatch.setitem(TASKS, NEXT_ACTION, Clumsy())  # type: ignore[arg-type]
    done = CoTSampleBuilder(tasks=(29, 31)).apply(read(tmp_path))
    told = {(row["task_name"][:7], row["step_index"]) for row in done.table.to_pylist()}
    assert told == {("Task_29", 10), ("Task_31", 10), ("Task_31", 20), ("Task_31", 5)}
    failed = [each for each in rejects(done) if each["kind"] == "failed"]
    place = f"v/causal_plan_with_keyframes.json, {NEXT_ACTION}: "
    assert [(each["error"], each["message"], json.loads(each["inputs"])["step_index"]) for each in failed] == [
        ("ValueError", f"{place}it stumbled", 20),
        ("RuntimeError", f"{place}it fell at the end", None),
    ]
