"""The page that a run leaves: its figures, and lists of rows of any length to look at, search and filter.

It is ``report.html`` with the first rows of each list, and numbered pages with the others below ``.run/report``. All of
them open from a disk, without a server or a network. A script of ours adds search, filters and keys; without it there
are the first rows, and links to all others. Data are text everywhere: what a row holds is never run, and the pages'
policy allows our own script and style by their hashes and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from dataflow_ext.files import write_text
from dataflow_ext.report.listing import (
    BACK,
    FIRST,
    FOLDER,
    PAGE_ROWS,
    Choice,
    Facet,
    FacetValues,
    Listing,
    ShownRow,
    page_name,
)
from dataflow_ext.report.pages import page_templates

#: Values of a facet that a menu has; where there are more, those that are least deep and have the most rows.
MAX_CHOICES = 1_000
#: Letters of a row that search looks through, and of a file that it loads.
MAX_SEARCHED = 20_000
_FILE_LETTERS = 3_000_000

_TEMPLATES = Path(__file__).parent / "templates"
_OURS = re.compile(r"[a-z]+-(?:\d{4,}|find|find-\d{4,})\.html")


@dataclass(frozen=True, slots=True)
class RunPage:
    """What stands on a run's page: a title, what kind of thing it is, its lists, and HTML above and below them.

    ``style`` is CSS for the rows, beside the look that all such pages have.
    """

    title: str
    kind: str
    listings: Sequence[Listing]
    head: Markup = field(default_factory=Markup)
    foot: Markup = field(default_factory=Markup)
    style: str = ""


@dataclass(slots=True)
class _Written:
    """A list as the first page needs it: its first rows as HTML, and what else there is of it."""

    listing: Listing
    total: int = 0
    first: Markup = field(default_factory=Markup)
    menus: list[tuple[Facet, list[Choice], int]] = field(default_factory=list)
    texts: int = 0

    @property
    def pages(self) -> list[tuple[str, int, int]]:
        """The file of each page with its first and last row."""
        starts = range(0, self.total, PAGE_ROWS)
        return [
            (page_name(self.listing.name, n), start + 1, min(start + PAGE_ROWS, self.total))
            for n, start in enumerate(starts, 1)
        ]


def write_run_page(page: RunPage, out: Path) -> Path:
    """The path of ``out/report.html``; the numbered pages lie in ``out/.run/report``, without those of an earlier run.

    Rows are asked for one after the other and not kept, so that a list may be long.
    """
    out = Path(out)
    pages = _Pages(out, page)
    written = [pages.write(listing) for listing in page.listings]
    path = write_text(out / FIRST, pages.rendered("run_page.html", script="run_page.js", page=page, lists=written))
    _remove_others(out / FOLDER, pages.names)
    return path


class _Pages:
    """Writes the pages of a run below its folder, and knows their names."""

    def __init__(self, out: Path, page: RunPage) -> None:
        self.names: set[str] = set()
        self._out = out
        self._title = page.title
        self._style = _text("run_page.css") + page.style

    def rendered(self, template: str, *, script: str, **values: Any) -> str:
        """A page with our style and one script of ours, which are all that may run in it."""
        text = _text(script)
        return (
            _environment()
            .get_template(template)
            .render(
                script=Markup(text),  # noqa: S704 - files of ours
                style=Markup(self._style),  # noqa: S704
                hashes={"script": _hash(text), "style": _hash(self._style)},
                folder=FOLDER,
                size=PAGE_ROWS,
                **values,
            )
        )

    def write(self, listing: Listing) -> _Written:
        """Write all but the first page of a list."""
        written = _Written(listing)
        values = {facet.name: FacetValues() for facet in listing.facets}
        searched = _Searched(self, listing.name)
        for some, is_last in _by_page(listing.rows):
            for row in some:
                searched.add(row)
                for name, taken in values.items():
                    taken.add(row.values.get(name, ()))
            if written.total:
                self._write_page(listing, some, written.total + 1, is_last)
            else:
                written.first = _rows(listing.name, some, 1, "")
            written.total += len(some)
        written.texts = searched.end()
        self.write_data(f"{listing.name}-find.html", {name: taken.numbers() for name, taken in values.items()})
        for facet in listing.facets:
            choices = values[facet.name].choices()
            if len(choices) > 1:
                written.menus.append((facet, _fewer(choices), max(0, len(choices) - MAX_CHOICES)))
        return written

    def _write_page(self, listing: Listing, rows: Sequence[ShownRow], start: int, is_last: bool) -> None:
        number = (start - 1) // PAGE_ROWS + 1
        text = self.rendered(
            "rows_page.html",
            script="give.js",
            title=self._title,
            listing=listing,
            rows=_rows(listing.name, rows, start, BACK),
            first=start,
            last=start + len(rows) - 1,
            before=BACK + page_name(listing.name, number - 1) + ("" if number > 2 else f"#{listing.name}"),
            after="" if is_last else BACK + page_name(listing.name, number + 1),
            back=f"{BACK}{FIRST}#{listing.name}-{start}",
        )
        self._write(f"{listing.name}-{number:04}.html", text)

    def write_data(self, name: str, data: Any) -> None:
        """Write a page that holds data for the script of the first one."""
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        for sign in "<>&":
            text = text.replace(sign, f"\\u{ord(sign):04x}")
        self._write(name, self.rendered("data.html", script="give.js", data=Markup(text)))  # noqa: S704 - no tag in it

    def _write(self, name: str, text: str) -> None:
        write_text(self._out / FOLDER / name, text)
        self.names.add(name)


class _Searched:
    """Gathers what search looks through, and writes it in files of some megabytes."""

    def __init__(self, pages: _Pages, name: str) -> None:
        self._pages, self._name = pages, name
        self._texts: list[str] = []
        self._letters = self._files = 0

    def add(self, row: ShownRow) -> None:
        """Take up the next row's text, in the form in which the script puts what it looks for."""
        text = " ".join(unicodedata.normalize("NFKC", row.text[:MAX_SEARCHED]).lower().split())
        self._texts.append(text)
        self._letters += len(text)
        if self._letters > _FILE_LETTERS:
            self._write()

    def end(self) -> int:
        """How many files there are."""
        if self._texts:
            self._write()
        return self._files

    def _write(self) -> None:
        self._files += 1
        self._pages.write_data(f"{self._name}-find-{self._files:04}.html", "\n".join(self._texts))
        self._texts, self._letters = [], 0


def _by_page(rows: Iterable[ShownRow]) -> Iterator[tuple[list[ShownRow], bool]]:
    """The rows of each page, and whether it is the last one."""
    left = iter(rows)
    some = list(islice(left, PAGE_ROWS))
    while some:
        following = list(islice(left, PAGE_ROWS))
        yield some, not following
        some = following


def _rows(name: str, rows: Sequence[ShownRow], start: int, root: str) -> Markup:
    """The rows of a page, each in an article of its own, under their headings."""
    return Markup("").join(_articles(name, rows, start, root))


def _articles(name: str, rows: Sequence[ShownRow], start: int, root: str) -> Iterator[Markup]:
    heading = None
    for number, row in enumerate(rows, start):
        if row.heading != heading:
            heading = row.heading
            yield Markup("<h3>{}</h3>\n").format(heading) if heading else Markup("")
        place = f"{root}{FIRST if root else ''}#{name}-{number}"
        link = Markup('<a class="place" href="{}" title="Link to this row">{}</a>').format(place, number)
        yield Markup('<article class="row {}" id="{}-{}">{}{}</article>\n').format(
            row.state, name, number, link, row.body(root)
        )


def _fewer(choices: list[Choice]) -> list[Choice]:
    if len(choices) <= MAX_CHOICES:
        return choices
    chosen = sorted(choices, key=lambda choice: (len(choice.path), -choice.rows))[:MAX_CHOICES]
    return sorted(chosen, key=lambda choice: choice.first)


@cache
def _environment() -> Environment:
    return page_templates(_TEMPLATES)


@cache
def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _remove_others(folder: Path, names: set[str]) -> None:
    if folder.is_dir() and not folder.is_symlink():
        for path in folder.iterdir():
            if _OURS.fullmatch(path.name) and path.name not in names:
                path.unlink(missing_ok=True)
