"""A reasoning speaks of nothing that its plan does not speak of."""

from __future__ import annotations

from operators.cot.problems import Problem

_SHOWN = 8


def grounding_problems(unknown: list[str]) -> list[Problem]:
    """``grounding.words`` with the words that :meth:`Vocabulary.unknown` found."""
    if not unknown:
        return []
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    return [Problem("grounding.words", f"neither the plan nor general English has {', '.join(unknown[:_SHOWN])}{more}")]
