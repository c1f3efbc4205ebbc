"""What the whole pipeline keeps of damaged sources of the example set, by code alone and with a judge."""

import json

from dataflow_ext.models import ScriptedModel, Session
from operators.onevision.calibration import UNDAMAGED, measure
from pipelines.onevision import pipeline
from tests.onevision.checking.example_rows import example_rows

ROWS = example_rows()


def measured(tmp_path, rows=ROWS, judge=None, **options):
    steps = pipeline(tmp_path, tmp_path / "pictures", None, judge, ocr=None)
    return {each.kind: each for each in measure(rows, steps, judged=judge is not None, **options)}


def test_wrong_conclusions_are_not_kept_whether_the_reasoning_ends_at_them_or_not(tmp_path):
    found = measured(tmp_path, per_kind=30, kinds=["wrong conclusion", "wrong conclusion, told"])
    assert found["wrong conclusion"].code.rate >= 0.85
    assert found["wrong conclusion, told"].code.rate >= 0.85
    assert "rewrite.insufficient" in dict(found["wrong conclusion"].code.by)


def test_what_a_second_copy_would_tell_is_not_there(tmp_path):
    rows = [row | {"gold": row["answer"]} for row in ROWS[:12]]
    found = measured(tmp_path, rows, kinds=["wrong conclusion"])["wrong conclusion"]
    assert {"answer.gold", "answer.source"}.isdisjoint(dict(found.code.by))


def test_a_writer_that_copies_is_caught_with_and_without_an_opening(tmp_path):
    found = measured(tmp_path, per_kind=12, kinds=["copy", "copy with an opening"])
    assert [found[kind].code.rate >= 0.9 for kind in ("copy", "copy with an opening")] == [True, True]


def test_the_same_seed_makes_the_same_damages_and_another_one_others(tmp_path):
    first, again, other = (measured(tmp_path, seed=seed, per_kind=2) for seed in (1, 1, 2))
    assert first == again != other


def test_a_judge_that_finds_faults_catches_what_code_cannot_see_and_both_are_told(tmp_path):
    def judged(request):
        points = {"description": 2, "grounding": 2, "logic": 8, "answer": 8}
        return json.dumps({"seen": "It.", **points, "faults": ["wrong_picture"], "comment": "Another picture."})

    with Session():
        found = measured(tmp_path, judge=ScriptedModel(judged), per_kind=3, kinds=["another picture"])
    damaged = found["another picture"]
    assert (damaged.code.made, damaged.judge.count, damaged.errors) == (3, 3, 0)
    assert dict(damaged.judge.by)["judge.description"] >= 2
    assert damaged.code.count <= damaged.judge.count


def test_a_row_without_a_number_is_left_out_and_counted(tmp_path):
    rows = [{**ROWS[0], "original_reasoning": "It is to the left."}]
    found = measured(tmp_path, rows, kinds=["changed number"])
    assert [(each.kind, each.code.made, each.left) for each in found.values()] == [
        (UNDAMAGED, 1, 0),
        ("changed number", 0, 1),
    ]


def test_a_single_row_has_no_other_picture(tmp_path):
    assert [each.left for each in measured(tmp_path, ROWS[:1], kinds=["another picture"]).values()] == [0, 1]
