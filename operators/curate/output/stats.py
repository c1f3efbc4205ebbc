"""The figures of a run: what went in and out of each step, why, and where each picture is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.identity import parent_of
from dataflow_ext.report import Report
from dataflow_ext.report.funnel import funnel
from dataflow_ext.report.rejects import by_reason

_COUNTED = ("question_type", "answer_from", "curated_by")


def stats(
    source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table, report: Report, reviewed: pa.Table
) -> dict[str, Any]:
    """The figures as plain values, without times and paths; ``reviewed`` tells what each row was asked with.

    ``rows`` came in; ``kept`` and ``review`` went out, after a split made several of one, and ``rejected`` did not.
    """
    return {
        "rows": source.num_rows,
        "kept": kept.num_rows,
        "review": review.num_rows,
        "rejected": rejects.num_rows,
        "costs": _costs(reviewed, kept.num_rows),
        "funnel": funnel(report.steps, rejects),
        "reasons": by_reason(rejects.to_pylist(), reason_of),
        **{name: dict(sorted(Counter(kept[name].to_pylist()).items())) for name in _COUNTED},
        "parts": sum(part is not None for part in kept["part"].to_pylist()),
        "blanks": sum(kept["blanks"].to_pylist()),
        "pictures": pictures(source, kept, review, rejects),
    }


def _costs(reviewed: pa.Table, kept: int) -> dict[str, float]:
    """Rows that a model was asked about, and the tokens of its replies and their prompts, in all and a kept row."""
    tokens = pc.sum(reviewed["review_tokens"]).as_py() or 0
    asked = sum(by != "rules" for by in reviewed["curated_by"].to_pylist())
    return {"reviews": asked, "tokens": tokens, "tokens_a_kept_row": round(tokens / max(1, kept), 1)}


def pictures(source: pa.Table, kept: pa.Table, review: pa.Table, rejects: pa.Table) -> dict[str, int]:
    """How many pictures came in, and how many are in kept rows, only in rows to review, only in rejects.

    Those of a row of which nothing was rejected that are in no row of the output are ``unaccounted``.
    """
    inputs = dict(zip(source["parent_id"].to_pylist(), links_of(source), strict=True))
    everything = {link for links in inputs.values() for link in links}
    in_kept, in_review = _all(links_of(kept)), _all(links_of(review))
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


def links_of(table: pa.Table) -> list[list[str]]:
    """The pictures of each row, once each."""
    lists = zip(table["question_images"].to_pylist(), table["solution_images"].to_pylist(), strict=True)
    return [list(dict.fromkeys([*(question or ()), *(solution or ())])) for question, solution in lists]


def _all(lists: Iterable[Sequence[str]]) -> set[str]:
    return {link for links in lists for link in links}
