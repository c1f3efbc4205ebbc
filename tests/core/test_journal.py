"""A step that was stopped in its middle: what it had done is not done again, whoever did it and however it ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dataflow_ext import Made, Operator, RowOperator, parallel, run
from dataflow_ext.codec import decode
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_of_rows, spread
from dataflow_ext.parallel import journal

ROWS = [{"text": f"t{n}"} for n in range(8)]
WANTED = [f"T{n}" for n in range(8)]


def loud(row: Record) -> Record:
    """Upper case, told in a file; stops at the text that the file ``stop`` names."""
    folder = Path(os.environ["TOLD"])
    if (folder / "stop").exists() and row["text"] == (folder / "stop").read_text(encoding="utf-8"):
        raise KeyboardInterrupt
    time.sleep(0.02)
    with (folder / "done").open("a", encoding="utf-8") as file:
        file.write(row["text"] + "\n")
    if (folder / "down").exists() and row["text"] == "t3":
        raise ConnectionError("the server is away")
    return {"loud": row["text"].upper()}


class ByRow(RowOperator):
    """A row at a time."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"loud": str}
    option: int = 0

    def row(self, text: str) -> dict[str, str]:
        return loud({"text": text})  # type: ignore[return-value]


class Spread(Operator):
    """Two rows a piece."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"loud": str}
    option: int = 0

    def batch(self, table: Any) -> Made:
        return made_of_rows(self, table, lambda rows: spread(loud, rows, 2))


class Guarded(Operator):
    """A row a piece, in worker processes alone."""

    inputs: ClassVar[Columns] = {"text": str}
    outputs: ClassVar[Columns] = {"loud": str}
    option: int = 0

    def batch(self, table: Any) -> Made:
        def treat(rows: Any) -> Any:
            return parallel.guarded(loud_or_error, rows, parallel.Limits(seconds=60), final=journal.settled)

        return made_of_rows(self, table, treat)


def loud_or_error(row: Record) -> Record | Exception:
    """As :func:`loud`; an error is the result."""
    try:
        return loud(row)
    except Exception as error:
        return error


@pytest.fixture
def told(tmp_path, monkeypatch):
    """A folder in which the rows are told, and a user's folder of its own."""
    monkeypatch.setenv("TOLD", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def done(told: Path) -> list[str]:
    """The texts that were treated since the last time this was asked, sorted."""
    path = told / "done"
    texts = path.read_text(encoding="utf-8").split() if path.exists() else []
    path.unlink(missing_ok=True)
    return sorted(texts)


def stopped(told: Path, operator: Operator) -> list[str]:
    """What a run did that was stopped at the sixth text."""
    (told / "stop").write_text("t5", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        run([operator], ROWS, cache_dir=told / "memory")
    (told / "stop").unlink()
    return done(told)


@pytest.mark.parametrize("operator", [ByRow(), Spread()], ids=["rows", "pieces of two"])
def test_a_run_that_was_stopped_in_a_step_goes_on_in_its_middle(told, operator):
    before = stopped(told, operator)
    result = run([operator], ROWS, cache_dir=told / "memory")
    again = done(told)
    assert result.table["loud"].to_pylist() == WANTED
    assert before == ["t0", "t1", "t2", "t3", "t4"]
    # The first rows of all tell whether keeping them pays, and on a busy machine pieces are under way together: which
    # of those before the stop were kept is a matter of time, but not that some were and that the rest was done.
    assert {"t5", "t6", "t7"} <= set(again) < {row["text"] for row in ROWS}
    assert len(again) == len(set(again))
    assert not list((told / "memory/steps").glob("*.journal"))


def test_a_run_that_was_killed_does_only_what_is_left(told):
    (told / "job.py").write_text(
        "from tests.core.test_journal import Guarded\nfrom dataflow_ext import run\n"
        "if __name__ == '__main__':\n    run([Guarded()], [{'text': str(n)} for n in range(160)], cache_dir='memory', workers=2)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen([sys.executable, "job.py"], cwd=told, env=environment, start_new_session=True)
    while not (told / "done").exists() or (told / "done").read_text(encoding="utf-8").count("\n") < 60:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    [kept] = (told / "memory/steps").glob("*.journal")
    with kept.open("ab") as file:
        file.write(b"cut off in the middle")
    before = len(done(told))
    assert subprocess.run([sys.executable, "job.py"], cwd=told, env=environment, check=False).returncode == 0
    after = len(done(told))
    assert before >= 60
    assert 160 <= before + after <= 160 + 16  # of each worker, what was under way or had not been told yet
    assert not list((told / "memory/steps").glob("*.journal"))


def test_what_failed_and_may_pass_is_all_that_is_done_again(told):
    (told / "down").touch()
    first = run([Guarded()], ROWS * 4, cache_dir=told / "memory")
    assert (first.table.num_rows, first.rejects["error"].to_pylist()) == (28, ["ConnectionError"] * 4)
    done(told)
    (told / "down").unlink()
    second = run([Guarded()], ROWS * 4, cache_dir=told / "memory")
    assert (second.table["loud"].to_pylist(), done(told)) == (WANTED * 4, ["t3"] * 4)


@pytest.mark.parametrize("damage", ["bytes", "secret"])
def test_a_journal_that_this_user_did_not_write_is_not_read(told, damage):
    stopped(told, Spread())
    [kept] = (told / "memory/steps").glob("*.journal")
    if damage == "secret":
        (told / "cache/rowsmith/journal.key").write_bytes(b"x" * 32)
    else:
        kept.write_bytes(kept.read_bytes().replace(b"loud", b"LOUD"))
    result = run([Spread()], ROWS, cache_dir=told / "memory")
    assert (done(told), result.table["loud"].to_pylist()) == ([f"t{n}" for n in range(8)], WANTED)


def test_a_changed_option_or_fresh_does_all_of_it_again(told):
    stopped(told, Spread())
    run([Spread(option=1)], ROWS, cache_dir=told / "memory")
    assert done(told) == [f"t{n}" for n in range(8)]
    run([Spread()], ROWS, cache_dir=told / "memory", fresh=True)
    assert done(told) == [f"t{n}" for n in range(8)]


def test_without_a_place_for_the_secret_or_the_journal_all_is_done_again(told, monkeypatch):
    (told / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(told / "file"))
    stopped(told, Spread())
    assert run([Spread()], ROWS, cache_dir=told / "memory").table["loud"].to_pylist() == WANTED
    assert done(told) == [f"t{n}" for n in range(8)]


def test_quick_rows_are_not_written_down(told, monkeypatch):
    kept: list[object] = []
    monkeypatch.setattr(journal.Journal, "keep", lambda self, function, piece, made: kept.append(piece))

    class Quick(RowOperator):
        inputs: ClassVar[Columns] = {"text": str}
        outputs: ClassVar[Columns] = {"size": int}

        def row(self, text: str) -> dict[str, int]:
            return {"size": len(text)}

    assert run([Quick()], ROWS * 1000, cache_dir=told / "memory").table.num_rows == 8000
    assert kept == []


def test_a_step_after_one_with_a_passing_failure_is_remembered(told):
    (told / "down").touch()

    class Size(RowOperator):
        inputs: ClassVar[Columns] = {"loud": str}
        outputs: ClassVar[Columns] = {"size": int}

        def row(self, loud: str) -> dict[str, int]:
            return {"size": len(loud)}

    pipeline = [Guarded(), Size()]
    assert run(pipeline, ROWS, cache_dir=told / "memory").rejects.num_rows == 1
    again = run(pipeline, ROWS, cache_dir=told / "memory")
    assert [step.remembered for step in again.report.steps] == [False, True]
    assert decode(again.table["size"].combine_chunks(), int) == [2] * 7
