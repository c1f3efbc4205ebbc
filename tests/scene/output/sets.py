"""Finished rows with pictures, tables of them, what stands in a folder, and the rejects at the end of a run."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import arrow_type
from dataflow_ext.rejects import REJECTS_SCHEMA
from operators.scene.model.records import FINISHED
from operators.scene.scene_writer import SceneWriter
from tests.scene.finished import row

DATA = {"conversations.jsonl", "swift.jsonl", "rl.parquet"}
LIST = ".run/dataset/files.json"
SCHEMA = pa.schema([(name, arrow_type(kind)) for name, kind in FINISHED.items()])


def png(shade: int) -> bytes:
    """A picture of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes([0, shade]))) + chunk(b"IEND", b"")


def drawn(folder: Path, number: int = 1, count: int = 4) -> list[Path]:
    """The pictures of a chain in a renderer's folder; the first one is that of all chains."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / ("empty.png" if turn == 0 else f"{number}_{turn}.png") for turn in range(count)]
    for turn, path in enumerate(paths):
        if not path.exists():
            path.write_bytes(png(10 * number * min(turn, 1) + turn))
    return paths


def finished(root: Path, number: int = 1, room: str = "home/bedroom", **changes: Any) -> dict[str, Any]:
    """A finished row whose pictures are there."""
    made = {"id": f"multi_turn_edit_{number}_0a1b2c3d", "chain_id": number, "scene_id": room,
            "images": drawn(root / "drawn", number)}  # fmt: skip
    return row(**{**made, **changes})


def several(root: Path) -> list[dict[str, Any]]:
    """Two rooms with two chains each, in no order."""
    order = [(2, "b"), (1, "a"), (1, "b"), (10, "a")]
    return [finished(root, chain, room, id=f"multi_turn_edit_{chain}_{room * 8}") for chain, room in order]


def table(rows: list[dict[str, Any]]) -> pa.Table:
    """The rows as a pipeline has them."""
    return pa.Table.from_pylist([{**each, "images": [str(path) for path in each["images"]]} for each in rows], SCHEMA)


def written(out: Path, rows: list[dict[str, Any]]) -> Path:
    """A folder with the data set of these rows."""
    SceneWriter(out=out)(table(rows))
    return out


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


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
