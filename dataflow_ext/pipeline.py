"""Running a pipeline, which is a plain list of operators."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

import pyarrow as pa

from dataflow_ext import parallel, progress
from dataflow_ext.checking import Preflight, check, one_input
from dataflow_ext.engine import RunSettings, do_step
from dataflow_ext.errors import OptionError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.identity import with_row_ids
from dataflow_ext.models import Budget, Prices, RequestCache, Session, in_step
from dataflow_ext.operator import Operator
from dataflow_ext.parallel.journal import journaling
from dataflow_ext.rejects import REJECT, first_rows
from dataflow_ext.report import Report, keep_figures, step_report
from dataflow_ext.result import Result
from dataflow_ext.store import StepStore
from dataflow_ext.streaming import ROWS_PER_PART, run_by_parts
from dataflow_ext.streaming.parts import Engine, Here
from dataflow_ext.streaming.result import StreamResult
from dataflow_ext.tables import TableLike, input_table
from dataflow_ext.tracebacks import Tracebacks, keeping, raising
from dataflow_ext.wiring import Wiring


@dataclass(frozen=True, slots=True)
class Ready:
    """What a run begins with: its rows, the proof that the steps fit, the two memories, and the steps' fingerprints.

    These are taken before the first step runs: what it does to values that a later one depends on is no change of
    these.
    """

    table: pa.Table
    wiring: Wiring
    store: StepStore
    cache: RequestCache
    marks: list[str | None]


def prepare(
    pipeline: Sequence[Operator],
    data: TableLike,
    cache_dir: str | Path | None,
    workers: int,
    limit: int | None,
    what: str,
) -> Ready:
    """Check the arguments that :func:`run` and ``estimate`` share (``what`` is one), and make what both begin with."""
    _must_be_counts(what, workers, limit)
    folder = None if cache_dir is None else Path(cache_dir)
    table = with_row_ids(first_rows(input_table(data), limit))
    wiring = check(pipeline, table.schema)
    store = StepStore(None if folder is None else folder / "steps")
    cache = RequestCache(None if folder is None else folder / "requests.sqlite")
    return Ready(table, wiring, store, cache, store.fingerprints(pipeline))


def _must_be_counts(what: str, workers: int, limit: int | None) -> None:
    if workers < 1 or (limit is not None and limit < 0):
        raise OptionError(f"{what} needs workers ≥ 1 and limit ≥ 0, got workers={workers}, limit={limit}.")


class RunOptions(TypedDict, total=False):
    """The options of :func:`run` that mean the same in memory and by parts."""

    cache_dir: str | Path | None
    workers: int
    limit: int | None
    fresh: bool
    listener: progress.Listener | None
    session: Session | None
    budget: Budget | str | None
    prices: Prices | str | Path | None
    preflight: bool
    on_error: Literal["reject", "raise"]


@overload
def run(
    pipeline: Sequence[Operator], data: TableLike, *, out: None = None, **options: Unpack[RunOptions]
) -> Result: ...
@overload
def run(
    pipeline: Sequence[Operator],
    data: Any,
    *,
    out: str | Path,
    rows_per_part: int = ROWS_PER_PART,
    keep_steps: Sequence[int | str] = (),
    engine: Literal["local", "ray"] | Engine = "local",
    **options: Unpack[RunOptions],
) -> StreamResult: ...
def run(
    pipeline: Sequence[Operator],
    data: Any,
    *,
    out: str | Path | None = None,
    rows_per_part: int = ROWS_PER_PART,
    keep_steps: Sequence[int | str] = (),
    engine: Literal["local", "ray"] | Engine = "local",
    cache_dir: str | Path | None = None,
    workers: int = 1,
    limit: int | None = None,
    fresh: bool = False,
    listener: progress.Listener | None = None,
    session: Session | None = None,
    budget: Budget | str | None = None,
    prices: Prices | str | Path | None = None,
    preflight: bool = True,
    on_error: Literal["reject", "raise"] = "reject",
) -> Result | StreamResult:
    """Run a pipeline; every input row comes out in ``result.table`` or in ``result.rejects``.

    ``data`` is a table, a data frame, a list of dicts or a file, or several of them by name: the steps begin with the
    first, and ``Join(other=NAME)`` takes another. With ``cache_dir`` finished steps and
    model replies are remembered there, so that a run that was stopped goes on where it was; ``fresh``
    makes everything anew. ``workers`` spreads steps that are worth it over processes. ``budget`` (``"5usd"``,
    ``"2Mtok"``) is the most that may be spent on models, at ``prices`` (a table or its file); rows beyond it
    are rejects, which another run makes good. ``session`` replaces the model session (request cache, gate,
    budget, counters) that the run would open for itself. Before the first step that has to be done, keys,
    servers and packages are checked, and :class:`NotReadyError` tells what is missing; without ``preflight``
    rows fail when it comes to them. ``listener`` hears of the progress; without one notebooks show it, and a script
    tells on stderr what it waits for, if it does for long. With
    ``on_error="raise"`` a step in which rows failed ends the run with :class:`RowFailed`, which names step, operator
    and the first such row, and whose cause is its error.

    With ``out``, a folder, rows flow through in parts of ``rows_per_part`` rows (of fewer where these come to more
    than 256 MB), so that they need not fit into memory; see docs/streaming.md. ``data`` may then be a folder of
    tables, a data set of pyarrow's, a reader, a generator, a lazy frame or a data set of Hugging Face's, too. The
    result is a :class:`StreamResult`, whose rows lie in ``out``; every part is remembered there, and steps in
    ``keep_steps`` (numbers, or operators' names) keep their rows to look at. With ``engine="ray"`` the parts are made
    by the machines of a Ray cluster, see docs/ray.md; a :class:`~dataflow_ext.ray_engine.RayEngine` says how.
    """
    pipeline, data = one_input(pipeline, data)
    if on_error not in ("reject", "raise"):
        raise OptionError(f"on_error is {on_error!r}; it is 'reject' or 'raise'.")
    if cache_dir is not None and Path(cache_dir).is_file():
        raise OptionError(f"cache_dir is a folder for what is remembered, but {cache_dir} is a file; name a folder.")
    if session is not None and (budget is not None or prices is not None):
        raise OptionError("A session brings its own budget and prices; give these to Session(…).")
    if engine != "local" and out is None:
        raise OptionError("A run on an engine of its own goes by parts: name the folder for them with out=.")
    prices = Prices(prices) if isinstance(prices, (str, Path)) else prices
    listener = progress.by_default() if listener is None else listener
    settings = RunSettings(workers, limit, fresh, listener, Preflight(pipeline) if preflight else None)
    tracebacks = Tracebacks(raising=on_error == "raise")
    if out is None:
        with keeping(tracebacks):
            ready = prepare(pipeline, data, cache_dir, workers, limit, "run")
        own = session or Session(ready.cache, fresh=fresh, budget=budget, prices=prices)
        with running(own, settings, tracebacks):
            return in_memory(pipeline, ready, own, settings, tracebacks)
    _must_be_counts("run", workers, limit)
    memory = Path(cache_dir) if cache_dir is not None else Path(out) / RUN_FOLDER
    own = session or Session(RequestCache(memory / "requests.sqlite"), fresh=fresh, budget=budget, prices=prices)
    makers = _engine(engine)
    with running(own, settings, tracebacks):
        return run_by_parts(
            pipeline, data, Path(out), own, settings, tracebacks, makers,
            rows_per_part=rows_per_part, keep_steps=keep_steps,
        )  # fmt: skip


def _engine(engine: str | Engine) -> Engine:
    if engine == "local":
        return Here()
    if engine == "ray":
        from dataflow_ext.ray_engine import RayEngine

        return RayEngine()
    if isinstance(engine, str) or not hasattr(engine, "opened"):
        raise OptionError(f"engine is {engine!r}; it is 'local', 'ray' or a RayEngine.")
    return engine


@contextmanager
def running(session: Session, settings: RunSettings, tracebacks: Tracebacks) -> Iterator[Tracebacks]:
    """What all steps of a run, or of an estimate, have in common."""
    listener = settings.listener
    if listener is not None:
        listener.watch(session.line)
    with (
        session,
        parallel.workers(settings.workers),
        progress.listening(listener),
        keeping(tracebacks),
        seldom_collecting(),
    ):
        yield tracebacks


def in_memory(
    pipeline: Sequence[Operator], ready: Ready, session: Session, settings: RunSettings, tracebacks: Tracebacks
) -> Result:
    """Every step of all rows, one after the other."""
    report = Report(warnings=list(ready.wiring.warnings), wiring=ready.wiring.steps)
    tables = [ready.table]
    for number, (operator, mark) in enumerate(zip(pipeline, ready.marks, strict=True), 1):
        tracebacks.step = f"{number}. {operator.step_name}"
        tables.append(_run_step(operator, number, tables[-1], ready.store, mark, settings, report))
    keep_figures(report, session, tables[-1])
    report.tracebacks = tracebacks.kept
    return Result(list(pipeline), tables, report, ready.store, settings.workers, session, ready.marks)


def _run_step(
    operator: Operator,
    number: int,
    table: pa.Table,
    store: StepStore,
    mark: str | None,
    settings: RunSettings,
    report: Report,
) -> pa.Table:
    name = f"{number}. {operator.step_name}"
    rows = table[REJECT].null_count if REJECT in table.column_names else table.num_rows
    with settings.telling(name, rows) as notes:
        began = time.perf_counter()
        key = store.key(operator, number, table, mark)
        made = None if settings.fresh else store.load(key)
        if made is not None and raising() and step_report(number, name, table, made, 0.0, True).failed:
            made = None  # it is done again for the sake of its error
        remembered = made is not None
        if made is None:
            settings.before(number)
            with in_step(name), journaling(store.journal(key, settings.fresh)):
                made = do_step(operator, table, number, settings.workers)
            store.save(key, made, number)
        took = time.perf_counter() - began
        report.steps.append(step_report(number, operator.step_name, table, made, took, remembered))
        notes.append(report.steps[-1].note())
    return made
