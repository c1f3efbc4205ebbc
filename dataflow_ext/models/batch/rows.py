"""The rows that wait for a batch, the job that some of them wait for together, and whose turn it is."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from dataflow_ext.models.batch.jobs import Claim
from dataflow_ext.models.chat import chat_body
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.request import Reply, Request

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
