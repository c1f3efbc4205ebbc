"""The end of a run for tests of its figures and its page: finished samples, and rejects of all kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image

from dataflow_ext.rejects import REJECTS_SCHEMA
from tests.cot.dataset.samples import row, table

RETRY = "Task_41_Recovery_then_Retry_or_Continue"
OUTCOME = "Task_38_Counterfactual_Outcome_MCQ"
SELECT = "Task_33_Next_K_Steps_MultiSelect_From_Prefix"
FLAW = "Task_35_Failed_Planning_Flaw_Pointing"


def finished(rows: list[dict[str, Any]]) -> pa.Table:
    """The rows as a run leaves them, with what the record columns hold."""
    made = table(rows)
    for name in ("anchors", "mended"):
        made = made.append_column(name, pa.array([each.get(name, []) for each in rows], pa.list_(pa.string())))
    return made


def sample(
    root: Path, number: int, task: str | None = None, fields: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    changes = {} if task is None else {"task_name": task}
    if fields is not None:
        changes["fields"] = json.dumps(fields, ensure_ascii=False)
    return {**row(root, number, **changes), **more}


def skip(task: str, reason: str) -> dict[str, Any]:
    told = {"source_path": "a/causal_plan_with_keyframes.json", "task_name": task, "step_index": 1}
    return reject("CoTSampleBuilder", "Skipped", reason, kind="dropped", inputs=json.dumps(told))


def reject(
    operator: str, error: str, message: str, *, kind: str = "failed", inputs: str | None = "{}"
) -> dict[str, Any]:
    return {"row_id": "r", "operator": operator, "step": 5, "kind": kind, "error": error, "message": message,
            "attempts": 2, "inputs": inputs}  # fmt: skip


def rejects(*made: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(made), REJECTS_SCHEMA)


def pictures(root: Path) -> None:
    """The picture that samples show."""
    path = root / "bike" / "01_step" / "frame_001_ts_0.00s.jpg"
    path.parent.mkdir(parents=True)
    Image.new("RGB", (64, 36), "teal").save(path)
