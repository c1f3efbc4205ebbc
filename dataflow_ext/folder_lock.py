"""One run at a time in a folder: a lock that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dataflow_ext.errors import InputError
from dataflow_ext.files import make_folder


@contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Hold the folder until the block ends; :class:`InputError` if another process holds it.

    The lock is the operating system's, on the file ``lock`` in the folder, so a killed run leaves none.
    """
    make_folder(folder)
    file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _take(file)
        except OSError:
            holder = os.pread(file, 32, 0).decode("ascii", "replace").strip() if hasattr(os, "pread") else ""
            who = f" (process {holder})" if holder else ""
            raise InputError(
                f"Another run{who} is at work in {folder}; wait for its end, or give another output folder."
            ) from None
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(file)  # which gives the lock back


def _take(file: int) -> None:
    """Lock an open file or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 1 << 20, os.SEEK_SET)  # past the text, which others may want to read
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
