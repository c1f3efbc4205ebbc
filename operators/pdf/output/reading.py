"""How the pages of a run were read: told in a few lines, and kept page range by page range in a file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from dataflow_ext.tables import write_text

_WAYS = {
    "text_layer": "by text layer",
    "ocr": "by OCR",
    "content_list": "from a content list",
    "unread": "not read",
}


def write_reading(documents: pa.Table, path: Path) -> None:
    """A JSON line for each range of pages: document, file, first and last page (from 1), source and why."""
    lines = []
    for row in documents.select(["name", "input_pdf_paths", "pages_read"]).to_pylist():
        for way in row["pages_read"]:
            record = {
                "name": row["name"],
                "file": str(row["input_pdf_paths"][way["file"]]),
                "first_page": way["first"] + 1,
                "last_page": way["last"] + 1,
                "source": way["source"],
                "why": way["why"],
            }
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    write_text(path, "".join(lines))


def told_reading(ways: Sequence[Sequence[Mapping[str, object]]]) -> str:
    """How many pages were read in which way, from the ``pages_read`` of documents.

    >>> told_reading([[{"first": 0, "last": 8, "source": "ocr"}, {"first": 9, "last": 9, "source": "text_layer"}]])
    '9 pages by OCR, 1 by text layer'
    """
    counts: Counter[str] = Counter()
    for document in ways:
        for way in document:
            source = str(way["source"])
            counts[f"by {way['why']}" if source == "parser" else _WAYS[source]] += (
                int(str(way["last"])) - int(str(way["first"])) + 1
            )
    told = [f"{n:,} {how}" for how, n in counts.most_common()]
    pages = " page " if told and told[0].startswith("1 ") else " pages "
    return ", ".join(told).replace(" ", pages, 1)
