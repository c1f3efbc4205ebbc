"""The figures of a run: what went in and out of each step, why, and where each picture is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from dataflow_ext.identity import parent_of
from dataflow_ext.report import Report
from dataflow_ext.report.rejects import by_reason

_COUNTED = ("question_type", "answer_from", "curated_by")


def stats(source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table, report: Report) -> dict[str, Any]:
    """The figures as plain values, without times and paths.

    ``rows`` came in; ``kept`` and ``review`` went out, after a split made several of one, and ``rejected`` did not.
    At each step what came in is what went out and what it rejected, less what a split added.
    """
    return {
        "rows": source.num_rows,
        "kept": kept.num_rows,
        "review": review.num_rows,
        "rejected": rejects.num_rows,
        "steps": [
            {
                "operator": step.operator,
                "in": step.rows_in,
                "out": step.rows_out,
                "rejected": sum(step.rejects().values()),
                "added": step.rows_out + sum(step.rejects().values()) - step.rows_in,
            }
            for step in report.steps
        ],
        "reasons": by_reason(rejects.to_pylist(), reason_of),
        **{name: dict(sorted(Counter(kept[name].to_pylist()).items())) for name in _COUNTED},
        "parts": sum(part is not None for part in kept["part"].to_pylist()),
        "blanks": sum(kept["blanks"].to_pylist()),
        "pictures": pictures(source, kept, review, rejects),
    }


def pictures(source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table) -> dict[str, int]:
    """How many pictures came in, and how many are in kept rows, only in rows to review, only in rejects.

    Those of a row of which nothing was rejected that are in no row of the output are ``unaccounted``.
    """
    inputs = dict(zip(source["parent_id"].to_pylist(), _links(source), strict=True))
    everything = {link for links in inputs.values() for link in links}
    in_kept, in_review = _all(_links(kept)), _all(_links(review))
    gone = {row if row in inputs else parent_of(row) for row in rejects["row_id"].to_pylist()}
    in_rejects = _all(inputs.get(row, ()) for row in gone)
    return {
        "in": len(everything),
        "kept": len(everything & in_kept),
        "review": len(everything & in_review - in_kept),
        "rejected": len(everything & in_rejects - in_kept - in_review),
        "unaccounted": len(everything - in_kept - in_review - in_rejects),
        "lost": len(_all(source["lost_pictures"].to_pylist())),
    }


def reason_of(reject: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Operator, error, code (none here) and kind: what rejects are counted by."""
    return reject["operator"], reject["error"], "", reject["kind"]


def _links(table: pa.Table) -> list[Sequence[str]]:
    lists = zip(table["question_images"].to_pylist(), table["solution_images"].to_pylist(), strict=True)
    return [[*(question or ()), *(solution or ())] for question, solution in lists]


def _all(lists: Iterable[Sequence[str]]) -> set[str]:
    return {link for links in lists for link in links}
