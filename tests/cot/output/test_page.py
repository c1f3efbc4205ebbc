"""The page shows samples, what was skipped and what was rejected, holds all it needs, and runs nothing."""

import html
import json
import re
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext.models import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.cot.output import page as pages
from operators.cot.output.page import write_page
from operators.cot.output.stats import stats
from operators.cot.output.turn import pieces_of
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, SERVED, table
from tests.cot.output.finished import FLAW, finished, pictures, reject, rejects, sample, skip
from tests.game.output.page_reader import Reader

HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "</mark></p><img src=x onerror=alert(1)>",
)
TAGS = {
    *("a", "article", "b", "body", "details", "div", "figcaption", "figure", "footer", "h1", "h2", "h3", "head", "header"),
    *("html", "img", "li", "main", "mark", "meta", "p", "pre", "section", "small", "span", "style", "summary", "table"),
    *("tbody", "td", "th", "thead", "title", "tr", "ul"),
}  # fmt: skip
ATTRIBUTES = {
    *("alt", "charset", "class", "content", "height", "href", "http-equiv", "id", "lang", "loading", "name", "open", "src", "width"),
}  # fmt: skip


def page(root: Path, kept: pa.Table, lost: pa.Table | None = None, report: Report | None = None) -> str:
    lost = rejects() if lost is None else lost
    figures = stats(kept, lost, seed=0)
    return write_page(kept, lost, figures, report or Report(), root / "out", root=root).read_text(encoding="utf-8")


def words_of(made: str) -> str:
    """The words of a page's body, with a space between all parts."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", made.partition("<body>")[2])).split())


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_inert_wherever_they_stand(tmp_path, text):
    told = {"type": text, "api_base_url": text, "model_provider_id": text, "model_name": text}
    kept = sample(
        tmp_path, 1, None, {text: text, "list": [text, text], "map": {text: [text]}}, id=text, image=[text, f"{text}.jpg"], video=text,
        question=text, response=f"<think>{text} {text}</think>\n{text}\n", evidence_type=text, source_path=text,
        assistant_generator=told, anchors=[text], mended=[text],
    )  # fmt: skip
    lost = rejects(
        skip(text, text),
        reject(text, text, text, inputs=json.dumps({text: text})),
        reject(text, text, text + "2", inputs=text),
        reject(text, text, text + "3", inputs=None),
    )
    used = Usage(1, prompt_tokens=1)
    report = Report([StepReport(1, text, 1, 1)], {text: used}, [text], {(text, text): used}, [Stop(text, 1, text)])
    seen = Reader(page(tmp_path, finished([kept]), lost, report))
    assert seen.stack == []
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    assert [place for place in seen.places if not place.startswith(("#", "data:image/jpeg;base64,"))] == ["stats.json"]
    assert seen.words.count(text) >= 20


def test_a_sample_is_shown_with_pictures_question_reasoning_answer_and_fields(tmp_path):
    pictures(tmp_path)
    kept = sample(
        tmp_path, 1, None, {"next_step_goal": "Use the lever.", "options": ["One.", "Two."]},
        image=["bike/01_step/frame_001_ts_0.00s.jpg", "bike/none.jpg"], video="bike/a.mp4",
        anchors=["The tire must be flat."], mended=["line breaks joined"], assistant_generator=SERVED,
    )  # fmt: skip
    made = page(tmp_path, finished([kept]))
    seen = Reader(made)
    assert len([place for place in seen.places if place.startswith("data:image/jpeg;base64,")]) == 1
    assert "<mark>The tire must be flat.</mark> So the lever comes next.</p>" in made
    assert '<pre class="answer">Use the lever.</pre>' in made
    assert "<details open>" in made
    words = words_of(made)
    for text in (
        "bike/causal_plan_with_keyframes.json · step 1 keyframe single api_generate_v1 m-1 line breaks joined",
        "frame_001_ts_0.00s.jpg not there none.jpg Video: bike/a.mp4 What is the next planned action?",
        "next_step_goal Use the lever. options 1. One. 2. Two.",
        "Task 29 Next Action Prediction 1 of 1",
    ):
        assert text in words


def test_figures_skips_and_rejects_stand_on_the_page(tmp_path):
    lost = rejects(
        *[skip(FLAW, "fewer than three steps follow")] * 3,
        skip(FLAW, "no exchange"),
        *[reject("AnchorValidator", "RuleError", f"leak.frame: frame {n}", inputs='{"id": "i-7"}') for n in range(7)],
    )
    words = words_of(page(tmp_path, finished([sample(tmp_path, 1)]), lost))
    for text in (
        "1 sample 1 plan",
        "4 skipped 7 rejected",
        "Task 35 Failed Planning Flaw Pointing – 4",
        "Task 35 Failed Planning Flaw Pointing fewer than three steps follow 3 no exchange 1",
        "leak.frame AnchorValidator · 7 leak.frame: frame 0 2 attempts id: i-7 leak.frame: frame 1",
        "leak.frame: frame 3 2 attempts id: i-7 and 3 more Figures",
    ):
        assert text in words


def test_a_run_without_samples_says_so(tmp_path):
    words = Reader(page(tmp_path, finished([]), rejects(skip(FLAW, "too short")))).words
    assert "There is no sample; what was skipped and rejected says why." in words


def test_the_page_stays_small_and_its_samples_do_not_rest_on_the_order_of_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "PICTURES", 2)
    rows = [
        sample(
            tmp_path,
            n,
            NEXT_GOAL if n % 2 else NEXT_ACTION,
            image=[f"{n}-{k}.jpg" for k in range(5)],
            response="x" * 9000,
        )
        for n in range(40)
    ]
    made = page(tmp_path, finished(rows))
    assert made == page(tmp_path, finished(rows[::-1]))
    assert made.count('<article class="sample">') == 2 * pages.SAMPLES
    assert made.count("<figure>") == 2 * pages.SAMPLES * 2
    assert made.count("and 3 more pictures") == 2 * pages.SAMPLES
    assert "x" * 4000 not in made


def test_pictures_outside_of_the_root_are_not_opened(tmp_path):
    pictures(tmp_path)
    root = tmp_path / "root"
    root.mkdir()
    made = page(root, finished([sample(root, 1, image=["../bike/01_step/frame_001_ts_0.00s.jpg"])]))
    assert "data:image" not in made.partition("<body>")[2]


def test_samples_that_were_read_from_files_have_no_sentences_to_mark(tmp_path):
    made = page(tmp_path, table([sample(tmp_path, 1)]))
    assert "<mark>" not in made
    assert "The tire must be flat. So the lever comes next." in made


def test_only_sentences_in_their_order_are_marked_and_no_text_is_lost():
    text = "B. A. B. A."
    assert pieces_of(text, ["A.", "B.", "C."]) == [
        ("B. ", False),
        ("A.", True),
        (" ", False),
        ("B.", True),
        (" A.", False),
    ]
    assert pieces_of(text, ["", "B. A. B. A."]) == [(text, True)]
    assert pieces_of("", ["A."]) == []
