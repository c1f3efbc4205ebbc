"""The figures of a run count all of it, and are the same bytes whatever the order of rows."""

import json

from dataflow_ext.datasets.rejects_and_stats import write_stats
from operators.cot.output import stats
from operators.cot.tasks import TASKS
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, SERVED
from tests.cot.output.finished import FLAW, OUTCOME, RETRY, SELECT, finished, reject, rejects, sample, skip


def several(root):
    return [
        sample(root, 1, response="<think>One two, three.</think>\nFour\n", mended=["line breaks joined"]),
        sample(root, 2, source_path="lab/causal_plan_with_keyframes.json", evidence_type="video_prefix"),
        sample(root, 3, assistant_generator=SERVED, response="<think>a 茶水 b</think>\nB\n", mended=["x", "line breaks joined"]),
        sample(root, 4, SELECT, {"label_set": ["A", "C"]}),
        sample(root, 5, SELECT, {"label_set": ["C", "F"]}),
        sample(root, 6, FLAW, {"flaw_type": "order_violation", "label": "FlawStep=1"}),
        sample(root, 7, FLAW, {"flaw_type": "tool_mismatch"}),
        sample(root, 8, FLAW, {"flaw_type": "tool_mismatch"}),
    ]  # fmt: skip


def test_figures_are_counted_over_all_samples(tmp_path):
    made = stats(finished(several(tmp_path)), rejects(), seed=3, tasks=(NEXT_GOAL, SELECT))
    assert made == {
        "seed": 3,
        "samples": 8,
        "items": 2,
        "tasks": {NEXT_ACTION: 3, NEXT_GOAL: 0, SELECT: 2, FLAW: 3},
        "evidence": {"keyframe_single": 7, "video_prefix": 1},
        "generators": {"api_generate_v1": 1, "offline_rules_v1": 7},
        "letters": {SELECT: {"A": 1, "C": 2, "F": 1}},
        "recovery_labels": {},
        "flaw_types": {"order_violation": 1, "tool_mismatch": 2},
        "mended": {"line breaks joined": 2, "x": 1},
        "words": {"min": 3, "median": 10.0, "max": 10},
        "skipped": [],
        "rejects": [],
    }


def test_letters_and_labels_of_tasks_with_one_answer_are_counted(tmp_path):
    rows = [sample(tmp_path, n, OUTCOME, {"label": letter}) for n, letter in enumerate("DAAB")]
    rows += [sample(tmp_path, 9 + n, RETRY, {"label": f"{what}_step"}) for n, what in enumerate(("b", "a", "b"))]
    made = stats(finished(rows), rejects(), seed=0)
    assert made["letters"] == {OUTCOME: {"A": 2, "B": 1, "D": 1}}
    assert made["recovery_labels"] == {"a_step": 1, "b_step": 2}


def test_what_was_skipped_is_told_apart_from_what_was_rejected(tmp_path):
    made = stats(
        finished([]),
        rejects(
            skip(RETRY, "no step follows"),
            reject("AnchorValidator", "RuleError", "leak.frame: b; answer.text: a", kind="dropped"),
            reject("AnchorValidator", "RuleError", "leak.frame: a", kind="dropped"),
            skip(FLAW, "too short"),
            skip(RETRY, "no step follows"),
            reject("CoTReader", "json.syntax", "/a b/data.jsonl, line 2: json.syntax: Extra data", inputs=None),
            reject("CoTPlanReader", "PlanError", "plan: steps is missing", inputs="no JSON"),
            {**skip(FLAW, "damaged"), "inputs": "["},
        ),
        seed=0,
    )
    assert made["skipped"] == [
        {"task": RETRY, "reason": "no step follows", "count": 2},
        {"task": "", "reason": "damaged", "count": 1},
        {"task": FLAW, "reason": "too short", "count": 1},
    ]
    assert made["rejects"] == [
        {"operator": "AnchorValidator", "error": "RuleError", "code": "leak.frame", "kind": "dropped", "count": 2,
         "example": "leak.frame: a"},
        {"operator": "CoTPlanReader", "error": "PlanError", "code": "", "kind": "failed", "count": 1,
         "example": "plan: steps is missing"},
        {"operator": "CoTReader", "error": "json.syntax", "code": "json.syntax", "kind": "failed", "count": 1,
         "example": "/a b/data.jsonl, line 2: json.syntax: Extra data"},
    ]  # fmt: skip
    assert (made["samples"], made["words"], made["tasks"]) == (0, None, dict.fromkeys(TASKS, 0))


def test_the_file_is_the_same_whatever_the_order_of_rows(tmp_path):
    rows = several(tmp_path)
    lost = [skip(RETRY, "a"), skip(FLAW, "b"), reject("A", "E", "m 2"), reject("A", "E", "m 1")]
    one = write_stats(stats(finished(rows), rejects(*lost), seed=0), tmp_path / "a")
    two = write_stats(stats(finished(rows[::-1]), rejects(*lost[::-1]), seed=0), tmp_path / "b")
    assert one.read_bytes() == two.read_bytes()
    assert json.loads(one.read_text(encoding="utf-8"))["samples"] == 8
