"""Bare answers out of conclusions."""

from __future__ import annotations

import pyarrow as pa
import pytest

from dataflow_ext.testing import check_operator
from operators.onevision.answer_extractor import AnswerExtractor

OPTIONS = [{"letter": "A", "text": "30 N"}, {"letter": "B", "text": "60 N"}]
ASKED = "What is the tension?\n(A) 30 N\n(B) 60 N"


def row(
    conclusion: str, question: str = "What is it?", options: list[dict[str, str]] | None = None
) -> dict[str, object]:
    return {"question": question, "options": options or [], "original_conclusion": conclusion}


def table(*rows: dict[str, object]) -> pa.Table:
    option = pa.struct([("letter", pa.string()), ("text", pa.string())])
    kinds = pa.schema([("question", pa.string()), ("options", pa.list_(option)), ("original_conclusion", pa.string())])
    return pa.Table.from_pylist(list(rows), schema=kinds)


def extracted(
    conclusion: str, question: str = "What is it?", options: list[dict[str, str]] | None = None
) -> tuple[str, str, str]:
    [made] = AnswerExtractor()(table(row(conclusion, question, options))).to_pylist()
    return made["answer"], made["answer_type"], made["final_answer"]


@pytest.mark.parametrize(
    ("conclusion", "answer", "kind"),
    [
        ("B", "B", "letter"),
        ("So the answer is B.", "B", "letter"),
        ("60 N", "60 N", "quantity"),
        ("因此张力为 60 N。", "60 N", "quantity"),
    ],
)
def test_an_answer_stays_in_the_form_in_which_its_source_states_it(conclusion: str, answer: str, kind: str) -> None:
    assert extracted(conclusion, ASKED, OPTIONS) == (answer, kind, f"<answer>{answer}</answer>")


@pytest.mark.parametrize(
    ("conclusion", "answer"),
    [
        ("<answer>42</answer>", "42"),
        ("</answer>42<think>", "42"),
        ("< / ANSWER >42", "42"),
        ("x < 5", "x < 5"),
        ("x < 5 and y > 2", "x < 5 and y > 2"),
    ],
)
def test_tags_in_a_conclusion_do_not_break_the_tags_around_the_answer(conclusion: str, answer: str) -> None:
    found, _, final = extracted(conclusion)
    assert (found, final) == (answer, f"<answer>{answer}</answer>")


def test_a_conclusion_without_an_answer_is_a_reject() -> None:
    done = AnswerExtractor().apply(table(row("  "), row("<answer></answer>"), row("7")))
    assert done.table["answer"].to_pylist() == ["7"]
    assert (
        done.rejects["message"].to_pylist()
        == ["The conclusion is empty, so that there is no answer to take from it."] * 2
    )


def test_it_keeps_the_laws() -> None:
    rows = [row("B", ASKED, OPTIONS), row(""), row("\ufffd \u202e"), row("x" * 100_000), row("<" * 100_000), row("7")]
    check_operator(AnswerExtractor(), table(*rows))
