"""OneVisionWriter: leaves a data set of R1-Onevision rows behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Made, Operator, progress
from dataflow_ext.columns import Columns
from operators.onevision.dataset.write import write_data_set
from operators.onevision.model.records import FINISHED

#: Rows that are Python objects at one time.
_TOGETHER = 1024

#: The order of lines; what comes after the id tells apart only rows of one id, of which the first is kept.
_ORDER = ("record_id", "turn", "id", "question", "original_conclusion", "original_reasoning", "picture_key")


class OneVisionWriter(Operator):
    """Every row as a line of its verdict's file in ``out``, and the kept rows in the forms that trainers read.

    ``onevision.jsonl``, ``review.jsonl`` and ``dropped.jsonl`` hold the rows by verdict; ``messages.jsonl`` with
    ``dataset_info.json`` (LLaMA-Factory), ``sharegpt.jsonl``, ``grpo.jsonl`` and ``onevision.parquet`` (which
    ``datasets`` opens, with the pictures in it unless ``embed_pictures`` is off) the kept ones; ``rows.parquet``
    all rows with all columns. Pictures are linked into ``images``, or copied where that cannot be. A row whose id
    another one has is rejected, as is one that cannot be written. What earlier runs wrote and no row has any more
    is removed, files of others are not touched. Given no rows at all it writes nothing.

    Options:
        out: the folder of the data set.
        embed_pictures: put the pictures into ``onevision.parquet``.

    Rejects:
        id.duplicate: a row whose id another one has.

    Example:
        >>> import tempfile
        >>> from dataflow_ext.rows import encoded
        >>> out = tempfile.mkdtemp()
        >>> OneVisionWriter(out=out).apply(pa.table(encoded([], FINISHED))).rejects.num_rows
        0
    """

    inputs: ClassVar[Columns] = FINISHED
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path
    embed_pictures: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        if not table.num_rows:
            return Made({}, [])
        progress.expect(table.num_rows, "rows")
        sources = dict(zip(table["picture_key"].to_pylist(), table["picture"].to_pylist(), strict=True))
        done = write_data_set(_sorted(table), sources, self.out, embed=self.embed_pictures)
        return Made({}, sorted(done.rows), done.failures)


def _sorted(table: pa.Table) -> Iterator[tuple[list[int], pa.Table]]:
    """The rows in the order of their lines, slice by slice."""
    order = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in _ORDER])
    for start in range(0, len(order), _TOGETHER):
        numbers = order.slice(start, _TOGETHER)
        yield numbers.to_pylist(), table.take(numbers)
        progress.advance(len(numbers))
