"""SampleWriter: leaves verified attempts behind as data for trainers."""

from __future__ import annotations

from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, OutputPath, progress
from dataflow_ext.columns import Columns
from operators.sampling.cot_sampler import CoTSampler
from operators.sampling.export import Selection, write_data_set
from operators.sampling.rates import About
from operators.verify.answer import Option


class SampleWriter(Operator):
    """The attempts as a data set in ``out``: right ones to learn from, pairs, questions with rates, labelled steps.

    ``sft.jsonl`` has right attempts as conversations, ``dpo.jsonl`` a right and a wrong one that saw the same,
    ``grpo.jsonl`` each question with its bare answer, rate and difficulty, ``steps.jsonl`` the steps of attempts that
    compute something, with whether that is so, ``attempts.parquet`` all attempts. Pictures are copied into
    ``images``. What earlier runs wrote and no row has any more is removed; files of others are not touched. Given no
    rows at all it writes nothing.

    Reads:
        question_id, problem, earlier, choices, pictures, gold, about: the question.
        attempt, shown, options_shown, expected, reply, finish_reason, reasoning, reasoning_source: the attempt.
        found, verdict, verdict_by, verdict_reason, judge_calls, judge_tokens, solver: whether it is right.
        prompt_tokens, completion_tokens, seconds: what it took.
        outcome: what all attempts at the question come to.

    Options:
        out: the folder.
        per_question: right attempts of a question, at most.
        pairs: pairs of a question, at most.

    Rejects: none of its own.

    Example:
        >>> SampleWriter(out="samples").per_question
        2
    """

    inputs: ClassVar[Columns] = {
        "question_id": str,
        "problem": str,
        "earlier": list[str],
        "choices": list[Option],
        "pictures": list[str],
        "gold": str,
        "about": About,
        **CoTSampler.outputs,
    }
    outputs: ClassVar[Columns] = {}
    together: ClassVar[Any] = True
    remembered: ClassVar[Any] = False

    out: OutputPath
    per_question: int = Field(default=2, ge=0)
    pairs: int = Field(default=1, ge=0)

    def batch(self, table: pa.Table) -> Made:
        """Write all rows at once; the files rest on the rows alone, not on their order."""
        progress.expect(table.num_rows, "attempts")
        write_data_set(table, self.out, Selection(self.per_question, self.pairs))
        progress.advance(table.num_rows)
        return Made({})
