"""Finished pieces of a step that is under way, in a file: a run that is killed goes on in the step's middle."""

from __future__ import annotations

import hashlib
import os
import pickle
import secrets
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from dataflow_ext.errors import DataflowError
from dataflow_ext.files import make_folder, user_folder

T = TypeVar("T")
R = TypeVar("R")

#: Length of what was made, name of the piece, seal over both.
HEAD = struct.Struct("<Q16s32s")
#: The share of a step's time that its journal may take, and the seconds it may take before that is a measure:
#: rows that are done sooner than written are done again.
_SHARE, _START, _START_AGAIN = 0.05, 0.02, 1.0
_MISSING: Any = object()

_current: ContextVar[Journal | None] = ContextVar("dataflow_journal", default=None)


class Journal:
    """What was made of a step's pieces so far, by function and piece.

    It is pickled, and therefore sealed with a secret of the user's: a journal that somebody else wrote is not read.
    Records are appended whole; what a kill cut off is left out. Where it cannot be written, the step goes on without.
    """

    def __init__(self, path: Path, secret: bytes) -> None:
        self._path, self._secret = path, secret
        self._step = path.stem.encode()
        self._places: dict[bytes, tuple[int, int, bytes]] = {}
        self._file: int | None = None
        self._read()
        self.resumed = bool(self._places)
        self._spent, self._floor = 0.0, _START_AGAIN if self.resumed else _START
        self._began = time.monotonic()

    def known(self, function: bytes, piece: object) -> Any:
        """What was made of this piece, or ``_MISSING``."""
        if not self._places or not self._affords():
            return _MISSING
        began = time.monotonic()
        name = _name(function, piece)
        place = None if name is None else self._places.get(name)
        made = _MISSING if place is None or name is None else self._load(name, *place)
        if made is _MISSING:
            self._spent += time.monotonic() - began
        return made

    def keep(self, function: bytes, piece: object, made: object) -> None:
        """Append what was made of a piece, unless that takes too large a share of the step's time."""
        if self._affords():
            began = time.monotonic()
            with suppress(Exception):  # what cannot be pickled, or a full disk: it is done again then
                if (name := _name(function, piece)) is not None:
                    self._append(name, pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
            self._spent += time.monotonic() - began

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _affords(self) -> bool:
        return self._spent < self._floor + _SHARE * (time.monotonic() - self._began)

    def _read(self) -> None:
        """Where each record stands; what comes after the first that is not whole is cut off."""
        with suppress(OSError), self._path.open("rb+") as file:
            size, at = os.fstat(file.fileno()).st_size, 0
            while len(head := file.read(HEAD.size)) == HEAD.size:
                length, name, seal = HEAD.unpack(head)
                if length > size - at - HEAD.size:
                    break
                self._places[name] = (at + HEAD.size, length, seal)
                at += HEAD.size + length
                file.seek(at)
            if at < size:
                file.truncate(at)

    def _load(self, name: bytes, start: int, length: int, seal: bytes) -> Any:
        with suppress(Exception), self._path.open("rb") as file:
            file.seek(start)
            data = file.read(length)
            if secrets.compare_digest(seal, self._seal(name, data)):
                return pickle.loads(data)  # noqa: S301 - the seal says that this user's run wrote it
        del self._places[name]
        return _MISSING

    def _append(self, name: bytes, data: bytes) -> None:
        if self._file is None:
            make_folder(self._path.parent, private=True)
            # Where text and binary files differ, a pickle written as text is none.
            binary = getattr(os, "O_BINARY", 0)
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | binary, 0o600)
        # In one call, so that records of two runs on the same memory do not mix.
        os.write(self._file, HEAD.pack(len(data), name, self._seal(name, data)) + data)

    def _seal(self, name: bytes, data: bytes) -> bytes:
        return hashlib.blake2b(self._step + name + data, key=self._secret, digest_size=32).digest()


@contextmanager
def journaling(journal: Journal | None) -> Iterator[None]:
    """Let the pieces done inside be kept in this journal, and those that are in it not be done again."""
    token = _current.set(journal)
    try:
        yield
    finally:
        _current.reset(token)
        if journal is not None:
            journal.close()


def settled(made: object) -> bool:
    """Whether another try would make the same: no error, or list with one in it, that may pass."""
    parts = made if isinstance(made, Sequence) and not isinstance(made, (str, bytes)) else (made,)
    errors = [part for part in parts if isinstance(part, BaseException)]
    return all(isinstance(error, DataflowError) and not error.transient for error in errors)


def through(
    function: Callable[[T], R],
    pieces: Iterable[T],
    do: Callable[[Iterable[T]], Iterator[Any]],
    final: Callable[[Any], bool] = settled,
) -> Iterator[Any]:
    """What ``do`` makes of the pieces by ``function``, in order; those in the journal are not given to it.

    Only what is ``final`` is kept.
    """
    journal = _current.get()
    told = None if journal is None else _pickled(function)
    return do(pieces) if journal is None or told is None else _through(journal, told, pieces, do, final)


def journaled() -> bool:
    """Whether the pieces done now are kept."""
    return _current.get() is not None


def resumed() -> bool:
    """Whether some of the pieces were done by a run that was stopped."""
    journal = _current.get()
    return journal is not None and journal.resumed


def _through(
    journal: Journal,
    function: bytes,
    pieces: Iterable[T],
    do: Callable[[Iterable[T]], Iterator[Any]],
    final: Callable[[Any], bool],
) -> Iterator[Any]:
    order: deque[tuple[T, Any]] = deque()

    def todo() -> Iterator[T]:
        for piece in pieces:
            made = journal.known(function, piece)
            order.append((piece, made))
            if made is _MISSING:
                yield piece

    for made in do(todo()):
        while order[0][1] is not _MISSING:
            yield order.popleft()[1]
        piece, _ = order.popleft()
        if final(made):
            journal.keep(function, piece, made)
        yield made
    yield from (made for _, made in order)


def secret() -> bytes:
    """What this user's journals are sealed with, made when it is asked for first; empty where it cannot be kept."""
    with suppress(OSError):
        path = user_folder() / "journal.key"
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            with open(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:  # noqa: PTH123
                file.write(secrets.token_bytes(32))
            with suppress(FileExistsError):
                os.link(partial, path)  # the first of several processes wins
            partial.unlink()
        found = path.read_bytes()
        return found if len(found) == 32 else b""
    return b""


def _name(function: bytes, piece: object) -> bytes | None:
    told = _pickled(piece)
    return None if told is None else hashlib.blake2b(function + told, digest_size=16).digest()


def _pickled(value: object) -> bytes | None:
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:  # whatever it is that cannot be pickled
        return None
