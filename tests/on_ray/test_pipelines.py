"""Commands with ``--engine ray``, without a model: the files of a run on this machine, an input a part."""

from importlib import import_module

import pytest

from tests.abuse.kills.jobs import JOBS
from tests.abuse.kills.trial import data_files


@pytest.mark.parametrize("job", [job for job in JOBS if job.alone], ids=lambda job: job.name)
def test_a_command_leaves_the_same_files(job, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module, *arguments = job.make(tmp_path)
    command = import_module(module).main
    here = command([*arguments, "--out", "here"])
    there = command([*arguments, "--out", "there", "--engine", "ray", "--rows-per-part", "1"])
    assert there == here == 0
    assert data_files(tmp_path / "there") == data_files(tmp_path / "here") != {}
