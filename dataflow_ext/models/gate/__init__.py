"""The gate before one server: how many calls may be under way, how soon, and whether any should be made at all."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import (
    AccessError,
    BudgetError,
    CacheError,
    NotAskedError,
    QuotaError,
    RetryableError,
)
from dataflow_ext.models.gate.retry import MOST_PATIENCE
from dataflow_ext.models.gate.rules import Circuit, Concurrency, Rate
from dataflow_ext.models.request import Reply

T = TypeVar("T")

#: After a wait that the server asked for, the first calls go one by one over so many seconds.
_SLOW_START = 1.0


class _Pass:
    """A call's leave to go: when it got it, in which round, and what it took of the limits a minute."""

    __slots__ = ("entered", "request", "round", "tokens")

    def __init__(self, entered: float, round_: int) -> None:
        self.entered, self.round = entered, round_
        self.request: list[float] | None = None
        self.tokens: list[float] | None = None


class Gate:
    """Lets calls through in the order in which they came, as many and as soon as the server can take them.

    At most ``limit`` are under way: ``max_in_flight`` at first, fewer when the server says that it is
    overloaded (see :class:`~dataflow_ext.models.gate.rules.Concurrency`). In any 60 seconds no more
    begin than ``requests_per_minute``, and no more tokens are asked for than ``tokens_per_minute``
    (see :class:`~dataflow_ext.models.gate.rules.Rate`). A wait that the server asks for holds everybody, and after
    it calls begin one by one. When all calls would fail they do so at once
    (see :class:`~dataflow_ext.models.gate.rules.Circuit`).

    A gate belongs to one event loop.
    """

    def __init__(
        self,
        max_in_flight: int = 64,
        *,
        server: str = "the server",
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        self.in_flight = 0
        self._rule = Concurrency(max_in_flight)
        self._circuit = Circuit(server)
        self._requests = None if requests_per_minute is None else Rate(requests_per_minute)
        self._tokens = None if tokens_per_minute is None else Rate(tokens_per_minute)
        self._waiting: deque[tuple[int, asyncio.Future[_Pass]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._open_at = 0.0
        self._one_by_one = 0
        self._gap = 0.0

    @property
    def limit(self) -> float:
        """How many calls may be under way at present."""
        return self._rule.limit

    async def run(self, call: Callable[[], Awaitable[T]], tokens: int = 0) -> T:
        """What ``call()`` returns, made once there is room; its errors teach the gate and pass on.

        ``tokens`` is what the call will about take; the real number is read off a :class:`Reply`.
        """
        leave = self._enter(tokens) or await self._queue(tokens)
        try:
            result = await call()
        except ModelError as error:
            self._failed(error, leave)
            raise
        else:
            self._answered(leave, result)
            return result
        finally:
            self.in_flight -= 1
            if self._waiting:
                self._admit()

    def _enter(self, tokens: int) -> _Pass | None:
        """Leave to go at once, or None if the call has to queue."""
        now = asyncio.get_running_loop().time()
        if self._circuit.open:
            if not self._circuit.is_probe(now):
                raise self._circuit.refusal()
            return self._let_in(tokens, now)
        if self._waiting or self.in_flight >= self._rule.places or self._earliest(tokens, now) > now:
            return None
        return self._let_in(tokens, now)

    async def _queue(self, tokens: int) -> _Pass:
        place: asyncio.Future[_Pass] = asyncio.get_running_loop().create_future()
        self._waiting.append((tokens, place))
        self._admit()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                # It was let in and cancelled in the same turn of the loop.
                self._give_back(place.result())
                self.in_flight -= 1
                self._admit()
            raise

    def _earliest(self, tokens: int, now: float) -> float:
        at = self._open_at
        if self._circuit.look_at > at:
            at = self._circuit.look_at
        if self._requests is not None:
            at = max(at, self._requests.earliest(1, now))
        if self._tokens is not None:
            at = max(at, self._tokens.earliest(tokens, now))
        return at

    def _let_in(self, tokens: int, now: float) -> _Pass:
        self.in_flight += 1
        if self._one_by_one:
            self._one_by_one -= 1
            self._open_at = max(self._open_at, now + self._gap)
        if self._circuit.failing:
            self._circuit.admitted(now)
        leave = _Pass(now, self._rule.entered(self.in_flight))
        if self._requests is not None:
            leave.request = self._requests.take(1, now)
        if self._tokens is not None:
            leave.tokens = self._tokens.take(tokens, now)
        return leave

    def _admit(self) -> None:
        """Let in whoever waits, from the head of the line, and set a timer if it is only too early."""
        loop = asyncio.get_running_loop()
        while self._waiting and self.in_flight < self._rule.places:
            tokens, place = self._waiting[0]
            if not place.done():
                now = loop.time()
                at = self._earliest(tokens, now)
                if at > now:
                    self._wake_at(at, loop)
                    return
                place.set_result(self._let_in(tokens, now))
            self._waiting.popleft()

    def _wake_at(self, at: float, loop: asyncio.AbstractEventLoop) -> None:
        if self._timer is not None:
            if self._timer.when() <= at:
                return  # it looks again then
            self._timer.cancel()
        self._timer = loop.call_at(at, self._resume)

    def _resume(self) -> None:
        self._timer = None
        self._admit()

    def _answered(self, leave: _Pass, reply: object) -> None:
        """Learn from an answer that shows the server at work."""
        if not self._circuit.calm:
            self._circuit.good(leave.entered)
        self._rule.answered(leave.round, False)
        if isinstance(reply, Reply):
            if self._tokens is not None and leave.tokens is not None:
                self._tokens.correct(leave.tokens, reply.tokens)
            if reply.pause:
                self._hold(reply.pause)

    def _failed(self, error: ModelError, leave: _Pass) -> None:
        if isinstance(error, BudgetError | CacheError | NotAskedError):
            self._give_back(leave)  # no call was made, so there is nothing to learn from it
            return
        if not isinstance(error, RetryableError | AccessError | QuotaError):
            self._answered(leave, getattr(error, "reply", None))  # the server's word on this one request: it works
            return
        if isinstance(error, RetryableError):
            self._rule.answered(leave.round, error.overload)
            if error.retry_after:
                self._hold(error.retry_after)
        if self._circuit.failed(error, asyncio.get_running_loop().time()):
            while self._waiting:
                _, place = self._waiting.popleft()
                if not place.done():
                    place.set_exception(self._circuit.refusal())

    def _give_back(self, leave: _Pass) -> None:
        for rate, taken in ((self._requests, leave.request), (self._tokens, leave.tokens)):
            if rate is not None and taken is not None:
                rate.correct(taken, 0)

    def _hold(self, seconds: float) -> None:
        """Let nobody in for so long, and then one after the other; the spread parts this process from others."""
        if seconds > MOST_PATIENCE:
            return  # a failure opens the circuit instead; after a success, the next call's failure does
        spread = 1 + 0.1 * random.random()  # noqa: S311 - spreads load, protects nothing
        self._open_at = max(self._open_at, asyncio.get_running_loop().time() + seconds * spread)
        self._one_by_one = self._rule.places
        self._gap = min(_SLOW_START, seconds / 4) / self._one_by_one
