"""In which part a key was first seen, for more keys than a dict holds: kept in a file, a few bytes a key."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from dataflow_ext.files import make_folder


class FirstSeen:
    """Keys, each with the part in which it was first seen and how often it was; the file is scratch, and goes.

    >>> import tempfile
    >>> seen = FirstSeen(Path(tempfile.mkdtemp(), "seen"))
    >>> seen.add({b"a": 1, b"b": 2}, 0), seen.add({b"b": 1, b"c": 1}, 1), seen.add({b"b": 1}, 2)
    ({}, {b'b': (0, 2)}, {b'b': (0, 3)})
    >>> seen.close()
    """

    def __init__(self, path: Path) -> None:
        make_folder(path.parent)
        self._path = path
        path.unlink(missing_ok=True)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute("PRAGMA cache_size = -65536")  # 64 MB
        self._file.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, part INT, count INT) WITHOUT ROWID")
        self._file.execute("CREATE TEMP TABLE now (key BLOB PRIMARY KEY, count INT) WITHOUT ROWID")

    def add(self, counts: Mapping[bytes, int], part: int) -> dict[bytes, tuple[int, int]]:
        """Note a part's keys, and how often it has each; those seen before, with where first and how often so far."""
        try:
            return self._add(counts, part)
        except sqlite3.Error as error:  # a full disk, most often
            raise OSError(f"Cannot write {self._path}: {error}") from None

    def _add(self, counts: Mapping[bytes, int], part: int) -> dict[bytes, tuple[int, int]]:
        file = self._file
        file.execute("BEGIN")
        file.execute("DELETE FROM now")
        file.executemany("INSERT INTO now VALUES (?, ?)", sorted(counts.items()))
        known = file.execute("SELECT key, seen.part, seen.count FROM now CROSS JOIN seen USING (key)").fetchall()
        file.execute(
            "INSERT INTO seen SELECT key, ?, count FROM now WHERE true "
            "ON CONFLICT (key) DO UPDATE SET count = count + excluded.count",
            (part,),
        )
        file.execute("COMMIT")
        return {key: (first, count) for key, first, count in known}

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
        self._path.unlink(missing_ok=True)
