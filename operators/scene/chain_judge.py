"""ChainJudge: points for a chain of edits, by a model that sees it or by what is measured of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.scene.instructions.check import asked_and_missing
from operators.scene.judging import MOST, measured, points_of, total
from operators.scene.model.chain import Chain, replayed
from operators.scene.model.records import Scores
from operators.scene.model.scene import Scene, bounds_of, objects_of, written
from operators.scene.model.simulator import Call
from prompts import SceneChainPrompt, SceneJudgePrompt

#: Who judged where no model did.
GEOMETRY = "geometry"

#: Tokens that a reply will about have.
_EXPECTED = 120
#: Characters of a model's comment that are kept.
_COMMENT = 500
#: Chains that are measured together in one process.
_AT_ONCE = 256


class ChainJudge(Operator):
    """Points for each chain in four dimensions (at most 40, 35, 15 and 10), and their sum.

    A model is shown the chain's complete calls and its pictures. Without one, collisions and objects outside on the
    way, the order of sizes, calls that are undone, ways and evenness are measured.

    Reads:
        chain: the chain.
        instruction: what it is to follow.
        images: one for the room before each turn; only if a model looks at them.

    Writes:
        scores: points for coherence, naturalness, instruction and visual.
        score: their sum.
        judged_by: the model's name, or "geometry".
        judge_note: the model's comment, or the measures as JSON.

    Options:
        model: who judges; None measures.
        prompt, chain_prompt: what it is asked, and how a chain is told.
        with_images: whether it sees pictures.
        seed: sent with each request.

    Rejects:
        UnreadableReplyError: no JSON as asked for, or points out of range, twice: unjudged is not judged.
        RowError: the chain cannot be replayed, or has not as many pictures as turns.

    Example:
        >>> ChainJudge().looks
        False
    """

    inputs: ClassVar[Columns] = {"chain": str, "instruction": str, "images": list[Path]}
    outputs: ClassVar[Columns] = {"scores": Scores, "score": float, "judged_by": str, "judge_note": str}
    record: ClassVar[tuple[str, ...]] = ("judged_by", "judge_note")

    model: Model | None = None
    prompt: Prompt = SceneJudgePrompt()
    chain_prompt: Prompt = SceneChainPrompt()
    with_images: bool = True
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Judge all chains: by geometry one after the other, by a model all at once."""
        progress.expect(table.num_rows, "chains")
        return made_of_rows(self, table, self._judged)

    def needed_inputs(self) -> Columns:
        """What is measured needs no pictures."""
        return {name: kind for name, kind in self.inputs.items() if name != "images" or self.looks}

    @property
    def looks(self) -> bool:
        """Whether the pictures are looked at."""
        return self.model is not None and self.with_images

    def _judged(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.model is None:
            return spread(judged_by_geometry, rows, _AT_ONCE)
        return side_by_side(self, self._asked, rows)

    async def _asked(self, row: Record) -> Record:
        assert self.model is not None  # noqa: S101 - only called with one
        chain, _ = replayed(row["chain"])
        images = row["images"] if self.looks else []
        if self.looks and len(images) != chain.edits + 1:
            raise RowError(f"The chain has {len(images)} pictures, not {chain.edits + 1}: one before each turn.")
        request = Request(
            question_of(self.chain_prompt, chain, row["instruction"], len(images)),
            system=self.prompt.text,
            images=tuple(map(str, images)),
            seed=self.seed,
            expect=_EXPECTED,
        )
        verdict = (await ask(self.model, request, Verdict)).value
        return _record(verdict.scores(), self.model.name, " ".join(verdict.comment.split())[:_COMMENT])


def judged_by_geometry(row: Record) -> Record:
    """The scores of a chain by what is measured of it; RowError for one that cannot be replayed."""
    chain, states = replayed(row["chain"])
    measures = measured(chain, states)
    asked, missing = asked_and_missing(row["instruction"], states[-1], chain.start)
    note = written({**measures.note(), "asked": asked, "missing": missing})
    return _record(points_of(measures, asked, missing), GEOMETRY, note)


def _record(scores: Scores, by: str, note: str) -> Record:
    return {"scores": scores, "score": total(scores), "judged_by": by, "judge_note": note}


class Verdict(BaseModel):
    """The reply of a judge: points within each dimension's range; their sum is not asked for.

    >>> Verdict.model_validate_json('{"comment": "", "coherence": 41, "naturalness": 1, "instruction": 1, "visual": 1}')
    Traceback (most recent call last):
    pydantic_core._pydantic_core.ValidationError: 1 validation error for Verdict
    coherence
      Input should be less than or equal to 40 [type=less_than_equal, input_value=41, input_type=int]
        For further information visit https://errors.pydantic.dev/...
    """

    model_config = ConfigDict(strict=True)

    comment: str = Field(description="one or two sentences on what decided the points")
    coherence: float = Field(ge=0, le=MOST["coherence"], allow_inf_nan=False, description="0 to 40")
    naturalness: float = Field(ge=0, le=MOST["naturalness"], allow_inf_nan=False, description="0 to 35")
    instruction: float = Field(ge=0, le=MOST["instruction"], allow_inf_nan=False, description="0 to 15")
    visual: float = Field(ge=0, le=MOST["visual"], allow_inf_nan=False, description="0 to 10")

    def scores(self) -> Scores:
        """The points as a record."""
        return Scores(*(round(each, 2) for each in (self.coherence, self.naturalness, self.instruction, self.visual)))


def question_of(prompt: Prompt, chain: Chain, instruction: str, pictures: int) -> str:
    """The chain as a judge reads it: the instruction, the room at the start, and every call in full."""
    start = chain.start
    corners = [[corner[0], corner[2]] for corner in bounds_of(start)[0]]
    return prompt.fill(
        instruction=instruction,
        room_type=str(start.get("room_type") or "a room"),
        corners=written(corners),
        objects=_listed(start),
        turns="\n\n".join(_turn(chain, number, calls) for number, calls in enumerate(chain.turns, 1)),
        pictures=pictures,
    )


def _listed(scene: Scene) -> str:
    """Each object of a room, one a line."""
    keys = ("jid", "desc", "pos", "size", "rot")
    return "\n".join(written({key: each[key] for key in keys if key in each}) for each in objects_of(scene))


def _turn(chain: Chain, number: int, calls: Sequence[Call]) -> str:
    """A turn's calls, each with the id of the object that it put."""
    lines = [f"Turn {number}:"]
    for call in calls:
        put = call.get("retrieval") or chain.retrievals.get(call["id"])
        lines.append(written(call) + (f" -> jid {written(put['jid'])}" if put else ""))
    return "\n".join(lines)
