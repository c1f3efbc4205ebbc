"""The episodes below a folder: one row each, by its metadata, or by its pictures if it has none."""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pyarrow as pa

from dataflow_ext import DataflowError, InputError
from operators.game.metadata import Tree, load_rounds, pictures_named
from operators.game.picture_pairs import SUFFIXES, episode_in, says_what_it_shows

logger = logging.getLogger(__name__)

_LOOKS_LIKE = (
    "a root looks like this: ROOT/DEVICE/episode_001_metadata.json with its screenshots beside it, or "
    "ROOT/DEVICE/EPISODE/ with a metadata.json or with pictures that have 'question' and 'result' in their names."
)


def episodes(root: Path) -> pa.Table:
    """A row an episode, sorted: ``root``, and ``files``, its metadata or, without metadata, its pictures.

    Metadata is a file ``metadata.json`` or ``…_metadata.json``, at any depth. Hidden folders, folders of
    earlier runs and links that leave the root are passed by. Pictures that lie beside metadata which does not
    name them are no episode; the log tells how many. Raises InputError if there is no root, or nothing in it.
    """
    if not root.is_dir():
        what = "is a file, no folder" if root.is_file() else "there is no such folder"
        raise InputError(f"{root}: {what}; {_LOOKS_LIKE}")
    found = _walked(root)
    rows = [[path] for path in found.metadata]
    unused: list[PurePosixPath] = []
    named = set(_named(root, found.metadata))
    described = {path.parent for path in found.metadata}
    for folder, pictures in found.by_folder().items():
        left = [path for path in pictures if path.as_posix() not in named]
        alone = folder not in described and len(left) == len(pictures)
        if alone and any(says_what_it_shows(path.name) for path in pictures):
            rows += _by_episode(pictures).values()
        else:
            unused += left
    found.warn(root, unused)
    if not rows:
        raise InputError(f"{root}: there is no episode in it; {_LOOKS_LIKE}")
    rows.sort()
    try:
        return pa.table(
            {
                "root": pa.array([str(root)] * len(rows), pa.string()),
                "files": pa.array([[str(root / path) for path in row] for row in rows], pa.list_(pa.string())),
            }
        )
    except UnicodeEncodeError:
        raise InputError(f"{str(root)!r}: the folder's name is not UTF-8; rename it.") from None


@dataclass(slots=True)
class _Found:
    """What lies below a root, by paths relative to it, sorted; and what could not be looked at."""

    metadata: list[PurePosixPath] = field(default_factory=list)
    pictures: list[PurePosixPath] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def by_folder(self) -> Mapping[PurePosixPath, list[PurePosixPath]]:
        """The pictures of each folder."""
        folders: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
        for path in self.pictures:
            folders[path.parent].append(path)
        return folders

    def warn(self, root: Path, unused: Sequence[PurePosixPath]) -> None:
        """Tell of what is not used, in one sentence a kind."""
        if unused:
            logger.warning(
                "%s: %d picture%s not used, as no metadata names them and no episode is made of them; the first: %s",
                root, len(unused), " is" if len(unused) == 1 else "s are", min(unused),
            )  # fmt: skip
        if self.unread:
            logger.warning(
                "%s: %d folder(s) or file(s) cannot be read or have names that are not UTF-8; the first: %s",
                root, len(self.unread), self.unread[0],
            )  # fmt: skip


def _walked(root: Path) -> _Found:
    """Metadata and pictures below the root."""
    found = _Found()
    files: list[PurePosixPath] = []
    links: dict[Path, PurePosixPath] = {}
    real = Path(os.path.realpath(root))
    for folder, folders, names in os.walk(root, onerror=lambda error: found.unread.append(repr(error.filename))):
        folders[:] = sorted(name for name in folders if _is_entered(Path(folder, name), found))
        here = PurePosixPath(Path(folder).relative_to(root).as_posix())
        for name in sorted(names):
            path = Path(folder, name)
            if not _is_ours(name) or not os.path.isfile(path):  # noqa: PTH113 - unlike Path's, it never raises
                continue
            if not _is_text(name):
                found.unread.append(repr(str(path)))
            elif not path.is_symlink():
                files.append(here / name)
            elif (target := Path(os.path.realpath(path))).is_relative_to(real):
                links.setdefault(target, here / name)
    # What a link leads to counts once: where it lies, if that is found, else by the first link.
    own = {real / path for path in files}
    files += [path for target, path in links.items() if target not in own]
    for file in sorted(files):
        (found.metadata if file.suffix == ".json" else found.pictures).append(file)
    return found


def _is_entered(folder: Path, found: _Found) -> bool:
    """Whether a folder may hold episodes: not if it is hidden, or holds what an earlier run made."""
    if folder.name.startswith(".") or (folder / ".run").is_dir():
        return False
    if not _is_text(folder.name):
        found.unread.append(repr(str(folder)))
        return False
    return True


def _is_ours(name: str) -> bool:
    if name.startswith("."):
        return False
    return name == "metadata.json" or name.endswith("_metadata.json") or Path(name).suffix.lower() in SUFFIXES


def _is_text(name: str) -> bool:
    """Whether a name can stand in a table."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _named(root: Path, metadata: Iterable[PurePosixPath]) -> Iterator[str]:
    """The pictures that metadata names, as far as it can be read; its reader tells what is wrong with the rest."""
    tree = Tree(root)
    for path in metadata:
        try:
            rounds = load_rounds(root / path)
        except DataflowError:
            continue
        for record in rounds:
            yield from pictures_named(record, tree, path.parent)


def _by_episode(pictures: Iterable[PurePosixPath]) -> Mapping[str, list[PurePosixPath]]:
    """The pictures of a folder by the episode that their names begin with."""
    groups: dict[str, list[PurePosixPath]] = defaultdict(list)
    for path in pictures:
        groups[episode_in(path.name) or ""].append(path)
    return groups
