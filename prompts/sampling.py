"""Prompts of the pipeline that samples and verifies reasonings."""

from __future__ import annotations

from typing import ClassVar

from dataflow_ext.prompt import Prompt


class SampleSolvePrompt(Prompt):
    """Asks for a reasoning and a boxed answer; constant, so it is sent as the system prompt.

    >>> "\\\\boxed{" in SampleSolvePrompt().text
    True
    """

    template: ClassVar[str] = "sample_solve.md"


class SampleQuestionPrompt(Prompt):
    """A question as a solver sees it: the parts that it depends on, the problem, its options.

    >>> print(SampleQuestionPrompt().fill(earlier=["Find x."], problem="How long?", options=["A. 3 m", "B. 4 m"]))
    Earlier part 1: Find x.
    <BLANKLINE>
    How long?
    A. 3 m
    B. 4 m
    """

    template: ClassVar[str] = "sample_question.md"


class SampleJudgePrompt(Prompt):
    """Asks whether two answers to a question are the same, as JSON; the system prompt.

    >>> '"same": true or false' in SampleJudgePrompt().text
    True
    """

    template: ClassVar[str] = "sample_judge.md"


class SampleJudgedPrompt(Prompt):
    """Two answers to one question; which is the gold one is not told.

    >>> print(SampleJudgedPrompt().fill(question="Why?", options=[], first="Rain.", second="It rains.")[:39])
    <question>
    Why?
    </question>
    <BLANKLINE>
    <answer_1>
    """

    template: ClassVar[str] = "sample_judged.md"
