"""TrainTestSplit: which rounds are for training and which for testing, and in what order they stand there."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from random import Random
from typing import Any, ClassVar, Literal, TypeAlias

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator
from dataflow_ext.codec import decode, encode
from dataflow_ext.identity import ROW_ID

logger = logging.getLogger(__name__)

Side: TypeAlias = Literal["train", "test"]

#: What has to stay on one side: an episode (device, episode), or a round (device, episode, round).
_Unit = tuple[str | int, ...]
#: How far the share of whole episodes may be off the one that was asked for; further off, rounds are split.
_OFF = 0.1
#: Up to so many episodes the closest of all choices is taken; with more, those that come first are close enough.
_ALL_CHOICES = 50


class TrainTestSplit(Operator):
    """The side of each round, ``split``, and its ``place`` in that side's file, counted from 0.

    An episode's rounds are on one side, so that near copies do not straddle. ``method="seeded"`` shuffles the
    episodes and takes those for testing that come closest to ``test_share`` of the rounds; where no choice of whole
    episodes comes within ten points of it, rounds are split one by one, with a warning in the log.

    ``method="hash"`` decides by seed, device and episode alone, so that episodes that come later move none of
    the earlier ones, and rounds keep their order among each other. The share is then right on average: with
    few episodes it can be far off, and a side can be empty, which gives a warning.

    What comes out depends on neither the order of the rows nor their chunks; rows that are the same round of
    the same episode are told apart by their ``row_id``. With ``test_share=0`` all rounds are for training.
    """

    inputs: ClassVar[Any] = {"device": str, "episode": str, "round": int, ROW_ID: str}
    outputs: ClassVar[Any] = {"split": Side, "place": int}
    together: ClassVar[bool] = True

    test_share: float = Field(default=0.2, ge=0.0, lt=1.0)
    seed: int = 0
    method: Literal["seeded", "hash"] = "seeded"

    def batch(self, table: pa.Table) -> Made:
        """Sort the rounds, decide the side of each episode, then shuffle each side."""
        columns = [decode(table[name], annotation) for name, annotation in self.inputs.items()]
        rounds: list[tuple[str, str, int, str]] = list(zip(*columns, strict=True))
        order = sorted(range(len(rounds)), key=rounds.__getitem__)
        sides = self._sides([rounds[i] for i in order])
        splits: list[Side] = ["train"] * len(rounds)
        places = [0] * len(rounds)
        files: dict[Side, list[int]] = {"train": [], "test": []}
        for i, side in zip(order, sides, strict=True):
            splits[i] = side
            files[side].append(i)
        for side, rows in files.items():
            for place, i in enumerate(self._shuffled(side, rows, rounds)):
                places[i] = place
        return Made({"split": encode(splits, Side), "place": encode(places, int)})

    def _sides(self, rounds: Sequence[tuple[str, str, int, str]]) -> list[Side]:
        """The side of each of the sorted rounds."""
        episodes = [each[:2] for each in rounds]
        if self.method == "hash":
            by_hash: dict[_Unit, Side] = {e: "test" if self._drawn(*e) else "train" for e in dict.fromkeys(episodes)}
            self._warn_if_empty(by_hash)
            return [by_hash[episode] for episode in episodes]
        by_episode = self._by_share(Counter(episodes))
        share = sum(by_episode[episode] == "test" for episode in episodes) / max(1, len(episodes))
        if abs(share - self.test_share) <= _OFF or not self.test_share:
            self._warn_if_empty(by_episode)
            return [by_episode[episode] for episode in episodes]
        logger.warning(
            "TrainTestSplit: no choice of whole episodes (there %s %d) gives a test share near %g; rounds are split "
            "one by one, so that near copies may stand on both sides and the test may look better than it is. "
            "Collect more episodes.",
            "is" if len(by_episode) == 1 else "are", len(by_episode), self.test_share,
        )  # fmt: skip
        by_round = self._by_share(Counter(units := [each[:3] for each in rounds]))
        self._warn_if_empty(by_round)
        return [by_round[unit] for unit in units]

    def _by_share(self, sizes: Mapping[_Unit, int]) -> dict[_Unit, Side]:
        """The side of each unit: for testing the choice of shuffled ones whose share is closest."""
        units = sorted(sizes)
        Random(self.seed).shuffle(units)  # noqa: S311 - a shuffle, not a secret
        wanted = self.test_share * sum(sizes.values())
        if len(units) <= _ALL_CHOICES:
            chosen = _closest(units, sizes, wanted)
        else:
            taken = list(accumulate((sizes[unit] for unit in units), initial=0))
            chosen = frozenset(units[: min(range(1, len(units)), key=lambda n: abs(taken[n] - wanted))])
        return {unit: "test" if self.test_share and unit in chosen else "train" for unit in units}

    def _drawn(self, device: str, episode: str) -> bool:
        """Whether an episode is for testing by its hash: a larger share takes the same ones and more."""
        return int.from_bytes(self._hash(device, episode)[:8]) < self.test_share * 2**64

    def _hash(self, *what: str | int) -> bytes:
        # JSON keeps the parts' borders: ("a", "bc") is not ("ab", "c").
        return sha256(json.dumps([self.seed, *what]).encode()).digest()

    def _shuffled(self, side: Side, rows: list[int], rounds: Sequence[tuple[str, str, int, str]]) -> list[int]:
        """The sorted rows of a side in the order of its file."""
        if self.method == "hash":
            return sorted(rows, key=lambda i: (self._hash(*rounds[i][:3]), rounds[i]))
        # Each side by itself: what is in the one does not decide the order of the other.
        Random(f"{self.seed} {side}").shuffle(rows)  # noqa: S311 - a shuffle, not a secret
        return rows

    def _warn_if_empty(self, sides: Mapping[_Unit, Side]) -> None:
        """Tell of a side that was to have rounds and has none."""
        empty = sorted({"train", "test"} - set(sides.values()))
        if empty and self.test_share:
            logger.warning(
                "TrainTestSplit: no row is for %s, as there are so few (%d) to split with a test share of %g; "
                "collect more, or take another seed or share.",
                empty[0], len(sides), self.test_share,
            )  # fmt: skip


def _closest(units: Sequence[_Unit], sizes: Mapping[_Unit, int], wanted: float) -> frozenset[_Unit]:
    """The units, of all choices that leave some on either side, whose sizes add up closest to what is wanted."""
    choices: dict[int, frozenset[_Unit]] = {0: frozenset()}
    for unit in units:
        for total, choice in sorted(choices.items()):
            choices.setdefault(total + sizes[unit], choice | {unit})
    whole = sum(sizes.values())
    inside = [total for total in choices if 0 < total < whole]
    return choices[min(inside, key=lambda total: (abs(total - wanted), total))] if inside else frozenset()
