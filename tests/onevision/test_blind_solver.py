"""BlindSolver: it sees picture and question alone, and its answer is read or is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.models import Request, ScriptedModel, TimedOutError
from dataflow_ext.testing import check_operator
from operators.onevision.blind_solver import BlindSolver
from operators.onevision.model.records import Check
from prompts import OneVisionBlindPrompt
from tests.onevision.finished import picture, row, table

NEEDED = ["id", "picture", "question", "options", "checks"]


def rows(folder: Path, *changes: dict[str, Any]) -> pa.Table:
    shown = picture(folder)
    return table([row(shown, id=f"row {number}", **each) for number, each in enumerate(changes)])


def solved(replies: Any, made: pa.Table) -> tuple[list[tuple[Any, str]], ScriptedModel]:
    model = ScriptedModel(replies)
    found = BlindSolver(model=model)(made).to_pylist()
    return [(each["blind_answer"], each["blind_by"]) for each in found], model


def test_the_answer_is_that_of_the_last_line(tmp_path: Path) -> None:
    found, _ = solved(["The mass m hangs, so T = 58.8 N.\nAnswer: A"], rows(tmp_path, {}))
    assert found == [("A", "scripted")]


def test_the_solver_is_told_the_question_and_nothing_else_of_the_row(tmp_path: Path) -> None:
    made = rows(tmp_path, {"answer": "SECRET", "final_answer": "<answer>SECRET</answer>", "gold": "SECRET"})
    _, model = solved(["Answer: A"], made)
    (call,) = model.calls
    assert (call.system, call.images) == (OneVisionBlindPrompt().text, (str(tmp_path / "pulley.png"),))
    assert call.prompt == (
        "<row_question>\nThe system is at rest. What is the tension of the string?\nA. 60 N\nB. 140 N\n</row_question>"
    )
    assert (call.json_schema, call.follow_up) == (None, ())


def test_options_that_the_question_does_not_hold_are_listed(tmp_path: Path) -> None:
    _, model = solved(["Answer: A"], rows(tmp_path, {"question": "What is the tension?"}))
    assert model.calls[0].prompt == (
        "<row_question>\nWhat is the tension?\n</row_question>\n\n<row_options>\nA. 60 N\nB. 140 N\n</row_options>"
    )


def test_a_reply_without_an_answer_is_none_and_no_reject(tmp_path: Path) -> None:
    made = rows(tmp_path, {}, {"question": "How many pulleys?", "options": []})
    found, model = solved(lambda request: "I see a pulley." if "tension" in request.prompt else "Answer: unknown", made)
    assert found == [(None, "scripted"), (None, "scripted")]
    assert len(model.calls) == 2


def test_rows_that_are_out_already_are_not_asked_about(tmp_path: Path) -> None:
    dropped, without = [Check("answer.source", "failed")], [Check("rewrite.insufficient", "failed")]
    found, model = solved([], rows(tmp_path, {"checks": dropped}, {"checks": without}))
    assert (found, model.calls) == ([(None, "skipped")] * 2, [])


def test_without_a_model_nothing_is_solved(tmp_path: Path) -> None:
    made = BlindSolver()(rows(tmp_path, {}).select(NEEDED)).to_pylist()
    assert [(each["blind_answer"], each["blind_by"]) for each in made] == [(None, "not run")]


def test_a_server_that_fails_makes_a_reject(tmp_path: Path) -> None:
    done = BlindSolver(model=ScriptedModel([TimedOutError("slow")])).apply(rows(tmp_path, {}))
    assert (done.table.num_rows, done.rejects["error"].to_pylist()) == (0, ["TimedOutError"])


def letter(request: Request) -> str:
    return "Answer: B" if "row 1" in request.prompt else "Answer: A"


def test_it_keeps_the_laws(tmp_path: Path) -> None:
    question = "row 1: which one?\nA. 60 N\nB. 140 N"
    made = rows(tmp_path, {}, {"question": question}, {"checks": [Check("answer.gold", "failed")]}).select(NEEDED)
    out = check_operator(BlindSolver(model=ScriptedModel(letter)), made)
    assert sorted(out["blind_answer"].to_pylist(), key=str) == ["A", "B", None]
    assert check_operator(BlindSolver(), made).num_rows == 3
