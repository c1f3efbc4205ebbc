"""OneVisionWriter: leaves a data set of R1-Onevision rows behind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from dataflow_ext import Failure, progress
from dataflow_ext.columns import Columns
from dataflow_ext.datasets.folder import STAGE
from dataflow_ext.writer import Rows, Writer, in_order
from operators.onevision.export import write_data_set
from operators.onevision.model.records import FINISHED

#: The order of lines, and that of rows of one id, of which the first is kept.
_ORDER, _AMONG = ("record_id", "turn", "id"), ("question", "original_conclusion", "original_reasoning", "picture_key")


class OneVisionWriter(Writer):
    """Every row as a line of its verdict's file in ``out``, and the kept rows in the forms that trainers read.

    ``onevision.jsonl``, ``review.jsonl`` and ``dropped.jsonl`` hold the rows by verdict; ``messages.jsonl`` with
    ``dataset_info.json`` (LLaMA-Factory), ``sharegpt.jsonl``, ``grpo.jsonl`` and ``onevision.parquet`` (for
    ``datasets``) the kept ones; ``rows.parquet`` all rows with all columns. Pictures are linked into ``images``, or
    copied. What earlier runs wrote and no row has any more is removed, files of others stay. No rows write nothing.

    Options:
        out: the folder of the data set.
        embed_pictures: put the pictures into ``onevision.parquet``.

    Rejects:
        id.duplicate: a row whose id another one has.
        RowError: a row that cannot be written.

    Example:
        >>> import tempfile
        >>> import pyarrow as pa
        >>> from dataflow_ext.rows import encoded
        >>> OneVisionWriter(out=tempfile.mkdtemp()).apply(pa.table(encoded([], FINISHED))).rejects.num_rows
        0
    """

    inputs: ClassVar[Columns] = FINISHED

    out: Path
    embed_pictures: bool = True

    def write(self, parts: Sequence[Rows]) -> Sequence[Failure]:
        """Write all rows; the files rest on the rows alone, not on their order."""
        sources: dict[str, str] = {}
        total = 0
        for part in parts:
            table = part()
            total += table.num_rows
            sources.update(zip(table["picture_key"].to_pylist(), table["picture"].to_pylist(), strict=True))
        progress.expect(total, "rows")
        rows = in_order(parts, _ORDER, _AMONG, self.out / STAGE / "sorted")
        return write_data_set(rows, sources, self.out, embed=self.embed_pictures)
