"""What lies where in a data set of rows with verdicts, its rows, and what it has for trainers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from dataflow_ext.datasets.export import DATASET_INFO
from dataflow_ext.datasets.source import Source, source_by_columns
from dataflow_ext.errors import InputError
from dataflow_ext.tables import read_table

#: All rows with all columns, for going on from: calibrating, sampling, one's own work.
ROWS = "rows.parquet"
#: The rows of each verdict, a line each.
BY_VERDICT = {"kept": "onevision.jsonl", "review": "review.jsonl", "dropped": "dropped.jsonl"}
#: Kept rows in the forms that trainers read.
MESSAGES, SHAREGPT, GRPO, PARQUET = "messages.jsonl", "sharegpt.jsonl", "grpo.jsonl", "onevision.parquet"
#: Rows that are read at one time.
_TOGETHER = 2048
NAMES = (ROWS, *BY_VERDICT.values(), MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET)


def rows_in(out: Path) -> pa.Table:
    """All rows of a run's folder with all their columns, ``picture`` as a path from here."""
    return pa.concat_tables(row_parts(out))


def row_parts(out: Path) -> Iterator[pa.Table]:
    """The same, some thousands at a time: one table at least.

    In the file a picture is a path from the folder, so that the folder can be moved. Raises InputError if there is no
    such file, or it cannot be read.
    """
    import pyarrow.parquet as pq

    path = out / ROWS
    if not path.is_file():
        raise InputError(f"There is no file {path}; name the folder of a run of this pipeline.")
    try:
        with pq.ParquetFile(path) as file:
            yield file.schema_arrow.empty_table()
            for batch in file.iter_batches(_TOGETHER):
                yield _with_places(pa.Table.from_batches([batch]), out)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"Cannot read {path}: {error}") from None


def _with_places(rows: pa.Table, out: Path) -> pa.Table:
    if "picture" not in rows.column_names:
        return rows
    place = rows.column_names.index("picture")
    pictures = pa.array([None if p is None else str(out / p) for p in rows["picture"].to_pylist()], pa.string())
    return rows.set_column(place, "picture", pictures)


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The kept rows in a folder; None if there is no such data set."""
    if not (out / BY_VERDICT["kept"]).is_file() or not (out / PARQUET).is_file():
        return None
    nothing = "a row that the gate turned away may be right, and rewritten reasoning has no labels"
    return replace(
        source_by_columns(out, (MESSAGES, GRPO)),
        name="onevision",
        tables=lambda: {"train": read_table(out / PARQUET)},
        missing={"pairs": nothing, "steps": nothing, "problems": "no row was kept", "conversations": "no row was kept"},
    )
