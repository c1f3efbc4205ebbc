"""The gate before one server: how many calls may be under way, and whether any should be made at all."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import ConnectionFailedError, RetryableError, ServerDownError
from dataflow_ext.models.retry import MOST_PATIENCE

T = TypeVar("T")


class Gate:
    """Lets at most ``limit`` calls through at a time, in the order in which they came.

    ``limit`` starts at ``max_in_flight``, is cut by three tenths when the server says that it is overloaded,
    and grows back by one a round of good calls. Calls that were under way when the limit was cut do not cut
    it again. A wait that the server asks for holds everybody. After ``down_after`` failed connections in a
    row, spread over at least ``down_seconds``, the gate is shut: calls fail at once with
    :class:`ServerDownError`, but for one every ``probe_seconds`` that looks whether the server is back.

    A gate belongs to one event loop.
    """

    def __init__(
        self,
        max_in_flight: int = 64,
        *,
        server: str = "the server",
        down_after: int = 8,
        down_seconds: float = 2.0,
        probe_seconds: float = 30.0,
    ) -> None:
        self.max_in_flight = max_in_flight
        self.server = server
        self.down_after = down_after
        self.down_seconds = down_seconds
        self.probe_seconds = probe_seconds
        self.limit = float(max_in_flight)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cut_at = -1.0
        self._open_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._lost = 0
        self._lost_since = 0.0
        self._last_loss = ""
        self._probe_at: float | None = None

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """What ``call()`` returns, made once there is room; its errors teach the gate and pass on."""
        await self._enter()
        entered = time.monotonic()
        try:
            result = await call()
        except ConnectionFailedError as error:
            self._lose(error)
            raise
        except RetryableError as error:
            self._answered()
            self._hold(error, entered)
            raise
        except ModelError:
            self._answered()
            raise
        else:
            self._answered()
            self.limit = min(self.limit + 1 / self.limit, float(self.max_in_flight))
            return result
        finally:
            self._leave()

    async def _enter(self) -> None:
        self._refuse_if_down()
        if not self._waiting and self.in_flight < int(self.limit) and time.monotonic() >= self._open_at:
            self.in_flight += 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._leave()  # it was let in and cancelled in the same turn of the loop
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            pause = self._open_at - time.monotonic()
            if pause > 0:
                if self._timer is None:
                    self._timer = asyncio.get_running_loop().call_later(pause, self._resume)
                return
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def _resume(self) -> None:
        self._timer = None
        self._admit()

    def _hold(self, error: RetryableError, entered: float) -> None:
        now = time.monotonic()
        if error.retry_after is not None and error.retry_after <= MOST_PATIENCE:
            self._open_at = max(self._open_at, now + error.retry_after)
        if error.overload and entered > self._cut_at:
            self.limit = max(1.0, min(self.limit, self.in_flight) * 0.7)
            self._cut_at = now

    def _answered(self) -> None:
        self._lost = 0
        self._probe_at = None

    def _lose(self, error: ConnectionFailedError) -> None:
        now = time.monotonic()
        if self._lost == 0:
            self._lost_since = now
        self._lost += 1
        self._last_loss = str(error)
        lasting = now - self._lost_since >= self.down_seconds
        if self._probe_at is None and self._lost >= self.down_after and lasting:
            self._probe_at = now + self.probe_seconds
            while self._waiting:
                place = self._waiting.popleft()
                if not place.done():
                    place.set_exception(self._down())

    def _refuse_if_down(self) -> None:
        if self._probe_at is None:
            return
        now = time.monotonic()
        if now < self._probe_at:
            raise self._down()
        self._probe_at = now + self.probe_seconds

    def _down(self) -> ServerDownError:
        return ServerDownError(
            f"{self.server} is down: the last {self._lost} connections failed and none succeeded, so this "
            f"call was not tried (last failure: {self._last_loss}). Start the server or mend its address, "
            "then run again; replies that were received are kept."
        )
