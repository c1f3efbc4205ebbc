"""The page shows samples, what was skipped and what was rejected, holds all it needs, and runs nothing."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext.models import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.cot.output import pieces_of, stats, write_page
from operators.cot.sample import reasoning_of
from tests.cot.dataset.samples import NEXT_ACTION, NEXT_GOAL, SERVED, table
from tests.cot.output.finished import FLAW, finished, pictures, reject, rejects, sample, skip
from tests.support.report_page import ReportPage, elements, words

HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "</mark></p><img src=x onerror=alert(1)>",
)


def page(root: Path, kept: pa.Table, lost: pa.Table | None = None, report: Report | None = None) -> ReportPage:
    lost = rejects() if lost is None else lost
    figures = stats(kept, lost, seed=0)
    return ReportPage(write_page(kept, lost, figures, report or Report(), root / "out", root=root))


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
    made = page(tmp_path, finished([kept]), lost, report)
    made.must_be_inert(text)
    shown = f"{made.head} {made.words()} {made.words('rejects')}"
    assert shown.count(" ".join(text.split())) >= 20


def test_a_sample_is_shown_with_pictures_question_reasoning_answer_and_fields(tmp_path):
    pictures(tmp_path)
    kept = sample(
        tmp_path, 1, None, {"next_step_goal": "Use the lever.", "options": ["One.", "Two."]},
        image=["bike/01_step/frame_001_ts_0.00s.jpg", "bike/none.jpg"], video="bike/a.mp4",
        anchors=["The tire must be flat."], mended=["line breaks joined"], assistant_generator=SERVED,
    )  # fmt: skip
    made = page(tmp_path, finished([kept]))
    assert made.places() == ["../bike/01_step/frame_001_ts_0.00s.jpg"]
    assert [words([part]) for part in made.parts() for part in elements(part) if part[0] == "mark"] == [
        "The tire must be flat."
    ]
    assert made.words() == (
        "Task 29 Next Action Prediction bike/causal_plan_with_keyframes.json · step 1 keyframe single "
        "api_generate_v1 m-1 line breaks joined frame_001_ts_0.00s.jpg not there none.jpg Video: bike/a.mp4 "
        f"What is the next planned action? {words(_marked(kept))} Use the lever. Fields "
        f"next_step_goal Use the lever. options 1. One. 2. Two. {kept['id']}"
    )


def _marked(kept: dict) -> list:
    """The reasoning with its one sentence set off."""
    before, sentence, after = reasoning_of(kept["response"])[0].partition("The tire must be flat.")
    return [before, ["mark", {}, sentence], after]


def test_figures_skips_and_rejects_stand_on_the_page(tmp_path):
    lost = rejects(
        *[skip(FLAW, "fewer than three steps follow")] * 3,
        skip(FLAW, "no exchange"),
        *[reject("AnchorValidator", "RuleError", f"leak.frame: frame {n}", inputs='{"id": "i-7"}') for n in range(7)],
    )
    made = page(tmp_path, finished([sample(tmp_path, 1)]), lost)
    for text in (
        "1 sample 1 plan",
        "4 skipped 7 rejected",
        "Task 35 Failed Planning Flaw Pointing – 4",
        "Task 35 Failed Planning Flaw Pointing fewer than three steps follow 3 Task 35 Failed Planning Flaw Pointing no exchange 1",
    ):
        assert text in made.head
    assert made.menus("rejects")[1] == [("skipped", 4), ("leak.frame", 7)]
    assert (
        "leak.frame: frame 6 failed step 5, AnchorValidator · RuleError · 2 attempts Its inputs id i-7"
        in made.words("rejects")
    )


def test_a_run_without_samples_says_so(tmp_path):
    made = page(tmp_path, finished([]), rejects(skip(FLAW, "too short")))
    assert made.lists["rows"]["nothing"] == "There is no sample; what was skipped and rejected says why."


def test_every_sample_is_there_by_task_whatever_the_order_of_rows(tmp_path):
    rows = [
        sample(tmp_path, n, NEXT_GOAL if n % 2 else NEXT_ACTION, image=[f"{n}-{k}.jpg" for k in range(5)])
        for n in range(40)
    ]
    made = page(tmp_path, finished(rows))
    assert made.rows() == page(tmp_path, finished(rows[::-1])).rows()
    assert len(made.rows()) == 40
    assert made.menus()[0] == [
        ("Task 29 Next Action Prediction", 20),
        ("Task 30 Next Step Goal Prediction From Prefix", 20),
    ]


def test_pictures_outside_of_the_root_are_not_shown(tmp_path):
    pictures(tmp_path)
    root = tmp_path / "root"
    root.mkdir()
    made = page(root, finished([sample(root, 1, image=["../bike/01_step/frame_001_ts_0.00s.jpg"])]))
    assert made.places() == []
    assert "outside of the folder" in made.words()


def test_samples_that_were_read_from_files_have_no_sentences_to_mark(tmp_path):
    made = page(tmp_path, table([sample(tmp_path, 1)]))
    assert "mark" not in {tag for tag, _ in made.elements()}
    assert "The tire must be flat. So the lever comes next." in made.words()


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
