"""Requests on their way into a batch: collected until it is full or no more come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from dataflow_ext.models.batch.rows import Row
from dataflow_ext.models.errors import RejectedRequestError
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.pictures import picture_urls

#: Rows by their keys, each with its line.
Load = Mapping[str, tuple[Row, bytes]]


class Gatherer:
    """Collects rows with their lines and hands them to ``send``, those that have no line to ``fail``.

    ``send`` is called when ``max_lines`` or ``max_bytes`` are reached, and when for ``quiet`` seconds no row
    has come and no picture is being made.
    """

    def __init__(
        self,
        model: OpenAIModel,
        max_lines: int,
        max_bytes: int,
        quiet: float,
        send: Callable[[Load], object],
        fail: Callable[[Row, Exception], None],
    ) -> None:
        self.model = model
        self.max_lines, self.max_bytes, self.quiet = max_lines, max_bytes, quiet
        self._send, self._fail = send, fail
        self._load: dict[str, tuple[Row, bytes]] = {}
        self._bytes = 0
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._preparing: dict[str, asyncio.Task[None]] = {}

    def add(self, row: Row) -> None:
        """Take the row in, at once or when its pictures are made."""
        if not row.request.images:
            self._put(row, [])
            return
        task = asyncio.get_running_loop().create_task(self._prepare(row))
        self._preparing[row.key] = task
        task.add_done_callback(lambda _: self._preparing.pop(row.key, None))

    def remove(self, row: Row) -> None:
        """Forget the row, which may have gone off already."""
        _, line = self._load.pop(row.key, (row, b""))
        self._bytes -= len(line)
        if (task := self._preparing.get(row.key)) is not None:
            task.cancel()

    def send_off(self) -> None:
        """Hand over what there is."""
        if self._timer is not None:
            self._timer.cancel()
        load, self._load, self._bytes, self._timer = self._load, {}, 0, None
        if load:
            self._send(load)

    async def _prepare(self, row: Row) -> None:
        try:
            pictures = await picture_urls(row.request.images, self.model.max_image_side)
        except Exception as error:
            self._fail(row, error)
        else:
            self._put(row, pictures)

    def _put(self, row: Row, pictures: list[str]) -> None:
        try:
            line = row.line(self.model, pictures)
        except Exception as error:
            self._fail(row, error)
            return
        if len(line) > self.max_bytes:
            message = f"A request of {len(line):,} bytes does not fit into a batch of at most {self.max_bytes:,}."
            self._fail(row, RejectedRequestError(message))
            return
        if self._bytes + len(line) > self.max_bytes:
            self.send_off()
        self._load[row.key] = row, line
        self._bytes += len(line)
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        if len(self._load) >= self.max_lines:
            self.send_off()
        elif self._timer is None:
            self._timer = loop.call_later(self.quiet, self._if_quiet)

    def _if_quiet(self) -> None:
        loop = asyncio.get_running_loop()
        pause = self._last + self.quiet - loop.time()
        if self._preparing or pause > 0.001:
            self._timer = loop.call_later(max(pause, self.quiet / 10), self._if_quiet)
        else:
            self.send_off()
