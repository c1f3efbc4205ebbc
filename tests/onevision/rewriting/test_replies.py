"""Replies of a rewriting model: what is stripped, what is told of a bad one, and what INSUFFICIENT looks like."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from operators.onevision.rewriting.replies import kept, problems_of, read_rewrite
from operators.verify.answer import Option

GOOD = "In the image, two red cars stand beside a tree. Two cars and no others: 2. So the answer is 2."
WRAPPED = {
    "as it is": GOOD,
    "tags": f"<think>{GOOD}</think>",
    "tags with spaces and capitals": f"<THINK>\n{GOOD}\n</Think>\n",
    "an answer behind": f"<think>{GOOD}</think>\n<answer>2</answer>",
    "an answer without tags before": f"{GOOD}\n\n<answer>2</answer>",
    "a fence": f"```\n{GOOD}\n```",
    "a fence with tags": f"```text\n<think>{GOOD}</think>\n```",
    "a lead": f"Here is the rewritten reasoning:\n\n{GOOD}",
    "a lead in one line": f"Here is the rewritten chain of thought: {GOOD}",
    "a lead and a fence": f"Sure! Below is the new version:\n```\n{GOOD}\n```",
    "a lead and tags": f"Certainly, this is it:\n<think>{GOOD}</think>",
    "a title": f"**Rewritten reasoning:** {GOOD}",
    "thoughts of the model before": f"<think>The user wants a rewrite. I drop the guesses.</think>\n\n{GOOD}",
    "thoughts before, tags around": f"<think>Hm, a rewrite.</think><think>{GOOD}</think>",
    "thoughts without a beginning": f"The user wants a rewrite.</think>\n{GOOD}",
    "tags without an end": f"<think>{GOOD}",
    "a Chinese lead": f"以下是改写后的推理：\n{GOOD}",
}


def row(**more: Any) -> dict[str, Any]:
    return {
        "language": "en",
        "question": "How many cars are there?",
        "options": [],
        "answer": "2",
        "original_reasoning": "There are two cars, I think.",
        **more,
    }


@pytest.mark.parametrize("how", WRAPPED)
def test_what_models_put_around_the_reasoning_goes(how: str) -> None:
    assert read_rewrite(WRAPPED[how], row()) == GOOD


@pytest.mark.parametrize(
    "text",
    ["INSUFFICIENT", " insufficient.", "**INSUFFICIENT**", "```\nINSUFFICIENT\n```", "<think>INSUFFICIENT</think>",
     "INSUFFICIENT: the description names no cars.", "The description lacks the scale.\n\nINSUFFICIENT",
     "<think>No scale is given.</think>INSUFFICIENT"],
)  # fmt: skip
def test_the_one_word_is_understood_however_it_is_dressed(text: str) -> None:
    assert read_rewrite(text, row()) is None


def test_a_reasoning_that_only_uses_the_word_is_one() -> None:
    text = "The friction is insufficient to hold the block, so it slides. So the answer is 2."
    assert read_rewrite(text, row()) == text


BAD = {
    "empty": ("", "It is empty."),
    "only tags": ("<think></think>", "It is empty."),
    "too short": ("It is 2.", "It is too short"),
    "another language": ("图中有两辆红色的小车停在树旁，没有其他车辆。因此答案是 2。", "It is not in English"),
    "tags within": (f"As seen <image> here. {GOOD}", "It holds the tag '<image>'"),
    "a block of the prompt": (f"{GOOD[:-20]} <row_answer> 2. So the answer is 2.", "It holds the tag '<row_answer>'"),
    "a template": (f"The {{{{ description }}}} shows it. {GOOD}", "It holds a place of a template"),
    "another answer": (f"{GOOD[:-19]} So the answer is 3.", "It ends at another answer"),
}  # fmt: skip


@pytest.mark.parametrize("how", BAD)
def test_a_bad_form_is_told(how: str) -> None:
    text, told = BAD[how]
    with pytest.raises(ValueError, match=re.escape(told)):
        read_rewrite(text, row())


def test_formulas_are_neither_tags_nor_templates() -> None:
    text = r"As seen in the image, x < 3 and y > 2, with \frac{1}{\sqrt{{x}}} = 1. Two cars remain. So the answer is 2."
    assert read_rewrite(text, row()) == text


def test_the_letter_and_its_option_are_the_same_answer() -> None:
    options = [Option("A", "2"), Option("B", "3")]
    text = "In the image, two cars stand beside a tree. So the answer is A."
    assert read_rewrite(text, row(options=options, answer="A")) == text


def test_a_long_source_wants_more_than_a_line() -> None:
    text = "Two cars are there. The answer is 2."
    found = problems_of(text, row(original_reasoning="There are cars. " * 100))
    assert found == ["It is too short: write out the steps that lead to the answer."]


def test_chinese_is_asked_for_chinese_questions() -> None:
    chinese = row(language="zh", question="图中有几辆车？")
    assert problems_of("图中可以看到两辆红色的车。因此答案是 2。", chinese) == []
    assert problems_of(GOOD, chinese) == ["It is not in Chinese, the language of the question."]


@pytest.mark.parametrize("piece", ["<think>", "</think>", "```\n", "<answer>", "Here is ", "a", "{{ ", "\ud800", "图"])
def test_hostile_replies_are_read_in_no_time(piece: str) -> None:
    took = []
    for _ in range(3):  # the collector of a long run may fall into any one of them
        began = time.process_time()
        kept(piece * (100_000 // len(piece)))
        took.append(time.process_time() - began)
    assert min(took) < 0.5
