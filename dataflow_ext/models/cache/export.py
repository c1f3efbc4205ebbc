"""What request caches hold, written out as JSON lines or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from dataflow_ext.errors import InputError
from dataflow_ext.models.cache.files import PORTION, opened
from dataflow_ext.well_formed import well_formed

if TYPE_CHECKING:
    import pyarrow as pa

_TEXTS = ("text", "finish_reason", "origin")
_COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def export(paths: Sequence[Path], target: Path | TextIO) -> int:
    """Write the replies of caches, oldest first in each, to a JSONL or Parquet file; how many there were.

    The file appears when it is complete. A text stream gets JSON lines.
    """
    portions = (portion for path in paths for portion in _replies_of(path))
    if not isinstance(target, Path):
        return sum(_write_lines(portion, target) for portion in portions)
    from dataflow_ext.tables import atomic

    ending = target.suffix.lower()
    if ending not in (".jsonl", ".parquet"):
        raise InputError(f"Cannot write {target}: the known endings are .jsonl and .parquet.")
    with atomic(target) as partial:
        if ending == ".parquet":
            return _write_parquet(portions, partial)
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            return sum(_write_lines(portion, file) for portion in portions)


def _replies_of(path: Path) -> Iterator[list[dict[str, Any]]]:
    query = "SELECT id, key, model, stored, reply FROM replies WHERE id > ? ORDER BY id LIMIT ?"
    last = -1
    with opened(path) as database:
        # A query for each portion, as a single one would keep the log of a running process from being emptied.
        while rows := database.execute(query, (last, PORTION)).fetchall():
            last = rows[-1][0]
            yield [_record(path, *row[1:]) for row in rows]


def _record(path: Path, key: bytes, model: str, stored: float, reply: str) -> dict[str, Any]:
    try:
        values = json.loads(reply)
    except ValueError as error:
        raise InputError(f"In {path} the reply under the key {key.hex()} cannot be read: {error}.") from None
    record: dict[str, Any] = {"key": key.hex(), "model": model, "stored": utc(stored)}
    record.update({name: well_formed(str(values.get(name, ""))) for name in _TEXTS})
    record.update({name: int(values.get(name, 0)) for name in _COUNTS})
    return record | {"batch": bool(values.get("batch"))}


def utc(stored: float) -> str:
    """A time as ISO 8601 in UTC.

    >>> utc(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(stored, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _write_lines(portion: Sequence[dict[str, Any]], file: TextIO) -> int:
    file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in portion)
    return len(portion)


def _write_parquet(portions: Iterator[list[dict[str, Any]]], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _schema(pa)
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for portion in portions:
            writer.write_table(pa.Table.from_pylist(portion, schema))
            count += len(portion)
    return count


def _schema(arrow: Any) -> pa.Schema:
    texts = ("key", "model", "stored", *_TEXTS)
    fields = [(name, arrow.string()) for name in texts] + [(name, arrow.int64()) for name in _COUNTS]
    return arrow.schema([*fields, ("batch", arrow.bool_())])
