"""Request caches as files: finding them, telling what they hold, and making them smaller."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.errors import InputError

if TYPE_CHECKING:
    from dataflow_ext.models.prices import Price, Prices

#: Where a cache lies in what a user may name: a cache folder, or a run's folder.
_PLACES = ("requests.sqlite", ".run/requests.sqlite")

#: Seconds to wait for another process's write.
_BUSY = 30.0

#: Token counts that statistics sum up.
COUNTED = ("prompt_tokens", "cached_tokens", "completion_tokens")

#: Figures in a stored reply's JSON, which are columns of their own for whoever reads the file.
COUNTS = {name: f"coalesce(json_extract(reply, '$.{name}'), 0)" for name in ("batch", *COUNTED)}

#: Rows that are read or removed at a time, so that running processes get their turn.
PORTION = 5_000


@dataclass(frozen=True, slots=True)
class Held:
    """The replies of one model in a cache: how many, since when (seconds of the epoch), tokens, list price."""

    model: str
    replies: int
    oldest: float
    newest: float
    prompt_tokens: int
    completion_tokens: int
    usd: float | None


@dataclass(frozen=True, slots=True)
class Ended:
    """What one session asked for, of which ``cached`` and ``shared`` were had for nothing, and what it paid."""

    ended: float
    requests: int
    cached: int
    shared: int
    paid: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many replies were removed and bytes given back; ``busy`` says why the bytes were not, if so."""

    replies: int
    size: int
    busy: str = ""


def locate(path: Path) -> Path:
    """The cache's file in a run's folder, in its ``.run``, in a cache folder, or the file itself."""
    if path.is_file():
        return path
    for place in _PLACES:
        if (path / place).is_file():
            return path / place
    raise InputError(
        f"There is no request cache in {path}; wanted is a run's folder, its .run folder, or a file requests.sqlite."
    )


def files_of(path: Path) -> list[Path]:
    """The files that a cache may consist of."""
    return [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")]


def size_on_disk(path: Path) -> int:
    """Bytes of a cache's files."""
    return sum(file.stat().st_size for file in files_of(path) if file.exists())


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a cache that is there; every failure inside is an :class:`InputError` that names it."""
    database: sqlite3.Connection | None = None
    try:
        database = _connected(path)
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'replies' AND type = 'table'").fetchone():
            raise InputError(f"The file {path} is no request cache: it has no replies.")
        yield database
    except sqlite3.DatabaseError as error:
        if code_of(error) == sqlite3.SQLITE_NOTADB:
            raise InputError(f"The file {path} is no request cache.") from None
        raise InputError(f"The request cache {path} cannot be used: {error}.") from None
    finally:
        if database is not None:
            database.close()


def _connected(path: Path) -> sqlite3.Connection:
    address = path.resolve().as_uri()
    database = sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=_BUSY, isolation_level=None)
    try:
        database.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        database.close()
        log = Path(f"{path}-wal")
        if code_of(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or log.exists():
            raise
        # In a folder that cannot be written to; without a log beside it, the file is complete as it is.
        database = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return database


def code_of(error: sqlite3.Error) -> int:
    """SQLite's code for an error, without what it adds to it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def held(database: sqlite3.Connection, prices: Prices) -> list[Held]:
    """What a cache holds by model, at list prices: where a reply came from is not kept."""
    # Files of the first version have no columns for the counts, and it takes far longer.
    own = database.execute("SELECT 1 FROM pragma_table_xinfo('replies') WHERE name = 'batch'").fetchone()
    batch, *counts = COUNTS if own else COUNTS.values()
    sums = ", ".join(f"sum({count})" for count in counts)
    query = f"""
        SELECT model, {batch}, count(*), min(stored), max(stored), {sums} FROM replies GROUP BY 1, 2 ORDER BY 1, 2
    """  # noqa: S608, only our own names are put in
    found = []
    for model, rows in groupby(database.execute(query), key=itemgetter(0)):
        _, *columns = zip(*rows, strict=True)
        _, replies, oldest, newest, prompt, _, completion = columns
        price = prices.by_name(model)
        usd = None if price is None else sum(map(partial(_cost, price), *columns))
        found.append(Held(model, sum(replies), min(oldest), max(newest), sum(prompt), sum(completion), usd))
    return found


def _cost(price: Price, batched: int, replies: int, _oldest: float, _newest: float, *tokens: int) -> float:
    """What replies cost that are taken to be of one size."""
    from dataflow_ext.models.request import Reply

    mean: dict[str, Any] = {name: round(count / replies) for name, count in zip(COUNTED, tokens, strict=True)}
    return price.cost(Reply("", batch=bool(batched), **mean)) * replies


def sessions(database: sqlite3.Connection) -> list[Ended]:
    """The sessions that used a cache to their end, the last one first."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").fetchone():
        return []
    return [Ended(*row) for row in database.execute("SELECT * FROM sessions ORDER BY ended DESC")]


def remove(database: sqlite3.Connection, *, before: float | None = None, model: str | None = None) -> int:
    """Remove the replies stored before that time, by that model, or both, a portion at a time; how many there were."""
    condition, values = _condition(before, model)
    ids = database.execute(f"SELECT id FROM replies WHERE {condition} ORDER BY id", values).fetchall()  # noqa: S608
    removed = 0
    for start in range(0, len(ids), PORTION):
        database.execute("BEGIN IMMEDIATE")
        with database:
            # The condition once more: another process may have put a newer reply in the place.
            removed += database.executemany(
                f"DELETE FROM replies WHERE id = ? AND {condition}",  # noqa: S608
                ((*row, *values) for row in ids[start : start + PORTION]),
            ).rowcount
    return removed


def give_back(database: sqlite3.Connection) -> None:
    """Give the space of removed replies back to the disk."""
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def prune(path: Path, *, before: float | None = None, model: str | None = None, dry_run: bool = False) -> Pruned:
    """Remove replies stored before that time, by that model, or both, and give their space back.

    Other processes may use the cache meanwhile. With ``dry_run`` it counts the replies and their own bytes.
    """
    with opened(path) as database:
        if dry_run:
            condition, values = _condition(before, model)
            query = f"SELECT count(*), coalesce(sum(length(CAST(reply AS BLOB))), 0) FROM replies WHERE {condition}"  # noqa: S608
            return Pruned(*database.execute(query, values).fetchone())
        size = size_on_disk(path)
        removed = remove(database, before=before, model=model)
        if not removed:
            return Pruned(0, 0)
        try:
            give_back(database)
        except sqlite3.OperationalError as error:
            return Pruned(removed, 0, str(error))
    return Pruned(removed, max(0, size - size_on_disk(path)))


def _condition(before: float | None, model: str | None) -> tuple[str, list[float | str]]:
    parts: list[tuple[str, float | str]] = []
    if before is not None:
        parts.append(("stored < ?", before))
    if model is not None:
        parts.append(("model = ?", model))
    return " AND ".join(part for part, _ in parts) or "1", [value for _, value in parts]


def utc(stored: float) -> str:
    """A time as ISO 8601 in UTC.

    >>> utc(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(stored, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
