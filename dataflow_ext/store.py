"""The step memory: each operator's output in a file, found by its input's content and its fingerprint."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import zlib
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.errors import InputError
from dataflow_ext.files import make_folder, put
from dataflow_ext.fingerprint import fingerprints
from dataflow_ext.fingerprint.content import input_hash
from dataflow_ext.identity import short_hash
from dataflow_ext.operator import Operator
from dataflow_ext.parallel.journal import Journal, secret
from dataflow_ext.rejects import REJECT
from dataflow_ext.tables import read_table, write_table

logger = logging.getLogger(__name__)


class StepStore:
    """Finished steps under a folder, one Arrow file each, or nothing at all when the folder is None.

    A file's name ends in the CRC-32 of its bytes, since not every damage breaks Arrow's format.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def fingerprints(self, pipeline: Sequence[Operator]) -> list[str | None]:
        """What each step does, taken before the first of them runs; None for those that are not remembered."""
        return [None] * len(pipeline) if self.folder is None else fingerprints(pipeline)

    def key(self, operator: Operator, number: int, table: pa.Table, mark: str | None) -> str:
        """The name of this work: what goes in, and what is done with it; empty if it is not remembered."""
        return "" if mark is None else short_hash(input_hash(operator, table), mark, str(number))

    def load(self, key: str) -> pa.Table | None:
        """The remembered output, or None; a damaged file counts as none."""
        for path in self._files(key) if key else ():
            try:
                if path.stem != f"{key}-{checksum(path)}":
                    raise InputError("its bytes are not what was written")
                return read_table(path)
            except (pa.ArrowException, OSError, ValueError) as error:
                logger.warning("The remembered step %s cannot be read and is made again (%s).", path.name, error)
        return None

    def journal(self, key: str, fresh: bool = False) -> Journal | None:
        """What an earlier run that was stopped in this work made of its pieces, and a place for more of them."""
        if self.folder is None or not key or not (own := secret()):
            return None
        path = self.folder / f"{key}.journal"
        if fresh:
            path.unlink(missing_ok=True)
        return Journal(path, own)

    def save(self, key: str, table: pa.Table, number: int) -> None:
        """Remember the output of step ``number``, unless failures in it may pass (a network, a budget).

        Those of the steps before are part of what went in.
        """
        if self.folder is None or not key or passing(table, number):
            return
        make_folder(self.folder, private=True)
        partial = write_table(table, self.folder / f".{key}.{os.getpid()}-{threading.get_ident()}.arrow", private=True)
        path = put(partial, self.folder / f"{key}-{checksum(partial)}.arrow")
        for old in self._files(key):
            if old != path:
                old.unlink(missing_ok=True)
        self.forget_journal(key)

    def forget_journal(self, key: str) -> None:
        """Remove what was kept of a work's pieces, since the whole of it is."""
        if self.folder is not None and key:
            (self.folder / f"{key}.journal").unlink(missing_ok=True)

    def _files(self, key: str) -> list[Path]:
        """The files of this work, the newest first: a kill may have left the one before it, too."""
        if self.folder is None or not self.folder.is_dir():
            return []
        found = []
        for entry in os.scandir(self.folder):
            if entry.name.startswith(f"{key}-"):
                with contextlib.suppress(FileNotFoundError):  # another process may just have replaced it
                    found.append((entry.stat().st_mtime_ns, entry.name))
        return [self.folder / name for _, name in sorted(found, reverse=True)]


def checksum(path: Path) -> str:
    """CRC-32 of a file, in hex: four times as fast as a hash that withstands attackers, who are not the worry here."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            value = zlib.crc32(block, value)
    return f"{value:08x}"


def passing(table: pa.Table, number: int) -> bool:
    """Whether a row failed in step ``number`` for a reason that may not be there the next time."""
    if REJECT not in table.column_names:
        return False
    here = pc.equal(pc.struct_field(table[REJECT], "step"), number)
    return bool(pc.any(pc.and_(here, pc.struct_field(table[REJECT], "transient")).fill_null(False)).as_py())
