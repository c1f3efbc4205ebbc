"""What a run leaves behind: rows, pictures, rejects, card and page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Result, write_table
from dataflow_ext.datasets.card import write_card
from dataflow_ext.datasets.folder import REJECTS, DataFolder, write_stats
from dataflow_ext.datasets.lines import line_of
from dataflow_ext.datasets.parquet import ParquetRows
from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.pictures import UnfitPicture, checked_file
from dataflow_ext.rejects import REJECTS_SCHEMA
from operators.curate.dataset.inputs import Questions
from operators.curate.output.page import write_page
from operators.curate.output.stats import links_of, stats

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
