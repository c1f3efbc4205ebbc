"""Structured replies: one class makes the schema, reads the reply and fills the column."""

import datetime as dt
import enum
import json
from typing import Annotated, Any, Literal

import pyarrow as pa
import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from dataflow_ext.background import run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.errors import OptionError, RowError
from dataflow_ext.models import (
    RefusedError,
    Reply,
    Request,
    ScriptedModel,
    Session,
    TruncatedReplyError,
    UnreadableReplyError,
)
from dataflow_ext.models.chat import is_strict
from dataflow_ext.models.structured.ask import Answer, ask, explain
from dataflow_ext.models.structured.reply_schema import reply_schema
from dataflow_ext.rejects import Failure

AGAIN = "\nReply again, in full, in the form asked for, and with nothing else."
PROMPT = Request("Solve it.", system="You solve.", max_tokens=100)


class Level(enum.Enum):
    EASY = "easy"
    HARD = "hard"


class Step(BaseModel):
    """One step; this text is for readers of the code."""

    text: str = Field(min_length=1, description="what is done")
    score: float | None = Field(default=None, ge=0, le=1)
    box: tuple[float, float] = (0.0, 0.0)


class Solution(BaseModel):
    kind: Literal["proof", "sum"]
    level: Level = Field(Level.EASY, description="how hard it is")
    steps: list[Step]
    cells: list[list[int]]
    best: Step | None = None
    day: dt.date | None = None


class Pair(BaseModel):
    a: int
    b: str = ""


class Tree(BaseModel):
    name: str
    inner: list["Tree"] = []


REPLY = {
    "kind": "sum",
    "level": "hard",
    "steps": [{"text": r"\frac{1}{2}", "score": 0.5, "box": [1, 2.5]}, {"text": "so", "score": None, "box": [0, 0]}],
    "cells": [[1, 2], []],
    "best": None,
    "day": "2024-02-29",
}


def answer(replies, reply, request=PROMPT, **options):
    model = ScriptedModel(replies)
    return run_async(ask(model, request, reply, **options)), model.calls


def failure(kind, replies, reply, request=PROMPT, **options):
    model = ScriptedModel(replies)
    with pytest.raises(kind) as caught:
        run_async(ask(model, request, reply, **options))
    return caught.value, model.calls


def cut(text, **more):
    return Reply(text, "length", **more)


def test_one_class_is_the_schema_the_reader_and_the_column():
    got, calls = answer([json.dumps(REPLY)], Solution)
    assert is_strict(calls[0].json_schema) and calls[0].schema_name == "Solution"
    column = encode([got.value], Solution)
    assert column.type == arrow_type(Solution)
    assert column.to_pylist() == [
        {**REPLY, "steps": [{**REPLY["steps"][0], "box": [1.0, 2.5]}, REPLY["steps"][1]], "day": dt.date(2024, 2, 29)}
    ]
    assert decode(column, Solution) == [got.value]


def test_the_schema_is_strict_and_holds_neither_constraints_nor_docstrings():
    step = {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "what is done"},
            "score": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "box": {"type": "array", "items": {"type": "number"}},
        },
        "required": ["text", "score", "box"],
        "additionalProperties": False,
    }
    assert reply_schema(Solution).schema == {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["proof", "sum"]},
            "level": {"anyOf": [{"$ref": "#/$defs/Level"}], "description": "how hard it is"},
            "steps": {"type": "array", "items": {"$ref": "#/$defs/Step"}},
            "cells": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "best": {"anyOf": [{"$ref": "#/$defs/Step"}, {"type": "null"}]},
            "day": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["kind", "level", "steps", "cells", "best", "day"],
        "additionalProperties": False,
        "$defs": {"Level": {"type": "string", "enum": ["easy", "hard"]}, "Step": step},
    }


def test_classes_within_themselves_and_types_that_are_no_object_have_a_schema_too():
    tree = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "inner": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["name", "inner"],
        "additionalProperties": False,
    }
    assert reply_schema(Tree).schema == {**tree, "$defs": {"Tree": tree}}
    assert reply_schema(Tree).read({"name": "a", "inner": [{"name": "b"}]}) == Tree(name="a", inner=[Tree(name="b")])
    wrapped = {kind: (reply_schema(kind).name, reply_schema(kind).wrapped) for kind in (list[Pair], Pair | None, int)}
    assert wrapped == {list[Pair]: ("list_Pair", "items"), Pair | None: ("Pair_None", "value"), int: ("int", "value")}
    assert all(is_strict(reply_schema(kind).schema) for kind in wrapped)
    mixed = Annotated[tuple[int, str], ["metadata that cannot be hashed"]]
    assert reply_schema(mixed).schema["properties"]["items"]["items"] == {
        "anyOf": [{"type": "integer"}, {"type": "string"}]
    }


@pytest.mark.parametrize("kind", [dict[str, int], list[Any], dict, type("Strange", (), {})])
def test_a_type_that_no_strict_schema_can_say_is_refused_by_name(kind):
    with pytest.raises(OptionError, match=r"no strict schema can say|No replies can be read as Strange"):
        reply_schema(kind)


def test_without_a_schema_sent_such_a_type_can_be_read():
    got, calls = answer(['{"a": 1}'], dict[str, int], send_schema=False)
    assert (got.value, calls) == ({"a": 1}, [PROMPT])


@pytest.mark.parametrize("text", ['{"items": [{"a": 1}]}', '[{"a": 1}]', '```\n{"items": [{"a": 1}]}\n```'])
def test_a_list_is_read_with_and_without_the_object_around_it(text):
    got, calls = answer([text], list[Pair])
    assert got.value == [Pair(a=1)]
    assert list(calls[0].json_schema["properties"]) == ["items"]


def test_a_request_with_its_own_schema_keeps_it():
    own = Request("Solve.", json_schema={"type": "object"}, schema_name="mine")
    assert answer(['{"a": 1}'], Pair, own)[1] == [own]


def test_what_was_mended_is_noted():
    raw = "Sure:\n```json\n{'a': 1,}\n```"
    got, _ = answer([raw], Pair)
    assert got == Answer(
        Pair(a=1), Reply(raw, model="scripted", origin="scripted"), 1, ("code fence", "quotes", "trailing comma")
    )


def test_of_several_values_the_last_valid_one_is_taken_and_one_in_a_fence_first():
    drafts = '{"a": 1} or rather {"a": 2}. Not {} as in [1].'
    got, _ = answer([drafts], Pair)
    assert (got.value, got.notes) == (Pair(a=2), ("text around it", "several values, the last taken"))
    got, _ = answer(['```\n{"a": 3}\n```\n' + drafts], Pair)
    assert (got.value, got.notes) == (Pair(a=3), ("code fence",))


def test_reading_is_strict():
    with pytest.raises(ValidationError):
        reply_schema(Pair).read({"a": "001"})
    with pytest.raises(ValueError, match="not JSON compliant"):
        reply_schema(list[float]).read([float("inf")])


def test_a_reply_of_no_use_is_asked_for_again_with_what_is_wrong():
    with Session() as session:
        got, calls = answer(['{"a": "x"}', '{"a": 1}'], Pair)
    assert (got.value, got.attempts, got.reply.text) == (Pair(a=1), 2, '{"a": 1}')
    assert calls[1].follow_up == (
        '{"a": "x"}',
        "Your reply cannot be used: at a: Input should be a valid integer, got 'x'" + AGAIN,
    )
    assert (calls[1].system, calls[1].prompt, calls[1].json_schema) == ("You solve.", "Solve it.", calls[0].json_schema)
    assert (session.usage["scripted"].requests, session.usage["scripted"].repairs) == (2, 1)


def test_a_repair_keeps_the_conversation_so_far():
    _, calls = answer(["no", "[]", '{"a": 1}'], Pair, Request("Hi", follow_up=("Hello", "And?")), repairs=2)
    assert [call.follow_up[:-1] for call in calls] == [("Hello",), ("Hello", "And?", "no"), ("Hello", "And?", "[]")]


def test_after_the_repairs_the_last_reply_is_kept_in_the_error():
    error, calls = failure(UnreadableReplyError, ["hello", "sorry"], Pair)
    problem = "there is no JSON object or list in the reply 'sorry'"
    assert str(error) == f"The reply of scripted cannot be used, 2 times asked: {problem}"
    assert (error.reply.text, error.problem, error.attempts, len(calls)) == ("sorry", problem, 2, 2)
    assert Failure.of(0, error).attempts == 2
    error, calls = failure(UnreadableReplyError, ["hello"], Pair, repairs=0)
    assert (error.reply.text, error.attempts, len(calls)) == ("hello", 1, 1)


def test_a_parser_of_text_says_what_is_wrong_by_any_value_error():
    def index(text):
        if not text.strip().isdecimal():
            raise RowError(f"{text!r} is no index")
        return int(text)

    got, calls = answer(["the second", " 2 "], index)
    assert (got.value, got.attempts, calls[0]) == (2, 2, PROMPT)
    assert calls[1].follow_up[1] == "Your reply cannot be used: 'the second' is no index" + AGAIN


def test_an_error_in_a_parser_is_no_reason_for_a_repair():
    error, calls = failure(KeyError, ["x"], lambda text: {}[text])
    assert (error.args, len(calls)) == (("x",), 1)


def test_a_reply_that_ended_at_its_limit_is_asked_for_with_twice_the_limit():
    got, calls = answer([cut('{"a": 1}'), '{"a": 12}'], Pair)
    assert (got.value, got.attempts) == (Pair(a=12), 2)
    assert [(call.max_tokens, call.follow_up) for call in calls] == [(100, ()), (200, ())]


def test_the_models_own_limit_can_be_raised_too_and_stays_for_the_repair():
    model = ScriptedModel([cut("1"), "x", "12"])
    model.max_tokens = 8
    assert run_async(ask(model, Request("?"), int)).value == 12
    assert [call.max_tokens for call in model.calls] == [None, 16, 16]


def test_a_reply_that_is_still_cut_off_is_an_error_that_says_what_to_do():
    error, calls = failure(TruncatedReplyError, [cut("{"), cut('{"a":', reasoning_tokens=1500)], Pair)
    assert str(error) == (
        "The reply of scripted was cut off at its limit of 200 tokens (1,500 of them spent on reasoning), "
        "2 times asked. Raise max_tokens, or ask for less at once."
    )
    assert (error.reply.text, error.attempts, len(calls)) == ('{"a":', 2, 2)
    error, calls = failure(TruncatedReplyError, [cut("4")], int, Request("?"))
    assert str(error) == (
        "The reply of scripted was cut off at the server's own token limit, once asked. "
        "Set max_tokens, or ask for less at once."
    )


def test_a_parser_never_sees_a_reply_that_was_cut_off():
    seen = []
    failure(TruncatedReplyError, [cut("4"), cut("42")], lambda text: seen.append(text))
    assert seen == []


def test_a_reply_that_looks_cut_off_is_asked_for_again():
    got, calls = answer(['{"a": 1, "b": "some te', '{"a": 1, "b": "some text"}'], Pair)
    assert (got.value.b, got.notes) == ("some text", ())
    assert calls[1].follow_up[1] == "Your reply cannot be used: it is cut off, its JSON has no end" + AGAIN


def test_a_refusal_is_passed_on():
    error, calls = failure(RefusedError, [RefusedError("It declined.", reply=Reply("No.", "refusal"))], Pair)
    assert (error.reply.text, len(calls)) == ("No.", 1)


def test_a_failure_in_a_repair_tells_how_many_calls_there_were():
    error, _ = failure(RefusedError, ["hm", RefusedError("It declined.")], Pair)
    assert error.attempts == 2


def test_a_validator_that_changes_reads_the_stored_replies_again(tmp_path):
    class Checked(BaseModel):
        """Any number."""

        a: int = Field(ge=0)

    first = Checked

    class Checked(BaseModel):
        """An even number."""

        a: int = Field(le=10)

        @field_validator("a")
        @classmethod
        def _even(cls, a):
            if a % 2:
                raise ValueError("it is odd")
            return a

    model = ScriptedModel(lambda request: '{"a": 4}' if request.follow_up else request.prompt)
    for kind, prompt, value, calls in [
        (first, '{"a": 2}', 2, 1),
        (Checked, '{"a": 2}', 2, 1),
        (first, '{"a": 3}', 3, 2),
        (Checked, '{"a": 3}', 4, 3),  # the stored reply is of no use now, so one repair is asked for
        (Checked, '{"a": 3}', 4, 3),
    ]:
        with Session(tmp_path / "replies.sqlite"):
            assert run_async(ask(model, Request(prompt), kind)).value.a == value
        assert len(model.calls) == calls


def test_a_problem_names_two_fields_and_counts_the_others():
    with pytest.raises(ValidationError) as caught:
        reply_schema(list[Pair]).read([{"b": 1}, {"a": "x" * 200}, 3])
    assert explain(caught.value) == ("at 0.a: Field required\nat 0.b: Input should be a valid string, got 1 (2 more)")
    assert explain(ValueError("")) == "ValueError"
    assert len(explain(ValueError("long " * 1000))) == 600


def test_values_of_many_replies_make_one_column():
    model = ScriptedModel({"full": '[{"a": 1}]', "empty": "[]"})
    values = [run_async(ask(model, Request(prompt), list[Pair])).value for prompt in ("full", "empty")]
    assert encode(values, list[Pair]).equals(
        pa.array([[{"a": 1, "b": ""}], []], pa.list_(pa.struct([("a", pa.int64()), ("b", pa.string())])))
    )
