"""EpisodeReader: the rounds of an episode, from its metadata or from the names of its pictures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.outcomes import Record, made_by_reading
from dataflow_ext.well_formed import quoted
from operators.game.inputs import SUFFIXES, episode_in, paired
from operators.game.metadata import MetadataError, Round, RoundError, Tree, load_rounds, round_of
from operators.game.rounds import Point

#: The most characters of a round that are kept with its reject.
_KEPT = 10_000

#: A round with its reject's record, or why there is none.
_Outcome = Round | tuple[str, Exception, object]


class EpisodeReader(Operator):
    """The rounds of each episode: who played it where, its two pictures, and the card that was picked.

    A round that cannot be used is a reject of its own, with the round as its ``inputs``. Whether the pictures are
    there is for the steps to find that look at them.

    Reads:
        root: the folder that all files lie in.
        files: an episode's metadata or, if it has none, its pictures, which are paired by their names; both columns
            are as :func:`operators.game.inputs.episodes` finds them.

    Writes:
        device: the device's folder, relative to the root.
        episode: its name, unique in the device.
        round: its number, unique in the episode.
        question, result: the files of the two pictures.
        image: the question's path relative to the root.
        selected: the card that the player picked, counted from 0; null where nothing tells.
        clicked: x and y of that click, in pixels of the question; null where nothing tells.

    Rejects:
        RoundError: a round lacks something, or is there twice.
        PathError: a path leads out of the root.
        MetadataError: a file that cannot be used at all, or has no rounds.

    Example:
        >>> files = ["/raw/phone/episode_1/question_2.png", "/raw/phone/episode_1/result_2.png"]
        >>> rounds = EpisodeReader()(pa.table({"root": ["/raw"], "files": [files]}))
        >>> rounds.select(["device", "episode", "round", "image"]).to_pylist()
        [{'device': 'phone', 'episode': 'episode_1', 'round': 2, 'image': 'phone/episode_1/question_2.png'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"root": str, "files": list[Path]}
    outputs: ClassVar[Any] = {
        "device": str,
        "episode": str,
        "round": int,
        "question": Path,
        "result": Path,
        "image": str,
        "selected": int | None,
        "clicked": Point | None,
    }

    def batch(self, table: pa.Table) -> Made:
        """Read one episode after the other; what is wrong with one costs no other its rounds."""
        return made_by_reading(self, table, _episode)


def _episode(record: Record) -> list[Record | Failure]:
    """The output rows of an episode, and the failures of its rounds."""
    tree, files = Tree(Path(record["root"])), record["files"]
    places = [tree.place(file) for file in files]
    outcomes: list[_Outcome]
    if len(files) == 1 and files[0].suffix.lower() == ".json":
        outcomes = list(_told(tree, places[0], files[0]))
        if not outcomes:
            message = f"{files[0]}: the episode has no rounds; its list of rounds is empty."
            return [Failure(0, message, "MetadataError", kind="empty")]
    elif files and all(file.suffix.lower() in SUFFIXES for file in files):
        rounds, alone = paired([place.as_posix() for place in places])
        outcomes = [*rounds, *(("", error, {"picture": path}) for path, error in alone)]
    else:
        raise MetadataError(f"An episode is one metadata file (.json) or pictures, not {_listed(files)}.")
    device, episode = _called(tree, places)
    made = [_row(tree, device, episode, each) for each in outcomes if isinstance(each, Round)]
    return [*made, *(_failure(*each) for each in outcomes if not isinstance(each, Round))]


def _told(tree: Tree, place: PurePosixPath, file: Path) -> Iterator[_Outcome]:
    """The rounds of a metadata file: each with a number and pictures of its own, or why it cannot be used."""
    drafts: list[tuple[int, Round, object]] = []
    pictures: dict[str, int] = {}
    numbers: set[int] = set()
    lost: dict[int, tuple[str, Exception, object]] = {}
    records = load_rounds(file)
    for at, record in enumerate(records, 1):
        try:
            draft = round_of(record, tree, place.parent)
            if again := next((path for path in (draft.question, draft.result) if path in pictures), None):
                raise RoundError(f"{quoted(again)} is a picture of entry {pictures[again]} already")
            if draft.number in numbers:
                raise RoundError("an earlier entry has the same number")
        except Exception as error:
            lost[at] = (f"{place}, {_entry(at, record)}", error, record)
            continue
        pictures |= dict.fromkeys((draft.question, draft.result), at)
        if draft.number is not None:
            numbers.add(draft.number)
        drafts.append((at, draft, record))
    kept = dict(_all_numbered(drafts, numbers, len(records)))
    for at in range(1, len(records) + 1):
        yield kept[at] if at in kept else lost[at]


def _all_numbered(
    drafts: Sequence[tuple[int, Round, object]], numbers: set[int], total: int
) -> Iterator[tuple[int, Round]]:
    """The rounds with a number each: their own, else their place in the list, else one that is free."""
    free = max(total, *numbers, 0)
    for at, draft, _ in drafts:
        if draft.number is not None:
            yield at, draft
        elif at not in numbers:
            yield at, replace(draft, number=at)
        else:
            free += 1
            yield at, replace(draft, number=free)


def _called(tree: Tree, places: Sequence[PurePosixPath]) -> tuple[str, str]:
    """What the device and the episode of these files are called."""
    folder, name = places[0].parent, places[0].name
    told = name.endswith(".json")
    if told:
        own = None if name == "metadata.json" else places[0].stem.removesuffix("_metadata")
    else:
        shared = {episode_in(place.name) for place in places}
        own = shared.pop() if len(shared) == 1 else None
    root = tree.names[-1] if tree.names else "device"
    if own and own != folder.name:
        return (folder.as_posix() if folder.parts else root), own
    if not folder.parts:
        return (tree.names[-2] if len(tree.names) > 1 else root), root
    episode = folder.name
    if os.path.isfile(tree.root / folder.parent / f"{episode}_metadata.json"):  # noqa: PTH113 - never raises
        episode += "_folder"  # the name is that of another episode beside it
    if len(folder.parts) > 1:
        return folder.parent.as_posix(), episode
    # One folder below the root: metadata or the name say that it is an episode's, so the root is a device's.
    return (root if told or episode_in(folder.name) else folder.name), episode


def _row(tree: Tree, device: str, episode: str, each: Round) -> dict[str, Any]:
    return {
        "device": device,
        "episode": episode,
        "round": each.number,
        "question": tree.root / each.question,
        "result": tree.root / each.result,
        "image": each.question,
        "selected": each.selected,
        "clicked": each.clicked,
    }


def _entry(at: int, record: object) -> str:
    """What a round of the list is called in messages."""
    number = record.get("round") if isinstance(record, dict) else None
    return f"entry {at}" + (f" (round {number})" if isinstance(number, int) else "")


def _failure(where: str, error: Exception, record: object) -> Failure:
    failure = Failure.of(0, error)
    failure.message = f"{where + ': ' if where else ''}{str(error).rstrip('.')}."
    failure.inputs = _json(record)
    return failure


def _json(record: object) -> str | None:
    try:
        # What is no character stays the escape that it was in the file.
        text = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")
    except RecursionError:
        return None
    return text if len(text) <= _KEPT else json.dumps({"cut": text[:_KEPT]}, ensure_ascii=False)


def _listed(files: Sequence[Path]) -> str:
    names = ", ".join(quoted(file.name) for file in files[:3])
    return f"{names}{', …' if len(files) > 3 else ''}" or "nothing"
