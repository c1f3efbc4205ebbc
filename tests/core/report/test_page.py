"""The page of a run: every row is reachable, nothing that data hold is run, and what is looked for is found."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, StepReport, mathml, write_report
from dataflow_ext.report.listing import Choice, FacetValues
from dataflow_ext.report.page import MAX_CHOICES
from dataflow_ext.report.parts import MAX_TEXT, Pictures, el, words
from dataflow_ext.report.shards import FIRST_LETTERS, MAX_SEARCHED, SHARD_LETTERS
from dataflow_ext.wiring import Names
from tests.support.report_page import ReportPage, script_names

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b\u2028§script§"


def rows(count: int, text: str = "row {}", **more: object) -> Iterator[ShownRow]:
    for n in range(1, count + 1):
        told = text.format(n) if "{}" in text else text
        yield ShownRow(str(n), [el("p", told)], {"text": told}, **more)  # type: ignore[arg-type]


def write(out: Path, *listings: Listing, report: Report | None = None) -> ReportPage:
    return ReportPage(write_report(Page("Book", "Rows", listings), out, report))


def sha(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# Rows


def test_every_row_stands_in_one_file_in_its_order(tmp_path: Path) -> None:
    page = write(tmp_path, Listing("rows", "Rows", rows(450)), Listing("rejects", "Rejects", rows(120)))
    assert [each[0] for each in page.rows()] == [str(n) for n in range(1, 451)]
    assert page.rows("rejects")[119] == ["120", "", "", [["p", {}, "row 120"]], {}]
    assert [(told["total"], told["starts"]) for told in page.shell["lists"]] == [(450, [0, 200, 400]), (120, [0])]
    assert page.data("rows-index") == {"keys": [str(n) for n in range(1, 451)], "facets": {}}


def test_long_rows_stand_in_files_of_fewer(tmp_path: Path) -> None:
    page = write(tmp_path, Listing("rows", "Rows", rows(5, "x" * (SHARD_LETTERS // 2))))
    assert page.lists["rows"]["starts"] == [0, 2, 4]


def test_a_list_without_rows_says_so(tmp_path: Path) -> None:
    page = write(tmp_path, Listing("rows", "Rows", rows(0), nothing="None at all."))
    assert page.shell["lists"][0]["nothing"] == "None at all."
    assert (page.rows(), page.searched()) == ([], [])


def test_rows_are_not_asked_for_before_they_are_written(tmp_path: Path) -> None:
    asked: list[int] = []

    def slowly() -> Iterator[ShownRow]:
        for n in range(1000):
            there = len(list((tmp_path / ".run/report").glob("rows-rows*"))) if n else 0
            asked.append(n - 200 * there)
            yield from rows(1)

    write(tmp_path, Listing("rows", "Rows", slowly()))
    assert max(asked) <= 200


def test_files_of_an_earlier_run_go_and_a_users_own_stay(tmp_path: Path) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(450)))
    (tmp_path / ".run/report/mine.js").touch()
    write(tmp_path, Listing("rows", "Rows", rows(250)))
    assert sorted(path.name for path in (tmp_path / ".run/report").iterdir()) == [
        *("mine.js", "rows-find-0001.js", "rows-index.js", "rows-rows-0001.js", "rows-rows-0002.js")
    ]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a", Listing("rows", "Rows", rows(3)))
    write(tmp_path / "b", Listing("rows", "Rows", rows(3)))
    for name in ("report.html", ".run/report/rows-rows-0001.js", ".run/report/rows-find-0001.js"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


# The run


def test_steps_and_their_wiring_are_drawn(tmp_path: Path) -> None:
    def names(number: int, name: str, reads: str, writes: str) -> Names:
        return Names(number, name, {reads: (reads, None)}, {writes: (writes, None)}, "same", (), ())  # type: ignore[dict-item]

    wiring = (names(1, "One", "a", "b"), names(2, "Two", "b", "c"), names(3, "Three", "b", "d"))
    report = Report([StepReport(1, "One", 3, 2, failed=1, seconds=0.25)], wiring=wiring)
    page = write(tmp_path, Listing("rows", "Rows", rows(1)), report=report)
    assert page.head == (
        "Book Steps 0.2 s Step Rows in Rows out Failed Dropped Empty Seconds 1. One 3 2 1 – – 0.25 "
        "Wiring which step reads what input 1. One a of the input reads a of the input 2. Two b of 1 reads b of 1 "
        "3. Three b of 1 reads b of 1"
    )
    assert [attributes["d"] for tag, attributes in page.elements() if tag == "path"] == [
        *("M125 34V55m-4 -6l4 6l4 -6", "M125 86V107m-4 -6l4 6l4 -6"),
        "M252 75.0C308 75.0 308 171.0 253 171.0m7 -4l-7 4l7 4",
    ]


def test_settings_of_a_run_are_told_without_what_was_left_as_it_is_and_without_passwords(tmp_path: Path) -> None:
    (tmp_path / ".run").mkdir()
    told = '{"model": "m", "base_url": "http://me:secret@host/v1", "limit": null, "ocr_option": [], "inputs": ["/home/me/a", "b"]}'
    (tmp_path / ".run/config.json").write_text(told)
    page = write(tmp_path)
    assert page.head == "Book Settings 3 model m base-url http://…@host/v1 inputs …/a, b"


# Inert


def test_what_rows_hold_is_text_in_every_file(tmp_path: Path) -> None:
    facet = Facet("kind", "Kind", contents=True)
    made = [*rows(250, HOSTILE, heading=HOSTILE, look="good", values={"kind": [(HOSTILE, "x")]}), *rows(1)]
    page = write(tmp_path, Listing("rows", HOSTILE, made, [facet]))
    page.must_be_inert(HOSTILE)
    assert page.row("1") == " ".join(HOSTILE.split())
    assert page.menus() == [[(HOSTILE, 250), (f"{HOSTILE} › x", 250)]]
    for path in (tmp_path / ".run/report").iterdir():
        assert re.fullmatch(r'rowsmith\("[a-z0-9-]+","[A-Za-z0-9+/=]+"\);\n', path.read_text())


def test_the_policy_lets_our_script_and_style_in_by_their_hashes_and_nothing_else(tmp_path: Path) -> None:
    html = write(tmp_path, Listing("rows", "Rows", rows(1))).html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]  # type: ignore[index]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]  # type: ignore[index]
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]  # type: ignore[index]
    assert policy == (
        f"default-src 'none'; img-src 'self' file: data:; style-src '{sha(style)}'; script-src '{sha(script)}' "
        "'strict-dynamic'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types rowsmith"
    )
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_our_script_makes_nothing_out_of_texts_and_no_tag_that_runs_or_asks(tmp_path: Path) -> None:
    script = re.findall(r"<script>(.*?)</script>", write(tmp_path).html, re.DOTALL)[0]
    dangers = ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function(", 'setTimeout("')
    assert not [danger for danger in (*dangers, "srcdoc", "javascript:", "fetch(", "import(") if danger in script]
    assert not script_names("TAGS") & {
        *(
            "script",
            "iframe",
            "object",
            "embed",
            "style",
            "link",
            "meta",
            "base",
            "form",
            "use",
            "foreignObject",
            "animate",
        )
    }
    assert not [n for n in script_names("ATTRIBUTES") if n.startswith("on") or n in ("style", "srcdoc", "srcset", "id")]


def test_the_script_knows_all_parts_of_formulas() -> None:
    assert script_names("TAGS") >= mathml._ELEMENTS
    assert script_names("ATTRIBUTES") >= {*mathml._VALUES, "title", "class", "display", "mathvariant"}


def test_a_text_too_long_to_look_at_is_cut_and_says_so() -> None:
    left = ["em", {"class": "quiet"}, " … 7 more characters in the data files"]
    assert words("x" * (MAX_TEXT + 7)) == ["div", {"class": "text"}, "x" * MAX_TEXT, left]


# Pictures


def test_pictures_are_shown_by_relative_paths_and_only_from_folders_that_were_named(tmp_path: Path) -> None:
    for name in ("out/a (1).png", "in/b.png", "c.png", "in/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "in/link.png").symlink_to(tmp_path / "c.png")
    pictures = Pictures(tmp_path / "out", tmp_path / "out", tmp_path / "in")
    names = ("a (1).png", tmp_path / "in/b.png", "../c.png", "../in/link.png", "../in/notes.txt", "no.png", "\0.png")
    assert [pictures.place(name) for name in names] == [
        ("a%20%281%29.png", ""),
        ("../in/b.png", ""),
        ("", "outside of the folder"),
        ("", "outside of the folder"),
        ("", "not a picture"),
        ("", "not there"),
        ("", "not there"),
    ]
    assert pictures.of("a (1).png", "A", [((1, 2, 3, 4.5), "green", "an apple")]) == [
        "figure",
        {},
        ["img", {"src": "a%20%281%29.png", "alt": "A"}, ["i", {"title": "an apple"}, "green", "1", "2", "3", "4.5"]],
        ["figcaption", {}, "A"],
    ]
    assert pictures.of("no.png") == ["figure", {}, ["div", {"class": "lost"}, "not there"]]


# Search and filters


def test_search_finds_text_in_the_form_in_which_it_is_looked_for(tmp_path: Path) -> None:
    made = [*rows(1, "ＡＢＣ  ﬁne\n<b>\x1f"), *rows(1, ""), *rows(1, "中文 " + "x" * 30_000)]
    [first], [second], [third] = write(tmp_path, Listing("rows", "Rows", made)).searched()
    assert (first, second, third[:5], len(third)) == ("abc fine <b>", "", "中文 xx", MAX_SEARCHED)


def test_texts_of_a_row_stand_in_the_place_of_their_column(tmp_path: Path) -> None:
    made = [ShownRow("a", [], {"question": "Q", "answer": "A"}), ShownRow("b", [], {"note": "N", "answer": "B"})]
    page = write(tmp_path, Listing("rows", "Rows", made))
    assert page.lists["rows"]["columns"] == ["question", "answer", "note"]
    assert page.searched() == [["q", "a"], ["", "b", "n"]]


def test_what_search_looks_through_comes_in_a_small_file_and_then_in_larger_ones(tmp_path: Path) -> None:
    page = write(tmp_path, Listing("rows", "Rows", rows(400, "x" * 15_000)))
    most = [FIRST_LETTERS, 2 * FIRST_LETTERS, 4 * FIRST_LETTERS]
    counts = [letters // 15_000 + 1 for letters in most]
    assert [page.data(f"rows-find-000{n}").count("\n") + 1 for n in range(1, 5)] == [*counts, 400 - sum(counts)]
    assert page.lists["rows"]["finds"] == 4


def test_a_value_counts_for_all_above_it_and_menus_keep_the_order_of_rows(tmp_path: Path) -> None:
    paths = [[("1",)], [("1", "1.1")], [("2",)], [("1", "1.2"), ("1", "1.1")], []]
    made = [ShownRow(f"r{n}", [], {}, values={"chapter": path}) for n, path in enumerate(paths)]
    page = write(
        tmp_path, Listing("rows", "Rows", made, [Facet("chapter", "Chapter", contents=True), Facet("by", "By")])
    )
    [menu] = page.lists["rows"]["menus"]
    assert menu["choices"] == [
        [["1"], 3, "r0", 0, 2],
        [["1", "1.1"], 2, "r1", 1, 1],
        [["1", "1.2"], 1, "r3", 2, 2],
        [["2"], 1, "r2", 3, 3],
    ]
    assert page.data("rows-index")["facets"] == {"chapter": [0, 1, 3, [2, 1], -1], "by": [-1] * 5}


def test_values_say_where_they_stand() -> None:
    taken = FacetValues()
    for key, path in enumerate((("a",), ("b", "c"), ("a",))):
        taken.add(str(key), [path])
    assert taken.choices() == [
        *(Choice(("a",), 2, "0", 0, 0), Choice(("b",), 1, "1", 1, 2), Choice(("b", "c"), 1, "1", 2, 2))
    ]


def test_a_menu_of_too_many_values_has_the_least_deep_and_most_frequent(tmp_path: Path) -> None:
    paths = [("top",), *(("top", f"{n:04}") for n in range(MAX_CHOICES + 10)), ("top", "0000")]
    made = [ShownRow(str(n), [], {}, values={"kind": [path]}) for n, path in enumerate(paths)]
    page = write(tmp_path, Listing("rows", "Rows", made, [Facet("kind", "Kind")]))
    assert [name for name, _ in page.menus()[0][:3]] == ["top", "top › 0000", "top › 0001"]
    assert (len(page.menus()[0]), page.lists["rows"]["menus"][0]["left"]) == (MAX_CHOICES, 11)


def test_names_that_hold_half_a_character_are_no_harm(tmp_path: Path) -> None:
    page = write(tmp_path, Listing("rows", "Rows", rows(1, "a \ud800 b", heading="\udcff")))
    assert page.words() == "? a ? b"
