"""The page that a run leaves: its figures, and lists of rows of any length to look at, search, filter and label.

It is ``report.html``, whose own script builds what is shown, and files of data below ``.run/report`` that it loads when
it needs them. All of it opens from a disk, without a server or a network. Data are text everywhere: they come as JSON
in letters and digits, become nodes of known tags, and the page's policy allows our script and style by their hashes and
nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.folder import REPORT, writing
from dataflow_ext.files import RUN_FOLDER, write_text
from dataflow_ext.report.figures import Report
from dataflow_ext.report.listing import Listing
from dataflow_ext.report.parts import Part
from dataflow_ext.report.rejects import rejects_listing
from dataflow_ext.report.run_parts import run_parts, settings_part, stop_parts
from dataflow_ext.report.shards import FIELD_END, ROW_END, Folder, Held, Written, fewest, write_listing

#: The page, and where its data lie, below a run's folder.
NAME, FOLDER = REPORT, f"{RUN_FOLDER}/report"
#: Rows that are shown at a time.
PAGE_ROWS = 50
#: Values of a facet that a menu has; where there are more, those that are least deep and have the most rows.
MAX_CHOICES = 1_000

_TEMPLATES = Path(__file__).parent / "templates"
_SCRIPTS = ("nodes.js", "lists.js", "labels.js", "page.js")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is of: a title, what kind of thing it shows, its lists, its figures, and what stands below these."""

    title: str
    kind: str
    listings: Sequence[Listing]
    figures: Sequence[Part] = ()
    head: Sequence[Part] = ()
    foot: Sequence[Part] = ()


def write_report(
    page: Page, out: Path, report: Report | None = None, rejects: pa.Table | None = None, *, name: str = NAME
) -> Path:
    """The path of ``out/report.html``; its data lie in ``out/.run/report``, without those of an earlier page.

    With the ``report`` of a run its steps, models, warnings and wiring are shown too, as are the settings that its
    folder keeps, and ``rejects`` are a list of their own. A page of another ``name`` holds its data itself.
    InputError if there is a ``report.html`` that no run wrote.
    """
    out = Path(out)
    with writing(out, [NAME]) if name == NAME else nullcontext():
        return _written(page, out, report, rejects, name)


def _written(page: Page, out: Path, report: Report | None, rejects: pa.Table | None, name: str) -> Path:
    is_of_run = name == NAME
    folder = Folder(out / FOLDER) if is_of_run else Held()
    listings = [*page.listings, *([rejects_listing(rejects)] if rejects is not None and rejects.num_rows else [])]
    traces = report.traces if report is not None else None
    written = [write_listing(listing, folder, traces) for listing in listings]
    shell = {
        "title": page.title,
        "kind": page.kind,
        "figures": list(page.figures),
        "head": [*stop_parts(report), *page.head, *run_parts(report), *(settings_part(out) if is_of_run else [])],
        "foot": list(page.foot),
        "folder": f"{FOLDER}/",
        "size": PAGE_ROWS,
        "ends": [FIELD_END, ROW_END],
        "lists": [_told(each) for each in written],
    }
    path = write_text(out / name, _html(page, shell, str(folder)))
    folder.clear()
    return path


def _told(written: Written) -> dict[str, Any]:
    listing = written.listing
    menus = []
    for facet in listing.facets:
        choices = written.menus[facet.name]
        # A value that every row has tells none from the others.
        if len(choices) > 1 or any(choice.rows < written.total for choice in choices):
            shown = [[list(c.path), c.rows, c.row, c.first, c.last] for c in fewest(choices, MAX_CHOICES)]
            left = len(choices) - len(shown)
            menus.append({**asdict(facet), "choices": shown, "left": left})
    return {
        "name": listing.name,
        "title": listing.title,
        "total": written.total,
        "starts": written.starts,
        "finds": written.finds,
        "columns": written.columns,
        "menus": menus,
        "intro": list(listing.intro),
        "nothing": listing.nothing,
        "labels": asdict(listing.labels) if listing.labels else None,
        "lives": written.lives,
    }


def _html(page: Page, shell: dict[str, Any], files: str) -> str:
    script, style = page_script(), _text("page.css")
    data = json.dumps(shell, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":  # nothing in the data ends the element that holds them
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    parts = {
        "title": escape(f"{page.title} – {page.kind}"),
        "scripthash": _hash(script),
        "stylehash": _hash(style),
        "style": style,
        "script": script,
        "shell": data,
        "files": files,
    }
    html = _text("page.html")
    # Each place is filled once, and what fills it is not looked through again.
    pieces = html.split("§")
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


@cache
def page_script() -> str:
    """The script of every page, of which the parts see each other and nobody else sees anything."""
    return f'"use strict";\n(() => {{\n{"".join(map(_text, _SCRIPTS))}}})();\n'


@cache
def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
