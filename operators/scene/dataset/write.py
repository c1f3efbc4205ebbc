"""A data set in a folder: conversations in three forms and their pictures, the same bytes for the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from dataflow_ext import Failure
from operators.scene.chain import Chain
from operators.scene.conversation import Entry, conversation_of
from operators.scene.dataset.layout import CONVERSATIONS, RL, SWIFT, DataFolder, cannot_write, names_a_folder
from operators.scene.dataset.lines import Unwritable, line_of
from operators.scene.dataset.pictures import put_pictures
from operators.scene.dataset.rl import RLFile, rl_rows
from operators.scene.dataset.swift import must_pair, swift_entry
from operators.scene.scene import Scene
from operators.scene.simulator import CallError


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
