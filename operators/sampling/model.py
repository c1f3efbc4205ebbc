"""One attempt at a question, and what all attempts at it come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from operators.verify.answer import Sameness

#: By which rule further attempts are made.
Policy = Literal["fixed", "first", "second", "adaptive"]

#: How hard a question is for its solver, from never right to always right; ``guessed``: no better than by luck.
Band = Literal["unsolved", "hard", "medium", "easy", "always", "guessed", "unknown"]
BANDS: tuple[Band, ...] = ("unsolved", "hard", "medium", "easy", "always", "guessed", "unknown")

#: Who decided that an attempt is right or wrong, if it was no judge: its answer's meaning, or the way it ended.
BY_RULES, BY_END = "rules", "end"


@dataclass(frozen=True, slots=True)
class About:
    """Where a question comes from, as far as its row tells."""

    name: str | None = None
    label: str | None = None
    chapter: str | None = None
    question_type: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right (``unsure``: nobody could tell), by whom, and why; the judge's calls and tokens."""

    verdict: Sameness
    verdict_by: str
    verdict_reason: str
    judge_calls: int = 0
    judge_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What all attempts at a question come to under their policy.

    ``right`` and ``undecided`` count attempts. Rate and bounds are None under a policy that tells none, and where
    an attempt is undecided. ``luck`` is how likely guessing does as well, for a choice question.
    """

    policy: Policy
    cap: int
    attempts: int
    right: int
    undecided: int
    pass_rate: float | None
    pass_low: float | None
    pass_high: float | None
    estimator: str
    band: Band
    luck: float | None
