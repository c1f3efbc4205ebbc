"""The page of a run: every row is reachable without a script, nothing of a row is run, and links lead to rows."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup, escape

from dataflow_ext.report import mathml
from dataflow_ext.report.listing import Choice, Facet, FacetValues, Listing, ShownRow, filter_link, row_link
from dataflow_ext.report.run_page import MAX_CHOICES, RunPage, write_run_page

TEMPLATES = Path(mathml.__file__).parent / "templates"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b\u2028"


class Page(HTMLParser):
    """Links, ids, scripts, headings and options of a page, and tags that are left open."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.rows: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.options: list[dict[str, str | None]] = []
        self.policy = ""
        self.words = ""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [found["href"] or ""] if tag == "a" else []
        self.rows += [found["id"] or ""] if tag == "article" else []
        self.options += [found] if tag == "option" else []
        if tag == "script":
            self.scripts.append((found, ""))
        if tag == "style":
            self.styles.append("")
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"] or ""
        if tag not in ("img", "meta", "input", "br"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["script"]:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data
        elif self._open[-1:] == ["style"]:
            self.styles[-1] += data
        else:
            self.words += data


def rows(count: int, text: str = "row {}", **more: object) -> Iterator[ShownRow]:
    for n in range(1, count + 1):
        told = text.format(n) if "{}" in text else text
        yield ShownRow(lambda root, told=told: Markup("<p>{} {}</p>").format(root, told), told, **more)  # type: ignore[misc, arg-type]


def write(out: Path, *listings: Listing, **more: object) -> Page:
    return Page(write_run_page(RunPage("Book", "Rows", listings, **more), out))  # type: ignore[arg-type]


def sha(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# Reachable


def test_all_rows_can_be_reached_by_links_alone(tmp_path: Path) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(450)), Listing("rejects", "Rejects", rows(120)))
    seen: dict[Path, Page] = {}
    left = [tmp_path / "report.html"]
    while left:
        path = left.pop()
        seen[path] = Page(path)
        for link in seen[path].links:
            place = (path.parent / link.partition("#")[0]).resolve() if link.partition("#")[0] else path
            assert place.is_file()
            left += [place] if place not in seen and place not in left else []
    assert [len(page.rows) for page in seen.values()] == [200, 20, 50, 100, 100, 100]
    found = [row for page in seen.values() for row in page.rows]
    assert sorted(found) == sorted([f"rows-{n}" for n in range(1, 451)] + [f"rejects-{n}" for n in range(1, 121)])


@pytest.mark.parametrize(("count", "pages"), [(0, []), (100, []), (101, ["rows-0002.html"]), (200, ["rows-0002.html"])])
def test_pages_have_a_hundred_rows_and_the_last_leads_nowhere(tmp_path: Path, count: int, pages: list[str]) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(count), nothing="None at all."))
    folder = tmp_path / ".run/report"
    assert [path.name for path in sorted(folder.iterdir()) if "find" not in path.name] == pages
    for name in pages:
        assert not [link for link in Page(folder / name).links if "rows-0003" in link]
    assert ("None at all." in Page(tmp_path / "report.html").words) == (count == 0)


def test_rows_are_not_asked_for_before_they_are_written(tmp_path: Path) -> None:
    asked: list[int] = []

    def slowly() -> Iterator[ShownRow]:
        for n in range(1000):
            there = len(list((tmp_path / ".run/report").glob("rows-0*"))) if n else 0
            asked.append(n - 100 * there)
            yield from rows(1)

    write(tmp_path, Listing("rows", "Rows", slowly()))
    assert max(asked) <= 300


def test_pages_of_an_earlier_run_go_and_a_users_own_files_stay(tmp_path: Path) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(350)))
    (tmp_path / ".run/report/mine.html").touch()
    write(tmp_path, Listing("rows", "Rows", rows(150)))
    assert sorted(path.name for path in (tmp_path / ".run/report").iterdir()) == [
        *("mine.html", "rows-0002.html", "rows-find-0001.html", "rows-find.html")
    ]


def test_a_heading_stands_once_over_its_rows_and_again_on_a_new_page(tmp_path: Path) -> None:
    made = [*rows(2, heading="A"), *rows(103, heading="<B>")]
    write(tmp_path, Listing("rows", "Rows", made))
    headings = [
        re.findall("<h3>(.*)</h3>", path.read_text())
        for path in (tmp_path / "report.html", tmp_path / ".run/report/rows-0002.html")
    ]
    assert headings == [["A", "&lt;B&gt;"], ["&lt;B&gt;"]]


def test_rows_know_the_way_to_the_runs_folder(tmp_path: Path) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(101)))
    assert "<p> row 100</p>" in (tmp_path / "report.html").read_text()
    assert "<p>../../ row 101</p>" in (tmp_path / ".run/report/rows-0002.html").read_text()


def test_links_to_rows_lead_to_the_page_on_which_they_are(tmp_path: Path) -> None:
    assert [row_link("rows", n) for n in (1, 100, 101)] == [
        "#rows-1",
        "#rows-100",
        ".run/report/rows-0002.html#rows-101",
    ]
    assert [row_link("rows", n, "../../") for n in (1, 101)] == [
        *("../../report.html#rows-1", "../../.run/report/rows-0002.html#rows-101")
    ]
    assert filter_link("rows", "../../", chapter="1 a & b", q="x") == "../../report.html#rows?chapter=1+a+%26+b&q=x"


# Inert


def test_what_rows_hold_is_text_on_all_pages(tmp_path: Path) -> None:
    facet = Facet("kind", "Kind", contents=True)
    made = [*rows(150, HOSTILE, heading=HOSTILE, state="good", values={"kind": [(HOSTILE, "x")]}), *rows(1)]
    write(tmp_path, Listing("rows", HOSTILE, made, [facet]), foot=escape(HOSTILE))
    pages = [tmp_path / "report.html", *sorted((tmp_path / ".run/report").iterdir())]
    assert len(pages) == 4
    for path in pages:
        text, page = path.read_text(encoding="utf-8"), Page(path)
        assert "<script>alert" not in text
        assert "alert(1)>" not in text
        assert "<img" not in text
        kinds = [attributes.get("type") for attributes, _ in page.scripts]
        assert kinds == ([None] if "find" not in path.name else ["application/json", None])
        script = page.scripts[-1][1]
        assert f"script-src '{sha(script)}'" in page.policy
        assert all(f"style-src '{sha(style)}'" in page.policy for style in page.styles)
        assert "unsafe" not in page.policy
        assert page.policy.startswith("default-src 'none'; ")
        assert "require-trusted-types-for 'script'" in page.policy
        assert not [link for link in page.links if ":" in link]


def test_our_scripts_make_nothing_out_of_texts() -> None:
    for name in ("run_page.js", "give.js"):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        dangers = ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval", "Function(", 'setTimeout("')
        assert not [
            danger
            for danger in (*dangers, "srcdoc", "javascript:", "http")
            if danger in text.replace("http://www.w3.org", "")
        ]


def test_the_script_knows_all_parts_of_formulas() -> None:
    text = (TEMPLATES / "run_page.js").read_text(encoding="utf-8")
    known = {name: set(words.split()) for name, words in re.findall(r"const (\w+) = words\(`([^`]*)`\)", text)}
    assert known["MATH"] == mathml._ELEMENTS
    assert known["ATTRIBUTES"] >= {*mathml._VALUES, "title", "class", "display", "mathvariant"}
    assert not [name for name in known["ATTRIBUTES"] if name.startswith("on") or name in ("style", "srcdoc")]
    assert not known["HTML"] & {"script", "iframe", "object", "embed", "style", "link", "meta", "base", "form", "svg"}


# Search and filters


def data(path: Path) -> object:
    [(_, text)] = [script for script in Page(path).scripts if script[0].get("type") == "application/json"]
    return json.loads(text)


def test_search_finds_text_in_the_form_in_which_it_is_looked_for(tmp_path: Path) -> None:
    made = [*rows(1, "ＡＢＣ  ﬁne\n<b>"), *rows(1, ""), *rows(1, "中文 " + "x" * 30_000)]
    write(tmp_path, Listing("rows", "Rows", made))
    texts = data(tmp_path / ".run/report/rows-find-0001.html")
    assert isinstance(texts, str)
    first, second, third = texts.split("\n")
    assert (first, second, third[:5], len(third)) == ("abc fine <b>", "", "中文 xx", 20_000)


def test_what_search_looks_through_comes_in_files_of_some_megabytes(tmp_path: Path) -> None:
    write(tmp_path, Listing("rows", "Rows", rows(400, "x" * 15_000)))
    files = sorted((tmp_path / ".run/report").glob("rows-find-*.html"))
    assert [str(data(path)).count("\n") + 1 for path in files] == [201, 199]
    assert 'data-texts="2"' in (tmp_path / "report.html").read_text()


def test_a_value_counts_for_all_above_it_and_menus_keep_the_order_of_rows(tmp_path: Path) -> None:
    paths = [[("1",)], [("1", "1.1")], [("2",)], [("1", "1.2"), ("1", "1.1")], []]
    made = [ShownRow(lambda root: Markup(""), "", values={"chapter": path}) for path in paths]
    page = write(
        tmp_path, Listing("rows", "Rows", made, [Facet("chapter", "Chapter", contents=True), Facet("by", "By")])
    )
    assert page.options == [
        {"value": ""},
        {"value": "1", "data-first": "0", "data-last": "2"},
        {"value": "1 › 1.1", "data-first": "1", "data-last": "1"},
        {"value": "1 › 1.2", "data-first": "2", "data-last": "2"},
        {"value": "2", "data-first": "3", "data-last": "3"},
    ]
    assert data(tmp_path / ".run/report/rows-find.html") == {"chapter": [0, 1, 3, [2, 1], -1], "by": [-1] * 5}
    assert " ".join(page.words.split()).startswith("Book – Rows Rows Rows 5 Chapter: all 1 (3) 1.1 (2) 1.2 (1) 2 (1)")
    assert page.links[1:5] == ["#rows-1", "#rows-2", "#rows-4", "#rows-3"]


def test_values_say_where_they_stand() -> None:
    taken = FacetValues()
    for path in (("a",), ("b", "c"), ("a",)):
        taken.add([path])
    assert taken.choices() == [Choice(("a",), 2, 1, 0, 0), Choice(("b",), 1, 2, 1, 2), Choice(("b", "c"), 1, 2, 2, 2)]


def test_a_menu_of_too_many_values_has_the_least_deep_and_most_frequent(tmp_path: Path) -> None:
    paths = [("top",), *(("top", f"{n:04}") for n in range(MAX_CHOICES + 10)), ("top", "0000")]
    made = [ShownRow(lambda root: Markup(""), "", values={"kind": [path]}) for path in paths]
    page = write(tmp_path, Listing("rows", "Rows", made, [Facet("kind", "Kind")]))
    assert [option.get("value") for option in page.options[:4]] == ["", "top", "top › 0000", "top › 0001"]
    assert (len(page.options), "11 more" in page.words) == (MAX_CHOICES + 2, True)
