"""The client against a real server on this machine, one failure of the server at a time."""

import base64
import logging
import pickle
import socket
import subprocess
import sys

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import ModelError, OptionError
from dataflow_ext.models import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    OpenAIModel,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    Reply,
    Request,
    ServerFailedError,
    Session,
    TimedOutError,
)
from tests.loopback import Fault, Loopback, limited

PNG = b"\x89PNG\r\n\x1a\n rest of a picture"


HELLO = Request("Hello, model.")


def ask(server, request=HELLO, **options):
    return run_async(OpenAIModel(name="m", base_url=server.url, **options).complete(request))


def first(count, fault):
    return lambda number, body: fault if number <= count else None


def always(fault):
    return lambda number, body: fault


def test_a_reply_comes_back_with_its_tokens():
    with Loopback(lambda body: "Good day to you.") as server:
        reply = ask(server)
    assert reply == Reply("Good day to you.", "stop", 3, 1, 4, "m", "remote", False)


def test_the_body_holds_system_first_and_only_what_was_set():
    with Loopback() as server:
        ask(server, Request("ask", system="be brief"))
        ask(server, Request("ask"), temperature=None)
    assert [call.body for call in server.calls] == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "ask"}],
            "temperature": 0.0,
        },
        {"model": "m", "messages": [{"role": "user", "content": "ask"}]},
    ]


def test_a_request_overrides_the_model_and_extra_body_overrides_both():
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    request = Request("ask", max_tokens=7, temperature=0.5, seed=3, json_schema=schema, schema_name="pairs")
    with Loopback() as server:
        ask(server, request, max_tokens=99, seed=1, extra_body={"top_k": 5, "seed": 4})
    assert server.calls[0].body == {
        "model": "m",
        "messages": [{"role": "user", "content": "ask"}],
        "max_tokens": 7,
        "temperature": 0.5,
        "seed": 4,
        "top_k": 5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "pairs", "schema": schema, "strict": True},
        },
    }


def test_pictures_follow_the_text_as_data_urls_and_addresses_stay(tmp_path):
    path = tmp_path / "picture.bin"
    path.write_bytes(PNG)
    data = "data:image/png;base64," + base64.b64encode(PNG).decode()
    with Loopback() as server:
        ask(server, Request("look", images=(PNG, str(path), "https://example.org/a.png")))
    assert server.calls[0].body["messages"][0]["content"] == [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "image_url", "image_url": {"url": data}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    ]


def test_a_picture_that_is_not_there_is_named():
    with Loopback() as server, pytest.raises(ModelError, match=r"gone\.png.*No such file"):
        ask(server, Request("look", images=("gone.png",)))


def test_half_a_surrogate_pair_does_not_stop_a_request():
    with Loopback() as server:
        ask(server, Request("a\ud800b 𝄞"))
    assert server.prompts == ["a\ufffdb 𝄞"]


@pytest.mark.parametrize(
    "fault",
    [
        limited(),
        limited(0.01),
        Fault("status", 408),
        Fault("status", 409),
        Fault("status", 500),
        Fault("status", 503, headers={"Retry-After": "0.01"}),
        Fault("drop"),
        Fault("cut"),
        Fault("garbage"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}-{dict(fault.headers)}",
)
def test_a_failure_that_passes_is_tried_again(fault):
    with Loopback(lambda body: "fine", fault=first(2, fault)) as server:
        reply = ask(server)
    assert (reply.text, server.outcomes) == ("fine", [fault.kind, fault.kind, "ok"])


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (limited(), RateLimitedError),
        (Fault("status", 500), ServerFailedError),
        (Fault("drop"), ConnectionFailedError),
        (Fault("cut"), ConnectionFailedError),
        (Fault("garbage"), GarbledReplyError),
    ],
    ids=lambda value: getattr(value, "kind", None) or value.__name__,
)
def test_a_failure_that_stays_is_reported_after_the_last_try(fault, error):
    with Loopback(fault=always(fault)) as server, pytest.raises(error) as caught:
        ask(server, max_retries=2)
    assert (caught.value.attempts, caught.value.transient, server.received) == (3, True, 3)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_request_that_will_never_do_is_sent_once(status):
    fault = Fault("status", status, "bad_thing")
    with Loopback(fault=always(fault)) as server, pytest.raises(RejectedRequestError) as caught:
        ask(server)
    assert (caught.value.status, caught.value.code, server.received) == (status, "bad_thing", 1)
    assert str(caught.value).startswith(f"{server.url} answered {status}: ")


@pytest.mark.parametrize("status", [401, 403, 404, 405])
def test_a_key_a_model_or_an_address_that_is_not_accepted_is_tried_once(status):
    with Loopback(fault=always(Fault("status", status))) as server, pytest.raises(AccessError):
        ask(server)
    assert server.received == 1


def test_used_up_credit_is_not_tried_again():
    fault = Fault("status", 429, "insufficient_quota")
    with Loopback(fault=always(fault)) as server, pytest.raises(QuotaError, match="no credit left"):
        ask(server)
    assert server.received == 1


def test_retry_after_is_kept_to():
    with Loopback(fault=first(1, limited(0.4))) as server:
        ask(server)
    assert 0.4 <= server.calls[1].started - server.calls[0].started < 0.8


def test_a_server_that_asks_for_an_hour_is_not_waited_for():
    with Loopback(fault=always(limited(3600))) as server, pytest.raises(RateLimitedError) as caught:
        ask(server)
    assert (caught.value.retry_after, server.received) == (3600.0, 1)


def test_a_slow_reply_is_given_up_and_tried_again():
    with Loopback(lambda body: "fine", fault=first(1, Fault("slow", seconds=1.0))) as server:
        assert ask(server, timeout=0.2).text == "fine"
        with pytest.raises(TimedOutError):
            ask(Slow(server), timeout=0.001, max_retries=0)


class Slow:
    def __init__(self, server):
        server.delay = 0.3
        self.url = server.url


def test_a_text_cut_off_at_the_limit_is_a_reply_with_that_reason():
    with Loopback(lambda body: "0123456789", fault=always(Fault("length"))) as server:
        reply = ask(server)
    assert (reply.text, reply.finish_reason, server.received) == ("01234", "length", 1)


def test_a_refusal_is_an_error_with_the_models_words_and_their_price():
    with Loopback(fault=always(Fault("refusal"))) as server, pytest.raises(RefusedError) as caught:
        ask(server)
    assert str(caught.value) == "Model m declined to answer: I would rather not."
    assert caught.value.reply == Reply("I would rather not.", "refusal", 3, 1, 3, "m")
    assert server.received == 1


def test_nobody_at_the_address_is_a_failed_connection():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(ConnectionFailedError, match=f"The connection to {url} failed"):
            run_async(OpenAIModel(name="m", base_url=url, max_retries=1).complete(Request("a")))


def test_a_missing_key_is_named_unless_the_server_is_ones_own(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(AccessError, match="set the environment variable OPENAI_API_KEY"):
        run_async(OpenAIModel(name="m").complete(Request("a")))
    with Loopback(lambda body: "fine") as server:
        assert ask(server).text == "fine"


def test_the_key_stands_in_no_text_that_leaves_the_client(key, caplog, capfd, tmp_path):
    caplog.set_level(logging.DEBUG)
    cache = tmp_path / "replies.sqlite"
    faults = {1: Fault("drop"), 2: Fault("garbage"), 4: Fault("status", 401)}
    with Loopback(fault=lambda number, body: faults.get(number)) as server, Session(cache) as session:
        model = OpenAIModel(name="m", base_url=server.url, max_retries=0)
        texts = [repr(model.identity()), model.server]
        for number in range(4):
            try:
                run_async(session.complete(model, Request(f"{number}")))
            except ModelError as error:
                texts += [repr(error), str(error.__context__), str(error.__cause__), repr(error.__dict__)]
    assert [call.authorization for call in server.calls] == [f"Bearer {key}"] * 4
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert key not in "".join([*texts, caplog.text, *capfd.readouterr()])
    assert key.encode() not in files


def test_a_servers_error_that_repeats_the_key_is_cleaned(key):
    fault = Fault("status", 401, message=f"bad key {key}")
    with Loopback(fault=always(fault)) as server, pytest.raises(AccessError) as caught:
        ask(server)
    assert str(caught.value) == f"{server.url} answered 401: bad key …"


@pytest.mark.parametrize("url", ["http://me:pass-phrase@host/v1", "https://host/v1?key=pass-phrase", "host/v1"])
def test_an_address_with_secrets_or_without_scheme_is_refused_and_not_repeated(url, monkeypatch):
    with pytest.raises(ValueError, match="A model server's address") as caught:
        OpenAIModel(name="m", base_url=url)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(OptionError, match="A model server's address") as caught_late:
        run_async(OpenAIModel(name="m").complete(Request("a")))
    assert "pass-phrase" not in f"{caught.value} {caught_late.value}"


def test_a_model_goes_through_pickle_and_refuses_unknown_options():
    model = OpenAIModel(name="m", base_url="http://127.0.0.1:9/v1", extra_body={"a": [1]})
    assert pickle.loads(pickle.dumps(model)) == model
    with pytest.raises(ValueError, match="colour"):
        OpenAIModel(name="m", colour="red")


def test_calls_of_one_model_share_few_connections():
    with Loopback(lambda body: "fine") as server:
        model = OpenAIModel(name="m", base_url=server.url)
        requests = [Request(f"{n}") for n in range(60)]
        replies = run_async(map_async(model.complete, requests, 4))
        connections = {call.connection for call in server.calls}
    assert [reply.text for reply in replies] == ["fine"] * 60
    assert len(connections) <= 4


def test_a_proxy_that_the_environment_asks_for_is_used(monkeypatch):
    with Loopback(lambda body: "by proxy") as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        model = OpenAIModel(name="m", base_url="http://model.invalid/v1")
        reply = run_async(model.complete(Request("a")))
    assert reply.text == "by proxy"


def test_importing_the_package_imports_no_client():
    code = "import sys, dataflow_ext.models; print({'openai', 'httpx', 'httpx2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("set()", "")
