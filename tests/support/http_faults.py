"""Faults of HTTP: statuses, headers, lengths, chunks, endless and broken replies, redirects; each under a name."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, repeat
from typing import Any

from tests.support.fault_server import Asked, Fault, Meaning, completion, good, response

MEGABYTE = b" " * 1_000_000
#: Longer than any call's time in a test.
EVER = 60.0


def _error(status: str, means: Meaning, *headers: str | bytes, code: str | None = None, content: bytes = b"") -> Fault:
    said = json.dumps({"error": {"message": "injected", "code": code}}).encode()
    name = f"status {status.partition(' ')[0]}{f' {code}' if code else ''}{' no JSON' if content else ''}"
    return Fault(name, means, lambda asked: [response(content or said, status, *headers)], "keep")


def _header(name: str, means: Meaning, *headers: str | bytes, status: str = "200 OK", length: bool = True) -> Fault:
    return Fault(name, means, lambda asked: [response(completion(asked.prompt), status, *headers, length=length)])


def _raw(name: str, means: Meaning, *parts: bytes | float, end: Any = "close", slow: bool = False) -> Fault:
    return Fault(name, means, lambda asked: parts, end, slow=slow)


def _made(name: str, means: Meaning, make: Callable[[Asked], Iterable[bytes | float]], **more: Any) -> Fault:
    return Fault(name, means, make, **more)


def _length(asked: Asked) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(completion(asked.prompt))


def _encoded(name: str, means: Meaning, encoding: str, encode: Callable[[bytes], bytes]) -> Fault:
    return _made(
        name,
        means,
        lambda asked: [response(encode(completion(asked.prompt)), "200 OK", f"Content-Encoding: {encoding}")],
        end="keep",
    )


def _chunked(*chunks: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)


def _wait(value: str | bytes, status: str = "429 Slow", name: str = "") -> Fault:
    header = value if isinstance(value, bytes) else f"Retry-After: {value}"
    parts = [response(b"{}", status, header)]
    return _raw(f"{status[:3]} retry-after {name or value}", "again", *parts, end="keep")


def _bytes_of(content: bytes) -> Iterator[bytes | float]:
    for place in range(len(content)):
        yield content[place : place + 1]
        yield 0.1


@cache
def _bomb(megabytes: int, wbits: int) -> bytes:
    """A completion of so many million spaces, compressed."""
    deflating = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return b"".join([*(deflating.compress(MEGABYTE) for _ in range(megabytes)), deflating.flush()])


STATUSES = [
    *(_error(f"{n} Again", "again") for n in (408, 409, 418, 425, 429, 451, 499, 500, 501, 502, 503, 504, 520, 529)),
    *(_error(f"{n} Odd", "again") for n in (599, 999)),
    *(_error(f"{n} Refused", "refused") for n in (400, 413, 414, 415, 422, 431)),
    *(_error(f"{n} No", "no access") for n in (401, 402, 403, 404, 405, 407, 410)),
    _error("429 Slow", "no access", code="insufficient_quota"),
    _error("400 Bad", "refused", code="content_filter"),
    _error("400 Bad", "again", content=b"<html>a proxy's page</html>"),
    _error("502 Bad", "again", content=b"<html>" + b"x" * 500_000),
    _error("500 Bad", "again", content=b"[" * 100_000),
    _header("status 201", "answered", status="201 Created"),
    _header("status 206", "answered", status="206 Partial"),
    _header("status 204 with a body", "again", status="204 None"),
    _raw("status 200 without a body", "again", response(b"")),
    _raw("status 304", "no access", b"HTTP/1.1 304 Not Modified\r\n\r\n"),
    _raw("status 101", "again", b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"),
    _raw("status 000", "again", response(b"{}", "000 Odd")),
    _raw("status of letters", "again", response(b"{}", "abc OK")),
    _raw("status of four digits", "again", response(b"{}", "2000 OK")),
    _raw("version 9.9", "again", b"HTTP/9.9 200 OK\r\n\r\n"),
    _made("100 before the reply", "answered", lambda asked: [b"HTTP/1.1 100 Go\r\n\r\n" * 3, good(asked)], end="keep"),
    _made("endless 100", "again", lambda asked: repeat(b"HTTP/1.1 100 Go\r\n\r\n" * 1_000)),
]
HEADERS = [
    _wait("Überlast".encode(), "503 Busy", "not ASCII, no colon"),
    _wait("Retry-After: zwölf".encode(), "503 Busy", "not ASCII"),
    _wait(b"X-Note: \xff\xfe", "429 Slow", "beside a header that is no text"),
    *map(_wait, ("-5", "nan", "inf", "1e30", "1" + "0" * 30, "soon", "0, 0", "0.01", "Fri, 31 Dec 9999 23:59:59 GMT")),
    *map(_wait, ("Mon, 01 Jan 1990 00:00:00 GMT", "0x5", "99999999999999 days")),
    _header("a huge header", "again", "X: " + "x" * 200_000),
    _header("thirty thousand headers", "again", *["X: x"] * 30_000),
    _header("a header without colon", "again", "nothing"),
    _made(
        "a length given twice",
        "answered",
        lambda asked: [good(asked).replace(b"\r\n\r\n", b"\r\n" + _length(asked), 1)],
    ),
    _header("two lengths", "again", "Content-Length: 7"),
    _header("a wrong charset", "answered", "Content-Type: text/html; charset=utf-7"),
    _header("gzip that is none", "again", "Content-Encoding: gzip"),
    _header("an unknown encoding", "again", "Content-Encoding: br"),
    _header("two encodings", "again", "Content-Encoding: gzip, gzip"),
    _encoded("gzip", "answered", "gzip", gzip.compress),
    _encoded("deflate", "answered", "deflate", zlib.compress),
    _encoded("cut gzip", "again", "gzip", lambda content: gzip.compress(content)[:-4]),
    _encoded("gzip and more", "again", "gzip", lambda content: gzip.compress(content) + b"more"),
    _encoded("a bomb of gzip", "again", "gzip", lambda content: _bomb(80, 31)),
    _encoded("a bomb of deflate", "again", "deflate", lambda content: _bomb(80, 15)),
]
LENGTHS = [
    *(
        _raw(
            f"length of {len(n)} characters, {n[:5]}",
            "again",
            b"HTTP/1.1 200 OK\r\nContent-Length: %b\r\n\r\n{}" % n.encode(),
        )
        for n in ("-5", "five", "1e3", "9" * 18, "9" * 5_000, "")
    ),
    _made(
        "a length too short", "again", lambda asked: [b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + completion("a")]
    ),
    _made("a length too long", "again", lambda asked: [good(asked)[:-5]]),
    _header("no length", "answered", length=False),
    _made(
        "length and chunks",
        "answered",
        lambda asked: [_chunked(completion(asked.prompt), b"").replace(b"\r\n", b"\r\nContent-Length: 5\r\n", 1)],
    ),
]
CHUNKS = [
    _made("chunks", "answered", lambda asked: [_chunked(completion(asked.prompt), b"")], end="keep"),
    _made(
        "chunks of a byte", "answered", lambda asked: [_chunked(*_single(completion(asked.prompt)), b"")], end="keep"
    ),
    _made("chunks without an end", "again", lambda asked: [_chunked(completion(asked.prompt))]),
    _raw("a chunk of a bad size", "again", _chunked() + b"xyz\r\n{}\r\n"),
    _raw("a chunk of a negative size", "again", _chunked() + b"-2\r\n{}\r\n"),
    _raw("a chunk of an enormous size", "again", _chunked() + b"ffffffffffffffff\r\n{}"),
    _raw("a chunk of a size beyond numbers", "again", _chunked() + b"f" * 1_000 + b"\r\n{}"),
    _raw("a chunk longer than its size", "again", _chunked() + b"2\r\n{}{}\r\n"),
    _made("an endless line before a chunk", "again", lambda asked: [_chunked() + b"2;", *repeat(b"x" * 100_000, 20)]),
    _made("endless trailers", "again", lambda asked: [_chunked() + b"0\r\n", *repeat(b"X: x\r\n" * 20_000, 20)]),
    _made("endless tiny chunks", "again", lambda asked: chain([_chunked()], repeat(b"2\r\n  \r\n" * 5_000)), slow=True),
]
ENDLESS = [
    _made("an endless body", "again", lambda asked: [b"HTTP/1.1 200 OK\r\n\r\n", *repeat(MEGABYTE, 100)]),
    _made("endless chunks", "again", lambda asked: [_chunked(), *repeat(b"f4240\r\n" + MEGABYTE + b"\r\n", 100)]),
    _made("an endless error", "again", lambda asked: [b"HTTP/1.1 500 No\r\n\r\n", *repeat(MEGABYTE, 100)]),
    _raw("an endless head", "again", b"HTTP/1.1 200 OK\r\n", *repeat(b"X: " + b"x" * 50_000 + b"\r\n", 20)),
    _raw("an endless first line", "again", b"HTTP/1.1 200 ", *repeat(b"x" * 50_000, 20)),
    _made("a dripping head", "again", lambda asked: _bytes_of(good(asked)), slow=True),
    _made("a dripping body", "again", lambda asked: [good(asked)[:60], *_bytes_of(good(asked)[60:])], slow=True),
    _raw("silence", "again", EVER, slow=True),
    _made("silence in the head", "again", lambda asked: [good(asked)[:20], EVER], slow=True),
    _made("silence in the body", "again", lambda asked: [good(asked)[:-5], EVER], slow=True),
]
ENDS = [
    _raw("closed at once", "again"),
    _raw("reset at once", "again", end="reset"),
    _made("closed in the head", "again", lambda asked: [good(asked)[:20]]),
    _made("closed in the body", "again", lambda asked: [good(asked)[:-5]]),
    _made("reset in the body", "again", lambda asked: [good(asked)[:-5]], end="reset"),
    _made("two replies", "answered", lambda asked: [good(asked) * 2]),
    _raw("an alert of TLS", "again", b"\x15\x03\x01\x00\x02\x02\x46"),
    _raw("a hello of TLS", "again", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200),
    _raw("another protocol", "again", b"SSH-2.0-OpenSSH_9.2\r\n"),
    _raw("zeros", "again", b"\x00" * 10_000),
    _raw("JSON without HTTP", "again", completion("a")),
]
REDIRECTS = [
    *(
        _made(f"redirect {name}", "no access", lambda asked, to=to: [response(b"", "307 Go", f"Location: {to(asked)}")])
        for name, to in {
            "to itself": lambda asked: f"{asked.url}/chat/completions",
            "to another place": lambda asked: f"{asked.url}/elsewhere",
            "to another host": lambda asked: asked.url.replace("127.0.0.1", "localhost") + "/elsewhere",
            "to a file": lambda asked: "file:///etc/passwd",
            "to nonsense": lambda asked: "http://[::1",
            "with the key": lambda asked: f"http://127.0.0.1:9/?key={asked.key}",
        }.items()
    ),
    _raw("redirect to nowhere", "no access", response(b"", "302 Go")),
    _raw("redirect to no text", "no access", response(b"", "308 Go", b"Location: \xff\xfe")),
]


def _single(content: bytes) -> list[bytes]:
    return [content[place : place + 1] for place in range(len(content))]


HTTP_FAULTS = [*STATUSES, *HEADERS, *LENGTHS, *CHUNKS, *ENDLESS, *ENDS, *REDIRECTS]
