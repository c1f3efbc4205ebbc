"""The end of a run for tests of its figures and its page."""

import json
from typing import Any

import pyarrow as pa

from dataflow_ext.rejects import REJECTS_SCHEMA


def reject(operator: str, error: str, message: str, kind: str = "failed", inputs: str | None = "{}") -> dict[str, Any]:
    return {"row_id": "r", "operator": operator, "step": 5, "kind": kind, "error": error, "message": message,
            "attempts": 2, "inputs": inputs}  # fmt: skip


def rejects(*made: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(made), REJECTS_SCHEMA)


#: A room that the filter dropped, chains that were not among the best, and one that broke rules.
LOST = rejects(
    reject(
        "SceneFilter", "Dropped", "3 objects are too few", "dropped", json.dumps({"room_type": "hall", "objects": 3})
    ),
    reject("TopKChains", "Dropped", "51 points", "dropped", json.dumps({"scene_id": "a", "score": 51.0})),
    reject("TopKChains", "Dropped", "50 points", "dropped", json.dumps({"scene_id": "b", "score": 50.0})),
    reject("ChainValidator", "RuleError", "claim.false: turn 1: it is 3 m; claim.other: turn 2"),
)


def with_junk(table: pa.Table, junk: list[list[str]]) -> pa.Table:
    return table.append_column("junk", pa.array(junk, pa.list_(pa.string())))
