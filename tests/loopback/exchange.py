"""One request of the loopback server on its way to a reply, whole or spoilt, and what the log holds of it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from tests.loopback.replies import Body, Fault, error_reply, fault_reply, garbage_reply
from tests.loopback.wire import Connection, Incoming, Outgoing

_UNMADE = {"drop", "hang"}
_PARTIAL = {"reset", "cut", "stall"}
_log = logging.getLogger(__name__)


@dataclass
class Call:
    """One call as the server saw it; times are those of :func:`time.monotonic`.

    ``number`` counts from 1 on. ``outcome`` is ``ok``, its fault's kind, ``gone`` if the client left before its
    reply began, ``invalid`` for a body that is no chat, or ``error`` if a function of the test raised one.
    ``delivered`` tells that the whole reply was handed to the system, ``ended`` when that was or when the call
    was given up; ``connection`` numbers the connections.
    """

    number: int
    route: str
    path: str
    body: Body
    connection: int
    started: float
    headers: Mapping[str, str] = field(repr=False)
    ended: float | None = None
    outcome: str = ""
    delivered: bool = False

    @property
    def authorization(self) -> str:
        """The header of that name."""
        return self.headers.get("authorization", "")


class Log:
    """Calls, of which each is noted once its outcome is known, and the numbers of those under way.

    The lock is held while a reply is written and noted, so that who has read a reply finds it noted.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.received = 0
        self.max_open = 0
        self._open: set[int] = set()
        self._calls: list[Call] = []

    @property
    def calls(self) -> list[Call]:
        """The calls noted so far."""
        with self.lock:
            return list(self._calls)

    @property
    def in_flight(self) -> int:
        """How many calls are under way."""
        with self.lock:
            return len(self._open)

    def begin(self, call: Call) -> None:
        """Number a call."""
        with self.lock:
            self.received += 1
            call.number = self.received
            self._open.add(call.number)
            self.max_open = max(self.max_open, len(self._open))

    def note(self, call: Call, outcome: str) -> None:
        """Keep a call, whose outcome is known now."""
        with self.lock:
            call.outcome = outcome
            self._calls.append(call)

    def end(self, call: Call) -> None:
        """Count a call as no longer under way."""
        with self.lock:
            self.end_locked(call)

    def end_locked(self, call: Call) -> None:
        """The same where the lock is held already."""
        call.ended = call.ended or time.monotonic()
        self._open.discard(call.number)


@dataclass(frozen=True)
class Exchange:
    """One request with its connection and the log it belongs to."""

    connection: Connection
    incoming: Incoming
    call: Call
    log: Log

    async def run(
        self, delay: float, ask_fault: Callable[[], Fault | None], make: Callable[[str], Awaitable[Outgoing]]
    ) -> None:
        """Make a reply with ``make(kind)``, spoil it as the fault says, note the outcome, and send it."""
        call, fault = self.call, None
        try:
            fault = ask_fault()
            seconds = delay + (fault.seconds if fault else 0.0)
            if seconds > 0:
                await asyncio.sleep(seconds)
            reply = await self._reply(fault, make)
            self.log.note(call, call.outcome or (fault.kind if fault else "ok"))
        except asyncio.CancelledError:
            self.log.note(call, fault.kind if fault else "gone")
            return
        except Exception as error:  # a function of the test failed, and the test is to see it
            _log.exception("no reply to call %d of %s", call.number, call.route)
            fault, reply = None, error_reply(500, f"{type(error).__name__}: {error}", "loopback_error")
            self.log.note(call, "error")
        await self._deliver(reply, fault)

    async def _reply(self, fault: Fault | None, make: Callable[[str], Awaitable[Outgoing]]) -> Outgoing:
        """The reply under a fault; an empty one where nothing of it will be sent."""
        if fault is None:
            return await make("ok")
        if fault.kind == "status":
            return fault_reply(fault)
        if fault.kind == "garbage":
            return garbage_reply(bool(self.call.body.get("stream")))
        if fault.kind in _UNMADE or (fault.kind in _PARTIAL and fault.part <= 0):
            return Outgoing(b"")
        if fault.kind == "expire":
            raise ValueError("an expire fault is for batches and their lines")
        return await make(fault.kind)

    async def _deliver(self, reply: Outgoing, fault: Fault | None) -> None:
        """Send as much of a reply as the fault lets through."""
        kind = fault.kind if fault else "ok"
        if fault is not None and kind in _PARTIAL and fault.part > 0:
            some = reply.content[: int(len(reply.content) * fault.part)]
            self.connection.write(self._head(reply) + some)
            await self.connection.drain()
        if kind in ("drop", "cut"):
            self.connection.close()
        elif kind == "reset":
            self.connection.abort(reset=True)
        elif kind in ("hang", "stall"):
            await asyncio.get_running_loop().create_future()  # ends when the client leaves
        else:
            await self.send(reply)

    async def send(self, reply: Outgoing) -> None:
        """Send a whole reply."""
        data = self._head(reply) + reply.content
        with self.log.lock:
            if self.connection.write(data):
                self._delivered()
                return
        await self.connection.drain()
        with self.log.lock:
            self._delivered()

    def _delivered(self) -> None:
        self.call.delivered = True
        self.log.end_locked(self.call)

    def _head(self, reply: Outgoing) -> bytes:
        return reply.head(f"req-{self.call.number}", self.incoming.keep_alive)
