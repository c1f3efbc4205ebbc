"""Decontaminate: the rows that are no items of the benchmarks that a model will be measured on."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from operators.curate.rules.benchmarks import benchmarks


class Decontaminate(Operator):
    """The rows that hold no item of a benchmark.

    A row holds an item if at least ``least`` of the item's runs of ``size`` words (Chinese characters count as words)
    stand in its question, or at least ``with_answer`` of them, and its answer is the item's.

    Reads:
        question, answer: the texts.

    Options:
        benchmarks: files with the items: JSONL, JSON, Parquet or CSV with a field question, problem, prompt, input or
            text, and if known answer or solution; or text, an item a line or a paragraph. Without any, all rows pass.
        size: words of a run; an item of fewer words counts as a whole.
        least: the share of an item's runs that suffices by itself.
        with_answer: the share that suffices together with the same answer.

    Rejects:
        BenchmarkItem: a row that holds an item, which is named by file and number.

    Example:
        >>> Decontaminate()([{"question": "What is 2 + 2?", "answer": "4"}]).num_rows
        1
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {"question": str, "answer": str}

    benchmarks: tuple[Path, ...] = ()
    size: int = Field(default=8, ge=2)
    least: float = Field(default=0.5, gt=0.0, le=1.0)
    with_answer: float = Field(default=0.2, gt=0.0, le=1.0)

    def preflight(self) -> None:
        """InputError for a benchmark that cannot be read."""
        benchmarks(self.benchmarks, self.size)

    def batch(self, table: pa.Table) -> Made:
        """Look each row up among the benchmarks' items."""
        if not self.benchmarks:
            return Made({})
        known = benchmarks(self.benchmarks, self.size)
        failures = []
        for n, row in enumerate(table.select(["question", "answer"]).to_pylist()):
            hit = known.hit(row["question"], row["answer"], self.least, self.with_answer)
            if hit is not None:
                also = " and its answer" if hit.same_answer else ""
                message = f"{hit.share:.0%} of item {hit.item.number} of {hit.item.file}{also} stand in the question"
                failures.append(Failure(n, message, "BenchmarkItem", kind="dropped"))
        gone = {failure.row for failure in failures}
        return Made({}, [n for n in range(table.num_rows) if n not in gone], failures)
