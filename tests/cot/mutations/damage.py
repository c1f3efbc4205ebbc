"""What a damage is: a name, what it does to a good sample, and the code by which it must be caught."""

from __future__ import annotations

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


def of(*tasks: int, **more: Any) -> tuple[Which, ...]:
    return tuple(Which(task, **more) for task in tasks)


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
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))


def linked(root: Path, target: Path) -> Path:
    """A copy of an input root; its files are links, so put new ones in their place and never write into them."""
    shutil.copytree(root, target, copy_function=os.link)
    return target


def found(root: Path, cot_root: Path) -> set[str]:
    """The codes that the strict check finds; it must then say that it failed."""
    problems: list[Any] = []
    summary = check(root, cot_root, strict=True, on_problem=problems.append)
    codes = {problem.code for problem in problems}
    assert summary.failed == bool(codes)
    return codes


def damaged(damage: Damage, which: Which, good: GoodSet, scratch: Path) -> tuple[Path, Path]:
    """Write a small data set with one damaged sample below ``scratch``: its input root and its folder."""
    root, cot_root = good.root, scratch / "cot"
    folder = good.names[which.task]
    sample = good.pick(which)
    if damage.on == "set":
        cot_root.mkdir(parents=True)
        damage.do(cot_root, good)
    elif damage.on == "line":
        write(cot_root, folder, damage.do(json.dumps(sample, ensure_ascii=False)))
    else:
        if damage.on == "root":
            root = linked(good.root, scratch / "root")
            damage.do(root, sample)
        else:
            before = written(sample)
            damage.do(sample)
            assert written(sample) != before, "the damage changes nothing"
        write(cot_root, folder, written(sample) + "\n")
    return root, cot_root
