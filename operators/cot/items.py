"""The annotated videos below a folder, and their plans: found by their paths, read once."""

from __future__ import annotations

import logging
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath

import pyarrow as pa

from dataflow_ext import InputError
from dataflow_ext.well_formed import is_well_formed, short
from operators.cot.media import FRAME_MANIFEST, PICTURES, PREFIX_VIDEOS, SCENES, STEP_META, VIDEOS, Media, media_of
from operators.cot.plan import Plan
from operators.cot.plan_files import MOST_BYTES, PlanError, parse_plan
from operators.cot.sample import PLAN_FILE

logger = logging.getLogger(__name__)

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
    # Texts rather than paths: an item has dozens of files, each of which is looked at.
    real, home, below = os.path.realpath(root), str(root / folder), "" if folder.name == "" else f"{folder}/"
    found = ItemFiles()

    def listed(place: str, endings: frozenset[str], inside: bool = False) -> None:
        for entry in _entries(f"{home}/{place}", real, passed, inside):
            if os.path.splitext(entry.name)[1].lower() in endings and is_there(entry.path):  # noqa: PTH122
                found.files.append(f"{below}{place}/{entry.name}")

    for entry in list(_entries(home, real, passed)):
        if not os.path.isdir(entry):  # noqa: PTH112 - unlike the entry's own, it never raises
            continue
        meta = f"{entry.path}/{STEP_META}"
        told = _is_within(meta, real, inside=True)
        if told:
            found.manifests.append(Path(meta))
        if told or _STEP_FOLDER.match(entry.name):
            listed(entry.name, PICTURES, inside=True)
    scenes = f"{home}/{FRAME_MANIFEST}"
    if _is_within(scenes, real):
        found.manifests.append(Path(scenes))
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
        folders[:] = [name for name in folders if _is_entered(name, f"{folder}/{name}", skipped)]
        if PLAN_FILE in names and _is_within(f"{folder}/{PLAN_FILE}", real):
            yield PurePosixPath(Path(folder).relative_to(root).as_posix())


def _is_entered(name: str, folder: str, skipped: list[str]) -> bool:
    """Whether a folder may hold items: not if it is hidden, or holds what an earlier run made."""
    if name.startswith(".") or os.path.isdir(f"{folder}/.run"):  # noqa: PTH112 - asked of every folder
        return False
    return _is_plain(name, folder, skipped)


def _entries(folder: str, real: str, skipped: list[str], inside: bool = False) -> Iterator[os.DirEntry[str]]:
    """What lies in a folder, but for hidden ones, links that leave the root, and names that cannot be written."""
    try:
        if not (inside or _stays(folder, real)):
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


def _is_within(file: str, real: str, inside: bool = False) -> bool:
    """Whether there is such a file, and no link to it leaves the root; ``inside`` tells that its folder lies in it."""
    if not os.path.isfile(file):  # noqa: PTH113 - unlike Path's, it never raises
        return False
    return (inside and not os.path.islink(file)) or _stays(file, real)  # noqa: PTH114


def _stays(path: str, real: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(real)


def _is_plain(name: str, path: str, skipped: list[str]) -> bool:
    """Whether a name can stand in a table, and in a path of the format."""
    if is_well_formed(name) and "\\" not in name:
        return True
    skipped.append(repr(path))
    return False


__all__ = ["Item", "PlanError", "load_item", "load_plan"]

#: How many plans, and how many items, are remembered.
_REMEMBERED = 1024
_PLACES = 16_384


@dataclass(frozen=True, slots=True)
class Item:
    """A plan and what there is to see of it."""

    plan: Plan
    media: Media


def load_plan(plan_file: Path | str) -> Plan:
    """The plan in a file: the same object as long as the file does not change. Raises :class:`PlanError`."""
    path = os.fspath(plan_file)
    return _plan(path, *_stamp(path))


def load_item(root: Path | str, source_path: str) -> Item:
    """The item whose plan lies at ``source_path`` below the root; its folder is looked through with the plan.

    Raises :class:`PlanError` if the plan cannot be read, and for a path that is absolute, leaves the root, by links
    too, or is not that of a plan.
    """
    base = os.fspath(root)
    path = _place(base, source_path)
    return _item(base, source_path, *_stamp(path))


def _stamp(path: str) -> tuple[int, int]:
    """A file's size and when it was changed: what tells that it is another."""
    try:
        found = os.stat(path)  # noqa: PTH116 - called for every sample, and a Path costs more than the call
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise PlanError(f"{_shown(path)}: the plan cannot be read ({why}).") from None
    if not stat.S_ISREG(found.st_mode):
        raise PlanError(f"{_shown(path)}: the plan cannot be read (it is no file).")
    return found.st_size, found.st_mtime_ns


@lru_cache(_REMEMBERED)
def _plan(path: str, size: int, mtime: int) -> Plan:
    del mtime  # it is of the key alone
    if size > MOST_BYTES:
        raise PlanError(f"{_shown(path)}: {size:,} bytes are no plan; the most is {MOST_BYTES:,}.")
    try:
        return parse_plan(Path(path).read_bytes())
    except PlanError as error:
        raise PlanError(f"{_shown(path)}: {error}") from None
    except OSError as error:
        raise PlanError(f"{_shown(path)}: the plan cannot be read ({error.strerror or error}).") from None


@lru_cache(_PLACES)
def _place(root: str, source_path: str) -> str:
    """The plan's file, if it lies below the root."""
    parts = source_path.split("/")
    if parts[-1] != PLAN_FILE:
        raise PlanError(f"{_shown(source_path)}: it is not the path of a {PLAN_FILE}.")
    if not {"", ".", ".."}.isdisjoint(parts) or "\\" in source_path or "\0" in source_path:
        raise PlanError(f"{_shown(source_path)}: a plan's path is relative to the root, with / between its parts.")
    path = f"{root.rstrip('/')}/{source_path}"
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        raise PlanError(f"{_shown(source_path)}: no file has such a path.") from None
    if not real.is_relative_to(os.path.realpath(root)):
        raise PlanError(f"{_shown(source_path)}: it is, or lies behind, a link that leaves the root.")
    return path


@lru_cache(_REMEMBERED)
def _item(root: str, source_path: str, size: int, mtime: int) -> Item:
    plan = _plan(f"{root.rstrip('/')}/{source_path}", size, mtime)
    found = item_files(Path(root), PurePosixPath(source_path).parent)
    return Item(plan, media_of(plan, source_path, found.files, found.manifests))


def _shown(path: str) -> str:
    """A path as messages show it: short, with nothing in it that a terminal obeys."""
    return short(path if path.isprintable() else repr(path), 200)
