"""What lies where in an output folder, and its rows."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from dataflow_ext.errors import InputError
from dataflow_ext.tables import read_table

#: All rows with all columns, for going on from: calibrating, sampling, one's own work.
ROWS = "rows.parquet"
#: The rows of each verdict, a line each.
BY_VERDICT = {"kept": "onevision.jsonl", "review": "review.jsonl", "dropped": "dropped.jsonl"}
#: Kept rows in the forms that trainers read.
MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET = (
    "messages.jsonl",
    "dataset_info.json",
    "sharegpt.jsonl",
    "grpo.jsonl",
    "onevision.parquet",
)
NAMES = (ROWS, *BY_VERDICT.values(), MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET)


def rows_in(out: Path) -> pa.Table:
    """All rows of a run's folder with all their columns, ``picture`` as a path from here.

    In the file it is a path from the folder, so that the folder can be moved. Raises InputError if there are none.
    """
    path = out / ROWS
    if not path.is_file():
        raise InputError(f"There is no file {path}; name the folder of a run of this pipeline.")
    rows = read_table(path)
    if "picture" not in rows.column_names:
        return rows
    place = rows.column_names.index("picture")
    pictures = pa.array([None if p is None else str(out / p) for p in rows["picture"].to_pylist()], pa.string())
    return rows.set_column(place, "picture", pictures)
