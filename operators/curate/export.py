"""What a run leaves: its funnel, its card, its page, and rows for trainers."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Result
from dataflow_ext.datasets.files import ParquetRows, line_of
from dataflow_ext.datasets.folder import REJECTS, DataFolder
from dataflow_ext.datasets.rejects_and_stats import write_beside
from dataflow_ext.datasets.source import Source, question_source
from dataflow_ext.identity import parent_of
from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.pictures import UnfitPicture, checked_file
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.report import Facet, Listing, Page, Report, ShownRow, filter_link, write_report
from dataflow_ext.report.figures import counts_of, funnel, funnel_part
from dataflow_ext.report.parts import Part, Pictures, badge, box, bullets, el, facts, figure, folded, title
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.report.texts import illustrated, rich
from dataflow_ext.tables import records
from dataflow_ext.well_formed import short
from operators.curate.inputs import Questions

_COUNTED = ("question_type", "answer_from", "curated_by")

_FACETS = (
    Facet("type", "Kind"),
    Facet("name", "Book"),
    Facet("chapter", "Chapters", contents=True),
    Facet("by", "Curated by"),
    Facet("from", "Answer from"),
)
_EXAMPLE = 200


def stats(
    source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table, report: Report, reviewed: pa.Table
) -> dict[str, Any]:
    """The figures as plain values, without times and paths; ``reviewed`` tells what each row was asked with.

    ``rows`` came in, lines that could not be read among them, and became ``questions``, as a split makes several of
    one; of these ``kept`` and ``review`` went out, and ``rejected`` did not.
    """
    unread = sum(step == 0 for step in rejects["step"].to_pylist())
    return {
        "rows": source.num_rows + unread,
        "questions": kept.num_rows + review.num_rows + rejects.num_rows,
        "kept": kept.num_rows,
        "review": review.num_rows,
        "rejected": rejects.num_rows,
        "costs": _costs(reviewed, kept.num_rows),
        "funnel": funnel(report.steps, rejects),
        "reasons": by_reason(records(rejects)),
        **{name: counts_of(kept[name].to_pylist()) for name in _COUNTED},
        "parts": sum(part is not None for part in kept["part"].to_pylist()),
        "blanks": sum(kept["blanks"].to_pylist()),
        "pictures": pictures(source, kept, review, rejects),
    }


def _costs(reviewed: pa.Table, kept: int) -> dict[str, float]:
    """Rows that a model was asked about, and the tokens of its replies and their prompts, in all and a kept row."""
    tokens = pc.sum(reviewed["review_tokens"]).as_py() or 0
    asked = sum(by != "rules" for by in reviewed["curated_by"].to_pylist())
    return {"reviews": asked, "tokens": tokens, "tokens_a_kept_row": round(tokens / max(1, kept), 1)}


def pictures(source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table) -> dict[str, int]:
    """How many pictures came in, and how many are in kept rows, only in rows to review, only in rejects.

    Those of a row of which nothing was rejected that are in no row of the output are ``unaccounted``.
    """
    inputs = dict(zip(source["parent_id"].to_pylist(), links_of(source), strict=True))
    everything = {link for links in inputs.values() for link in links}
    in_kept, in_review = _all(links_of(kept)), _all(links_of(review))
    gone = {row if row in inputs else parent_of(row) for row in rejects["row_id"].to_pylist()}
    in_rejects = _all(inputs.get(row, ()) for row in gone)
    return {
        "in": len(everything),
        "kept": len(everything & in_kept),
        "review": len(everything & in_review - in_kept),
        "rejected": len(everything & in_rejects - in_kept - in_review),
        "unaccounted": len(everything - in_kept - in_review - in_rejects),
        "lost": len(_all(source["lost_pictures"].to_pylist())),
    }


def links_of(table: pa.Table) -> list[list[str]]:
    """The pictures of each row, once each."""
    lists = zip(table["question_images"].to_pylist(), table["solution_images"].to_pylist(), strict=True)
    return [list(dict.fromkeys([*(question or ()), *(solution or ())])) for question, solution in lists]


def _all(lists: Iterable[Sequence[str]]) -> set[str]:
    return {link for links in lists for link in links}


logger = logging.getLogger(__name__)

#: The data files: rows to train on, the same with their pictures, and rows for a person to look at.
LINES, PARQUET, REVIEW = "curated.jsonl", "curated.parquet", "review.jsonl"
NAMES = (LINES, PARQUET, REVIEW)
HOLDS = {
    LINES: "rows to train on, each with its kind, short answer and where that is from",
    PARQUET: "the same rows with their pictures",
    REVIEW: "rows for a person to look at, with the reasons",
    REJECTS: "all other rows, each with the step and the reason",
}

#: Columns of the pipeline's own, which mean nothing behind it.
_INNER = ("place", "lost_pictures", "picture_files", "asked", "review", "shared_solution", "review_tokens")
#: The first columns, in this order.
_FIRST = (
    *("row_id", "parent_id", "split_from", "part", "depends_on", "name", "label", "question_chapter_title"),
    *("question_type", "question", "options", "answer", "solution", "question_images", "solution_images"),
)


def deliver(result: Result, questions: Questions, out: Path) -> tuple[dict[str, Any], Path]:
    """Write the rows, the pictures, the card and the page; the figures, and where the page is."""
    kept, review = parted(result.table)
    rejects = result.rejects.select(REJECTS_SCHEMA.names)
    reviewed = result.after("QuestionReviewer").select(["curated_by", "review_tokens"])
    figures = stats(questions.table, kept, review, rejects, result.report, reviewed)
    write_rows(kept, review, questions.pictures, out)
    write_beside(out, "curate", kept.num_rows, figures, rejects, HOLDS)
    return figures, write_page(kept, review, rejects, figures, result.report, out)


def parted(table: pa.Table) -> tuple[pa.Table, pa.Table]:
    """The rows to train on and those for a person to look at, with their columns in order."""
    names = [name for name in _FIRST if name in table.column_names]
    rest = [name for name in table.column_names if name not in (*names, *_INNER)]
    shown = table.select([*names, *rest])
    doubted = pc.greater(pc.list_value_length(table["review_reasons"]), 0)
    return shown.filter(pc.invert(doubted)), shown.filter(doubted)


def write_rows(kept: pa.Table, review: pa.Table, pictures: Mapping[str, Path], out: Path) -> None:
    """Write the rows and the pictures that they link to, under their links; what earlier runs wrote besides goes."""
    linked = dict.fromkeys(link for table in (kept, review) for row in links_of(table) for link in row)
    with DataFolder(out, NAMES) as folder:
        folder.expect(linked)
        placed: dict[str, int] = {}
        for link in (link for link in linked if link in pictures):
            try:
                picture = checked_file(pictures[link], decode=False).data
            except UnfitPicture as error:
                logger.warning("The picture %s %s; it is left out.", link, error)
                continue
            folder.put(link, picture)
            placed[link] = len(picture)
        for name, table in ((LINES, kept), (REVIEW, review)):
            with folder.text(name) as file:
                file.writelines(line_of(row) for row in records(table))
        _write_parquet(kept, placed, folder)
        folder.place()
        folder.keep_only(placed, pictures.values())


def _write_parquet(table: pa.Table, placed: Mapping[str, int], folder: DataFolder) -> None:
    """The rows with the bytes of their pictures, as ``datasets`` opens them."""
    images = pa.field("images", pa.list_(IMAGE))
    schema = with_image_features(table.schema.append(images).empty_table(), ["images"]).schema
    with ParquetRows(folder.staged(PARQUET), schema) as file:
        for row, links in zip(records(table), links_of(table), strict=True):
            there = [link for link in links if link in placed]
            shown = [{"bytes": (folder.out / link).read_bytes(), "path": link} for link in there]
            file.write(row | {"images": shown}, sum(placed[link] for link in there))


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


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The rows to train on in a folder; None if there are none."""
    nothing = "nobody wrote a worse answer, or steps with labels, for a question; sample_cot makes them"
    return question_source("curate", out / LINES, out / PARQUET, {"pairs": nothing, "steps": nothing})
