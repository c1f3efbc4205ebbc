"""Steps that ask models, take their time or fail, for runs on a cluster; they stand in a module that workers have."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, RowOperator, parallel
from dataflow_ext.errors import DataflowError
from dataflow_ext.models import Model, Request, complete


class Doubled(RowOperator):
    """Twice the number, as a model says."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}
    model: Model

    async def row(self, n: int) -> dict[str, int]:
        reply = await complete(self.model, Request(prompt=f"twice {n} " + "please " * 50, expect=1, context=object()))
        return {"n": int(reply.text)}


class Slow(RowOperator):
    """The number again, some time later; that it began is noted in a file, which is none that the result depends on."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"n": int}
    began: str
    seconds: float = 0.05

    def row(self, n: int) -> dict[str, int]:
        with Path(self.began).open("a") as file:
            file.write(f"{n}\n")
        time.sleep(self.seconds)
        return {"n": n}


class Picky(DataflowError):
    """An error that cannot be made of its text alone."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"{number} is {why}")
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return Picky, (self.number, "odd")


class Refuses(RowOperator):
    """Raises for odd numbers."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {}

    def row(self, n: int) -> dict[str, int]:
        if n % 2:
            raise Picky(n, "odd")
        return {}


class Nodes(RowOperator):
    """The number again; the node of Ray's that it was on is noted."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {}

    def row(self, n: int) -> dict[str, int]:
        import ray

        node = ray.get_runtime_context().get_node_id() if ray.is_initialized() else "here"
        with Path("nodes").open("a") as file:
            file.write(f"{node}\n")
        time.sleep(0.05)
        return {}


class Dies(RowOperator):
    """Kills its process at 7."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {}

    def row(self, n: int) -> dict[str, int]:
        if n == 7:
            os._exit(3)
        return {}


def squared(number: int) -> int:
    """A piece of work."""
    if number == 13:
        raise Picky(number, "odd")
    return number * number


class Squares(Operator):
    """The sum of all squares, of which each is a piece of work."""

    inputs: ClassVar = {"n": int}
    outputs: ClassVar = {"sum": int}
    together: ClassVar[bool] = True

    def batch(self, table: pa.Table) -> Made:
        total = sum(parallel.each(squared, table["n"].to_pylist()))
        return Made({"sum": pa.array([total] * table.num_rows, pa.int64())})
