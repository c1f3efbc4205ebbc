"""Files that appear whole or not at all and outlast a power cut, and the folders they are put in, one run at a time."""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dataflow_ext.errors import InputError
from dataflow_ext.well_formed import well_formed

#: Where a run keeps what is not data: remembered steps and replies, rejects, report, settings.
RUN_FOLDER = ".run"


@contextmanager
def atomic(path: Path, *, private: bool = False) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place when all went well, and is removed otherwise.

    The file has the mode that the process's umask gives, or with ``private`` is its owner's alone.
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}{path.suffix}")
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666))
    try:
        yield temporary
        put(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def forget_unfinished(folder: Path, names: Collection[str]) -> None:
    """Remove what :func:`atomic` had begun of these files when its process was killed.

    For whoever alone writes there now, as a run that holds the folder's lock does.
    """
    begun = [re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{8}}{re.escape(Path(name).suffix)}") for name in names]
    for path in folder.iterdir() if folder.is_dir() else ():
        if any(one.fullmatch(path.name) for one in begun):
            path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> Path:
    """Write a text file atomically, in UTF-8 with plain newlines."""
    with atomic(path) as partial:
        partial.write_text(well_formed(text), encoding="utf-8", newline="\n")
    return path


def put(finished: Path, path: Path) -> Path:
    """Rename a finished file, or a folder, to ``path``; after a power cut there is the old one or the whole new one.

    For that a file's bytes are on the disk before the name is, which takes about 0.7 ms on a solid-state disk.
    """
    _flush(finished)
    finished.replace(path)
    _flush(path.parent)
    return path


def _flush(path: Path) -> None:
    file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def make_folder(folder: Path, *, private: bool = False) -> Path:
    """The folder, made with its parents if it is not there.

    A folder ``.run`` that is made, and with ``private`` the folder itself, is its owner's alone: it holds
    texts and pictures of the user's, which other accounts of the machine have no business with.
    """
    mode = 0o700 if private or folder.name == RUN_FOLDER else 0o777
    try:
        folder.mkdir(mode, exist_ok=True)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_folder(folder.parent)
        folder.mkdir(mode, exist_ok=True)
    return folder


def user_folder() -> Path:
    """Where things are kept that belong to a user of this machine and to no run; it may not be there yet."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rowsmith"


def json_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file that a run left; an empty one if there is none, or it cannot be read."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


class Lock:
    """The operating system's lock on a file, held until it is closed or its process ends, however that ends.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "lock")
    >>> held = Lock.take(path)
    >>> Lock.take(path) is None
    True
    """

    def __init__(self, path: Path, kind: int) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        _held.add(self.file)
        try:
            fcntl.flock(self.file, kind)
        except BaseException:
            self.close()
            raise

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """The lock, or None if somebody else has it."""
        try:
            return cls(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None

    @classmethod
    def wait_for(cls, path: Path, *, shared: bool = False) -> Lock:
        """The lock, when nobody else has it any more; a ``shared`` one several have at a time."""
        return cls(path, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    def close(self) -> None:
        """Let go."""
        if self.file in _held:
            _held.remove(self.file)
            os.close(self.file)
        self.file = -1


_held: set[int] = set()


def _let_go_after_fork() -> None:
    # A lock belongs to the open file, which a fork copies: the child would hold it for its dead parent.
    while _held:
        os.close(_held.pop())


os.register_at_fork(after_in_child=_let_go_after_fork)


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Hold the folder by its file ``lock`` until the block ends; :class:`InputError` if another process holds it."""
    path = make_folder(folder) / "lock"
    lock = Lock.take(path)
    if lock is None:
        holder = path.read_text("ascii", "replace").strip()
        who = f" (process {holder})" if holder else ""
        raise InputError(f"Another run{who} is at work in {folder}; wait for its end, or give another output folder.")
    try:
        os.ftruncate(lock.file, 0)
        os.write(lock.file, f"{os.getpid()}\n".encode())
        yield
    finally:
        lock.close()
