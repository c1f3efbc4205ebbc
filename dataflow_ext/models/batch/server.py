"""One batch's way through a server: upload, create, wait, fetch, and what came of each of its requests."""

from __future__ import annotations

import json
import logging
import os
import random
import time
from asyncio import sleep, timeout, to_thread
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from dataflow_ext.errors import DataflowError, ModelError
from dataflow_ext.files import put
from dataflow_ext.models.batch.jobs import FAILED, Job
from dataflow_ext.models.chat import QUOTE, client_failure, read_reply, status_failure, unknown_failure
from dataflow_ext.models.errors import (
    ConnectionFailedError,
    GarbledReplyError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.http.body import MOST_BODY, http_library
from dataflow_ext.models.http.connection import too_late
from dataflow_ext.models.http.transport import client_for
from dataflow_ext.models.request import Reply
from dataflow_ext.models.untrusted import masked, masked_bytes, read_json

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
            job.save(file_id=await self._once(_find_file, _upload, job, new, _FILE_SECONDS))
        try:
            batch_id = await self._once(_find_batch, _create, job, new or not uploaded)
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
        find: Callable[[Job, AsyncOpenAI], Awaitable[str | None]],
        make: Callable[[Job, AsyncOpenAI], Awaitable[str]],
        job: Job,
        new: bool,
        least: float = 0.0,
    ) -> str:
        """What is found or made; after a failed try it is looked for, as only the answer may have been lost."""
        tried = not new

        async def found_or_made() -> str:
            nonlocal tried
            found = await self._if_listed(partial(find, job)) if tried else None
            tried = True
            return found if found else await self._call(partial(make, job), least)

        return await with_retries(found_or_made, _TRIES)

    async def _if_listed(self, find: Callable[[AsyncOpenAI], Awaitable[str | None]]) -> str | None:
        try:
            return await self._call(find)
        except RejectedRequestError:
            return None  # a server that keeps no lists

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


async def _find_file(job: Job, client: AsyncOpenAI) -> str | None:
    size, since = job.requests.stat().st_size, job.state.created - _CLOCKS
    async for file in client.files.list(purpose="batch"):
        if (file.filename, file.bytes) == (_file_name(job), size):
            return file.id
        if file.created_at < since:
            break
    return None


async def _find_batch(job: Job, client: AsyncOpenAI) -> str | None:
    async for batch in client.batches.list(limit=100):
        if batch.input_file_id == job.state.file_id or (batch.metadata or {}).get(MARK) == job.id:
            return batch.id
        if batch.created_at < job.state.created - _CLOCKS:
            break
    return None


async def _upload(job: Job, client: AsyncOpenAI) -> str:
    with job.requests.open("rb") as file:
        return (await client.files.create(file=(_file_name(job), file), purpose="batch")).id


async def _create(job: Job, client: AsyncOpenAI) -> str:
    assert job.state.file_id is not None  # noqa: S101 - it was uploaded
    batch = await client.batches.create(
        input_file_id=job.state.file_id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={MARK: job.id},
    )
    return batch.id


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


def outcomes(job: Job, model: OpenAIModel, wanted: Container[str]) -> dict[str, Reply | DataflowError]:
    """What each wanted request of a fetched job came to; those that are in no result file are missing."""
    found: dict[str, Reply | DataflowError] = {}
    for path in (job.errors, job.output):
        for line in _lines(path):
            key = line.get("custom_id")
            if isinstance(key, str) and key in wanted:
                found[key] = _outcome(line, model)
    return found


def _outcome(line: Mapping[str, Any], model: OpenAIModel) -> Reply | DataflowError:
    response, error = line.get("response"), line.get("error")
    key = os.environ.get(model.api_key_env, "").strip()
    if not isinstance(response, Mapping):
        said = masked(str(error.get("message")), key)[:QUOTE] if isinstance(error, Mapping) else "no reason given"
        return ServerFailedError(f"{model.server} did not make this request of a batch: {said}")
    body, status = json.dumps(response.get("body")).encode(), response.get("status_code") or 200
    try:
        if isinstance(status, int) and status != 200:
            raise status_failure(status, body, {}, model.server, key)  # as for a direct call with this answer
        return replace(read_reply(body, model.name, key=key), batch=True)
    except Exception as failure:
        return _by_batch(unknown_failure(failure, model.server, key))


def _by_batch(failure: DataflowError) -> DataflowError:
    if isinstance(failure, RefusedError) and failure.reply is not None:
        failure.reply = replace(failure.reply, batch=True)
    return failure


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.exists():
        with path.open("rb") as file:
            for text in bounded_lines(file):
                line = _parsed(text)
                if line is not None:
                    yield line


def bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; those beyond the bound of a reply come in pieces, none of which is JSON."""
    while text := file.readline(MOST_BODY):
        yield text


def _parsed(text: bytes) -> Mapping[str, Any] | None:
    try:
        line = read_json(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
