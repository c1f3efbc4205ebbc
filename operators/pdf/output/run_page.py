"""The page of a run: its figures, numbering, rows beside their pages, text in no row, and rejects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.datasets.folder import REJECTS
from dataflow_ext.identity import ROW_ID
from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, row_link, write_report
from dataflow_ext.report.parts import Box, Part, Pictures, badge, box, bullets, el, facts, figure, folded, title
from dataflow_ext.report.texts import illustrated, rich
from dataflow_ext.well_formed import short
from operators.pdf.output.checks import SURE, UNREAD, doubts_of, kind_of, numbering_gaps, rows_to_check
from operators.pdf.output.crops import Crop, Crops
from operators.pdf.output.writer import NAMES, name_pictures, pages_of

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


#: Rows of a doubt that are named, problems with crops that are told, and entries of a list that is open.
_NAMED, _PROBLEMS, _OPEN = 12, 20, 6


def write_page(
    table: pa.Table,
    rejects: pa.Table,
    report: Report,
    crops: Crops,
    out: Path,
    *,
    reading: str = "",
    outside: Sequence[Mapping[str, Any]] = (),
    unread: float | None = None,
) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``.

    Its pictures are those that ``write_outputs`` and ``page_crops`` put into ``out``. ``reading`` tells how the pages
    were read. ``outside`` are the blocks in no row: ``kind``, ``page`` (from 0), ``text``, and if known ``box``,
    ``source_ref``, ``document``, ``name`` and ``file``; ``unread`` is the share of the text that was not read, from 0
    to 1.
    """
    pictures = Pictures(out)
    nothing = f"This run has no rows{'; the rejects say why.' if rejects.num_rows else '.'}"
    rows = shown_rows(table, crops, pictures)
    listings = [Listing("rows", "Questions", rows, FACETS, _crops_note(crops), nothing)]
    if outside or unread is not None:
        listings.append(_outside(outside, crops, pictures))
    called = zip(*(table[name].to_pylist() for name in ("name", "document")), strict=True)
    names = list(dict.fromkeys(name or document for name, document in called))
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    page = Page(
        title=short(" · ".join(names[:4]), 160) + more if names else "No rows",
        kind="Questions and answers",
        listings=listings,
        figures=_figures(table, rejects, unread),
        head=[*_head(crops, reading, table), *_to_check(table), *_gaps(table)],
        foot=_foot(),
    )
    return write_report(page, out, report, rejects)


def _figures(table: pa.Table, rejects: pa.Table, unread: float | None) -> list[Part]:
    counts = Counter(table["status"].to_pylist())
    total, to_check = table.num_rows, len({row for rows in rows_to_check(table).values() for row in rows})
    figures = [figure(total, f"question{'' if total == 1 else 's'}", href="#list=rows")]
    for status, look in (("answered", "good"), ("unanswered", "open")):
        figures.append(figure(counts[status], status, look, filter_link("rows", status=status)))
    if to_check:
        figures.append(figure(to_check, "to check", "check", filter_link("rows", status="to check")))
    if unread is not None:
        look = "bad" if unread > 0.01 else ""
        figures.append(figure(f"{100 * unread:.1f} %", "of the text unread", look, "#list=outside"))
    kinds = sorted(Counter(rejects["kind"].to_pylist()).items())
    figures += [figure(n, kind, "bad", filter_link("rejects", kind=kind)) for kind, n in kinds]
    return figures if kinds else [*figures, figure(0, "rejects")]


def _head(crops: Crops, reading: str, table: pa.Table) -> list[Part]:
    answered = table["status"].to_pylist().count("answered")
    parts: list[Part] = []
    if table.num_rows:
        parts.append(
            el("progress", max=table.num_rows, value=answered, title=f"{answered} of {table.num_rows} answered")
        )
    if reading:
        parts.append(el("p", f"Read: {reading}.", look="quiet"))
    problems: list[Part] = [f"No page crop: {problem}" for problem in crops.problems[:_PROBLEMS]]
    if left := len(crops.problems) - len(problems):
        problems.append(f"… and {left} more pages without crops")
    return [*parts, *([bullets(problems, "warnings")] if problems else [])]


def _to_check(table: pa.Table) -> list[Part]:
    """The reasons for looking at rows, the most frequent first, each with its first rows."""
    reasons = sorted(rows_to_check(table).items(), key=lambda item: -len(item[1]))
    labels, ids = table["label"].to_pylist(), table[ROW_ID].to_pylist()
    items = []
    for doubt, rows in reasons:
        count = el("a", f"{len(rows):,} row{'s' if len(rows) != 1 else ''}", href=filter_link("rows", doubt=doubt))
        named = _links((short(labels[row] or "–", 20), ids[row]) for row in rows[:_NAMED])
        items.append(el("span", f"{short(doubt, 200)}: ", count, " – ", *named, " …" if len(rows) > _NAMED else ""))
    if not items:
        return []
    total = len({row for _, rows in reasons for row in rows})
    return [folded("To check", bullets(items, ""), note=f"{total:,}", is_open=len(items) <= _OPEN)]


def _gaps(table: pa.Table) -> list[Part]:
    gaps = numbering_gaps(table)
    if not gaps:
        return [el("p", "The numbering has no gaps.", look="quiet")] if table.num_rows else []
    ids = table[ROW_ID].to_pylist()
    items = []
    for gap in gaps:
        told: list[Part] = [f"{gap.chapter or '(no chapter)'}: "]
        for place, (what, numbers) in enumerate(gap.places()):
            told += ["; " if place else "", f"{what} ", *_links((text, ids[row]) for text, row in numbers)]
        items.append(el("span", *told))
    note = el(
        "p", "Numbers that a chapter leaves out, begins late with, or has twice. The book itself may.", look="quiet"
    )
    return [folded("Numbering gaps", note, bullets(items, ""), note=str(len(gaps)), is_open=len(gaps) <= _OPEN)]


def _links(rows: Iterator[tuple[str, str]]) -> list[Part]:
    links = [el("a", label, href=row_link(key)) for label, key in rows]
    return [part for link in links for part in (", ", link)][1:]


def _foot() -> list[Part]:
    files: list[Part] = [part for name in (*NAMES, REJECTS) for part in (", ", el("a", name, href=name))][1:]
    sure = f" if they have a doubt, or were joined with less than {100 * SURE:.0f} % confidence."
    return [el("p", "Rows are ", badge("to check", "check"), sure, " Pages are counted from 1. Data: ", *files, ".")]


def _crops_note(crops: Crops) -> list[Part]:
    if crops.left_out:
        told = (
            f"Page crops were made for {crops.limit:,} rows, those to check first; {crops.left_out:,} more have none."
        )
    elif not crops.by_row and not crops.problems:
        told = "No page crops: no PDF with the places of these rows was found."
    else:
        return []
    return [el("p", told, look="quiet")]


def _outside(blocks: Sequence[Mapping[str, Any]], crops: Crops, pictures: Pictures) -> Listing:
    names = {block.get("name") for block in blocks if block.get("name")}

    def rows() -> Iterator[ShownRow]:
        for number, block in enumerate(blocks):
            name = f" – {block['name']}" if len(names) > 1 and block.get("name") else ""
            look = "bad" if block["kind"] == UNREAD else ""
            place = f"block {block['source_ref']}" if block.get("source_ref") else ""
            said = el("div", title("", badge(block["kind"], look), note=place), rich(block["text"]), look="said")
            yield ShownRow(
                str(number + 1),
                [*shots(crops.outside.get(number, ()), pictures), said],
                {"text": block["text"]},
                heading=f"p. {block['page'] + 1}{name}",
                look=look,
                values={"kind": [(block["kind"],)], "document": [(block["name"],)] if block.get("name") else []},
            )

    facets = (Facet("kind", "Kind"), Facet("document", "Document"))
    return Listing("outside", "Text in no row", rows(), facets, nothing="Every block of text is in a row.")
