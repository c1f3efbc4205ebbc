"""SceneWriter: leaves a data set of scene-editing conversations behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded
from operators.scene.dataset.write import write_data_set
from operators.scene.model.records import FINISHED

#: Rows that are Python objects at one time.
_TOGETHER = 1024

#: The order of lines, and of those who claim one id: by room, chain and id, then by what else is text.
_ORDER = ("scene_id", "chain_id", "id")
_CLAIMS = ("chain", "instruction", "camera", "judge_note", "score")


class SceneWriter(Operator):
    """Every row as a conversation in ``out``, sorted by room and chain.

    ``conversations.jsonl`` has the conversations, ``swift.jsonl`` the same for ms-swift, ``rl.parquet`` a row for
    each turn, and ``images/<id>/step_0.png`` … the pictures, linked to the files under ``images`` or, on another
    file system, copied. What earlier runs wrote and no row has any more is removed, files of others are not
    touched. Given no rows at all it writes nothing.

    Options:
        out: the folder.
        embed_pictures: whether the Parquet file holds the pictures too.

    Rejects:
        Unwritable: another row has its id, or it cannot be written; the code of the rule is the error.

    Example:
        >>> SceneWriter(out="scenes").embed_pictures
        False
    """

    inputs: ClassVar[Columns] = FINISHED
    outputs: ClassVar[Columns] = {}
    together = True
    remembered = False

    out: Path
    embed_pictures: bool = False

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        if not table.num_rows:
            return Made({}, [])
        progress.expect(table.num_rows, "conversations")
        failures: list[Failure] = []
        ids, counts = table["id"].to_pylist(), pc.list_value_length(table["images"]).to_pylist()
        coming: dict[str, int] = {}
        for id, count in zip(ids, counts, strict=True):
            coming[id] = max(count, coming.get(id, 0))
        done = write_data_set(self._sorted(table, failures), self.out, coming, embed=self.embed_pictures)
        return Made({}, sorted(done.rows), [*failures, *done.failures])

    def _sorted(self, table: pa.Table, failures: list[Failure]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The rows in the order of their lines, each with its number, some of them in memory at a time."""
        order = pc.sort_indices(table, sort_keys=[(name, "ascending") for name in (*_ORDER, *_CLAIMS)])
        for start in range(0, len(order), _TOGETHER):
            rows = order.slice(start, _TOGETHER)
            columns, wrong = decoded(table.take(rows), self.inputs)
            for place, (row, *values) in enumerate(zip(rows.to_pylist(), *columns.values(), strict=True)):
                if place in wrong:
                    failures.append(Failure.of(row, wrong[place]))
                else:
                    yield row, dict(zip(columns, values, strict=True))
            progress.advance(len(rows))
