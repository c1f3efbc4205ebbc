"""Each command, with a model and without, is killed at random moments and goes on: the same bytes at its end."""

import random

import pytest

from tests.abuse.kills.jobs import JOBS, Job
from tests.abuse.kills.trial import Trial
from tests.abuse.settings import LONG

#: In the short form each command is killed once, in one of the two ways; a book with a model: see tests/pipelines.
SHORT = {
    ("pdf_vqa", False),
    ("cot_planning", True),
    ("scene_edit", False),
    ("onevision", True),
    ("curate", True),
    ("sample_cot", True),
}
#: Nothing but a model can sample.
ALL = [
    (job, asking)
    for job in JOBS
    for asking in (False, True)
    if (LONG and (asking or job.alone)) or (job.name, asking) in SHORT
]
KILLS = 20 if LONG else 1


def named(value: object) -> str:
    return value.name if isinstance(value, Job) else ("with a model" if value else "by rules")


@pytest.mark.parametrize(("job", "asking"), ALL, ids=named)
def test_a_killed_command_that_is_started_again_leaves_the_same_bytes(job, asking, tmp_path):
    rng = random.Random()
    with Trial(job, tmp_path / "trial", asking) as trial:
        assert {number: trial.kill(number, rng) for number in range(KILLS)} == {number: [] for number in range(KILLS)}
