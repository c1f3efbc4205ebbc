"""Rejects as pages show them: by reason, each with the first few of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dataflow_ext.report.pages import short

#: Rejects of a reason, and reasons, that a page shows; lines of one reject's inputs.
REJECTS, REASONS, _LINES = 4, 60, 30


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


def shown_reasons(
    reasons: Sequence[Mapping[str, Any]],
    rejects: Iterable[Mapping[str, Any]],
    reason_of: Callable[[Mapping[str, Any]], tuple[str, str, str, str]],
    most: int,
) -> list[dict[str, Any]]:
    """The first reasons, each with the first of its rejects as ``shown``: message, readable inputs and attempts.

    ``reason_of`` tells operator, error, code and kind of a reject, which a reason has under these names; ``most`` is
    how many characters of a line are shown.
    """
    made: list[dict[str, Any]] = [{**reason, "shown": []} for reason in reasons[:REASONS]]
    keys = ("operator", "error", "code", "kind")
    places = {tuple(reason[key] for key in keys): reason["shown"] for reason in made}
    for reject in rejects:
        few = places.get(reason_of(reject))
        if few is not None and len(few) < REJECTS:
            few.append((reject["message"], readable(reject["inputs"], most), reject["attempts"]))
    return made


def readable(inputs: str | None, most: int) -> str:
    """A reject's inputs, a JSON object, one a line; long ones are cut to so many characters.

    >>> readable('{"text": "abcdef", "n": [1, 2]}', 9)
    'text: ab…\\nn: [1, 2]'
    """
    try:
        told = json.loads(inputs or "{}")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        return short(inputs or "", most)
    lines = (f"{k}: {v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)}" for k, v in told.items())
    return "\n".join(short(line, most) for line in list(lines)[:_LINES])
