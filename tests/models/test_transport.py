"""HTTP replies in pieces, connections that break in every way, and limits on time."""

import asyncio
import contextlib
import logging
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    ModelError,
    OpenAIModel,
    Request,
    TimedOutError,
)
from dataflow_ext.models.http.connection import HttpReply, Limits, NotHttpError
from dataflow_ext.models.http.transport import client_for, line_for
from tests.loopback import Fault, Loopback

COMPLETION = (
    b'{"model":"m","choices":[{"message":{"content":"fine"},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":3,"completion_tokens":1}}'
)
OK = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(COMPLETION), COMPLETION)
HALF = OK[: len(OK) - 40]


def read(pieces):
    reply = HttpReply()
    for piece in pieces:
        reply.feed(piece)
    return reply


WHOLE = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a:  2 \r\n\r\nhello",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nhe\r\n03\r\nllo\r\n0\r\nTrailer: x\r\n\r\n",
    "interim": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nhello",
    "no reason": b"HTTP/1.1 500\r\ncontent-length: 5, 5\r\nConnection: close\r\n\r\nhello",
    "old": b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "old and kept": b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: Keep-Alive\r\n\r\nhello",
    "both lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
}
STATUS_AND_KEEP = {
    "length": (200, True),
    "chunks": (200, True),
    "interim": (404, True),
    "no reason": (500, False),
    "old": (200, False),
    "old and kept": (200, False),
    "both lengths": (200, False),
}


@pytest.mark.parametrize("kind", WHOLE)
@given(data=st.data())
def test_a_reply_is_the_same_in_whatever_pieces_it_comes(kind, data):
    raw = WHOLE[kind]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    reply = read([raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)])
    assert (reply.content, reply.complete, (reply.status, reply.keep)) == (b"hello", True, STATUS_AND_KEEP[kind])


@pytest.mark.parametrize("kind", WHOLE)
def test_a_reply_is_not_complete_before_its_last_byte(kind):
    reply = read([WHOLE[kind][:-1]])
    reply.end()
    assert not reply.complete


def test_headers_are_found_by_lower_case_names_and_joined():
    assert read([WHOLE["length"]]).headers == {"content-length": "5", "x-a": "1, 2"}


def test_a_reply_without_a_length_ends_with_its_connection():
    reply = read([b"HTTP/1.1 200 OK\r\n\r\nhel", b"lo"])
    assert not reply.complete
    reply.end()
    assert (reply.content, reply.complete, reply.keep) == (b"hello", True, False)


def test_a_reply_without_content_is_complete_with_its_head():
    reply = read([b"HTTP/1.1 204 None\r\n\r\n"])
    assert (reply.content, reply.complete, reply.keep) == (b"", True, True)


def test_a_connection_with_more_than_a_reply_is_not_kept():
    assert read([WHOLE["length"] + b"HTTP/1.1"]).keep is False


@pytest.mark.parametrize(
    "raw",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 2x0 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 300_000,
    ],
    ids=range(13),
)
def test_what_is_no_reply_is_refused(raw):
    with pytest.raises(NotHttpError):
        read([raw])


@contextlib.contextmanager
def server(*replies, wrap=lambda connection: connection):
    """A server whose n-th connection does what the n-th function says; yields its address and the connections."""
    seen = []

    def answer(reply, connection):
        with contextlib.suppress(OSError):  # the test may be over
            reply(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            for reply in replies:
                try:
                    connection, _ = listener.accept()
                    connection.settimeout(5)
                    connection = wrap(connection)
                    seen.append(connection)
                    threading.Thread(target=answer, args=(reply, connection), daemon=True).start()
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1", seen
    for connection in seen:
        connection.close()


def saying(*parts, close=False):
    """Reads a request a part and sends the part."""

    def reply(connection):
        for part in parts:
            if not connection.recv(65_536):
                return
            connection.sendall(part)
        if close:
            connection.close()

    return reply


def dripping(connection):
    connection.recv(65_536)
    for byte in OK:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def ask(url, **options):
    options = {"max_retries": 0, **options}
    return run_async(OpenAIModel(name="m", base_url=url, **options).attempt(Request("a")))


def failure(url, **options):
    with pytest.raises(ModelError) as caught:
        ask(url, **options)
    return type(caught.value), str(caught.value).replace(url, "URL")


def test_a_server_that_takes_no_connection_is_named_with_the_limit():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        full = [socket.socket() for _ in range(3)]
        for each in full:
            each.setblocking(False)
            each.connect_ex(listener.getsockname())
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        late = failure(url, connect_timeout=0.1), failure(url, timeout=0.1)
        for each in full:
            each.close()
    assert late == (
        (ConnectionFailedError, "The connection to URL failed: it did not stand within 0.1 s (connect_timeout)."),
        (TimedOutError, "URL did not begin its reply within 0.1 s (timeout)."),
    )


def test_a_server_that_says_nothing_is_named_with_the_limit():
    with server(saying(b""), saying(b"")) as (url, _):
        assert failure(url, first_byte_timeout=0.1) == (
            TimedOutError,
            "URL did not begin its reply within 0.1 s (first_byte_timeout).",
        )
        assert failure(url, timeout=0.1) == (TimedOutError, "URL did not begin its reply within 0.1 s (timeout).")


@pytest.mark.parametrize("reply", [saying(HALF), dripping], ids=["stalls", "drips"])
def test_a_server_that_never_ends_its_reply_is_cut_short(reply):
    with server(reply) as (url, _):
        began = time.monotonic()
        assert failure(url, timeout=0.6, first_byte_timeout=0.5) == (
            TimedOutError,
            "URL did not complete its reply within 0.6 s (timeout).",
        )
        assert 0.6 <= time.monotonic() - began < 4.0


def reset(connection):
    connection.recv(65_536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    connection.close()


@pytest.mark.parametrize(
    ("reply", "error", "said"),
    [
        (saying(b"", close=True), ConnectionFailedError, "it was closed by the server before the reply began."),
        (saying(HALF, close=True), ConnectionFailedError, "it was closed by the server in the middle of the reply."),
        (reset, ConnectionFailedError, "it broke (connection reset) before the reply began."),
        (saying(b"SSH-2.0-x\r\n"), GarbledReplyError, "it does not begin with HTTP."),
    ],
    ids=["closed", "cut", "reset", "no HTTP"],
)
def test_a_connection_that_fails_says_how(reply, error, said):
    with server(reply) as (url, _):
        kind, text = failure(url)
    assert (kind, text.partition(": ")[2]) == (error, said)


def test_nobody_there_and_no_such_name_are_told_apart():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = failure(f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
    unknown = failure("http://unknown.invalid/v1")
    assert nobody == (
        ConnectionFailedError,
        "The connection to URL failed: nobody listens at that address (connection refused).",
    )
    assert unknown[0] is ConnectionFailedError
    assert unknown[1].startswith("The connection to URL failed: its name is not known (")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl program to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    if subprocess.run([*command.split(), *names], cwd=folder, capture_output=True).returncode:
        pytest.skip("this openssl makes no certificate with an address in it")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return SimpleNamespace(path=folder / "cert.pem", wrap=lambda plain: context.wrap_socket(plain, server_side=True))


def test_a_certificate_that_nobody_signed_is_refused(certificate):
    with server(saying(OK), wrap=certificate.wrap) as (url, _):
        kind, text = failure(url.replace("http", "https"))
    assert (kind, text) == (
        ConnectionFailedError,
        "The connection to URL failed: its certificate is not trusted, self-signed certificate; "
        "SSL_CERT_FILE may name a file with the certificate to trust.",
    )


def test_tls_with_a_plain_server_says_so():
    with server(saying(b"HTTP/1.1 400 Bad\r\n\r\n", close=True)) as (url, _):
        kind, text = failure(url.replace("http", "https"))
    assert (kind, text) == (
        ConnectionFailedError,
        "The connection to URL failed: no TLS with it (WRONG_VERSION_NUMBER); a server without TLS has an http:// address.",
    )


def test_a_connection_is_used_again_and_one_that_the_server_closed_is_not():
    with server(saying(OK, OK), saying(OK)) as (url, seen):
        assert [ask(url).text, ask(url).text, len(seen)] == ["fine", "fine", 1]
        seen[0].shutdown(socket.SHUT_RDWR)
        assert [ask(url).text, len(seen)] == ["fine", 2]


def test_a_reply_that_says_close_ends_its_connection():
    closing = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
    with server(saying(closing, closing), saying(OK)) as (url, seen):
        assert [ask(url).text, ask(url).text, len(seen)] == ["fine", "fine", 2]


def test_a_cancelled_call_closes_its_connection():
    closed = threading.Event()

    def wait(connection):
        connection.recv(65_536)
        if connection.recv(1) == b"":
            closed.set()

    async def cancelled(url):
        model = OpenAIModel(name="m", base_url=url)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(model.attempt(Request("a")), 0.1)

    with server(wait) as (url, _):
        run_async(cancelled(url))
        assert closed.wait(2)


def test_a_large_request_and_a_large_reply_come_through_whole():
    text = "中" * 1_000_000
    with Loopback(lambda body: text) as there:
        reply = run_async(OpenAIModel(name="m", base_url=there.url).attempt(Request(text)))
        assert (reply.text, there.prompts) == (text, [text])


def test_a_redirect_is_not_followed_and_cookies_are_not_sent():
    redirect = b"HTTP/1.1 307 Go\r\nLocation: http://127.0.0.1:9/v1\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
    heads = []

    def reply(connection):
        heads.append(connection.recv(65_536))
        connection.sendall(redirect)
        heads.append(connection.recv(65_536))
        connection.sendall(OK)

    with server(reply) as (url, _):
        kind, text = failure(url)
        assert ask(url).text == "fine"
    assert (kind, text) == (
        AccessError,
        "URL answered 307: it redirects to http://127.0.0.1:9/v1; if that is right, give it as base_url",
    )
    assert [b"cookie" in head.lower() for head in heads] == [False, False]


def test_a_request_names_its_host_once_and_asks_for_no_compression():
    heads = []

    def reply(connection):
        heads.append(connection.recv(65_536))
        connection.sendall(OK)

    with server(reply) as (url, _):
        ask(url)
    lines = heads[0].partition(b"\r\n\r\n")[0].decode().split("\r\n")
    names = [line.partition(":")[0].lower() for line in lines[1:]]
    assert lines[0] == "POST /v1/chat/completions HTTP/1.1"
    assert len(names) == len(set(names))
    assert {f"Host: {url[7:-3]}", "Accept-Encoding: identity", "Content-Type: application/json"} <= set(lines)


def test_headers_of_one_call_replace_the_clients_own():
    heads = []

    async def post(url):
        client = client_for(url, "sk-own", 5.0, 5.0)
        for headers in (None, {"authorization": "Bearer other", "api-key": "third"}, None):
            await line_for(client).post("/chat/completions", b"{}", Limits(), headers)

    def reply(connection):
        while head := connection.recv(65_536):
            heads.append(head.decode().lower().split("\r\n"))
            connection.sendall(OK)

    with server(reply) as (url, _):
        run_async(post(url))
    sent = [[line for line in head if line.startswith(("authorization", "api-key"))] for head in heads]
    own = ["authorization: bearer sk-own"]
    assert sent == [own, ["authorization: bearer other", "api-key: third"], own]


@pytest.mark.parametrize("bad", ["sk-canary\nX-Evil: 1", "sk-canary\x00", "sk-canary-é", "sk-canary\r"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(bad, monkeypatch):
    if "\x00" in bad:
        monkeypatch.setattr(os, "environ", {**os.environ, "OPENAI_API_KEY": bad})
    else:
        monkeypatch.setenv("OPENAI_API_KEY", bad + "x")
    with server(saying(OK)) as (url, seen), pytest.raises(AccessError) as caught:
        ask(url)
    texts = [repr(error) + str(error) for error in (caught.value, caught.value.__context__, caught.value.__cause__)]
    assert ("sk-canary" in "".join(texts), seen) == (False, [])


def chain(error):
    while error is not None:
        yield f"{error!r} {error} {vars(error) if hasattr(error, '__dict__') else ''}"
        error = error.__cause__ or error.__context__


def test_no_failure_and_no_log_holds_the_key(key, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    texts = []
    replies = [saying(b"", close=True), reset, saying(HALF, close=True), saying(b"SSH"), saying(b""), saying(OK)]
    with server(*replies) as (url, _):
        for _ in range(5):
            with pytest.raises(ModelError) as caught:
                ask(url, first_byte_timeout=0.1)
            texts += chain(caught.value)
        ask(url)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with pytest.raises(ModelError) as caught:
        ask("http://proxied.invalid/v1")
    texts += chain(caught.value)
    assert len(texts) >= 6
    assert key not in "".join([*texts, caplog.text])


def test_a_proxy_is_used_unless_the_host_is_excepted(monkeypatch):
    with Loopback(lambda body: "by proxy") as proxy, Loopback(lambda body: "straight") as there:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        first = ask("http://first.invalid/v1").text
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert [first, ask(there.url).text] == ["by proxy", "straight"]


def test_by_a_proxy_the_limits_hold_too(monkeypatch):
    with Loopback(fault=lambda number, body: Fault("stall", part=0.5)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        assert failure("http://stalled.invalid/v1", timeout=0.3) == (
            TimedOutError,
            "URL did not complete its reply within 0.3 s (timeout).",
        )
        assert failure("http://stalled.invalid/v1", first_byte_timeout=0.2) == (
            TimedOutError,
            "URL did not go on with its reply within 0.2 s (first_byte_timeout).",
        )


PROGRAM = """
import asyncio, gc, logging, os, sys
from dataflow_ext.background import run_async
from dataflow_ext.models import OpenAIModel, Request

logging.getLogger("asyncio").setLevel("ERROR")  # it tells how long the first import takes
plain, secure = (OpenAIModel(name="m", base_url=url) for url in sys.argv[1:])
for _ in range(2):
    print("loop", asyncio.run(plain.attempt(Request("a"))).text)
    gc.collect()
print("parent", run_async(plain.attempt(Request("a"))).text)
print("secure", run_async(secure.attempt(Request("a"))).text, flush=True)
if (child := os.fork()) == 0:
    print("child", run_async(plain.attempt(Request("a"))).text, flush=True)
    gc.collect()
    os._exit(0)
os.waitpid(child, 0)
print("parent", run_async(plain.attempt(Request("a"))).text)
print("secure", run_async(secure.attempt(Request("a"))).text)
"""


def test_no_connection_is_left_open_or_shared_with_a_child(certificate):
    with Loopback(lambda body: "fine") as there, server(saying(OK, OK), wrap=certificate.wrap) as (url, seen):
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", PROGRAM, there.url, f"https{url[4:]}"],
            capture_output=True,
            text=True,
            env={**os.environ, "SSL_CERT_FILE": str(certificate.path)},
        )
        connections = [call.connection for call in there.calls]
    said = ["loop", "loop", "parent", "secure", "child", "parent", "secure"]
    assert (done.stdout, done.stderr) == ("".join(f"{who} fine\n" for who in said), "")
    assert ([number - connections[0] for number in connections], len(seen)) == ([0, 1, 2, 3, 2], 1)


def test_many_calls_at_once_get_each_its_own_reply():
    with Loopback(lambda body: body["messages"][0]["content"], delay=0.01, threads=0) as there:
        model = OpenAIModel(name="m", base_url=there.url)
        asked = [Request(f"{n}") for n in range(300)]
        replies = run_async(map_async(model.attempt, asked, 100))
        connections = {call.connection for call in there.calls}
    assert [reply.text for reply in replies] == [request.prompt for request in asked]
    assert len(connections) <= 100
