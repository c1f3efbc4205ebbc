"""A data set in a folder: conversations in three forms and their pictures, the same bytes for the same rows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from dataflow_ext import Failure
from dataflow_ext.files import put
from operators.scene.dataset.exports import RLFile, must_pair, rl_rows, swift_entry
from operators.scene.dataset.layout import (
    CONVERSATIONS,
    IMAGES,
    RL,
    SWIFT,
    DataFolder,
    Unwritable,
    cannot_write,
    line_of,
    names_a_folder,
)
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import Entry, conversation_of
from operators.scene.model.scene import Scene
from operators.scene.model.simulator import CallError

_BEGIN, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


def put_pictures(folder: DataFolder, id: str, sources: Sequence[Path]) -> None:
    """Put the pictures of a conversation in their places, as ``images/<id>/step_0.png`` and so on.

    Each appears whole or not at all, and one that is right already stays. A place on another file system than
    the source gets a copy. Unwritable if a source is no PNG, or if the folder is somebody else's.
    """
    if not sources:
        return
    for number, source in enumerate(sources):
        _must_be_png(source, number)
    target = folder.folder_of(id)
    if target.is_symlink() or id not in folder.pictures:
        raise Unwritable(
            "images.names", f"{IMAGES}/{id} has pictures that no run of this pipeline wrote; move them away"
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        for number, source in enumerate(sources):
            _put(source, target / f"step_{number}.png", folder.partial)
    except OSError as error:
        raise cannot_write(target, error) from None


def _must_be_png(path: Path, number: int) -> None:
    try:
        with path.open("rb") as file:
            begin = file.read(len(_BEGIN))
            file.seek(-len(_END), os.SEEK_END)
            whole = begin == _BEGIN and file.read() == _END
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, cannot be read: {why}") from None
    if not whole:
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, is no whole PNG")


def _put(source: Path, target: Path, partial: Path) -> None:
    if target.is_file() and not target.is_symlink() and _same(source, target):
        return
    partial.unlink(missing_ok=True)
    try:
        os.link(source.resolve(), partial)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, partial)
    put(partial, target)


def _same(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes."""
    if one.samefile(other):
        return True
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()


@dataclass(slots=True)
class Written:
    """The rows that are in the data set, and why the others are not."""

    rows: list[int] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Lines:
    """A conversation in its forms, not yet in any file."""

    entry: Entry
    chain: Chain
    states: list[Scene]
    conversation: str
    swift: str


def write_data_set(
    rows: Iterable[tuple[int, Mapping[str, Any]]], out: Path, coming: Mapping[str, int], *, embed: bool = False
) -> Written:
    """Write the finished rows, which come in the order of their lines with their numbers; what was written.

    ``coming`` has the ids of all rows with the number of their pictures. A row that cannot be written, or whose id
    an earlier one has, is left out and told in ``failures``. Data files come into their places together when
    all is written, and then pictures go that earlier runs wrote and no conversation has any more; without any
    conversation nothing is replaced or removed. InputError if ``out`` cannot be written or is not ours.
    """
    folder, done, kept = DataFolder(out), Written(), dict[str, int]()
    folder.expect(coming)
    staged = {name: folder.stage / f"{name}.part" for name in (CONVERSATIONS, SWIFT, RL)}
    try:
        with ExitStack() as stack:
            texts = [stack.enter_context(_opened(staged[name])) for name in (CONVERSATIONS, SWIFT)]
            turns = stack.enter_context(RLFile(staged[RL], out, embed=embed))
            for number, row in rows:
                try:
                    lines = _lines(row, kept)
                    put_pictures(folder, row["id"], row["images"])
                except (Unwritable, CallError) as error:
                    done.failures.append(_failure(number, error))
                    continue
                texts[0].write(lines.conversation)
                texts[1].write(lines.swift)
                for turn in rl_rows(lines.entry, lines.chain, lines.states):
                    turns.write(turn)
                kept[row["id"]] = len(row["images"])
                done.rows.append(number)
        if kept:
            folder.place(staged)
            folder.keep_only(kept)
    except OSError as error:
        raise cannot_write(Path(error.filename or out), error) from None
    finally:
        for partial in (*staged.values(), folder.partial):
            partial.unlink(missing_ok=True)
    return done


def _opened(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="\n")


def _lines(row: Mapping[str, Any], taken: Mapping[str, int]) -> _Lines:
    """The row in its forms; Unwritable or CallError if it has none."""
    if not names_a_folder(row["id"]):
        raise Unwritable("images.names", f"the id {row['id'][:80]!r} cannot be the name of a folder")
    if row["id"] in taken:
        raise Unwritable("row.shape", f"another row has the id {row['id']}")
    try:
        chain = Chain.read(row["chain"])
        states, entry = chain.states(), conversation_of(row)
    except CallError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unwritable("row.shape", f"the row makes no conversation ({type(error).__name__}: {error})") from None
    if len(row["images"]) != len(entry["images"]):
        raise Unwritable("images.count", f"{len(row['images'])} pictures for {len(states)} turns")
    swift = swift_entry(entry, chain.start, row["instruction"])
    must_pair(swift)
    return _Lines(entry, chain, states, line_of(entry), line_of(swift))


def _failure(number: int, error: Unwritable | CallError) -> Failure:
    if isinstance(error, CallError):
        error = Unwritable(error.code, str(error))
    return Failure(number, str(error), error.code)
