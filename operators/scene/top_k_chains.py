"""TopKChains: the best chains of each room."""

from __future__ import annotations

from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.codec import decode
from dataflow_ext.columns import Columns
from operators.scene.records import Scores


class TopKChains(Operator):
    """The ``best`` chains of each room that have most points; the others are dropped rejects with their scores.

    Of chains with as many points those with the lower ``chain_id`` are better, then those with the lower ``id``.
    All columns of the kept rows pass through. A reject keeps its chain, its instruction and what its judge said, so
    that it can be looked at.
    """

    rows: ClassVar[Any] = "filter"
    together = True
    inputs: ClassVar[Columns] = {
        "scene_id": str,
        "id": str,
        "chain_id": int,
        "chain": str,
        "instruction": str,
        "scores": Scores,
        "score": float,
        "judged_by": str,
        "judge_note": str,
    }

    best: int = Field(default=3, ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Rank the chains of each room."""
        names = ("scene_id", "score", "chain_id", "id", "scores")
        rooms, score, numbers, ids, scores = (decode(table[name], self.inputs[name]) for name in names)
        ranked: dict[str, list[int]] = {}
        for i in sorted(range(table.num_rows), key=lambda i: (-score[i], numbers[i], ids[i])):
            ranked.setdefault(rooms[i], []).append(i)
        kept = sorted(i for chains in ranked.values() for i in chains[: self.best])
        dropped = [
            Failure(i, self._why(rank, len(chains), score[i], scores[i]), "Dropped", kind="dropped")
            for chains in ranked.values()
            for rank, i in enumerate(chains[self.best :], self.best + 1)
        ]
        return Made({}, kept, dropped)

    def _why(self, rank: int, total: int, score: float, scores: Scores) -> str:
        parts = f"coherence {scores.coherence:.1f}, naturalness {scores.naturalness:.1f}, " \
                f"instruction {scores.instruction:.1f}, visual {scores.visual:.1f}"  # fmt: skip
        kept = "the best one is kept" if self.best == 1 else f"the best {self.best} are kept"
        return f"rank {rank} of {total}: {score:.1f} points ({parts}), {kept}"
