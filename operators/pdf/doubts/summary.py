"""What share of a run's books a model was asked about, what that took, and what it changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.files import write_text
from dataflow_ext.tables import json_lines
from operators.pdf.doubts.reconcile import RULES, Placed, is_same, place
from operators.pdf.reply import read_reply

#: What is kept of a stretch in doubt, beside its document's name.
_KEPT = ("name", "chunk", "core", "stretch", "extracted_by", "stretch_doubts", "rules_reply", "model_reply", "reply")


@dataclass(slots=True)
class HybridFigures:
    """Counts over all documents of a run.

    ``tokens`` are those of all lines, ``asked`` of the lines that the model was to settle, ``sent`` of the
    requests, prompt and context included; they are counted as the operator counts. Pairs of the asked
    stretches are the ``same`` as the rules', ``changed``, ``added`` or ``dropped``; ``followed`` are pairs
    elsewhere that the rules found once the model had told them a heading.
    """

    documents: int = 0
    pairs: int = 0
    stretches: int = 0
    kept: int = 0
    tokens: int = 0
    asked: int = 0
    sent: int = 0
    same: int = 0
    changed: int = 0
    added: int = 0
    dropped: int = 0
    followed: int = 0

    def to_dict(self) -> dict[str, int]:
        """The counts as plain values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        share = self.asked / self.tokens if self.tokens else 0.0
        kept = f", {self.kept} of them kept as the rules had them" if self.kept else ""
        each = self.sent / self.pairs if self.pairs else 0.0
        return (
            f"to the model: {share:.1%} of the text in {self.stretches} stretches{kept}; {self.sent:,} tokens, "
            f"{each:.1f} a pair\n"
            f"it found {self.same} pairs as the rules had, {self.changed} otherwise, {self.added} more and "
            f"{self.dropped} fewer; by its headings the rules read {self.followed} pairs anew"
        )


def hybrid_figures(stretches: pa.Table, pairs: int | None = None) -> HybridFigures:
    """The figures of a ``HybridGenerator``'s rows: ``result.after("HybridGenerator")``.

    ``pairs`` is the number of rows that came of them in the end; without it, what the replies name is
    counted, where questions and answers printed apart are two.
    """
    figures = HybridFigures()
    names = ("chunk", "core", "reply", "extracted_by", "stretch", "rules_reply", "model_reply", "tokens", "sent")
    rows = stretches.select(names).to_pylist()
    known = frozenset(range(max((row["core"][1] for row in rows), default=-1) + 1))
    for row in rows:
        figures.documents += row["chunk"] == 0
        row["document"] = figures.documents
        figures.tokens += row["tokens"]
        figures.sent += row["sent"]
    for _, some in groupby(rows, key=lambda row: (row["document"], row["core"])):
        _add(figures, list(some), known)
    figures.pairs = figures.pairs if pairs is None else pairs
    return figures


def _add(figures: HybridFigures, rows: Sequence[Mapping[str, Any]], known: Set[int]) -> None:
    """Count one stretch, which may be several rows."""
    first = rows[0]
    pairs = [placed for row in rows for placed in _read(row["reply"], known)]
    figures.pairs += len(pairs)
    if first["stretch"] == "sure":
        figures.followed += sum(len(_read(row["reply"], known)) for row in rows if row["extracted_by"] != RULES)
        return
    figures.stretches += 1
    figures.asked += first["tokens"]
    if first["stretch"] == "kept":
        figures.kept += 1
        return
    before = {(p.at, p.pair.label): p for p in _read(first["rules_reply"], known)}
    after = {(p.at, p.pair.label): p for p in pairs}
    both = before.keys() & after.keys()
    same = sum(is_same(before[key], after[key]) for key in both)
    figures.same += same
    figures.changed += len(both) - same
    figures.added += len(after.keys() - both)
    figures.dropped += len(before.keys() - both)


def _read(reply: str, known: Set[int]) -> list[Placed]:
    return place(read_reply(reply, known)) if reply else []


def hybrid_summary(stretches: pa.Table, pairs: int | None = None) -> str:
    """The figures of :func:`hybrid_figures` in two lines for a person."""
    return str(hybrid_figures(stretches, pairs))


def write_hybrid(stretches: pa.Table, pairs: int, folder: Path) -> str:
    """Write ``hybrid.json``, the figures, and ``hybrid.jsonl``, both answers of each stretch in doubt; the summary."""
    figures = hybrid_figures(stretches, pairs)
    write_text(folder / "hybrid.json", json.dumps(figures.to_dict(), indent=1) + "\n")
    doubtful = stretches.filter(pc.not_equal(stretches["stretch"], "sure")).select(_KEPT)
    names = [name.removeprefix("stretch_") for name in _KEPT]
    write_text(folder / "hybrid.jsonl", "".join(json_lines(doubtful.rename_columns(names))))
    return str(figures)
