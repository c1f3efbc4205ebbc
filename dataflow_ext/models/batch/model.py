"""The Batch API as a back end: the same requests for half the price, answered within a day."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal
from weakref import WeakKeyDictionary, ref

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext.errors import DataflowError, ModelError
from dataflow_ext.files import Lock
from dataflow_ext.models.batch.gathering import Gatherer, Load, Row, Run, Turns
from dataflow_ext.models.batch.jobs import FAILED, Claim, JobFolder
from dataflow_ext.models.batch.server import BatchFailedError, BatchServer, outcomes
from dataflow_ext.models.errors import (
    LeftOutError,
    QuotaError,
    RateLimitedError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
    ServerFailedError,
)
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.request_cache import request_key


class BatchModel(BaseModel):
    """A model whose calls are gathered into batches, which the server makes when it has time.

    Calls are gathered until none has come for ``quiet`` seconds, or until a batch has ``max_lines`` requests
    or ``max_bytes`` bytes. A batch is looked at every ``poll`` seconds; after ``give_up_after`` seconds its
    calls fail with :class:`TimedOutError`, and another run waits on. What the server did not make (an
    expired batch, its own failures, missing lines) is made by ``fallback``: ``direct`` calls, within the
    session's limits and for the full price, another ``batch``, or none (``reject``).

    Requests and results are kept in ``folder`` until every reply was handed out, so that a run which is
    killed anywhere goes on where it was, without sending or paying anything again; several processes may use
    the folder. Replies have ``batch`` set. ``identity`` is the inner model's, so a request cache serves both.

    >>> model = BatchModel(model=OpenAIModel(name="small"), folder="batches")
    >>> model.name, model.identity() == model.model.identity()
    ('small', True)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    queued: ClassVar[bool] = True

    model: OpenAIModel
    folder: Path
    max_lines: int = Field(default=50_000, gt=0)
    max_bytes: int = Field(default=200_000_000, gt=0)
    quiet: float = Field(default=2.0, gt=0)
    poll: float = Field(default=60.0, gt=0)
    give_up_after: float = Field(default=26 * 3600.0, gt=0)
    fallback: Literal["direct", "batch", "reject"] = "direct"

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self.model.name

    @property
    def server(self) -> str:
        """The inner model's server."""
        return self.model.server

    @property
    def max_image_side(self) -> int | None:
        """The inner model's limit of a picture."""
        return self.model.max_image_side

    @property
    def max_tokens(self) -> int | None:
        """The inner model's limit of a reply."""
        return self.model.max_tokens

    def identity(self) -> Mapping[str, object]:
        """The inner model's: how a reply was sent for does not decide it."""
        return self.model.identity()

    async def preflight(self) -> None:
        """The inner model's."""
        await self.model.preflight()

    async def complete(self, request: Request) -> Reply:
        """The server's reply, when the batch that the request got into has ended."""
        key = request_key(self.identity(), request)
        try:
            reply = await self.attempt(request)
        except LeftOutError as error:
            if error.direct is None:
                raise
            return await error.direct.complete(request)
        except RefusedError:
            self.kept(key, True)
            raise
        self.kept(key, True)
        return reply

    async def attempt(self, request: Request) -> Reply:
        """The same, to be followed by :meth:`kept`; LeftOutError for what a direct call has to make."""
        return await self._desk().ask(request)

    def kept(self, key: str, stored: bool) -> None:
        """Say whether the reply to the request of that key was stored; until then its batch's files stay."""
        self._desk().kept(key, stored)

    def _desk(self) -> BatchDesk:
        here = _here.setdefault(asyncio.get_running_loop(), _OfLoop())
        known = here.of_model.get(id(self))
        if known is not None and known[0]() is self:
            return known[1]
        # Equal models gather together. The server is no part of the repr where the environment names it.
        key = (repr(self), self.server)
        if key not in here.desks:
            here.desks[key] = BatchDesk(self)
        here.of_model[id(self)] = ref(self), here.desks[key]
        return here.desks[key]


@dataclass(slots=True)
class _OfLoop:
    """The desks on one event loop, also by the identity of the models that used them: a repr takes long."""

    desks: dict[tuple[str, str], BatchDesk] = field(default_factory=dict)
    of_model: dict[int, tuple[ref[BatchModel], BatchDesk]] = field(default_factory=dict)


_here: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()


#: Seconds between two looks at a job that another process looks after.
_GLANCE = 2.0

#: How many batches may fail to make a request before it is given up.
_ROUNDS = 3

_logger = logging.getLogger(__name__)


class BatchDesk:
    """Gathers requests on one event loop, hands them to jobs, and each job's replies to who waits for them."""

    def __init__(self, batched: BatchModel) -> None:
        self.model, self.poll, self.fallback = batched.model, batched.poll, batched.fallback
        self._jobs = JobFolder(batched.folder)
        self._server = BatchServer(self.model, self.poll, batched.give_up_after)
        self._gatherer = Gatherer(
            self.model,
            batched.max_lines,
            batched.max_bytes,
            batched.quiet,
            send=lambda load: self._start(self._claim(load)),
            fail=lambda row, error: self._fail([row], error),
        )
        self._rows: dict[str, Row] = {}
        self._arriving: set[str] = set()
        self._door: Lock | None = None
        self._runs: dict[str, Run] = {}
        self._handed: dict[str, Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = Turns()

    async def ask(self, request: Request) -> Reply:
        """The reply, when the job that the request got into has brought it."""
        key = request_key(self.model.identity(), request)
        known = self._rows.get(key)
        row = known or Row(key, request)
        row.waiters += 1
        try:
            if known is None:
                self._rows[key] = row
                self._arrive(row)
            reply = await asyncio.shield(row.future)
        except ModelError as error:
            self._hand_out(row, isinstance(error, RefusedError))
            raise
        except BaseException:
            if row.waiters == 1:
                self._drop(row)
            raise
        else:
            self._hand_out(row, True)
            return reply
        finally:
            row.waiters -= 1

    def kept(self, key: str, stored: bool) -> None:
        """The reply that was handed out under this key was stored, or was not; only then may its job go."""
        if (run := self._handed.pop(key, None)) is not None:
            (run.take if stored else run.forget)(key)

    def _hand_out(self, row: Row, to_be_kept: bool) -> None:
        """The row has its answer; a reply's job waits until somebody has stored it."""
        if row.settled and row.run is not None:
            if to_be_kept:
                self._handed[row.key] = row.run
            else:
                row.run.take(row.key)

    def _drop(self, row: Row) -> None:
        """Nobody waits for the row any more, and nobody has its answer."""
        if not row.settled:
            self._rows.pop(row.key, None)
            self._gatherer.remove(row)
            self._arrived([row.key])
        if row.run is not None:
            row.run.forget(row.key)

    def _arrive(self, row: Row) -> None:
        self._arriving.add(row.key)
        if self._door is None:
            self._door = self._jobs.arriving()
        self._gatherer.add(row)

    def _arrived(self, keys: Iterable[str]) -> None:
        """These are in jobs now, or nowhere."""
        self._arriving.difference_update(keys)
        if self._door is not None and not self._arriving:
            self._door.close()
            self._door = None

    def _gather(self, rows: Iterable[Row]) -> None:
        """Send rows for which there is no job any more without waiting for others."""
        for row in list(rows):
            row.run = None
            self._arrive(row)
        self._gatherer.send_off()

    async def _claim(self, load: Load) -> None:
        """Find or make the jobs of these rows."""
        rows = {key: row for key, (row, _) in load.items()}
        lines = {key: line for key, (_, line) in load.items()}
        not_in = {key: row.not_in for key, row in rows.items() if row.not_in}
        try:
            claims = await asyncio.to_thread(self._jobs.claim, lines, self.model.server, self.model.name, not_in)
        except Exception as error:
            self._fail(rows.values(), error)
            return
        for claim in claims:
            self._join(claim, [row for key in claim.keys if self._rows.get(key) is (row := rows[key])])
        self._arrived(rows)

    def _join(self, claim: Claim, rows: list[Row]) -> None:
        run = self._runs.get(claim.job.id)
        if run is not None and run.ended:
            run = None  # its last row was cancelled, and so is its task
        if run is not None or not rows:
            claim.lock.close()
        if run is None and rows:
            run = self._runs[claim.job.id] = Run(claim)
            run.task = self._start(self._look_after(run))
            state = "gathered" if claim.new else "waited for again"
            _logger.info("%s: %s requests %s.", claim.job.id, f"{len(rows):,}", state)
        for row in rows:
            if run is not None:
                run.add(row)

    # Jobs

    async def _look_after(self, run: Run) -> None:
        try:
            if await self._has_results(run):
                while run.left:
                    await run.news.wait()  # new rows, or all have taken what they came for
                    run.news.clear()
                    rows, run.rows = run.rows, {}
                    if rows:
                        self._settle(run, rows, await asyncio.to_thread(outcomes, run.job, self.model, rows))
        except Exception as error:
            self._fail([row for row in self._rows.values() if row.run is run], error)
        finally:
            # No pause between the loop's last look at the rows and this, or one may join in vain.
            if self._runs.get(run.job.id) is run:
                del self._runs[run.job.id]
            run.lock.close()
        await asyncio.to_thread(self._jobs.tidy)

    async def _has_results(self, run: Run) -> bool:
        """Whether the job has results, by our doing or another process's; if not, its rows go elsewhere."""
        try:
            if await self._bring(run):
                return True
            self._gather(run.rows.values())
        except BatchFailedError as failure:
            self._after_failure(run, failure)
        return False

    async def _bring(self, run: Run) -> bool:
        """Whether the job has results now; it has none if another process saw it fail."""
        job = run.job
        while job.state.status is None:
            driver = job.drive()
            if driver is None:
                run.new = False
                await asyncio.sleep(min(_GLANCE, self.poll))
                job.reload()
                continue
            try:
                job.reload()
                if job.state.status is None:
                    async with self._turns.take():
                        await self._server.bring(job, run.new)
            finally:
                driver.close()
        return job.state.status != FAILED

    def _after_failure(self, run: Run, failure: BatchFailedError) -> None:
        """Send what can be sent in another batch; the rest of the rows end here."""
        rows, keys = run.rows, run.job.keys()
        code = failure.problems[0][0] if failure.problems else ""
        bad = {keys[n - 1]: (code, said) for code, said, n in failure.problems if n and n <= len(keys)}
        if code == "token_limit_exceeded":
            alone = not self._turns.under_way
            if alone and len(keys) == 1:
                return self._fail(rows.values(), RateLimitedError(str(failure)))
            if alone:
                self._gatherer.max_lines = min(self._gatherer.max_lines, len(keys) // 2)
            self._turns.one_by_one = True
            most = self._gatherer.max_lines
            _logger.info("%s Going on with one batch after the other, of at most %d.", failure, most)
        elif len(bad) < len(failure.problems) or not bad:
            spent = code in ("billing_hard_limit_reached", "insufficient_quota")
            message = str(failure)
            error = QuotaError(message) if spent else RejectedRequestError(message, status=400, code=code or None)
            return self._fail(rows.values(), error)
        else:
            _logger.info("%s Sending it again without %d lines.", failure, len(bad))
            for key, (code, said) in bad.items():
                message = f"{self.model.server} cannot read this request of a batch ({code}): {said}"
                self._fail([rows[key]] if key in rows else [], RejectedRequestError(message, status=400, code=code))
        return self._gather([row for key, row in rows.items() if key not in bad])

    # Answers

    def _settle(self, run: Run, rows: Mapping[str, Row], found: Mapping[str, Reply | DataflowError]) -> None:
        """Give each row its answer, or have it made where the batch has none."""
        anew: list[Row] = []
        directly = 0
        for key, row in rows.items():
            if self._rows.get(key) is not row:
                continue  # it was cancelled while the results were read
            outcome = found.get(key) or ServerFailedError(f"{run.job.state.batch_id} ended without this request.")
            if type(outcome) is RetryableError and row.rounds < _ROUNDS:
                anew.append(row)  # the request was not as the server wants it, and now is
            elif not isinstance(outcome, RetryableError) or run.job.state.status == "cancelled":
                self._end(row, outcome)
            elif self.fallback == "direct":
                directly += 1
                self._end(row, LeftOutError(str(outcome), direct=self.model))
            elif self.fallback == "batch" and row.rounds < _ROUNDS:
                anew.append(row)
            elif run.old and not row.rounds:
                anew.append(row)  # an earlier run's batch, which that run has rejected it for
            else:
                self._end(row, outcome)
        for some, how in ((len(anew), "another batch"), (directly, "direct calls, for the full price")):
            if some:
                _logger.info("Batch %s left out %d requests, made by %s.", run.job.state.batch_id, some, how)
        for row in anew:
            row.not_in, row.rounds = run.job.id, row.rounds + 1
            run.take(row.key)
        self._gather(anew)

    def _end(self, row: Row, outcome: Reply | Exception) -> None:
        """Give the row what its job came to."""
        if self._rows.get(row.key) is row:
            row.settled = True
            del self._rows[row.key]
            if isinstance(outcome, Reply):
                row.future.set_result(outcome)
            else:
                row.future.set_exception(outcome)

    def _fail(self, rows: Iterable[Row], error: Exception) -> None:
        """End the rows for a reason of all of them; what they have in a job stays there for the next run."""
        for row in list(rows):
            self._arrived([row.key])
            if self._rows.get(row.key) is row:
                del self._rows[row.key]
                # One error for all would collect the tracebacks of all.
                row.future.set_exception(copy.copy(error).with_traceback(None))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)  # the loop itself holds its tasks by weak references only
        task.add_done_callback(self._tasks.discard)
        return task
