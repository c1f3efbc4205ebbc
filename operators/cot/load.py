"""Plans and items by their paths, remembered as long as the plan's file stays as it is."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TypeVar

from operators.cot.items import item_files
from operators.cot.media import Media
from operators.cot.media_files import media_of
from operators.cot.plan import Plan
from operators.cot.plan_files import MOST_BYTES, PlanError, parse_plan
from operators.cot.sample import PLAN_FILE

__all__ = ["Item", "PlanError", "load_item", "load_plan"]

_T = TypeVar("_T")

#: How many plans, and how many items, are remembered.
_REMEMBERED = 1024
_PLACES = 16_384


@dataclass(frozen=True, slots=True)
class Item:
    """A plan and what there is to see of it."""

    plan: Plan
    media: Media


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Why something cannot be used: remembered as good ones are, so that nothing bad is read twice."""

    sentence: str


def load_plan(plan_file: Path | str) -> Plan:
    """The plan in a file: the same object as long as the file does not change. Raises :class:`PlanError`."""
    path = os.fspath(plan_file)
    return _given(_plan(path, *_stamp(path)))


def load_item(root: Path | str, source_path: str) -> Item:
    """The item whose plan lies at ``source_path`` below the root; its folder is looked through with the plan.

    Raises :class:`PlanError` if the plan cannot be read, and for a path that is absolute, leaves the root, by links
    too, or is not that of a plan.
    """
    base = os.fspath(root)
    path = _given(_place(base, source_path))
    return _given(_item(base, source_path, *_stamp(path)))


def _given(value: _T | _Wrong) -> _T:
    if isinstance(value, _Wrong):
        raise PlanError(value.sentence)
    return value


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
def _plan(path: str, size: int, mtime: int) -> Plan | _Wrong:
    del mtime  # it is of the key alone
    if size > MOST_BYTES:
        return _Wrong(f"{_shown(path)}: {size:,} bytes are no plan; the most is {MOST_BYTES:,}.")
    try:
        return parse_plan(Path(path).read_bytes())
    except PlanError as error:
        return _Wrong(f"{_shown(path)}: {error}")
    except OSError as error:
        return _Wrong(f"{_shown(path)}: the plan cannot be read ({error.strerror or error}).")


@lru_cache(_PLACES)
def _place(root: str, source_path: str) -> str | _Wrong:
    """The plan's file, if it lies below the root."""
    parts = source_path.split("/")
    if parts[-1] != PLAN_FILE:
        return _Wrong(f"{_shown(source_path)}: it is not the path of a {PLAN_FILE}.")
    if not {"", ".", ".."}.isdisjoint(parts) or "\\" in source_path or "\0" in source_path:
        return _Wrong(f"{_shown(source_path)}: a plan's path is relative to the root, with / between its parts.")
    path = f"{root.rstrip('/')}/{source_path}"
    try:
        real = Path(os.path.realpath(path))
    except (OSError, ValueError):
        return _Wrong(f"{_shown(source_path)}: no file has such a path.")
    if not real.is_relative_to(os.path.realpath(root)):
        return _Wrong(f"{_shown(source_path)}: it is, or lies behind, a link that leaves the root.")
    return path


@lru_cache(_REMEMBERED)
def _item(root: str, source_path: str, size: int, mtime: int) -> Item | _Wrong:
    plan = _plan(f"{root.rstrip('/')}/{source_path}", size, mtime)
    if isinstance(plan, _Wrong):
        return plan
    found = item_files(Path(root), PurePosixPath(source_path).parent)
    return Item(plan, media_of(plan, source_path, found.files, found.manifests))


def _shown(path: str) -> str:
    """A path as messages show it: short, with nothing in it that a terminal obeys."""
    text = path if path.isprintable() else repr(path)
    return text if len(text) <= 200 else text[:199] + "…"
