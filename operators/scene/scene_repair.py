"""SceneRepair: finished rooms with their physical faults mended by small moves; those that cannot be are left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.rows import decoded, encoded
from operators.scene.repairing import repaired
from operators.scene.scene import written

#: The most faults that a reject names.
_NAMED = 3


class SceneRepair(Operator):
    """Rooms in which nothing overlaps, leaves the room or floats, by the limits of the fact sheet.

    What does is moved by half a metre at most, turned square, or set down, with what stands on it; ``repairs`` tells
    each in a few words, and the repaired room takes the place of the other. A room that keeps a fault is a dropped
    reject that names it, unless ``keep_faulty``. With ``enabled=False`` rooms stay as they are.
    """

    rows: ClassVar[Any] = "filter"
    spread = True
    inputs: ClassVar[Columns] = {"scene_id": str, "scene": str}
    outputs: ClassVar[Columns] = {"scene": str, "repairs": list[str]}
    record: ClassVar[tuple[str, ...]] = ("repairs",)

    keep_faulty: bool = False
    enabled: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Repair one room after the other."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        records, rows = list[dict[str, Any]](), list[int]()
        for row, (scene_id, text) in enumerate(zip(columns["scene_id"], columns["scene"], strict=True)):
            if row in wrong:
                continue
            try:
                made = self._repaired(text)
            except Exception as error:
                failures.append(Failure.of(row, error))
                continue
            finally:
                progress.advance()
            if isinstance(made, str):
                told = json.dumps({"scene_id": scene_id, "faults": made}, ensure_ascii=False)
                failures.append(Failure(row, f"faults remain: {made}", "Dropped", kind="dropped", inputs=told))
            else:
                records.append(made)
                rows.append(row)
        return Made(encoded(records, self.outputs), rows, failures)

    def _repaired(self, text: str) -> dict[str, Any] | str:
        """The room with what was done, or the faults that nothing small ends."""
        if not self.enabled:
            return {"scene": text, "repairs": []}
        found = repaired(json.loads(text))
        if found.left and not self.keep_faulty:
            return _few(found.left)
        return {"scene": written(found.scene) if found.done else text, "repairs": list(found.done)}


def _few(told: Sequence[str]) -> str:
    more = f"; and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    return "; ".join(told[:_NAMED]) + more
