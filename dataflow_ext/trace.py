"""A row's life: what went into each step and what came out of it, with what models were asked on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.engine import do_step
from dataflow_ext.errors import InputError
from dataflow_ext.estimates import EstimatingSession
from dataflow_ext.identity import PARENTS, ROW_ID, parent_of
from dataflow_ext.models import Model, Reply, Request, RequestCache, in_step
from dataflow_ext.models.held import models_in
from dataflow_ext.rejects import show, split
from dataflow_ext.report.parts import printable
from dataflow_ext.selection import keep

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

#: Letters of a value that are printed.
_LONG = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that a step made for a row: the model, the whole prompt, and the reply that was kept."""

    model: str
    prompt: str
    reply: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step as one row saw it: the columns it read and wrote of the row's kin, rejects, and calls of models."""

    step: int
    operator: str
    inputs: Sequence[Mapping[str, Any]]
    outputs: Sequence[Mapping[str, Any]]
    rejects: Sequence[Mapping[str, Any]] = ()
    asked: Sequence[Asked] = ()

    def __str__(self) -> str:
        lines = [f"{self.step}. {self.operator}"]
        for what, rows in (("in", self.inputs), ("out", self.outputs)):
            for row in rows:
                lines.append(f"  {what}  {row.get(ROW_ID, '')}".rstrip())
                lines += [f"        {name}: {_told(value)}" for name, value in row.items() if name != ROW_ID]
        for call in self.asked:
            lines += [f"  asked {call.model}", *_block(call.prompt), "  replied", *_block(call.reply)]
        for reject in self.rejects:
            lines.append(f"  {reject['kind']}: {reject['message']}")
        return "\n".join(printable(line) for text in lines for line in text.replace("\n", "\n          ").split("\n"))


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps that a row went through, from what came in to what became of it; printed, a text to read."""

    row_id: str
    steps: Sequence[TraceStep] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n\n".join([f"row {printable(self.row_id)}", *map(str, self.steps)])


def traced(pipeline: Sequence[Operator], tables: Sequence[pa.Table], row_id: str, cache: RequestCache | None) -> Trace:
    """The life of a row, which may be one of the end, one on the way, or a reject.

    Its kin are the rows that it was made of, and those that were made of it. Prompts and replies are those that
    ``cache`` has: the steps are done again for these rows, and no call is made.
    """
    kin = _kin(pipeline, tables, row_id)
    steps = []
    for number, operator in enumerate(pipeline, 1):
        before, after = _rows(tables[number - 1], kin[number - 1]), _rows(tables[number], kin[number])
        living, dead = split(after)
        here = [] if dead is None else [r for r in show(dead).to_pylist() if r["step"] == number]
        going_in = split(before)[0]
        if not going_in.num_rows and not living.num_rows and not here:
            continue
        reads = [operator.reads.get(name, name) for name in operator.needed_inputs()]
        writes = [operator.writes.get(name, name) for name in operator.promised_outputs()]
        steps.append(
            TraceStep(
                number,
                type(operator).__name__,
                _records(going_in, reads),
                _records(living, writes),
                here,
                _asked(operator, going_in, number, cache),
            )
        )
    return Trace(row_id, steps)


def _kin(pipeline: Sequence[Operator], tables: Sequence[pa.Table], row_id: str) -> list[set[str]]:
    """For each table the ids of the rows that the row was made of, is, or became."""
    row_id = _named(tables, row_id)
    at = next((n for n in reversed(range(len(tables))) if row_id in set(tables[n][ROW_ID].to_pylist())), None)
    if at is None:
        raise InputError(f"There is no row {row_id!r} in this run; rows are named by their row_id.")
    kin: list[set[str]] = [set() for _ in tables]
    kin[at] = {row_id}
    for number in range(at, 0, -1):
        known = set(tables[number - 1][ROW_ID].to_pylist())
        makers = (_made_of(pipeline[number - 1], tables[number], row, known) for row in kin[number])
        kin[number - 1] = {maker for found in makers for maker in found}
    for number in range(at + 1, len(tables)):
        kin[number] = _became(pipeline[number - 1], tables[number], kin[number - 1])
    return kin


def _named(tables: Sequence[pa.Table], name: str) -> str:
    """The row's id, if it is called by the last rows' own column ``id``, as some pages do."""
    last = tables[-1]
    if "id" not in last.column_names or not pa.types.is_string(last["id"].type):
        return name
    rows: list[str] = last.filter(pc.equal(last["id"], name))[ROW_ID].to_pylist()
    return rows[0] if rows else name


def _made_of(operator: Operator, after: pa.Table, row_id: str, known: set[str]) -> list[str]:
    """The ids of a row's makers in the table before."""
    if operator.rows == "whole" and PARENTS in after.column_names:
        row = after.filter(pc.equal(after[ROW_ID], row_id))
        parents = row[PARENTS].to_pylist()[0] if row.num_rows else None
        if parents is not None:
            return [parent for parent in parents if parent in known]
    # A reject keeps the id of the row that it was, also where others become several.
    if row_id in known:
        return [row_id]
    return [parent_of(row_id)] if parent_of(row_id) in known else []


def _became(operator: Operator, after: pa.Table, ids: set[str]) -> set[str]:
    """The ids of the rows that these became."""
    if operator.rows == "whole" and PARENTS in after.column_names:
        rows = zip(after[ROW_ID].to_pylist(), after[PARENTS].to_pylist(), strict=True)
        return {i for i, parents in rows if i in ids or not ids.isdisjoint(parents or ())}
    every = after[ROW_ID].to_pylist()
    return {i for i in every if i in ids or (operator.rows == "explode" and parent_of(i) in ids)}


def _rows(table: pa.Table, ids: set[str]) -> pa.Table:
    return keep(table, pc.is_in(table[ROW_ID], value_set=pa.array(sorted(ids), pa.string())))


def _records(table: pa.Table, names: Sequence[str]) -> list[dict[str, Any]]:
    there = [ROW_ID, *(name for name in dict.fromkeys(names) if name in table.column_names and name != ROW_ID)]
    made: list[dict[str, Any]] = table.select(there).to_pylist()
    return made


def _asked(operator: Operator, rows: pa.Table, number: int, cache: RequestCache | None) -> list[Asked]:
    """What the step asks of models for these rows, as far as the replies are kept."""
    if cache is None or not rows.num_rows or all(getattr(model, "local", False) for model in models_in(operator)):
        return []
    session = _Recalling(cache)
    with session, in_step(f"{number}. {type(operator).__name__}"):
        do_step(operator, rows, number)
    return session.recalled


class _Recalling(EstimatingSession):
    """A session that makes no call, and notes what is asked and which replies are kept."""

    def __init__(self, cache: RequestCache) -> None:
        super().__init__(cache)
        self.recalled: list[Asked] = []

    async def complete(self, model: Model, request: Request) -> Reply:
        reply = await super().complete(model, request)
        if not getattr(model, "local", False):
            parts = (request.system, request.prompt, *request.follow_up)
            self.recalled.append(Asked(str(model.name), "\n\n".join(part for part in parts if part), reply.text))
        return reply


def _told(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_bare)
    return text if len(text) <= _LONG else f"{text[:_LONG]}… ({len(text) - _LONG:,} more characters)"


def _bare(value: Any) -> str:
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)


def _block(text: str) -> Iterator[str]:
    yield from (f"    | {line}" for line in text.split("\n"))
