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
import re
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from dataflow_ext.datasets.folder import REPORT, writing
from dataflow_ext.datasets.source import settings_of
from dataflow_ext.files import RUN_FOLDER, write_text
from dataflow_ext.report.figures import Report
from dataflow_ext.report.listing import Listing
from dataflow_ext.report.parts import Part, bullets, el, fields, folded, grid
from dataflow_ext.report.rejects import rejects_listing
from dataflow_ext.report.shards import FIELD_END, ROW_END, Folder, Held, Written, fewest, write_listing
from dataflow_ext.well_formed import short
from dataflow_ext.wiring import arrows

if TYPE_CHECKING:
    from dataflow_ext.wiring import Names

#: The page, and where its data lie, below a run's folder.
NAME, FOLDER = REPORT, f"{RUN_FOLDER}/report"
#: Rows that are shown at a time.
PAGE_ROWS = 50
#: Values of a facet that a menu has; where there are more, those that are least deep and have the most rows.
MAX_CHOICES = 1_000

_TEMPLATES = Path(__file__).parent / "templates"
_SCRIPTS = ("nodes.js", "lists.js", "labels.js", "page.js")

_STEP_HEAD = ("Step", "Rows in", "Rows out", "Failed", "Dropped", "Empty", "Seconds")
_CALL_HEAD = ("Model calls", "Model", "Requests", "Remembered", "Shared", "Retries", "Repairs", "Failed", "Tokens in",
              "cached", "Tokens out", "Tokens spared", "USD")  # fmt: skip
#: A password in an address.
_PASSWORD = re.compile(r"(?<=//)[^/@\s]+(?=@)")

#: Pixels: a step's box, the room from one to the next, the least bow of an arrow that passes a step, and a letter.
_WIDE, _HIGH, _ROOM, _BOW, _LETTER = 250, 30, 52, 30, 6.6
#: Letters of the columns that a step reads.
_LONG = 120


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


def stop_parts(report: Report | None) -> list[Part]:
    """What was not done, and warnings."""
    if report is None or not (report.stopped or report.warnings):
        return []
    stops = [f"{stop.rows} row{'s' if stop.rows != 1 else ''} not done: {stop.message}" for stop in report.stopped]
    return [bullets([*stops, *report.warnings], "warnings")]


def run_parts(report: Report | None) -> list[Part]:
    """The steps with their rows and seconds, what models were asked, and which step hands which columns to which."""
    if report is None or not report.steps:
        return []
    steps = [
        (f"{s.step}. {s.operator}", s.rows_in, s.rows_out, *s.rejects().values(),
         "remembered" if s.remembered else f"{s.seconds:.2f}")
        for s in report.steps
    ]  # fmt: skip
    parts = [grid(_STEP_HEAD, steps)]
    calls = [(step, used.local, model, used) for (step, model), used in report.calls.items()]
    if calls:
        parts.append(grid(_CALL_HEAD, [_call(*call) for call in calls], left=2))
    seconds = sum(s.seconds for s in report.steps)
    money = sum(used.usd or 0 for *_, used in calls)
    note = f"{seconds:.1f} s" + (f", {money:.4f} USD" if money else "")
    made: list[Part] = [folded("Steps", *parts, note=note)]
    if report.wiring:
        made.append(folded("Wiring", el("div", drawing(report.wiring), look="wide"), note="which step reads what"))
    return [el("div", *made, look="boxes")]


def _call(step: str, local: bool, model: str, used: Any) -> tuple[Any, ...]:
    usd = "–" if not used.tokens else "not known" if used.usd is None else f"{used.usd:.4f}"
    counts = (used.requests, used.cached, used.shared, used.retries, used.repairs, used.failures)
    tokens = (used.prompt_tokens, used.cached_tokens, used.completion_tokens, used.spared_tokens)
    return (step, model + (" (local)" if local else ""), *counts, *tokens, usd)


def settings_part(out: Path) -> list[Part]:
    """The flags that were not left as they are, as the run's folder keeps them; they hold no secret."""
    given = {name: value for name, value in settings_of(out).items() if value not in (None, False, [], "")}
    rows = [(name.replace("_", "-"), _PASSWORD.sub("…", _plain(value))) for name, value in given.items()]
    return [folded("Settings", fields(rows), note=str(len(rows)))] if rows else []


def _plain(value: Any) -> str:
    """A flag's value; of paths the last part, as a page that is given on should not tell where things lie here."""
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"…/{PurePath(text).name}" if PurePath(text).is_absolute() else text


def drawing(steps: Sequence[Names]) -> Part:
    """The steps as an SVG, each with the columns that it reads beside it; arrows that pass others bow around these."""
    names = ["input", *(f"{number}. {step.operator}" for number, step in enumerate(steps, 1))]
    wide = max(_WIDE, max(map(len, names)) * _LETTER * 1.2 + 24)
    drawn = arrows(steps)
    reach = max([1, *(end - start for start, end in drawn)])
    right = round(wide + (_BOW + 14 * reach if reach > 1 else 0)) + 16
    parts: list[Part] = [_arrow(start, end, wide) for start, end in drawn]
    longest = 0
    for number, name in enumerate(names):
        y = number * _ROOM + 4
        parts.append(
            el("rect", x=2, y=y, width=round(wide), height=_HIGH, rx=6, look="step" if number else "step open")
        )
        parts.append(el("text", name, x=14, y=y + 20))
        read = {start: columns for (start, end), columns in drawn.items() if end == number}
        whole = "; ".join(f"{', '.join(told)} of {start or 'the input'}" for start, told in sorted(read.items()))
        if whole:
            shown = short(f"reads {whole}", _LONG)
            longest = max(longest, len(shown))
            parts.append(el("text", el("title", whole), shown, x=right, y=y + 19, look="columns"))
    width, height = round(right + longest * _LETTER), len(names) * _ROOM - (_ROOM - _HIGH) + 8
    return el("svg", *parts, viewBox=f"0 0 {width} {height}", width=width, height=height, look="wiring")


def _arrow(start: int, end: int, wide: float) -> Part:
    top, bottom = start * _ROOM + 4 + _HIGH, end * _ROOM + 4
    if end - start == 1:
        middle = round(wide / 2)
        return el("path", d=f"M{middle} {top}V{bottom - 1}m-4 -6l4 6l4 -6", look="arrow")
    out, edge = round(wide + _BOW + 14 * (end - start)), round(wide) + 2
    y0, y1 = top - _HIGH / 2 + 4, bottom + _HIGH / 2 - 4
    return el("path", d=f"M{edge} {y0}C{out} {y0} {out} {y1} {edge + 1} {y1}m7 -4l-7 4l7 4", look="arrow")
