"""The figures of a run: ``stats.json``, the same bytes for the same rows and rejects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.report.rejects import by_reason
from operators.onevision.judging.gate import NOT_JUDGED
from operators.onevision.model.codes import CODES, EFFECT
from operators.onevision.model.records import ImageType, Verdict

_MADE_BY = ("type_by", "caption_by", "detector", "ocr_by", "description_by", "rewrite_by")


def stats(table: pa.Table, rejects: pa.Table) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``table`` has the rows with their verdicts, ``rejects`` is that of the run's result. ``turns`` are all that came
    in: ``kept``, ``review``, ``dropped`` and ``errored`` add up to them. ``judged`` tells how many rows of each verdict
    a judge saw. ``checks`` counts by code and state, ``reasons`` by code in rows that are not kept; ``rejects`` tells
    operator, error, kind, count and an example.
    """
    verdicts = _counts(table["verdict"])
    judged = table.filter(pc.equal(pc.struct_field(table["judge"], "status"), "judged"))
    return {
        "turns": table.num_rows + rejects.num_rows,
        **{verdict: verdicts.get(verdict, 0) for verdict in get_args(Verdict)},
        "errored": rejects.num_rows,
        "judged": _counts(judged["verdict"]),
        "pictures": pc.count_distinct(table["picture_key"]).as_py(),
        "image_types": _crossed(table, "image_type", get_args(ImageType)),
        "languages": _crossed(table, "language"),
        "answer_types": _crossed(table, "answer_type"),
        "formal_code": _counts(pc.if_else(_starts(table, "does not parse"), "does not parse", table["formal_state"])),
        "rewrites": _counts(table["rewrite_state"]),
        "made_by": {name: _counts(table[name]) for name in _MADE_BY},
        "checks": _checks(table),
        "reasons": _reasons(table.filter(pc.not_equal(table["verdict"], "kept"))),
        "scores": _spread(table["score"]),
        "rejects": by_reason(rows_of(rejects), reason_of),
    }


def reason_of(reject: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Operator, error, code (none here) and kind: what rejects are counted by."""
    return reject["operator"], reject["error"], "", reject["kind"]


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, some of them in memory at a time."""
    for batch in table.to_batches(max_chunksize=1024):
        yield from batch.to_pylist()


def _counts(column: pa.ChunkedArray | pa.Array) -> dict[str, int]:
    """How often each value comes, by the alphabet."""
    return dict(sorted((each["values"], each["counts"]) for each in pc.value_counts(column).to_pylist()))


def _crossed(table: pa.Table, name: str, order: tuple[str, ...] = ()) -> dict[str, dict[str, int]]:
    """The verdicts of each value of a column."""
    counted = table.group_by([name, "verdict"]).aggregate([([], "count_all")]).to_pylist()
    found: dict[str, dict[str, int]] = {}
    for each in sorted(counted, key=lambda each: (each[name], each["verdict"])):
        found.setdefault(each[name], {})[each["verdict"]] = each["count_all"]
    return {value: found[value] for value in (*order, *(v for v in found if v not in order)) if value in found}


def _starts(table: pa.Table, beginning: str) -> pa.ChunkedArray:
    return pc.starts_with(table["formal_state"], beginning)


def _checks(table: pa.Table) -> dict[str, dict[str, int]]:
    checks = pc.list_flatten(table["checks"])
    pairs = pa.table({"code": pc.struct_field(checks, "code"), "state": pc.struct_field(checks, "state")})
    counted = pairs.group_by(["code", "state"]).aggregate([([], "count_all")]).to_pylist()
    found: dict[str, dict[str, int]] = {}
    for each in sorted(counted, key=lambda each: (each["code"], each["state"])):
        found.setdefault(each["code"], {})[each["state"]] = each["count_all"]
    return {code: found[code] for code in (*CODES, *(c for c in found if c not in CODES)) if code in found}


def _reasons(table: pa.Table) -> dict[str, int]:
    """Rows by the codes of their reasons, the most frequent first."""
    told = (reason.partition(":")[0] for row in table["reasons"].to_pylist() for reason in row)
    codes = Counter(code for code in told if code != NOT_JUDGED and EFFECT.get(code) != "note")
    return dict(sorted(codes.items(), key=lambda item: (-item[1], item[0])))


def _spread(column: pa.ChunkedArray) -> dict[str, float] | None:
    """The smallest, the middle and the largest value; None of none."""
    known = column.drop_null()
    if not len(known):
        return None
    ends = pc.min_max(known).as_py()
    middle = pc.quantile(known, 0.5)[0].as_py()
    return {"min": ends["min"], "median": round(middle, 3), "max": ends["max"]}
