"""What the gate catches of damages made of the example set, by the checks alone and with a judge."""

import json

import pytest

from dataflow_ext.models import ScriptedModel, Session
from operators.onevision.calibrating.damages import DAMAGES
from operators.onevision.calibrating.measuring import UNDAMAGED, measure
from tests.onevision.checking.example_rows import example_rows

ROWS = example_rows()
SEEN_BY_CODE = [kind for kind in DAMAGES if kind not in ("another picture", "invented object")]


@pytest.mark.parametrize("kind", SEEN_BY_CODE)
def test_checks_alone_catch_what_code_can_see(kind):
    # Numbers are the hard ones, so all rows that have one are damaged.
    most = None if kind == "changed number" else 12
    undamaged, damaged = measure(ROWS, seed=0, per_kind=most, kinds=[kind])
    assert undamaged.kind == UNDAMAGED
    assert damaged.made + damaged.left == undamaged.made and damaged.rate >= 0.95


def test_the_same_seed_makes_the_same_damages_and_another_one_others():
    first, again, other = (measure(ROWS, seed=seed, per_kind=2) for seed in (1, 1, 2))
    assert first == again != other


def test_a_judge_that_finds_faults_catches_what_code_cannot_see():
    def judged(request):
        points = {"description": 2, "grounding": 2, "logic": 8, "answer": 8}
        return json.dumps({"seen": "It.", **points, "faults": ["wrong_picture"], "comment": "Another picture."})

    with Session():
        _, damaged = measure(ROWS, judge=ScriptedModel(judged), per_kind=3, kinds=["another picture"])
    assert (damaged.made, damaged.caught, damaged.errors) == (3, 3, 0)
    assert dict(damaged.by)["judge.description"] == 3


def test_a_row_without_a_number_is_left_out_and_counted():
    rows = [{**ROWS[0], "cot_thinking": "<think>It is to the left.</think>"}]
    assert [(each.made, each.left) for each in measure(rows, kinds=["changed number"])] == [(1, 0), (0, 1)]


def test_a_single_row_has_no_other_picture():
    assert [each.left for each in measure(ROWS[:1], kinds=["another picture"])] == [0, 1]
