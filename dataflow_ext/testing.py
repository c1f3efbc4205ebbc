"""The laws that every operator keeps, as one check for tests, users' own operators included."""

from __future__ import annotations

import pickle
import random
from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import parallel
from dataflow_ext.columns import arrow_type, compatible
from dataflow_ext.engine import do_step
from dataflow_ext.errors import ColumnError, RowLawError
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.fingerprint.content import table_hash
from dataflow_ext.identity import ROW_ID, parent_of, with_row_ids
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import split
from dataflow_ext.selection import take
from dataflow_ext.wiring import flow

_EXTRA = "a column nobody knows"


class LawBroken(AssertionError):
    """An operator does not keep a law; the message names the law and shows the difference."""


def check_operator(operator: Operator, table: pa.Table, *, seed: int = 0) -> pa.Table:
    """Prove on one table that an operator keeps the laws; its output for the table, for further asserts.

    Laws: the input stays untouched; every input row comes out as a row or as a reject; the input rows that
    are named are there, and of kinds ``same`` and ``filter`` named once at most, in order; declared columns
    are delivered in their types; what :func:`dataflow_ext.check` promises is what comes; unknown columns
    pass through; the empty table passes; doing it again, chunks, row order, pickling and the number of
    workers make no difference; an equal operator has the same fingerprint. Give a table with at least
    two rows, best with one that is rejected.
    """
    with parallel.workers(1):  # shared by all that is tried below
        return _checked(operator, table, seed)


def _checked(operator: Operator, table: pa.Table, seed: int) -> pa.Table:
    before = table_hash(table)
    source = with_row_ids(table)
    try:
        out = operator.step(source)
    except ColumnError as error:
        raise LawBroken(f"{type(operator).__name__}: declared columns must be delivered; {error}") from None
    except RowLawError as error:
        raise LawBroken(f"{type(operator).__name__}: the input rows named must be of its kind; {error}") from None
    _law(table_hash(table) == before, "the input must stay untouched", operator)
    _nothing_lost(operator, source, out)
    _columns(operator, source, out)
    _empty(operator, source)
    _unknown_columns(operator, source)
    _same(operator, out, operator.step(source), "doing it again")
    chunks = [source.slice(i, 1) for i in range(source.num_rows)]
    _same(operator, out, operator.step(pa.concat_tables(chunks) if chunks else source), "chunks")
    order = list(range(source.num_rows))
    random.Random(seed).shuffle(order)  # noqa: S311 - a shuffle, not a secret
    order = order if order != sorted(order) else order[::-1]  # two rows may come out as they were
    _same(operator, _sorted(out), _sorted(operator.step(take(source, order))), "row order")
    twin = _pickled(operator)
    _same(operator, out, twin.step(source), "pickling")
    _law(fingerprint(twin) == fingerprint(operator), "an equal operator has the same fingerprint", operator)
    if operator.spread:
        with parallel.workers(2, at_once=True):
            _same(operator, out, do_step(operator, source, 0, workers=2), "the number of workers")
    return split(out)[0]


def _pickled(operator: Operator) -> Operator:
    try:
        return cast(Operator, pickle.loads(pickle.dumps(operator)))  # noqa: S301 - our own bytes
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise LawBroken(f"{type(operator).__name__}: an operator can be pickled; {error}") from None


def _law(holds: bool, law: str, operator: Operator, detail: str = "") -> None:
    if not holds:
        raise LawBroken(f"{type(operator).__name__}: {law}{'; ' + detail if detail else ''}")


def _nothing_lost(operator: Operator, source: pa.Table, out: pa.Table) -> None:
    alive, dead = split(out)
    ids = alive[ROW_ID].to_pylist()
    _law(len(set(ids)) == len(ids), "row ids must be unique", operator)
    if operator.rows == "whole":
        seen = {i for parents in alive["parents"].to_pylist() for i in parents}
    else:
        seen = {parent_of(i) for i in ids} if operator.rows == "explode" else set(ids)
    seen |= set(dead[ROW_ID].to_pylist()) if dead is not None else set()
    lost = set(source[ROW_ID].to_pylist()) - seen
    _law(not lost, "every input row comes out as a row or as a reject", operator, f"lost {sorted(lost)[:3]}")


def _columns(operator: Operator, source: pa.Table, out: pa.Table) -> None:
    alive, _ = split(out)
    promised = flow(operator.names(), source.schema)[0]
    _law(
        set(alive.column_names) == set(promised.names),
        "check must promise what comes",
        operator,
        f"promised {promised.names}, came {alive.column_names}",
    )
    for name, declared in operator.promised_outputs().items():
        got = alive.schema.field(operator.writes.get(name, name)).type
        _law(
            compatible(got, arrow_type(declared)),
            f"column '{name}' must be delivered as declared",
            operator,
            f"declared {arrow_type(declared)}, came {got}",
        )


def _empty(operator: Operator, source: pa.Table) -> None:
    out = operator.step(source.slice(0, 0))
    promised = flow(operator.names(), source.schema)[0]
    _law(
        out.num_rows == 0 and set(out.column_names) == set(promised.names),
        "the empty table must pass with the promised columns",
        operator,
        f"came {out.column_names}",
    )


def _unknown_columns(operator: Operator, source: pa.Table) -> None:
    if operator.rows == "whole":
        return
    marked = source.append_column(_EXTRA, source[ROW_ID])
    alive, _ = split(operator.step(marked))
    ids: list[Any] = alive[ROW_ID].to_pylist()
    want = [parent_of(i) for i in ids] if operator.rows == "explode" else ids
    got = alive[_EXTRA].to_pylist() if _EXTRA in alive.column_names else None
    _law(got == want, "unknown columns must pass through with their rows", operator)


def _sorted(table: pa.Table) -> pa.Table:
    alive, dead = split(table)
    parts = [take(part, pc.sort_indices(part[ROW_ID])) for part in (alive, dead) if part is not None]
    return pa.concat_tables(parts, promote_options="default")


def _same(operator: Operator, first: pa.Table, second: pa.Table, what: str) -> None:
    second = second.select(first.column_names) if set(first.column_names) == set(second.column_names) else second
    _law(
        table_hash(first) == table_hash(second),
        f"{what} must make no difference",
        operator,
        f"{first.num_rows} and {second.num_rows} rows of {first.column_names} and {second.column_names}",
    )
