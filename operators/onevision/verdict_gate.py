"""VerdictGate: kept, review or dropped, and why."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.onevision.judging import Blind, Limits, Same, verdict_of
from operators.onevision.model.records import Check, Judgement, columns

#: Characters of a blind answer that a reason tells.
_SHOWN = 120


class VerdictGate(RowOperator):
    """The ``verdict`` on each row, its ``reasons`` and its ``score``: the judge's weighted points, None if unjudged.

    A failed check or a dimension with fewer points than ``fail`` does what its code says (drop, review or note),
    whatever the score; fewer than ``review`` sends a row to review, and so does an open check of the answer. A row
    that no judge saw has "not judged" among its reasons, a kept one too. With ``blind`` the row's answer is compared
    with that of a blind solver, too (``equivalence`` and its reason; ``blind_answer`` stands in the row's reason).

    Reads:
        equivalence: whether the blind solver's answer is the row's.
        equivalence_reason: why.

    Options:
        blind: compare with a blind solver.
        fail: points below which a dimension fails.
        review: points below which it is to be reviewed.

    Rejects: none of its own.

    Example:
        >>> from dataflow_ext.rows import encoded
        >>> import pyarrow as pa
        >>> row = {"checks": [], "judge": Judgement("not run")}
        >>> table = pa.table(encoded([row], VerdictGate().needed_inputs()))
        >>> VerdictGate()(table).select(["verdict", "reasons"]).to_pylist()
        [{'verdict': 'kept', 'reasons': ['not judged']}]
    """

    inputs: ClassVar[Columns] = {
        **columns("checks judge"),
        "equivalence": Same | None,
        "equivalence_reason": str | None,
        **columns("blind_answer"),
    }
    outputs: ClassVar[Columns] = columns("verdict reasons score")

    blind: bool = False
    fail: float = Field(default=5.0, ge=0, le=10)
    review: float = Field(default=7.0, ge=0, le=10)

    def needed_inputs(self) -> Columns:
        """Without a blind solver there is nothing to compare."""
        if self.blind:
            return self.inputs
        return columns("checks judge")

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
