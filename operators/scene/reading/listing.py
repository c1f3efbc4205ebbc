"""The rooms in files and folders: one row each."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from dataflow_ext import InputError, OptionError
from dataflow_ext.well_formed import is_well_formed

logger = logging.getLogger(__name__)

#: A file of one room, and a file with a room on each line.
SUFFIXES = (".json", ".jsonl")
#: What a line of a file of many rooms is called.
_LINE_ID = re.compile(r"(.+)#\d+", re.DOTALL)


def rooms(inputs: Sequence[Path]) -> pa.Table:
    """A row a file of rooms, sorted: ``scene_id`` and ``scene_file``.

    ``scene_id`` is the path below the folder that was given, without its suffix, or the name of a file that was
    given by itself. Folders are searched at any depth; hidden ones, those of earlier runs and links that leave the
    folder are passed by. A file that is found twice counts once. Raises OptionError if two files would have one id,
    InputError if there is nothing to be found.

    >>> rooms([Path("no_such_folder")])
    Traceback (most recent call last):
    ...
    dataflow_ext.errors.InputError: no_such_folder: there is no such file or folder.
    """
    found = _Found()
    for path in inputs:
        found.look(Path(path))
    found.warn()
    by_id = _by_id(found.files)
    if not by_id:
        where = ", ".join(map(str, inputs)) or "no file and no folder was given"
        raise InputError(f"{where}: there is no room in it; a room is a file .json, or a line of a file .jsonl.")
    ids = sorted(by_id)
    try:
        files = pa.array([str(by_id[scene_id]) for scene_id in ids], pa.string())
        return pa.table({"scene_id": pa.array(ids, pa.string()), "scene_file": files})
    except UnicodeEncodeError:
        bad = next(str(path) for path in by_id.values() if not is_well_formed(str(path)))
        raise InputError(f"{bad!r}: a name in it is not UTF-8; rename it.") from None


@dataclass(slots=True)
class _Found:
    """The files of rooms by what they really are, each with the ids that it could have; and what was passed by."""

    files: dict[str, list[tuple[str, Path]]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def look(self, path: Path) -> None:
        """Take what lies at a path that the user gave."""
        if path.is_dir():
            for file, scene_id in self._below(path):
                self._take(file, scene_id)
        elif not path.exists():
            raise InputError(f"{path}: there is no such file or folder.")
        elif path.suffix.lower() not in SUFFIXES:
            raise InputError(f"{path}: a room is a file .json, or a line of a file .jsonl.")
        else:
            self._take(path, path.stem)

    def warn(self) -> None:
        """Tell of what was passed by, in one sentence a kind."""
        for paths, what in (
            (self.outside, "are links to folders, or lead out of the folder, and are not followed"),
            (self.unread, "cannot be read or have names that are not UTF-8"),
        ):
            if paths:
                logger.warning("%d file(s) or folder(s) %s; the first: %s", len(paths), what, min(paths))

    def _take(self, file: Path, scene_id: str) -> None:
        if not is_well_formed(scene_id):
            self.unread.append(repr(str(file)))
            return
        self.files.setdefault(os.path.realpath(file), []).append((scene_id, file))

    def _below(self, root: Path) -> Iterator[tuple[Path, str]]:
        """The files of rooms below a folder, with their ids."""
        real = Path(os.path.realpath(root))
        for folder, folders, names in os.walk(root, onerror=lambda error: self.unread.append(repr(error.filename))):
            folders[:] = sorted(name for name in folders if self._is_entered(Path(folder, name)))
            for name in sorted(names):
                path = Path(folder, name)
                if name.startswith(".") or path.suffix.lower() not in SUFFIXES:
                    continue
                if not os.path.isfile(path):  # noqa: PTH113 - unlike Path's, it never raises
                    self.unread.append(repr(str(path)))
                elif not Path(os.path.realpath(path)).is_relative_to(real):
                    self.outside.append(repr(str(path)))
                else:
                    yield path, path.relative_to(root).with_suffix("").as_posix()

    def _is_entered(self, folder: Path) -> bool:
        """Whether a folder may hold rooms: not if it is hidden, holds what an earlier run made, or is a link."""
        if folder.name.startswith(".") or (folder / ".run").is_dir():
            return False
        if folder.is_symlink():
            self.outside.append(repr(str(folder)))
            return False
        return True


def _by_id(files: dict[str, list[tuple[str, Path]]]) -> dict[str, Path]:
    """Each file under one id: of those that it could have, the first by the alphabet, whatever was given first."""
    by_id: dict[str, Path] = {}
    for scene_id, path in sorted(min(names) for names in files.values()):
        if scene_id in by_id:
            raise _clash(scene_id, by_id[scene_id], path)
        by_id[scene_id] = path
    for scene_id, path in by_id.items():
        line = _LINE_ID.fullmatch(scene_id)
        many = by_id.get(line[1]) if line else None
        if many is not None and many.suffix.lower() == ".jsonl":
            raise _clash(scene_id, many, path)
    return by_id


def _clash(scene_id: str, one: Path, other: Path) -> OptionError:
    return OptionError(
        f"Two rooms would both be called {scene_id!r}: {one} and {other}; rename one, or give the folder above both."
    )
