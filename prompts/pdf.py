"""Prompts of the PDF pipelines."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class QAExtractPrompt(Prompt):
    """Asks for questions, answers and solutions as block ids; constant, so it is sent as the system prompt.

    >>> QAExtractPrompt().text.startswith("You find the questions")
    True
    """

    template: ClassVar[str] = "qa_extract.md"
