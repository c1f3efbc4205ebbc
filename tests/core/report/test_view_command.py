"""``rowsmith view``: the page of a run, one of any table, and one file that holds all of it."""

from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext import run, write_table
from dataflow_ext.commands import main
from dataflow_ext.report import Listing, Page, ShownRow, write_report
from dataflow_ext.report.parts import Pictures
from dataflow_ext.report.shards import single_file
from tests.core.samples import LongOnly
from tests.support.report_page import ReportPage


def test_a_streamed_run_is_shown_with_its_rejects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = pa.table({"row_id": list("abc"), "text": ["one", "x", "$y^2$"], "good": [True, False, True]})
    run([LongOnly(least=2)], rows, out=tmp_path / "o")
    assert main(["view", str(tmp_path / "o"), "--no-open"]) == 0
    assert capsys.readouterr().err == f"page: {tmp_path / 'o/report.html'}\n"
    page = ReportPage(tmp_path / "o/report.html")
    assert [(each[0], each[4]) for each in page.rows()] == [("a", {}), ("c", {})]
    assert page.row("c") == "text y 2 good yes"
    assert page.searched() == [["one", "yes"], ["$y^2$", "yes"]]
    assert "dropped" in page.words("rejects")


def test_a_run_in_memory_is_shown_with_its_steps(tmp_path: Path) -> None:
    result = run([LongOnly(least=2)], pa.table({"row_id": list("ab"), "text": ["one", "x"]}))
    page = ReportPage(result.write_page(tmp_path / "o"))
    assert "1. LongOnly 2 1 – 1 –" in page.head
    assert "1 row 1 reject" in page.head
    assert [each[0] for each in page.rows()] == ["a"]
    assert "dropped step 1, LongOnly" in page.words("rejects")


def test_a_tables_file_gets_a_page_beside_it_that_holds_its_rows(tmp_path: Path) -> None:
    Image.new("RGB", (9, 6)).save(tmp_path / "a.png")
    rows = [{"picture": "a.png", "kind": "<b>", "n": n} for n in range(5)]
    path = write_table(pa.Table.from_pylist(rows), tmp_path / "rows.jsonl")
    assert main(["view", str(path), "--no-open"]) == 0
    page = ReportPage(tmp_path / "rows.jsonl.html")
    page.must_be_inert("<b>")
    assert page.places() == ["a.png"] * 5
    assert page.row("1") == "picture a.png kind <b> n 0"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "rows.jsonl", "rows.jsonl.html"]


def test_a_tables_page_is_one_file_where_it_is_asked_for_and_nothing_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    Image.new("RGB", (9, 6)).save(tmp_path / "data" / "a.png")
    path = write_table(pa.table({"picture": ["a.png"] * 3, "n": [1, 2, 3]}), tmp_path / "data" / "rows.jsonl")
    assert main(["view", str(path), "--single-file", str(tmp_path / "x.html")]) == 0
    page = ReportPage(tmp_path / "x.html")
    page.must_be_inert()
    assert [page.row(n) for n in "123"] == [f"picture a.png n {n}" for n in "123"]
    [[place, [uri, width, height]]] = page.data("pictures")
    assert (place, uri[:23], width, height) == ("a.png", "data:image/jpeg;base64,", 9, 6)
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["a.png", "rows.jsonl"]


def test_the_page_of_a_table_takes_no_other_files_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_table(pa.table({"n": [1]}), tmp_path / "rows.jsonl")
    assert main(["view", str(path), "--single-file", str(path)]) == 2
    assert path.read_text() == '{"n": 1}\n'
    assert [main(["view", str(path), "--no-open"]) for _ in range(2)] == [0, 0]
    (tmp_path / "rows.jsonl.html").write_text("mine")
    assert main(["view", str(path), "--no-open"]) == 2
    assert (tmp_path / "rows.jsonl.html").read_text() == "mine"
    said = capsys.readouterr().err
    assert "rows.jsonl is the table itself; give another name" in said
    assert "rows.jsonl.html is no page of a table; move it away" in said


def test_one_file_holds_all_rows_and_small_pictures(tmp_path: Path) -> None:
    out = tmp_path / "o"
    out.mkdir()
    Image.new("RGB", (2000, 1000)).save(out / "a b.png")
    pictures = Pictures(out)
    rows = [ShownRow(str(n), [pictures.of("a b.png"), pictures.of("no.png")], {"n": str(n)}) for n in range(300)]
    write_report(Page("Title", "Rows", [Listing("rows", "Rows", rows)]), out)
    made, left_out = single_file(out / "report.html", tmp_path / "one.html")
    assert left_out == 0
    page = ReportPage(made)
    page.must_be_inert()
    assert [each[0] for each in page.rows()] == [str(n) for n in range(300)]
    [[place, [uri, width, height]]] = page.data("pictures")
    assert (place, uri[:23], width, height) == ("a%20b.png", "data:image/jpeg;base64,", 2000, 1000)
    assert single_file(out / "report.html", tmp_path / "none.html", most=10)[1] == 1


@pytest.mark.parametrize("damage", ["page", "data", "gone"])
def test_what_is_no_page_is_told_in_a_sentence(tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = write_report(Page("Title", "Rows", [Listing("rows", "Rows", [ShownRow("1", [], {})])]), tmp_path)
    told = {
        "page": page,
        "data": tmp_path / ".run/report/rows-rows-0001.js",
        "gone": tmp_path / ".run/report/rows-index.js",
    }
    if damage == "gone":
        told[damage].unlink()
    else:
        told[damage].write_text("<script>alert(1)</script>")
    assert main(["view", str(tmp_path), "--single-file", str(tmp_path / "one.html")]) == 2
    assert capsys.readouterr().err.endswith("run the pipeline again.\n")
    assert not (tmp_path / "one.html").exists()
    assert main(["view", str(tmp_path / "nowhere")]) == 2
    assert "name the folder of a run" in capsys.readouterr().err
