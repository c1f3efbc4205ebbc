"""TopKChains: the best chains of each room."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.codec import decode
from dataflow_ext.columns import Columns
from operators.scene.model.records import Scores


class TopKChains(Operator):
    """The ``best`` chains of each room that have most points.

    Of chains with as many points those with the lower ``chain_id`` are better, then those with the lower ``id``. All
    columns of the kept rows pass through; a reject keeps chain, instruction and what its judge said.

    Reads:
        scene_id: the room.
        id, chain_id: the order of equals.
        score: the points.
        chain, instruction, scores, judged_by, judge_note: kept with a reject.

    Options:
        best: kept of each room.

    Rejects:
        Dropped: not among the best; with rank and points.

    Example:
        >>> TopKChains(best=1).best
        1
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
        odd = [i for i in range(table.num_rows) if not math.isfinite(score[i])]
        failures = [Failure(i, f"The score {score[i]} is no number; ChainJudge gives one.") for i in odd]
        usable = sorted(set(range(table.num_rows)).difference(odd), key=lambda i: (-score[i], numbers[i], ids[i]))
        ranked: dict[str, list[int]] = {}
        for i in usable:
            ranked.setdefault(rooms[i], []).append(i)
        kept = sorted(i for chains in ranked.values() for i in chains[: self.best])
        failures += [
            Failure(i, self._why(rank, len(chains), score[i], scores[i]), "Dropped", kind="dropped")
            for chains in ranked.values()
            for rank, i in enumerate(chains[self.best :], self.best + 1)
        ]
        return Made({}, kept, failures)

    def _why(self, rank: int, total: int, score: float, scores: Scores) -> str:
        parts = f"coherence {scores.coherence:.1f}, naturalness {scores.naturalness:.1f}, " \
                f"instruction {scores.instruction:.1f}, visual {scores.visual:.1f}"  # fmt: skip
        kept = "the best one is kept" if self.best == 1 else f"the best {self.best} are kept"
        return f"rank {rank} of {total}: {score:.1f} points ({parts}), {kept}"
