"""The rows of batches: gathered until a batch is full, and waiting for a job together."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from dataflow_ext.models.batch.jobs import Claim
from dataflow_ext.models.chat import chat_body
from dataflow_ext.models.errors import RejectedRequestError
from dataflow_ext.models.pictures import picture_urls
from dataflow_ext.models.request import Reply, Request

if TYPE_CHECKING:
    from dataflow_ext.models.openai_model import OpenAIModel

#: Replies handed out between two notes of it on disk.
_NOTED = 512

_logger = logging.getLogger(__name__)


class Row:
    """A request that is waited for.

    ``run`` is the job that it is in, once it is, ``not_in`` one that has no reply for it, of ``rounds`` such.
    ``settled`` tells that its answer came by its job.
    """

    __slots__ = ("future", "key", "not_in", "request", "rounds", "run", "settled", "waiters")

    def __init__(self, key: str, request: Request) -> None:
        self.key, self.request = key, request
        self.future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiters = self.rounds = 0
        self.run: Run | None = None
        self.settled = False
        self.not_in = ""

    def line(self, model: OpenAIModel, pictures: Sequence[str]) -> bytes:
        """The request as a line of a batch's file; ``pictures`` are the URLs of its pictures."""
        body = {**chat_body(model, self.request, pictures), **model.extra_body}
        line = {"custom_id": self.key, "method": "POST", "url": "/v1/chat/completions", "body": body}
        return json.dumps(line, ensure_ascii=False, default=dict).encode("utf-8", "replace") + b"\n"


class Run:
    """A job that rows of this process wait for: ``rows`` have no answer yet, ``left`` have not taken theirs.

    ``old`` tells that the job was there before, ``ended`` that its last row was cancelled, so that
    nobody looks after it any more.
    """

    def __init__(self, claim: Claim) -> None:
        self.job, self.lock, self.new = claim.job, claim.lock, claim.new
        self.old = not claim.new
        self.rows: dict[str, Row] = {}
        self.left: set[str] = set()
        self.news = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.ended = False
        self._taken: list[str] = []

    def add(self, row: Row) -> None:
        """Have the row wait for this job."""
        row.run = self
        self.rows[row.key] = row
        self.left.add(row.key)
        self.news.set()

    def take(self, key: str) -> None:
        """The row has stored its reply."""
        self.left.discard(key)
        self._taken.append(key)
        if not self.left or len(self._taken) >= _NOTED:
            self.note()
        if not self.left:
            self.news.set()

    def forget(self, key: str) -> None:
        """The row was cancelled; without any, nobody here looks after the job."""
        self.left.discard(key)
        self.rows.pop(key, None)
        if self.left:
            return
        self.ended = True
        self.note()
        if self.task is not None and not self.task.done():
            state = self.job.state
            if state.batch_id is not None and state.status is None:
                _logger.warning("Batch %s goes on at %s; run again to fetch it.", state.batch_id, state.server)
            self.task.cancel()

    def note(self) -> None:
        """Write down whose replies were taken."""
        taken, self._taken = self._taken, []
        if taken:
            self.job.take(taken)


class Turns:
    """Times at the server: any number of batches at once, or one after the other where that proved too much."""

    def __init__(self) -> None:
        self.one_by_one = False
        self.under_way = 0
        self._ended = asyncio.Condition()

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it inside the block."""
        async with self._ended:
            await self._ended.wait_for(lambda: not (self.one_by_one and self.under_way))
            self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1
            async with self._ended:
                self._ended.notify_all()


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
