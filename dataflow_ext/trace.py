"""A row's life: what went into each step and what came out of it, with what models were asked on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.columns import is_list
from dataflow_ext.engine import do_step
from dataflow_ext.estimates import EstimatingSession
from dataflow_ext.fingerprint.content import table_hash
from dataflow_ext.identity import PARENTS, ROW_ID, parent_of
from dataflow_ext.models import Model, Reply, Request, RequestCache, in_step
from dataflow_ext.models.request import models_in
from dataflow_ext.rejects import REJECT, show, split
from dataflow_ext.report.parts import printable
from dataflow_ext.report.rejects import spelled
from dataflow_ext.selection import keep
from dataflow_ext.well_formed import short

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
    """A step as one row saw it: the columns it read and wrote of the row's kin, rejects, and calls of models.

    ``asked`` is None where models may have been asked and nobody looked.
    """

    step: int
    operator: str
    inputs: Sequence[Mapping[str, Any]]
    outputs: Sequence[Mapping[str, Any]]
    rejects: Sequence[Mapping[str, Any]] = ()
    asked: Sequence[Asked] | None = ()

    def __str__(self) -> str:
        lines = [f"{self.step}. {self.operator}", *_told("in", self.inputs), *_told("out", self.outputs)]
        for call in self.asked or ():
            lines += [f"  asked {call.model}", *_block(call.prompt), "  replied", *_block(call.reply)]
        for reject in self.rejects:
            lines.append(f"  {reject['kind']}: {reject['message']}")
        return _printed(lines)


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps that a row went through, from what came in to what became of it; printed, a text to read.

    ``source`` has the rows of the input that it comes from, in those columns that no step of it read.
    """

    row_id: str
    steps: Sequence[TraceStep] = field(default_factory=list)
    source: Sequence[Mapping[str, Any]] = ()

    def __str__(self) -> str:
        source = [_printed(["0. what else came in", *_told("in", self.source)])] if any(map(_own, self.source)) else []
        return "\n\n".join([f"row {printable(self.row_id)}", *source, *map(str, self.steps)])


def _own(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """A row's values, without its id."""
    return [(name, value) for name, value in row.items() if name != ROW_ID]


def _told(what: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of rows that went in or came out."""
    for row in rows:
        yield f"  {what}  {row.get(ROW_ID, '')}".rstrip()
        yield from (f"        {name}: {short(spelled(value), _LONG)}" for name, value in _own(row))


def _printed(lines: Sequence[str]) -> str:
    """The lines as one text, whose own lines stand under their beginning and steer no terminal."""
    return "\n".join(printable(line) for text in lines for line in text.replace("\n", "\n          ").split("\n"))


def traces(
    pipeline: Sequence[Operator],
    tables: Sequence[pa.Table],
    names: Iterable[str],
    cache: RequestCache | None,
    calls: int | None = None,
    items: int | None = None,
    rows: Callable[[int, set[str]], pa.Table] | None = None,
) -> dict[str, Trace]:
    """The lives of rows, which may be ones of the end, on the way, or rejects, by what they were asked for as.

    A row is named by its ``row_id``, or by a column ``id`` of its own, as some pages do; names of no row are left out.
    Its kin are the rows that it was made of, and those that were made of it. Prompts and replies are those that
    ``cache`` has: the steps are done again for these rows, and no call is made. As that may take long, ``calls`` bounds
    the rows that have them, and ``items`` the items of a list, whose last one then tells how many there are. Where
    ``tables`` have ids alone, ``rows`` gives those of a table with all their columns.
    """
    found = _found(tables, list(names))
    # Tables may be long: what has nothing to do with any of these rows is left out once for all of them.
    every = _kin(pipeline, tables, found.values())
    read = rows or (lambda number, ids: _rows(tables[number], ids))
    some = [read(number, ids) for number, ids in enumerate(every)]
    asking = {
        number
        for number, operator in enumerate(pipeline, 1)
        if cache is not None and not all(getattr(model, "local", False) for model in models_in(operator))
    }
    made: dict[str, Trace] = {}
    # Rows share their kin, as all questions of a book its blocks: these become records once.
    numbered = enumerate(pipeline, 1) if found else ()
    steps = [_step(number, each, some, number in asking, items) for number, each in numbered]
    slim = [_columns(table, [PARENTS]) for table in some]
    for at, (name, place) in enumerate(found.items()):
        kin = _kin(pipeline, slim, [place])
        made[name] = _traced(steps, some[0], kin, place[1], cache if calls is None or at < calls else None, items)
    return made


class _Rows:
    """Records of rows, in their order, by the ids of these."""

    def __init__(self, records: Sequence[Mapping[str, Any]]) -> None:
        self._records = records
        self._places: dict[str, list[int]] = {}
        for place, record in enumerate(records):
            self._places.setdefault(record[ROW_ID], []).append(place)

    def of(self, ids: Iterable[str]) -> list[Mapping[str, Any]]:
        """The records of these rows."""
        return [self._records[place] for place in sorted(p for row_id in ids for p in self._places.get(row_id, ()))]


@dataclass(frozen=True, slots=True)
class _Step:
    """A step, and the records of all rows looked at that it read, wrote and rejected; ``before`` are those it read."""

    number: int
    operator: Operator
    asking: bool
    before: pa.Table
    inputs: _Rows
    outputs: _Rows
    rejects: _Rows


def _step(number: int, operator: Operator, tables: Sequence[pa.Table], asking: bool, items: int | None) -> _Step:
    reads = [operator.reads.get(name, name) for name in operator.needed_inputs()]
    writes = [operator.writes.get(name, name) for name in operator.promised_outputs()]
    before, after = tables[number - 1], tables[number]
    living, dead = split(_columns(after, writes))
    here = [] if dead is None else [reject for reject in show(dead).to_pylist() if reject["step"] == number]
    going_in = split(before if asking else _columns(before, reads))[0]
    inputs, outputs = _Rows(_records(going_in, reads, items)), _Rows(_records(living, writes, items))
    return _Step(number, operator, asking, going_in, inputs, outputs, _Rows(here))


def _traced(
    steps: Sequence[_Step],
    source: pa.Table,
    kin: Sequence[set[str]],
    row_id: str,
    cache: RequestCache | None,
    items: int | None,
) -> Trace:
    came, unread = split(_rows(source, kin[0]))
    made = [] if unread is None or not unread.num_rows else [TraceStep(0, "input", (), (), show(unread).to_pylist())]
    for step in steps:
        read, wrote = step.inputs.of(kin[step.number - 1]), step.outputs.of(kin[step.number])
        rejects = step.rejects.of(kin[step.number])
        asked: Sequence[Asked] | None = ()
        if step.asking and read:
            asked = _asked(step.operator, _rows(step.before, kin[step.number - 1]), step.number, cache)
        if read or wrote or rejects:
            made.append(TraceStep(step.number, step.operator.step_name, read, wrote, rejects, asked))
    shown = {name for each in made for row in each.inputs for name in row} - {ROW_ID}
    return Trace(row_id, made, _records(came, [name for name in came.column_names if name not in shown], items))


def _found(tables: Sequence[pa.Table], names: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Of each name that a row has the last table with that row, and its id."""
    found: dict[str, tuple[int, str]] = {}
    for column, some in (("id", tables[-1:]), (ROW_ID, tables), ("id", tables)):
        for at in reversed(range(len(some))):
            table, left = some[at], [name for name in names if name not in found]
            if left and column in table.column_names and pa.types.is_string(table[column].type):
                # Names are few and rows may be many: these are looked through, and not kept by their names.
                theirs = table.select([column, ROW_ID] if column != ROW_ID else [ROW_ID])
                theirs = keep(theirs, pc.is_in(theirs[column], value_set=pa.array(left, pa.string())))
                at = at + len(tables) - len(some)
                for name, row_id in zip(theirs[column].to_pylist(), theirs[ROW_ID].to_pylist(), strict=True):
                    found.setdefault(name, (at, row_id))
    return found


def _kin(pipeline: Sequence[Operator], tables: Sequence[pa.Table], rows: Iterable[tuple[int, str]]) -> list[set[str]]:
    """For each table the ids of the rows that these rows, each with its last table, were made of, are, or became."""
    made_of: list[set[str]] = [set() for _ in tables]
    for at, row_id in rows:
        made_of[at].add(row_id)
    became = [set(ids) for ids in made_of]
    for number, operator in reversed(list(enumerate(pipeline, 1))):
        made_of[number - 1] |= _makers(operator, tables[number - 1], tables[number], made_of[number])
    for number, operator in enumerate(pipeline, 1):
        became[number] |= _became(operator, tables[number], became[number - 1])
    return [one | other for one, other in zip(made_of, became, strict=True)]


def _makers(operator: Operator, before: pa.Table, after: pa.Table, ids: set[str]) -> set[str]:
    """The ids of these rows' makers in the table before."""
    rows = _rows(_columns(after, [PARENTS]), ids)
    same = rows[ROW_ID].to_pylist()
    merged = operator.rows == "whole" and PARENTS in after.column_names
    parents = rows[PARENTS].to_pylist() if merged else [None] * rows.num_rows
    maybe = {*same, *map(parent_of, same), *(row_id for several in parents for row_id in several or ())}
    known = set(_rows(before.select([ROW_ID]), maybe)[ROW_ID].to_pylist())
    made_of: set[str] = set()
    for row_id, several in zip(same, parents, strict=True):
        # A reject keeps the id of the row that it was, also where others become several.
        made_of |= set([row_id if row_id in known else parent_of(row_id)] if several is None else several)
    return made_of & known


def _became(operator: Operator, after: pa.Table, ids: set[str]) -> set[str]:
    """The ids of the rows that these became."""
    if not ids:
        return set()
    if operator.rows == "whole" and PARENTS in after.column_names:
        rows = zip(after[ROW_ID].to_pylist(), after[PARENTS].to_pylist(), strict=True)
        return {i for i, parents in rows if i in ids or not ids.isdisjoint(parents or ())}
    if operator.rows == "explode":
        return {i for i in after[ROW_ID].to_pylist() if i in ids or parent_of(i) in ids}
    return set(_rows(after.select([ROW_ID]), ids)[ROW_ID].to_pylist())


def _columns(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The table with these columns of those that it has, and what tells its rows."""
    wanted = {ROW_ID, REJECT, *names}
    return table.select([name for name in table.column_names if name in wanted])


def _rows(table: pa.Table, ids: set[str]) -> pa.Table:
    return keep(table, pc.is_in(table[ROW_ID], value_set=pa.array(sorted(ids), pa.string())))


def _records(table: pa.Table, names: Sequence[str], items: int | None) -> list[dict[str, Any]]:
    there = [ROW_ID, *(name for name in dict.fromkeys(names) if name in table.column_names and name != ROW_ID)]
    columns = (_values(table[name], items) for name in there)
    return [dict(zip(there, row, strict=True)) for row in zip(*columns, strict=True)]


def _values(column: pa.ChunkedArray, items: int | None) -> list[Any]:
    """A column's values; of lists the first ``items``, and one that tells all of them apart from others."""
    if items is None or not is_list(column.type) or pa.types.is_fixed_size_list(column.type):
        return list(column.to_pylist())
    sizes = pc.list_value_length(column).to_pylist()
    if max(filter(None, sizes), default=0) <= items:
        return list(column.to_pylist())
    values: list[Any] = pc.list_slice(column, 0, items).to_pylist()
    for row, size in enumerate(sizes):
        if size is not None and size > items:
            values[row].append(f"… {size:,} in all: {table_hash(pa.table({'': column.slice(row, 1)}))}")
    return values


def _asked(operator: Operator, rows: pa.Table, number: int, cache: RequestCache | None) -> list[Asked] | None:
    """What the step asks of models for these rows, as far as the replies are kept; None without a cache."""
    if cache is None:
        return None
    session = _Recalling(cache)
    with session, in_step(f"{number}. {operator.step_name}"):
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


def _block(text: str) -> Iterator[str]:
    yield from (f"    | {line}" for line in text.split("\n"))
