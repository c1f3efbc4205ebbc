"""The page of a run: what is shown, and that nothing in it is ever run."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext.models.budget import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.scene.model.chain import Chain
from operators.scene.output.page import write_page
from operators.scene.output.stats import stats
from tests.scene.finished import CHAIN
from tests.scene.output.sets import LOST, finished, reject, rejects, several, table, with_junk, written
from tests.support.report_page import ReportPage, words

HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "</p></details><img src=x onerror=alert(1)>",
)


def page(out: Path, kept: pa.Table, lost: pa.Table | None = None, report: Report | None = None) -> ReportPage:
    lost = rejects() if lost is None else lost
    return ReportPage(write_page(kept, lost, stats(kept, lost), report or Report(), out))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_inert_wherever_they_stand(tmp_path, text):
    put = {**CHAIN.retrievals["tool_1"], "desc": text}
    add = {**CHAIN.turns[0][0], "arguments": {**CHAIN.turns[0][0]["arguments"], "object_description": text}}
    end = {**CHAIN.turns[-1][0], "arguments": {"reason": text}}
    chain = Chain(
        {**CHAIN.start, "room_type": text}, [[add], *CHAIN.turns[1:-1], [end]], {**CHAIN.retrievals, "tool_1": put}
    )
    row = finished(
        tmp_path, 1, text, chain=chain.text(), room_type=text, instruction=text, instruction_style=text, instruction_by=text,
        judged_by=text, judge_note=text, text_by=text, conversation_type=text,
        texts=[{"think": text, "conclusion": text, "template": text}] * 4,
    )  # fmt: skip
    lost = rejects(reject(text, text, text, inputs=json.dumps({text: text})), reject(text, text, text, inputs=text))
    report = Report(
        [StepReport(1, text, 1, 1)], {text: Usage(1)}, [text], {(text, text): Usage(1)}, [Stop(text, 1, text)]
    )
    made = page(tmp_path / "out", with_junk(table([row]), [[text]]), lost, report)
    made.must_be_inert(text)
    shown = f"{made.head} {made.words()} {made.words('rooms')} {made.words('rejects')}"
    assert shown.count(" ".join(text.split())) >= 25


def test_a_conversation_is_shown_turn_by_turn(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path, 3)])
    made = page(out, table([finished(tmp_path, 3)]))
    [shown] = [words(row[3]) for row in made.rows()]
    for text in (
        "home/bedroom · chain 3 multi turn brief/B text by rules judged by geometry total 88 coherence 35",
        "I want a bedroom with a bed and two nightstands.",
        "1. add 2. add × 2 3. replace, move 4. finish",
        "Turn 3: 3 objects · template A Replace the chair with a nightstand and move the other nightstand. "
        "replace chair by nightstand 2, 0.45 × 0.50 × 0.40 m: A small oak nightstand "
        "move nightstand 1 from (-1.10, 0.00, -1.75) to (-1.05, 0.00, -1.70) A nightstand serves better than the chair",
    ):
        assert text in shown
    assert made.words("rooms") == "home/bedroom bedroom, 3 objects 88 points all of them".join((" ", ""))


def test_pictures_are_those_of_the_data_set_by_relative_paths(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    places = page(out, table([finished(tmp_path)])).places()
    assert len(places) == 2 * 4 + 1
    assert all((out / place).is_file() for place in places)


def test_a_picture_that_is_not_there_leaves_an_empty_frame(tmp_path):
    made = page(tmp_path / "out", table([finished(tmp_path)]))
    assert made.places() == []
    assert f"{made.words()} {made.words('rooms')}".count("not there") == 9


def test_the_best_conversation_of_each_room_comes_first_and_all_are_linked(tmp_path):
    rows = [{**row, "score": 50.0 + row["chain_id"]} for row in several(tmp_path)]
    made = page(tmp_path / "out", table(rows))
    assert [row[0] for row in made.rows()] == [
        *("multi_turn_edit_10_aaaaaaaa", "multi_turn_edit_1_aaaaaaaa"),
        *("multi_turn_edit_2_bbbbbbbb", "multi_turn_edit_1_bbbbbbbb"),
    ]
    assert {place for place in made.places("href") if place.startswith("#row=")} == {
        f"#row={row[0]}" for row in made.rows()
    }


def test_rejects_are_shown_by_reason_and_junk_is_named(tmp_path):
    made = page(tmp_path, with_junk(table([finished(tmp_path)]), [["a box", "a spot"]]), LOST)
    assert "3 left out 1 rejected" in made.head
    assert "junk: a box; a spot" in made.words("rooms")
    assert "51 points dropped step 5, TopKChains · Dropped · 2 attempts Its inputs scene_id a score 51.0" in made.words(
        "rejects"
    )
    assert "claim.false: turn 1: it is 3 m; claim.other: turn 2" in made.words("rejects")
    assert ("claim.false", 1) in made.menus("rejects")[1]


def test_a_run_without_conversations_says_so(tmp_path):
    made = page(tmp_path, table([]), LOST)
    assert made.lists["rows"]["nothing"] == "There is no conversation; the rejects say why."
    assert made.shell["kind"] == "Scene-editing conversations"


def test_the_page_has_the_same_rows_whatever_their_order_was(tmp_path):
    rows = several(tmp_path)
    assert page(tmp_path, table(rows)).rows() == page(tmp_path, table(rows[::-1])).rows()


def test_an_unjudged_conversation_has_no_points(tmp_path):
    row: dict[str, Any] = finished(tmp_path, judged_by="", score=0.0)
    made = page(tmp_path, table([row]))
    assert "not judged" in made.words("rooms")
    assert "total 0" not in made.words()
