"""Work spread over processes: order, memories, errors and cores."""

import os

import pytest

from dataflow_ext import DataflowError, parallel
from dataflow_ext.models import Session, current_session


def double(number):
    return 2 * number


def where_and_memory(_):
    return os.getpid(), str(current_session().cache.path), current_session().fresh, parallel.cores()


def refuse(number):
    raise ValueError(f"no {number}")


def die(number):
    os._exit(1)


def test_without_workers_everything_stays_in_this_process():
    assert list(parallel.each(lambda n: (os.getpid(), n), range(3))) == [(os.getpid(), n) for n in range(3)]


def test_results_of_several_processes_come_in_the_order_of_the_pieces():
    with parallel.workers(2):
        assert list(parallel.each(double, range(40))) == [2 * n for n in range(40)]


def test_a_worker_has_the_memory_of_the_session_and_its_share_of_the_cores(tmp_path):
    path = tmp_path / "requests.sqlite"
    with Session(path, fresh=True), parallel.workers(2):
        (pid, memory, fresh, cores), *_ = parallel.each(where_and_memory, range(2))
    assert (pid != os.getpid(), memory, fresh) == (True, str(path), True)
    assert cores == max(1, parallel.cores() // 2)


def test_a_piece_that_raises_ends_the_whole_with_its_own_error():
    with parallel.workers(2), pytest.raises(ValueError, match="no 0"):
        list(parallel.each(refuse, range(8)))


def test_a_worker_that_dies_is_told_with_its_likely_causes():
    with parallel.workers(2), pytest.raises(DataflowError, match=r"A worker process died: out of memory"):
        list(parallel.each(die, range(2)))


def test_pieces_are_asked_for_only_as_far_ahead_as_the_processes_need():
    asked = []

    def pieces():
        for number in range(100):
            asked.append(number)
            yield number

    with parallel.workers(2):
        first = next(iter(parallel.each(double, pieces())))
    assert (first, len(asked) <= 7) == (0, True)
