"""What the page's script does in a real browser: search, filters, links, and that nothing of a hostile run runs."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pyarrow as pa
import pytest

from dataflow_ext import run
from dataflow_ext.report import Facet, Field, Labels, Listing, Page, Report, ShownRow, write_report
from dataflow_ext.report.parts import el, folded, title, words
from dataflow_ext.report.shards import single_file
from dataflow_ext.report.texts import rich
from dataflow_ext.trace import Asked, Trace, TraceStep
from tests.core.samples import LongOnly
from tests.support.browser import PROGRAM, Browser

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs chromium")

HOSTILE = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'><svg onload='window.ran = 1'>",
    "javascript:window.ran=1",
    "</script><!--files--><script>window.ran = 1</script>",
    "\x00\x01\x1b]0;x\x07\u2028\u2029\ufeff\ud800",
    "<a href='javascript:window.ran=1'>x</a>" * 25_000,
    '"+(window.ran=1)+"',
)


def rows() -> Iterator[ShownRow]:
    for n in range(450):
        kind = "odd" if n % 2 else "even"
        text = f"number {n} $x^{n}$" + (" Ｒare Word" if n == 333 else "")
        texts = {"text": text, "kind": kind}
        yield ShownRow(
            f"r{n}", [title(str(n)), rich(text)], texts, heading=f"part {n // 100}", values={"kind": [(kind,)]}
        )


def hostile_rows() -> Iterator[ShownRow]:
    for n, text in enumerate(HOSTILE):
        body = [
            title(text), words(text), rich(text), folded(text, el("a", text, href=text), is_open=True),
            el("img", ["i", {"title": text}, text, text, "1", "2", "3"], src=text, alt=text), el("p", text, look=text),
            [text, {text: text}, text], ["script", {}, text], ["iframe", {"srcdoc": text, "src": text}],
            ["p", {"onclick": text, "style": text, "onload": text}, "p"], ["svg", {"onload": text}, ["use", {"href": text}]],
        ]  # fmt: skip
        yield ShownRow(f"{n}{text[:50]}", body, {text[:80]: text}, heading=text, look=text, values={"kind": [(text, text)]},
                       labels={"id": text, "note": text})  # fmt: skip


def hostile_lives(keys: Iterable[str], calls: int, items: int) -> dict[str, Trace]:
    texts = dict(zip(keys, HOSTILE, strict=False))
    reject = {"kind": HOSTILE[0], "message": HOSTILE[0]}
    return {
        key: Trace(key, [TraceStep(1, text, [{text: text}], [{text: [text]}], [reject], [Asked(text, text, text)])])
        for key, text in texts.items()
    }


def count(browser: Browser) -> str:
    return str(browser.value("document.getElementById('count').value"))


def test_rows_are_searched_filtered_and_linked(tmp_path: Path) -> None:
    page = write_report(
        Page("Title", "Rows", [Listing("rows", "Rows", rows(), [Facet("kind", "Kind")])]), tmp_path / "o"
    )
    with Browser(page, tmp_path) as browser:

        def at(hash_: str) -> tuple[str, list[str]]:
            browser.value(f"location.hash = '{hash_}'")
            browser.until("document.body.dataset.shown === location.hash")
            shown = browser.value("[...document.querySelectorAll('article')].map((row) => row.dataset.key)")
            return count(browser), shown

        browser.until("document.body.dataset.shown")
        assert count(browser) == "450 rows"
        assert at("#q=rare+%22word%22") == ("1 of 450 rows", ["r333"])
        assert at("#kind=odd&q=33")[1] == ["r33", "r133", "r233", "r331", "r333", "r335", "r337", "r339", "r433"]
        assert at("#q=odd&in=text") == ("0 of 450 rows", [])
        assert at("#q=odd&in=kind")[0] == "225 of 450 rows"
        assert at("#page=9")[1] == [f"r{n}" for n in range(400, 450)]
        browser.value("location.hash = '#row=r449'")
        browser.until("document.querySelector('.current')?.dataset.key === 'r449'")
        browser.press("k", 75)
        assert browser.value("document.querySelector('.current').dataset.key") == "r448"
        assert browser.value("document.querySelectorAll('math msup').length") == 50
        assert browser.value("document.querySelector('h3').textContent") == "part 4"


def test_what_is_found_in_the_first_file_stands_there_while_others_are_looked_through(tmp_path: Path) -> None:
    many = ({"text": f"common {'x' * 15_000} {n}"} for n in range(900))
    shown = (ShownRow(f"r{n}", [words(text["text"][:9])], text) for n, text in enumerate(many))
    page = write_report(Page("Title", "Rows", [Listing("rows", "Rows", shown)]), tmp_path / "o")
    with Browser(page, tmp_path) as browser:
        browser.until("document.body.dataset.shown")
        for hash_, told in (
            ("#q=common", "900 rows"),
            ("#q=common+899", "1 of 900 rows"),
            ("#q=common&page=18", "900 rows"),
        ):
            browser.value(f"location.hash = '{hash_}'")
            browser.until("document.body.dataset.shown === location.hash")
            assert count(browser) == told
        assert browser.value("[...document.querySelectorAll('article')].at(-1).dataset.key") == "r899"
        marks = "performance.getEntriesByType('mark').map(({ name }) => name).join(' ')"
        assert "first" in str(browser.value(marks))


def test_a_rows_steps_are_shown_when_asked_for_by_a_click_or_a_key(tmp_path: Path) -> None:
    table = pa.table({"row_id": [f"r{n}" for n in range(300)], "text": [f"<b>{n}</b> long" for n in range(300)]})
    page = run([LongOnly(least=2)], table).write_page(tmp_path / "o")
    with Browser(page, tmp_path) as browser:
        browser.until("document.body.dataset.shown")
        browser.press("j", 74)
        browser.press("t", 84)
        browser.until("document.querySelectorAll('.current > .life details').length")
        assert browser.value("document.querySelector('.current > .life').textContent").startswith(
            "Step by step1. LongOnly 1 in, 1 outread r0text<b>0</b> long"
        )
        browser.value("location.hash = '#row=r299'")
        browser.until("document.querySelector('.current')?.dataset.key === 'r299'")
        browser.press("t", 84)
        browser.until("document.querySelectorAll('.current > .life code').length")
        assert browser.value("document.querySelector('.current > .life code').textContent") == "rowsmith trace OUT r299"


@pytest.mark.parametrize("with_policy", [True, False])
@pytest.mark.parametrize("in_one_file", [True, False])
def test_nothing_of_a_hostile_run_runs(tmp_path: Path, with_policy: bool, in_one_file: bool) -> None:
    labels = Labels("labels.csv", ("id",), (Field("note", HOSTILE[0], "words"), Field("x", HOSTILE[0])), HOSTILE[0])
    facet = Facet("kind", HOSTILE[0], contents=True)
    listing = Listing("rows", HOSTILE[0], hostile_rows(), [facet], [words(HOSTILE[0])], labels=labels)
    page = write_report(
        Page(HOSTILE[2], HOSTILE[0], [listing], [HOSTILE[0]], [HOSTILE[0]], [HOSTILE[0]]), tmp_path / "o",
        Report(traces=hostile_lives),
    )  # fmt: skip
    if in_one_file:
        page, _ = single_file(page, tmp_path / "o/one.html")
    if not with_policy:
        text, gone = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
        assert gone == 1
        page.write_text(text, encoding="utf-8")
    with Browser(page, tmp_path) as browser:
        browser.until("document.body.dataset.shown")
        assert browser.value("document.querySelectorAll('article').length") == len(HOSTILE)
        browser.value("for (const box of document.querySelectorAll('.life')) box.open = true")
        # One is too large for a page, and of one the key is no text.
        browser.until(f"document.querySelectorAll('.life > details').length === {len(HOSTILE) - 2}")
        assert browser.value("window.ran === undefined")
        browser.value(f"location.hash = '#{urlencode({'q': HOSTILE[0][:20]})}'")
        browser.until("document.body.dataset.shown === location.hash")
        assert count(browser).startswith("2 of")
        assert browser.value("window.ran === undefined")
        tags = "script:not(#shell, [data-name], body > script), iframe, object, embed, [onerror], [onload], [onclick], [style]"
        assert browser.value(f"document.querySelectorAll('{tags}').length") == 0
        bad = "[...document.querySelectorAll('[href], [src]')].map((e) => e.getAttribute('href') ?? e.getAttribute('src'))"
        assert browser.value(f"{bad}.filter((place) => /^\\s*javascript:/i.test(place))") == []
