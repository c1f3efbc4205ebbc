"""The question rows of a page: each beside its part of the printed page, with its doubts, and what it is found by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment, Template
from markupsafe import Markup

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report.listing import Facet, ShownRow
from operators.pdf.output.checks import doubts_of, kind_of
from operators.pdf.output.crops import Crop, Crops
from operators.pdf.output.page_text import picture_html, text_html
from operators.pdf.output.saved_pictures import name_pictures
from operators.pdf.output.writer import pages_of
from operators.pdf.pairs import PICTURE_FOLDER

_COLUMNS = (
    *(ROW_ID, "document", "name", "label", "question", "answer", "solution", "question_chapter_title"),
    *(
        "answer_chapter_title",
        "chapter_path",
        "status",
        "question_images",
        "solution_images",
        "match",
        "confidence",
        "notes",
    ),
    *("doubts", "extracted_by"),
)
#: What rows are filtered by.
FACETS = (
    Facet("status", "Status"),
    Facet("chapter", "Chapters", contents=True),
    Facet("doubt", "Doubts"),
    Facet("match", "Answer found"),
    Facet("by", "Extracted by"),
)

_LOOKS = {"answered": "good", "unanswered": "open", "to check": "check"}

_SOME = 1024


def shown_rows(table: pa.Table, crops: Crops, templates: Environment) -> Iterator[ShownRow]:
    """The rows of a final table, in its order, each made when it is asked for."""
    table, files = name_pictures(table)
    shown = _Shown(templates.get_template("row.html"), files, pc.count_distinct(table["document"]).as_py() > 1)
    for start in range(0, table.num_rows, _SOME):
        some = table.slice(start, _SOME)
        for row, pages in zip(some.select(list(_COLUMNS)).to_pylist(), pages_of(some), strict=True):
            yield shown.row(row, pages, crops.by_row.get(row[ROW_ID], ()))


@dataclass(frozen=True, slots=True)
class _Shown:
    """How rows are shown: the template, the files behind their pictures, whether there are several documents."""

    template: Template
    files: Mapping[str, Path]
    several: bool

    def row(self, row: Mapping[str, Any], pages: Mapping[str, Sequence[int]], shots: Sequence[Crop]) -> ShownRow:
        doubts = doubts_of(row)
        name = row["name"] or row["document"]
        chapter = [part for part in row["chapter_path"] or [row["question_chapter_title"]] if part] or ["(no chapter)"]
        states = _states(row, doubts)
        values = {
            "status": [(state,) for state in states],
            "chapter": [(*([name] if self.several else ()), *chapter)],
            "doubt": [(kind,) for kind in dict.fromkeys(map(kind_of, doubts))],
            "match": [(row["match"],)] if row["match"] else [],
            "by": [(row["extracted_by"],)] if row["extracted_by"] else [],
        }
        texts = (
            row["label"],
            row["question"],
            row["answer"],
            row["solution"],
            chapter[-1],
            *(row["notes"] or ()),
            *doubts,
        )
        return ShownRow(
            partial(self._html, row, pages, shots, doubts),
            "\n".join(text for text in texts if text),
            heading=" › ".join(chapter) + (f" – {name}" if self.several else ""),
            state=_LOOKS[states[-1]],
            values=values,
        )

    def _html(
        self,
        row: Mapping[str, Any],
        pages: Mapping[str, Sequence[int]],
        shots: Sequence[Crop],
        doubts: Sequence[str],
        root: str,
    ) -> Markup:
        made = self.template.render(
            row=row,
            root=root,
            shots=shots,
            states=[
                (row["status"], "good" if row["status"] == "answered" else "open"),
                *([("to check", "check")] if doubts else ()),
            ],
            doubts=[(doubt, kind_of(doubt)) for doubt in doubts],
            question=self._text(row["question"], row["question_images"], root),
            answer=text_html(row["answer"] or "", (), root),
            solution=self._text(row["solution"], row["solution_images"], root),
            question_pages=_numbers(pages["question"]),
            solution_pages=_numbers(pages["solution"]),
        )
        return Markup(made)  # noqa: S704 - of our template

    def _text(self, text: str | None, links: Sequence[str] | None, root: str) -> Markup:
        """The text, its pictures where they stand, and those that have no place in it at its end."""
        names = [link.removeprefix(f"{PICTURE_FOLDER}/") for link in links or ()]
        there = [name for name in names if name in self.files]
        shown = text_html(text or "", there, root)
        loose = [name for name in dict.fromkeys(there) if f"]({PICTURE_FOLDER}/{name})" not in (text or "")]
        lost = [name for name in names if name not in self.files]
        notes = [Markup('<span class="lost">picture {} is not there</span>').format(name) for name in lost]
        return Markup("\n").join([shown, *(picture_html(name, "", root) for name in loose), *notes])


def _states(row: Mapping[str, Any], doubts: Sequence[str]) -> list[str]:
    return [row["status"], *(["to check"] if doubts else ())]


def _numbers(pages: Sequence[int]) -> str:
    """``p. 3``, ``pp. 3, 4``, or nothing."""
    return f"p{'p' if len(pages) > 1 else ''}. {', '.join(map(str, pages))}" if pages else ""
