"""Which input rows a column operator may name: no row is made twice, lost or taken from where there is none."""

from typing import Any, ClassVar

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext import Failure, run
from dataflow_ext.errors import RowLawError
from dataflow_ext.operator import Made, Operator


class Names(Operator):
    """Says that its rows came from the rows of its option."""

    inputs: ClassVar[Any] = {"n": int}
    named: Any = None
    members: Any = None
    failed: tuple[int, ...] = ()

    def batch(self, table: pa.Table) -> Made:
        return Made({}, self.named, [Failure(n, "failed") for n in self.failed], self.members)


class Filters(Names):
    rows = "filter"


class Explodes(Names):
    rows = "explode"


class Merges(Names):
    rows = "whole"


TABLE = pa.table({"row_id": list("abcdefghij"), "n": range(10)})
ONCE = "kind '{}' names each once at most, in order."
THERE = "but its input has 10 rows, counted from 0."


@pytest.mark.parametrize(("operator", "kind"), [(Names, "same"), (Filters, "filter")])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([*range(10), 9], f"names input row 9 and then 9; {ONCE}"),
        ([0, 0], f"names input row 0 and then 0; {ONCE}"),
        ([3, 2], f"names input row 3 and then 2; {ONCE}"),
        ([-1, 2], f"names input row -1, {THERE}"),
        ([0, 10], f"names input row 10, {THERE}"),
        ([10], f"names input row 10, {THERE}"),
    ],
)
def test_kinds_same_and_filter_name_rows_that_are_there_once_and_in_order(operator, kind, rows, said):
    with pytest.raises(RowLawError) as caught:
        operator(named=rows).apply(TABLE)
    assert str(caught.value) == f"{operator.__name__} {said.format(kind)}"


@pytest.mark.parametrize(
    ("operator", "said"),
    [
        (Explodes(named=[0, -1]), "Explodes names input row -1, "),
        (Explodes(named=[10]), "Explodes names input row 10, "),
        (Merges(members=[[0], [9, 10]]), "Merges names input row 10, "),
        (Merges(members=[[0, -1]]), "Merges names input row -1, "),
        (Filters(failed=(10,)), "Filters names input row 10, "),
        (Names(failed=(-1,)), "Names names input row -1, "),
    ],
)
def test_no_kind_names_a_row_that_is_not_there(operator, said):
    with pytest.raises(RowLawError) as caught:
        operator.apply(TABLE)
    assert str(caught.value) == f"{said}{THERE}"


def test_a_merged_row_has_a_member():
    with pytest.raises(RowLawError, match=r"^Merges made a merged row of no input rows; name its members\.$"):
        Merges(members=[[0], []]).apply(TABLE)


def test_rows_are_counted_among_those_the_operator_was_given():
    table = pa.table({"row_id": list("abc"), "n": [1, None, 3]})
    assert Names(named=[1]).apply(table).table["row_id"].to_pylist() == ["c"]
    with pytest.raises(RowLawError, match="names input row 2, but its input has 2 rows"):
        Names(named=[2]).apply(table)


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_rows_that_keep_the_law_come_out_and_the_others_are_rejects(named, failed):
    done = Filters(named=sorted(named), failed=tuple(failed)).apply(TABLE)
    assert done.table["n"].to_pylist() == sorted(named)
    empty = set(range(10)) - named - failed
    assert sorted(done.rejects["row_id"].to_pylist()) == sorted("abcdefghij"[n] for n in failed | empty)


@given(st.lists(st.integers(0, 9)))
def test_an_explode_names_rows_in_any_order(rows):
    done = Explodes(named=rows, keep=("n",)).apply(TABLE)
    assert done.table["n"].to_pylist() == rows
    assert done.rejects.num_rows == 10 - len(set(rows))


class GivesItsTable(Operator):
    inputs: ClassVar[Any] = {"n": int}
    outputs: ClassVar[Any] = {"twice": int}

    def batch(self, table: pa.Table) -> Any:
        return table


class Divides(Names):
    def batch(self, table: pa.Table) -> Made:
        return Made({"n": [1 // n for n in table["n"].to_pylist()]})


def test_a_batch_that_returns_no_columns_is_told_what_to_return():
    with pytest.raises(RowLawError) as caught:
        GivesItsTable().apply(TABLE)
    assert str(caught.value) == "GivesItsTable.batch returned a Table; return its columns: Made({'twice': array})."


def test_an_error_of_a_batch_tells_the_step_and_the_columns_it_read():
    with pytest.raises(ZeroDivisionError) as caught:
        run([Names(), Divides()], TABLE)
    assert caught.value.__notes__[0] == "in step 2, Divides.batch, with 10 rows of n"
    with pytest.raises(ZeroDivisionError) as caught:
        Divides().apply(TABLE)
    assert caught.value.__notes__ == ["in Divides.batch, with 10 rows of n"]
