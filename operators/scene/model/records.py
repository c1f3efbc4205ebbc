"""The records that columns hold, and the columns of a finished row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Scores:
    """What a judge gives a chain: at most 40, 35, 15 and 10 points."""

    coherence: float
    naturalness: float
    instruction: float
    visual: float


@dataclass(frozen=True, slots=True)
class TurnText:
    """What a turn says beside its calls; ``template`` is the letter of its style, A to E, or empty."""

    think: str
    conclusion: str
    template: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim of a turn's ``part`` (think or conclusion): the expression, its value and verdict, the number that the
    text has for it, and the place in the text behind which it stands."""

    part: str
    expression: str
    value: str
    verdict: str
    said: str
    place: int


@dataclass(frozen=True, slots=True)
class TurnClaims:
    """The claims of a turn, and the share of its reasoning's sentences that they prove."""

    claims: list[Claimed]
    proven: float


#: What is known of words that no claim proves: rules take theirs from a table, those of a model are judged or not.
BY_TABLE, NOT_JUDGED = "by table", "not judged"

#: The columns of a finished row: what the validator judges and the writer writes.
FINISHED: Mapping[str, Any] = {
    "id": str,
    "scene_id": str,
    "room_type": str,
    "chain_id": int,
    "conversation_type": str,
    "chain": str,
    "chain_seed": int,
    "repairs": list[str],
    "instruction": str,
    "instruction_style": str,
    "instruction_by": str,
    "images": list[Path],
    "camera": str,
    "scores": Scores,
    "score": float,
    "judged_by": str,
    "judge_note": str,
    "texts": list[TurnText],
    "claims": list[TurnClaims],
    "text_by": str,
    "wording": str,
}
