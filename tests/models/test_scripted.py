"""The scripted model's three kinds of scripts, its errors and its identity."""

import asyncio
import pickle
import time
import traceback

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import OptionError
from dataflow_ext.models import (
    Model,
    RateLimitedError,
    RefusedError,
    Reply,
    Request,
    RequestCache,
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
    assert ask(model, "b") == Reply("two", "length", completion_tokens=9, model="scripted", origin="scripted")
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


@pytest.mark.parametrize("script", ["hello", 3, None])
def test_what_is_no_script_is_refused(script):
    with pytest.raises(OptionError, match="a list, a map or a function"):
        ScriptedModel(script)


def test_a_line_that_is_no_line_is_named():
    with pytest.raises(ScriptError, match="line 3 is neither a text"):
        ask(ScriptedModel(lambda request: 3), "a")


def test_a_map_may_have_a_list_for_a_key_which_is_used_up_by_turns():
    model = ScriptedModel({"cat": ["meow", RateLimitedError("asleep")], "": "?"})
    assert [ask(model, prompt).text for prompt in ("cat", "dog")] == ["meow", "?"]
    with pytest.raises(RateLimitedError, match="asleep"):
        ask(model, "cat")
    with pytest.raises(ScriptError, match="The script for 'cat' has 2 replies, this is call 3"):
        ask(model, "cat")


def test_a_function_may_be_asynchronous():
    async def slow(request):
        await asyncio.sleep(0.001)
        return request.prompt.upper()

    assert ask(ScriptedModel(slow), "a").text == "A"


def test_a_refusal_is_raised_as_from_a_server_the_first_time_and_from_the_cache():
    model = ScriptedModel([Reply("I will not.", "refusal", prompt_tokens=3)])
    with Session(RequestCache()) as session:
        for _ in range(2):
            with pytest.raises(RefusedError, match=r"scripted declined to answer: I will not\."):
                run_async(complete(model, Request("a")))
    assert (len(model.calls), session.usage["scripted"].cached) == (1, 1)


def test_tokens_are_counted_on_demand_and_spend_a_budget():
    model = ScriptedModel(["12345678", Reply("x", completion_tokens=5)], count_tokens=True)
    with Session(budget="20tok") as session:
        first, second = (run_async(complete(model, Request("1234" * n, max_tokens=2))) for n in (4, 1))
    assert [(r.prompt_tokens, r.completion_tokens) for r in (first, second)] == [(4, 2), (0, 5)]
    assert session.usage["scripted"].tokens == 11


def test_each_call_takes_the_delay_and_calls_do_not_wait_for_each_other():
    model = ScriptedModel({"": "a"}, delay=0.05)
    start = time.monotonic()
    run_async(map_async(lambda n: model.complete(Request(str(n))), range(20), 20))
    assert 0.05 <= time.monotonic() - start < 0.5


def test_an_error_that_is_raised_often_does_not_grow():
    error = RateLimitedError("no")
    model = ScriptedModel({"": error})
    depths = []
    for _ in range(3):
        with pytest.raises(RateLimitedError):
            asyncio.run(model.complete(Request("a")))
        depths.append(len(traceback.extract_tb(error.__traceback__)))
    assert len(set(depths)) == 1


def test_scripted_models_are_models():
    assert isinstance(ScriptedModel([]), Model)
    assert not isinstance("gpt", Model)
