"""A run that is killed or interrupted goes on where it was: same files, and nothing that was paid for is asked again."""

import random
import signal
import time

import pytest

from benchmarks.kill import Trial, data_files, stored_replies


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    made = Trial(tmp_path_factory.mktemp("kill"), chapters=10, slowest=0.6, chunk_tokens=300)
    with made.server:
        made.undisturbed()
        yield made


def test_a_run_killed_at_three_random_moments_ends_with_the_same_files(trial):
    assert trial.requests >= 8
    assert len(trial.files) == 14
    kills = trial.kill(1, ["between", "between", "late"], random.Random())
    assert [kill.problems for kill in kills] == [[], [], []], kills
    assert [kill.between_replies for kill in kills][:2] == [True, True], kills


def test_ctrl_c_leaves_with_130_and_a_sentence_and_the_same_command_goes_on(trial):
    trial.server.forget()
    process = trial.start("interrupted")
    trial.server.wait_for(2, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    folder = trial.folder / "interrupted"
    text = (folder / "stderr.txt").read_text(encoding="utf-8")
    assert text.endswith("Stopped. What was finished is kept; the same command goes on from there.\n")
    assert "Traceback" not in text
    stored = stored_replies(folder / "out", trial.folder / "copy")
    assert stored
    time.sleep(trial.server.slowest)
    trial.server.forget()
    assert trial.start("interrupted").wait(timeout=60) == 0
    assert stored.isdisjoint({what for _, what in trial.server.asked})
    assert len(trial.server.asked) == trial.requests - len(stored)
    assert data_files(folder / "out") == trial.files
