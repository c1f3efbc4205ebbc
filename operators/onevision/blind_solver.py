"""BlindSolver: the answer of a model that sees picture and question, and nothing of the row's own answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, Prompt, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.outcomes import Record, made_of_rows, side_by_side
from operators.onevision.judging import solved, worth_asking
from operators.onevision.model.records import BLIND_TOKENS, NOT_RUN, columns
from operators.onevision.rewriting.replies import question_block
from prompts import OneVisionBlindPrompt

#: Who solved a row that was not worth a question.
SKIPPED = "skipped"


class BlindSolver(Operator):
    """The answer of a ``model`` to each question, which it solves from the picture alone.

    ``blind_answer`` is None where the reply names no answer, where a check has dropped the row already or it has no
    reasoning (``blind_by`` is "skipped"), and without a model ("not run"). ``seed`` is sent with each request.

    Options:
        model: whom to ask; nobody is asked without one.
        prompt: what the solver is told.
        seed: sent with each request.

    Rejects:
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> row = {"picture": "a.png", "question": "How many?", "options": [], "checks": []}
        >>> BlindSolver()([row]).select(["blind_answer", "blind_by"]).to_pylist()
        [{'blind_answer': None, 'blind_by': 'not run'}]
    """

    inputs: ClassVar[Columns] = columns("picture question options checks")
    outputs: ClassVar[Columns] = columns("blind_answer blind_by")
    record: ClassVar[tuple[str, ...]] = ("blind_answer", "blind_by")

    model: Model | None = None
    prompt: Prompt = OneVisionBlindPrompt()
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Solve all rows at once."""
        progress.expect(table.num_rows, "rows")
        return made_of_rows(self, table, lambda rows: side_by_side(self, self._solved, rows))

    async def _solved(self, row: Record) -> Mapping[str, Any]:
        if self.model is None:
            return {"blind_answer": None, "blind_by": NOT_RUN}
        if not worth_asking(row["checks"]):
            return {"blind_answer": None, "blind_by": SKIPPED}
        question, options = row["question"], row["options"]
        request = Request(
            question_block(question, options),
            system=self.prompt.text,
            images=(str(row["picture"]),),
            seed=self.seed,
            expect=BLIND_TOKENS,
        )
        read = partial(solved, question=question, options=options)
        return {"blind_answer": (await ask(self.model, request, read)).value, "blind_by": self.model.name}
