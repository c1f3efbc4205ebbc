"""The figures of a run: ``stats.json``, the same bytes for the same rows and rejects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.onevision.judging import NOT_JUDGED
from operators.onevision.model.codes import CODES, EFFECT
from operators.onevision.model.records import ImageType, Verdict

_MADE_BY = ("type_by", "caption_by", "detector", "ocr_by", "description_by", "rewrite_by")


def stats(tables: Iterable[pa.Table], rejects: pa.Table) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``tables`` have the rows with their verdicts, ``rejects`` is that of the run's result. ``turns`` are all that came
    in: ``kept``, ``review``, ``dropped`` and ``errored`` add up to them. ``judged`` tells how many rows of each verdict
    a judge saw. ``checks`` counts by code and state, ``reasons`` by code in rows that are not kept; ``rejects`` tells
    operator, error, kind, count and an example.
    """
    counts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    pictures: set[str] = set()
    scores: list[pa.ChunkedArray] = []
    for table in tables:
        _count(counts, table)
        pictures.update(table["picture_key"].to_pylist())
        scores.append(table["score"].combine_chunks())
    verdicts = {verdict: counts["verdict"][(verdict,)] for verdict in get_args(Verdict)}
    return {
        "turns": sum(verdicts.values()) + rejects.num_rows,
        **verdicts,
        "errored": rejects.num_rows,
        "judged": _single(counts["judged"]),
        "pictures": len(pictures),
        "image_types": _crossed(counts["image_type"], get_args(ImageType)),
        "languages": _crossed(counts["language"]),
        "answer_types": _crossed(counts["answer_type"]),
        "formal_code": _single(counts["formal_state"]),
        "rewrites": _single(counts["rewrite_state"]),
        "made_by": {name: _single(counts[name]) for name in _MADE_BY},
        "checks": _crossed(counts["checks"], tuple(CODES)),
        "reasons": dict(sorted(_single(counts["reasons"]).items(), key=lambda item: (-item[1], item[0]))),
        "scores": _spread(pa.chunked_array(scores, pa.float64())),
        "rejects": by_reason(records(rejects)),
    }


def _count(counts: Mapping[str, Counter[tuple[str, ...]]], table: pa.Table) -> None:
    """Add the rows of a table to the counts of single values and of pairs."""
    verdict = table["verdict"]
    state = table["formal_state"]
    state = pc.if_else(pc.starts_with(state, "does not parse"), "does not parse", state)
    judged = table.filter(pc.equal(pc.struct_field(table["judge"], "status"), "judged"))["verdict"]
    checks = pc.list_flatten(table["checks"])
    bad = table.filter(pc.not_equal(verdict, "kept"))["reasons"]
    reasons = (reason.partition(":")[0] for row in bad.to_pylist() for reason in row)
    for name, columns in (
        *((name, (table[name], verdict)) for name in ("image_type", "language", "answer_type")),
        *((name, (table[name],)) for name in ("verdict", "rewrite_state", *_MADE_BY)),
        ("formal_state", (state,)),
        ("judged", (judged,)),
        ("checks", (pc.struct_field(checks, "code"), pc.struct_field(checks, "state"))),
    ):
        places = [str(place) for place in range(len(columns))]
        grouped = pa.table(list(columns), names=places).group_by(places).aggregate([([], "count_all")])
        for row in grouped.to_pylist():
            counts[name][tuple(row[place] for place in places)] += row["count_all"]
    counts["reasons"].update((code,) for code in reasons if code != NOT_JUDGED and EFFECT.get(code) != "note")


def _single(counts: Mapping[tuple[str, ...], int]) -> dict[str, int]:
    """How often each value comes, by the alphabet."""
    return {value: count for (value,), count in sorted(counts.items())}


def _crossed(counts: Mapping[tuple[str, ...], int], order: tuple[str, ...] = ()) -> dict[str, dict[str, int]]:
    """How often each second value comes with a first one; these in an order, others by the alphabet behind them."""
    found: dict[str, dict[str, int]] = {}
    for (value, other), count in sorted(counts.items()):
        found.setdefault(value, {})[other] = count
    return {value: found[value] for value in (*order, *(v for v in found if v not in order)) if value in found}


def _spread(column: pa.ChunkedArray) -> dict[str, float] | None:
    """The smallest, the middle and the largest value; None of none."""
    known = column.drop_null()
    if not len(known):
        return None
    ends = pc.min_max(known).as_py()
    middle = pc.quantile(known, 0.5)[0].as_py()
    return {"min": ends["min"], "median": round(middle, 3), "max": ends["max"]}
