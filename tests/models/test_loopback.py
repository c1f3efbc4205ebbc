"""The loopback server: right replies in each form, each failure as a client's socket sees it, and a true log."""

import json
import socket
import threading
import time

import openai
import pytest

from dataflow_ext.models.http.transport import http_library
from tests.loopback import Fault, Loopback, limited, prompt_of

HELLO = {"model": "m", "messages": [{"role": "user", "content": "Hello, model."}]}


def client(server, **options):
    return openai.OpenAI(base_url=server.url, api_key="k", max_retries=0, timeout=5, **options)


def post(body=HELLO, path="/v1/chat/completions", *headers):
    content = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {len(content)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=30)


def read_all(there):
    """What comes until the server closes, and whether that was a reset."""
    got = b""
    try:
        while piece := there.recv(65_536):
            got += piece
    except ConnectionResetError:
        return got, True
    return got, False


def read_reply(there):
    """Head and JSON of one reply."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += there.recv(1)
    size = int(got.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    content = b""
    while len(content) < size:
        content += there.recv(size - len(content))
    return got.decode(), json.loads(content)


def always(fault):
    return lambda number, body: fault


def until(condition):
    """Wait for what follows in the server's own time."""
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.01)
    return False


def test_a_chat_reply_holds_the_brains_text_and_its_tokens():
    with Loopback(lambda body: "Good day to you.") as server:
        reply = client(server).chat.completions.create(**HELLO)
    assert reply.model_dump(exclude_unset=True) == {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "Good day to you."}, "finish_reason": "stop"}
        ],
        "usage": {
            "prompt_tokens": 3,
            "completion_tokens": 4,
            "total_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 1},
        },
    }


def test_a_stream_sends_the_text_in_pieces_and_the_usage_if_asked():
    with Loopback(lambda body: "one two\nthree") as server:
        create = client(server).chat.completions.create
        plain = list(create(**HELLO, stream=True))
        counted = list(create(**HELLO, stream=True, stream_options={"include_usage": True}))
    texts = [chunk.choices[0].delta.content for chunk in plain]
    assert texts == ["", "one ", "two\n", "three", None]
    assert [chunk.choices[0].finish_reason for chunk in plain] == [None] * 4 + ["stop"]
    assert [chunk.usage and chunk.usage.total_tokens for chunk in counted] == [None] * 5 + [6]
    assert counted[-1].choices == []


def test_models_are_listed_and_unknown_paths_are_not_found():
    with Loopback(models=["small", "large"]) as server:
        assert [model.id for model in client(server).models.list()] == ["small", "large"]
        with pytest.raises(openai.NotFoundError, match=r"Nothing is served at POST /v1/embeddings"):
            client(server).embeddings.create(model="m", input="a")
    assert (server.calls, server.received) == ([], 0)


def test_azures_form_of_the_path_answers_and_shows_path_and_key_in_the_log():
    with Loopback(lambda body: "fine") as server:
        azure = openai.AzureOpenAI(
            azure_endpoint=server.url.removesuffix("/v1"),
            api_key="azure-key",
            api_version="2024-10-21",
            azure_deployment="mine",
        )
        reply = azure.chat.completions.create(**HELLO)
        with connect(server) as there:
            there.sendall(post(path="/openai/deployments/mine/chat/completions"))
            head, _ = read_reply(there)
    (call,) = server.calls
    assert reply.choices[0].message.content == "fine"
    assert call.path == "/openai/deployments/mine/chat/completions?api-version=2024-10-21"
    assert (call.headers["api-key"], "azure-key" in repr(call)) == ("azure-key", False)
    assert head.startswith("HTTP/1.1 404 ")


def test_the_log_holds_each_call_once_its_reply_is_out():
    with Loopback(lambda body: "x" * 8, fault=lambda number, body: limited() if number == 2 else None) as server:
        began = time.monotonic()
        for _ in range(2):
            with connect(server) as there:
                there.sendall(post(HELLO, "/v1/chat/completions", "Authorization: Bearer k"))
                read_reply(there)
                assert (server.calls[-1].delivered, server.in_flight) == (True, 0)
    first, second = server.calls
    assert (first.number, first.outcome, first.body, first.authorization) == (1, "ok", HELLO, "Bearer k")
    assert (second.number, second.outcome, second.path) == (2, "status", "/v1/chat/completions")
    assert began <= first.started <= first.ended <= second.started <= second.ended
    assert (server.received, server.max_in_flight, server.prompts) == (2, 1, ["Hello, model."] * 2)


def test_a_brain_may_wait_while_others_are_asked():
    meeting = threading.Barrier(20, timeout=5)

    def brain(body):
        meeting.wait()
        return "met"

    with Loopback(brain) as server:
        sockets = [connect(server) for _ in range(20)]
        for there in sockets:
            there.sendall(post())
        replies = [read_reply(there)[1]["choices"][0]["message"]["content"] for there in sockets]
        for there in sockets:
            there.close()
    assert (replies, server.max_in_flight) == (["met"] * 20, 20)


def test_without_threads_the_brain_runs_on_the_servers_own():
    with Loopback(lambda body: threading.current_thread().name, threads=0) as server:
        assert client(server).chat.completions.create(**HELLO).choices[0].message.content == "loopback"


def test_two_hundred_waits_take_as_long_as_one():
    with Loopback(threads=0, delay=0.2) as server:
        sockets = [connect(server) for _ in range(200)]
        began = time.monotonic()
        for there in sockets:
            there.sendall(post())
        for there in sockets:
            read_reply(there)
            there.close()
        seconds = time.monotonic() - began
    assert server.received == 200
    assert 0.2 <= seconds < 10  # one after the other they would take 40


def test_calls_of_one_connection_carry_its_number():
    with Loopback() as server:
        for _ in range(2):
            with connect(server) as there:
                for _ in range(3):
                    there.sendall(post())
                    read_reply(there)
    assert [call.connection for call in server.calls] == [1, 1, 1, 2, 2, 2]


def test_requests_that_come_together_or_in_crumbs_are_all_answered_in_order():
    bodies = [{"model": "m", "messages": [{"role": "user", "content": text}]} for text in ("a", "b", "c")]
    sent = b"".join(post(body) for body in bodies)
    with Loopback(threads=0) as server:
        with connect(server) as together:
            together.sendall(sent)
            answers = [read_reply(together)[1]["choices"][0]["message"]["content"] for _ in bodies]
        with connect(server) as crumbs:
            for n in range(0, len(sent), 7):
                crumbs.sendall(sent[n : n + 7])
            answers += [read_reply(crumbs)[1]["choices"][0]["message"]["content"] for _ in bodies]
    assert answers == ["a", "b", "c"] * 2


def test_a_body_in_chunks_and_one_that_waits_for_leave_are_read():
    content = json.dumps(HELLO).encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (content[:9], content[9:])) + b"0\r\n\r\n"
    with Loopback() as server, connect(server) as there:
        there.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        assert read_reply(there)[1]["choices"][0]["message"]["content"] == "Hello, model."
        head, body = post(HELLO, "/v1/chat/completions", "Expect: 100-continue").split(b"\r\n\r\n")
        there.sendall(head + b"\r\n\r\n")
        assert there.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        there.sendall(body)
        assert read_reply(there)[1]["choices"][0]["message"]["content"] == "Hello, model."
    assert [call.body for call in server.calls] == [HELLO, HELLO]


@pytest.mark.parametrize(
    "sent", [b"nonsense\r\n\r\n", b"POST /v1 HTTP/1.1\r\nContent-Length: -4\r\n\r\n", b"x" * 70_000]
)
def test_what_is_no_request_is_answered_with_400_and_the_connection_closes(sent):
    with Loopback() as server, connect(server) as there:
        there.sendall(sent)
        assert read_all(there)[0].startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_a_body_that_is_no_chat_is_told_so():
    with Loopback() as server, connect(server) as there:
        there.sendall(post({"model": "m"}))
        head, answer = read_reply(there)
    assert head.startswith("HTTP/1.1 400 ")
    assert (answer["error"]["param"], server.outcomes) == ("messages", ["invalid"])


@pytest.mark.parametrize("place", ["brain", "fault", "headers"])
def test_an_error_of_the_tests_own_function_is_seen_in_the_reply(place):
    def broken(*asked):
        raise KeyError("mine")

    with Loopback(**{place: broken}) as server, connect(server) as there:
        there.sendall(post())
        head, answer = read_reply(there)
    assert head.startswith("HTTP/1.1 500 ")
    assert (answer["error"]["message"], server.outcomes) == ("KeyError: 'mine'", ["error"])


def test_a_status_comes_with_its_code_words_and_headers():
    fault = Fault("status", 429, "insufficient_quota", {"x-ratelimit-reset-requests": "2s"}, message="no more")
    with Loopback(fault=always(fault)) as server, pytest.raises(openai.RateLimitError) as caught:
        client(server).chat.completions.create(**HELLO)
    assert caught.value.body == {
        "message": "no more",
        "type": "insufficient_quota",
        "param": None,
        "code": "insufficient_quota",
    }
    assert caught.value.response.headers["x-ratelimit-reset-requests"] == "2s"


@pytest.mark.parametrize(("seconds", "header"), [(None, None), (0.05, "0.05")])
def test_a_limit_comes_with_and_without_the_time_to_wait(seconds, header):
    with Loopback(fault=always(limited(seconds))) as server, pytest.raises(openai.RateLimitError) as caught:
        client(server).chat.completions.create(**HELLO)
    assert caught.value.response.headers.get("retry-after") == header


def test_good_replies_carry_the_headers_of_the_hook():
    with Loopback(headers=lambda number, body: {"x-ratelimit-remaining-requests": str(100 - number)}) as server:
        raw = client(server).chat.completions.with_raw_response
        left = [raw.create(**HELLO).headers["x-ratelimit-remaining-requests"] for _ in range(2)]
    assert left == ["99", "98"]


def whole_reply():
    with Loopback(threads=0) as server, connect(server) as there:
        there.sendall(post())
        head, answer = read_reply(there)
    return head.encode(), json.dumps(answer).encode()


@pytest.mark.parametrize(
    ("fault", "share", "reset"),
    [
        (Fault("drop"), None, False),
        (Fault("cut", part=0), None, False),
        (Fault("cut"), 0.5, False),
        (Fault("cut", part=0.25), 0.25, False),
        (Fault("reset", part=0), None, True),
        (Fault("reset"), 0.5, True),
    ],
    ids=lambda value: f"{value.kind}-{value.part}" if isinstance(value, Fault) else "",
)
def test_a_broken_connection_lets_through_what_its_fault_says(fault, share, reset):
    head, content = whole_reply()
    with Loopback(fault=always(fault)) as server, connect(server) as there:
        there.sendall(post())
        got = read_all(there)
    assert got == (b"" if share is None else head + content[: int(len(content) * share)], reset)
    assert [(call.outcome, call.delivered, call.ended is not None) for call in server.calls] == [
        (fault.kind, False, True)
    ]


@pytest.mark.parametrize(("kind", "half"), [("hang", False), ("stall", True)])
def test_a_server_that_falls_silent_does_so_until_the_client_leaves(kind, half):
    head, content = whole_reply()
    wanted = head + content[: len(content) // 2] if half else b""
    with Loopback(fault=always(Fault(kind))) as server:
        with connect(server) as there:
            there.sendall(post())
            got = b""
            while len(got) < len(wanted):
                got += there.recv(65_536)
            there.settimeout(0.1)
            with pytest.raises(TimeoutError):
                there.recv(1)
            (call,) = server.calls
            assert (call.outcome, call.ended, server.in_flight) == (kind, None, 1)
        assert until(lambda: server.in_flight == 0)
    assert got == wanted
    assert (call.delivered, call.ended is not None) == (False, True)


def test_slow_is_the_reply_after_a_wait():
    with Loopback(lambda body: "late", fault=always(Fault("slow", seconds=0.15))) as server:
        reply = client(server).chat.completions.create(**HELLO)
    (call,) = server.calls
    assert (reply.choices[0].message.content, call.outcome, call.delivered) == ("late", "slow", True)
    assert call.ended - call.started >= 0.15


def test_spoilt_completions_are_those_of_a_real_server():
    with Loopback(lambda body: "0123456789") as server:
        replies = {}
        for kind in ("length", "refusal", "empty"):
            server.fault = always(Fault(kind))
            replies[kind] = client(server).chat.completions.create(**HELLO)
    (short,), (refused,) = replies["length"].choices, replies["refusal"].choices
    assert (short.message.content, short.finish_reason) == ("01234", "length")
    assert (refused.message.content, refused.message.refusal) == (None, "I would rather not.")
    assert replies["empty"].choices == []


def test_faults_spoil_streams_too():
    def texts(fault):
        server.fault = always(fault)
        stream = client(server).chat.completions.create(**HELLO, stream=True)
        return [(c.choices[0].delta.content, c.choices[0].delta.refusal, c.choices[0].finish_reason) for c in stream]

    with Loopback(lambda body: "one two") as server:
        assert texts(Fault("length")) == [("", None, None), ("one", None, None), (None, None, "length")]
        assert [refusal for _, refusal, _ in texts(Fault("refusal"))][1:-1] == ["I ", "would ", "rather ", "not."]
        assert texts(Fault("empty")) == []
        with pytest.raises(json.JSONDecodeError):
            texts(Fault("garbage"))
        for fault in (Fault("cut"), Fault("reset")):
            with pytest.raises((http_library().TransportError, openai.APIConnectionError)):
                texts(fault)


def test_garbage_is_a_200_that_is_no_json():
    with Loopback(fault=always(Fault("garbage"))) as server, connect(server) as there:
        there.sendall(post(HELLO, "/v1/chat/completions", "Connection: close"))
        got, _ = read_all(there)
    assert got.startswith(b"HTTP/1.1 200 OK\r\n")
    assert got.endswith(b'\r\n\r\n<html>{"choices": [')


def test_a_client_that_leaves_before_its_reply_is_noted_as_gone():
    with Loopback(delay=5) as server:
        with connect(server) as there:
            there.sendall(post())
            assert until(lambda: server.in_flight == 1)
        assert until(lambda: server.calls)
    (call,) = server.calls
    assert (call.outcome, call.delivered, call.ended - call.started < 5) == ("gone", False, True)


def test_a_reply_that_the_client_does_not_take_is_not_delivered():
    with Loopback(lambda body: "x" * 8_000_000, threads=0) as server:
        with socket.socket() as there:
            there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            there.connect(("127.0.0.1", server.port))
            there.sendall(post())
            there.recv(1)
            (call,) = server.calls
            assert (call.outcome, call.delivered) == ("ok", False)
        assert until(lambda: call.ended is not None)
        with connect(server) as there:
            there.sendall(post(HELLO, "/v1/chat/completions", "Connection: close"))
            assert len(read_all(there)[0]) > 8_000_000
    assert [call.delivered for call in server.calls] == [False, True]


def test_the_log_can_be_read_from_any_thread_while_calls_come_in():
    lengths, over = [], threading.Event()

    def read():
        while not over.is_set():
            lengths.append(len([call.outcome for call in server.calls]))

    with Loopback(threads=0) as server, connect(server) as there:
        reader = threading.Thread(target=read)
        reader.start()
        for _ in range(100):
            there.sendall(post())
            read_reply(there)
        over.set()
        reader.join()
    assert lengths == sorted(lengths)
    assert (len(server.calls), server.outcomes) == (100, ["ok"] * 100)


def test_after_the_block_nobody_answers_and_the_port_is_free_again():
    with Loopback(fault=always(Fault("hang"))) as server:
        hanging = connect(server)
        hanging.sendall(post())
        assert until(lambda: server.in_flight == 1)
    assert read_all(hanging)[0] == b""
    hanging.close()
    with pytest.raises(ConnectionRefusedError):
        connect(server)
    with Loopback(prompt_of, port=server.port) as again, connect(again) as there:
        there.sendall(post())
        assert read_reply(there)[1]["choices"][0]["message"]["content"] == "Hello, model."
