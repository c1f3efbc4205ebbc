"""The form of a turn's texts, and what is read of a reply."""

from __future__ import annotations

import pytest

from dataflow_ext import RowError
from operators.scene.cot_generator import read_reply
from operators.scene.reasoning.words import MAX_CONCLUSION, MAX_WORDS, MIN_WORDS, form_problems

THINK = "The bedroom is empty, so the bed comes first. It stands 0.05 m from the north wall. " * 3


@pytest.mark.parametrize(
    "think", [THINK, f"{THINK}\n{THINK}", "房间是空的，所以先放床，" * 10, f"{THINK} x < 3 m, e.g. here."]
)
def test_what_is_in_form_has_no_problems(think: str) -> None:
    assert form_problems(think, "I add a bed 0.05 m from the north wall.") == []


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("</think>", "a tag: '</think>'"),
        ("<image>", "a tag: '<image>'"),
        ("<|im_end|>", "a tag: '<|im_end|>'"),
        ("[…]", "a placeholder: '[…]'"),
        ("[OBJECT NAME]", "a placeholder: '[OBJECT NAME]'"),
        ("TODO", "a placeholder: 'TODO'"),
        ("{name}", "a placeholder: '{name}'"),
        ("<NEED_RETRIVEAL>", "a tag: '<NEED_RETRIVEAL>'"),
        ("tool_3", "a part of a tool call: 'tool_3'"),
        ("move_object", "a part of a tool call: 'move_object'"),
        ("new_position", "a part of a tool call: 'new_position'"),
        ("8a737f44-4f63-4fcb-ab50-ea429b04deae", "the id of an object: '8a737f44-4f63-4fcb-ab50-ea429b04deae'"),
        ("the fact sheet", "words about how the text was asked for: 'fact sheet'"),
        ("\n- first", "a list or a heading: '-'"),
        ("\n## Plan", "a list or a heading: '##'"),
        ("**bold**", "Markdown: '**'"),
    ],
)
def test_what_no_text_may_hold_is_told(spoilt: str, told: str) -> None:
    assert f"the reasoning holds {told}" in form_problems(f"{THINK}{spoilt} here.", "I add a bed.")
    if "\n" not in spoilt:
        assert f"the conclusion holds {told}" in form_problems(THINK, f"I add a bed {spoilt} here.")


@pytest.mark.parametrize(
    ("conclusion", "problem"),
    [
        ("", "the conclusion is empty"),
        ("  ", "the conclusion is empty"),
        ("I add a bed", "the conclusion is not exactly one sentence"),
        ("I add a bed. I move a desk.", "the conclusion is not exactly one sentence"),
        ("I add a bed.\nDone.", "the conclusion is not exactly one sentence"),
        ("I add a bed" + " and" * MAX_CONCLUSION + ".", f"the conclusion has more than {MAX_CONCLUSION} words"),
    ],
)
def test_a_conclusion_is_one_sentence(conclusion: str, problem: str) -> None:
    assert form_problems(THINK, conclusion) == [problem]


@pytest.mark.parametrize(
    ("words", "fine"), [(MIN_WORDS - 1, False), (MIN_WORDS, True), (MAX_WORDS, True), (MAX_WORDS + 1, False)]
)
def test_a_reasoning_is_neither_short_nor_long(words: int, fine: bool) -> None:
    found = form_problems("word " * words, "I add a bed.")
    assert found == ([] if fine else [f"the reasoning has {words} words, and not {MIN_WORDS} to {MAX_WORDS}"])


@pytest.mark.parametrize("reply", [
    "It stands [at_wall(bed)].", "  It stands [at_wall(bed)].\n", "```\nIt stands [at_wall(bed)].\n```",
    "<think>They want a bed.</think>It stands [at_wall(bed)].",
])  # fmt: skip
def test_a_reply_is_read_with_what_is_around_it(reply: str) -> None:
    assert read_reply(reply) == "It stands [at_wall(bed)]."


@pytest.mark.parametrize("reply", ["", " \n", "```\n\n```"])
def test_a_reply_that_holds_no_text_is_refused(reply: str) -> None:
    with pytest.raises(RowError):
        read_reply(reply)
