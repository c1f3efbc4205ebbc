"""Files that appear whole or not at all and outlast a power cut, and the folders they are put in."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
    folder = path.is_dir()
    if folder and sys.platform == "win32":  # where folders cannot be opened
        return
    file = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
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


def own_list(path: Path) -> Any:
    """What a run noted of its own files: None if nothing was ever noted there, ``{}`` if it cannot be read.

    A list that is there shows that the folder is a run's own, even when a full disk or a hand emptied it.
    """
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        return {}
    return {} if known is None else known
