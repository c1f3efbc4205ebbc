"""QualityJudge: what a model that sees the picture says of each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, Prompt, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.outcomes import Record, made_of_rows, side_by_side
from operators.onevision.judging import Rubric, judged_prompt, worth_asking
from operators.onevision.model.records import JUDGE_TOKENS, Check, Judgement, columns
from prompts import OneVisionJudgedPrompt, OneVisionJudgePrompt

#: Rows that are Python objects at one time, where there is no judge.
_TOGETHER = 4096


class QualityJudge(Operator):
    """Points from 0 to 10 in four dimensions for each row, and its faults, by a ``model`` that sees the picture.

    Without a model every row is "not run": unjudged is not judged. A row that a check has dropped already, or that
    has no reasoning, is "skipped" and costs nothing. The reply is JSON by a strict rubric; one that is not is asked
    for once more with what is wrong, then the row is a reject. ``seed`` is sent with each request.

    Options:
        model: whom to ask; nobody is asked without one.
        prompt, row_prompt: what the judge is told, and how a row is shown.
        seed: sent with each request.

    Rejects:
        RowError: a reply that is not by the rubric, twice.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> row = {"picture": "a.png", "question": "How many?", "options": [], "answer": "2", "checks": []}
        >>> row |= {"image_formal_description": "Two cars.", "cot_thinking": None, "final_answer": ""}
        >>> QualityJudge()([row])["judge"].to_pylist()[0]["status"]
        'not run'
    """

    inputs: ClassVar[Columns] = columns(
        "picture question options answer image_formal_description cot_thinking final_answer checks"
    )
    outputs: ClassVar[Columns] = columns("judge")
    record: ClassVar[tuple[str, ...]] = ("judge",)

    model: Model | None = None
    prompt: Prompt = OneVisionJudgePrompt()
    row_prompt: Prompt = OneVisionJudgedPrompt()
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Judge all rows at once."""
        progress.expect(table.num_rows, "rows")
        together = _TOGETHER if self.model is None else None
        return made_of_rows(self, table, lambda rows: side_by_side(self, self._judged, rows), together)

    def needed_inputs(self) -> Columns:
        """Without a model nothing is looked at."""
        return self.inputs if self.model is not None else {"checks": list[Check]}

    async def _judged(self, row: Record) -> Mapping[str, Any]:
        if self.model is None:
            return {"judge": Judgement("not run")}
        if row["cot_thinking"] is None or not worth_asking(row["checks"]):
            return {"judge": Judgement("skipped")}
        request = Request(
            judged_prompt(self.row_prompt, row),
            system=self.prompt.text,
            images=(str(row["picture"]),),
            seed=self.seed,
            expect=JUDGE_TOKENS,
        )
        rubric = (await ask(self.model, request, Rubric)).value
        return {"judge": rubric.judgement(self.model.name)}
