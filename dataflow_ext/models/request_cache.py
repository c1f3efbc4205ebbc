"""Every reply that a model ever gave, kept in one SQLite file under a key made of the complete request."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dataflow_ext.files import make_folder
from dataflow_ext.models.cache_files import COUNTED, COUNTS, code_of, files_of
from dataflow_ext.models.errors import CacheError
from dataflow_ext.models.pictures import picture_bytes
from dataflow_ext.models.request import Reply, Request

if TYPE_CHECKING:
    from dataflow_ext.models.budget import Usage

T = TypeVar("T")

_LAYOUT = 1
_TABLE = f"""
    CREATE TABLE IF NOT EXISTS replies (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, model TEXT NOT NULL, stored REAL NOT NULL,
        reply TEXT NOT NULL,
        {", ".join(f"{name} AS ({json})" for name, json in COUNTS.items())})
"""
#: In the order in which statistics are wanted, and with all that they need.
_INDEX = f"CREATE INDEX IF NOT EXISTS replies_by_model ON replies (model, batch, stored, {', '.join(COUNTED)})"
_SESSIONS = """
    CREATE TABLE IF NOT EXISTS sessions (
        ended REAL NOT NULL, requests INTEGER NOT NULL, cached INTEGER NOT NULL, shared INTEGER NOT NULL,
        paid INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, usd REAL)
"""

#: Seconds that a write waits for another process's write.
_BUSY = 60.0

#: KiB of the file's pages held in memory: the upper levels of a million keys, and the leaves last used.
_PAGES = 16_384

#: Connections that a fork brought along: closing one in the child would disturb the parent's file.
_inherited: list[sqlite3.Connection] = []

_as_json = json.JSONEncoder(default=dict).encode
_as_short_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_log = logging.getLogger(__name__)


def request_key(identity: Mapping[str, object], request: Request) -> str:
    """SHA-256, in hex, over a model's identity and everything of the request that its reply depends on.

    Pictures count by content, wherever they are; a web address counts by its text. ``context`` and
    ``expect`` are left out.

    >>> request_key({}, Request("a", context=1)) == request_key({}, Request("a", context=2))
    True
    """
    settings = (
        identity,
        request.max_tokens,
        request.temperature,
        request.seed,
        request.json_schema,
        request.schema_name if request.json_schema is not None else None,
    )
    texts = (_as_json(settings), request.system, request.prompt, *request.follow_up)
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    parts.extend(map(picture_bytes, request.images))
    # Keeps two requests from running into one text, and a picture from passing for a turn.
    sizes = ",".join([str(len(part)) for part in parts]) + f";{len(request.images)}"
    return hashlib.sha256(b"".join((sizes.encode(), b":", *parts))).hexdigest()


class RequestCache:
    """Replies by key, in a file that several processes may use and that survives a kill at any moment.

    Without a path it lives in this process's memory. What ``put`` has stored when it returns is there after
    ``kill -9``; after a power cut the last few replies may be missing, never damaged. A file that is damaged
    is renamed to ``NAME.damaged-N`` with a warning, and an empty one takes its place.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = None if path is None else Path(path)
        self._lock = threading.RLock()
        self._database: sqlite3.Connection | None = None
        self._pid = 0
        self._inode = 0
        self._unreadable: set[bytes] = set()

    def __reduce__(self) -> tuple[type[RequestCache], tuple[Path | None]]:
        return RequestCache, (self.path,)

    def get(self, key: str) -> Reply | None:
        """The reply stored under the key, marked ``from_cache``, or None; what is no reply counts as none."""
        # As bytes, since a text that is no UTF-8 would be an error of the whole file.
        query = "SELECT CAST(reply AS BLOB) FROM replies WHERE key = ?"
        row = self._do(lambda database: database.execute(query, (bytes.fromhex(key),)).fetchone())
        if row is None:
            return None
        try:
            return Reply.remembered(json.loads(_checked(row[0] or b"", key)))
        except (ValueError, RecursionError) as error:
            self._unreadable.add(bytes.fromhex(key))
            _log.warning("The reply %s in %s cannot be read and is made again: %s.", key, self.path, error)
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Store the reply for good; one that another process stored under the key before is replaced."""
        record = reply.record()
        text = _as_short_json(record)
        try:
            text.encode()
        except UnicodeEncodeError:  # half of a surrogate pair, which only escapes can hold
            text = _as_json(record)
        values = (bytes.fromhex(key), reply.model, time.time(), _with_sum(text, key))
        command = "INSERT OR REPLACE INTO replies (key, model, stored, reply) VALUES (?, ?, ?, ?)"
        if values[0] in self._unreadable:
            self._do(lambda database: _remove_unreadable(database, values[0]))
            self._unreadable.discard(values[0])
        self._do(lambda database: database.execute(command, values))

    def note_session(self, used: Usage) -> None:
        """Record how often the cache helped in a session that ends; one that asked for nothing leaves no record."""
        if not used.requests:
            return
        counts = (used.requests, used.cached, used.shared, used.made, used.prompt_tokens, used.completion_tokens)
        values = (time.time(), *counts, used.usd)
        try:
            # Made here and not with the file: older versions of the library read and write the rest all the same.
            self._do(lambda database: database.execute(_SESSIONS))
            self._do(lambda database: database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))
        except CacheError as error:  # no reason for a run to fail that is done
            _log.warning("The figures of this session were not recorded. %s", error)

    def count(self) -> int:
        """How many replies it holds."""
        found: int = self._do(lambda database: database.execute("SELECT count(*) FROM replies").fetchone())[0]
        return found

    def close(self) -> None:
        """Close the file; the next use opens it again. A cache in memory is left as it is."""
        with self._lock:
            if self.path is not None and self._database is not None and self._pid == os.getpid():
                self._database.close()
                self._database = None

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            for _ in range(3):
                try:
                    return work(self._connection())
                except sqlite3.DatabaseError as error:
                    if self.path is None or not _is_damage(error):
                        raise CacheError(f"The request cache {self.path} cannot be used: {error}.") from error
                    self._set_aside(self.path, error)
            return work(self._connection())

    def _connection(self) -> sqlite3.Connection:
        if self._database is not None and self._pid == os.getpid():
            return self._database
        if self._database is not None:
            _inherited.append(self._database)
            self._database = None
        if self.path is not None:
            make_folder(self.path.parent, private=True)
            # SQLite gives its log the mode of the file; what it cannot open it tells itself.
            with contextlib.suppress(OSError):
                os.close(os.open(self.path, os.O_RDONLY | os.O_CREAT, 0o600))
        # isolation_level None: each statement is its own transaction; the lock lets all threads share it.
        database = sqlite3.connect(
            self.path or ":memory:", timeout=_BUSY, isolation_level=None, check_same_thread=False
        )
        if self.path is not None:
            self._inode = self.path.stat().st_ino
        try:
            self._prepare(database)
        except BaseException:
            database.close()
            raise
        self._database, self._pid = database, os.getpid()
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        _into_wal(database)
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA cache_size = -{_PAGES}")
        layout = database.execute("PRAGMA user_version").fetchone()[0]
        if layout > _LAYOUT:
            raise CacheError(
                f"The request cache {self.path} was written by a newer version of this library; "
                "use that version, or another cache folder."
            )
        if layout < _LAYOUT:
            database.execute(_TABLE)
            database.execute(_INDEX)
            database.execute(f"PRAGMA user_version = {_LAYOUT}")

    def _set_aside(self, path: Path, error: sqlite3.Error) -> None:
        inode = self._inode
        with contextlib.suppress(sqlite3.Error):
            self.close()
        self._database = None
        if not path.exists() or path.stat().st_ino != inode:
            return  # another process has set it aside already
        number = next(n for n in range(1, 1_000_000) if not path.with_name(f"{path.name}.damaged-{n}").exists())
        for file in files_of(path):
            with contextlib.suppress(FileNotFoundError):
                file.rename(f"{path}.damaged-{number}{file.name.removeprefix(path.name)}")
        _log.warning(
            "The request cache %s is damaged (%s). It is kept as %s.damaged-%d and an empty one takes its "
            "place: its replies will be asked for again.",
            path,
            error,
            path.name,
            number,
        )


def _with_sum(record: str, key: str) -> str:
    """The record with a sum over key and text as its last member: SQLite keeps none, and disks flip bits.

    >>> _with_sum('{"text":"a"}', "00")
    '{"text":"a","sum":"1325d5bd"}'
    """
    return f'{record[:-1]},"sum":"{zlib.crc32(record.encode(), zlib.crc32(key.encode())):08x}"}}'


def _checked(record: bytes, key: str) -> bytes:
    """The record, if its sum is right; older versions of the library wrote none."""
    head, mark, tail = record.rpartition(b',"sum":"')
    if mark and tail != b'%08x"}' % zlib.crc32(head + b"}", zlib.crc32(key.encode())):
        raise ValueError("it is not what was written")
    return record


def _into_wal(database: sqlite3.Connection) -> None:
    """Have the file write ahead; of several processes that open a new file at once, all but one have to wait."""
    until = time.monotonic() + _BUSY
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:  # SQLite itself does not wait here
            if code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _remove_unreadable(database: sqlite3.Connection, key: bytes) -> None:
    """Remove a row whose figures are no longer those of its entry in the index, or none at all."""
    database.execute("DROP INDEX IF EXISTS replies_by_model")
    database.execute("DELETE FROM replies WHERE key = ?", (key,))
    with contextlib.suppress(sqlite3.OperationalError):  # another such row is there; statistics do without
        database.execute(_INDEX)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # A plain error of commands that are right says that the tables are not what they were.
    return code_of(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
