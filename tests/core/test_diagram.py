"""The wiring and the result of a run, to look at."""

from __future__ import annotations

from typing import Any

from dataflow_ext import RowOperator, check, run
from tests.core.samples import Length, LongOnly

ROWS = [{"text": "a"}, {"text": "<b>"}, {"text": None}]


class Even(RowOperator):
    inputs, outputs, rows = {"length": int}, {}, "filter"

    def row(self, length: int) -> Any:
        return length % 2 == 0


def test_a_wiring_is_a_diagram_of_the_columns_that_steps_hand_on():
    wiring = check(
        [Length(), Even(), Length(reads={"text": "note"}, writes={"length": "n"})], {"text": str, "note": str}
    )
    assert wiring.mermaid().split("\n") == [
        "flowchart TD",
        "  s0([input])",
        '  s1["1. Length"]',
        '  s2["2. Even"]',
        '  s3["3. Length"]',
        '  s0 -- "text" --> s1',
        '  s1 -- "length" --> s2',
        '  s0 -- "note" --> s3',
    ]


def test_a_notebook_shows_what_each_step_reads_from_where_and_writes():
    shown = check([Length(reads={"text": "<i>"}), Even()], {"<i>": str})._repr_html_()
    assert "<i>" not in shown
    assert [cell in shown for cell in ("1. Length", "input → &lt;i&gt;", "1 → length")] == [True] * 3


def test_a_notebook_shows_the_steps_of_a_result_and_its_rejects_by_reason():
    shown = run([Length(), LongOnly()], ROWS)._repr_html_()
    assert shown.startswith("<pre>")
    assert "<tr><td>Length</td><td>failed</td><td>RowError</td><td>1</td></tr>" in shown
    assert "<table>" not in run([Length()], ROWS[:1])._repr_html_()
