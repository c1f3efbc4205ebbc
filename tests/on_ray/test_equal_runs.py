"""Runs on a cluster: rows, rejects, figures and files are those of a run on this machine."""

import os
from dataclasses import astuple, replace

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, run
from dataflow_ext.errors import InputError, RowFailed
from tests.core.streaming.steps import AllInOne, Copies, Fails, Largest, NotByThree, Rank, Sorted, Sums
from tests.on_ray.steps import Picky, Refuses, Squares

NUMBERS = pa.table({"n": [n * 7 % 31 for n in range(60)]})


def figures(result):
    return [astuple(replace(step, seconds=0.0)) for step in result.report.steps]


@pytest.mark.parametrize(
    "steps",
    [
        [Copies(), NotByThree(), Fails()],
        [Copies(), Sums()],  # keys of which each has rows in many parts
        [Largest()],  # of all parts together
        [Fails(), Rank(), Copies()],
        [Sorted(), NotByThree()],
        [NotByThree(), AllInOne(), Fails()],
    ],
    ids=lambda steps: "-".join(type(step).__name__ for step in steps),
)
@pytest.mark.parametrize("workers", [1, 2])
def test_files_rejects_and_figures_are_those_of_a_run_on_this_machine(steps, workers, tmp_path):
    here = run(steps, NUMBERS, out=tmp_path / "here", rows_per_part=3)
    there = run(steps, NUMBERS, out=tmp_path / "there", rows_per_part=3, engine="ray", workers=workers)
    assert len(list(there.parts())) == 20
    for name in ("rows.parquet", ".run/rejects.parquet"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    assert figures(there) == figures(here)


def test_parts_of_either_engine_are_remembered_by_the_other(tmp_path):
    steps = [Copies(), NotByThree()]
    run(steps, NUMBERS, out=tmp_path, rows_per_part=3, limit=30)
    there = run(steps, NUMBERS, out=tmp_path, rows_per_part=3, engine="ray")
    assert [step.remembered for step in there.report.steps] == [False, False]
    here = run(steps, NUMBERS, out=tmp_path, rows_per_part=3)
    assert [step.remembered for step in here.report.steps] == [True, True]


def test_pieces_of_a_step_that_sees_all_rows_are_done_by_tasks(tmp_path):
    rows = [{"n": n} for n in range(12)]
    there = run([Squares()], rows, out=tmp_path, rows_per_part=3, engine="ray")
    assert there.table["sum"].to_pylist() == [sum(n * n for n in range(12))] * 12


def test_an_error_of_a_row_arrives_as_what_it_is(tmp_path):
    rows = [{"n": n} for n in range(6)]
    rejected = run([Refuses()], rows, out=tmp_path / "rejected", rows_per_part=2, engine="ray")
    assert rejected.rejects["message"].to_pylist() == ["1 is odd", "3 is odd", "5 is odd"]
    assert [(trace.step, trace.error) for trace in rejected.report.tracebacks] == [("1. Refuses", "Picky")]
    with pytest.raises(RowFailed, match="1 is odd") as raised:
        run([Refuses()], rows, out=tmp_path / "raised", rows_per_part=2, engine="ray", on_error="raise")
    assert isinstance(raised.value.__cause__, Picky)
    assert raised.value.__cause__.number == 1


def test_a_run_on_a_cluster_needs_a_folder_and_options_of_its_steps(tmp_path):
    from dataflow_ext.ray_engine import RayEngine

    with pytest.raises(OptionError, match="name the folder for them with out="):
        run([Copies()], NUMBERS, engine="ray")
    with pytest.raises(OptionError, match="RayEngine has options for Reader; the steps are Copies"):
        run([Copies()], NUMBERS, out=tmp_path, engine=RayEngine(options={"Reader": {"num_gpus": 1}}))


def test_options_of_a_step_are_those_of_its_tasks(tmp_path):
    from dataflow_ext.ray_engine import RayEngine

    engine = RayEngine(options={"Copies": {"num_cpus": 2, "memory": 1_000_000}})
    there = run([Copies()], NUMBERS, out=tmp_path, rows_per_part=20, engine=engine)
    assert there.table.num_rows == run([Copies()], NUMBERS).table.num_rows


def test_usage_is_not_reported():
    from ray._common.usage import usage_lib

    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert not usage_lib.usage_stats_enabled()


def test_a_folder_that_another_machine_does_not_see_and_another_version_are_told(tmp_path, monkeypatch):
    import ray

    from dataflow_ext import ray_engine

    here = [node for node in ray.nodes() if node["Alive"]]
    ray_engine._must_see(ray, here, [tmp_path, tmp_path / "not" / "there"])
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(ray_engine, "_mark", lambda place: tmp_path / "elsewhere" / "mark")
    with pytest.raises(InputError, match=r"does not see .*elsewhere as this machine does"):
        ray_engine._must_see(ray, here, [tmp_path])
    monkeypatch.setattr(ray_engine, "__version__", "0.0.1")
    with pytest.raises(InputError, match=r"has version .* of this library, and here is 0\.0\.1"):
        ray_engine._must_see(ray, here, [tmp_path])
