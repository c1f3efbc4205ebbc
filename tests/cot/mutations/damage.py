"""What a damage is: a name, what it does to a good sample, and the code by which it must be caught."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from operators.cot.dataset.check import check
from operators.cot.problems import CODES
from tests.cot.mutations.good import Edit, Entry, GoodSet, Which

#: For a damage after which nothing else about the sample can be relied on.
ANY = frozenset(CODES)


@dataclass(frozen=True)
class Damage:
    """One damage. ``code`` must be among what is found, or one of them where two rules say the same.

    ``also`` are the codes that may be found besides, because the damage breaks other rules too. ``do`` takes, by
    ``on``: ``entry`` the sample; ``line`` its line, and gives back what the file then holds; ``set`` the folder of
    the data set and the good set, and writes its files; ``root`` a copy of the input root, and the sample.
    """

    name: str
    code: str | tuple[str, ...]
    do: Callable[..., Any]
    of: tuple[Which, ...]
    also: frozenset[str] = frozenset()
    on: Literal["entry", "line", "set", "root"] = "entry"

    @property
    def codes(self) -> frozenset[str]:
        return frozenset([self.code] if isinstance(self.code, str) else self.code)


#: Tasks that have a sample only where a recovery tells its verdict: no step is sure to have one.
UNSURE = (41, 42)


def of(*tasks: int, step: int | None = None, **more: Any) -> tuple[Which, ...]:
    """A good sample of each task, about the step where the task is sure to have one."""
    return tuple(Which(task, step=None if task in UNSURE else step, **more) for task in tasks)


def entry(
    name: str, code: str | tuple[str, ...], do: Edit, where: tuple[Which, ...], also: frozenset[str] | set[str] = ANY
) -> Damage:
    """A damage to a parsed sample; unless told otherwise, what else is found does not matter."""
    return Damage(name, code, do, where, frozenset(also))


def written(sample: Entry) -> str:
    return json.dumps(sample, ensure_ascii=True)


def write(cot_root: Path, folder: str, content: str | bytes, file: str = "data.jsonl") -> None:
    path = cot_root / folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # a new file is faster than an old one made empty
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))


def linked(root: Path, item: str, target: Path) -> Path:
    """A copy of an item as an input root; its files are links: put new ones in their place, never write into them."""
    shutil.copytree(root / item, target / item, copy_function=os.link)
    return target


def found(root: Path, cot_root: Path) -> set[str]:
    """The codes that the strict check finds; it must then say that it failed."""
    summary = check(root, cot_root, strict=True)
    codes = set(summary.by_code)
    assert summary.failed == bool(codes)
    return codes


class Bench:
    """Where damaged samples are laid for the check: one folder a task, used again and again, and fresh input roots."""

    def __init__(self, good: GoodSet, scratch: Path) -> None:
        self.good = good
        self.scratch = scratch
        self._fresh = itertools.count()

    def lay(self, which: Which, content: str | bytes) -> Path:
        """A data set of one file with this content; its folder."""
        cot_root = self.scratch / f"task_{which.task}"
        write(cot_root, self.good.names[which.task], content)
        return cot_root

    def damaged(self, damage: Damage, which: Which) -> tuple[Path, Path]:
        """A small data set with one damaged sample: its input root and its folder."""
        root, sample = self.good.root, self.good.pick(which)
        if damage.on == "set":
            cot_root = self.fresh()
            damage.do(cot_root, self.good)
            return root, cot_root
        if damage.on == "line":
            return root, self.lay(which, damage.do(json.dumps(sample, ensure_ascii=False)))
        if damage.on == "root":
            root = linked(root, which.item, self.fresh())
            damage.do(root, sample)
        else:
            before = written(sample)
            damage.do(sample)
            assert written(sample) != before, "the damage changes nothing"
        return root, self.lay(which, written(sample) + "\n")

    def fresh(self) -> Path:
        path = self.scratch / f"fresh_{next(self._fresh)}"
        path.mkdir()
        return path
