"""AskModel: prompts filled with columns, replies as columns, and models by their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from dataflow_ext import OptionError, Prompt, check, run
from dataflow_ext.models import OpenAIModel, Request, ScriptedModel
from operators import AskModel


class Loose(BaseModel):
    notes: dict


class Grade(BaseModel):
    difficulty: int
    tags: list[str]


def graded(request: Request) -> str:
    return json.dumps({"difficulty": len(request.prompt), "tags": [request.prompt[:1]]})


def test_each_field_of_the_schema_is_a_column_of_its_type() -> None:
    grade = AskModel(model=ScriptedModel(graded), prompt="{{ question }}", schema=Grade, writes={"difficulty": "level"})
    wiring = check([grade], {"question": str})
    assert [str(wiring.schema.field(name).type) for name in ("level", "tags")] == ["int64", "list<item: string>"]
    made = run([grade], [{"question": "1 + 1"}, {"question": None}])
    assert made.table.select(["level", "tags"]).to_pylist() == [{"level": 5, "tags": ["1"]}]
    assert made.rejects["message"].to_pylist() == ["column 'question' is null"]


def test_a_reply_of_another_form_is_asked_for_again_and_then_a_reject() -> None:
    model = ScriptedModel({"a": ["about 3", '{"difficulty": 3, "tags": []}'], "b": ["no", "no"]})
    made = run([AskModel(model=model, prompt="{{ q }}", schema=Grade)], [{"q": "a"}, {"q": "b"}])
    assert made.table["difficulty"].to_pylist() == [3]
    assert made.rejects["error"].to_pylist() == ["UnreadableReplyError"]


def test_any_column_may_stand_in_a_prompt_under_any_name_beside_pictures_and_a_system_s_text() -> None:
    model = ScriptedModel(lambda request: repr((request.system, request.prompt, request.images)))
    ask = AskModel(
        model=model,
        system="Be brief.",
        prompt="{% for tag in tags %}{{ tag }};{% endfor %}{{ n + 1 }}",
        images=["pages", "shot"],
        reads={"n": "number"},
        writes={"reply": "said"},
    )
    rows = [{"tags": ["a", "b"], "number": 1, "pages": b"PNG", "shot": {"bytes": b"x", "path": None}}]
    assert ask(rows)["said"].to_pylist() == [repr(("Be brief.", "a;b;2", (b"PNG", b"x")))]


def test_a_prompt_of_a_class_and_one_of_a_text_are_the_same_to_a_step(tmp_path: Path) -> None:
    text = Prompt(text="Say {{ it }}.")
    assert (text.variables, text.fill(it="a"), repr(text)) == (("it",), "Say a.", "Prompt(text='Say {{ it }}.')")
    assert AskModel(model="gpt-4o", prompt=text) == AskModel(model="gpt-4o", prompt="Say {{ it }}.")


def test_a_model_may_be_given_by_its_name() -> None:
    assert AskModel(model="gpt-4o", prompt="{{ q }}").model == OpenAIModel(name="gpt-4o")
    own = AskModel(model="qwen3-8b @ http://localhost:8000/v1", prompt="{{ q }}").model
    assert own == OpenAIModel(name="qwen3-8b", base_url="http://localhost:8000/v1")
    dated = AskModel(model="claude@20240620", prompt="{{ q }}").model
    assert dated == OpenAIModel(name="claude@20240620")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "qwen @ localhost:8000"}, "The server's address in 'qwen @ localhost:8000' lacks http://"),
        ({"model": "http://localhost:8000/v1"}, "names no model; write its name before the server's address"),
        ({"model": "m @ ftp://a"}, ""),
        ({"prompt": "Grade {q}"}, "AskModel: the prompt names no column; write {{ name }}, with two braces"),
        ({"schema": Loose}, "AskModel: schema, field 'notes': A column cannot be declared as"),
        ({"prompt": "{{ q"}, "is no template: unexpected end of template"),
        ({"prompt": Path("a.md")}, "option 'prompt'"),
        ({"writes": {"replyy": "r"}}, "writes renames replyy, but its columns are reply."),
        ({"reads": {"p": "r"}}, "reads renames p, but its columns are row_id, q."),
    ],
)
def test_mistakes_are_told_in_a_sentence(options: dict[str, object], message: str) -> None:
    if not message:
        assert AskModel(**{"prompt": "{{ q }}", **options}).model.name == "m @ ftp://a"
        return
    with pytest.raises(OptionError, match=message):
        AskModel(**{"model": "m", "prompt": "{{ q }}", **options}).needed_inputs()
