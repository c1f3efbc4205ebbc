"""Whether files are there, asked of folders' listings that are kept for a while."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache

from operators.cot.items import is_there

#: Folders whose listings are kept, and the most names in one; larger folders are asked file by file.
_FOLDERS, _NAMES = 512, 5000


def file_listings() -> Callable[[str], bool]:
    """A function that tells whether there is a file of a path with anything in it.

    It looks into each folder once, in bounded memory.
    """

    @lru_cache(maxsize=_FOLDERS)
    def names(folder: str) -> frozenset[str] | None:
        found = set()
        try:
            with os.scandir(folder or "/") as entries:
                for entry in entries:
                    if entry.is_file() and is_there(entry.path):
                        found.add(entry.name)
                    if len(found) > _NAMES:
                        return None
        except (OSError, ValueError):  # no such folder, or a path that can be none
            return frozenset()
        return frozenset(found)

    def exists(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        there = names(folder)
        return is_there(path) if there is None else name in there

    return exists
