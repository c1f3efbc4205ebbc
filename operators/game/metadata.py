"""An episode's metadata: its rounds, the pictures they name, and why a round or the file cannot be used."""

from __future__ import annotations

import json
import math
import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from dataflow_ext import DataflowError, InputError, RowError
from dataflow_ext.well_formed import quoted

#: A longer file, or one with more rounds, is no episode.
_MOST_BYTES, _MOST_ROUNDS = 32 * 2**20, 100_000
#: Bytes that a path, and a name in it, have at most: well below what systems allow.
_LONGEST, _LONGEST_PART = 1000, 255
#: Collectors call the bare word a picture, others a text: what says that it is a picture goes first.
_ENDINGS = ("_screenshot", "_image", "_path", "")


class MetadataError(InputError):
    """The file that describes an episode cannot be used."""


class RoundError(RowError):
    """A round of an episode lacks something, or is there twice."""


class PathError(InputError):
    """A path is none, or leads out of the root."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its number, if it has one, its pictures' paths below the root, the card that was picked, and where."""

    number: int | None
    question: str
    result: str
    selected: int | None = None
    clicked: tuple[float, float] | None = None


@dataclass(frozen=True)
class Tree:
    """The folder that all pictures lie in, and how paths written in one of its folders are found in it."""

    root: Path

    @cached_property
    def _real(self) -> Path:
        return Path(os.path.realpath(self.root))

    @cached_property
    def _stays(self) -> dict[Path, bool]:
        """Whether folders and links, all links followed, lie in the root."""
        return {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the folders that lead to the root, its own last."""
        return Path(os.path.abspath(self.root)).parts[1:]  # noqa: PTH100 - a link's own name, not its target's

    def place(self, file: Path) -> PurePosixPath:
        """A file's path relative to the root; :class:`PathError` if it does not lie in it."""
        try:
            whole = Path(os.path.abspath(file))  # noqa: PTH100 - as above
            inside = whole.relative_to(os.path.abspath(self.root))  # noqa: PTH100 - as above
        except ValueError:
            raise PathError(f"{file} does not lie in the root {self.root}.") from None
        self._must_stay(inside.as_posix(), str(file))
        return PurePosixPath(inside.as_posix())

    def picture(self, given: object, here: PurePosixPath) -> str:
        """The path, relative to the root, of a picture that metadata in the folder ``here`` names.

        It is looked for below the root, below ``here``, and below the folders between. Where there is no such
        file yet, it is where its folder is. Raises :class:`PathError` for what is no path, and for what leads
        out of the root.
        """
        text = _checked(given)
        near = [here, *here.parents] if here.parts else [here]
        inside = list(dict.fromkeys([*self._below([near[-1], *near], text), *self._from_above(text)]))
        if not inside:
            raise PathError(f"{quoted(text)} names no file in the root; screenshots lie in it.")
        there = next((path for path in inside if os.path.isfile(self.root / path)), None)  # noqa: PTH113 - never raises
        if there is None:
            nearest = [*self._below(near, text), *inside]
            folders = (path for path in nearest if os.path.isdir((self.root / path).parent))  # noqa: PTH112 - as above
            there = next(folders, nearest[0])
        self._must_stay(there, quoted(text))
        return there

    def _below(self, folders: list[PurePosixPath], text: str) -> Iterator[str]:
        """The path seen from these folders, where that lies in the root."""
        for folder in folders:
            path = posixpath.normpath(posixpath.join(folder.as_posix(), text))
            if path.partition("/")[0] not in ("..", "."):
                yield path

    def _from_above(self, text: str) -> Iterator[str]:
        """The path seen from a folder above the root, for roots that are one device's or one episode's folder."""
        parts = PurePosixPath(posixpath.normpath(text)).parts
        for many in (1, 2):
            if len(parts) > many and parts[:many] == self.names[-many:]:
                yield posixpath.join(*parts[many:])

    def _must_stay(self, path: str, given: str) -> None:
        """Refuse links that lead out of the root."""
        whole = self.root / path
        # Of files that are no links the folder tells it, once for all of them.
        told_by = whole if os.path.islink(whole) else whole.parent  # noqa: PTH114 - unlike Path's, it never raises
        if told_by not in self._stays:
            self._stays[told_by] = Path(os.path.realpath(told_by)).is_relative_to(self._real)
        if not self._stays[told_by]:
            raise PathError(f"{given} is, or lies behind, a link that leads out of the root.")


def load_rounds(path: Path) -> list[Any]:
    """The rounds of a metadata file as they are in it; :class:`MetadataError` if it is no such file."""
    data = _parsed(path)
    if not isinstance(data, dict):
        raise MetadataError(f"{path}: metadata is an object with 'rounds', this is {_kind(data)}.")
    if "rounds" not in data:
        keys = ", ".join(quoted(key) for key in list(data)[:5]) or "nothing"
        raise MetadataError(f"{path}: there is no 'rounds' in it, only {keys}.")
    rounds = data["rounds"]
    if not isinstance(rounds, list):
        raise MetadataError(f"{path}: 'rounds' is {_kind(rounds)}, not a list of rounds.")
    if len(rounds) > _MOST_ROUNDS:
        raise MetadataError(f"{path}: {len(rounds):,} rounds are no episode; the most is {_MOST_ROUNDS:,}.")
    return rounds


def round_of(record: object, tree: Tree, here: PurePosixPath) -> Round:
    """The round that an entry of the metadata in folder ``here`` describes.

    Raises :class:`RoundError` if a picture is not named, :class:`PathError` if it is named by what is no path
    in the root. A number or a selection that cannot be one is None.
    """
    if not isinstance(record, dict):
        raise RoundError(f"a round is an object, this is {_kind(record)}")
    question, result = (tree.picture(_named(record, what), here) for what in ("question", "result"))
    if question == result:
        raise RoundError(f"question and result are the same picture, {quoted(question)}")
    number, selected = record.get("round"), record.get("selected_index")
    usable = isinstance(number, int) and not isinstance(number, bool) and number >= 0
    picked = isinstance(selected, int) and not isinstance(selected, bool) and 0 <= selected <= 2
    clicked = _point(record.get("click_position"))
    return Round(number if usable else None, question, result, selected if picked else None, clicked)


def pictures_named(record: object, tree: Tree, here: PurePosixPath) -> Iterator[str]:
    """The pictures that an entry names as :func:`round_of` would find them, as far as it names any."""
    for what in ("question", "result"):
        try:
            yield tree.picture(_named(record, what) if isinstance(record, dict) else None, here)
        except DataflowError:
            continue


def _point(given: object) -> tuple[float, float] | None:
    """A place as x and y; None for anything else."""
    if not isinstance(given, list) or len(given) != 2:
        return None
    if any(isinstance(side, bool) or not isinstance(side, int | float) or side < 0 for side in given):
        return None
    return float(given[0]), float(given[1])


def _named(record: dict[str, Any], what: str) -> object:
    """What a round names its question or its result by."""
    for key in (what + ending for ending in _ENDINGS):
        if record.get(key) is not None and record[key] != "":
            return record[key]
    raise RoundError(f"no {what} picture is named; it stands under '{what}{_ENDINGS[0]}'")


def _checked(given: object) -> str:
    """A path from outside with / between its parts; :class:`PathError` if it cannot be one below a folder."""
    if not isinstance(given, str):
        raise PathError(f"a path is a text, this is {_kind(given)}")
    text = given.replace("\\", "/")
    if "\0" in text or text != text.encode("utf-8", "ignore").decode("utf-8"):
        raise PathError(f"{quoted(given)} holds characters that no path has")
    if (size := len(text.encode())) > _LONGEST or any(len(part.encode()) > _LONGEST_PART for part in text.split("/")):
        raise PathError(f"{quoted(given)} is too long for a path, {size:,} bytes")
    if text.startswith("/") or re.match(r"[A-Za-z]:", text):
        raise PathError(f"{quoted(given)} is an absolute path; screenshots are named relative to the root")
    return text


def _parsed(path: Path) -> Any:
    try:
        if not path.is_file():
            raise MetadataError(f"{path}: there is no such file.")
        if (size := path.stat().st_size) > _MOST_BYTES:
            raise MetadataError(f"{path}: {size:,} bytes are no episode's metadata; the most is {_MOST_BYTES:,}.")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise MetadataError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except UnicodeDecodeError as error:
        raise MetadataError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8.") from None
    try:
        return json.loads(text, parse_constant=str, parse_int=_whole, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise MetadataError(f"{path}: not JSON ({error}).") from None


def _whole(digits: str) -> int | str:
    """The number, or its digits if no column could hold it: one such number costs no other round."""
    return int(digits) if len(digits) <= 18 else digits


def _finite(digits: str) -> float | str:
    return number if math.isfinite(number := float(digits)) else digits


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
