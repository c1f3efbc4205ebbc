"""Question rows from a file: the columns that are known, as texts, whatever the file has them as."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from dataflow_ext.columns import arrow_type
from dataflow_ext.errors import InputError
from dataflow_ext.tables import json_records, read_table
from operators.sampling.model.rows import OPTIONAL, known_values, text_of


def question_rows(path: Path) -> pa.Table:
    """The rows of a JSONL, JSON, Parquet, Arrow or CSV file; InputError for one without ``question`` and ``answer``.

    Of the optional columns there are those that the file has. Rows keep their ``row_id``.
    """
    lines = path.suffix.lower() == ".jsonl" and path.is_file()
    records = list(json_records(path)) if lines else read_table(path).to_pylist()
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
    return pa.table(columns)
