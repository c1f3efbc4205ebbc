"""The page shows what became of the rounds, holds all it needs, and runs nothing."""

import json
from pathlib import Path

import pytest

from dataflow_ext.models import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.game.output import page as pages
from operators.game.output.accuracy import Accuracy, accuracy
from operators.game.output.labels import Label
from operators.game.output.page import write_page
from operators.game.output.run_rounds import Rounds
from operators.game.output.stats import RuleFigures, stats
from operators.game.rounds import Look
from tests.game.output.kept_rounds import reading, reject, rounds, row, screenshots
from tests.game.output.page_reader import Reader

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "javascript:alert(1)",
)
TAGS = {
    *("a", "article", "b", "body", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "footer", "h1", "h2", "h3", "h4"),
    *("head", "header", "html", "i", "img", "li", "main", "meta", "p", "pre", "section", "small", "span", "style", "summary"),
    *("table", "tbody", "td", "th", "thead", "title", "tr", "ul"),
}  # fmt: skip
ATTRIBUTES = {
    *("alt", "charset", "class", "content", "height", "href", "http-equiv", "id", "lang", "loading", "name", "src"),
    *("style", "title", "width"),
}


def page(run: Rounds, out: Path, measured: Accuracy | None = None, report: Report | None = None, **more: object) -> str:
    rule = RuleFigures("number-game", True, 9, 9, "borne out")
    figures = stats(run, rule=rule, seed=1, test_share=0.2, accuracy=measured, **more)  # type: ignore[arg-type]
    return write_page(run, figures, report or Report(), out, accuracy=measured).read_text(encoding="utf-8")


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
    seen = Reader(page(run, tmp_path / "o", measured, report))
    assert seen.stack == []
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    assert {place for place in seen.places if place[0] != "#"} == {"annotation_stats.json", "annotations.jsonl"}
    assert text in seen.words


def test_a_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    kept = [row(tmp_path, n) for n in range(3)]
    screenshots(tmp_path, kept)
    made = page(rounds(tmp_path, kept), tmp_path / "o")
    assert "<script" not in made
    assert "http://" not in made
    assert "https://" not in made
    assert "default-src 'none'" in made
    assert str(tmp_path) not in made
    assert Reader(made).places.count("annotations.jsonl") == 1
    assert sum(place.startswith("data:image/jpeg;base64,") for place in Reader(made).places) == 6


def test_mistakes_stand_beside_what_was_labelled(tmp_path: Path) -> None:
    kept = [row(tmp_path, 1), row(tmp_path, 2)]
    labels = {
        ("phone", "episode_001", 1): Label((5, 6, 3), "GREEN", "1"),
        ("phone", "episode_001", 2): Label((5, 8, 3), "GREEN", "1"),
    }
    run = rounds(tmp_path, kept)
    measured = accuracy(run.kept_rows(), labels, run.seen())
    seen = Reader(page(run, tmp_path / "o", measured))
    mistakes = seen.words.partition("Mistakes")[2].partition("A sample of kept rounds")[0]
    assert "labelled 5 6 3" in mistakes
    assert mistakes.count("labelled") == 1
    assert "round 2" not in mistakes
    assert "50.0 %" in seen.words.partition("Accuracy against labels")[2]


def test_rejects_stand_by_reason_with_their_whole_message_and_picture(tmp_path: Path) -> None:
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
    seen = Reader(page(run, tmp_path / "o"))
    assert message in seen.words
    assert "42" in seen.words.partition("RoundContradiction")[2]
    assert sum(place.startswith("data:") for place in seen.places) == 5
    assert "outside of the folder" in seen.words
    assert "No round was kept; the rejects above say why" in seen.words


def test_many_rejects_of_one_reason_are_told_shortly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MESSAGES", 3)
    unread = [row(tmp_path, n) for n in range(12)]
    run = rounds(tmp_path, [], read=unread, rejects=[reject(r["row_id"], f"reason {r['round']}.") for r in unread])
    seen = Reader(page(run, tmp_path / "o"))
    assert [n for n in range(12) if f"reason {n}." in seen.words] == [*range(9)]
    assert "3 more" in seen.words
    assert "and 3 that are not shown here" in seen.words


def test_rounds_in_which_model_and_rules_disagreed_stand_apart(tmp_path: Path) -> None:
    said = reading("vlm", "5 8 3", 0.85, Look("ocr", "5 6 3", 0.7, "an uneven row"))
    seen = Reader(page(rounds(tmp_path, [row(tmp_path, 1, numbers_read=said), row(tmp_path, 2)]), tmp_path / "o"))
    apart = seen.words.partition("Model and rules disagreed")[2].partition("A sample")[0]
    assert "ocr: 5 6 3, 70 % – an uneven row" in apart
    assert "round 2" not in apart


def test_the_sample_is_the_same_for_the_same_seed_and_of_a_size(tmp_path: Path) -> None:
    kept = [row(tmp_path, n) for n in range(40)]
    first, second = (page(rounds(tmp_path, each), tmp_path / "o") for each in (kept, kept[::-1]))
    assert first == second
    assert first.count("<article") == pages.SAMPLE


@pytest.mark.parametrize("inputs", ["", "[]", '"x"', '{"round": "\\ud800", "question": "\\ud800.png"}', '{"question": "a\\u0000"}',
                                    '{"question": "' + "x" * 5000 + '.png"}', "[" * 100_000])  # fmt: skip
def test_odd_records_of_rejects_are_no_harm(tmp_path: Path, inputs: str) -> None:
    odd = reject("a", "bad.", operator="EpisodeReader", error="RoundError", step=1, inputs=inputs)
    assert "bad." in Reader(page(rounds(tmp_path, [], rejects=[odd]), tmp_path / "o")).words
