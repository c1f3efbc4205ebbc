import json
from pathlib import Path

import pytest

from dataflow_ext import InputError
from dataflow_ext.datasets.rejects_and_stats import write_stats
from dataflow_ext.rejects import show
from dataflow_ext.report import Report
from dataflow_ext.report.parts import Pictures
from operators import OneVisionWriter
from operators.onevision.model.records import Check, Judgement
from operators.onevision.output import sampled, shown_row, stats, write_page, write_sample
from pipelines.commands.onevision import sample
from tests.onevision.finished import picture, row, table
from tests.support.report_page import ReportPage, elements

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> {{ 7 * 7 }}"


def rows(folder: Path) -> list[dict]:
    white, red = picture(folder, "white", "a.png"), picture(folder, "red", "b.png")
    unjudged = Judgement("not run")
    return [
        row(white),
        row(
            white,
            id="pulley_1#2",
            turn=2,
            verdict="review",
            reasons=["code.parses: line 2", "rewrite.number: 7"],
            judge=unjudged,
            score=None,
            formal_state="does not parse: line 2",
        ),
        row(
            red,
            id=HOSTILE,
            question=HOSTILE,
            image_formal_description=HOSTILE,
            verdict="kept",
            image_type="chart",
            judge=unjudged,
            score=None,
        ),
        row(
            red,
            id="z#1",
            verdict="dropped",
            cot_thinking=None,
            reasons=["rewrite.answer: ends at B"],
            checks=[Check("rewrite.answer", "failed", "ends at B")],
        ),
    ]


def test_the_figures_count_every_turn_once(tmp_path: Path) -> None:
    figures = stats([table(rows(tmp_path)[:1]), table(rows(tmp_path)[1:])], show(None))
    assert {
        name: figures[name] for name in ("turns", "kept", "review", "dropped", "errored", "judged", "pictures")
    } == {
        "turns": 4,
        "kept": 2,
        "review": 1,
        "dropped": 1,
        "errored": 0,
        "judged": {"dropped": 1, "kept": 1},
        "pictures": 2,
    }
    assert figures["image_types"] == {"chart": {"kept": 1}, "physics_setup": {"dropped": 1, "kept": 1, "review": 1}}
    assert figures["checks"] == {"rewrite.equation": {"passed": 3}, "rewrite.answer": {"failed": 1}}
    assert figures["reasons"] == {"code.parses": 1, "rewrite.answer": 1, "rewrite.number": 1}
    assert figures["formal_code"] == {"does not parse": 1, "parsed": 3}
    assert figures["scores"] == {"min": 9.2, "median": 9.2, "max": 9.2}
    assert json.loads(write_stats(figures, tmp_path).read_text()) == figures


def test_a_page_of_no_rows_says_so(tmp_path: Path) -> None:
    empty = table([])
    page = ReportPage(write_page(lambda: [empty], show(None), stats([empty], show(None)), Report(), tmp_path))
    assert page.lists["rows"]["nothing"] == "There is no row."


def test_the_page_shows_every_row_and_runs_nothing_that_texts_hold(tmp_path: Path) -> None:
    made = table(rows(tmp_path))
    page = ReportPage(write_page(lambda: [made], show(None), stats([made], show(None)), Report(), tmp_path))
    page.must_be_inert(HOSTILE)
    assert [each[0] for each in page.rows()] == ["pulley_1#1", HOSTILE, "pulley_1#2", "z#1"]
    assert "2 kept, 1 of them judged 1 for review 1 dropped 0 errored" in page.head
    assert "z#1 physics setup dropped 9.2 of 10 rewrite.answer: ends at B" in page.row("z#1")
    assert page.places() == ["a.png", "b.png", "a.png", "b.png"]
    assert page.menus()[0] == [("kept", 2), ("review", 1), ("dropped", 1)]
    assert page.menus()[2] == [("code.parses", 1), ("rewrite.number", 1), ("rewrite.answer", 1)]


def test_what_was_found_and_read_are_boxes_on_the_picture(tmp_path: Path) -> None:
    detections = [{"label": "pulley", "score": 0.9, "box": (1.0, 2.0, 3.0, 4.0)}]
    ocr = [{"text": "F = 2", "score": 0.8, "box": (5.0, 6.0, 7.0, 8.0)}]
    one = table([row(picture(tmp_path, "white", "a.png"))]).to_pylist()[0] | {"detections": detections, "ocr": ocr}
    [img] = [each for part in shown_row(one, Pictures(tmp_path)).body for each in elements(part) if each[0] == "img"]
    assert img[2:] == [
        ["i", {"title": "pulley 0.90"}, "amber", "1.0", "2.0", "3.0", "4.0"],
        ["i", {"title": "F = 2"}, "blue", "5.0", "6.0", "7.0", "8.0"],
    ]


def test_the_same_seed_gives_the_same_sample_with_what_is_to_be_told_of_each_row(tmp_path: Path) -> None:
    made = table(rows(tmp_path))
    page = ReportPage(write_sample(made, tmp_path, 3, seed=1))
    assert page.rows() == ReportPage(write_sample(made, tmp_path, 3, seed=1)).rows()
    assert len(page.rows()) == len(page.places()) == 3
    assert all(each[4] == {"id": each[0], "verdict": each[4]["verdict"]} for each in page.rows())
    labels = page.lists["rows"]["labels"]
    assert [labels["file"], *labels["given"], *(field["name"] for field in labels["fields"])] == [
        *("review.csv", "id", "verdict", "reviewed", "description_wrong", "reasoning_wrong", "answer_wrong"),
        *("language_bad", "note"),
    ]


def test_every_verdict_has_its_share_of_a_sample() -> None:
    verdicts = ["kept"] * 90 + ["review"] * 8 + ["dropped"] * 2
    ids = [f"r{i:03}" for i in range(100)]
    taken = [verdicts[place] for place in sampled(ids, verdicts, 20, seed=5)]
    assert (len(taken), taken.count("dropped"), taken.count("review") >= 4) == (20, 2, True)


def test_the_command_writes_a_sheet_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    OneVisionWriter(out=tmp_path / "out")(table(rows(tmp_path)[:2]))
    assert sample([str(tmp_path / "out"), "--n", "5", "--verdict", "kept"]) == 0
    assert "1 of 1 rows" in capsys.readouterr().err and (tmp_path / "out" / "sample.html").is_file()
    with pytest.raises(InputError, match="name the folder of a run"):
        sample([str(tmp_path / "nowhere")])
    known = [row["id"] for row in rows(tmp_path)[:2]]
    (tmp_path / "review.csv").write_text(f"\ufeffid,verdict,reviewed\r\n{known[0]},kept,good\r\n", "utf-8")
    assert sample([str(tmp_path / "out"), "--reviewed", str(tmp_path / "review.csv")]) == 0
    assert [key for key, *_ in ReportPage(tmp_path / "out" / "sample.html").rows()] == known[1:]
    with pytest.raises(InputError, match="no row to review"):
        write_sample(table([]), tmp_path, 3, 0)
