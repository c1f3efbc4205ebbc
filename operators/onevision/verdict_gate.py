"""VerdictGate: kept, review or dropped, and why."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.onevision.judging.gate import Blind, Limits, verdict_of
from operators.onevision.model.records import Check, Judgement, Verdict

Same = Literal["yes", "no", "unsure"]

#: Characters of a blind answer that a reason tells.
_SHOWN = 120


class VerdictGate(RowOperator):
    """The ``verdict`` on each row, its ``reasons`` and its ``score``: the judge's weighted points, None if unjudged.

    A failed check or a dimension with fewer points than ``fail`` does what its code says (drop, review or note),
    whatever the score; fewer than ``review`` sends a row to review, and so does an open check of the answer. A row
    that no judge saw has "not judged" among its reasons, a kept one too. With ``blind`` the row's answer is compared
    with that of a blind solver, too (``equivalence`` and its reason; ``blind_answer`` stands in the row's reason).
    """

    inputs: ClassVar[Columns] = {
        "checks": list[Check],
        "judge": Judgement,
        "equivalence": Same | None,
        "equivalence_reason": str | None,
        "blind_answer": str | None,
    }
    outputs: ClassVar[Columns] = {"verdict": Verdict, "reasons": list[str], "score": float | None}

    blind: bool = False
    fail: float = Field(default=5.0, ge=0, le=10)
    review: float = Field(default=7.0, ge=0, le=10)

    def needed_inputs(self) -> Columns:
        """Without a blind solver there is nothing to compare."""
        if self.blind:
            return self.inputs
        return {"checks": list[Check], "judge": Judgement}

    def row(
        self,
        checks: list[Check],
        judge: Judgement,
        equivalence: Same | None = None,
        equivalence_reason: str | None = None,
        blind_answer: str | None = None,
    ) -> dict[str, Any]:
        """One row's verdict."""
        solved = None
        if self.blind and equivalence is not None:
            told = "no answer" if blind_answer is None else f'"{blind_answer[:_SHOWN]}"'
            solved = Blind(equivalence, f"solved without the answer: {told}. {equivalence_reason or ''}".strip())
        verdict, reasons, score = verdict_of(checks, judge, solved, Limits(self.fail, self.review))
        return {"verdict": verdict, "reasons": reasons, "score": score}
