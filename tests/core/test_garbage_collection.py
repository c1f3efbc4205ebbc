"""The collector's pace while steps hold many records."""

import gc
import threading

import pyarrow as pa
import pytest

from dataflow_ext import RowOperator, run
from dataflow_ext.garbage_collection import seldom_collecting

SELDOM = (200_000, 50, 100)


@pytest.fixture(autouse=True)
def usual():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


class Pace(RowOperator):
    inputs, outputs = {"a": int}, {"pace": int}

    def row(self, a: int) -> dict[str, int]:
        return {"pace": gc.get_threshold()[0]}


class Bad(RowOperator):
    inputs, outputs = {"a": int}, {"b": int}

    def row(self, a: int) -> dict[str, int]:
        raise ValueError("no")


def test_a_step_collects_seldom_and_leaves_the_pace_as_it_was():
    assert Pace()(pa.table({"a": [1]}))["pace"].to_pylist() == [200_000]
    assert gc.get_threshold() == (700, 10, 10)


def test_the_pace_is_as_before_after_a_run_that_failed():
    with pytest.raises(Exception, match="no"):
        run([Bad()], pa.table({"a": [1]}), on_error="raise")
    assert gc.get_threshold() == (700, 10, 10)


def test_of_blocks_in_several_threads_the_last_to_end_restores_the_pace():
    inside, leave = threading.Event(), threading.Event()

    def other():
        with seldom_collecting():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=other)
    with seldom_collecting():
        thread.start()
        inside.wait()
    assert gc.get_threshold() == SELDOM
    leave.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_a_pace_that_is_slower_or_set_inside_is_left_alone():
    gc.set_threshold(1_000_000, 5, 5)
    with seldom_collecting():
        assert gc.get_threshold() == (1_000_000, 5, 5)
    gc.set_threshold(700, 10, 10)
    with seldom_collecting():
        gc.set_threshold(9_000, 10, 10)
    assert gc.get_threshold() == (9_000, 10, 10)


def test_a_collector_that_counts_no_objects_is_left_alone():
    gc.set_threshold(0, 10, 10)
    with seldom_collecting():
        assert gc.get_threshold() == (0, 10, 10)
    assert gc.get_threshold() == (0, 10, 10)


def test_what_lasts_is_as_old_as_can_be_and_what_others_froze_stays_so():
    gc.unfreeze()  # what all tests share
    try:
        with seldom_collecting(lasting=True):
            made = [[]]
        assert any(made is old for old in gc.get_objects(generation=2))
    finally:
        gc.freeze()
    with seldom_collecting(lasting=True):
        made = [[]]
    assert gc.get_freeze_count() > 0
    assert not any(made is old for old in gc.get_objects(generation=2))


def test_collections_that_free_nothing_become_ever_rarer_and_a_step_begins_anew():
    gc.collect()
    with seldom_collecting():
        for pace in (1_600_000, 3_200_000, 3_200_000):
            gc.collect(0)
            assert gc.get_threshold() == (pace, 50, 100)
        assert Pace()(pa.table({"a": [1]}))["pace"].to_pylist() == [200_000]
    assert gc.get_threshold() == (700, 10, 10)
    assert not [call for call in gc.callbacks if call.__module__ == "dataflow_ext.garbage_collection"]


def test_a_collection_that_frees_something_sets_the_first_pace_again():
    with seldom_collecting():
        gc.collect(0)
        loops: list[list[object]] = [[] for _ in range(50_000)]
        for loop in loops:
            loop.append(loop)
        del loop, loops
        gc.collect(0)
        assert gc.get_threshold() == SELDOM
