"""What a model is asked about a chain, and what its reply has to be."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from operators.scene.judging.measures import MOST
from operators.scene.model.chain import Chain
from operators.scene.model.records import Scores
from operators.scene.model.scene import Scene, bounds_of, objects_of, written
from operators.scene.model.simulator import Call


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
