"""The episodes below a folder: one row each, by its metadata, or by its pictures if it has none."""

from __future__ import annotations

import logging
import os
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal, TypeVar

import pyarrow as pa

from dataflow_ext import DataflowError, InputError
from dataflow_ext.well_formed import is_well_formed, quoted
from operators.game.metadata import Round, RoundError, Tree, load_rounds, pictures_named

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

logger = logging.getLogger(__name__)

_LOOKS_LIKE = (
    "a root looks like this: ROOT/DEVICE/episode_001_metadata.json with its screenshots beside it, or "
    "ROOT/DEVICE/EPISODE/ with a metadata.json or with pictures that have 'question' and 'result' in their names."
)

#: What counts as a picture.
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})

_WORDS = re.compile("question|result", re.IGNORECASE)
_EPISODE = re.compile(r".*?episode[ _-]?\d+", re.IGNORECASE)
_ROUND = re.compile(r"round[ _-]?(\d{1,18})(?!\d)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


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
    for folder, pictures in _grouped(found.pictures, lambda path: path.parent).items():
        left = [path for path in pictures if path.as_posix() not in named]
        alone = folder not in described and len(left) == len(pictures)
        if alone and any(says_what_it_shows(path.name) for path in pictures):
            rows += _grouped(pictures, lambda path: episode_in(path.name) or "").values()
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
            if not is_well_formed(name):
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
    if not is_well_formed(folder.name):
        found.unread.append(repr(str(folder)))
        return False
    return True


def _is_ours(name: str) -> bool:
    if name.startswith("."):
        return False
    return name == "metadata.json" or name.endswith("_metadata.json") or Path(name).suffix.lower() in SUFFIXES


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


def _grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> Mapping[Key, list[Item]]:
    groups: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


@dataclass(frozen=True, slots=True)
class _Named:
    """A picture by its name: what it shows, what is left of the name without that word, the numbers in it."""

    path: str
    shows: Literal["question", "result"]
    rest: str
    numbers: tuple[int, ...]
    number: int | None
    #: The episode and the round that the name tells in so many words.
    told: tuple[str | None, int] | None


def episode_in(name: str) -> str | None:
    """The episode that a picture's name begins with.

    >>> episode_in("episode_001_round_02_question.png")
    'episode_001'
    """
    found = _EPISODE.match(name)
    return found[0] if found else None


def says_what_it_shows(name: str) -> bool:
    """Whether a picture's name has the word question or result in it."""
    return _WORDS.search(PurePosixPath(name).stem) is not None


def paired(paths: Sequence[str]) -> tuple[list[Round], list[tuple[str, RoundError]]]:
    """The rounds that pictures make, in the order of their numbers, and the pictures that make none.

    Names are compared first; pictures left over are paired by all the numbers in their names, then by the one
    after "round" alone, each time if these fit one question and one result only. A round's number is the one
    after "round", else the last one in the question's name; where these do not tell all rounds apart, the
    rounds are counted from 1.

    >>> paired(["a/question_2.png", "a/result_2.png"])[0]
    [Round(number=2, question='a/question_2.png', result='a/result_2.png', selected=None, clicked=None)]
    """
    named, alone = [], []
    for path in sorted(paths):
        read = _read(path)
        if read is None:
            alone.append((path, RoundError(f"{quoted(path)} has neither 'question' nor 'result' in its name")))
        else:
            named.append(read)
    pairs: list[tuple[_Named, _Named]] = []
    keys: list[Callable[[_Named], Hashable]] = [lambda p: p.rest, lambda p: p.numbers or None, lambda p: p.told]
    for key in keys:
        found = _matched(named, key)
        pairs += found
        used = {picture.path for pair in found for picture in pair}
        named = [picture for picture in named if picture.path not in used]
    alone += [(picture.path, _lonely(picture)) for picture in named]
    return _numbered(pairs), alone


def _read(path: str) -> _Named | None:
    stem = PurePosixPath(path).stem
    words = _WORDS.findall(stem)
    if not words:
        return None
    rest = " ".join(re.split(r"[\W_]+", _WORDS.sub(" ", stem).casefold())).strip()
    digits = _DIGITS.findall(stem)
    numbers = tuple(int(each) for each in digits if len(each) <= 18)
    after_round = _ROUND.search(stem)
    told = (episode_in(stem), int(after_round[1])) if after_round else None
    number = told[1] if told else numbers[-1] if numbers else None
    # The last word counts: question_01_result is the result that goes with question_01.
    return _Named(path, "question" if words[-1].lower() == "question" else "result", rest, numbers, number, told)


def _matched(named: Sequence[_Named], key: Callable[[_Named], Hashable]) -> list[tuple[_Named, _Named]]:
    """One question and one result with the same key; where there are more of either, none."""
    pairs = []
    for value, group in _grouped(named, key).items():
        questions = [picture for picture in group if picture.shows == "question"]
        results = [picture for picture in group if picture.shows == "result"]
        if value is not None and len(questions) == len(results) == 1:
            pairs.append((questions[0], results[0]))
    return pairs


def _lonely(picture: _Named) -> RoundError:
    other = "result" if picture.shows == "question" else "question"
    return RoundError(f"{quoted(picture.path)} has no partner: not exactly one {other} picture is named like it")


def _numbered(pairs: Sequence[tuple[_Named, _Named]]) -> list[Round]:
    pairs = sorted(pairs, key=lambda pair: (pair[0].number is None, pair[0].number or 0, pair[0].path))
    numbers = [question.number for question, _ in pairs]
    distinct = None not in numbers and len(set(numbers)) == len(numbers)
    return [
        Round(question.number if distinct else place, question.path, result.path)
        for place, (question, result) in enumerate(pairs, 1)
    ]
