"""One call a row: what a reply points to is looked up in the row, and no reply gets a letter into it, however it comes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from dataflow_ext import run
from dataflow_ext.models import OpenAIModel, ScriptedModel
from dataflow_ext.models.prices import text_tokens
from operators import QuestionReviewer, QuestionTyper, ShortAnswerExtractor, SubQuestionSplitter
from operators.curate.question_reviewer import SCHEMA, sentences_of
from prompts import CurateReviewPrompt, CurateRowPrompt
from tests.loopback import Body, Fault, Loopback, prompt_of

QUESTION = (
    "7. A ball falls with $g = \\frac{98}{10}$ m/s². (a) Find $\\tau$ after 2 m. (b) Hence find its speed. Page 3 of 90"
)
ANSWER = "(a) $\\frac{\\sqrt{4}}{\\sqrt{g}}$ (b) 6.26 m/s"
SOLUTION = "(a) $2 = \\frac{1}{2} g \\tau^2$, so $\\tau = \\frac{2}{\\sqrt{g}}$.\n(b) $v = g\\tau = 6.26$ m/s."
ROW = {
    "row_id": "a", "parent_id": "a", "question": QUESTION, "answer": ANSWER, "solution": SOLUTION,
    "question_images": [], "solution_images": [], "picture_files": [], "lost_pictures": [],
}  # fmt: skip


def part(label: str, sentences: list[str], at: str, words: str, *rests: str) -> dict[str, Any]:
    return {"label": label, "sentences": sentences, "depends_on": list(rests), "type": "calculation",
            "answer": {"at": at, "words": words}, "blanks_behind": [], "problems": []}  # fmt: skip


GOOD = {
    "furniture": [{"at": "q1", "words": "7."}, {"at": "q4", "words": "Page 3 of 90"}],
    "parts": [
        part("a", ["q2", "a1", "s1"], "s1", r"\frac{2}{\sqrt{g}}"),
        part("b", ["q3", "a2", "s2"], "a2", "6.26 m/s", "a"),
    ],
}
TEXT = json.dumps(GOOD)
PARTS = [
    ("a", "A ball falls with $g = \\frac{98}{10}$ m/s². Find $\\tau$ after 2 m.", "\\frac{2}{\\sqrt{g}}"),
    ("b", "A ball falls with $g = \\frac{98}{10}$ m/s². (a) Find $\\tau$ after 2 m. (b) Hence find its speed.", "6.26 m/s"),
]  # fmt: skip


def curated(model: Any, *rows: dict[str, Any]) -> Any:
    steps = [QuestionReviewer(model=model), SubQuestionSplitter(), QuestionTyper(), ShortAnswerExtractor()]
    return run(steps, list(rows or (ROW,)), preflight=False)


def found(result: Any) -> list[tuple[str, str, str]]:
    return [(row["part"], row["question"], row["answer"]) for row in result.table.to_pylist()]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


#: First replies that are as good as the plain one, in other dress.
DRESSED = {
    "fenced": f"```json\n{TEXT}\n```",
    "chatty": f"Sure! Here is my review:\n{TEXT}\nI hope this helps {{and is clear}}.",
    "a bare array": json.dumps(GOOD["parts"]),
    "raw LaTeX": TEXT.replace("\\\\", "\\"),
    "thoughts first": f"<think>Two parts: [1, 2]</think>\n{TEXT}",
}
#: First replies that are of no use, after which a good one comes.
USELESS = {
    "bools": json.dumps(True),
    "a bool in its place": TEXT.replace('"calculation"', "true"),
    "cut": TEXT[: len(TEXT) // 2],
    "of another type": '{"parts": "two"}',
    "a part without a label": TEXT.replace('"label": "b", ', ""),
    "words that are not there": TEXT.replace("6.26 m/s", "6.62 m/s"),
    "a sentence that is not there": TEXT.replace('"q3"', '"q9"'),
    "the answer from the question": TEXT.replace('{"at": "s1", "words": "\\\\frac{2}{\\\\sqrt{g}}"}', '{"at": "q2", "words": "2 m"}'),
    "a part that rests on a later one": json.dumps({"furniture": [], "parts": [GOOD["parts"][0] | {"depends_on": ["b"]}, GOOD["parts"][1]]}),
    "None": "None",
}  # fmt: skip


@pytest.mark.parametrize("kind", DRESSED)
def test_a_reply_in_another_dress_is_read_at_once(kind: str) -> None:
    with Loopback(lambda body: DRESSED[kind]) as server:
        parts = found(curated(OpenAIModel(name="m", base_url=server.url)))
    assert len(server.calls) == 1
    if kind == "a bare array":  # it names no furniture, so that none is cut
        parts = [(label, text.replace("7. ", "").replace(" Page 3 of 90", ""), answer) for label, text, answer in parts]
    assert parts == PARTS


@pytest.mark.parametrize("kind", USELESS)
def test_a_reply_of_no_use_is_asked_for_once_more_with_what_is_wrong(kind: str) -> None:
    def brain(body: Body) -> str:
        return TEXT if len(body["messages"]) > 2 else USELESS[kind]

    with Loopback(brain) as server:
        assert found(curated(OpenAIModel(name="m", base_url=server.url))) == PARTS
    assert ["Your reply cannot be used" in prompt for prompt in server.prompts] == [False, True]


def test_a_reply_that_stays_useless_or_is_refused_costs_its_row_alone() -> None:
    def brain(body: Body) -> str:
        return "No." if "Why" in prompt_of(body) else TEXT

    def fault(number: int, body: Body) -> Fault | None:
        return Fault("refusal") if "How" in prompt_of(body) else Fault("status") if number == 1 else None

    rows = [ROW, *(ROW | {"row_id": word, "parent_id": word, "question": f"{word} 2?"} for word in ("Why", "How"))]
    with Loopback(brain, fault=fault) as server:
        result = curated(OpenAIModel(name="m", base_url=server.url, max_retries=2), *rows)
    assert found(result) == PARTS
    rejects = {row["row_id"]: row["error"] for row in result.rejects.to_pylist()}
    assert rejects == {"Why": "UnreadableReplyError", "How": "RefusedError"}


def test_a_cut_reply_is_not_read_as_if_it_were_whole() -> None:
    with Loopback(lambda body: TEXT, fault=lambda number, body: Fault("length")) as server:
        result = curated(OpenAIModel(name="m", base_url=server.url))
    assert (result.table.num_rows, result.rejects["error"].to_pylist()) == (0, ["TruncatedReplyError"])


def test_the_model_sees_the_pictures_and_the_numbered_row(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    model = ScriptedModel(lambda request: TEXT)
    curated(model, ROW | {"picture_files": [str(tmp_path / "a.png")]})
    [call] = model.calls
    assert call.images == (str(tmp_path / "a.png"),)
    assert "[q2] (a) Find $\\tau$ after 2 m." in call.prompt
    assert f"[a2] {ANSWER[ANSWER.index('(b)') :]}" in call.prompt


def test_a_marker_that_no_rule_knows_begins_a_sentence_and_a_quote_may_span_several() -> None:
    texts = {"question": "Let x = 4. i. find x; ii. find 2x.", "answer": "", "solution": "i. 4\nii. It is 3; 8."}
    said = [s.span.of(texts["question"]) for s in sentences_of(**texts).values() if s.side == "question"]
    assert [piece.strip() for piece in said] == ["Let x = 4.", "i. find x;", "ii. find 2x."]
    parts = [part("i", ["q2", "s1"], "s1", "4"), part("ii", ["q3", "s2", "s3"], "s2", "3; 8")]
    text = json.dumps({"furniture": [], "parts": parts})
    result = curated(ScriptedModel(lambda request: text), ROW | texts)
    assert found(result) == [("i", "Let x = 4. find x;", "4"), ("ii", "Let x = 4. find 2x.", "3; 8")]


def test_a_review_that_finds_no_answer_in_the_solution_is_believed() -> None:
    one = part("", ["q1"], "a1", "x") | {"answer": None}
    text = json.dumps({"furniture": [], "parts": [one]})
    row = ROW | {"question": "Find 2 + 2.", "answer": "", "solution": "It is 4."}
    assert [row[2] for row in found(curated(ScriptedModel(lambda request: text), row))] == [""]


def test_a_row_without_any_answer_is_not_asked_about() -> None:
    model = ScriptedModel([])
    row = curated(model, ROW | {"answer": "略", "solution": ""}).table.to_pylist()[0]
    assert (model.calls, row["curated_by"]) == ([], "rules")


def test_what_a_plain_row_is_asked_with_costs_less_than_two_fifths_of_3353_tokens() -> None:
    texts = {"question": "Find $x$ if $2x = 6$.", "answer": "3", "solution": "Dividing by 2, $x = 3$."}
    lines = {side: [(s.name, s.span.of(text)) for s in sentences_of(**texts).values() if s.side == side]
             for side, text in texts.items()}  # fmt: skip
    sent = [CurateReviewPrompt().text, CurateRowPrompt().fill(**lines), json.dumps(SCHEMA.schema)]
    assert sum(map(text_tokens, sent)) - sum(map(text_tokens, texts.values())) <= 0.4 * 3353


@pytest.mark.parametrize("maker", [str.upper, lambda text: text.replace("q", "Q"), lambda text: text[:-1]])
def test_no_letter_of_a_reply_gets_into_a_row(maker: Callable[[str], str]) -> None:
    result = curated(ScriptedModel(lambda request: maker(TEXT)))
    for row in result.table.to_pylist():
        assert all(letter in QUESTION for letter in row["question"])
        assert row["answer"] in ANSWER + SOLUTION
