"""CoTWriter: leaves a data set of samples behind, one file a task."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.writer import in_order_decoded
from operators.cot.dataset.data_files import write_data_set
from operators.cot.sample import GENERATOR, SAMPLE, columns

#: The order of lines; what comes after the id tells apart only samples of one id, of which the first is kept.
_ORDER = ("task_name", "source_path", "step_index", "id", "question", "response", "fields", "evidence_type")


class CoTWriter(Operator):
    """Every sample as a line of ``out/<task_name>/data.jsonl``, sorted by item, step and id.

    With ``abs_paths`` the paths of plan and evidence are absolute, else relative to ``root``, as they come.
    ``tasks`` are those that this run was asked for: where one has no sample any more, the file that an earlier
    run wrote is removed. A sample whose id another one has is rejected, as is one that cannot be written.
    A data set that no run of this library wrote is never touched. Given no rows at all it writes nothing.

    Options:
        out: the folder of the data set.
        abs_paths: write absolute paths.
        tasks: those that this run was asked for.

    Rejects:
        id.duplicate: a sample whose id another one has.
        evidence.path, source.path, task.unknown, schema.type, json.syntax: a sample that cannot be written.

    Example:
        >>> import tempfile
        >>> from dataflow_ext.rows import encoded
        >>> CoTWriter(out=tempfile.mkdtemp()).apply(pa.table(encoded([], CoTWriter.inputs))).rejects.num_rows
        0
    """

    inputs: ClassVar[Columns] = {**columns("root"), **SAMPLE, "assistant_generator": GENERATOR}
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path
    abs_paths: bool = False
    tasks: tuple[str, ...] = ()

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        progress.expect(table.num_rows, "samples")
        failures: list[Failure] = []
        samples = in_order_decoded(table, _ORDER, self.inputs, failures)
        done = write_data_set(samples, self.out, tasks=self.tasks, abs_paths=self.abs_paths)
        return Made({}, sorted(done.rows), [*failures, *done.failures])
