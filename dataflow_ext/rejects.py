"""Rows that did not get through: how they travel beside the others, and how they are shown at the end.

Inside a pipeline a rejected row stays in its table: all columns null but ``row_id`` and the reserved
struct ``_reject``. Later steps pass it by, one file holds both kinds of rows, and every engine agrees.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.errors import InputError, RowFailed
from dataflow_ext.identity import ROW_ID, with_row_ids
from dataflow_ext.selection import keep
from dataflow_ext.tracebacks import notice, raising
from dataflow_ext.well_formed import arrow_array, message_of, shortened, well_formed

T = TypeVar("T")
D = TypeVar("D")

REJECT = "_reject"
Kind = Literal["failed", "dropped", "empty"]

REJECT_TYPE = pa.struct(
    [
        ("operator", pa.string()),
        ("step", pa.int32()),
        ("kind", pa.string()),
        ("error", pa.string()),
        ("message", pa.string()),
        ("attempts", pa.int32()),
        ("inputs", pa.string()),
        ("transient", pa.bool_()),
    ]
)

#: The most that the column of attempts can hold.
_MOST = 2**31 - 1

#: The columns of ``result.rejects``.
REJECTS_SCHEMA = pa.schema([pa.field(ROW_ID, pa.string()), *(f for f in REJECT_TYPE if f.name != "transient")])


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line of a file that could not be read: where it stands and what is wrong with it, and its text."""

    message: str
    text: str


@dataclass(slots=True)
class Failure:
    """Why input row ``row`` has no output: it ``failed``, was ``dropped`` by a filter, or was ``empty``.

    A row may have outputs and failures, if it is much work of which a part failed; ``inputs`` then tells
    which part, as JSON. Without it the row's declared inputs are kept, and a model's raw ``reply`` with them
    as ``reply``.
    """

    row: int
    message: str
    error: str = "RowError"
    kind: Kind = "failed"
    attempts: int = 1
    transient: bool = False
    inputs: str | None = None
    reply: str | None = None
    cause: BaseException | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, row: int, error: BaseException) -> Failure:
        """The failure that an exception stands for."""
        return cls(
            row,
            message_of(error),
            type(error).__name__,
            attempts=min(_told(error, "attempts", int, 1), _MOST),
            transient=_told(error, "transient", bool, _of_a_network(error)),
            reply=_told(_told(error, "reply", object, None), "text", str, None),
            cause=notice(error),
        )


def split(table: pa.Table) -> tuple[pa.Table, pa.Table | None]:
    """The rows that live, without the reserved column, and the rejected rows, if the table has any."""
    if REJECT not in table.column_names:
        return table, None
    if table.schema.field(REJECT).type != REJECT_TYPE:
        raise InputError(f"The column '{REJECT}' is reserved; rename or drop yours.")
    dead = table[REJECT].is_valid()
    return keep(table.drop_columns([REJECT]), pc.invert(dead)), keep(table.select([ROW_ID, REJECT]), dead)


def dead_rows(table: pa.Table, failures: Sequence[Failure], operator: str, step: int, reads: Sequence[str]) -> pa.Table:
    """The rejected rows for these failures of rows of ``table``, ready to travel."""
    ids = table[ROW_ID].to_pylist() if failures else []
    if raising() and (first := next((f for f in failures if f.kind == "failed"), None)) is not None:
        raise RowFailed(f"Step {step} ({operator}), row {ids[first.row]}: {first.message}") from first.cause
    records = [
        {
            "operator": operator,
            "step": step,
            "kind": f.kind,
            "error": f.error,
            "message": shortened(f.message),
            "attempts": f.attempts,
            "inputs": to_json(table, reads, f.row, f.reply) if f.inputs is None else f.inputs,
            "transient": f.transient,
        }
        for f in failures
    ]
    return pa.table(
        {
            ROW_ID: pa.array([ids[f.row] for f in failures], pa.string()),
            REJECT: arrow_array(records, REJECT_TYPE),
        }
    )


def first_rows(table: pa.Table, limit: int | None) -> pa.Table:
    """The first rows of a run's input, all without a limit; what is a reject already stays beside them."""
    if limit is None:
        return table
    living, dead = split(table)
    return join(living.slice(0, limit), [dead])


def with_unread(table: pa.Table, lines: Sequence[UnreadLine]) -> pa.Table:
    """The rows of files with the lines that could not be read as rejects beside them, of a step 0 that is the input."""
    return table if (dead := unread_rows(lines)) is None else join(with_row_ids(table), [dead])


def unread_rows(lines: Sequence[UnreadLine]) -> pa.Table | None:
    """The lines that could not be read as rejects, ready to travel; None if there are none."""
    if not lines:
        return None
    texts = pa.table({"line": [well_formed(each.text.strip()) for each in lines]})
    unread = with_row_ids(texts.append_column("message", pa.array([each.message for each in lines])))
    failures = [Failure(row, each.message, InputError.__name__) for row, each in enumerate(lines)]
    return dead_rows(unread, failures, "input", 0, ["line"])


def join(alive: pa.Table, dead: Sequence[pa.Table | None]) -> pa.Table:
    """One table of both kinds of rows, the rejected ones last; the reserved column only if it is needed."""
    parts = [d for d in dead if d is not None and d.num_rows]
    if not parts:
        return alive
    living = alive.append_column(REJECT, pa.nulls(alive.num_rows, REJECT_TYPE))
    return pa.concat_tables([living, *parts], promote_options="default")


def show(dead: pa.Table | None) -> pa.Table:
    """The rejected rows as a person reads them: cause, attempts, and the inputs as JSON."""
    if dead is None or not dead.num_rows:
        return REJECTS_SCHEMA.empty_table()
    columns = {name: pc.struct_field(dead[REJECT], name) for name in REJECTS_SCHEMA.names[1:]}
    return pa.table({ROW_ID: dead[ROW_ID], **columns}, schema=REJECTS_SCHEMA)


def to_json(table: pa.Table, names: Sequence[str], row: int, reply: str | None = None) -> str:
    """The named columns of one row as JSON, with a model's reply if there is one.

    Bytes stand in it as base64 when short, else as their length.
    """
    record = {n: table[n][row].as_py() for n in names}
    if reply is not None:
        record.setdefault("reply", reply)
    return json.dumps(record, ensure_ascii=False, default=_plain)


#: How libraries call what goes wrong on the way to another machine; each has classes of its own.
_NETWORK = frozenset({"ConnectionError", "TimeoutError", "Timeout", "TransportError", "TimeoutException"})


def _of_a_network(error: BaseException) -> bool:
    """Whether an error that is none of ours tells of a network, which may be back in a moment."""
    return not _NETWORK.isdisjoint(kind.__name__ for kind in type(error).__mro__)


def _told(holder: object, name: str, kind: type[T], default: D) -> T | D:
    """What an error tells of itself under a name: other libraries' errors use such names for something else."""
    try:
        value = getattr(holder, name, default)
    except Exception:
        return default
    return value if isinstance(value, kind) else default


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode() if len(value) <= 256 else f"<{len(value)} bytes>"
    return str(value)
