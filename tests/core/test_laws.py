"""``check_operator`` lets operators of all four kinds pass and catches each broken law by its name."""

import itertools
import pickle
import threading
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from dataflow_ext import Made, Operator, RowOperator
from dataflow_ext.errors import ColumnError, OptionError
from dataflow_ext.rejects import Failure
from dataflow_ext.testing import LawBroken, check_operator
from tests.core.samples import (
    AsyncLength,
    AsyncLongOnly,
    AsyncWords,
    Join,
    Length,
    LongOnly,
    SpreadLength,
    Upper,
    Words,
)

TEXTS = pa.table({"text": ["a b", "", "c", "a b", None, "d ! e"], "other": range(6)})
WORDS = pa.table(
    {
        "doc": ["p", "q", "p", "q", "p", "r", "s", None],
        "word": ["two", "?", "one", "only", "?", "crash", "?", "x"],
        "place": [2, 1, 1, 2, 3, 1, 1, 1],
    }
)


def values(table: pa.Table) -> list[dict[str, Any]]:
    return table.drop_columns([c for c in ("row_id", "parents") if c in table.column_names]).to_pylist()


@pytest.mark.parametrize("operator", [Length(), AsyncLength(), SpreadLength()], ids=str)
def test_an_operator_of_kind_same_keeps_the_laws(operator):
    assert values(check_operator(operator, TEXTS)) == [
        {"text": "a b", "other": 0, "length": 3},
        {"text": "c", "other": 2, "length": 1},
        {"text": "a b", "other": 3, "length": 3},
        {"text": "d ! e", "other": 5, "length": 5},
    ]


@pytest.mark.parametrize("operator", [LongOnly(), AsyncLongOnly()], ids=str)
def test_an_operator_of_kind_filter_keeps_the_laws(operator):
    assert values(check_operator(operator, TEXTS)) == [
        {"text": "a b", "other": 0},
        {"text": "a b", "other": 3},
        {"text": "d ! e", "other": 5},
    ]


@pytest.mark.parametrize("operator", [Words(), AsyncWords()], ids=str)
def test_an_operator_of_kind_explode_keeps_the_laws(operator):
    assert values(check_operator(operator, TEXTS)) == [
        {"other": 0, "word": "a", "place": 0},
        {"other": 0, "word": "b", "place": 1},
        {"other": 2, "word": "c", "place": 0},
        {"other": 3, "word": "a", "place": 0},
        {"other": 3, "word": "b", "place": 1},
    ]


def test_an_operator_of_kind_whole_keeps_the_laws():
    assert values(check_operator(Join(), WORDS)) == [
        {"doc": "p", "text": "one two"},
        {"doc": "q", "text": "only"},
    ]


def test_an_operator_that_writes_in_place_or_under_other_names_keeps_the_laws():
    table = TEXTS.rename_columns(["body", "other"])
    in_place = check_operator(Upper(reads={"text": "body"}, writes={"text": "body"}), table)
    assert in_place["body"].to_pylist() == ["A B", "", "C", "A B", "D ! E"]
    assert in_place.column_names == ["row_id", "body", "other"]
    renamed = check_operator(Words(reads={"text": "body"}, writes={"word": "w"}, keep=("body",)), table)
    assert renamed.column_names == ["row_id", "body", "other", "w", "place"]


class Columnwise(Operator):
    """Lengths by Arrow's own kernel."""

    inputs, outputs = {"text": str}, {"length": int}

    def batch(self, table: pa.Table) -> Made:
        return Made({"length": pc.utf8_length(table["text"])})


def test_an_operator_that_works_on_columns_keeps_the_laws_and_its_types_are_brought_to_the_declared_ones():
    out = check_operator(Columnwise(), TEXTS)
    assert out.schema.field("length").type == pa.int64()
    assert out["length"].to_pylist() == [3, 0, 1, 3, 5]


@pytest.mark.parametrize("as_column", [list, np.array, pandas.Series], ids=["list", "numpy", "pandas"])
def test_columns_of_an_operator_may_be_lists_arrays_and_series(as_column):
    class Vectors(Operator):
        inputs, outputs = {"text": str}, {"vector": list[float], "length": int, "note": str | None}

        def batch(self, table: pa.Table) -> Made:
            lengths = [len(text) for text in table["text"].to_pylist()]
            vector = np.outer(lengths, np.float32([1, 0.5])) if as_column is np.array else [[n, n / 2] for n in lengths]
            return Made({"vector": as_column(vector), "length": as_column(lengths), "note": ["a"] * len(lengths)})

    made = Vectors()(pa.table({"text": ["ab", "abcd"]}))
    assert made["vector"].to_pylist() == [[2.0, 1.0], [4.0, 2.0]]
    assert made["length"].to_pylist() == [2, 4]
    assert made["note"].to_pylist() == ["a", "a"]


def test_a_value_in_a_column_that_is_none_of_the_declared_type_is_told():
    class Wrong(Operator):
        inputs, outputs = {"text": str}, {"length": int}

        def batch(self, table: pa.Table) -> Made:
            return Made({"length": ["long"]})

    with pytest.raises(ColumnError, match="Wrong delivered column 'length' with another value: expected int, got str"):
        Wrong()(pa.table({"text": ["ab"]}))


class LosesRows(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        return super().step(table, number)[1:]


class RepeatsRows(Operator):
    inputs, outputs = {"text": str}, {}

    def batch(self, table: pa.Table) -> Made:
        return Made({}, rows=[i for i in range(table.num_rows) for _ in range(2)])


class NamesRowsThatAreNotThere(Operator):
    inputs, outputs, rows = {"text": str}, {}, "explode"

    def batch(self, table: pa.Table) -> Made:
        return Made({}, rows=[table.num_rows])


class HasNoMembers(Operator):
    inputs, outputs, rows = {"text": str}, {}, "whole"

    def batch(self, table: pa.Table) -> Made:
        return Made({}, members=[list(range(table.num_rows)), []])


class RepeatsIds(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        made = super().step(table, number)
        return pa.concat_tables([made, made])


class KnowsRowOrder(Operator):
    inputs, outputs = {"text": str}, {"number": int}

    def batch(self, table: pa.Table) -> Made:
        order = sorted(range(table.num_rows), key=lambda i: i)
        return Made({"number": pa.array(order)})


class KnowsChunks(Operator):
    inputs, outputs = {"text": str}, {"chunks": int}

    def batch(self, table: pa.Table) -> Made:
        return Made({"chunks": pa.array([table["text"].num_chunks] * table.num_rows)})


_counter = itertools.count()


class HasState(RowOperator):
    inputs, outputs = {"text": str}, {"number": int}

    def row(self, text: str) -> dict[str, int]:
        return {"number": next(_counter)}


class WrongType(Operator):
    inputs, outputs = {"text": str}, {"length": int}

    def batch(self, table: pa.Table) -> Made:
        return Made({"length": table["text"]})


class TooFewColumns(Operator):
    inputs, outputs = {"text": str}, {"length": int}

    def batch(self, table: pa.Table) -> Made:
        return Made({})


class TooManyColumns(Operator):
    inputs, outputs = {"text": str}, {}

    def batch(self, table: pa.Table) -> Made:
        return Made({"length": table["text"]})


class TooFewValues(Operator):
    inputs, outputs = {"text": str}, {"length": int}

    def batch(self, table: pa.Table) -> Made:
        return Made({"length": pa.array([1])})


class DropsUnknownColumns(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        made = super().step(table, number)
        known = ("row_id", "text", "other", "length", "_reject")
        return made.select([c for c in made.column_names if c in known])


class MixesUnknownColumns(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        made = super().step(table, number)
        for place, name in enumerate(made.column_names):
            if name not in ("row_id", "text", "length", "_reject"):
                column = made[name].take(pa.array(range(made.num_rows)[::-1], pa.int64()))
                made = made.set_column(place, name, column)
        return made


class UnpromisedColumns(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        made = super().step(table, number)
        return made.append_column("bonus", pa.nulls(made.num_rows))


class FailsOnNothing(Length):
    def step(self, table: pa.Table, number: int = 0) -> pa.Table:
        return super().step(table, number) if table.num_rows else table


class WritesIntoItsInput(Operator):
    inputs, outputs = {"number": int}, {}

    def batch(self, table: pa.Table) -> Made:
        memory = memoryview(_writable).cast("q")
        memory[0] += 1
        return Made({})


class CannotBePickled(Length):
    lock: Any = None


class ForgetsOptions(Length):
    def __reduce__(self) -> Any:
        return Length, ()


class ForgetsItsTail(Length):
    def __reduce__(self) -> Any:
        return ForgetsItsTail, ()


class DependsOnTheProcess(RowOperator):
    inputs, outputs, spread = {"text": str}, {"pid": int}, True

    def row(self, text: str) -> dict[str, int]:
        import os

        return {"pid": os.getpid()}


_writable = bytearray(8)


@pytest.mark.parametrize(
    ("operator", "law"),
    [
        (LosesRows(), "every input row comes out as a row or as a reject; lost ['"),
        (RepeatsRows(), "the input rows named must be of its kind; RepeatsRows names input row 0 and then 0; kind"),
        (NamesRowsThatAreNotThere(), "the input rows named must be of its kind; NamesRowsThatAreNotThere names input"),
        (HasNoMembers(), "the input rows named must be of its kind; HasNoMembers made a merged row of no input rows"),
        (RepeatsIds(), "row ids must be unique"),
        (KnowsRowOrder(), "row order must make no difference"),
        (KnowsChunks(), "chunks must make no difference"),
        (HasState(), "doing it again must make no difference"),
        (WrongType(), "declared columns must be delivered; WrongType delivered column 'length' as 2 values of string"),
        (TooFewColumns(), "declared columns must be delivered; TooFewColumns delivered the columns none, but"),
        (TooManyColumns(), "declared columns must be delivered; TooManyColumns delivered the columns length, but"),
        (TooFewValues(), "declared columns must be delivered; TooFewValues delivered column 'length' as 1 values"),
        (DropsUnknownColumns(), "unknown columns must pass through with their rows"),
        (MixesUnknownColumns(), "unknown columns must pass through with their rows"),
        (UnpromisedColumns(), "check must promise what comes; promised ['row_id', 'text', 'other', 'length'], came"),
        (FailsOnNothing(), "the empty table must pass with the promised columns; came ['row_id', 'text', 'other']"),
        (CannotBePickled(lock=threading.Lock()), "an operator can be pickled; cannot pickle '_thread.lock' object"),
        (ForgetsItsTail(extra=2), "pickling must make no difference"),
        (ForgetsOptions(), "an equal operator has the same fingerprint"),
        (DependsOnTheProcess(), "the number of workers must make no difference"),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, Operator) else "",
)
def test_a_broken_law_is_caught_and_named(operator, law):
    table = pa.table({"text": ["bb", "a"], "other": [1, 2]})
    with pytest.raises(LawBroken) as caught:
        check_operator(operator, table)
    assert str(caught.value).startswith(f"{type(operator).__name__}: {law}")


def test_an_operator_that_writes_into_its_input_is_caught():
    column = pa.Array.from_buffers(pa.int64(), 1, [None, pa.py_buffer(_writable)])
    with pytest.raises(LawBroken, match=r"^WritesIntoItsInput: the input must stay untouched$"):
        check_operator(WritesIntoItsInput(), pa.table({"number": column}))


def test_an_operator_shows_what_was_chosen_for_it():
    assert repr(Length()) == str(Length()) == "Length()"
    assert repr(Length(reads={"text": "body"}, extra=2)) == "Length(reads={'text': 'body'}, extra=2)"


def test_an_operator_takes_what_a_run_takes():
    rows = [{"text": "a"}, {"text": "bcd"}]
    made = Length()(pa.Table.from_pylist(rows)).to_pylist()
    assert Length()(rows).to_pylist() == made
    assert Length()(pandas.DataFrame(rows)).to_pylist() == made
    assert Length().apply(rows).table.to_pylist() == made


def test_an_operator_cannot_be_changed():
    op = Length(reads={"text": "body"})
    with pytest.raises(OptionError, match="operators do not change"):
        op.extra = 5
    for change in (
        lambda: op.reads.update(a="b"),
        lambda: op.reads.__setitem__("a", "b"),
        lambda: op.reads.__ior__({"a": "b"}),
        lambda: op.reads.pop("text"),
    ):
        with pytest.raises(TypeError) as caught:
            change()
        assert str(caught.value) == "This map belongs to a frozen operator; make a new operator instead."
    assert op == pickle.loads(pickle.dumps(op)) == Length(reads={"text": "body"})


def test_a_row_that_a_kernel_neither_made_nor_rejected_is_an_empty_reject():
    class Silent(Operator):
        inputs, outputs = {"text": str}, {}

        def batch(self, table: pa.Table) -> Made:
            return Made({}, rows=[1], failures=[Failure(0, "too short", kind="dropped")])

    done = Silent().apply(pa.table({"row_id": ["a", "b", "c"], "text": ["x", "y", "z"]}))
    assert done.table["row_id"].to_pylist() == ["b"]
    kinds = done.rejects.select(["row_id", "kind", "error", "message"]).to_pylist()
    assert kinds == [
        {"row_id": "a", "kind": "dropped", "error": "RowError", "message": "too short"},
        {"row_id": "c", "kind": "empty", "error": "Empty", "message": "gave no row"},
    ]


def test_keep_names_columns_that_the_operator_consumes():
    for operator, had in ((Words, "text"), (Length, "none")):
        with pytest.raises(OptionError) as caught:
            operator(keep=("body",))
        assert str(caught.value) == (
            f"{operator.__name__}: keep names body, but the columns that it consumes are {had}."
        )
