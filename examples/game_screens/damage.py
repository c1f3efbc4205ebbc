"""Damage to made rounds, one kind after the other, with a list of what was done to which."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Literal, get_args

from examples.game_screens.making import MadeRound

Kind = Literal[
    "result missing",
    "question missing",
    "question truncated",
    "result truncated",
    "result empty",
    "wrong keys in metadata",
    "wrong file in metadata",
    "no cards",
    "five cards",
    "no lamp",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Damaged:
    """One round and what was done to it."""

    kind: Kind
    device: str
    episode: str
    round: int


def damage(folder: Path, made: Sequence[MadeRound], seed: int = 0, kinds: Sequence[Kind] = KINDS) -> list[Damaged]:
    """Damage one round of those in a folder for each kind; all others stay as they are.

    Truncated are PNG pictures, where there are any. ValueError if there are fewer rounds than kinds.
    """
    if len(made) < len(kinds):
        raise ValueError(f"{len(kinds)} kinds of damage need as many rounds, but there are {len(made)}; make more.")
    left = list(made)
    Random(f"{seed}/damage").shuffle(left)
    done = []
    # What asks for a PNG takes its round first.
    for kind in sorted(kinds, key=lambda each: "truncated" not in each):
        wanted = [each for each in left if each.recipe.capture.suffix == "png"] if "truncated" in kind else left
        hit = (wanted or left)[0]
        left.remove(hit)
        _HOW[kind](folder, hit)
        done.append(Damaged(kind, hit.recipe.device, hit.recipe.episode, hit.recipe.game.number))
    return sorted(done, key=lambda each: kinds.index(each.kind))


def _truncate(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


def _change_entry(folder: Path, made: MadeRound, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path = folder / made.recipe.device / f"{made.recipe.episode}_metadata.json"
    metadata = json.loads(path.read_text("utf-8"))
    entries = metadata["rounds"]
    metadata["rounds"] = [change(each) if each["round"] == made.recipe.game.number else each for each in entries]
    path.write_text(json.dumps(metadata, indent=2) + "\n", "utf-8", newline="")


def _wrong_keys(folder: Path, made: MadeRound) -> None:
    names = {"question_screenshot": "before_shot", "result_screenshot": "after_shot"}
    _change_entry(folder, made, lambda entry: {names.get(key, key): value for key, value in entry.items()})


def _wrong_file(folder: Path, made: MadeRound) -> None:
    name = f"{made.recipe.device}/screen_{made.recipe.game.number}.png"
    _change_entry(folder, made, lambda entry: {**entry, "question_screenshot": name})


_HOW: Mapping[Kind, Callable[[Path, MadeRound], object]] = {
    "result missing": lambda folder, made: (folder / made.recipe.path("result")).unlink(),
    "question missing": lambda folder, made: (folder / made.recipe.path("question")).unlink(),
    "question truncated": lambda folder, made: _truncate(folder / made.recipe.path("question"), 0.5),
    "result truncated": lambda folder, made: _truncate(folder / made.recipe.path("result"), 0.7),
    "result empty": lambda folder, made: _truncate(folder / made.recipe.path("result"), 0),
    "wrong keys in metadata": _wrong_keys,
    "wrong file in metadata": _wrong_file,
    "no cards": lambda folder, made: replace(made.recipe, cards=0).store(folder),
    "five cards": lambda folder, made: replace(made.recipe, cards=5).store(folder),
    "no lamp": lambda folder, made: replace(made.recipe, lamp=False).store(folder),
}
