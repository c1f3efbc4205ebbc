"""Streamed runs on the machines of a Ray cluster: each part is a task, and one actor makes all calls to models.

The parts, their files and their names are those of a run on one machine, so that either goes on where the other
stopped. What passes through Ray are a source's rows on their way in, and what was found out about parts; tasks read and
write the parts themselves, in a folder that all machines see.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from dataflow_ext import __version__, parallel
from dataflow_ext.errors import DataflowError, InputError, OptionError, PieceError, WorkerDied
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.models.budget import Cost, Ledger
from dataflow_ext.models.gate.retry import GRACE
from dataflow_ext.models.session import Session
from dataflow_ext.models.session_process import Desk, DeskSession, write_state
from dataflow_ext.operator import Operator
from dataflow_ext.packages import install_hint
from dataflow_ext.parallel.child import share
from dataflow_ext.parallel.wire import Limits, heard, told
from dataflow_ext.streaming.parts import Part, PartJob
from dataflow_ext.tracebacks import Tracebacks, keeping, raising, take

T = TypeVar("T")
R = TypeVar("R")

#: How often a part is begun again whose process was killed; one that kills each of its processes ends the run.
_TRIES = 5
#: Calls that may wait at the desk: a batch is gathered there, and holds at most as many.
_AT_THE_DESK = 50_000
#: Seconds between two looks at the figures while parts are waited for.
_LOOK = 0.5


@dataclass(frozen=True)
class RayEngine:
    """Where parts are made: by the cluster at ``address``, else by one that runs here already, else by one of its own.

    ``options`` are Ray's for the tasks in which a step is done, by its operator's name: ``{"DocumentReader":
    {"num_gpus": 1}}``. A task has as many processors as the run has ``workers``.
    """

    address: str | None = None
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @contextmanager
    def opened(
        self, session: Session, pipeline: Sequence[Operator], folder: Path, workers: int
    ) -> Iterator[_OnCluster]:
        """The cluster, with a desk for the session's calls, for as long as a run lasts."""
        names = [step.step_name for step in pipeline]
        if unknown := sorted(set(self.options) - set(names)):
            raise OptionError(f"RayEngine has options for {', '.join(unknown)}; the steps are {', '.join(names)}.")
        with self._connected() as ray, _desk(ray, session, folder) as desk:
            here = ray.get_runtime_context().get_node_id()
            nodes = [n for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU")]
            _must_see(ray, [n for n in nodes if n["NodeID"] != here], _places(pipeline, folder))
            each = max(1, round(sum(n["Resources"]["CPU"] for n in nodes) / max(1, len(nodes)) / workers))
            has_cache = session.cache is not None
            setup = _Setup(desk, str(Path.cwd()), has_cache, session.fresh, raising(), logging.getLogger().level, each)
            client = _client(setup)
            made = _OnCluster(ray, setup, session, client, self.options, workers)
            with client, parallel.spreading_over(_Pool(made)):
                yield made

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise OptionError(f"engine='ray' needs Ray: {install_hint('ray')}") from None
        if ray.is_initialized():
            yield ray
            return
        main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGTERM) if main else None
        try:
            ray.init(address=self.address, logging_level=logging.WARNING)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InputError(f"There is no Ray cluster at {self.address or 'RAY_ADDRESS'}: {error}") from None
        finally:
            if before is not None:  # Ray puts its own in its place
                signal.signal(signal.SIGTERM, before)
        try:
            yield ray
        finally:
            ray.shutdown()


@contextmanager
def _desk(ray: Any, session: Session, folder: Path) -> Iterator[Any]:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    state = folder / "desk.state"
    write_state(state, Cost() if session.purse is None else session.purse.spent, Cost(), session.ledger)
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    made = ray.remote(Desk).options(
        num_cpus=0, max_restarts=-1, max_task_retries=-1, max_concurrency=_AT_THE_DESK, scheduling_strategy=here
    )
    desk = made.remote(session, state, str(Path.cwd()))
    stopped = False
    try:
        yield desk
    except BaseException as error:
        stopped = not isinstance(error, Exception)
        raise
    finally:
        with suppress(ray.exceptions.RayError):
            ray.get(desk.close.remote(stopped), timeout=GRACE + 5)
        ray.kill(desk)
        state.unlink(missing_ok=True)


# Workers: what a task does, in a process that Ray started.


@dataclass(frozen=True)
class _Setup:
    """What all tasks of a run have in common; ``sharers`` of them are on a machine at one time."""

    desk: Any
    folder: str
    cached: bool
    fresh: bool
    raising: bool
    level: int
    sharers: int


class _Line:
    """The desk is an actor."""

    def __init__(self, desk: Any) -> None:
        self._desk = desk

    async def later(self, method: str, *values: Any) -> bytes:
        """What the method gave, awaited."""
        made: bytes = await getattr(self._desk, method).remote(*values)
        return made

    def now(self, method: str, *values: Any) -> bytes:
        """What the method gave, waited for."""
        import ray

        made: bytes = ray.get(getattr(self._desk, method).remote(*values))
        return made


def _client(setup: _Setup) -> DeskSession:
    return DeskSession(_Line(setup.desk), setup.cached, setup.fresh)


def _task(setup: _Setup, workers: int, function: Callable[..., Any], *values: Any) -> bytes:
    """What a function makes, with the traces and the figures of local models that came about; or its error."""
    # Ray ends the tasks of a lost driver by a signal, of which it makes an error where the row is: no row's fault.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.chdir(setup.folder)
    logging.getLogger().setLevel(setup.level)
    share(setup.sharers)
    session, tracebacks = _client(setup), Tracebacks(setup.raising)
    try:
        with session, parallel.workers(workers), keeping(tracebacks), seldom_collecting():
            made = function(*values)
    except Exception as error:
        return told(False, error)
    return told(True, (made, tracebacks.kept, session.ledger.entries()))


def _piece(function: Callable[[Any], Any], piece: Any, limits: Limits) -> Any:
    if limits == Limits():
        return function(piece)
    return next(parallel.guarded(function, [piece], limits))


@cache
def _remote() -> Any:
    import ray

    return ray.remote(_task)


class _OnCluster:
    """The cluster as it makes a run's parts."""

    def __init__(
        self, ray: Any, setup: _Setup, session: Session, client: DeskSession,
        options: Mapping[str, Mapping[str, Any]], workers: int,
    ) -> None:  # fmt: skip
        self._ray, self._setup, self._session, self._client = ray, ray.put(setup), session, client
        self._desk, self._options, self._each = setup.desk, options, workers
        self._about: dict[Any, str] = {}
        self._local = Ledger()
        self._looked = time.monotonic()

    @property
    def workers(self) -> int:
        """How many tasks of one processor the cluster can do at one time."""
        return max(2, int(self._ray.cluster_resources().get("CPU", 1)))

    def parts(self, todo: Iterable[Part | PartJob]) -> Iterator[Part]:
        """The parts in their order; tasks for twice as many as there is room for are under way."""
        most = 2 * max(1, self.workers // self._each)
        waiting: deque[Any] = deque()
        running: set[Any] = set()
        try:
            # Not in a loop over jobs, whose variable would hold a part's rows.
            for part in map(self._begun, todo):
                waiting.append(part)
                if not isinstance(part, Part):
                    running.add(part)
                while len(running) >= most:
                    self._wait(running)
                while waiting and (isinstance(waiting[0], Part) or waiting[0] not in running):
                    yield self._done(waiting.popleft())
            while waiting:
                while not isinstance(waiting[0], Part) and waiting[0] in running:
                    self._wait(running)
                yield self._done(waiting.popleft())
        finally:
            for task in waiting:
                if not isinstance(task, Part):
                    self._ray.cancel(task, force=True)
            self._learn()

    def submit(self, function: Callable[..., Any], *values: Any, **options: Any) -> Any:
        """A task in which a function is called."""
        return _remote().options(**options).remote(self._setup, 1, function, *values)

    def outcome(self, task: Any) -> Any:
        """What the function made, when it has; WorkerDied is raised if it killed its processes."""
        errors = self._ray.exceptions
        try:
            told = self._ray.get(task)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            raise WorkerDied(f"its process was killed ({type(error).__name__})") from None
        except errors.RayTaskError as error:
            raise DataflowError(f"A task could not begin: {error}") from None
        made, traces, entries = heard(told)
        take(traces)
        self._local.add(entries)
        return made

    def _begun(self, job: Part | PartJob) -> Any:
        """A task for the job, unless it is done or next to nothing."""
        if isinstance(job, Part):
            return job
        if not job.steps:
            return job.make()
        options: dict[str, Any] = {"num_cpus": self._each, "max_retries": _TRIES}
        for step in job.steps:
            for name, value in self._options.get(step.step_name, {}).items():
                options[name] = max(value, options[name]) if name in options else value
        task = _remote().options(**options).remote(self._setup, self._each, job.make)
        first = job.stretch.numbers[job.skipped]
        self._about[task] = f"Part {job.number + 1} of step {first} ({type(job.steps[0]).__name__}) and those after it"
        return task

    def _wait(self, running: set[Any]) -> None:
        done, _ = self._ray.wait(list(running), timeout=_LOOK, fetch_local=False)
        running.difference_update(done)
        if time.monotonic() - self._looked > _LOOK:
            self._learn()

    def _done(self, part: Any) -> Part:
        if isinstance(part, Part):
            return part
        about = self._about.pop(part)
        try:
            made: Part = self.outcome(part)
        except WorkerDied as error:
            raise error.about(about) from None
        return made

    def _learn(self) -> None:
        """Take over the desk's figures, and those of local models in the tasks."""
        self._looked = time.monotonic()
        with suppress(self._ray.exceptions.RayError):
            spent, entries = self._ray.get(self._desk.figures.remote(), timeout=GRACE)
            ledger = Ledger()
            for each in (entries, self._local.entries(), self._client.ledger.entries()):
                ledger.add(each)
            self._session.ledger = ledger
            if self._session.purse is not None:
                self._session.purse.spent = spent


class _Pool:
    """The cluster as the processes to which a step that looks at all rows gives pieces of work."""

    at_once, started = False, False

    def __init__(self, cluster: _OnCluster) -> None:
        self._cluster, self.count = cluster, cluster.workers

    def map(
        self, function: Callable[[T], R], pieces: Iterable[T], limits: Callable[[T], Limits], tries: int = 2
    ) -> Iterator[R | PieceError]:
        """As :class:`~dataflow_ext.parallel.Workers` has it."""
        waiting: deque[Any] = deque()
        for piece in pieces:
            waiting.append(self._cluster.submit(_piece, function, piece, limits(piece), max_retries=tries - 1))
            if len(waiting) >= 3 * self.count:
                yield self._outcome(waiting.popleft())
        while waiting:
            yield self._outcome(waiting.popleft())

    def _outcome(self, task: Any) -> Any:
        try:
            return self._cluster.outcome(task)
        except WorkerDied as error:
            return error

    def close(self) -> None:
        """What is under way ends with the run."""


# Folders that all machines have to see.


def _places(pipeline: Sequence[Operator], folder: Path) -> list[Path]:
    """The run's folder, the working directory, and whatever the steps' options name."""
    named = (value for step in pipeline for name in type(step).model_fields for value in [getattr(step, name)])
    return [Path.cwd(), folder, *(value for value in named if isinstance(value, Path))]


def _must_see(ray: Any, nodes: Sequence[Mapping[str, Any]], places: Sequence[Path]) -> None:
    """Raise :class:`InputError` for a folder that is not the same on all of these machines."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    if not nodes:
        return
    marks = [mark for mark in map(_mark, places) if mark is not None]
    try:
        look = ray.remote(num_cpus=0)(_unseen)
        for node in nodes:
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            version, unseen = ray.get(look.options(scheduling_strategy=there).remote(marks))
            name = node.get("NodeName", node["NodeID"])
            if version != __version__:
                raise InputError(f"{name} has version {version} of this library, and here is {__version__}.")
            if unseen:
                raise InputError(
                    f"{name} does not see {', '.join(map(str, unseen))} as this machine does; put the folders of a run "
                    "where all machines see them under the same path."
                )
    finally:
        for mark in marks:
            mark.unlink(missing_ok=True)


def _mark(place: Path) -> Path | None:
    """A file by which others see that a folder, or the one it will be in, is this one; None where none can be put."""
    folder = place.absolute()
    while not folder.is_dir():
        folder = folder.parent
    mark = folder / f".seen-{secrets.token_hex(8)}"
    try:
        mark.touch()
    except OSError:
        return None
    return mark


def _unseen(marks: Sequence[Path]) -> tuple[str, list[Path]]:
    return __version__, [mark.parent for mark in marks if not mark.exists()]
