"""Batches of the loopback server: from an uploaded file to output and error files, with switches for failures."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import ClassVar

from tests.loopback.replies import Body, Fault, error_reply, json_reply
from tests.loopback.wire import Incoming, Outgoing
from tests.support.batch_api.files import FileStore, StoredFile, page, query_of
from tests.support.batch_api.lines import (
    MOST_LINES,
    Line,
    Result,
    batch_error,
    failed_result,
    read_lines,
    result_of,
    sum_usage,
)

Think = Callable[[Body], Awaitable[str]]

_WINDOW = 86_400
_ENDPOINTS = ("/v1/chat/completions", "/chat/completions")
_UNDER_WAY = ("validating", "in_progress", "finalizing")
_TIMES = ("in_progress", "finalizing", "completed", "failed", "expired", "cancelling", "cancelled")
_log = logging.getLogger(__name__)


class BatchApi:
    """Files and batches of a :class:`Loopback`, which gives the replies' texts.

    A batch takes ``seconds`` and the brain's time: a tenth as ``validating``, a tenth as ``finalizing``, the
    rest ``in_progress``. Its output and error files hold their lines in a shuffled order.

    ``line_fault`` is asked for each line, with its number from 1 on and its custom id: ``status`` puts a line
    with that status into the error file; ``expire`` one that tells of the completion window, and the batch
    ends as ``expired``; ``drop`` leaves the line out of both files; ``garbage`` and ``cut`` spoil the line in
    the output file; ``length``, ``refusal`` and ``empty`` spoil the completion in it; ``slow`` waits.

    ``batch_fault`` is asked for each batch, with its number from 1 on: ``status`` lets it fail with the
    fault's code and message, ``expire`` lets all its lines expire, ``hang`` keeps it in progress until it is
    cancelled. ``fault`` is asked for each request about files and batches, with its number on its route from
    1 on and its route, such as ``"GET /batches/{id}"``. A batch of more than ``most_lines`` requests fails.
    """

    ROUTES: ClassVar[frozenset[str]] = frozenset(
        {
            "POST /files",
            "GET /files",
            "GET /files/{id}",
            "GET /files/{id}/content",
            "DELETE /files/{id}",
            "POST /batches",
            "GET /batches",
            "GET /batches/{id}",
            "POST /batches/{id}/cancel",
        }
    )

    def __init__(
        self,
        *,
        seconds: float = 0.0,
        line_fault: Callable[[int, str], Fault | None] = lambda number, custom_id: None,
        batch_fault: Callable[[int], Fault | None] = lambda number: None,
        fault: Callable[[int, str], Fault | None] = lambda number, route: None,
        most_lines: int = MOST_LINES,
    ) -> None:
        self.seconds, self.most_lines = seconds, most_lines
        self.line_fault, self.batch_fault, self.fault = line_fault, batch_fault, fault
        self.answered: list[tuple[str, str]] = []
        """Batch and custom id of each request that the brain was asked, in the order of its replies."""
        self._store = FileStore()
        self._runs: dict[str, _Run] = {}

    def serves(self, route: str) -> bool:
        """Whether a route is about files and batches."""
        return route in self.ROUTES

    @property
    def files(self) -> list[StoredFile]:
        """The files that are stored now, oldest first."""
        return list(self._store.files.values())

    @property
    def batches(self) -> list[Body]:
        """All batches as the API describes them now, oldest first."""
        return [copy.deepcopy(run.batch) for run in list(self._runs.values())]

    def answer(self, route: str, name: str, incoming: Incoming, think: Think) -> Outgoing:
        """The reply to a request on one of the routes; called on the server's loop."""
        if "/files" in route:
            return self._store.answer(route, name, incoming)
        if route == "POST /batches":
            return self._create(incoming, think)
        if route == "GET /batches":
            return page([run.batch for run in reversed(self._runs.values())], query_of(incoming), 20)
        if (run := self._runs.get(name)) is None:
            return error_reply(404, f"No such Batch object: {name}", param="id")
        if route == "POST /batches/{id}/cancel" and not run.cancel():
            return error_reply(400, f"Cannot cancel a batch with status '{run.batch['status']}'.")
        return json_reply(run.batch)

    def _create(self, incoming: Incoming, think: Think) -> Outgoing:
        try:
            asked = json.loads(incoming.body)
        except ValueError:
            return error_reply(400, "The body is no JSON.", "invalid_body")
        file = self._store.files.get(str(asked.get("input_file_id")))
        if file is None:
            return error_reply(400, f"No such File object: {asked.get('input_file_id')}", param="input_file_id")
        if file.purpose != "batch":
            return error_reply(400, "The input file's purpose is not 'batch'.", param="input_file_id")
        if asked.get("endpoint") not in _ENDPOINTS:
            return error_reply(400, f"Invalid value: '{asked.get('endpoint')}'.", "invalid_value", "endpoint")
        if asked.get("completion_window") != "24h":
            return error_reply(400, "The completion window must be 24h.", "invalid_value", "completion_window")
        run = _Run(self, self._store, file, asked, len(self._runs) + 1)
        self._runs[run.batch["id"]] = run
        run.start(think)
        return json_reply(run.batch)


class _Run:
    """One batch on its way; ``batch`` is what the API tells of it."""

    def __init__(self, api: BatchApi, store: FileStore, file: StoredFile, asked: Body, number: int) -> None:
        self.api, self.store, self.file, self.number = api, store, file, number
        now = int(time.time())
        self.batch: Body = {
            "id": f"batch_{number:06}",
            "object": "batch",
            "endpoint": asked["endpoint"],
            "errors": None,
            "input_file_id": file.id,
            "completion_window": asked["completion_window"],
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "created_at": now,
            "expires_at": now + _WINDOW,
            **{f"{name}_at": None for name in _TIMES},
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": asked.get("metadata"),
            "model": None,
            "usage": None,
        }
        self._cancelled = asyncio.Event()
        self._results: list[Result] = []

    def start(self, think: Think) -> None:
        """Let the batch take its course."""
        self._think = think
        self._task = asyncio.create_task(self._run())

    def cancel(self) -> bool:
        """Stop after the requests under way; whether it was not too late for that."""
        if self.batch["status"] not in (*_UNDER_WAY, "cancelling"):
            return False
        self._enter("cancelling")
        self._cancelled.set()
        return True

    def _enter(self, status: str) -> None:
        self.batch["status"] = status
        self.batch[f"{status}_at"] = int(time.time())

    def _fail(self, errors: list[Body]) -> None:
        self.batch["errors"] = {"object": "list", "data": errors}
        self._enter("failed")

    async def _wait(self, seconds: float | None) -> None:
        """Wait so long, for ever in case of None, or until the batch is cancelled."""
        if self._cancelled.is_set() or seconds == 0:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._cancelled.wait(), seconds)

    async def _run(self) -> None:
        try:
            await self._all_phases()
        except Exception as error:  # a function of the test failed, and the test is to see it
            _log.exception("batch %s failed", self.batch["id"])
            self._fail([batch_error("loopback_error", f"{type(error).__name__}: {error}")])

    async def _all_phases(self) -> None:
        tenth = self.api.seconds / 10
        await self._wait(tenth)
        fault = self.api.batch_fault(self.number)
        lines, errors = read_lines(self.file.content, self.batch["endpoint"], self.api.most_lines)
        if fault is not None and fault.kind == "status":
            errors = [batch_error(fault.code, fault.message)]
        if errors:
            self._fail(errors)
            return
        self.batch["model"] = lines[0].body["model"]
        self.batch["request_counts"]["total"] = len(lines)
        if not self._cancelled.is_set():
            self._enter("in_progress")
        if fault is not None and fault.kind == "hang":
            await self._wait(None)
        pieces = list(_pieces(lines))
        for piece in pieces:
            if self._cancelled.is_set():
                break
            self._count(await asyncio.gather(*(self._answer(line, fault) for line in piece)))
            await self._wait(8 * tenth / len(pieces))
        if not self._cancelled.is_set():
            self._enter("finalizing")
        await asyncio.sleep(tenth)
        self._finish()

    async def _answer(self, line: Line, whole: Fault | None) -> Result:
        fault = (
            whole if whole is not None and whole.kind == "expire" else self.api.line_fault(line.number, line.custom_id)
        )
        name = f"batch_req_{self.number}_{line.number}"
        if fault is not None and fault.seconds:
            await asyncio.sleep(fault.seconds)
        if fault is not None and fault.kind in ("status", "expire", "drop"):
            return result_of(line, "", fault, name)
        try:
            text = await self._think(line.body)
        except Exception as error:
            _log.exception("no reply to line %d", line.number)
            return failed_result(line, error, name)
        self.api.answered.append((self.batch["id"], line.custom_id))
        return result_of(line, text, fault, name)

    def _count(self, results: list[Result]) -> None:
        self._results += results
        counts = self.batch["request_counts"]
        counts["completed"] += sum(result.file == "output" for result in results)
        counts["failed"] += sum(result.file == "error" for result in results)

    def _finish(self) -> None:
        """Write the files, of which there is none without lines, and enter the last status."""
        shuffled = [result for result in self._results if result.text]
        random.Random(self.number).shuffle(shuffled)  # an order that repeats itself is wanted
        for file in ("output", "error"):
            if texts := [result.text + "\n" for result in shuffled if result.file == file]:
                name = f"{self.batch['id']}_{file}.jsonl"
                self.batch[f"{file}_file_id"] = self.store.add(name, "batch_output", "".join(texts).encode()).id
        self.batch["usage"] = sum_usage([result.usage for result in self._results if result.usage])
        expired = any(result.expired for result in self._results)
        self._enter("cancelled" if self._cancelled.is_set() else "expired" if expired else "completed")


def _pieces(lines: list[Line]) -> Iterator[list[Line]]:
    """At least ten pieces where there are as many lines, none longer than 200."""
    size = min(200, -(-len(lines) // 10))
    for start in range(0, len(lines), size):
        yield lines[start : start + size]
