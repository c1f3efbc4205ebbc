"""The page to look at after a run: figures, numbering, and each pair beside the part of the page it came from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from jinja2 import Environment
from markupsafe import Markup

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates
from dataflow_ext.tables import write_text
from operators.pdf.output.crops import Crop, Crops
from operators.pdf.output.gaps import numbering_gaps
from operators.pdf.output.page_text import picture_html, text_html
from operators.pdf.output.saved_pictures import name_pictures
from operators.pdf.output.writer import pages_of
from operators.pdf.pairs import PICTURE_FOLDER

#: Rows shown in full; after them rows in a plain table, and rejects, each up to a limit of its own.
FULL = 300
MAX_REST = 5_000
MAX_REJECTS = 500

#: An answer with less confidence than this is marked as one to check.
SURE = 0.8

_TITLES = ("question_chapter_title", "answer_chapter_title")
_COLUMNS = (
    *(ROW_ID, "document", "name", "label", "question", "answer", "solution", *_TITLES, "status"),
    *("question_images", "solution_images", "match", "confidence", "notes", "extracted_by"),
)


@dataclass(slots=True)
class _Pair:
    """One row as the page shows it."""

    row: Mapping[str, Any]
    question: Markup
    answer: Markup
    solution: Markup
    question_pages: str
    solution_pages: str
    shots: Sequence[tuple[str, Crop]]
    state: str


@dataclass(slots=True)
class _Chapter:
    """Pairs of one title that follow each other."""

    title: str
    document: str
    number: int
    pairs: list[_Pair] = field(default_factory=list)

    @property
    def states(self) -> str:
        """The states of its pairs, as class names."""
        return " ".join(sorted({f"has-{pair.state}" for pair in self.pairs}))


def write_page(
    table: pa.Table, rejects: pa.Table, report: Report, crops: Crops, out: Path, *, full: int = FULL, reading: str = ""
) -> Path:
    """The path of ``out/report.html``, one file without scripts that opens from a disk or a server.

    Its pictures are those that ``write_outputs`` and ``page_crops`` put into ``out``. The first ``full``
    rows stand in full beside their crops, the rest in a plain table; ``reading`` tells how the pages were
    read. Whatever the texts hold is shown, never run.
    """
    out = Path(out)
    table, files = name_pictures(table)
    rows = table.select(list(_COLUMNS)).to_pylist()
    pages = pages_of(table)
    shown = [
        _pair(row, where, files, crops.by_row.get(row[ROW_ID], ()))
        for row, where in zip(rows[:full], pages[:full], strict=True)
    ]
    rest = [
        (row, _numbers(where["question"]), _state(row))
        for row, where in zip(rows[full : full + MAX_REST], pages[full : full + MAX_REST], strict=True)
    ]
    text = (
        _environment()
        .get_template("report.html")
        .render(
            names=list(dict.fromkeys(row["name"] or row["document"] for row in rows)),
            counts=Counter(row["status"] for row in rows),
            total=len(rows),
            to_check=sum(_state(row) == "check" for row in rows),
            kinds=sorted(Counter(rejects["kind"].to_pylist()).items()),
            report=report,
            reading=reading,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            gaps=numbering_gaps(table),
            chapters=_chapters(shown),
            rest=rest,
            full=full,
            sure=SURE,
            crops=crops,
            rejects=rejects.slice(0, MAX_REJECTS).to_pylist(),
            rejects_total=rejects.num_rows,
        )
    )
    return write_text(out / "report.html", text)


def _environment() -> Environment:
    return page_templates(Path(__file__).parent / "templates", short=_short, readable=_readable, url=quote)


def _pair(
    row: Mapping[str, Any], pages: Mapping[str, Sequence[int]], files: Mapping[str, Path], shots: Sequence[Crop]
) -> _Pair:
    return _Pair(
        row,
        _with_pictures(row["question"], row["question_images"], files),
        text_html(row["answer"] or "", ()),
        _with_pictures(row["solution"], row["solution_images"], files),
        _numbers(pages["question"]),
        _numbers(pages["solution"]),
        [(_numbers([shot.page + 1]), shot) for shot in shots],
        _state(row),
    )


def _with_pictures(text: str | None, links: Sequence[str] | None, files: Mapping[str, Path]) -> Markup:
    """The text, its pictures where they stand, and those that have no place in it at its end."""
    names = [link.removeprefix(f"{PICTURE_FOLDER}/") for link in links or ()]
    there = [name for name in names if name in files]
    shown = text_html(text or "", there)
    loose = [name for name in dict.fromkeys(there) if f"]({PICTURE_FOLDER}/{name})" not in (text or "")]
    lost = [name for name in names if name not in files]
    notes = [Markup('<span class="lost">picture {} is not there</span>').format(name) for name in lost]
    return Markup("\n").join([shown, *(picture_html(name, "") for name in loose), *notes])


def _state(row: Mapping[str, Any]) -> str:
    if row["status"] != "answered":
        return "unanswered"
    return "answered" if (row["confidence"] or 0.0) >= SURE else "check"


def _chapters(pairs: Sequence[_Pair]) -> list[_Chapter]:
    chapters: list[_Chapter] = []
    for pair in pairs:
        title = pair.row["question_chapter_title"] or ""
        document = pair.row["name"] or pair.row["document"]
        if not chapters or (chapters[-1].title, chapters[-1].document) != (title, document):
            chapters.append(_Chapter(title, document, len(chapters) + 1))
        chapters[-1].pairs.append(pair)
    return chapters


def _numbers(pages: Sequence[int]) -> str:
    """``p. 3``, ``pp. 3, 4``, or nothing."""
    return f"p{'p' if len(pages) > 1 else ''}. {', '.join(map(str, pages))}" if pages else ""


def _short(text: str | None, length: int) -> str:
    flat = " ".join((text or "")[: 4 * length].split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"


def _readable(inputs: str | None) -> str:
    """A reject's inputs, one field a line, long ones cut."""
    try:
        fields = json.loads(inputs or "{}")
    except ValueError:
        return _short(inputs, 1000)
    if not isinstance(fields, dict):
        return _short(inputs, 1000)
    lines = (
        f"{k}: {_short(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False), 300)}" for k, v in fields.items()
    )
    return "\n".join(line for line in lines if not line.endswith((": []", ": null", ": ")))
