"""What every command tells of its run beside the data: inputs that failed, steps that gave nothing, rows that went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.identity import ROW_ID, parent_of
from dataflow_ext.result import Result
from dataflow_ext.run_inputs import RunInputs
from dataflow_ext.terminal import say

#: Inputs that are told one by one, the characters of a reason, and the causes of rejects.
_SHOWN, _QUOTE, _CAUSES = 10, 300, 5


def steps_that_failed(result: Result) -> list[str]:
    """A sentence for each step that failed on all of its rows, if these were several."""
    told = []
    for step in result.report.steps:
        if step.rows_in > 1 and not step.rows_out and step.failed >= step.rows_in:
            first = _failed(result, step.step)["message"][0].as_py()
            told.append(f"all {step.rows_in} rows failed at step {step.step} ({step.operator}), the first: {first}")
    return told


def inputs_that_failed(result: Result, paths: Sequence[str]) -> dict[str, str]:
    """The inputs of which the first step made nothing, with the reason; ``paths`` has one for each row of the run."""
    ids = result.after(1)[ROW_ID].to_pylist()
    living = {*ids, *map(parent_of, ids)}
    failed = _failed(result, 1)
    reasons = dict(zip(reversed(failed[ROW_ID].to_pylist()), reversed(failed["message"].to_pylist()), strict=True))
    sources = zip(result.after(0)[ROW_ID].to_pylist(), paths, strict=False)
    return {path: reasons[row_id] for row_id, path in sources if row_id in reasons and row_id not in living}


def told_why_empty(result: Result, otherwise: str) -> int:
    """Tell why a run gave no row, by the first causes of its rejects or in these words; 1, the exit code for that.

    What stopped a run is told in its place.
    """
    if not result.report.stopped:
        causes = result.rejects.filter(pc.not_equal(result.rejects["kind"], "empty"))["message"].to_pylist()
        for cause in causes[:_CAUSES] or [otherwise]:
            say(f"error: {cause}")
    return 1


def told_inputs(failed: dict[str, str], total: int) -> list[str]:
    """The inputs that failed, as lines for a terminal."""
    lines = [f"error: {len(failed)} of {total} inputs could not be read:"]
    for path, reason in list(failed.items())[:_SHOWN]:
        short = reason if len(reason) <= _QUOTE else reason[:_QUOTE] + "…"
        lines.append(f"  {short}" if path in short else f"  {path}: {short}")
    if len(failed) > _SHOWN:
        lines.append(f"  and {len(failed) - _SHOWN} more, which rejects.jsonl names")
    return lines


def rows_that_went(out: Path, before: RunInputs, now: RunInputs) -> list[str]:
    """A sentence if there are fewer rows than the run before had made."""
    if now.rows >= before.rows:
        return []
    gone = before.without(now)
    why = f"; {len(gone)} of its inputs are not among these, such as {gone[0]}" if gone else ""
    return [f"warning: {now.rows} rows, and the run before in {out} had made {before.rows}{why}."]


def _failed(result: Result, step: int) -> pa.Table:
    rejects = result.rejects
    return rejects.filter(pc.and_(pc.equal(rejects["step"], step), pc.equal(rejects["kind"], "failed")))
