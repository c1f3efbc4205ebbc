"""TrainTestSplit: which rows are for training and which for testing, and in what order they stand there."""

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

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.codec import encode
from dataflow_ext.columns import Columns
from dataflow_ext.identity import ROW_ID

logger = logging.getLogger(__name__)

Side: TypeAlias = Literal["train", "test"]
_SIDES: tuple[Side, ...] = ("train", "test")

#: What has to stay on one side: the values that the rows of a group, or a row alone, have in the columns.
_Unit = tuple[str | int, ...]
#: How far the share of whole groups may be off the one that was asked for; further off, rows are split.
_OFF = 0.1
#: Up to so many groups the closest of all choices is taken; with more, those that come first are close enough.
_ALL_CHOICES = 50


class TrainTestSplit(Operator):
    """The side of each row, ``split``, and its ``place`` in that side's file, counted from 0.

    Rows that agree in ``by`` are on one side, so that near copies do not straddle; where no choice of whole groups
    comes within ten points of the share, rows are split one by one, with a warning in the log. What comes out
    depends on neither the order of the rows nor their chunks; rows that are alike are told apart by their ids.

    Reads:
        row_id: the rows' ids; the columns that ``by`` and ``order`` name are read too, texts or numbers.

    Writes:
        split: ``train`` or ``test``.
        place: the row's place in that side's file, which is shuffled.

    Options:
        by: the columns in which the rows of a group agree.
        order: further columns that tell rows apart.
        test_share: the share of rows for testing; with 0 all are for training.
        seed: decides the draw and the shuffle.
        method: ``seeded`` takes the groups that come closest to the share; ``hash`` decides by seed and group alone,
            so that groups that come later move none of the earlier ones, and the share is right on average.

    Rejects:
        RowError: a column that ``by`` or ``order`` names is null.

    Example:
        >>> rows = [{"book": book, "page": page} for book in "abcd" for page in (1, 2)]
        >>> TrainTestSplit(by=["book"], order=["page"], test_share=0.25)(rows)["split"].to_pylist()
        ['train', 'train', 'train', 'train', 'test', 'test', 'train', 'train']
    """

    inputs: ClassVar[Columns] = {ROW_ID: str}
    outputs: ClassVar[Columns] = {"split": Side, "place": int}
    together: ClassVar[bool] = True

    by: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    test_share: float = Field(default=0.2, ge=0.0, lt=1.0)
    seed: int = 0
    method: Literal["seeded", "hash"] = "seeded"

    def needed_inputs(self) -> Columns:
        """The columns that ``by`` and ``order`` name, and the ids."""
        return {**dict.fromkeys((*self.by, *self.order), Any), **self.inputs}

    def batch(self, table: pa.Table) -> Made:
        """Sort the rows, decide the side of each group, then shuffle each side."""
        names = (*self.by, *self.order, ROW_ID)
        every = list(zip(*(table[name].to_pylist() for name in names), strict=True))
        odd = {row: names[each.index(None)] for row, each in enumerate(every) if None in each}
        order = sorted((row for row in range(len(every)) if row not in odd), key=every.__getitem__)
        sides = self._sides([every[row] for row in order])
        found: dict[int, tuple[Side, int]] = {}
        for side in _SIDES:
            rows = [row for row, its in zip(order, sides, strict=True) if its == side]
            found |= {row: (side, place) for place, row in enumerate(self._shuffled(side, rows, every))}
        rows = sorted(found)
        splits, places = ([found[row][part] for row in rows] for part in (0, 1))
        failures = [Failure(row, f"column '{name}' is null") for row, name in odd.items()]
        return Made({"split": encode(splits, Side), "place": encode(places, int)}, rows, failures)

    def _sides(self, rows: Sequence[_Unit]) -> list[Side]:
        """The side of each of the sorted rows."""
        groups = [row[: len(self.by)] or self._alone(row) for row in rows]
        if self.method == "hash":
            by_hash: dict[_Unit, Side] = {g: "test" if self._drawn(*g) else "train" for g in dict.fromkeys(groups)}
            self._warn_if_empty(by_hash)
            return [by_hash[group] for group in groups]
        by_group = self._by_share(Counter(groups))
        share = sum(by_group[group] == "test" for group in groups) / max(1, len(groups))
        if not self.test_share or (0 < share < 1 and abs(share - self.test_share) <= _OFF):
            self._warn_if_empty(by_group)
            return [by_group[group] for group in groups]
        logger.warning(
            "TrainTestSplit: no choice of whole groups (there %s %d of equal %s) gives a test share near %g; rows are "
            "split one by one, so that near copies may stand on both sides and the test may look better than it is. "
            "Collect more groups.",
            "is" if len(by_group) == 1 else "are", len(by_group), " and ".join(self.by), self.test_share,
        )  # fmt: skip
        by_row = self._by_share(Counter(alone := [self._alone(row) for row in rows]))
        self._warn_if_empty(by_row)
        return [by_row[unit] for unit in alone]

    def _alone(self, row: _Unit) -> _Unit:
        """What tells a row from others: what the columns hold, or its id if none is named."""
        return row[:-1] or row

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

    def _drawn(self, *group: str | int) -> bool:
        """Whether a group is for testing by its hash: a larger share takes the same ones and more."""
        return int.from_bytes(self._hash(*group)[:8]) < self.test_share * 2**64

    def _hash(self, *what: str | int) -> bytes:
        # JSON keeps the parts' borders: ("a", "bc") is not ("ab", "c").
        return sha256(json.dumps([self.seed, *what]).encode()).digest()

    def _shuffled(self, side: Side, rows: list[int], every: Sequence[_Unit]) -> list[int]:
        """The sorted rows of a side in the order of its file."""
        if self.method == "hash":
            return sorted(rows, key=lambda row: (self._hash(*self._alone(every[row])), every[row]))
        # Each side by itself: what is in the one does not decide the order of the other.
        Random(f"{self.seed} {side}").shuffle(rows)  # noqa: S311 - a shuffle, not a secret
        return rows

    def _warn_if_empty(self, sides: Mapping[_Unit, Side]) -> None:
        """Tell of a side that was to have rows and has none."""
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
