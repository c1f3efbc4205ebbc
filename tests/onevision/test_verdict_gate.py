"""VerdictGate: hard rules beat points, and nobody's judgement is not a judge's."""

import pyarrow as pa
import pytest

from dataflow_ext.columns import arrow_type
from dataflow_ext.rows import encoded
from dataflow_ext.testing import check_operator
from operators.onevision.judging import NOT_JUDGED, Blind, Limits, score_of, verdict_of
from operators.onevision.model.records import CODES, EFFECT, Check, Judgement
from operators.onevision.verdict_gate import VerdictGate

GOOD = Judgement("judged", "gpt", 9, 9, 9, 10)
NOBODY = Judgement("not run")
DONE = {"drop": "dropped", "review": "review", "note": "kept"}


def judged(**changes) -> Judgement:
    points = {"description": 9.0, "grounding": 9.0, "logic": 9.0, "answer": 10.0}
    return Judgement("judged", "gpt", **(points | changes))


@pytest.mark.parametrize("code", [code for code in CODES if not code.startswith(("judge.", "blind."))])
def test_a_failed_check_has_its_effect_whatever_the_points(code):
    verdict, reasons, score = verdict_of([Check(code, "failed", "why")], GOOD)
    assert (verdict, reasons, score) == (DONE[EFFECT[code]], [f"{code}: why"], 9.2)


def test_a_good_row_is_kept_without_a_reason():
    assert verdict_of([Check("answer.gold", "passed"), Check("code.parses", "not run")], GOOD) == ("kept", [], 9.2)


def test_a_row_that_nobody_judged_says_so_and_has_no_score():
    assert verdict_of([], NOBODY) == ("kept", [NOT_JUDGED], None)
    assert verdict_of([Check("answer.gold", "failed", "A")], Judgement("skipped")) == (
        "dropped",
        ["answer.gold: A", NOT_JUDGED],
        None,
    )


def test_points_below_the_limits_drop_or_send_to_review():
    assert verdict_of([], judged(description=4.5))[:2] == ("dropped", ["judge.description: 4.5 of 10 points"])
    assert verdict_of([], judged(logic=4.5))[:2] == ("review", ["judge.logic: 4.5 of 10 points"])
    assert verdict_of([], judged(answer=6.5))[:2] == ("review", ["judge.answer: 6.5 of 10 points"])
    assert verdict_of([], judged(answer=6.5), limits=Limits(3, 5))[0] == "kept"


def test_a_named_fault_is_never_kept():
    assert verdict_of([], judged(grounding=6.0, faults=("invented_object",)))[:2] == (
        "dropped",
        ["judge.grounding: 6 of 10 points, invented_object"],
    )
    assert verdict_of([], judged(faults=("invented_object",)))[:2] == ("review", ["judge: the fault invented_object"])
    assert verdict_of([], judged(faults=("other",)))[0] == "review"


def test_missing_points_are_reviewed_and_give_no_score():
    verdict, reasons, score = verdict_of([], judged(logic=None))
    assert (verdict, reasons, score) == ("review", ["judge.logic: no points"], None)
    assert score_of(judged(answer=None)) is None


def test_open_checks_of_the_answer_are_reviewed_and_others_told():
    assert verdict_of([Check("rewrite.answer", "unsure", "?")], GOOD)[:2] == ("review", ["rewrite.answer: unsure: ?"])
    assert verdict_of([Check("description.leak", "unsure", "?")], GOOD)[:2] == ("kept", ["description.leak: unsure: ?"])


def test_the_strongest_reason_comes_first():
    checks = [
        Check("rewrite.vague", "failed", "n"),
        Check("code.parses", "failed", "r"),
        Check("answer.gold", "failed", "d"),
    ]
    assert verdict_of(checks, NOBODY)[1] == ["answer.gold: d", "code.parses: r", "rewrite.vague: n", NOT_JUDGED]


def test_another_blind_answer_sends_to_review():
    assert verdict_of([], GOOD, Blind("no", "3 is not 4"))[:2] == ("review", ["blind.answer: 3 is not 4"])
    assert verdict_of([], GOOD, Blind("unsure", "?"))[:2] == ("review", ["blind.answer: unsure: ?"])
    assert verdict_of([], GOOD, Blind("yes"))[0] == "kept"


def table(gate: VerdictGate) -> pa.Table:
    rows = [
        {"checks": [], "judge": GOOD, "equivalence": "no", "equivalence_reason": "other", "blind_answer": "B"},
        {
            "checks": [Check("answer.gold", "failed", "B")],
            "judge": NOBODY,
            "equivalence": None,
            "equivalence_reason": None,
            "blind_answer": None,
        },
    ]
    kinds = gate.inputs
    return pa.table(encoded(rows, kinds), pa.schema([(name, arrow_type(kind)) for name, kind in kinds.items()]))


def test_it_keeps_the_laws_of_operators():
    gate = VerdictGate()
    out = check_operator(gate, table(gate).select(["checks", "judge"]))
    assert out["verdict"].to_pylist() == ["kept", "dropped"]


def test_with_a_blind_solver_its_answer_counts():
    gate = VerdictGate(blind=True)
    out = check_operator(gate, table(gate))
    assert out["verdict"].to_pylist() == ["review", "dropped"]
    assert out["reasons"].to_pylist() == [
        ['blind.answer: solved without the answer: "B". other'],
        ["answer.gold: B", "not judged"],
    ]
