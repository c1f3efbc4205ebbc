"""The scripted model's three kinds of scripts, its errors and its identity."""

import pickle

import pytest

from dataflow_ext.background import run_async
from dataflow_ext.models import (
    Model,
    RateLimitedError,
    Reply,
    Request,
    ScriptedModel,
    ScriptError,
    Session,
    complete,
)


def ask(model, prompt):
    return run_async(model.complete(Request(prompt)))


def test_a_list_answers_in_order_and_says_when_it_is_used_up():
    model = ScriptedModel(["one", Reply("two", "length", completion_tokens=9)])
    assert ask(model, "a") == Reply("one", model="scripted", origin="scripted")
    assert ask(model, "b") == Reply("two", "length", completion_tokens=9, origin="scripted")
    with pytest.raises(ScriptError, match="The script has 2 replies, this is call 3"):
        ask(model, "c")
    assert [request.prompt for request in model.calls] == ["a", "b", "c"]


def test_a_map_answers_by_the_first_key_in_the_prompt():
    model = ScriptedModel({"cat": "meow", "at": "?"})
    assert [ask(model, prompt).text for prompt in ("the cat", "at")] == ["meow", "?"]
    with pytest.raises(ScriptError, match="the dog"):
        ask(model, "the dog")


def test_a_function_may_use_the_whole_request_and_errors_are_raised():
    model = ScriptedModel(lambda request: RateLimitedError("no") if request.seed else request.prompt.upper())
    assert ask(model, "a").text == "A"
    with pytest.raises(RateLimitedError):
        run_async(model.complete(Request("a", seed=1)))


def test_a_session_repeats_a_scripted_failure():
    model = ScriptedModel([RateLimitedError("no"), "fine"], max_retries=1)
    with Session() as session:
        assert run_async(complete(model, Request("a"))).text == "fine"
    assert session.usage["scripted"].retries == 1


def test_identity_follows_the_script_and_survives_pickling():
    scripts = [["a"], ["b"], ["a", Reply("b")], {"a": "b"}, [RateLimitedError("a")], lambda request: "a"]
    identities = [str(ScriptedModel(script).identity()) for script in scripts]
    assert len(set(identities)) == len(scripts)
    model = ScriptedModel({"a": "b"})
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.identity(), ask(copy, "a").text) == (model.identity(), "b")


def test_one_text_is_no_script():
    with pytest.raises(ScriptError, match="a list, a map or a function"):
        ScriptedModel("hello")


def test_scripted_models_are_models():
    assert isinstance(ScriptedModel([]), Model)
    assert not isinstance("gpt", Model)
