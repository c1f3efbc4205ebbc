"""Gaps in the numbering: labels that a chapter should have, by its neighbours, and does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import pyarrow as pa

_PLAIN = re.compile(r"[0-9]{1,4}")


@dataclass(slots=True)
class Gap:
    """What is odd about a chapter's plain numbers: ranges that are missing, where it starts, repeats.

    ``start`` is set if the numbers neither begin at 1 nor go on from the stretch of rows before.

    >>> str(Gap("Circles", missing=[(3, 3), (7, 9)], start=2, repeated=[5]))
    'Circles: no 3, 7–9; starts at 2; twice: 5'
    """

    chapter: str
    document: str = ""
    missing: list[tuple[int, int]] = field(default_factory=list)
    start: int | None = None
    repeated: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.chapter or '(no chapter)'}: {self.words()}"

    def words(self) -> str:
        """The gap without the chapter's name."""
        parts = []
        if self.missing:
            parts.append("no " + ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in self.missing))
        if self.start is not None:
            parts.append(f"starts at {self.start}")
        if self.repeated:
            parts.append("twice: " + ", ".join(map(str, self.repeated)))
        return "; ".join(parts)


def numbering_gaps(table: pa.Table) -> list[Gap]:
    """The gaps of each chapter, a chapter being rows of one heading that follow each other; in row order.

    Only labels that are plain numbers count. Chapters without anything odd are left out.
    """
    names = ("document", "chapter_block", "question_chapter_title", "label")
    rows = zip(*(table[name].to_pylist() for name in names), strict=True)
    gaps = []
    last: dict[str, int] = {}
    for document, chapter, labels in _chapters(rows):
        numbers = [int(label) for label in labels if _PLAIN.fullmatch(label)]
        if not numbers:
            continue
        gap = _gap(numbers, last.get(document, 0))
        gap.chapter, gap.document = chapter, document
        last[document] = max(numbers)
        if gap.missing or gap.repeated or gap.start is not None:
            gaps.append(gap)
    return gaps


def _chapters(rows: Iterable[tuple[str, int, str, str]]) -> Iterator[tuple[str, str, list[str]]]:
    for (document, _, chapter), some in groupby(rows, key=lambda row: row[:3]):
        yield document, chapter, [label or "" for *_, label in some]


def _gap(numbers: Sequence[int], before: int) -> Gap:
    present = sorted(set(numbers))
    missing = [(a + 1, b - 1) for a, b in pairwise(present) if b > a + 1]
    starts_well = present[0] in (0, 1, before + 1)
    repeated = [n for n in present if numbers.count(n) > 1] if len(present) < len(numbers) else []
    return Gap("", missing=missing, start=None if starts_well else present[0], repeated=repeated)
