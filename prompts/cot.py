"""Prompts of the CoT pipeline."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class CoTReasoningPrompt(Prompt):
    """Says what a reasoning has to be; constant, so it is sent as the system prompt.

    >>> '{"reasoning": "the paragraph", "answer": "the gold answer"}' in CoTReasoningPrompt().text
    True
    """

    template: ClassVar[str] = "cot_reasoning.md"


class CoTQuestionPrompt(Prompt):
    """One sample: its question, what of the plan it rests on, the required sentences and the gold answer.

    Filled with ``question``, ``context`` (pairs of a name and a text), ``anchors`` and ``answer``.

    >>> filled = CoTQuestionPrompt().fill(question="What next?", context=[("Goal", "Tea.")], anchors=[], answer="Pour.")
    >>> filled.splitlines()[2:4]
    ['Context', 'Goal: Tea.']
    """

    template: ClassVar[str] = "cot_question.md"
