"""Azure's addresses, keys and tokens, against a server on this machine."""

import importlib.util
import pickle
import sys
import threading
import time
import types
from dataclasses import dataclass

import pytest

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import ModelError
from dataflow_ext.models import AccessError, OpenAIModel, RefusedError, Reply, Request, RetryableError, Session
from dataflow_ext.models.azure_model import SCOPE, AzureOpenAIModel
from dataflow_ext.models.request_cache import request_key
from tests.loopback import Fault, Loopback

KEY = "azure-canary-0123456789"
TOKEN = "token-canary"
HELLO = Request("Hello, model.")


@pytest.fixture(autouse=True)
def azure_key(monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)


@dataclass(frozen=True)
class Given:
    token: str
    expires_on: int


class Credential:
    """Gives numbered tokens that hold for ``seconds``, or raises ``error``."""

    def __init__(self, seconds=3600.0, error=None, delay=0.0):
        self.seconds, self.error, self.delay = seconds, error, delay
        self.asked, self.threads = [], set()

    def get_token(self, *scopes):
        self.asked.append(scopes)
        self.threads.add(threading.current_thread())
        time.sleep(self.delay)
        if self.error is not None:
            raise self.error
        return Given(f"{TOKEN}-{len(self.asked)}", int(time.time() + self.seconds))


def deployed(server, name="gpt", **options):
    return AzureOpenAIModel(name=name, endpoint=server.url.removesuffix("/v1"), **options)


def ask(model, request=HELLO):
    return run_async(model.complete(request))


def secrets_of(server):
    return [(call.headers.get("api-key"), call.headers.get("authorization")) for call in server.calls]


def test_a_call_goes_to_the_deployment_with_its_version_and_the_key_in_azures_header():
    with Loopback(lambda body: "Good day.") as server:
        reply = ask(deployed(server, name="my gpt/4", api_version="2025-04-01-preview"))
    assert reply.text == "Good day."
    (call,) = server.calls
    assert call.path == "/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2025-04-01-preview"
    assert secrets_of(server) == [(KEY, None)]
    assert call.body == {
        "model": "my gpt/4",
        "messages": [{"role": "user", "content": "Hello, model."}],
        "temperature": 0.0,
    }


@pytest.mark.parametrize(("auth", "secrets"), [("key", (KEY, None)), ("token", (None, f"Bearer {TOKEN}-1"))])
def test_a_proxy_that_the_environment_names_gets_the_same_call(auth, secrets, monkeypatch):
    with Loopback(lambda body: "by proxy") as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        model = AzureOpenAIModel(name="gpt", endpoint="http://x.invalid", auth=auth, credential=Credential())
        ask(model)
    assert secrets_of(proxy) == [secrets]
    assert proxy.calls[0].path.endswith("/openai/deployments/gpt/chat/completions?api-version=2024-10-21")


def test_the_newer_address_works_with_the_plain_model():
    with Loopback(lambda body: "fine") as server:
        url = server.url.replace("/v1", "/openai/v1/")
        assert ask(OpenAIModel(name="gpt", base_url=url, api_key_env="AZURE_OPENAI_API_KEY")).text == "fine"
    assert [call.path for call in server.calls] == ["/openai/v1/chat/completions"]


def test_one_token_serves_all_calls_and_is_fetched_off_the_loop():
    credential = Credential(delay=0.05)
    with Loopback(lambda body: "fine") as server:
        model = deployed(server, auth="token", credential=credential)
        replies = run_async(map_async(model.complete, [Request(str(n)) for n in range(20)], 20))
    assert {reply.text for reply in replies} == {"fine"}
    assert credential.asked == [(SCOPE,)]
    assert set(secrets_of(server)) == {(None, f"Bearer {TOKEN}-1")}
    assert "azure-token" in credential.threads.pop().name


def test_a_token_is_replaced_before_it_ends(monkeypatch):
    credential = Credential(seconds=3600)
    with Loopback(lambda body: "fine") as server:
        model = deployed(server, auth="token", credential=credential)
        ask(model)
        ask(model)
        later = time.time() + 3600 - 299
        monkeypatch.setattr("dataflow_ext.models.azure_model.time", types.SimpleNamespace(time=lambda: later))
        ask(model)
    assert secrets_of(server) == [(None, f"Bearer {TOKEN}-{n}") for n in (1, 1, 2)]


def test_a_renewal_that_fails_is_tried_later_while_the_old_token_holds(monkeypatch):
    credential = Credential(seconds=3600)
    with Loopback(lambda body: "fine") as server:
        model = deployed(server, auth="token", credential=credential, max_retries=0)
        start = time.time()
        ask(model)
        credential.error = ConnectionError("no route")
        now = [start]
        monkeypatch.setattr("dataflow_ext.models.azure_model.time", types.SimpleNamespace(time=lambda: now[0]))
        for after, asked in ((3400, 2), (3410, 2), (3440, 3)):
            now[0] = start + after
            ask(model)
            assert len(credential.asked) == asked
        now[0] = start + 3590
        with pytest.raises(RetryableError, match="no route"):
            ask(model)
    assert set(secrets_of(server)) == {(None, f"Bearer {TOKEN}-1")}


def test_a_token_that_the_server_does_not_accept_is_replaced_once():
    with Loopback(
        lambda body: "fine", fault=lambda number, body: Fault("status", 401) if number == 1 else None
    ) as server:
        assert ask(deployed(server, auth="token", credential=Credential())).text == "fine"
    assert secrets_of(server) == [(None, f"Bearer {TOKEN}-1"), (None, f"Bearer {TOKEN}-2")]
    with Loopback(fault=lambda number, body: Fault("status", 403)) as server, pytest.raises(AccessError):
        ask(deployed(server, auth="token", credential=Credential()))
    assert server.received == 2


def test_a_credential_that_gives_no_token_is_told_with_its_own_words():
    with Loopback() as server:
        model = deployed(server, auth="token", credential=Credential(error=ValueError("not signed in\nlong advice")))
        with pytest.raises(AccessError) as caught:
            ask(model)
        assert (str(caught.value), caught.value.__context__) == ("No token from Azure: not signed in long advice", None)
        model = deployed(server, auth="token", credential=Credential(error=ConnectionError("no route")), max_retries=1)
        with pytest.raises(RetryableError, match="as it could not be asked: no route") as caught:
            ask(model)
        assert (caught.value.attempts, len(model.credential.asked), server.received) == (2, 2, 0)


@pytest.mark.skipif(importlib.util.find_spec("azure") is not None, reason="azure-identity is installed")
def test_without_the_package_it_is_told_what_to_install():
    with Loopback() as server, pytest.raises(AccessError) as caught:
        ask(deployed(server, auth="token"))
    assert str(caught.value) == (
        'Signing in at Azure with auth="token" needs the package azure-identity: '
        f"{sys.executable} -m pip install 'rowsmith[azure]'."
    )


def test_without_a_credential_the_packages_default_one_is_used(monkeypatch):
    library = types.ModuleType("azure.identity")
    library.DefaultAzureCredential = Credential
    monkeypatch.setitem(sys.modules, "azure", types.ModuleType("azure"))
    monkeypatch.setitem(sys.modules, "azure.identity", library)
    monkeypatch.setattr("dataflow_ext.models.azure_model._sources", {})
    with Loopback(lambda body: "fine") as server:
        ask(deployed(server, auth="token"))
        ask(deployed(server, auth="token", name="other"))
    assert secrets_of(server) == [(None, f"Bearer {TOKEN}-1")] * 2


def test_a_missing_key_is_named_with_both_remedies(monkeypatch):
    monkeypatch.delenv("AZURE_OPENAI_API_KEY")
    with Loopback() as server, pytest.raises(AccessError) as caught:
        ask(deployed(server))
    assert str(caught.value) == (
        'Model gpt needs a key: set the environment variable AZURE_OPENAI_API_KEY, or sign in with auth="token".'
    )


@pytest.mark.parametrize("auth", ["key", "token"])
def test_neither_key_nor_token_stands_in_any_text_or_file(auth, caplog, capfd, tmp_path):
    caplog.set_level("DEBUG")
    faults = {1: Fault("status", 400), 2: Fault("garbage"), 4: Fault("status", 401), 5: Fault("status", 401)}
    with (
        Loopback(fault=lambda number, body: faults.get(number)) as server,
        Session(tmp_path / "replies.sqlite") as session,
    ):
        model = deployed(server, auth=auth, credential=Credential(), max_retries=0)
        texts = [repr(model), repr(model.identity()), model.server, model.model_dump_json()]
        for number in range(4):
            try:
                run_async(session.complete(model, Request(f"{number}")))
            except ModelError as error:
                texts += [repr(error), str(error.__context__), str(error.__cause__), repr(error.__dict__)]
    assert server.outcomes == ["status", "garbage", "ok", *["status"] * (1 if auth == "key" else 2)]
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    seen = "".join([*texts, caplog.text, *capfd.readouterr()]) + files.decode("latin-1")
    assert [secret in seen for secret in (KEY, TOKEN)] == [False, False]


def test_identity_holds_what_decides_a_reply_and_the_way_to_sign_in_does_not():
    options = {"name": "gpt", "endpoint": "https://x.openai.azure.com/"}
    plain = AzureOpenAIModel(**options)
    assert plain.identity() == {
        "model": "AzureOpenAIModel",
        "name": "gpt",
        "server": "https://x.openai.azure.com/openai/deployments/gpt",
        "api_version": "2024-10-21",
        "temperature": 0.0,
        "max_tokens": None,
        "seed": None,
        "extra_body": {},
    }
    other = AzureOpenAIModel(**options, auth="token", credential=Credential(), api_key_env="OTHER", timeout=1.0)
    assert request_key(plain.identity(), HELLO) == request_key(other.identity(), HELLO)
    newer = AzureOpenAIModel(**options, api_version="2025-01-01")
    assert request_key(plain.identity(), HELLO) != request_key(newer.identity(), HELLO)


def test_a_prompt_that_the_filter_refuses_is_a_refusal_that_is_kept(tmp_path):
    fault = Fault("status", 400, "content_filter")
    with Loopback(fault=lambda number, body: fault) as server, Session(tmp_path / "replies.sqlite") as session:
        for _ in range(2):
            with pytest.raises(RefusedError) as caught:
                run_async(session.complete(deployed(server), HELLO))
    assert server.received == 1
    assert caught.value.reply.finish_reason == "refusal"


def test_a_deployment_that_wants_the_newer_name_of_the_limit_gets_it():
    def fault(number, body):
        if "max_tokens" in body:
            return Fault("status", 400, "unsupported_parameter", message="Use 'max_completion_tokens' instead.")
        return None

    with Loopback(lambda body: "fine", fault=fault) as server:
        model = deployed(server, name="o4", max_tokens=9)
        assert [ask(model).text, ask(model).text] == ["fine", "fine"]
    limits = [{key: value for key, value in call.body.items() if key.startswith("max_")} for call in server.calls]
    assert limits == [{"max_tokens": 9}, {"max_completion_tokens": 9}, {"max_completion_tokens": 9}]


@pytest.mark.parametrize(
    ("endpoint", "told"),
    [
        ("x.openai.azure.com", "starts with http:// or https://"),
        ("", "endpoint is empty"),
        ("https://x.openai.azure.com/openai/v1/", r"is for OpenAIModel\(base_url=…\)"),
        ("https://x.openai.azure.com/openai/deployments/gpt", "without /openai/deployments"),
        ("https://x.openai.azure.com/?api-key=pass-phrase", "holds no user name, password or query"),
    ],
)
def test_an_endpoint_that_is_none_is_refused_with_the_remedy(endpoint, told):
    with pytest.raises(ValueError, match=told) as caught:
        AzureOpenAIModel(name="gpt", endpoint=endpoint)
    assert "pass-phrase" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"base_url": "https://x.org/v1"}, {"api_version": "2024 x&a=b"}, {"auth": "cert"}])
def test_options_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AzureOpenAIModel(name="gpt", endpoint="https://x.openai.azure.com", **wrong)


def test_a_model_goes_through_pickle():
    model = AzureOpenAIModel(name="gpt", endpoint="https://x.openai.azure.com/openai", auth="token")
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.server == "https://x.openai.azure.com/openai/deployments/gpt"
    assert Reply("a") == pickle.loads(pickle.dumps(Reply("a")))
