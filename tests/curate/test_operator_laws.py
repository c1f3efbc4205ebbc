"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.codec import encode
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.testing import check_operator
from operators import (
    BlankRestorer,
    BookQuestionReader,
    Decontaminate,
    NearDuplicates,
    QAFilter,
    QuestionReviewer,
    QuestionTyper,
    ShortAnswerExtractor,
    SubQuestionSplitter,
    TextCleaner,
)

#: What a row has if nothing else is said.
ROW: Mapping[str, Any] = {
    "parent_id": "a", "place": 0, "name": "book", "label": "1", "question_chapter_title": "Sums",
    "question": "Find 2 + 2.", "asked": "Find 2 + 2.", "answer": "4", "solution": "2 + 2 = 4.",
    "question_images": [], "solution_images": [], "lost_pictures": [], "picture_files": [], "review": None,
    "question_type": "calculation", "options": None, "shared_solution": False, "review_reasons": [],
}  # fmt: skip
GOOD = {"furniture": [], "parts": [
    {"label": "", "sentences": ["q1", "a1"], "depends_on": [], "type": "calculation",
     "answer": {"at": "a1", "words": "4"}, "blanks_behind": [], "problems": []}]}  # fmt: skip

#: An operator, its table, how many rows come out, and how many are rejected.
Case = tuple[Operator, pa.Table, int, int]


def table(operator: type[Operator], *changes: Mapping[str, Any]) -> pa.Table:
    rows = [ROW | {"parent_id": f"r{n}", "place": n} | change for n, change in enumerate(changes)]
    made = {name: encode([row[name] for row in rows], kind) for name, kind in operator.inputs.items() if name in ROW}
    return pa.table({"row_id": [row["parent_id"] for row in rows], **made})


def with_null(source: pa.Table, name: str) -> pa.Table:
    """The rows, of which the last one lacks a value."""
    values = [*source[name].to_pylist()[:-1], None]
    return source.set_column(source.column_names.index(name), name, pa.array(values, source.schema.field(name).type))


def reply(request: Request) -> str:
    return json.dumps(GOOD) if "Find 2 + 2" in request.prompt else "I cannot say."


def benchmark(folder: Path) -> Path:
    path = folder / "benchmark.jsonl"
    path.write_text('{"problem": "How many apples are left if six of the nine are eaten?", "answer": "3"}\n')
    return path


APPLES = {"question": "How many apples are left if six of the nine are eaten?", "answer": "3"}
PARTS = {"question": "Let x = 2. (a) Find 3x. (b) Find x + 1.", "answer": "(a) 6 (b) 3", "solution": ""}
GAP = {"question": "The sum is .", "asked": "The sum is .", "question_type": "fill-in"}

EVIDENCE = pa.array([[{"role": "question", "image": "/books/a.png"}], [], None])
BOOK = pa.table({
    "row_id": ["r0", "r1", "r2"], "question_ids": [[3, 4], [], [9]], "evidence": EVIDENCE,
    "question_images": [["vqa_images/a.png"], ["vqa_images/b.png"], None], "solution_images": [[], [], []],
})  # fmt: skip

CASES: Mapping[str, Callable[[Path], Case]] = {
    "BookQuestionReader": lambda folder: (BookQuestionReader(), BOOK, 2, 1),
    "TextCleaner": lambda folder: (
        TextCleaner(), with_null(table(TextCleaner, {"question": "1. Find 2 + 2."}, {}, {}), "question"), 2, 1),
    "NearDuplicates": lambda folder: (
        NearDuplicates(), table(NearDuplicates, {}, {"question": "find  $2+2$"}, {"question": "Find 2 + 3."}), 2, 1),
    "Decontaminate": lambda folder: (
        Decontaminate(benchmarks=(benchmark(folder),)), table(Decontaminate, {}, APPLES, {}), 2, 1),
    "QuestionReviewer": lambda folder: (
        QuestionReviewer(), with_null(table(QuestionReviewer, {}, {}), "solution"), 1, 1),
    "QuestionReviewer, with a model": lambda folder: (
        QuestionReviewer(model=ScriptedModel(reply)), table(QuestionReviewer, {}, {"question": "Why?"}), 1, 1),
    "SubQuestionSplitter": lambda folder: (
        SubQuestionSplitter(), with_null(table(SubQuestionSplitter, PARTS, {}, {}), "answer"), 3, 1),
    "QuestionTyper": lambda folder: (
        QuestionTyper(), with_null(table(QuestionTyper, {}, {"asked": "求证：a = b"}, {}), "asked"), 2, 1),
    "ShortAnswerExtractor": lambda folder: (
        ShortAnswerExtractor(), with_null(table(ShortAnswerExtractor, {}, {"answer": "5"}, {}), "answer"), 2, 1),
    "BlankRestorer": lambda folder: (
        BlankRestorer(), with_null(table(BlankRestorer, GAP, {}, {}), "answer"), 2, 1),
    "QAFilter": lambda folder: (
        QAFilter(), table(QAFilter, {}, {"answer": "", "solution": ""}, {"lost_pictures": ["a"], "question_images": ["a"]}),
        1, 2),
}  # fmt: skip


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.curate.")}
    assert homes == {name.partition(",")[0] for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, source, alive, rejected = CASES[name](tmp_path)
    assert check_operator(operator, source).num_rows == alive
    rejects = operator.apply(source).rejects
    told = rejects["message"].to_pylist()
    assert len(told) == rejected, told
    assert all(message and "Traceback" not in message for message in told), told
