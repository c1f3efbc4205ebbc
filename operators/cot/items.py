"""The annotated videos below a folder: one row each, by its plan."""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pyarrow as pa

from dataflow_ext import InputError
from operators.cot.sample import PLAN_FILE

logger = logging.getLogger(__name__)

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
VIDEOS = frozenset({".mp4", ".webm", ".mkv", ".mov", ".avi"})

STEP_META = "step_meta.json"
FRAME_MANIFEST = "stage1/frame_manifest.json"
SCENES = "stage1/sampled_frames"
PREFIX_VIDEOS = "cumulative_last_frame_segments"
STEP_CLIPS = "stage2/step_clips"

_LOOKS_LIKE = (
    f"a root looks like this: ROOT/VIDEO/{PLAN_FILE} with the folders of its steps beside it, "
    "such as ROOT/VIDEO/01_open_the_box/ with step_meta.json and frame_003_ts_0.48s.jpg."
)
_STEP_FOLDER = re.compile(r"[0-9]+_")


@dataclass(frozen=True, slots=True)
class ItemFiles:
    """What belongs to an item by its layout: JSON files that tell steps and times, and pictures and videos."""

    manifests: list[Path] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def items(root: Path) -> pa.Table:
    """A row an item, sorted: root, source_path, plan_file, manifests, files.

    An item is a folder at any depth, the root included, that has a plan. ``manifests`` are paths of files,
    absolute as ``root`` and ``plan_file`` are; ``files`` are its pictures and videos relative to the root. Hidden
    folders, folders of earlier runs and links that leave the root are passed by. Raises InputError if there is
    no root, or nothing in it.
    """
    if not root.is_dir():
        what = "is a file, no folder" if root.is_file() else "there is no such folder"
        raise InputError(f"{root}: {what}; {_LOOKS_LIKE}")
    whole = Path(os.path.abspath(root))  # noqa: PTH100 - a link's own name, not its target's
    skipped: list[str] = []
    folders = sorted(_folders_with_plans(whole, skipped))
    found = [(folder, item_files(whole, folder, skipped)) for folder in folders]
    if skipped:
        logger.warning(
            "%s: %d folder(s) or file(s) cannot be read or have names that cannot be written; the first: %s",
            root, len(skipped), skipped[0],
        )  # fmt: skip
    if not found:
        raise InputError(f"{root}: there is no {PLAN_FILE} in it; {_LOOKS_LIKE}")
    texts, lists = pa.string(), pa.list_(pa.string())
    plans = [(folder / PLAN_FILE).as_posix() for folder in folders]
    try:
        return pa.table(
            {
                "root": pa.array([str(whole)] * len(found), texts),
                "source_path": pa.array(plans, texts),
                "plan_file": pa.array([str(whole / path) for path in plans], texts),
                "manifests": pa.array([[str(path) for path in each.manifests] for _, each in found], lists),
                "files": pa.array([each.files for _, each in found], lists),
            }
        )
    except UnicodeEncodeError:
        raise InputError(f"{str(root)!r}: the folder's name is not UTF-8; rename it.") from None


def item_files(root: Path, folder: PurePosixPath, skipped: list[str] | None = None) -> ItemFiles:
    """What belongs to the item in a folder, given relative to the root; all sorted.

    ``skipped`` collects what cannot be read or named in a table.
    """
    passed: list[str] = [] if skipped is None else skipped
    real = os.path.realpath(root)
    found = ItemFiles()

    def listed(place: str, endings: frozenset[str]) -> None:
        for entry in _entries(root / folder / place, real, passed):
            if PurePosixPath(entry.name).suffix.lower() in endings and is_there(entry.path):
                found.files.append((folder / place / entry.name).as_posix())

    for entry in list(_entries(root / folder, real, passed)):
        if not os.path.isdir(entry):  # noqa: PTH112 - unlike the entry's own, it never raises
            continue
        meta = Path(entry.path, STEP_META)
        told = _is_within(meta, real)
        if told:
            found.manifests.append(meta)
        if told or _STEP_FOLDER.match(entry.name):
            listed(entry.name, PICTURES)
    scenes = root / folder / FRAME_MANIFEST
    if _is_within(scenes, real):
        found.manifests.append(scenes)
    listed(SCENES, PICTURES)
    listed(PREFIX_VIDEOS, VIDEOS)
    found.manifests.sort()
    found.files.sort()
    return found


def is_there(path: str) -> bool:
    """Whether there is a file of a path with anything in it; an empty picture or video shows nothing."""
    try:
        told = os.stat(path)  # noqa: PTH116 - asked of each file of a data set: the fastest way
    except (OSError, ValueError):  # no such file, or a path that can be none
        return False
    return told.st_size > 0 and stat.S_ISREG(told.st_mode)


def _folders_with_plans(root: Path, skipped: list[str]) -> Iterator[PurePosixPath]:
    real = os.path.realpath(root)
    for folder, folders, names in os.walk(root, onerror=lambda error: skipped.append(repr(error.filename))):
        folders[:] = [name for name in folders if _is_entered(Path(folder, name), skipped)]
        if PLAN_FILE in names and _is_within(Path(folder, PLAN_FILE), real):
            yield PurePosixPath(Path(folder).relative_to(root).as_posix())


def _is_entered(folder: Path, skipped: list[str]) -> bool:
    """Whether a folder may hold items: not if it is hidden, or holds what an earlier run made."""
    if folder.name.startswith(".") or (folder / ".run").is_dir():
        return False
    return _is_plain(folder.name, str(folder), skipped)


def _entries(folder: Path, real: str, skipped: list[str]) -> Iterator[os.DirEntry[str]]:
    """What lies in a folder, but for hidden ones, links that leave the root, and names that cannot be written."""
    try:
        if not _stays(str(folder), real):
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not _is_plain(entry.name, entry.path, skipped):
                    continue
                if not entry.is_symlink() or _stays(entry.path, real):
                    yield entry
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        skipped.append(repr(error.filename))


def _is_within(file: Path, real: str) -> bool:
    """Whether there is such a file, and no link to it leaves the root."""
    return os.path.isfile(file) and _stays(str(file), real)  # noqa: PTH113 - unlike Path's, it never raises


def _stays(path: str, real: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(real)


def _is_plain(name: str, path: str, skipped: list[str]) -> bool:
    """Whether a name can stand in a table, and in a path of the format."""
    try:
        name.encode()
    except UnicodeEncodeError:
        skipped.append(repr(path))
        return False
    if "\\" in name:
        skipped.append(repr(path))
        return False
    return True
