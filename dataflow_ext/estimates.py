"""What a run would ask of models and what that would cost, found from the real prompts without asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import progress
from dataflow_ext.checking import one_input
from dataflow_ext.engine import RunSettings
from dataflow_ext.identity import ROW_ID
from dataflow_ext.models import Model, NotAskedError, Prices, Reply, Request, RequestCache, Session
from dataflow_ext.models.budget import Usage
from dataflow_ext.models.request import FullModel, models_in
from dataflow_ext.operator import Operator
from dataflow_ext.pipeline import in_memory, prepare, running
from dataflow_ext.store import StepStore
from dataflow_ext.tables import TableLike
from dataflow_ext.tracebacks import Tracebacks

_HOW_EXACT = (
    "Prompt tokens are bytes / 4, within about a tenth; completion tokens are what the operator expects, else the "
    "mean of remembered replies, else 256; retries, repairs and cheaper cached prompts are left out."
)


@dataclass(frozen=True, slots=True)
class Calls:
    """What one step asks of one model.

    Of ``requests``, ``remembered`` have a stored reply and ``to_ask`` would be sent; the others are the same
    as one of those. Tokens and ``usd`` are those of ``to_ask``; ``usd`` is None if no price is known.
    """

    step: str
    model: str
    requests: int = 0
    remembered: int = 0
    to_ask: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would ask of models: ``calls`` by step and model; ``str()`` of it is a small table.

    ``notes`` are sentences on what could not be counted.
    """

    calls: Sequence[Calls]
    notes: Sequence[str] = ()

    @property
    def total(self) -> Calls:
        """The sums over all steps and models."""
        known = [each.usd for each in self.calls if each.usd is not None]
        counts = {
            field.name: sum(getattr(each, field.name) for each in self.calls)
            for field in fields(Calls)
            if field.name not in ("step", "model", "usd")
        }
        return Calls("total", "", **counts, usd=sum(known) if len(known) == len(self.calls) else None)

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain values, for JSON."""
        return {
            "calls": [asdict(each) for each in self.calls],
            "total": asdict(self.total),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        if not self.calls:
            return "\n".join(["No model would be asked anything that costs.", *self.notes])
        heads = [field.name.replace("_", " ") for field in fields(Calls)]
        lines = [heads, *(_cells(each) for each in (*self.calls, self.total))]
        widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
        table = [_aligned(line, widths) for line in lines]
        return "\n".join([*table, _HOW_EXACT, *self.notes])


def estimate(
    pipeline: Sequence[Operator],
    data: TableLike,
    *,
    cache_dir: str | Path | None = None,
    limit: int | None = None,
    workers: int = 1,
    prices: Prices | str | Path | None = None,
    fresh: bool = False,
    listener: progress.Listener | None = None,
) -> Estimate:
    """What :func:`~dataflow_ext.run` would ask of models with the same arguments; no call is made.

    The steps are done for real, up to the calls: what ``cache_dir`` remembers counts as had, and steps that
    need no reply are remembered there for the run. Rows that wait for a reply go no further, so that what
    later steps would ask about them is not counted, and the estimate says so. Prices are ``prices`` or list
    prices; a batch model's are those of the Batch API.
    """
    pipeline, data = one_input(pipeline, data)
    # What leaves files behind does so for its own sake, and an estimate must not.
    steps = list(takewhile(lambda step: step.remembered or step.outputs, pipeline))
    ready = prepare(pipeline, data, cache_dir, workers, limit, "estimate")
    prices = Prices(prices) if isinstance(prices, str | Path) else prices
    session = EstimatingSession(ready.cache, fresh=fresh, prices=prices)
    ready = replace(ready, store=_TrueStore(ready.store, session), marks=ready.marks[: len(steps)])
    settings = RunSettings(workers, limit, fresh, listener, None)
    with running(session, settings, Tracebacks()) as tracebacks:
        made = in_memory(steps, ready, session, settings, tracebacks)
    calls = _calls(session)
    asked = {names[0] for names in session.ledger.entries() if session.calls(*names)}
    notes = [_waiting(pipeline, n, made.rejects) for n, op in enumerate(steps, 1) if f"{n}. {op.step_name}" in asked]
    if unpriced := {each.model: None for each in calls if each.usd is None}:
        notes.append(f"No price is known for {', '.join(unpriced)}; prices can be given by model name.")
    return Estimate(calls, notes)


class _TrueStore(StepStore):
    """The memory of an estimate's steps: what was made without a reply is nothing that a run would make."""

    def __init__(self, store: StepStore, session: EstimatingSession) -> None:
        super().__init__(store.folder)
        self._session = session

    def journal(self, key: str, fresh: bool = False) -> None:
        """None: a run keeps one of its own."""

    def save(self, key: str, table: pa.Table, number: int) -> None:
        """Remember the output of a step while no reply was missing: what goes in here goes in in a run, too."""
        if not self._session.not_asked:
            super().save(key, table, number)


def _calls(session: EstimatingSession) -> list[Calls]:
    return [
        Calls(
            step, model, used.requests, used.cached, session.calls(step, model),
            used.prompt_tokens, used.completion_tokens, used.usd,
        )
        for (step, model), used in session.ledger.entries().items()
        if not used.local
    ]  # fmt: skip


def _waiting(pipeline: Sequence[Operator], number: int, rejects: pa.Table) -> str:
    """The sentence on what a step without its replies leaves uncounted."""
    here = f"step {number} ({type(pipeline[number - 1]).__name__})"
    mine = pc.and_(pc.equal(rejects["step"], number), pc.equal(rejects["error"], NotAskedError.__name__))
    rows = pc.count_distinct(rejects.filter(mine)[ROW_ID]).as_py()
    later = [f"{n} ({type(op).__name__})" for n, op in enumerate(pipeline, 1) if n > number and _asks(op)]
    wait = f"{rows:,} row{' waits' if rows == 1 else 's wait'} for replies at {here}"
    if not rows:
        wait = f"At {here} no row waits for the replies that are missing"
    if not later:
        return f"{wait}; no later step asks a model."
    return f"{wait}; what step{'s' if len(later) > 1 else ''} {', '.join(later)} would then ask is not counted."


def _asks(operator: Operator) -> bool:
    """Whether an option of the operator holds a model that is not local."""
    return any(not FullModel(model).local for model in models_in(operator))


def _cells(calls: Calls) -> list[str]:
    usd = "?" if calls.usd is None else f"{calls.usd:,.2f}" if calls.usd >= 1 else f"{calls.usd:.4f}"
    counts = (calls.requests, calls.remembered, calls.to_ask, calls.prompt_tokens, calls.completion_tokens)
    return [calls.step, calls.model, *(f"{count:,}" for count in counts), usd]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    """Names to the left, figures to the right."""
    cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
    return "  ".join(cells).rstrip()


class EstimatingSession(Session):
    """A session whose ledger holds, in place of calls made, those that a real one would make.

    Replies that are remembered are given as ever. A call that would have to be made adds the tokens that it
    is expected to take, at their price, once for identical requests, and fails with
    :class:`~dataflow_ext.models.errors.NotAskedError`. Nothing is stored. ``not_asked`` counts these failures.
    """

    def __init__(self, cache: RequestCache | None = None, *, fresh: bool = False, prices: Prices | None = None) -> None:
        super().__init__(cache, fresh=fresh, prices=prices)
        self.not_asked = 0
        self._asked: set[str] = set()
        self._calls: Counter[tuple[str, str]] = Counter()

    def calls(self, step: str, model: str) -> int:
        """How many calls that step would make to that model, as the ledger names both."""
        return self._calls[step, model]

    async def _fetch(self, here: Any, model: Model, request: Request, key: str, usage: Usage) -> Reply:
        self.not_asked += 1
        if key not in self._asked:
            self._asked.add(key)
            expected = self.forecast.expected(model, request)
            usage.paid(expected, self._price(model, expected))
            entry = next(names for names, each in self.ledger.entries().items() if each is usage)
            self._calls[entry] += 1
        raise NotAskedError("An estimate counted this call and did not make it.")

    def _note(self) -> None:
        """Leave no trace in the cache's record of sessions, for this is none."""
