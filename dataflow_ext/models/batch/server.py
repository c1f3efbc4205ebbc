"""One batch's way through a server: upload, create, wait, fetch."""

from __future__ import annotations

import json
import logging
import random
import time
from asyncio import sleep, timeout, to_thread
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dataflow_ext.errors import ModelError
from dataflow_ext.files import put
from dataflow_ext.models.batch.jobs import FAILED, Job
from dataflow_ext.models.batch.rows import bounded_lines
from dataflow_ext.models.chat import client_failure, unknown_failure
from dataflow_ext.models.errors import (
    ConnectionFailedError,
    GarbledReplyError,
    RejectedRequestError,
    RetryableError,
    TimedOutError,
)
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.http.body import http_library
from dataflow_ext.models.http.connection import too_late
from dataflow_ext.models.http.transport import client_for
from dataflow_ext.models.untrusted import masked_bytes

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Batch

    from dataflow_ext.models.openai_model import OpenAIModel

T = TypeVar("T")

#: The key in a batch's metadata under which its job is found again.
MARK = "dataflow_ext"

#: How often an upload or a creation is tried again: the last wait is half a minute, all together about two.
_TRIES = 8

#: Seconds between the first two looks at a batch; each further wait is half as long again.
_FIRST_LOOK = 1.0

#: Most bytes of an answer about batches, and of a result file: 50,000 replies of 80 kB.
_MOST_ANSWER, _MOST_FILE = 16_000_000, 4_000_000_000

#: Least seconds that the way of a whole file may take; all else has the model's ``timeout``.
_FILE_SECONDS = 3600.0

#: Seconds that a server's clock may be behind ours.
_CLOCKS = 86_400.0

_logger = logging.getLogger(__name__)


class BatchFailedError(ModelError):
    """The server did not take the batch in; ``problems`` are its errors: code, message, line (from 1)."""

    def __init__(self, message: str, problems: list[tuple[str, str, int | None]]) -> None:
        super().__init__(message)
        self.problems = problems


class BatchServer:
    """What is asked of a model's server about batches.

    Looks at a batch are ``poll`` seconds apart once it takes long; waiting ends after ``give_up_after``.
    """

    def __init__(self, model: OpenAIModel, poll: float, give_up_after: float) -> None:
        self.model = model
        self.poll = poll
        self.give_up_after = give_up_after

    async def bring(self, job: Job, new: bool) -> None:
        """Take the job from where it stands to its fetched results, noting each step on disk.

        :class:`BatchFailedError` if the server does not take it in. Unless the job is ``new``, its file and
        its batch are looked for before they are made, as a run before this one may have been killed in between.
        """
        if job.state.batch_id is None:
            try:
                await self._send(job, new)
            except RejectedRequestError:
                job.save(status=FAILED)
                raise
        try:
            await self._wait(job)
        except RejectedRequestError as error:
            error.args = (f"{error} (Removing {job.path} lets its requests be sent, and paid, again.)",)
            raise

    async def _send(self, job: Job, new: bool) -> None:
        uploaded = job.state.file_id is not None
        if not uploaded:
            job.save(file_id=await self._once(self._find_file, self._upload, job, new))
        try:
            batch_id = await self._once(self._find_batch, self._create, job, new or not uploaded)
        except RejectedRequestError:
            if not uploaded:
                raise
            job.save(file_id=None)  # the file of an earlier run may be gone from the server
            return await self._send(job, new)
        job.save(batch_id=batch_id)
        _logger.info("%s is batch %s at %s.", job.id, batch_id, self.model.server)
        return None

    async def _once(
        self,
        find: Callable[[Job], Awaitable[str | None]],
        make: Callable[[Job], Awaitable[str]],
        job: Job,
        new: bool,
    ) -> str:
        """What is found or made; after a failed try it is looked for, as only the answer may have been lost."""
        tried = not new

        async def found_or_made() -> str:
            nonlocal tried
            found = await find(job) if tried else None
            tried = True
            return found or await make(job)

        return await with_retries(found_or_made, _TRIES)

    async def _find_file(self, job: Job) -> str | None:
        async def find(client: AsyncOpenAI) -> str | None:
            size, since = job.requests.stat().st_size, job.state.created - _CLOCKS
            async for file in client.files.list(purpose="batch"):
                if (file.filename, file.bytes) == (_file_name(job), size):
                    return file.id
                if file.created_at < since:
                    break
            return None

        return await self._if_listed(find)

    async def _find_batch(self, job: Job) -> str | None:
        async def find(client: AsyncOpenAI) -> str | None:
            async for batch in client.batches.list(limit=100):
                if batch.input_file_id == job.state.file_id or (batch.metadata or {}).get(MARK) == job.id:
                    return batch.id
                if batch.created_at < job.state.created - _CLOCKS:
                    break
            return None

        return await self._if_listed(find)

    async def _if_listed(self, find: Callable[[AsyncOpenAI], Awaitable[str | None]]) -> str | None:
        try:
            return await self._call(find)
        except RejectedRequestError:
            return None  # a server that keeps no lists

    async def _upload(self, job: Job) -> str:
        async def upload(client: AsyncOpenAI) -> str:
            with job.requests.open("rb") as file:
                return (await client.files.create(file=(_file_name(job), file), purpose="batch")).id

        return await self._call(upload, _FILE_SECONDS)

    async def _create(self, job: Job) -> str:
        async def create(client: AsyncOpenAI) -> str:
            assert job.state.file_id is not None  # noqa: S101 - it was uploaded
            batch = await client.batches.create(
                input_file_id=job.state.file_id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={MARK: job.id},
            )
            return batch.id

        return await self._call(create)

    async def _wait(self, job: Job) -> None:
        """Look at the batch until it has ended and its results are here; the server may be away meanwhile."""
        batch_id = job.state.batch_id or ""
        end = time.monotonic() + self.give_up_after
        pause, seen, away = min(_FIRST_LOOK, self.poll), "", False
        while True:
            try:
                batch = await self._call(lambda client: client.batches.retrieve(batch_id))
                away = False
                seen = _told(batch, seen)
                if batch.status in ("completed", "expired", "cancelled", FAILED):
                    return await self._end(job, batch)
            except RetryableError as error:
                if time.monotonic() > end:
                    raise
                if not away:
                    _logger.warning("Batch %s is waited for, but its server is away: %s", batch_id, error)
                away = True
            if time.monotonic() > end:
                raise TimedOutError(
                    f"Batch {batch_id} at {self.model.server} has not ended in {self.give_up_after / 3600:g} hours. "
                    "It goes on there; run again to wait for it again."
                )
            await sleep(pause * (0.8 + 0.4 * random.random()))  # noqa: S311 - spreads load, protects nothing
            pause = min(pause * 1.5, self.poll)

    async def _end(self, job: Job, batch: Batch) -> None:
        if batch.status == FAILED:
            job.save(status=FAILED)
            found = (batch.errors.data if batch.errors else None) or []
            problems = [(each.code or "", each.message or "", each.line) for each in found]
            said = "; ".join(f"{code}: {text}" for code, text, _ in problems[:3]) or "no reason given"
            raise BatchFailedError(f"{self.model.server} did not take in batch {batch.id} ({said}).", problems)
        for file_id, path in ((batch.output_file_id, job.output), (batch.error_file_id, job.errors)):
            if file_id:
                await self._fetch(file_id, path)
        job.save(status=batch.status)

    async def _fetch(self, file_id: str, path: Path) -> None:
        partial = path.with_name(f".{path.name}")

        async def download(client: AsyncOpenAI) -> None:
            try:
                async with client.files.with_streaming_response.content(file_id) as response:
                    with partial.open("wb") as file:
                        async for part in response.iter_bytes():
                            file.write(part)
            except http_library().TransportError as error:
                cut = str(error)
            else:
                return
            raise ConnectionFailedError(f"The download of {file_id} from {self.model.server} broke off: {cut}")

        await self._call(download, _FILE_SECONDS, _MOST_FILE)
        await to_thread(_put_masked, partial, path, self.model._key())

    async def _call(
        self, ask: Callable[[AsyncOpenAI], Awaitable[T]], least: float = 0.0, most: int = _MOST_ANSWER
    ) -> T:
        """What the server is asked, within the model's ``timeout`` or the ``least`` seconds that it has to have."""
        import openai

        key, server = self.model._key(), self.model.server
        client = client_for(self.model._url(), key, self.model.timeout, self.model.connect_timeout, most)
        seconds = max(self.model.timeout, least)
        failure: Exception
        # Raised outside the except block: the client's error holds the key in its request's headers.
        try:
            async with timeout(seconds):
                return await ask(client)
        except TimeoutError:
            failure = too_late(server, "complete", seconds, "timeout")
        except openai.OpenAIError as error:
            failure = client_failure(error, server, key)
        except (json.JSONDecodeError, AttributeError):
            # The client checks no answer's form: a page of a proxy comes through as a text without fields.
            failure = GarbledReplyError(f"The answer of {server} is not one of the Batch API.")
        except Exception as error:
            failure = unknown_failure(error, server, key)
        raise failure


def _put_masked(partial: Path, path: Path, key: str) -> None:
    """Put a downloaded file in its place, without the key if the server repeats that in it."""
    clean = partial.with_name(f"{partial.name}.clean")
    with partial.open("rb") as file, clean.open("wb") as target:
        target.writelines(masked_bytes(line, key) for line in bounded_lines(file))
    put(clean, path)
    partial.unlink()


def _file_name(job: Job) -> str:
    return f"rowsmith-{job.id}.jsonl"


def _told(batch: Batch, seen: str) -> str:
    """Log how far the batch is if that is news."""
    counts = batch.request_counts
    done = f", {counts.completed + counts.failed:,} of {counts.total:,} requests done" if counts else ""
    news = f"{batch.status}{done}"
    if news != seen:
        _logger.info("Batch %s: %s.", batch.id, news)
    return news
