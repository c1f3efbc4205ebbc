"""Rejects as pages show them, with their inputs in words, and counted by reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from dataflow_ext.identity import ROW_ID
from dataflow_ext.report.listing import Facet, Listing, ShownRow
from dataflow_ext.report.parts import Part, badge, facts, fields, folded, short, title, words
from dataflow_ext.tables import records

#: Mends a text for people.
Told: TypeAlias = Callable[[str], str]

#: Inputs of a reject that a page shows, and the letters of each.
_LINES, _LONG = 30, 2_000


def by_reason(
    rejects: Iterable[Mapping[str, Any]], reason_of: Callable[[Mapping[str, Any]], tuple[str, str, str, str]]
) -> list[dict[str, Any]]:
    """The rejects counted by operator, error, code and kind, the most frequent first, each with an example."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], str] = {}
    for reject in rejects:
        reason = reason_of(reject)
        counts[reason] += 1
        examples[reason] = min(examples.get(reason, reject["message"]), reject["message"])
    names = ("operator", "error", "code", "kind")
    return [
        {**dict(zip(names, reason, strict=True)), "count": count, "example": examples[reason]}
        for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def rejects_listing(
    rejects: pa.Table | Iterable[Mapping[str, Any]],
    shown: Callable[[Mapping[str, Any]], Sequence[Part]] | None = None,
    told: Told = str,
    reason: Callable[[Mapping[str, Any]], str] = lambda reject: reject["error"] or "",
) -> Listing:
    """The rejects as a list of a page, each with its inputs in words.

    ``shown`` gives what a pipeline puts above these, such as pictures; ``told`` mends messages and inputs, such as
    paths in them; ``reason`` is what they are filtered by, the error's name if nothing else.
    """

    def rows() -> Iterator[ShownRow]:
        for place, reject in enumerate(records(rejects) if isinstance(rejects, pa.Table) else rejects):
            inputs = inputs_of(reject, told)
            message = told(reject["message"] or "")
            words = "\n".join([message, *(f"{name}: {value}" for name, value in inputs)])
            yield ShownRow(
                reject.get("id") or reject.get(ROW_ID) or str(place),
                _body(reject, message, inputs, shown(reject) if shown else ()),
                {"reject": words},
                look="bad" if reject["kind"] == "failed" else "",
                values={
                    name: [(value,)] if value else []
                    for name, value in (
                        ("kind", reject["kind"]),
                        ("reason", reason(reject)),
                        ("operator", reject["operator"]),
                    )
                },
            )

    facets = (Facet("kind", "Kind"), Facet("reason", "Reason"), Facet("operator", "Step"))
    return Listing("rejects", "Rejects", rows(), facets)


def _body(
    reject: Mapping[str, Any], message: str, inputs: Sequence[tuple[str, str]], more: Sequence[Part]
) -> list[Part]:
    attempts = f"{reject['attempts']} attempts" if (reject["attempts"] or 1) > 1 else None
    where = f"step {reject['step']}, {reject['operator']}"
    parts: list[Part] = [
        *more,
        title(message, badge(reject["kind"] or "", "bad" if reject["kind"] == "failed" else "")),
        facts(where, reject["error"], attempts),
    ]
    if inputs:
        parts.append(folded("Its inputs", fields((name, words(value)) for name, value in inputs)))
    return parts


def inputs_of(reject: Mapping[str, Any], told: Told = str) -> list[tuple[str, str]]:
    """A reject's inputs by name, each as words, without empty ones; what is no JSON object, as it can be read.

    >>> inputs_of({"inputs": '{"text": "abc", "n": [1, "b"], "model": null}'})
    [('text', 'abc'), ('n', '1, b')]
    """
    text = told(reject["inputs"] or "")
    try:
        made = json.loads(text or "{}")
    except (ValueError, RecursionError):
        made = None
    if not isinstance(made, dict):
        return [("inputs", short(text, _LONG))]
    given = [(str(name), value) for name, value in made.items() if value not in (None, "", [], {})]
    return [(name, short(spelled(value), _LONG)) for name, value in given[:_LINES]]


def spelled(value: Any) -> str:
    """A value as a person reads it: texts as they are, lists of such by commas, all else as JSON.

    >>> spelled({"a": 1}), spelled(["x", 2]), spelled(True)
    ('{"a": 1}', 'x, 2', 'yes')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)) and not any(isinstance(each, (list, tuple, dict)) for each in value):
        return ", ".join(map(spelled, value))
    return json.dumps(value, ensure_ascii=False, default=_bare)


def _bare(value: Any) -> str:
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)
