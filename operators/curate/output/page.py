"""The page of a run: the funnel, and the rows that are kept or to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, write_report
from dataflow_ext.report.figures import funnel_part
from dataflow_ext.report.parts import Part, Pictures, badge, box, bullets, el, facts, figure, folded, short, title
from dataflow_ext.report.texts import illustrated, rich
from dataflow_ext.tables import records

_FACETS = (
    Facet("type", "Kind"),
    Facet("name", "Book"),
    Facet("chapter", "Chapters", contents=True),
    Facet("by", "Curated by"),
    Facet("from", "Answer from"),
)
_EXAMPLE = 200


def write_page(
    kept: pa.Table, review: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path
) -> Path:
    """The path of ``out/report.html``; see ``dataflow_ext.report.page``."""
    pictures = Pictures(out)
    nothing = "No row was kept; the rejects say why."
    listings = [Listing("rows", "Kept", _shown(kept, "good", pictures), _FACETS, nothing=nothing)]
    if review.num_rows:
        listings.append(Listing("review", "To review", _shown(review, "check", pictures), _FACETS))
    counts = [
        figure(figures["rows"], "rows in"),
        figure(figures["questions"], "questions, parts counted"),
        figure(figures["kept"], "kept", "good", "#list=rows"),
        figure(figures["review"], "to review", "check", "#list=review" if review.num_rows else None),
        figure(figures["rejected"], "rejected", "bad", "#list=rejects" if rejects.num_rows else None),
    ]
    page = Page(Path(out).absolute().name, "Curated questions", listings, counts, _funnel(figures))
    return write_report(page, out, report, rejects)


def _funnel(figures: Mapping[str, Any]) -> list[Part]:
    """What went in and out of each step, and why what did not go on."""
    reasons: list[Part] = [
        el("span", el("a", f"{each['error']}: {each['count']:,}", href=filter_link("rejects", error=each["error"])),
           el("span", f" {each['operator']}, such as: {short(each['example'], _EXAMPLE)}", look="quiet"))
        for each in figures["reasons"]
    ]  # fmt: skip
    told = ", ".join(f"{count:,} {name}" for name, count in figures["pictures"].items())
    pictures = el("p", f"Pictures: {told}.", look="quiet")
    note = f"{figures['rows']:,} in, {figures['kept']:,} kept"
    return [folded("Funnel", funnel_part(figures["funnel"]), bullets(reasons, ""), pictures, note=note)]


def _shown(table: pa.Table, look: str, pictures: Pictures) -> Iterator[ShownRow]:
    for row in records(table):
        texts = {part: row[part] or "" for part in ("label", "question", "answer", "solution")}
        yield ShownRow(
            row["row_id"],
            [el("div", *_body(row, pictures), look="said")],
            texts,
            heading=row["question_chapter_title"] or row["name"],
            look=look,
            values={
                "type": [(row["question_type"],)],
                "name": [(row["name"],)],
                "chapter": [(row["question_chapter_title"] or "(no chapter)",)],
                "by": [(row["curated_by"],)],
                "from": [(row["answer_from"],)],
            },
        )


def _body(row: Mapping[str, Any], pictures: Pictures) -> Iterator[Part]:
    part = f" ({row['part']})" if row["part"] else ""
    yield title(f"{row['label'] or '–'}{part}", badge(row["question_type"]))
    yield from illustrated(row["question"], row["question_images"], pictures)
    if row["answer"]:
        yield box("Answer", rich(row["answer"]), look="answer")
    if row["solution"]:
        yield box("Solution", *illustrated(row["solution"], row["solution_images"], pictures))
    rests = f"rests on {', '.join(row['depends_on'])}" if row["depends_on"] else None
    cut = f"cut: {short(' · '.join(row['cut']), _EXAMPLE)}" if row["cut"] else None
    yield facts(f"answer: {row['answer_from']}", rests, cut)
    if row["review_reasons"]:
        yield bullets(row["review_reasons"])
