"""Question rows from a file: the columns that are known, as texts, whatever the file has them as."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import Columns, arrow_type
from dataflow_ext.errors import InputError
from dataflow_ext.rejects import UnreadLine, with_unread
from dataflow_ext.tables import json_records, read_table
from dataflow_ext.well_formed import well_formed

#: Columns beside ``question`` and ``answer``.
OPTIONAL: Columns = {
    "options": list[str] | None,
    "question_type": str | None,
    "question_images": list[str] | None,
    "image_basedir": str | None,
    "name": str | None,
    "label": str | None,
    "question_chapter_title": str | None,
    "parent_id": str | None,
    "part": str | None,
    "depends_on": list[str] | None,
    "split_from": str | None,
}

#: Those of them that hold several texts.
_LISTS = ("options", "question_images", "depends_on")


def known_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Answer and optional columns of a row as texts and lists of texts; what is not there is None, or empty.

    >>> known_values({"answer": 4, "options": [{"letter": "A", "text": "3 m"}, "4 m"]})["options"]
    ['3 m', '4 m']
    """
    names = ("answer", *OPTIONAL)
    return {name: texts_of(row.get(name)) if name in _LISTS else text_of(row.get(name)) for name in names}


def text_of(value: object) -> str | None:
    """A value as text: a label 3 is "3", a record is its ``text``, no number is None."""
    if isinstance(value, str):
        return well_formed(value)
    if value is None or value != value:
        return None
    if isinstance(value, Mapping):
        return text_of(value.get("text"))
    return ", ".join(texts_of(value)) if isinstance(value, list) else str(value)


def texts_of(value: object) -> list[str]:
    """The texts of a list."""
    return [text for text in map(text_of, value) if text is not None] if isinstance(value, list) else []


def question_rows(path: Path) -> pa.Table:
    """The rows of a JSONL, JSON, Parquet, Arrow or CSV file; InputError for one without ``question`` and ``answer``.

    Of the optional columns there are those that the file has. Rows keep their ``row_id``. Lines that are no JSON are
    rejects in the table.
    """
    lines = path.suffix.lower() == ".jsonl" and path.is_file()
    unread: list[UnreadLine] = []
    records = list(json_records(path, unread)) if lines else read_table(path).to_pylist()
    there = set().union(*records)
    for name in ("question", "answer"):
        if name not in there:
            told = ", ".join(sorted(there)) or "nothing"
            raise InputError(f"{path} has no column '{name}', but {told}; rows need a question and a short answer.")
    columns = {"question": pa.array([text_of(record.get("question")) for record in records], pa.string())}
    known = [known_values(record) for record in records]
    for name in ("answer", *(name for name in OPTIONAL if name in there)):
        columns[name] = pa.array([row[name] for row in known], arrow_type(OPTIONAL.get(name, str)))
    if "row_id" in there:
        columns["row_id"] = pa.array([text_of(record.get("row_id")) for record in records], pa.string())
    return with_unread(pa.table(columns), unread)
