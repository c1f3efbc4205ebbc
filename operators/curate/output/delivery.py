"""What a run leaves behind: rows, pictures, rejects, card and page."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Result, write_table
from dataflow_ext.datasets.card import write_card
from dataflow_ext.datasets.folder import REJECTS, DataFolder, write_stats
from dataflow_ext.datasets.lines import line_of
from dataflow_ext.datasets.parquet import ParquetRows
from dataflow_ext.identity import parent_of
from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.pictures import UnfitPicture, checked_file
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.report import Report
from dataflow_ext.report.figures import funnel
from dataflow_ext.report.rejects import by_reason
from operators.curate.inputs import Questions
from operators.curate.output.page import write_page

_COUNTED = ("question_type", "answer_from", "curated_by")


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
        "reasons": by_reason(rejects.to_pylist(), reason_of),
        **{name: dict(sorted(Counter(kept[name].to_pylist()).items())) for name in _COUNTED},
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


def reason_of(reject: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Operator, error, code (none here) and kind: what rejects are counted by."""
    return reject["operator"], reject["error"], "", reject["kind"]


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
    write_table(rejects, out / REJECTS)
    write_stats(figures, out)
    write_card(out, "curate", kept.num_rows, HOLDS)
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
                file.writelines(line_of(row) for row in _rows(table))
        _write_parquet(kept, placed, folder)
        folder.place()
        folder.keep_only(placed, pictures.values())


def _write_parquet(table: pa.Table, placed: Mapping[str, int], folder: DataFolder) -> None:
    """The rows with the bytes of their pictures, as ``datasets`` opens them."""
    images = pa.field("images", pa.list_(IMAGE))
    schema = with_image_features(table.schema.append(images).empty_table(), ["images"]).schema
    with ParquetRows(folder.staged(PARQUET), schema) as file:
        for row, links in zip(_rows(table), links_of(table), strict=True):
            there = [link for link in links if link in placed]
            shown = [{"bytes": (folder.out / link).read_bytes(), "path": link} for link in there]
            file.write(row | {"images": shown}, sum(placed[link] for link in there))


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=1024):
        yield from batch.to_pylist()
