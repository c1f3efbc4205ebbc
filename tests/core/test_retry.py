"""``result.retry()``: rows that failed are done again and come out in their places, as if they never had failed."""

from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import run
from tests.core.samples import Flaky, Join, Length, LongOnly, Words

DOCS = pa.table(
    {
        "row_id": list("abcdef"),
        "doc": ["P", "P", "Q", "Q", "R", "S"],
        "text": ["one two", "down three", "", "down four", "x", "down"],
    }
)
EXPLODED = [Words(reads={"text": "echo"}), LongOnly(reads={"text": "word"}, least=2)]


def pipelines(switch: Path):
    """A step that fails on some rows before, between and behind steps of every kind."""
    flaky = Flaky(switch=str(switch))
    return {
        "alone": [flaky],
        "filter": [flaky, LongOnly(reads={"text": "echo"}, least=2), Length()],
        "explode": [flaky, *EXPLODED],
        "after explode": [Words(), Flaky(switch=str(switch), reads={"text": "word"}), Length(reads={"text": "echo"})],
        "merge": [flaky, *EXPLODED, Join(writes={"text": "joined"})],
        "explode within": [FlakyWords(switch=str(switch)), Length(reads={"text": "word"})],
        "all together": [
            LongOnly(least=1),
            flaky,
            Words(keep=("text",)),
            Flaky(switch=str(switch), reads={"text": "word"}, writes={"echo": "echo2"}, down="three"),
            LongOnly(reads={"text": "word"}, least=2),
            Join(writes={"text": "joined"}),
            Length(reads={"text": "joined"}),
        ],
    }


class FlakyWords(Words):
    """Explodes, and fails halfway through rows that say "down" while the switch is there."""

    switch: str

    def row(self, text: str):
        for made in super().row(text):
            yield made
            if made["word"] == "down" and Path(self.switch).exists():
                raise RuntimeError("the server is down")


@pytest.mark.parametrize("name", list(pipelines(Path())))
def test_a_retry_gives_what_a_run_that_never_failed_gives(name, tmp_path):
    switch = tmp_path / "down"
    pipeline = pipelines(switch)[name]
    never = run(pipeline, DOCS)
    switch.touch()
    failed = run(pipeline, DOCS)
    assert failed.rejects.num_rows > never.rejects.num_rows
    switch.unlink()
    again = failed.retry()
    assert again.table.to_pylist() == never.table.to_pylist()
    assert again.table.schema == never.table.schema
    assert again.rejects.to_pylist() == never.rejects.to_pylist()


@pytest.mark.parametrize("name", list(pipelines(Path())))
def test_a_retry_while_the_cause_lasts_gives_the_same_again(name, tmp_path):
    switch = tmp_path / "down"
    switch.touch()
    failed = run(pipelines(switch)[name], DOCS)
    again = failed.retry()
    assert again.table.to_pylist() == failed.table.to_pylist()
    assert again.rejects.to_pylist() == failed.rejects.to_pylist()
    switch.unlink()
    assert again.retry().table.to_pylist() == run(pipelines(switch)[name], DOCS).table.to_pylist()


def test_a_retry_does_only_what_failed(tmp_path):
    log = tmp_path / "log"

    class Logged(Flaky):
        def row(self, text: str):
            with log.open("a") as file:
                file.write(f"{text};")
            return super().row(text)

    switch = tmp_path / "down"
    switch.touch()
    failed = run([LongOnly(), Logged(switch=str(switch))], DOCS)
    assert log.read_text() == "one two;down three;down four;down;"
    switch.unlink()
    again = failed.retry()
    assert log.read_text() == "one two;down three;down four;down;down three;down four;down;"
    assert [s.remembered for s in again.report.steps] == [True, False]
    assert again.retry().table.equals(again.table)
    assert log.read_text().count(";") == 7


def test_a_retry_is_remembered_like_a_run(tmp_path):
    switch = tmp_path / "down"
    switch.touch()
    pipeline = [Flaky(switch=str(switch), transient=True), *EXPLODED, Join(writes={"text": "joined"})]
    failed = run(pipeline, DOCS, cache_dir=tmp_path / "cache")
    switch.unlink()
    again = failed.retry()
    next_run = run(pipeline, DOCS, cache_dir=tmp_path / "cache")
    assert [s.remembered for s in next_run.report.steps] == [True] * 4
    assert next_run.table.to_pylist() == again.table.to_pylist()
    assert next_run.rejects.to_pylist() == again.rejects.to_pylist()


def test_rows_that_were_dropped_or_empty_are_not_tried_again(tmp_path):
    result = run([LongOnly(), Words()], [{"text": "a"}, {"text": "  "}, {"text": "b c"}])
    again = result.retry()
    assert [r["kind"] for r in again.rejects.to_pylist()] == ["dropped", "empty"]
    assert [s.remembered for s in again.report.steps] == [True, True]
    assert again.table.equals(result.table)


def test_rejects_that_were_rejected_before_and_after_a_retry_stay_in_the_order_of_their_rows(tmp_path):
    switch = tmp_path / "down"
    switch.touch()
    pipeline = [FlakyFilter(switch=str(switch))]
    rows = [{"row_id": i, "text": t} for i, t in [("a", "down"), ("b", "x"), ("c", "long"), ("d", "down")]]
    failed = run(pipeline, rows)
    switch.unlink()
    again = failed.retry()
    assert [(r["row_id"], r["kind"]) for r in failed.rejects.to_pylist()] == [
        ("a", "failed"),
        ("b", "dropped"),
        ("d", "failed"),
    ]
    assert [(r["row_id"], r["kind"]) for r in again.rejects.to_pylist()] == [
        ("a", "dropped"),
        ("b", "dropped"),
        ("d", "dropped"),
    ]


class FlakyFilter(LongOnly):
    """Cannot judge "down" while the switch is there, and drops it afterwards."""

    switch: str

    def row(self, text: str) -> bool | str:
        if text == "down":
            if Path(self.switch).exists():
                raise RuntimeError("the server is down")
            return "nobody wants it"
        return super().row(text)
