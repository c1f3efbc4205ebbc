"""The page of a run: what is shown, and that nothing in it is ever run."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext.models.ledger import Usage
from dataflow_ext.report import Report, StepReport, Stop
from operators.scene.model.chain import Chain
from operators.scene.output import page as pages
from operators.scene.output.page import write_page
from operators.scene.output.stats import stats
from tests.game.output.page_reader import Reader
from tests.scene.dataset.sets import finished, several, table, written
from tests.scene.finished import CHAIN
from tests.scene.output.runs import LOST, reject, rejects, with_junk

HOSTILE = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }} {% include '/etc/passwd' %}",
    "</style></title><base href=//x>",
    "</p></details><img src=x onerror=alert(1)>",
)
TAGS = {
    *("a", "article", "b", "blockquote", "body", "details", "div", "figcaption", "figure", "footer", "h1", "h2", "h3"),
    *("head", "header", "html", "i", "img", "li", "main", "meta", "ol", "p", "pre", "section", "small", "span", "style"),
    *("summary", "table", "tbody", "td", "th", "thead", "title", "tr", "ul"),
}  # fmt: skip
ATTRIBUTES = {
    *("alt", "charset", "class", "content", "href", "http-equiv", "id", "lang", "loading", "name", "open", "src", "style"),
}  # fmt: skip


def page(out: Path, kept: pa.Table, lost: pa.Table | None = None, report: Report | None = None) -> str:
    lost = rejects() if lost is None else lost
    return write_page(kept, lost, stats(kept, lost), report or Report(), out).read_text(encoding="utf-8")


def words_of(made: str) -> str:
    """The words of a page's body, with a space between all parts."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", made.partition("<body>")[2])).split())


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
    seen = Reader(page(tmp_path / "out", with_junk(table([row]), [[text]]), lost, report))
    assert seen.stack == []
    assert seen.tags <= TAGS
    assert seen.attributes <= ATTRIBUTES
    assert [place for place in seen.places if not place.startswith("#")] == ["conversations.jsonl", "stats.json"]
    assert seen.words.count(text) >= 25


def test_a_conversation_is_shown_turn_by_turn(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path, 3)])
    made = page(out, table([finished(tmp_path, 3)]))
    words = words_of(made)
    for text in (
        "home/bedroom · chain 3 multi turn brief/B text by rules judged by geometry total 88 coherence 35",
        "I want a bedroom with a bed and two nightstands.",
        "1. add 2. add × 2 3. replace, move 4. finish",
        "Turn 3: 3 objects · template A Replace the chair with a nightstand and move the other nightstand. "
        "replace chair by nightstand 2, 0.45 × 0.50 × 0.40 m: A small oak nightstand "
        "move nightstand from (-1.10, 0.00, -1.75) to (-1.05, 0.00, -1.70) A nightstand serves better than the chair",
        "bedroom, 3 objects 88 points",
    ):
        assert text in words


def test_pictures_are_those_of_the_data_set_by_relative_paths(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    places = [place for place in Reader(page(out, table([finished(tmp_path)]))).places if place.endswith(".png")]
    assert len(places) == 1 + 2 * 4
    assert all((out / place).is_file() for place in places)


def test_a_picture_that_is_not_there_leaves_an_empty_frame(tmp_path):
    made = page(tmp_path / "out", table([finished(tmp_path)]))
    assert "<img" not in made.partition("<body>")[2]
    assert made.count('<div class="lost">no picture</div>') == 9


def test_the_best_conversation_of_each_room_comes_first_and_the_rest_is_linked_by_none(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "IN_FULL", 2)
    rows = [{**row, "score": 50.0 + row["chain_id"]} for row in several(tmp_path)]
    made = page(tmp_path / "out", table(rows))
    assert re.findall(r'<article class="conversation" id="([^"]*)"', made) == [
        "multi_turn_edit_10_aaaaaaaa",
        "multi_turn_edit_2_bbbbbbbb",
    ]
    assert 'href="#multi_turn_edit_10_aaaaaaaa"' in made
    assert 'href="#multi_turn_edit_1_aaaaaaaa"' not in made
    assert "Conversations 2 of 4, the best of each room first" in words_of(made)


def test_rejects_are_shown_by_reason_and_junk_is_named(tmp_path):
    words = words_of(page(tmp_path, with_junk(table([finished(tmp_path)]), [["a box", "a spot"]]), LOST))
    for text in (
        "3 left out 1 rejected",
        "junk: a box; a spot",
        "dropped TopKChains · 2 51 points 2 attempts scene_id: a score: 51.0 50 points",
        "claim.false ChainValidator · 1 claim.false: turn 1: it is 3 m; claim.other: turn 2",
    ):
        assert text in words


def test_a_run_without_conversations_says_so(tmp_path):
    words = words_of(page(tmp_path, table([]), LOST))
    assert "There is no conversation; the rejects say why." in words
    assert words.startswith("Scene-editing conversations")


def test_the_page_has_the_same_bytes_whatever_the_order_of_the_rows(tmp_path):
    rows = several(tmp_path)
    assert page(tmp_path, table(rows)) == page(tmp_path, table(rows[::-1]))


def test_an_unjudged_conversation_has_no_points(tmp_path):
    row: dict[str, Any] = finished(tmp_path, judged_by="", score=0.0)
    words = words_of(page(tmp_path, table([row])))
    assert "not judged" in words
    assert "total 0" not in words
