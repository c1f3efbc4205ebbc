"""Asking until the reply is good: how often, with what words, and with which token limit."""

from typing import Any

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.errors import RowError
from dataflow_ext.models import (
    RefusedError,
    Reply,
    Request,
    ScriptedModel,
    TruncatedReplyError,
    UnreadableReplyError,
    ask_again,
    numbered,
)

ASKED = Request("How many?", max_tokens=10)
AGAIN = "\nReply again, in full, in the form asked for, and with nothing else."


def number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{text!r} is no number")
    return int(text)


def cut(text: str) -> Reply:
    return Reply(text, "length")


def failure(replies: list[Any], most: int, request: Request = ASKED) -> tuple[Any, ScriptedModel]:
    model = ScriptedModel(replies)
    with pytest.raises(Exception) as caught:
        run_async(ask_again(model, request, number, most))
    return caught.value, model


def test_equal_bad_replies_are_told_apart_by_their_numbers():
    model = ScriptedModel(["two", "two", "two", "2"])
    answer = run_async(ask_again(model, ASKED, number, 4))
    assert (answer.value, answer.attempts) == (2, 4)
    told = [call.follow_up[1] for call in model.calls[1:]]
    assert told == [
        f"Your reply cannot be used: 'two' is no number\n(That was reply {n} of 4.){AGAIN}" for n in (1, 2, 3)
    ]


def test_the_last_bad_reply_is_the_error_and_its_words_bear_no_number():
    error, model = failure(["two"] * 5, 3)
    assert (type(error), str(error)) == (
        UnreadableReplyError,
        "The reply of scripted cannot be used, 3 times asked: 'two' is no number",
    )
    assert (error.attempts, len(model.calls), error.reply.text) == (3, 3, "two")


def test_a_reply_that_was_cut_off_is_asked_for_afresh_with_twice_the_limit_and_counts():
    model = ScriptedModel(["two", cut("2"), cut("2"), "three", "22"])
    answer = run_async(ask_again(model, ASKED, number, 6))
    assert (answer.value, answer.attempts) == (22, 5)
    assert [(call.max_tokens, len(call.follow_up)) for call in model.calls] == [
        (10, 0), (10, 2), (20, 0), (40, 0), (40, 2),
    ]  # fmt: skip
    assert "(That was reply 4 of 6.)" in model.calls[4].follow_up[1]


def test_what_is_always_cut_off_is_asked_for_so_often_as_is_allowed():
    error, model = failure([cut("2")] * 9, 3)
    assert (type(error), error.attempts) == (TruncatedReplyError, 3)
    assert [call.max_tokens for call in model.calls] == [10, 20, 40]


def test_without_a_limit_that_could_be_raised_a_cut_off_reply_is_asked_for_once():
    error, model = failure([cut("2")] * 9, 3, Request("How many?"))
    assert (type(error), error.attempts, len(model.calls)) == (TruncatedReplyError, 1, 1)


def test_what_the_model_raises_is_passed_on_with_the_attempts_before_it():
    error, model = failure([cut("2"), RefusedError("It declined.")], 4)
    assert (type(error), error.attempts, len(model.calls)) == (RefusedError, 2, 2)


def test_an_error_in_the_reader_is_no_reason_to_ask_again():
    def broken(text: str) -> int:
        raise KeyError(text)

    model = ScriptedModel(["x", "y"])
    with pytest.raises(KeyError):
        run_async(ask_again(model, ASKED, broken, 3))
    assert len(model.calls) == 1


def test_numbers_go_on_from_the_first_and_good_replies_count_as_well():
    read = numbered(number, 5, first=3)
    assert read("7") == 7
    with pytest.raises(RowError, match=r"^'x' is no number\n\(That was reply 4 of 5\.\)$"):
        read("x")
    with pytest.raises(ValueError, match=r"^'x' is no number$"):
        read("x")
