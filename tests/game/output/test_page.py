"""The page shows what became of the rounds, holds all it needs, and runs nothing."""

import json
from pathlib import Path

import pytest

from dataflow_ext.models import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.game.output.labels import Label
from operators.game.output.page import write_page
from operators.game.output.run_rounds import Rounds
from operators.game.output.stats import Accuracy, RuleFigures, accuracy, stats
from operators.game.rounds import Look
from tests.game.output.kept_rounds import reading, reject, rounds, row, screenshots
from tests.support.report_page import ReportPage, elements

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "javascript:alert(1)",
)


def page(
    run: Rounds, out: Path, measured: Accuracy | None = None, report: Report | None = None, **more: object
) -> ReportPage:
    rule = RuleFigures("number-game", True, 9, 9, "borne out")
    figures = stats(run, rule=rule, seed=1, test_share=0.2, accuracy=measured, **more)  # type: ignore[arg-type]
    return ReportPage(write_page(run, figures, report or Report(), out, accuracy=measured))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_inert_wherever_they_stand(tmp_path: Path, text: str) -> None:
    said = reading(text, text, 0.5, Look("vlm", text + "2", 0.3, text + "3"), reason=text)
    kept = row(tmp_path, 1, device=text, episode=text, light=text, light_read=said, rule_read=text)
    rejects = [
        reject("x", text, operator=text, error=text, step=1, inputs=json.dumps({text: text, "question": text})),
        reject(f"{text}-{text}-2", text, inputs=text),
    ]
    run = rounds(tmp_path, [kept], read=[row(tmp_path, 2, device=text, episode=text)], rejects=rejects)
    used = Usage(1, prompt_tokens=1)
    report = Report([StepReport(1, text, 1, 1)], {text: used}, [text], {(text, text): used}, [Stop(text, 1, text)])
    measured = accuracy(run.kept_rows(), {(text, text, 1): Label((1, 2, 3), "RED", "0")}, run.seen())
    made = page(run, tmp_path / "o", measured, report)
    made.must_be_inert(text)
    assert f"{text} · {text} · round 1" in made.words()
    assert text in made.words("rejects")


def test_pictures_are_those_of_the_collected_rounds_by_relative_paths(tmp_path: Path) -> None:
    kept = [row(tmp_path, n) for n in range(3)]
    screenshots(tmp_path, kept)
    made = page(rounds(tmp_path, kept), tmp_path / "o")
    assert made.places()[:2] == [f"../phone/episode_001_round_00_{which}.png" for which in ("question", "result")]
    assert len(made.places()) == 6
    assert str(tmp_path) not in made.html
    [first] = [part for part in elements(made.rows()[0][3][0]) if part[0] == "img" and len(part) > 2]
    assert [(each[2], each[1]["title"]) for each in first[2:]] == [
        ("blue", "card"),
        ("chosen", "correct card"),
        ("blue", "card"),
    ]


def test_mistakes_stand_beside_what_was_labelled(tmp_path: Path) -> None:
    kept = [row(tmp_path, 1), row(tmp_path, 2)]
    labels = {
        ("phone", "episode_001", 1): Label((5, 6, 3), "GREEN", "1"),
        ("phone", "episode_001", 2): Label((5, 8, 3), "GREEN", "1"),
    }
    run = rounds(tmp_path, kept)
    measured = accuracy(run.kept_rows(), labels, run.seen())
    made = page(run, tmp_path / "o", measured)
    assert "labelled 5 6 3" in made.row("phone-episode_001-1")
    assert "labelled" not in made.row("phone-episode_001-2")
    assert made.menus()[0] == [("mistake", 1)]
    assert "50.0 %" in made.head.partition("Accuracy against labels")[2]


def test_rejects_stand_with_their_whole_message_and_picture(tmp_path: Path) -> None:
    unread, lost = row(tmp_path, 1), row(tmp_path, 2, numbers=[41, 42, 43])
    screenshots(tmp_path, [unread, lost])
    message = "fewer than three numbers in a row " * 20
    named = json.dumps({"round": 9, "question_screenshot": unread["image"]})
    outside = json.dumps({"round": 10, "question_screenshot": "../../etc/secret.png"})
    rejects = [
        reject(unread["row_id"], message),
        reject(lost["row_id"], "41 42 43 and GREEN ask for card 2", operator="RoundChecker", error="RoundContradiction", step=5),
        reject("a", "entry 9: no result.", operator="EpisodeReader", error="RoundError", step=1, inputs=named),
        reject("a", "entry 10: leads out.", operator="EpisodeReader", error="PathError", step=1, inputs=outside),
    ]  # fmt: skip
    run = rounds(tmp_path, [], looked=[lost], read=[unread], rejects=rejects)
    made = page(run, tmp_path / "o")
    assert message.strip() in made.words("rejects")
    assert "41 42 43 GREEN" in made.words("rejects")
    assert len(made.places()) == 5
    assert "outside of the folder" in made.words("rejects")
    assert made.lists["rows"]["nothing"] == "No round was kept; the rejects say why."


def test_every_reject_is_there(tmp_path: Path) -> None:
    unread = [row(tmp_path, n) for n in range(300)]
    run = rounds(tmp_path, [], read=unread, rejects=[reject(r["row_id"], f"reason {r['round']}.") for r in unread])
    shown = page(run, tmp_path / "o").words("rejects")
    assert [n for n in range(300) if f"reason {n}." not in shown] == []


def test_rounds_in_which_model_and_rules_disagreed_are_filtered(tmp_path: Path) -> None:
    said = reading("vlm", "5 8 3", 0.85, Look("ocr", "5 6 3", 0.7, "an uneven row"))
    made = page(rounds(tmp_path, [row(tmp_path, 1, numbers_read=said), row(tmp_path, 2)]), tmp_path / "o")
    assert "ocr: 5 6 3, 70 % – an uneven row" in made.row("phone-episode_001-1")
    assert made.menus()[0] == [("model and rules disagree", 1)]
    assert [each[1] for each in made.rows()] == ["check", ""]


def test_rounds_stand_in_the_order_of_their_keys(tmp_path: Path) -> None:
    kept = [row(tmp_path, n) for n in range(40)]
    first, second = (page(rounds(tmp_path, each), tmp_path / "o") for each in (kept, kept[::-1]))
    assert first.rows() == second.rows()
    assert len(first.rows()) == 40


@pytest.mark.parametrize("inputs", ["", "[]", '"x"', '{"round": "\\ud800", "question": "\\ud800.png"}', '{"question": "a\\u0000"}',
                                    '{"question": "' + "x" * 5000 + '.png"}', "[" * 100_000])  # fmt: skip
def test_odd_records_of_rejects_are_no_harm(tmp_path: Path, inputs: str) -> None:
    odd = reject("a", "bad.", operator="EpisodeReader", error="RoundError", step=1, inputs=inputs)
    assert "bad." in page(rounds(tmp_path, [], rejects=[odd]), tmp_path / "o").words("rejects")
