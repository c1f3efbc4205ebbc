"""What readings tell: who saw a value, how surely, and whether model and rules agreed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from operators.game.output.run_rounds import FIELDS

#: A reading as it comes from a table: ``by``, ``confidence``, ``reason``, ``looks``.
ReadingRecord: TypeAlias = Mapping[str, Any]

#: What became of asking the model: it said what the rules saw, something else, what they had not seen, or nothing.
Verdict: TypeAlias = Literal["agreed", "disagreed", "alone", "unreadable"]


def verdict(reading: ReadingRecord) -> Verdict | None:
    """How the model's last answer compares to the last other look at the picture that saw something.

    None if the model was not asked. A ``?`` among seen numbers stands for any number.

    >>> ocr, vlm = {"by": "ocr", "value": "5 8 3"}, {"by": "vlm", "value": "5 6 3"}
    >>> verdict({"looks": [ocr, vlm]}), verdict({"looks": [vlm]}), verdict({"looks": [ocr]})
    ('disagreed', 'alone', None)
    """
    looks: Sequence[Mapping[str, Any]] = reading["looks"] or ()
    answers = [look["value"] for look in looks if look["by"] == "vlm"]
    if not answers:
        return None
    if not answers[-1]:
        return "unreadable"
    # What the rule of the game makes of other looks is no look at the picture.
    seen = [look["value"] for look in looks if look["by"] not in ("vlm", "rule") and look["value"]]
    if not seen:
        return "alone"
    return "agreed" if _same(seen[-1], answers[-1]) else "disagreed"


def _same(seen: str, answer: str) -> bool:
    left, right = seen.split(), answer.split()
    return len(left) == len(right) and all(a in ("?", b) for a, b in zip(left, right, strict=True))


def least_sure(row: Mapping[str, Any]) -> float:
    """The confidence of the least sure of a round's three readings."""
    return float(min(row[column]["confidence"] for column in FIELDS.values()))


def disputed(row: Mapping[str, Any]) -> bool:
    """Whether model and rules saw different values in any of the three."""
    return any(row.get(column) and verdict(row[column]) == "disagreed" for column in FIELDS.values())
