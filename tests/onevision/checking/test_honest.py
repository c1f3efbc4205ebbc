"""Honest rows pass: false alarms on rows that were written before the checks were."""

from operators.onevision.checking import checks_of
from operators.onevision.judging import verdict_of
from operators.onevision.model.records import Judgement
from tests.onevision.checking.example_rows import example_rows
from tests.onevision.checking.honest import honest_rows


def suspected(rows) -> list[str]:
    return [row["id"] for row in rows if verdict_of(checks_of(row), Judgement("not run"))[0] != "kept"]


def test_fewer_than_one_honest_row_in_twenty_is_suspected():
    rows = honest_rows()
    assert len(rows) >= 40
    assert len(suspected(rows)) < len(rows) / 20


def test_fewer_than_one_good_row_of_the_example_set_in_twenty_is_suspected():
    rows = example_rows()
    assert len(rows) >= 60
    assert len(suspected(rows)) < len(rows) / 20
