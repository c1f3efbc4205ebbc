"""The card of a set: what is in it, and what was left out at which step, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dataflow_ext.report import Report

_LONGEST = 160


def card(figures: Mapping[str, Any], report: Report) -> str:
    """The card as Markdown."""
    return "\n".join(_lines(figures, report)) + "\n"


def _lines(figures: Mapping[str, Any], report: Report) -> Iterator[str]:
    yield "# Question rows to train on\n"
    yield f"{figures['kept']} rows in `curated.jsonl` and `curated.parquet`, made of {figures['rows']} rows."
    yield f"{figures['review']} more are in `review.jsonl` for a person to look at, {figures['rejected']} in"
    yield "`rejects.jsonl` with the reason.\n\n## What went where\n"
    steps = [[step[name] for name in ("operator", "in", "added", "rejected", "out")] for step in figures["steps"]]
    yield from _table(("step", "in", "added by splitting", "rejected", "out"), steps)
    if figures["reasons"]:
        reasons = [[each[name] for name in ("operator", "error", "count", "example")] for each in figures["reasons"]]
        yield from _table(("step", "reason", "rows", "such as"), reasons)
    yield f"Pictures: {', '.join(f'{count} {name}' for name, count in figures['pictures'].items())}.\n"
    yield "## What is in it\n"
    for name in ("question_type", "answer_from", "curated_by"):
        yield f"- `{name}`: {', '.join(f'{value} {count}' for value, count in figures[name].items()) or 'none'}"
    yield f"- parts of split questions: {figures['parts']}"
    yield f"- blanks that were put back: {figures['blanks']}"
    for model, used in sorted(report.models.items()):
        if not used.local and used.requests:
            each = used.tokens / max(1, figures["kept"])
            yield f"- {model}: {used.requests} requests, {used.tokens} tokens, {each:.0f} a kept row"


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(_cell(str(value)) for value in row)} |"
    yield ""


def _cell(text: str) -> str:
    """A text as part of a table's cell, in which nothing is a tag or a link."""
    flat = " ".join(text.split())
    cut = flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…"
    return cut.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("](", "] (").replace("`", "'")
