"""EasyR1Writer: leaves a data set behind that EasyR1 can train on."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded
from operators.game.easyr1.layout import Example, write_data_set


class EasyR1Writer(Operator):
    """Every row in the files of its split, in the order of ``place``, with its picture beside them.

    ``out`` gets ``data/`` (JSONL), ``parquet/`` (the same rows with the pictures' bytes), ``images/`` (each
    picture under ``image``, which must stay below it) and a README with EasyR1's settings. A row that EasyR1
    could not use (no such picture, a damaged or turned one, texts that do not fit) is rejected with the reason.
    Given no rows at all it writes nothing.
    """

    inputs: ClassVar[Columns] = {
        "question": Path,
        "image": str,
        "problem": str,
        "answer": str,
        "split": Literal["train", "test"],
        "place": int,
    }
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        examples = [
            Example(row=i, **{name: values[i] for name, values in columns.items()})
            for i in range(table.num_rows)
            if i not in wrong
        ]
        done = write_data_set(examples, self.out)
        failures += done.failed.values()
        return Made({}, sorted(example.row for example in done.examples), failures)
