"""What question rows have for trainers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from dataflow_ext.datasets.source import PICTURE, Row, Source
from dataflow_ext.tables import json_records, read_table
from operators.pdf.output.writer import LINES, PARQUET
from operators.pdf.pairs import PICTURE_FOLDER

_LINK = re.compile(rf"!\[([^\]\n]{{0,500}})\]\({PICTURE_FOLDER}/([^)\n]{{1,300}})\)")


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The questions in a folder; None if there are none. What has no answer is in its tables alone."""
    if not (out / LINES).is_file() or not (out / PARQUET).is_file():
        return None
    nothing = "nobody wrote a worse answer, or steps with labels, for a book's questions"
    return Source(
        "pdf_vqa",
        out,
        lambda: {"train": read_table(out / PARQUET)},
        conversations=partial(_conversations, out),
        problems=partial(_problems, out),
        missing={"conversations": "no question has an answer", "problems": "no question has a short answer",
                 "pairs": nothing, "steps": nothing},
    )  # fmt: skip


def _rows(out: Path) -> Iterator[tuple[str, str, list[str], dict[str, Any]]]:
    """Id, question with the places of its pictures, these, and the whole row."""
    for number, row in enumerate(json_records(out / LINES), 1):
        asked = _LINK.sub(PICTURE, row["question"].replace(PICTURE, ""))
        images = [f"{PICTURE_FOLDER}/{found[2]}" for found in _LINK.finditer(row["question"])]
        if all((out / path).is_file() for path in images):
            yield f"{row['name']}-{number}", asked, images, row


def _conversations(out: Path) -> Iterator[Row]:
    for id, asked, images, row in _rows(out):
        # A model cannot show pictures: of those in a solution the caption stays.
        told = [_LINK.sub(r"\1", row[name].replace(PICTURE, "")).strip() for name in ("solution", "answer")]
        said = "\n\n".join(each for each in told if each)
        if said:
            turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
            yield {"id": id, "messages": turns, "images": images}


def _problems(out: Path) -> Iterator[Row]:
    for id, asked, images, row in _rows(out):
        if row["answer"] and not _LINK.search(row["answer"]):
            yield {"id": id, "problem": asked, "answer": row["answer"], "images": images}
