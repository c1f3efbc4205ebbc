"""Prompts of the curation of question rows."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class CurateReviewPrompt(Prompt):
    """Says what a review points to, and the form of its reply; constant, so it is sent as the system prompt.

    >>> CurateReviewPrompt().text.startswith("You review one exercise of a textbook")
    True
    """

    template: ClassVar[str] = "curate_review.md"


class CurateRowPrompt(Prompt):
    """One row in numbered sentences.

    >>> print(CurateRowPrompt().fill(question=[("q1", "Find 2 + 2.")], answer=[("a1", "4")], solution=[]))
    Question:
    [q1] Find 2 + 2.
    <BLANKLINE>
    Answer:
    [a1] 4
    <BLANKLINE>
    Solution:
    (none)
    """

    template: ClassVar[str] = "curate_row.md"
