"""Conversations for reinforcement learning: Parquet in the form that verl reads, one row a turn.

A turn can be learned alone, as its user message has all that is needed: picture, instruction and room. ``prompt`` is
the system message and that user message, with one ``<image>`` for the one of ``images``. ``reward_model.ground_truth``
is JSON with all that a reward function needs to do the calls of a reply and to compare: ``scene`` (the room of the
turn), ``calls``, ``retrievals`` (what those calls put) and ``scene_after``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.images import IMAGE, with_image_features
from operators.scene.chain import Chain
from operators.scene.conversation import Entry
from operators.scene.scene import Scene, written

SOURCE, ABILITY, STYLE = "scene_editing", "scene_editing", "rule"

#: Rows of a row group, and bytes of pictures in it.
_GROUP_ROWS, _GROUP_BYTES = 256, 16 << 20

_MESSAGE = pa.struct([("role", pa.string()), ("content", pa.string())])
_EXTRA = pa.struct(
    [
        ("split", pa.string()),
        ("index", pa.int64()),
        ("id", pa.string()),
        ("scene_id", pa.string()),
        ("chain_id", pa.int64()),
        ("conversation_type", pa.string()),
        ("turn", pa.int64()),
        ("turns", pa.int64()),
    ]
)


def rl_rows(entry: Entry, chain: Chain, states: Sequence[Scene]) -> Iterator[dict[str, Any]]:
    """A row for each turn of a conversation, the last one included, but for turns that later ones undo.

    ``states`` are the rooms before the turns.
    """
    system, *turns = entry["messages"]
    told, slipped = entry["metadata"], chain.slipped()
    for turn, calls in enumerate(chain.turns):
        if turn in slipped:
            continue
        put = {call["id"]: chain.retrievals[call["id"]] for call in calls if call["id"] in chain.retrievals}
        truth = {"scene": states[turn], "calls": calls, "retrievals": put,
                 "scene_after": states[min(turn + 1, len(states) - 1)]}  # fmt: skip
        yield {
            "data_source": SOURCE,
            "prompt": [system, turns[2 * turn]],
            "images": entry["images"][turn : turn + 1],
            "ability": ABILITY,
            "reward_model": {"style": STYLE, "ground_truth": written(truth)},
            "extra_info": {
                "split": "train",
                "id": entry["id"],
                "scene_id": told["scene_id"],
                "chain_id": told["chain_id"],
                "conversation_type": told["conversation_type"],
                "turn": turn,
                "turns": len(chain.turns),
            },
        }


class RLFile:
    """A Parquet file that is written row by row; a context.

    Pictures are named by paths relative to ``out``, so that each is stored once: ``images`` are structs of one
    field ``image``. With ``embed`` they are in the file, as ``bytes`` and ``path``, which ``datasets`` opens as
    pictures wherever the file lies.
    """

    def __init__(self, path: Path, out: Path, *, embed: bool) -> None:
        import pyarrow.parquet as pq

        self._out, self._embed = out, embed
        self._schema = schema(embed)
        # Pictures are compressed already, and no two are alike: a dictionary would only hold them in memory.
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd", use_dictionary=not embed)
        self._rows: list[dict[str, Any]] = []
        self._bytes = self._index = 0

    def __enter__(self) -> RLFile:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
        finally:
            self._writer.close()

    def write(self, row: dict[str, Any]) -> None:
        """Add a row; ``extra_info.index`` is its place in the file."""
        row["extra_info"]["index"] = self._index
        self._index += 1
        if self._embed:
            row["images"] = [{"bytes": (self._out / name).read_bytes(), "path": name} for name in row["images"]]
            self._bytes += sum(len(image["bytes"]) for image in row["images"])
        else:
            row["images"] = [{"image": name} for name in row["images"]]
        self._rows.append(row)
        if len(self._rows) >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._bytes = [], 0


def schema(embed: bool) -> pa.Schema:
    """The columns of the file."""
    fields: list[tuple[str, pa.DataType]] = [
        ("data_source", pa.string()),
        ("prompt", pa.list_(_MESSAGE)),
        ("images", pa.list_(IMAGE if embed else pa.struct([("image", pa.string())]))),
        ("ability", pa.string()),
        ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
        ("extra_info", _EXTRA),
    ]
    empty = pa.schema(fields).empty_table()
    return (with_image_features(empty) if embed else empty).schema
