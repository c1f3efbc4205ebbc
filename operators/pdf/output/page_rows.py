"""How a question row is shown on a page: beside its part of the printed page, with its doubts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report.listing import Facet, ShownRow, filter_link
from dataflow_ext.report.parts import Box, Part, Pictures, badge, box, bullets, el, facts, title
from dataflow_ext.report.rich import illustrated, rich
from operators.pdf.output.checks import doubts_of, kind_of
from operators.pdf.output.crops import Crop, Crops
from operators.pdf.output.saved_pictures import name_pictures
from operators.pdf.output.writer import pages_of

#: What rows are filtered by.
FACETS = (
    Facet("status", "Status"),
    Facet("chapter", "Chapters", contents=True),
    Facet("doubt", "Doubts"),
    Facet("match", "Answer found"),
    Facet("by", "Extracted by"),
)
#: Boxes on a crop, by what they hold.
_ROLES = {"question": "blue", "answer": "green", "solution": "violet"}

_SOME = 1024


def shown_rows(table: pa.Table, crops: Crops, pictures: Pictures) -> Iterator[ShownRow]:
    """The rows of a final table, in its order, each made when it is asked for."""
    table, _ = name_pictures(table)
    shown = _Rows(pictures, pc.count_distinct(table["document"]).as_py() > 1)
    for start in range(0, table.num_rows, _SOME):
        some = table.slice(start, _SOME)
        for row, pages in zip(some.to_pylist(), pages_of(some), strict=True):
            yield shown.row(row, pages, crops.by_row.get(row[ROW_ID], ()))


def shots(crops: Sequence[Crop], pictures: Pictures, evidence: Sequence[Mapping[str, Any]] = ()) -> list[Part]:
    """Parts of printed pages with their numbers, and on them the boxes of a row's blocks, coloured by role."""
    figures = [
        pictures.of(crop.path, f"p. {crop.page + 1}", _boxes(crop, evidence) if len(evidence) > 1 else ())
        for crop in crops
    ]
    return [el("div", *figures, look="shots")] if figures else []


def _boxes(crop: Crop, evidence: Sequence[Mapping[str, Any]]) -> Iterator[Box]:
    left, top, right, bottom = crop.box
    across, down = crop.width / ((right - left) or 1), crop.height / ((bottom - top) or 1)
    for block in evidence:
        if (block["file"], block["page"]) == (crop.file, crop.page) and block["box"]:
            x0, y0, x1, y1 = block["box"]
            edges = ((x0 - left) * across, (y0 - top) * down, (x1 - left) * across, (y1 - top) * down)
            kind = "amber" if block["image"] else _ROLES.get(block["role"], "blue")
            yield edges, kind, f"{block['role']}{' picture' if block['image'] else ''}, block {block['id']}"


@dataclass(frozen=True, slots=True)
class _Rows:
    """How rows are shown: where pictures lie, whether there are several documents."""

    pictures: Pictures
    several: bool

    def row(self, row: Mapping[str, Any], pages: Mapping[str, Sequence[int]], crops: Sequence[Crop]) -> ShownRow:
        doubts = doubts_of(row)
        name = row["name"] or row["document"]
        chapter = [part for part in row["chapter_path"] or [row["question_chapter_title"]] if part] or ["(no chapter)"]
        status = row["status"]
        values = {
            "status": [(state,) for state in (status, *(["to check"] if doubts else []))],
            "chapter": [(*([name] if self.several else ()), *chapter)],
            "doubt": [(kind,) for kind in dict.fromkeys(map(kind_of, doubts))],
            "match": [(row["match"],)] if row["match"] else [],
            "by": [(row["extracted_by"],)] if row["extracted_by"] else [],
        }
        texts = {part: row[part] or "" for part in ("label", "question", "answer", "solution")}
        texts |= {"chapter": chapter[-1], "notes": "\n".join([*(row["notes"] or ()), *doubts])}
        look = "good" if status == "answered" else "open"
        badges = [badge(status, look), *([badge("to check", "check")] if doubts else [])]
        said = el("div", title(row["label"] or "–", *badges), *self._body(row, pages, doubts), look="said")
        return ShownRow(
            row[ROW_ID],
            [*shots(crops, self.pictures, row["evidence"] or ()), said],
            texts,
            heading=" › ".join(chapter) + (f" – {name}" if self.several else ""),
            look="check" if doubts else look,
            values=values,
        )

    def _body(
        self, row: Mapping[str, Any], pages: Mapping[str, Sequence[int]], doubts: Sequence[str]
    ) -> Iterator[Part]:
        yield from illustrated(row["question"], row["question_images"], self.pictures)
        if row["answer"]:
            yield box("Answer", rich(row["answer"]), look="answer")
        if row["solution"]:
            yield box("Solution", *illustrated(row["solution"], row["solution_images"], self.pictures))
        elsewhere = row["answer_chapter_title"]
        yield facts(
            _numbers("question", pages["question"]),
            _numbers("solution", pages["solution"]),
            f"{row['match']}, {100 * (row['confidence'] or 0):.0f} %" if row["status"] == "answered" else None,
            f"answer from “{elsewhere}”" if elsewhere and elsewhere != row["question_chapter_title"] else None,
            f"by {row['extracted_by']}" if row["extracted_by"] else None,
        )
        told = [el("a", doubt, look="badge check", href=filter_link("rows", doubt=kind_of(doubt))) for doubt in doubts]
        if told or row["notes"]:
            yield bullets([*told, *(row["notes"] or ())])


def _numbers(what: str, pages: Sequence[int]) -> str:
    """``question p. 3``, ``question pp. 3, 4``, or nothing."""
    return f"{what} p{'p' if len(pages) > 1 else ''}. {', '.join(map(str, pages))}" if pages else ""
