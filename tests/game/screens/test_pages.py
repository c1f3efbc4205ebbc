"""The kept pictures of games that are web pages, and the script that makes them."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from dataflow_ext import run
from dataflow_ext.ocr import engine
from examples.game_screens.game import right_card
from pipelines.game_annotate import episodes, pipeline

_PAGES = Path(__file__).resolve().parents[3] / "examples" / "game_pages"
_ROUNDS = _PAGES / "rounds"

pytestmark = pytest.mark.skipif(not _ROUNDS.is_dir(), reason="the examples are not here")


def _labels() -> list[dict[str, str]]:
    with (_ROUNDS / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_there_are_24_rounds_of_three_pages_on_six_sizes_in_few_bytes():
    rows = _labels()
    assert len(rows) == 24
    assert {row["device"].split("_")[0] for row in rows} == {"crossing", "quiz", "desk"}
    sizes = set()
    for path in sorted(_ROUNDS.glob("*/*round_*")):
        with Image.open(path) as picture:
            sizes.add(picture.size)
    assert sizes == {(1080, 2340), (720, 1280), (1170, 2532), (1200, 1920), (1366, 768), (2048, 1536)}
    assert sum(path.stat().st_size for path in _ROUNDS.rglob("*") if path.is_file()) < 3_000_000


def test_labels_follow_the_rule_and_name_what_metadata_names():
    rows = _labels()
    for row in rows:
        numbers = tuple(map(int, row["numbers"].split()))
        assert int(row["answer"]) == right_card(numbers, row["light"])
    listed = set()
    for path in _ROUNDS.glob("*/*_metadata.json"):
        metadata = json.loads(path.read_text("utf-8"))
        for entry in metadata["rounds"]:
            listed.add((metadata["device_id"], metadata["episode_id"], str(entry["round"])))
            assert (_ROUNDS / entry["question_screenshot"]).is_file()
            assert (_ROUNDS / entry["result_screenshot"]).is_file()
    assert listed == {(row["device"], row["episode"], row["round"]) for row in rows}


def test_without_a_browser_the_script_says_loudly_that_it_made_nothing(tmp_path):
    command = [sys.executable, str(_PAGES / "make.py"), str(tmp_path / "new")]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "NOTHING WAS MADE: there is no chromium; install it (apt install chromium) or name it by CHROMIUM.\n"
    )
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")
def test_lamps_that_move_and_grounds_that_change_within_an_episode_cost_no_round(tmp_path):
    for device in ("crossing_phone", "quiz_phone"):
        shutil.copytree(_ROUNDS / device, tmp_path / "rounds" / device)
    result = run(pipeline(rule="number-game"), episodes(tmp_path / "rounds"), cache_dir=tmp_path / "memory")
    read = {(row["device"], str(row["round"])): (row["light"], str(row["card"])) for row in result.table.to_pylist()}
    labels = {(row["device"], row["round"]): (row["light"], row["answer"]) for row in _labels()}
    assert read.items() <= labels.items()
    assert len(read) >= 7, result.rejects["message"].to_pylist()
