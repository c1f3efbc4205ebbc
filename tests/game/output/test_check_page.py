"""A person's eyes make labels: what the page shows, and that what it saves is what the labels' reader takes."""

import random
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dataflow_ext import InputError, OptionError
from operators.game.output.labels import HEADER, Label, read_labels, sampled, write_sample
from operators.game.output.run_rounds import least_sure, read_annotations, write_annotations
from tests.game.output.kept_rounds import reading, rounds, row, screenshots
from tests.support.browser import PROGRAM, Browser
from tests.support.report_page import ReportPage


def written(root: Path, out: Path, kept: list[dict]) -> list[dict]:
    screenshots(root, kept)
    write_annotations(rounds(root, kept), out)
    return read_annotations(out)


def sure(number: int, confidence: float) -> dict:
    made = row(Path("r"), number, light_read=reading("colour", "GREEN", confidence))
    return {
        name: asdict(value) if name.endswith("_read") and name != "rule_read" else value for name, value in made.items()
    }


def numbers_of(chosen: list) -> list[int]:
    return sorted(each["round"] for each in chosen)


def test_half_of_a_sample_are_the_least_sure_rounds() -> None:
    rows = [sure(n, 0.5 if n in (7, 30, 41) else 0.99) for n in range(50)]
    assert {7, 30, 41} <= set(numbers_of(sampled(rows, 6, seed=1)))
    assert len(sampled(rows, 6, seed=1)) == 6


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(1, 40), st.integers(0, 99))
def test_a_sample_has_no_round_twice_and_is_the_same_for_the_same_seed(sureness: list, n: int, seed: int) -> None:
    rows = [sure(place, confidence) for place, confidence in enumerate(sureness)]
    chosen = sampled(rows, n, seed)
    assert len({each["round"] for each in chosen}) == len(chosen) == min(n, len(rows))
    assert sampled(random.Random(seed).sample(rows, len(rows)), n, seed) == chosen
    half = min(n, len(rows)) // 2
    assert sorted(map(least_sure, chosen))[:half] == sorted(map(least_sure, rows))[:half]


def test_a_page_shows_rounds_with_what_was_read_of_them(tmp_path: Path) -> None:
    hostile = "<script>alert(1)"
    rows = written(tmp_path / "raw", tmp_path / "out", [row(tmp_path / "raw", 1, device=hostile)])
    page = ReportPage(write_sample(rows, tmp_path / "out", 5, 0, root=tmp_path / "raw"))
    page.must_be_inert(hostile)
    assert len(page.places()) == 2
    assert page.words().strip() == f"question result {hostile} · episode_001 · round 1"
    [told] = [each[4] for each in page.rows()]
    assert told == {
        "device": hostile, "episode": "episode_001", "round": "1", "numbers": "5 8 3", "light": "GREEN", "answer": "1"
    }  # fmt: skip
    labels = page.lists["rows"]["labels"]
    assert (*labels["given"], *(field["name"] for field in labels["fields"])) == HEADER


def test_without_the_collected_rounds_the_question_comes_from_the_data_set(tmp_path: Path) -> None:
    rows = written(tmp_path / "raw", tmp_path / "out", [row(tmp_path / "raw", 1)])
    copy = tmp_path / "out" / "images" / rows[0]["image"]
    copy.parent.mkdir(parents=True)
    Image.new("RGB", (90, 160)).save(copy)
    page = ReportPage(write_sample(rows, tmp_path / "out", 1, 0))
    assert page.places() == [f"images/{rows[0]['image']}"]
    assert "name the folder of the collected rounds to see it" in page.words()


@pytest.mark.parametrize("name", ["../secret.png", "/etc/secret.png", "a/../../secret.png", "a\0b.png"])
def test_a_name_that_leads_out_of_the_folder_shows_nothing(tmp_path: Path, name: str) -> None:
    rows = written(tmp_path / "raw", tmp_path / "out", [row(tmp_path / "raw", 1)])
    Image.new("RGB", (90, 160)).save(tmp_path / "secret.png")
    hostile = [{**rows[0], "image": name, "result": name}]
    page = ReportPage(write_sample(hostile, tmp_path / "out", 1, 0, root=tmp_path / "raw"))
    assert page.places() == []
    assert page.words().count("outside of the folder") == 2


def test_nothing_to_check_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No round was kept"):
        write_sample([], tmp_path, 5, 0)
    with pytest.raises(OptionError, match="A sample of 0 rounds"):
        write_sample([{}], tmp_path, 0, 0)
    with pytest.raises(InputError, match="run the pipeline with --out"):
        read_annotations(tmp_path)


@pytest.mark.skipif(PROGRAM is None, reason="needs chromium")
def test_what_a_person_confirms_or_changes_is_saved_as_labels_and_nothing_else(tmp_path: Path) -> None:
    raw, out = tmp_path / "raw", tmp_path / "out"
    kept = [row(raw, n, device='机 1, "a";b', numbers=[n, 50, 7]) for n in range(1, 7)]
    rows = written(raw, out, kept)
    page = write_sample(rows, out, 6, 0, root=raw)
    shown = [each["round"] for each in sampled(rows, 6, 0)]
    place = ".row:nth-of-type({})".format
    with Browser(page, tmp_path) as browser:
        browser.until("document.body.dataset.shown")
        browser.press("j", 74)
        browser.press("Enter", 13)  # the first as it stands
        browser.type(f"{place(2)} input[type=text]", f"{shown[1]} ５1 7")
        browser.click(f"{place(2)} input[value=RED]")
        browser.type(f"{place(3)} input[type=text]", "50 7")  # two numbers are no label
        browser.press("Enter", 13)
        browser.type(f"{place(4)} input[type=text]", "9")
        browser.press("Escape", 27)
        browser.type(f"{place(5)} input[type=text]", "")
        browser.click(f"{place(5)} .choice:nth-of-type(2) label:last-child input")
        assert browser.value("document.querySelector('.saver output').value") == "3 of 6 labelled, 1 incomplete"
        browser.click(".saver button:nth-of-type(2)")
        told = browser.value("document.querySelector('textarea').value")
        browser.click(".saver .main")
        saved = browser.downloaded("labels.csv")
    (tmp_path / "labels.csv").write_bytes(saved)
    key = {n: ('机 1, "a";b', "episode_001", n) for n in shown}
    assert read_labels(tmp_path / "labels.csv") == {
        key[shown[0]]: Label((shown[0], 50, 7), "GREEN", "1"),
        key[shown[1]]: Label((shown[1], 51, 7), "RED", "1"),
        key[shown[4]]: Label(None, "GREEN", None),
    }
    # A text area shows its lines with plain ends.
    assert saved.decode("utf-8-sig").replace("\r\n", "\n") == told
