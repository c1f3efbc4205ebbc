"""Small operators of every kind of rows, for streamed runs and runs in memory beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, GroupOperator, Made, Merged, Operator, RowOperator
from dataflow_ext.writer import Rows, Writer, in_order


class NotByThree(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {}
    rows: ClassVar[Any] = "filter"

    def row(self, n: int) -> bool | str:
        return True if n % 3 else "by three"


class Fails(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}

    def row(self, n: int) -> dict[str, int]:
        if n % 7 == 5:
            raise ValueError(f"{n} is unlucky")
        return {"n": n + 1}


class Copies(RowOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}
    rows: ClassVar[Any] = "explode"

    def row(self, n: int) -> Iterator[dict[str, int]]:
        for copy in range(n % 4):
            yield {"n": n + copy}


class Sums(GroupOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"sum": int, "sizes": str}
    key: ClassVar = ("n",)

    def group(self, n: list[int]) -> Iterator[Merged]:
        yield Merged(range(len(n)), {"sum": sum(n), "sizes": "1" * len(n)})


class AllInOne(GroupOperator):
    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}

    def group(self, n: list[int]) -> Iterator[Merged]:
        for start in range(0, len(n), 3):
            yield Merged(range(start, min(start + 3, len(n))), {"n": sum(n[start : start + 3])})


class Rank(Operator):
    """The place of each row's number among all of them."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"rank": int}
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        numbers = table["n"].to_pylist()
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        ranks = [0] * len(order)
        for rank, row in enumerate(order):
            ranks[row] = rank
        return Made({"rank": pa.array(ranks, pa.int64())})


class Largest(Operator):
    """The rows with the ten largest numbers."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {}
    rows: ClassVar[Any] = "filter"
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        numbers = table["n"].to_pylist()
        return Made({}, rows=sorted(sorted(range(len(numbers)), key=lambda row: -numbers[row])[:10]))


class Sorted(Operator):
    """Each row twice, the largest first, as an operator that explodes rows and looks at all of them."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}
    rows: ClassVar[Any] = "explode"
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        numbers = table["n"].to_pylist()
        rows = [row for row in sorted(range(len(numbers)), key=lambda row: -numbers[row]) for _ in range(2)]
        return Made({"n": pa.array([numbers[row] for row in rows], pa.int64())}, rows=rows)


class Lines(Writer):
    """The numbers in order, a line each with its text, and one with how many parts there were."""

    inputs: ClassVar = {"n": int, "text": str}
    out: Path

    def write(self, parts: Sequence[Rows]) -> Sequence[Failure]:
        failures = []
        with self.out.open("w") as file:
            for numbers, rows in in_order(parts, ["n"], ["text"], self.out.parent / "scratch"):
                for number, row in zip(numbers, rows.to_pylist(), strict=True):
                    if row["n"] % 5 == 4:
                        failures.append(Failure(number, f"{row['n']} cannot be written"))
                    else:
                        file.write(f"{row['n']} {row['text']}\n")
        return failures
