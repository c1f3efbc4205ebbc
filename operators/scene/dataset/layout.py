"""Where the files of a data set lie, and which of them a run of this library wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dataflow_ext.errors import InputError, RowError
from dataflow_ext.files import RUN_FOLDER, make_folder, own_list, put, write_text

#: The conversations, the same for ms-swift, and turn by turn for reinforcement learning.
CONVERSATIONS, SWIFT, RL = "conversations.jsonl", "swift.jsonl", "rl.parquet"
DATA_FILES = (CONVERSATIONS, SWIFT, RL)

#: The folder of the pictures, in which each conversation has a folder of its own.
IMAGES = "images"

#: Where a run keeps the list of its own files, and what is not finished yet.
STAGE = Path(RUN_FOLDER, "scene")
_LIST = "files.json"

#: What a run leaves beside the data files.
BESIDE = ("stats.json", "rejects.jsonl", "report.html")

#: Ids that can name a folder on any system.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,150}(?<!\.)")


def must_be_ours(out: Path) -> None:
    """Raise InputError if ``out`` has a file of a run's names that no run of this library wrote."""
    DataFolder(out)
    if not (out / STAGE.parts[0]).is_dir():
        for name in BESIDE:
            if (out / name).exists():
                raise _foreign(out / name)


def names_a_folder(id: str) -> bool:
    """Whether an id can be the name of a folder.

    >>> names_a_folder("multi_turn_edit_1_0a1b2c3d"), names_a_folder("../x"), names_a_folder("")
    (True, False, False)
    """
    return _ID.fullmatch(id) is not None


class DataFolder:
    """The files of a data set, of which only those in the run's own list are ever replaced or removed.

    What is coming is in the list before it is there, so that after a kill the next run still knows its own.
    ``pictures`` has the conversations whose folders of pictures are the run's, with the number of pictures.
    """

    def __init__(self, out: Path) -> None:
        self.out, self.stage = out, out / STAGE
        self.partial = self.stage / "picture.part"
        pictures, ours = _listed(self.stage / _LIST)
        self.pictures, self._damaged = pictures or {}, pictures is None
        if (out / IMAGES).is_symlink():
            raise InputError(f"{out / IMAGES} is a link to another place; remove it, or name another output folder.")
        for name in DATA_FILES:
            if (out / name).is_symlink() or (not ours and (out / name).exists()):
                raise _foreign(out / name)

    def expect(self, coming: Mapping[str, int]) -> None:
        """Note the pictures that will be written, but for conversations of which others have put some there."""
        for id, count in coming.items():
            ours = self._damaged or id in self.pictures
            if names_a_folder(id) and (ours or not _pictures_in(self.folder_of(id), count)):
                self.pictures[id] = max(count, self.pictures.get(id, 0))
        try:
            make_folder(self.stage)
            self._note()
        except OSError as error:
            raise cannot_write(self.stage, error) from None

    def folder_of(self, id: str) -> Path:
        """The folder of a conversation's pictures."""
        return self.out / IMAGES / id

    def place(self, staged: Mapping[str, Path]) -> None:
        """Put finished data files in their places, one right after the other."""
        for name, partial in staged.items():
            try:
                put(partial, self.out / name)
            except OSError as error:
                raise cannot_write(self.out / name, error) from None

    def keep_only(self, kept: Mapping[str, int]) -> None:
        """Remove the pictures that earlier runs wrote and no conversation has, and folders that this leaves empty."""
        for id, count in sorted(self.pictures.items()):
            folder, still = self.folder_of(id), kept.get(id, 0)
            if still == count or folder.is_symlink():
                continue
            try:
                for number in range(still, count):
                    (folder / f"step_{number}.png").unlink(missing_ok=True)
                if not still:
                    _remove_empty(folder)
            except OSError as error:
                raise cannot_write(folder, error) from None
        self.pictures = dict(kept)
        self._note()

    def _note(self) -> None:
        told = {"files": list(DATA_FILES), "pictures": dict(sorted(self.pictures.items()))}
        write_text(self.stage / _LIST, json.dumps(told, indent=0) + "\n")


def cannot_write(path: Path, error: OSError) -> InputError:
    """The sentence for a file that cannot be written."""
    return InputError(
        f"Cannot write {path}: {error.strerror or error}; make room or name another output folder, then run again."
    )


def _foreign(path: Path) -> InputError:
    return InputError(f"{path} was not written by a run of this pipeline; name another output folder.")


def _pictures_in(folder: Path, count: int) -> bool:
    """Whether one of so many pictures is there."""
    return folder.exists() and any((folder / f"step_{number}.png").exists() for number in range(count))


def _remove_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _listed(path: Path) -> tuple[dict[str, int] | None, bool]:
    """The pictures in a run's list, and whether data files are ours. Without a list nothing is.

    None for the pictures means that the list is damaged: data files and pictures that a run writes are ours, as it
    notes a list only in a folder without such files of others.
    """
    told = own_list(path)
    if told is None:
        return {}, False
    try:
        pictures: Iterable[tuple[Any, Any]] = told["pictures"].items()
        known = {id: n for id, n in pictures if names_a_folder(id) and type(n) is int and 0 < n < 10_000}
        return known, bool(told["files"])
    except (KeyError, TypeError, AttributeError):
        return None, True


_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False).encode

#: Line breaks to some readers of text, but not to JSON, which can write them in another way.
_BREAKS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Unwritable(RowError):
    """A row cannot stand in the data set; ``code`` is one of :data:`operators.scene.model.problems.CODES`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code

    def __reduce__(self) -> tuple[type[Unwritable], tuple[str, str]]:
        return Unwritable, (self.code, str(self).removeprefix(f"{self.code}: "))


def line_of(entry: Any) -> str:
    """A value as one line of JSON; Unwritable for what no file could hold.

    >>> line_of({"value": "a\\u2028b 茶"})
    '{"value": "a\\\\u2028b 茶"}\\n'
    """
    try:
        text = _ENCODE(entry)
        text.encode()
    except UnicodeEncodeError:
        raise Unwritable("row.shape", "a text has half a character (a lone surrogate)") from None
    except (ValueError, RecursionError):
        raise Unwritable("row.shape", "a number is not finite, or values lie too deeply within each other") from None
    if not text.isascii():
        for sign, escaped in _BREAKS.items():
            text = text.replace(sign, escaped)
    return text + "\n"
