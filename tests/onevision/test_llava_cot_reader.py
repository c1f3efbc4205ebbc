"""The turns of LLaVA-CoT records, the languages of their questions, and turns that cannot be used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import run
from dataflow_ext.testing import check_operator
from operators.onevision.llava_cot_reader import LLaVACoTReader
from operators.onevision.model.language import language_of
from operators.onevision.sources.source import UNREADABLE

ANSWER = "<SUMMARY>s</SUMMARY><CAPTION>c</CAPTION><REASONING>r</REASONING><CONCLUSION>A</CONCLUSION>"
SECOND = "<SUMMARY>s</SUMMARY><REASONING>r2</REASONING><CONCLUSION>B</CONCLUSION>"


def said(*texts: object) -> list[dict[str, object]]:
    """Texts of a human and of a model, by turns."""
    return [{"from": ("human", "gpt")[n % 2], "value": text} for n, text in enumerate(texts)]


def record(*texts: object, **more: object) -> dict[str, object]:
    return {"id": "a", "image": "x/1.png", "conversations": said(*texts), **more}


def read(*records: object) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in records]
    sources = [f"train.jsonl:{number}" for number in range(1, len(texts) + 1)]
    done = LLaVACoTReader().apply(pa.table({"source": sources, "record": texts}))
    return done.table.to_pylist(), done.rejects.to_pylist()


def messages(*records: object) -> list[str]:
    return [reject["message"] for reject in read(*records)[1]]


def test_each_turn_is_a_row_with_the_blocks_of_its_answer() -> None:
    rows, rejects = read(
        record("<image>\nWhich one?\nA. one\nB. two", ANSWER, "还有几个苹果？", SECOND, gold=["A", 2]),
    )
    assert rejects == []
    first, second = rows
    assert first.pop("row_id") != second.pop("row_id")
    assert first == {
        "id": "a#1",
        "record_id": "a",
        "turn": 1,
        "image": "x/1.png",
        "question": "Which one?\nA. one\nB. two",
        "options": [{"letter": "A", "text": "one"}, {"letter": "B", "text": "two"}],
        "language": "en",
        "original_caption": "c",
        "first_caption": "c",
        "original_reasoning": "r",
        "original_conclusion": "A",
        "gold": "A",
        "tag_notes": [],
    }
    assert second == {
        **first,
        "id": "a#2",
        "turn": 2,
        "question": "还有几个苹果？",
        "options": [],
        "language": "zh",
        "original_caption": "",
        "original_reasoning": "r2",
        "original_conclusion": "B",
        "gold": "2",
    }


@pytest.mark.parametrize(
    "conversations",
    [
        [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": ANSWER}],
        [
            {"role": "system", "content": "Think."},
            {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "How many?"}]},
            {"role": "Assistant", "content": [{"type": "text", "text": ANSWER}]},
        ],
        [{"from": "human", "value": "<image> How many?<image 1>"}, {"from": "gpt", "value": ANSWER}],
    ],
)
def test_conversations_may_be_written_in_several_ways(conversations: object) -> None:
    for key in ("conversations", "messages"):
        [row], rejects = read({"id": 1, "image": "1.png", key: conversations})
        assert (row["question"], row["original_conclusion"], rejects) == ("How many?", "A", [])


def test_ids_are_texts_and_missing_ones_are_made_of_the_content() -> None:
    rows, _ = read(record("Q?", ANSWER, id=17), record("Q?", ANSWER, id=None), record("Q!", ANSWER, id=" "))
    assert rows[0]["id"] == "17#1"
    made = [row["record_id"] for row in rows][1:]
    assert [len(each) for each in made] == [21, 21]
    assert len(set(made)) == 2
    assert [row["record_id"] for row in read(record("Q?", ANSWER, id=None))[0]] == made[:1]


def test_repeated_records_are_told_apart_by_their_row_ids() -> None:
    rows, _ = read(record("Q?", ANSWER), record("Q?", ANSWER))
    assert [row["id"] for row in rows] == ["a#1", "a#1"]
    assert len({row["row_id"] for row in rows}) == 2


def test_a_bad_turn_costs_the_others_nothing() -> None:
    conversation = [
        *said("First?", ANSWER),
        {"from": "gpt", "value": ANSWER},
        *said("Third?", "The answer is A."),
        *said("Fourth?"),
        *said("Fifth?", "<REASONING> </REASONING>"),
        *said("<image>\n", ANSWER),
        *said(None, ANSWER),
        *said("Eighth?", 7),
        {"from": "tool", "value": "x"},
        "no object",
        *said("Eleventh?", ""),
        *said("Twelfth?", SECOND),
        *said("Thirteenth?"),
    ]
    rows, rejects = read(record(conversations=conversation))
    assert [(row["id"], row["question"]) for row in rows] == [("a#1", "First?"), ("a#12", "Twelfth?")]
    assert [reject["message"].removeprefix("Record 'a' (train.jsonl:1), turn ") for reject in rejects] == [
        "2: there is an answer without a question before it.",
        "3: the answer has none of the tags SUMMARY, CAPTION, REASONING and CONCLUSION.",
        "4: the question has no answer after it.",
        "5: the answer has no REASONING and no CONCLUSION, or an empty one.",
        "6: the question is empty.",
        "7: the question is null and no text.",
        "8: the answer is a number and no text.",
        "9: an entry of the conversation is from 'tool', not human or gpt.",
        "10: an entry of the conversation is a text and no object.",
        "11: the answer is empty.",
        "13: the question has no answer after it.",
    ]
    assert json.loads(rejects[1]["inputs"]) == {
        "source": "train.jsonl:1",
        "id": "a",
        "turn": 3,
        "question": "Third?",
        "answer": "The answer is A.",
    }


@pytest.mark.parametrize("image", [None, "", "  ", 7, [], ["a.png", "b.png"], {"path": None}])
def test_without_a_picture_every_turn_is_a_reject(image: object) -> None:
    told = messages(record("Q?", ANSWER, "R?", ANSWER, image=image))
    assert [message.partition(": ")[0] for message in told] == [f"Record 'a' (train.jsonl:1), turn {n}" for n in (1, 2)]
    assert all("picture" in message for message in told)


@pytest.mark.parametrize("image", ["a.png", ["a.png"], {"bytes": None, "path": "a.png"}])
def test_a_picture_may_be_given_in_a_list_or_as_a_record(image: object) -> None:
    assert [row["image"] for row in read(record("Q?", ANSWER, image=image))[0]] == ["a.png"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no json", "train.jsonl:1: The record is no JSON: Expecting value: line 1 column 1 (char 0)."),
        ("[1]", "train.jsonl:1: The record is JSON, but a list and no object."),
        ("[" * 100_000, "train.jsonl:1: The record is JSON that is nested too deeply."),
        (f"{UNREADABLE}it is not UTF-8", "train.jsonl:1: it is not UTF-8."),
        ('{"id": "a"}', "Record 'a' (train.jsonl:1): the record has no list 'conversations'"),
        ('{"id": "a", "conversations": []}', "Record 'a' (train.jsonl:1): the record's conversation is empty"),
        ('{"id": "a", "conversations": {"from": 1}}', "Record 'a' (train.jsonl:1): the record has no list 'conversations'"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_one_reject(text: str, told: str) -> None:
    rows, [reject] = read(text)
    assert (rows, reject["message"]) == ([], told)


@pytest.mark.parametrize(
    ("more", "gold", "notes"),
    [
        ({"gold": "A"}, ["A"], []),
        ({"answer": 4}, ["4"], []),
        ({"ground_truth": ["x"]}, ["x"], []),
        ({"gold": True}, [None], ["a right answer of the record is no text"]),
        ({"gold": ["A", "B"]}, [None], ["the record's 2 right answers are not one for each of 1 turns"]),
        ({}, [None], []),
    ],
)
def test_right_answers_are_taken_if_there_is_one_for_each_turn(
    more: Mapping[str, object], gold: list[str | None], notes: list[str]
) -> None:
    rows, _ = read(record("Q?", ANSWER, **more))
    assert ([row["gold"] for row in rows], rows[0]["tag_notes"]) == (gold, notes)


def test_hostile_texts_break_nothing() -> None:
    rows, rejects = read(
        '{"id": "\\ud800", "image": "1.png", "conversations": [{"from": "human", "value": "\\ud83d\\ude00 \\udc00 why?"},'
        f' {{"from": "gpt", "value": {json.dumps(ANSWER)}}}]}}',
        record("x" * 100_000, "<" * 100_000),
        '{"id": ' + "9" * 5000 + "}",
        '{"id": NaN, "image": "1.png", "conversations": [{"from": "human", "value": "\\u0000?"}, {"from": "gpt", "value": "<"}]}',
    )
    assert [(row["id"], row["question"]) for row in rows] == [("\ufffd#1", "😀 \ufffd why?")]
    assert len(rejects) == 3
    assert all("\n" not in reject["message"] for reject in rejects)


def test_it_keeps_the_laws_and_workers_make_no_difference() -> None:
    good = [json.dumps(record("Q?", ANSWER, "R?", "none", id=number)) for number in range(300)]
    table = pa.table({"source": [f"t:{number}" for number in range(302)], "record": [*good, "{}", None]})
    some = check_operator(LLaVACoTReader(), table.slice(296))
    assert some["id"].to_pylist() == ["296#1", "297#1", "298#1", "299#1"]
    alone, spread = (run([LLaVACoTReader()], table, workers=workers) for workers in (1, 2))
    assert spread.table.equals(alone.table)
    assert spread.rejects.equals(alone.rejects)
    assert (alone.table.num_rows, alone.rejects.num_rows) == (300, 302)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many apples?", "en"),
        ("Yes", "en"),
        ("What does 停车场 mean?", "en"),
        ("Is Los Angeles larger than Las Vegas?", "en"),
        (r"Solve $\frac{a}{b} = \sin x$ for the side.", "en"),
        ("如图，小球 A 质量为 6kg，B 为 14kg，绳子的张力是多少？", "zh"),
        ("AB=3, 求BC", "zh"),
        ("STOP 标志是什么颜色", "zh"),
        ("Wie viele Äpfel liegen auf dem Tisch?", "other"),
        ("¿Cuántas manzanas hay?", "other"),
        ("Quel est le titre ?", "other"),
        ("りんごは何個ありますか", "other"),
        ("사과가 몇 개 있습니까?", "other"),
        ("Сколько яблок на столе?", "other"),
        ("كم تفاحة على الطاولة", "other"),
        ("", None),
        ("B", None),
        (r"T = 6 kg \times 9.8 m/s^2", None),
        ("α + β = 90°", None),
    ],
)
def test_a_language_is_told_by_words_without_formulas(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_question_of_formulas_alone_has_the_language_of_its_reasoning() -> None:
    rows, _ = read(
        record("3+5=?", ANSWER.replace(">r<", ">三加五等于八<")),
        record("3+5=?", ANSWER.replace(">r<", ">Three and five are eight<")),
        record("3+5=?", ANSWER.replace(">r<", ">8<")),
    )
    assert [row["language"] for row in rows] == ["zh", "en", "other"]
