"""A row's life on the page: the same that ``rowsmith trace`` prints, of the rows that a page has room for."""

import asyncio
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import RowOperator, run
from dataflow_ext.models import Model, Request, ScriptedModel, complete
from dataflow_ext.report.rejects import FIRST
from dataflow_ext.report.shards import single_file
from tests.core.samples import LongOnly
from tests.support.report_page import ReportPage, words

HOSTILE = "</script><script>alert(1)</script>"


class Echo(RowOperator):
    """What a model makes of a text."""

    inputs, outputs = {"text": str}, {"said": str}
    model: Model

    async def row(self, text: str) -> dict[str, str]:
        await asyncio.sleep(0)
        return {"said": (await complete(self.model, Request(prompt=f"Say {text}"))).text}


def page_of(texts: list[str], out: Path, **options: object) -> ReportPage:
    table = pa.table({"row_id": [f"r{n}" for n in range(len(texts))], "text": texts})
    model = ScriptedModel(lambda request: request.prompt.removeprefix("Say ").upper())
    return ReportPage(run([Echo(model=model), LongOnly(least=2)], table, cache_dir=out / "memory").write_page(out))


def test_each_step_is_told_with_prompt_and_reply_and_what_was_shown_before_is_not_shown_again(tmp_path: Path) -> None:
    long = "long text " * 20
    page = page_of([long, "x"], tmp_path)
    lives = page.data("rows-lives")
    assert page.lists["rows"]["lives"] == list(lives) == ["r0"]
    assert words(lives["r0"]) == (
        f"1. Echo 1 in, 1 out, 1 asked read r0 text {long}wrote r0 said {long.upper()}"
        f"asked scripted Say {long}replied {long.upper()}2. LongOnly 1 in, 1 out read r0 text as in step 1 wrote r0"
    )


def test_a_reject_has_its_life_up_to_its_cause(tmp_path: Path) -> None:
    page = page_of(["long", "x"], tmp_path)
    told = words(page.data("rejects-lives")["r1"])
    assert told.endswith("2. LongOnly 1 in, 0 out, 1 rejected read r1 text x dropped 1 characters, 2 wanted")


def test_of_many_rows_the_first_and_some_of_all_have_lives_and_one_file_holds_them(tmp_path: Path) -> None:
    page = page_of(["long"] * 400, tmp_path)
    keys = page.lists["rows"]["lives"]
    assert keys[:FIRST] == [f"r{n}" for n in range(FIRST)]
    assert keys[FIRST:] == [f"r{n}" for n in range(40, 400, 40)]
    called = [words(life).count("replied") for life in page.data("rows-lives").values()]
    assert called == [1] * 4 + [0] * (len(keys) - 4)
    assert "rowsmith trace tells what" in words(page.data("rows-lives")[keys[4]])
    made, _ = single_file(tmp_path / "report.html", tmp_path / "one.html")
    assert ReportPage(made).data("rows-lives").keys() == set(keys)


@pytest.mark.parametrize("value", [HOSTILE, "y\x1b[31m"])
def test_what_a_life_holds_is_text(tmp_path: Path, value: str) -> None:
    page = page_of([value * 5], tmp_path)
    page.must_be_inert(HOSTILE)
    assert value * 5 in words(page.data("rows-lives")["r0"])


def test_a_page_without_a_run_tells_no_lives(tmp_path: Path) -> None:
    from dataflow_ext.report import Listing, Page, ShownRow, write_report

    page = ReportPage(write_report(Page("T", "Rows", [Listing("rows", "Rows", [ShownRow("a", [], {})])]), tmp_path))
    assert page.lists["rows"]["lives"] == []


class Doubled(RowOperator):
    """Each number twice."""

    inputs, outputs = {"numbers": list[int]}, {"numbers": list[int]}

    def row(self, numbers: list[int]) -> dict[str, list[int]]:
        return {"numbers": [2 * number for number in numbers]}


def test_of_long_lists_their_beginnings_are_read_and_those_that_differ_behind_are_told_apart(tmp_path: Path) -> None:
    numbers = [0] * 1_000
    table = pa.table({"row_id": ["a", "b"], "numbers": [numbers, [*numbers, 1]]})
    result = run([Doubled(), Doubled()], table)
    shown = ", ".join(map(str, numbers))[:599] + "…"
    lives = ReportPage(result.write_page(tmp_path)).data("rows-lives")
    first = "1. Doubled 1 in, 1 out read {0} numbers " + shown + " wrote {0} numbers " + shown
    second = " 2. Doubled 1 in, 1 out read {0} numbers as in step 1 wrote {0} numbers "
    assert {key: words(life) for key, life in lives.items()} == {
        "a": (first + second).format("a") + "as in step 1",
        "b": (first + second).format("b") + shown,
    }
    step = result.traces(["b"], items=2)["b"].steps[0]
    assert step.inputs[0]["numbers"][:2] == [0, 0]
    assert step.inputs[0]["numbers"][2].startswith("… 1,001 in all: ")
    assert result.trace("b").steps[0].inputs == [{"row_id": "b", "numbers": [*numbers, 1]}]
