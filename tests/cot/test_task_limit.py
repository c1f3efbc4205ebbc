"""TaskLimit: so many samples of each task, chosen by their ids."""

import pyarrow as pa
import pytest

from dataflow_ext import OptionError
from operators import TaskLimit

ROWS = [("d", "Task_28"), ("b", "Task_28"), ("x", "Task_29"), ("a", "Task_28"), ("c", "Task_28")]


def table(rows: list[tuple[str, str]]) -> pa.Table:
    return pa.table({"id": [row[0] for row in rows], "task_name": [row[1] for row in rows]})


def kept(rows: list[tuple[str, str]], limit: int) -> list[str]:
    found: list[str] = TaskLimit(limit=limit)(table(rows))["id"].to_pylist()
    return found


def test_the_smallest_ids_of_each_task_stay_in_the_order_of_the_rows() -> None:
    assert kept(ROWS, 2) == ["b", "x", "a"]
    assert kept(ROWS, 4) == ["d", "b", "x", "a", "c"]
    assert sorted(kept(ROWS[::-1], 2)) == ["a", "b", "x"]


def test_the_others_are_dropped_rejects() -> None:
    done = TaskLimit(limit=3).apply(table(ROWS))
    [reject] = done.rejects.to_pylist()
    assert (reject["kind"], reject["error"], reject["message"]) == ("dropped", "Dropped", "more than 3 of the task")
    assert '"d"' in reject["inputs"]


def test_of_equal_ids_the_first_stays() -> None:
    assert kept([("a", "Task_28"), ("a", "Task_28")], 1) == ["a"]


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(OptionError, match="limit"):
        TaskLimit(limit=0)
