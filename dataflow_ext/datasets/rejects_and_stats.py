"""What a run writes beside its data: the rejects (``rejects.jsonl``), the figures (``stats.json``), and the card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.datasets.card import write_card
from dataflow_ext.datasets.folder import REJECTS, STATS, DataFolder
from dataflow_ext.files import atomic, write_text
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.tables import json_lines, write_table


def write_beside(
    out: Path,
    name: str,
    rows: int,
    figures: Mapping[str, Any],
    rejects: pa.Table,
    holds: Mapping[str, str] | None = None,
) -> None:
    """Write what stands beside the data of a run: its rejects, its figures, and the card that tells of both."""
    write_rejects(rejects, out)
    write_stats(figures, out)
    write_card(out, name, rows, holds)


def write_rejects(rejects: pa.Table, out: Path | DataFolder, name: str = REJECTS) -> Path:
    """The path of the rejects in ``out``; in the folder of a data set they come with its files, all or none."""
    if isinstance(out, Path):
        return write_table(rejects, out / name)
    with out.text(name) as file:
        file.writelines(json_lines(rejects))
    return out.out / name


@contextmanager
def rejects_by_parts(path: Path) -> Iterator[Callable[[pa.Table], None]]:
    """What takes the rejects of a long run, a part at a time, for one Parquet file that is its owner's alone."""
    import pyarrow.parquet as pq

    with (
        atomic(path, private=True) as partial,
        pq.ParquetWriter(partial, REJECTS_SCHEMA, compression="zstd") as file,
    ):
        yield file.write_table


def write_stats(figures: Mapping[str, Any], out: Path, name: str = STATS, *, ordered: bool = False) -> Path:
    """The path of the figures in ``out``, written as JSON; ``ordered`` by their names if asked for."""
    text = json.dumps(figures, ensure_ascii=False, indent=2, allow_nan=False, sort_keys=ordered)
    return write_text(out / name, text + "\n")
