"""Work spread over processes: order, memories, errors, limits, deaths and cores."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from dataflow_ext import parallel
from dataflow_ext.errors import ResultError, WorkerDied
from dataflow_ext.models import Session
from dataflow_ext.parallel import MB, Limits
from tests.core.pieces import (
    die,
    die_at,
    die_in_batch,
    die_the_first_time,
    double,
    hold,
    log_a_line,
    nested,
    print_a_line,
    refuse,
    told,
    unsendable,
    where,
    where_and_memory,
)

WIDE = Limits(memory=500 * MB, seconds=60)


def gone(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def test_without_workers_everything_stays_in_this_process():
    assert list(parallel.each(lambda n: (os.getpid(), n), range(3))) == [(os.getpid(), n) for n in range(3)]


def test_results_of_several_processes_come_in_the_order_of_the_pieces():
    with parallel.workers(2, at_once=True):
        assert list(parallel.each(double, range(40))) == [2 * n for n in range(40)]


def test_a_worker_has_the_memory_of_the_session_and_its_share_of_the_cores(tmp_path):
    path = tmp_path / "requests.sqlite"
    with Session(path, fresh=True), parallel.workers(2, at_once=True):
        (pid, memory, fresh, cores), *_ = parallel.each(where_and_memory, range(2))
    assert (pid != os.getpid(), memory, fresh) == (True, str(path), True)
    assert cores == max(1, parallel.cores() // 2)


def test_a_piece_that_raises_ends_the_whole_with_its_own_error():
    with parallel.workers(2, at_once=True), pytest.raises(ValueError, match="no 0") as caught:
        list(parallel.each(refuse, range(8)))
    assert "in refuse" in caught.value.__notes__[0]


def test_a_piece_whose_worker_dies_is_tried_again_alone_and_then_told():
    with parallel.workers(2, at_once=True), pytest.raises(WorkerDied) as caught:
        list(parallel.each(die, range(2)))
    assert str(caught.value) == "its process ended with exit code 3, also when it was tried alone"
    assert (caught.value.attempts, caught.value.transient) == (2, False)


def test_a_piece_that_lives_when_it_is_tried_again_is_not_lost(tmp_path):
    with parallel.workers(2, at_once=True):
        assert list(parallel.each(die_the_first_time, [tmp_path / "a", tmp_path / "b"])) == ["alive", "alive"]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("way", "error", "why", "passing"),
    [
        ("exit", "WorkerDied", "its process ended with exit code 3, also when it was tried alone", False),
        ("crash", "WorkerDied", "its process was killed by SIGSEGV, also when it was tried alone", False),
        ("kill", "WorkerDied", "its process was killed by SIGKILL, also when it was tried alone", True),
        ("memory", "MemoryExceeded", "needed more than the 300 MB of memory that it may have", False),
        ("loop", "RowTimeout", "took longer than the 2 s that it may take", True),
        ("sleep", "RowTimeout", "took longer than the 2 s that it may take", True),
    ],
)  # fmt: skip
def test_what_kills_a_worker_costs_no_other_piece_its_result(workers, way, error, why, passing):
    limits = Limits(memory=None if way == "loop" else 300 * MB, seconds=2 if error == "RowTimeout" else 60)
    with parallel.workers(workers):
        made = list(parallel.guarded(partial(die_at, {3: way}), range(6), limits))
    assert [told(one) for one in made] == [0, 2, 4, (error, why), 8, 10]
    assert made[3].transient is passing


def test_of_a_batch_that_kills_only_the_row_that_was_the_cause_is_lost():
    with parallel.workers(2, at_once=True):
        made = [row for batch in parallel.batches(die_in_batch, range(12), 4) for row in batch]
    why = ("WorkerDied", "its process ended with exit code 3, also when it was tried alone")
    assert [told(row) for row in made] == [why if n == 5 else 2 * n for n in range(12)]


def test_guarded_work_is_never_done_in_this_process():
    assert os.getpid() not in set(parallel.guarded(where, range(3), WIDE))


def test_limits_may_depend_on_the_piece():
    pieces = [0.1, 30.0, 0.2]
    made = list(parallel.guarded(time.sleep, pieces, lambda seconds: Limits(seconds=20 if seconds < 1 else 0.5)))
    assert [told(one) for one in made] == [None, ("RowTimeout", "took longer than the 0.5 s that it may take"), None]


def test_limits_inside_a_worker_are_watched_as_well_and_end_its_piece():
    with parallel.workers(2, at_once=True):
        made = list(parallel.outcomes(nested, [0, 3, 6]))
    assert [told(one) for one in made] == [
        [0, 2],
        ("RowTimeout", "took longer than the 1.5 s that it may take"),
        [12, 14],
    ]


def test_the_memory_of_one_piece_is_not_held_against_the_next():
    with parallel.workers(1):
        sizes = [len(one) for one in parallel.guarded(bytes, [200 * MB] * 4, Limits(memory=450 * MB))]
    assert sizes == [200 * MB] * 4


def test_pieces_that_take_too_much_memory_together_are_done_one_after_the_other():
    with parallel.workers(2, at_once=True):
        made = list(parallel.guarded(hold, [350 * MB] * 3, Limits(memory=400 * MB)))
    assert made == [350 * MB] * 3


def test_a_result_that_cannot_be_pickled_is_told_and_the_others_come():
    made = list(parallel.guarded(unsendable, [0], WIDE))
    assert [type(one) for one in made] == [ResultError]
    assert str(made[0]).startswith("what became of it cannot pass between processes: ")


def test_what_is_logged_in_a_worker_is_heard_here(caplog):
    list(parallel.guarded(log_a_line, [1], WIDE))
    assert [(r.name, r.getMessage()) for r in caplog.records] == [("a.child", "number 1")]


def test_what_is_printed_in_a_worker_does_no_harm():
    assert list(parallel.guarded(print_a_line, [1, 2], WIDE)) == [1, 2]


def test_workers_are_ended_with_their_block():
    with parallel.workers(2, at_once=True):
        pids = set(parallel.each(where, range(20)))
    assert all(gone(pid) for pid in pids)


def test_a_block_inside_another_one_shares_its_workers():
    with parallel.workers(1):
        (first,) = parallel.guarded(where, [0], WIDE)
        with parallel.workers(1):
            assert list(parallel.guarded(where, [0], WIDE)) == [first]
        assert list(parallel.guarded(where, [0], WIDE)) == [first]


def test_workers_that_have_nothing_to_do_are_ended_and_started_again(monkeypatch):
    monkeypatch.setattr("dataflow_ext.parallel.pool._IDLE", 0.3)
    with parallel.workers(1):
        (first,) = parallel.guarded(where, [0], WIDE)
        deadline = time.monotonic() + 20
        while not gone(first) and time.monotonic() < deadline:
            time.sleep(0.05)
        (second,) = parallel.guarded(where, [0], WIDE)
    assert (gone(first), second != first) == (True, True)


def test_a_worker_dies_with_its_master(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal, time\n"
        "from dataflow_ext import parallel\n"
        "with parallel.workers(1):\n"
        "    [pid] = parallel.guarded(eval, [\"__import__('os').getpid()\"], parallel.Limits())\n"
        "    print(pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    child = int(subprocess.run([sys.executable, script], capture_output=True, text=True, env=_env()).stdout)
    deadline = time.monotonic() + 20
    while not gone(child) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert gone(child)


def test_a_worker_whose_master_is_killed_ends_without_a_word(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal, threading, time\n"
        "from dataflow_ext import parallel\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "with parallel.workers(1):\n"
        "    work = \"__import__('time').sleep(0.002) or bytes(100_000)\"\n"
        "    for _ in parallel.guarded(eval, iter(lambda: work, None), parallel.Limits()):\n"
        "        print('.', flush=True)\n"
    )
    ends = [subprocess.run([sys.executable, script], capture_output=True, text=True, env=_env()) for _ in range(3)]
    assert [(done.returncode, done.stderr) for done in ends] == [(-signal.SIGKILL, "")] * 3


def test_a_script_without_a_guard_is_not_run_again_unless_something_of_it_is_needed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from dataflow_ext import parallel\n"
        "print('running', flush=True)\n"
        "print(list(parallel.guarded(len, ['ab'], parallel.Limits(seconds=60))))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=_env())
    assert done.stdout == "running\n[2]\n"


def test_a_script_without_a_guard_whose_function_a_worker_needs_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from dataflow_ext import parallel\n"
        "def double(n): return 2 * n\n"
        "print(list(parallel.guarded(double, [1], parallel.Limits(seconds=60))))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=_env())
    assert done.returncode == 1
    assert "outside of `if __name__ == '__main__':`" in done.stderr.splitlines()[-1]


def test_the_functions_of_a_script_with_a_guard_are_found(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from dataflow_ext import parallel\n"
        "def double(n): return 2 * n\n"
        "if __name__ == '__main__':\n"
        "    print(list(parallel.guarded(double, [1], parallel.Limits(seconds=60))))\n"
    )
    assert subprocess.run([sys.executable, script], capture_output=True, text=True, env=_env()).stdout == "[2]\n"


def test_guarded_work_may_be_asked_for_in_several_threads():
    made = {}
    with parallel.workers(2, at_once=True) as pool:

        def ask(start):
            made[start] = list(pool.map(double, range(start, start + 20), lambda piece: WIDE))

        threads = [threading.Thread(target=ask, args=(start,)) for start in (0, 100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert made == {start: [2 * n for n in range(start, start + 20)] for start in (0, 100)}


def test_pieces_are_asked_for_only_as_far_ahead_as_the_processes_need():
    asked = []

    def pieces():
        for number in range(100):
            asked.append(number)
            yield number

    with parallel.workers(2, at_once=True):
        first = next(iter(parallel.each(double, pieces())))
    assert (first, len(asked) <= 7) == (0, True)


def _env():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
