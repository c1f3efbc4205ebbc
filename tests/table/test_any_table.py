"""Limit, TopK and Join: which rows stay, what their rejects say, and mistakes in one sentence."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import InputError, OptionError, WiringError, check, estimate, run, write_table
from dataflow_ext.fingerprint import fingerprint
from operators import Join, Limit, TopK, TrainTestSplit

SAMPLES = [("d", "28"), ("b", "28"), ("x", "29"), ("a", "28"), ("c", "28")]
BOOKS = [{"book": "a", "page": 1}, {"book": "b", "page": 2}, {"book": "z", "page": 3}]


def table(rows: list[tuple[str, str]]) -> pa.Table:
    return pa.table({"id": [row[0] for row in rows], "task": [row[1] for row in rows]})


def kept(rows: list[tuple[str, str]], limit: int) -> list[str]:
    found: list[str] = Limit(limit=limit, by=["task"], order="id")(table(rows))["id"].to_pylist()
    return found


def titles(folder: Path, rows: dict[str, list[object]] | None = None) -> Path:
    found = rows or {"book": ["a", "b"], "title": ["Algebra", "Botany"], "year": [1999, 2001]}
    return write_table(pa.table(found), folder / "titles.parquet")


def test_the_rows_with_the_smallest_values_of_each_group_stay_in_their_order() -> None:
    assert kept(SAMPLES, 2) == ["b", "x", "a"]
    assert kept(SAMPLES, 4) == ["d", "b", "x", "a", "c"]
    assert sorted(kept(SAMPLES[::-1], 2)) == ["a", "b", "x"]


def test_the_rows_beyond_a_limit_are_dropped_rejects_that_name_their_group() -> None:
    done = Limit(limit=3, by=["task"], order="id").apply(table(SAMPLES))
    [reject] = done.rejects.to_pylist()
    assert (reject["kind"], reject["error"], reject["message"]) == ("dropped", "Dropped", "more than 3 of task '28'")
    assert '"d"' in reject["inputs"]


def test_without_groups_a_limit_is_one_of_all_rows_and_of_equal_values_the_first_stays() -> None:
    done = Limit(limit=1, order="id").apply(table([("a", "28"), ("a", "29")]))
    assert done.table["task"].to_pylist() == ["28"]
    assert done.rejects["message"].to_pylist() == ["more than 1 in all"]
    assert len(Limit(limit=2)(table(SAMPLES))) == 2


def test_the_best_rows_stay_and_the_others_know_their_rank() -> None:
    rows = pa.table({"room": ["r", "r", "s", "r"], "points": [1, 3, 0, 2]})
    done = TopK(best=2, by=["room"], reads={"score": "points"}).apply(rows)
    assert done.table["points"].to_pylist() == [3, 0, 2]
    assert done.rejects["message"].to_pylist() == ["rank 3 of 3 of room 'r': score 1"]


def test_a_score_that_is_no_number_is_a_reject_and_takes_no_rank() -> None:
    done = TopK().apply(pa.table({"score": [float("nan"), 1.0, 2.0]}))
    assert done.table["score"].to_pylist() == [2.0]
    assert done.rejects["message"].to_pylist() == ["the score nan is no number", "rank 2 of 2 in all: score 1"]


def test_rows_get_the_columns_of_their_partner_and_those_without_one_are_dropped(tmp_path: Path) -> None:
    done = Join(other=titles(tmp_path), on=["book"]).apply(pa.Table.from_pylist(BOOKS))
    assert done.table.drop_columns(["row_id"]).to_pylist() == [
        {"book": "a", "page": 1, "title": "Algebra", "year": 1999},
        {"book": "b", "page": 2, "title": "Botany", "year": 2001},
    ]
    assert done.rejects["message"].to_pylist() == ["no row of titles.parquet has the same book"]


def test_one_column_to_join_on_needs_no_list(tmp_path: Path) -> None:
    assert Join(other=titles(tmp_path), on="book") == Join(other=titles(tmp_path), on=["book"])


def test_a_left_join_keeps_all_rows_and_takes_the_named_columns_alone(tmp_path: Path) -> None:
    done = Join(other=titles(tmp_path), on=["book"], columns=["year"], how="left").apply(BOOKS)
    assert done.table["year"].to_pylist() == [1999, 2001, None]
    assert "title" not in done.table.column_names
    assert done.rejects.num_rows == 0


@pytest.mark.parametrize("cast", [list, pa.Table.from_pylist, lambda rows: pa.Table.from_pylist(rows).to_pandas()])
def test_the_other_table_may_be_given_as_it_is(cast: Any) -> None:
    join = Join(other=cast([{"book": "a", "year": 1999}]), on=["book"], reads={"book": "title"})
    again = pickle.loads(pickle.dumps(join))
    for each in (join, again):
        assert each([{"title": "a"}]).drop_columns(["row_id"]).to_pylist() == [{"title": "a", "year": 1999}]
    assert fingerprint(join) == fingerprint(again)


def test_a_run_of_several_inputs_begins_with_the_first_and_joins_the_others_by_name(tmp_path: Path) -> None:
    steps = [
        Join(other="titles", on=["book"], columns=["title"], how="left"),
        Join(other="years", on=["book"], how="left"),
    ]
    inputs = {"books": BOOKS, "titles": titles(tmp_path), "years": [{"book": "z", "year": 7}]}
    wanted = [(1, "Algebra", None), (2, "Botany", None), (3, None, 7)]
    check(steps, inputs)
    for options in ({}, {"out": tmp_path / "parts", "rows_per_part": 1}):
        made = run(steps, inputs, **options).table.to_pylist()
        assert [(row["page"], row["title"], row["year"]) for row in made] == wanted
    assert not estimate(steps, inputs).calls
    with pytest.raises(OptionError, match=r"^No step names the input 'x', as Join\(other='x', …\) would\.$"):
        run(steps, {**inputs, "x": BOOKS})
    with pytest.raises(InputError, match="There is no file years, and the run has no input of that name"):
        run(steps, {"books": BOOKS, "titles": titles(tmp_path)})


def test_a_join_proves_its_wiring_with_the_other_table_s_columns(tmp_path: Path) -> None:
    join = Join(other=titles(tmp_path), on=["book"])
    assert check([join], {"book": str}).schema.field("year").type == pa.int64()
    with pytest.raises(WiringError, match="needs column 'book' as string, but the table has it as int64"):
        check([join], {"book": int})
    with pytest.raises(WiringError, match="would overwrite column 'title'"):
        check([join], {"book": str, "title": str})


def test_a_run_joins_anew_when_the_other_table_has_changed(tmp_path: Path) -> None:
    join = Join(other=titles(tmp_path), on=["book"], columns=["year"])
    first = run([join], BOOKS, cache_dir=tmp_path / "memory").table["year"].to_pylist()
    titles(tmp_path, {"book": ["a", "b"], "year": [1, 2]})
    os.utime(join.other, ns=(1, 1))
    assert (first, run([join], BOOKS, cache_dir=tmp_path / "memory").table["year"].to_pylist()) == (
        [1999, 2001],
        [1, 2],
    )


@pytest.mark.parametrize(
    ("mistake", "error", "message"),
    [
        (lambda f: Limit(limit=0), OptionError, "Limit: option 'limit': Input should be greater than or equal to 1"),
        (lambda f: Limit(limit=1, by=["kindd"])([{"kind": "a"}]), WiringError, "did you mean 'kind'"),
        (lambda f: Join(other=titles(f), on=[]), OptionError, "Join: option 'on'"),
        (lambda f: Join(other=titles(f), on=["no"])(BOOKS), OptionError, "has no column no; it has book, title, year."),
        (lambda f: Join(other=titles(f), on=["book"], columns=["x"])(BOOKS), OptionError, "has no column x; it has"),
        (lambda f: Join(other=f / "gone.csv", on=["book"])(BOOKS), InputError, "There is no file"),
        (
            lambda f: Join(other=titles(f, {"book": ["a", "a"], "n": [1, 2]}), on=["book"])(BOOKS),
            InputError,
            "has 2 rows whose book is 'a'; leave one of each.",
        ),
    ],
    ids=range(7),
)
def test_a_mistake_is_one_sentence(mistake, error, message, tmp_path: Path) -> None:
    with pytest.raises(error) as caught:
        mistake(tmp_path)
    assert message in str(caught.value)


def test_rows_without_groups_are_split_one_by_one() -> None:
    rows = [{"n": n} for n in range(10)]
    sides = TrainTestSplit(order=["n"])(rows)["split"].to_pylist()
    assert sides.count("test") == 2
    assert TrainTestSplit()(rows)["split"].to_pylist().count("test") == 2
