"""Work begins in this process, and goes to others when its first pieces have shown that this pays."""

import os
import time
from collections.abc import Iterator, Mapping
from typing import ClassVar

import pyarrow as pa
import pytest
from pydantic import BaseModel, ConfigDict

from dataflow_ext import RowOperator, parallel, run
from dataflow_ext.errors import PieceError
from dataflow_ext.models import Model, Reply, Request, complete
from dataflow_ext.parallel import Trial

HERE = os.getpid()


@pytest.fixture
def cheap_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a worker were there in a hundredth of a second: what takes some tenths of one is worth two."""
    monkeypatch.setattr("dataflow_ext.parallel._START", 0.01)
    monkeypatch.setattr("dataflow_ext.parallel._STARTED", 0.01)


class Slept(RowOperator):
    inputs, outputs, spread = {"seconds": float}, {"process": int}, True

    def row(self, seconds: float) -> dict[str, int]:
        return {"process": slept(seconds)}


def slept(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def slept_or_died(seconds: float) -> int:
    return os._exit(3) if seconds < 0 else slept(seconds)


def places(made: list[int | PieceError]) -> list[str]:
    return [type(one).__name__ if isinstance(one, PieceError) else "here" if one == HERE else "there" for one in made]


def test_cheap_pieces_start_no_process() -> None:
    with parallel.workers(2) as pool:
        assert places(list(parallel.outcomes(slept, [0.001] * 100))) == ["here"] * 100
        assert pool.started is False


@pytest.mark.usefixtures("cheap_start")
@pytest.mark.parametrize("total", [20, None])
def test_costly_pieces_go_to_the_processes_after_the_first_ones(total: int | None) -> None:
    def pieces() -> Iterator[float]:
        yield from [0.02] * 20

    with parallel.workers(2):
        made = places(list(parallel.outcomes(slept, pieces(), total=total)))
    first = made.index("there")
    assert made == ["here"] * first + ["there"] * (20 - first)
    # Of pieces that nobody has counted, as many are expected as there were; on a busy machine the first took longer.
    assert 1 <= first <= (1 if total else 2)


def test_pieces_known_to_be_costly_are_never_done_here() -> None:
    with parallel.workers(2):
        assert places(list(parallel.outcomes(slept, [0.0, 0.0], costly=True))) == ["there"] * 2


@pytest.mark.usefixtures("cheap_start")
def test_of_pieces_sent_together_only_the_one_whose_process_dies_is_lost() -> None:
    seconds = [0.002] * 80
    seconds[40] = -1.0
    with parallel.workers(2):
        made = places(list(parallel.outcomes(slept_or_died, seconds)))
    assert (made[0], made[-1], len(made)) == ("here", "there", 80)
    assert [i for i, place in enumerate(made) if place == "WorkerDied"] == [40]


def test_pieces_travel_together_as_far_as_a_message_s_time_and_even_ends_allow() -> None:
    def size(seconds: float, total: int) -> int:
        trial = Trial(count=2, total=total, started=True)
        trial.add(seconds)
        return trial.size

    assert [size(1.0, 1000), size(0.01, 1000), size(0.01, 50), size(0.0, 10)] == [1, 5, 3, 1]


@pytest.mark.parametrize(
    ("count", "total", "started", "pays"),
    [
        (2, 6, False, True),
        (2, 5, False, False),
        (4, 5, False, True),
        (2, 2, True, True),
        (2, 1, True, False),
        (2, None, True, True),
        (2, None, False, False),
    ],
)
def test_processes_pay_if_they_gain_twice_their_start(count: int, total: int | None, started: bool, pays: bool) -> None:
    trial = Trial(count, total, started)
    assert trial.pays is False  # nothing is known yet
    trial.add(seconds=0.7)
    assert trial.pays is pays


def test_rows_of_an_operator_that_spreads_are_never_done_here_and_come_in_order() -> None:
    table = pa.table({"row_id": [str(n) for n in range(12)], "seconds": [0.0] * 12})
    made = run([Slept()], table, workers=2).table
    assert made["row_id"].to_pylist() == [str(n) for n in range(12)]
    assert places(made["process"].to_pylist()) == ["there"] * 12


class Napped(Slept):
    spread = "if it pays"


class Canned(BaseModel):
    """A model that says which process it answered in, and fails where it is told to."""

    model_config = ConfigDict(frozen=True)
    name: str = "canned"
    local: ClassVar[bool] = True
    portable: ClassVar[bool] = True

    async def complete(self, request: Request) -> Reply:
        return Reply(str(slept(float(request.prompt))))

    def identity(self) -> Mapping[str, object]:
        return {"model": self.name}


class Asked(Slept):
    spread = "if it pays"
    model: Model

    async def row(self, seconds: float) -> dict[str, int]:
        if seconds < 0:
            os._exit(3)
        return {"process": int((await complete(self.model, Request(str(seconds)))).text)}


def slow_rows(count: int, seconds: float = 0.02) -> pa.Table:
    return pa.table({"row_id": [str(n) for n in range(count)], "seconds": [seconds] * count})


def test_rows_that_may_pay_stay_here_as_long_as_they_are_quick() -> None:
    with parallel.workers(2) as pool:
        made = run([Napped()], slow_rows(100, 0.0), workers=2).table
        assert places(made["process"].to_pylist()) == ["here"] * 100
        assert pool.started is False


@pytest.fixture
def cheap_imports(cheap_start: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.engine._IMPORTS", 0.0)


@pytest.mark.usefixtures("cheap_imports")
def test_rows_that_pay_follow_the_first_ones_to_the_processes_in_order() -> None:
    made = run([Napped()], slow_rows(20), workers=2).table
    where = places(made["process"].to_pylist())
    first = where.index("there")
    assert made["row_id"].to_pylist() == [str(n) for n in range(20)]
    assert where == ["here"] * first + ["there"] * (20 - first)
    assert 1 <= first <= 2


@pytest.mark.usefixtures("cheap_imports")
def test_a_model_that_is_portable_answers_where_its_rows_are_and_its_calls_are_counted() -> None:
    result = run([Asked(model=Canned())], slow_rows(20), workers=2)
    assert set(places(result.table["process"].to_pylist())) == {"here", "there"}
    [(where, usage)] = result.report.calls.items()
    assert (where, usage.requests, usage.local) == (("1. Asked", "canned"), 20, True)


@pytest.mark.usefixtures("cheap_imports")
def test_a_model_that_is_not_portable_is_asked_here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Canned, "portable", False)
    made = run([Asked(model=Canned())], slow_rows(20), workers=2).table
    assert set(places(made["process"].to_pylist())) == {"here"}


@pytest.mark.usefixtures("cheap_imports")
def test_of_rows_that_travel_together_only_the_one_that_kills_its_process_is_rejected() -> None:
    table = slow_rows(80, 0.002)
    dies = pa.array([0.002] * 40 + [-1.0] + [0.002] * 39)
    result = run([Asked(model=Canned())], table.set_column(1, "seconds", dies), workers=2)
    assert result.table["row_id"].to_pylist() == [str(n) for n in range(80) if n != 40]
    assert result.rejects.select(["row_id", "error"]).to_pylist() == [{"row_id": "40", "error": "WorkerDied"}]
