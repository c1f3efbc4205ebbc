"""A Parquet file written row by row, with row groups small enough to hold in memory with their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

#: Limits of a row group: its rows, and the bytes of their pictures.
GROUP_ROWS, GROUP_BYTES = 1024, 16 << 20


class ParquetRows:
    """Rows as they come, compressed, the same bytes for the same rows; a context that ends the file.

    Pictures are compressed already, and no two are alike: for them a ``dictionary`` would only take memory.
    """

    def __init__(self, path: Path, schema: pa.Schema, *, dictionary: bool = False) -> None:
        import pyarrow.parquet as pq

        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=dictionary)
        self._rows: list[Mapping[str, Any]] = []
        self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def write(self, row: Mapping[str, Any], size: int = 0) -> None:
        """Add a row whose pictures have so many bytes."""
        if self._rows and (len(self._rows) >= GROUP_ROWS or self._bytes + size > GROUP_BYTES):
            self._flush()
        self._rows.append(row)
        self._bytes += size

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._bytes = [], 0
