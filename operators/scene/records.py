"""The records that columns hold."""

from __future__ import annotations

from dataclasses import dataclass


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
