"""Whether a turn's texts are true and in form."""

from __future__ import annotations

from operators.scene.facts import check_text
from operators.scene.reasoning.form import form_problems
from operators.scene.reasoning.turn import Turn


def problems_of(turn: Turn, think: str, conclusion: str) -> list[str]:
    """What is wrong with the texts of a turn, each in one sentence: first their form, then what they tell."""
    found = check_text(think, conclusion, turn.before, turn.calls, turn.after, turn.retrievals)
    return [*form_problems(think, conclusion), *map(str, found)]
