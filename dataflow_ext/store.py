"""The step memory: each operator's output in a file, found by its input's content and its fingerprint."""

from __future__ import annotations

import logging
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.content import fingerprint, input_hash, table_hash
from dataflow_ext.errors import InputError
from dataflow_ext.identity import short_hash
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import REJECT
from dataflow_ext.tables import read_table, write_table

#: Under this name a step file's schema holds the hash of its rows: not every damage breaks the format.
_CONTENT = b"dataflow_content"

logger = logging.getLogger(__name__)


class StepStore:
    """Finished steps under a folder, one Arrow file each, or nothing at all when the folder is None."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def key(self, operator: Operator, number: int, table: pa.Table) -> str:
        """The name of this work: what goes in, and what is done with it."""
        if self._folder is None:
            return ""
        return short_hash(input_hash(operator, table), fingerprint(operator), str(number))

    def load(self, key: str) -> pa.Table | None:
        """The remembered output, or None; a damaged file counts as none."""
        path = self._path(key)
        if path is None or not path.is_file():
            return None
        try:
            table = read_table(path)
            metadata = dict(table.schema.metadata or {})
            content = metadata.pop(_CONTENT, b"").decode()
            table = table.replace_schema_metadata(metadata or None)
            if content != table_hash(table):
                raise InputError("its content is not what was written")
            return table
        except (pa.ArrowException, OSError, ValueError) as error:
            logger.warning("The remembered step %s cannot be read and is made again (%s).", path.name, error)
            return None

    def save(self, key: str, table: pa.Table) -> None:
        """Remember an output, unless it holds failures that may pass (a network, a budget)."""
        path = self._path(key)
        if path is not None and not _passing(table):
            metadata = {**(table.schema.metadata or {}), _CONTENT: table_hash(table)}
            write_table(table.replace_schema_metadata(metadata), path)

    def _path(self, key: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{key}.arrow"


def _passing(table: pa.Table) -> bool:
    if REJECT not in table.column_names:
        return False
    return bool(pc.any(pc.struct_field(table[REJECT], "transient").fill_null(False)).as_py())
