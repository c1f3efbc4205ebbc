"""One connection to a model server, which carries one call at a time."""

from __future__ import annotations

import asyncio
import select
import socket
import ssl
from dataclasses import dataclass
from typing import Any, cast

from dataflow_ext.models.errors import ConnectionFailedError, GarbledReplyError, TimedOutError
from dataflow_ext.models.http.body import BodyError
from dataflow_ext.models.http.reply import HttpReply, NotHttpError

#: Up to this size, in bytes, a request's content is sent in one piece with its head.
_ONE_PIECE = 65_536

#: Seconds of silence after which the system asks whether the server is still there.
_KEEP_ALIVE = 60


#: In the place of a reply while none is waited for.
_NOTHING = HttpReply()


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
        if not hasattr(select, "poll"):  # Windows, where select knows no such number as too large
            return not select.select([file], [], [], 0)[0]
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
