"""One connection to a server, and the replies that are read from it."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import ssl
from dataclasses import dataclass
from typing import Any, cast

import h11

from dataflow_ext.models.errors import ConnectionFailedError, GarbledReplyError, TimedOutError
from dataflow_ext.models.http.body import MOST_BODY, Body, BodyError, too_much

#: Up to this size, in bytes, a request's content is sent in one piece with its head.
_ONE_PIECE = 65_536

#: Seconds of silence after which the system asks whether the server is still there.
_KEEP_ALIVE = 60

#: Most bytes of a reply's head, and of a line between its chunks.
_MOST_HEAD = 65_536

#: Most interim replies (1xx) before a reply.
_MOST_INTERIM = 100

#: What h11 has to know of a request to read its reply.
_ASKED = (h11.Request(method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]), h11.EndOfMessage())


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds until a connection stands, until the reply begins, and until the whole call is over."""

    connect: float = 5.0
    first_byte: float = 600.0
    whole: float = 600.0


async def connect(address: tuple[str, int], tls: ssl.SSLContext | None, server: str, limits: Limits) -> Connection:
    """A new connection; a ConnectionFailedError says why there is none."""
    loop = asyncio.get_running_loop()
    host, port = address
    # Both families of addresses, the second a moment later; other loops than Python's own (uvloop) cannot.
    both: Any = {"happy_eyeballs_delay": 0.25} if isinstance(loop, asyncio.BaseEventLoop) else {}
    try:
        async with asyncio.timeout(min(limits.connect, limits.whole)):
            transport, connection = await loop.create_connection(
                lambda: Connection(server), host, port, ssl=tls, **both
            )
    except TimeoutError:
        if limits.whole < limits.connect:
            raise too_late(server, "begin", limits.whole, "timeout") from None
        why = f"it did not stand within {limits.connect:g} s (connect_timeout)"
    except (OSError, UnicodeError) as error:  # the latter for a name that no host can have
        why = _why(error)
    else:
        _keep_alive(transport.get_extra_info("socket"))
        return connection
    raise ConnectionFailedError(f"The connection to {server} failed: {why}.")


class Connection(asyncio.Protocol):
    """A connection; ``usable`` tells whether it can carry another call, ``answered`` whether anything ever came."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._transport: asyncio.Transport
        self._loop = asyncio.get_running_loop()
        self._reply, self._keep = _NOTHING, False
        self._outcome: asyncio.Future[HttpReply] | None = None
        self._limits = Limits()
        self._ends = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._lost = self.answered = False

    async def ask(self, head: bytes, content: bytes, limits: Limits, ends: float) -> HttpReply:
        """The reply to a request; whatever ends the wait for it closes the connection."""
        self._reply, self._outcome = HttpReply(), self._loop.create_future()
        self._limits, self._ends = limits, ends
        self._timer = self._loop.call_at(min(ends, self._loop.time() + limits.first_byte), self._time_out)
        try:
            if len(content) <= _ONE_PIECE:
                self._transport.write(head + content)
            else:
                self._transport.write(head)
                self._transport.write(content)
            reply = await self._outcome
            self._keep = reply.keep
            return reply
        except BaseException:
            self.abort()
            raise
        finally:
            self._outcome, self._reply = None, _NOTHING  # a reply may be large, and a connection waits for long
            self._timer.cancel()

    @property
    def usable(self) -> bool:
        """Whether the last reply left the connection open and nothing is still on its way."""
        return self._keep and not self._lost and not self._transport.get_write_buffer_size()

    def quiet(self) -> bool:
        """Whether the server has neither closed the connection nor sent something unasked."""
        if self._lost or self._transport.is_closing():
            return False
        # A close that has arrived but was not noticed yet; sending on it would be a failed call.
        file = self._transport.get_extra_info("socket").fileno()
        poll = select.poll()
        poll.register(file, select.POLLIN)
        return not poll.poll(0)

    def abort(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        if self._outcome is None:
            self._transport.abort()
            return
        self.answered = True
        try:
            self._reply.feed(data)
        except NotHttpError as error:
            self._fail(GarbledReplyError(f"{self._server} sent something that is no HTTP/1.1 reply: {error}."))
            return
        except BodyError as error:
            self._fail(GarbledReplyError(f"{self._server} sent a reply that was not taken: {error}."))
            return
        if self._reply.complete:
            self._succeed()

    def connection_lost(self, error: Exception | None) -> None:
        """Called by the event loop."""
        self._lost = True
        if self._outcome is None:
            return
        if error is None:
            self._reply.end()
            if self._reply.complete:
                self._succeed()
                return
        how = f"broke ({_why(error)})" if error is not None else "was closed by the server"
        when = "in the middle of the reply" if self._reply.begun else "before the reply began"
        self._fail(ConnectionFailedError(f"The connection to {self._server} failed: it {how} {when}."))

    def _time_out(self) -> None:
        limits = self._limits
        over = self._timer is not None and self._timer.when() >= self._ends
        if self._reply.begun and not over:
            self._timer = self._loop.call_at(self._ends, self._time_out)
            return
        what = "complete" if self._reply.begun else "begin"
        seconds, name = (limits.whole, "timeout") if over else (limits.first_byte, "first_byte_timeout")
        self._fail(too_late(self._server, what, seconds, name))

    def _succeed(self) -> None:
        if self._outcome is not None and not self._outcome.done():
            self._outcome.set_result(self._reply)

    def _fail(self, failure: Exception) -> None:
        if self._outcome is not None and not self._outcome.done():
            self._outcome.set_exception(failure)


def too_late(server: str, what: str, seconds: float, name: str) -> TimedOutError:
    """The error for a server that did not do so within that limit."""
    return TimedOutError(f"{server} did not {what} its reply within {seconds:g} s ({name}).")


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"its certificate is not trusted, {error.verify_message}; "
            "SSL_CERT_FILE may name a file with the certificate to trust"
        )
    if isinstance(error, ssl.SSLError):
        return f"no TLS with it ({error.reason or error}); a server without TLS has an http:// address"
    if isinstance(error, socket.gaierror):
        return f"its name is not known ({error.strerror})"
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens at that address (connection refused)"
    if isinstance(error, ConnectionResetError):
        return "connection reset"
    return str(error) or type(error).__name__


def _keep_alive(connected: socket.socket) -> None:
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_KEEPIDLE"):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, _KEEP_ALIVE)


class NotHttpError(ValueError):
    """The bytes are no HTTP/1.1 reply."""


class HttpReply:
    """A reply that ``feed`` fills: ``status``, ``headers`` (names in lower case) and ``content``.

    ``begun`` is true from the first byte on, ``complete`` once nothing more can follow; ``end`` tells that
    the server has closed the connection. ``keep`` tells whether the connection may carry another call.
    Interim replies (1xx) are skipped, and contents are inflated, though nobody asks for compressed ones.

    >>> reply = HttpReply()
    >>> reply.feed(b"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhel")
    >>> reply.feed(b"lo")
    >>> reply.status, reply.headers, reply.content, reply.complete, reply.keep
    (200, {'content-length': '5'}, b'hello', True, True)
    """

    def __init__(self) -> None:
        self.begun = self.complete = self.keep = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.content = b""
        self._first = b""
        self._parts: list[bytes] = []
        self._body = Body()
        self._interim = 0
        self._wire = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD)
        for event in _ASKED:
            self._wire.send(event)

    def feed(self, data: bytes) -> None:
        """Take the next bytes; :class:`NotHttpError` or BodyError if they cannot belong to a reply that we take."""
        if not data:  # which would be the end, for h11
            return
        self.begun = True
        if len(self._first) < 5:
            # h11 waits for an empty line, which what is no HTTP may never have.
            self._first = (self._first + data)[:5]
            if not b"HTTP/".startswith(self._first):
                raise NotHttpError("it does not begin with HTTP")
        if self.complete:
            self.keep = False  # more than one reply for one request
        else:
            self._take(data)

    def end(self) -> None:
        """Take it that the server has closed the connection, which is the end of some replies."""
        if not self.complete:
            with contextlib.suppress(NotHttpError, BodyError):  # it is not complete, which says it all
                self._take(b"")
            self.keep = False

    def _take(self, data: bytes) -> None:
        try:
            self._wire.receive_data(data)
            while not self.complete:
                event = self._wire.next_event()
                if type(event) is h11.Data:
                    self._parts.append(self._body.take(bytes(event.data)))
                elif type(event) is h11.Response:
                    self._head(event)
                elif type(event) is h11.EndOfMessage:
                    self._finish()
                elif event is h11.PAUSED:
                    raise NotHttpError("it changes to another protocol")
                elif type(event) is h11.InformationalResponse:
                    self._count_interim()
                else:
                    return
        except h11.ProtocolError as error:
            raise NotHttpError(str(error)) from None

    def _count_interim(self) -> None:
        self._interim += 1
        if self._interim > _MOST_INTERIM:
            raise NotHttpError(f"more than {_MOST_INTERIM} interim replies come before it")

    def _head(self, event: h11.Response) -> None:
        if sum(len(name) + len(value) for name, value in event.headers) > _MOST_HEAD:  # h11 takes one that came at once
            raise NotHttpError("its head is too long")
        self.status = event.status_code
        for name, value in event.headers:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text
        self._body = Body(self.headers.get("content-encoding"))
        if int(self.headers.get("content-length", "0")) > MOST_BODY:
            raise BodyError(too_much(MOST_BODY))

    def _finish(self) -> None:
        self._body.end()
        self.content = b"".join(self._parts)
        self._parts.clear()
        self.complete = True
        ready = self._wire.our_state is h11.DONE and self._wire.their_state is h11.DONE
        # A reply with both may be read as another one by somebody on the way.
        framed_twice = "content-length" in self.headers and "transfer-encoding" in self.headers
        self.keep = ready and not framed_twice and not self._wire.trailing_data[0]


#: In the place of a reply while none is waited for.
_NOTHING = HttpReply()
