"""A data set's folder: every file whole or not at all, and none replaced or removed that no run wrote."""

from __future__ import annotations

import errno
import json
import os
import shutil
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Self, TextIO

from dataflow_ext.errors import InputError, RowError
from dataflow_ext.files import RUN_FOLDER, make_folder, put, write_text
from dataflow_ext.rejects import Failure

#: The folder of pictures, unless a format calls it otherwise.
IMAGES = "images"

#: Where a run keeps the list of its own files, and what is not finished yet.
STAGE = Path(RUN_FOLDER, "dataset")
_LIST = STAGE / "files.json"

#: What a run leaves beside the data.
STATS, REJECTS, CARD, REPORT = "stats.json", "rejects.jsonl", "README.md", "report.html"
BESIDE = (STATS, REJECTS, CARD, REPORT)

#: What is wrong with one path, not with the disk.
_ONE_PATH = {errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.EEXIST}


@dataclass(slots=True)
class Written:
    """The rows that are in a data set, and why the others are not."""

    rows: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


class PathTaken(RowError):
    """A place in a data set is another file's."""


def must_be_ours(out: Path, names: Collection[str], inputs: Iterable[Path] = ()) -> None:
    """Raise InputError if ``out`` has a file of these names that no run of this library wrote, or that is an input."""
    DataFolder(out, names)
    places = {(out / name).resolve() for name in names}
    for path in inputs:
        if path.resolve() in places:
            raise InputError(f"{path} is an input, which this run would overwrite; name another output folder.")


@contextmanager
def writing(out: Path, names: Collection[str]) -> Iterator[None]:
    """A time in which files of these names are written into ``out``, which are a run's own from then on.

    InputError if one is there that no run wrote.
    """
    DataFolder(out, names).claim(names)
    try:
        yield
    finally:  # a name that nothing was written under stays free for others
        DataFolder(out, ()).claim(names, there=True)


class DataFolder:
    """The folder ``out``, of whose files only those in the runs' own list are ever replaced or removed; a context.

    ``names`` are all data files that the format knows. What is coming is in the list before it is there, so that
    after a kill the next run still knows its own. Where the list is damaged, what a run writes is its own: a list is
    only ever made in a folder without such files of others. Paths are relative to ``out``, with slashes. An OSError
    within the context is an InputError that says what to do, and what is not finished goes.
    """

    def __init__(self, out: Path, names: Collection[str], pictures: str = IMAGES) -> None:
        self.out = out
        self._staged: dict[str, Path] = {}
        self._placed: set[str] = set()
        self._safe: set[Path] = set()
        self._names = frozenset(names)
        listed = _listed(out / _LIST)
        self._damaged = listed is None
        self._own = {name for name in (*names, *BESIDE) if (out / name).exists()} if listed is None else listed
        for folder in sorted({pictures, *(name.rpartition("/")[0] for name in names)} - {""}):
            if (out / folder).is_symlink():
                raise InputError(
                    f"{out / folder} is a link to another place; remove it, or name another output folder."
                )
        for name in names:
            if (out / name).is_symlink() or (name not in self._own and (out / name).exists()):
                raise InputError(f"{out / name} was not written by a run of this pipeline; name another output folder.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            for partial in (*self._staged.values(), self._partial):
                partial.unlink(missing_ok=True)
        except OSError:
            if error is None:
                raise
        if isinstance(error, OSError):
            raise cannot_write(Path(error.filename or self.out), error) from None

    @property
    def _partial(self) -> Path:
        return self.out / STAGE / "picture.part"

    def expect(self, paths: Iterable[str]) -> None:
        """Note files that will be put, but for those that others have put there."""
        coming = {path for path in paths if self._damaged or not os.path.lexists(self.out / path)}
        self._note(self._own | {path for path in coming if is_inside(path)})

    def claim(self, names: Collection[str], *, there: bool = False) -> None:
        """Note data files as a run's own, or of these only those that are ``there``; a damaged list stays as it is."""
        if not self._damaged:
            mine = {name for name in names if not there or (self.out / name).exists()}
            self._note((self._own - set(names)) | mine)

    def owns(self, path: str) -> bool:
        """Whether the file at a path is, or will be, a run's own."""
        return path in self._own

    def put(self, path: str, source: Path | bytes) -> None:
        """Put a file in its place: bytes, or a link to a file, on another file system a copy of it.

        What is right already stays. PathTaken if the place is not ours, or not in the folder.
        """
        target = self.out / path
        try:
            self._must_be_within(target.parent, path)
            if target.is_file() and not target.is_symlink() and _is(target, source):
                return
            if path not in self._own:
                raise PathTaken(f"{target} is another file that no run has written; move it away.")
            target.parent.mkdir(parents=True, exist_ok=True)
            self._partial.unlink(missing_ok=True)
            _write(self._partial, source)
            put(self._partial, target)
        except OSError as error:
            if error.errno in _ONE_PATH:
                raise PathTaken(f"{path} cannot be the name of a file here: {error.strerror}.") from None
            raise cannot_write(target, error) from None

    def staged(self, name: str) -> Path:
        """Where a data file is written until all are whole."""
        if name not in self._staged:
            make_folder(self.out / STAGE)
            self._staged[name] = self.out / STAGE / f"{name.replace('/', '-')}.part"
        return self._staged[name]

    def text(self, name: str) -> TextIO:
        """A data file, opened for lines."""
        return self.staged(name).open("w", encoding="utf-8", newline="\n")

    def place(self) -> None:
        """Put the data files that were written in their places, one right after the other."""
        self._note(self._own | self._staged.keys())
        for name, partial in self._staged.items():
            try:
                make_folder((self.out / name).parent)
                put(partial, self.out / name)
            except OSError as error:
                raise cannot_write(self.out / name, error) from None
        self._placed |= self._staged.keys()
        self._staged = {}

    def keep_only(self, paths: Iterable[str], sources: Iterable[Path] = ()) -> None:
        """Remove what earlier runs wrote of this format and is neither among these paths nor a data file of now.

        Nothing is removed if one of the ``sources`` lies in the folder: it may be somebody's only copy.
        """
        inside = self.out.resolve()
        if not any(source.resolve().is_relative_to(inside) for source in sources):
            others = {path for path in self._own - self._names if "/" not in path}
            self.remove(self._own - self._placed - set(paths) - others)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove these files as far as earlier runs wrote them, and folders that this leaves empty."""
        gone = self._own & set(paths)
        for path in sorted(gone):
            target = self.out / path
            try:
                if target.parent.resolve().is_relative_to(self.out.resolve()):
                    target.unlink(missing_ok=True)
                    self._tidy(target.parent)
            except OSError as error:
                raise cannot_write(target, error) from None
        self._note(self._own - gone)

    def _tidy(self, folder: Path) -> None:
        while folder != self.out and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent

    def _must_be_within(self, folder: Path, path: str) -> None:
        if folder in self._safe:
            return
        if not is_inside(path) or not folder.resolve().is_relative_to(self.out.resolve()):
            raise PathTaken(f"{path} would leave {self.out} by a link; remove the link.")
        self._safe.add(folder)

    def _note(self, own: set[str]) -> None:
        if own == self._own and not self._damaged:
            return
        try:
            make_folder(self.out / STAGE)
            text = json.dumps({"files": sorted(own)}, ensure_ascii=False, indent=0)
            write_text(self.out / _LIST, text + "\n")
        except OSError as error:
            raise cannot_write(self.out / STAGE, error) from None
        self._own, self._damaged = own, False


def is_inside(path: str) -> bool:
    """Whether this is written as a path to a file below a folder.

    >>> [is_inside(path) for path in ("images/茶 1.png", "../x", "/etc/passwd", "a//b", "a\\\\b", ".", "")]
    [True, False, False, False, False, False, False]
    """
    plain = PurePosixPath(path)
    control = any(ord(sign) < 32 or ord(sign) == 127 for sign in path)
    whole = plain.as_posix() == path and path != "." and not plain.is_absolute()
    return whole and ".." not in plain.parts and "\\" not in path and not control


def folded(path: str) -> str:
    """A path as file systems see it that cannot tell upper from lower case."""
    return unicodedata.normalize("NFC", path).casefold()


def cannot_write(path: Path, error: OSError) -> InputError:
    """The sentence for a file that cannot be written."""
    return InputError(
        f"Cannot write {path}: {error.strerror or error}; make room or name another output folder, then run again."
    )


def _is(target: Path, source: Path | bytes) -> bool:
    """Whether a file has these bytes, or those of another file."""
    if isinstance(source, bytes):
        return target.read_bytes() == source
    if target.samefile(source):
        return True
    return target.stat().st_size == source.stat().st_size and target.read_bytes() == source.read_bytes()


def _write(path: Path, source: Path | bytes) -> None:
    if isinstance(source, bytes):
        path.write_bytes(source)
        return
    try:
        os.link(source.resolve(), path)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, path)


def _listed(path: Path) -> set[str] | None:
    """The files in the runs' list: none without one, and None if it is damaged.

    A list that is there shows that the folder is a run's own, even when a full disk or a hand emptied it.
    """
    try:
        known = json.loads(path.read_bytes())
        return {name for name in known["files"] if isinstance(name, str) and is_inside(name)}
    except FileNotFoundError:
        return set()
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return None
