"""The numbers by fixed places: digits only, sure enough, below a line; the three surest, left to right."""

from __future__ import annotations

from collections.abc import Sequence

from dataflow_ext.ocr import OCRLine
from operators.game.numbers.digits import MOST_DIGITS
from operators.game.rounds import Found, Look, told


def absolute_numbers(lines: Sequence[OCRLine], min_score: float, below: float) -> Found:
    """The three surest lines of digits whose middle is below ``below`` pixels; nothing if there are fewer."""
    digits = [line for line in lines if line.text.isdecimal() and len(line.text) <= MOST_DIGITS]
    sure = [line for line in digits if line.score > min_score]
    low = [line for line in sure if (line.box[1] + line.box[3]) / 2 > below]
    if len(low) < 3:
        reason = f"{len(low)} of three numbers read below y {below:g} with a score above {min_score:g}"
        return Found(None, Look("ocr", told([int(line.text) for line in low]), 0.0, reason))
    three = sorted(sorted(low, key=lambda line: -line.score)[:3], key=lambda line: line.box[0] + line.box[2])
    numbers = [int(line.text) for line in three]
    scores = [round(line.score, 2) for line in three]
    reason = f"the surest three of {len(low)} numbers below y {below:g}; scores {told(scores)}"
    # The rule trusts what it takes; a score may be below the bar of a sure look.
    return Found(numbers, Look("ocr", told(numbers), max(0.8, min(scores)), reason), parts=tuple(numbers))
