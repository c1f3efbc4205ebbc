"""Gaps in the numbering: labels that a chapter should have, by its neighbours, and does not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import pyarrow as pa

_PLAIN = re.compile(r"[0-9]{1,4}")


@dataclass(slots=True)
class Gap:
    """What is odd about a chapter's plain numbers: ranges that are missing, where it starts, repeats.

    ``start`` is set if the numbers neither begin at 1 nor go on from the stretch of rows before. ``rows`` has the
    places in the table at which each number stands.

    >>> str(Gap("Circles", missing=[(3, 3), (7, 9)], start=2, repeated=[5]))
    'Circles: no 3, 7–9; starts at 2; twice: 5'
    """

    chapter: str
    document: str = ""
    missing: list[tuple[int, int]] = field(default_factory=list)
    start: int | None = None
    repeated: list[int] = field(default_factory=list)
    rows: dict[int, list[int]] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.chapter or '(no chapter)'}: {self.words()}"

    def words(self) -> str:
        """The gap without the chapter's name."""
        parts = []
        if self.missing:
            parts.append("no " + ", ".join(_range(first, last) for first, last in self.missing))
        if self.start is not None:
            parts.append(f"starts at {self.start}")
        if self.repeated:
            parts.append("twice: " + ", ".join(map(str, self.repeated)))
        return "; ".join(parts)

    def places(self) -> list[tuple[str, list[tuple[str, int]]]]:
        """What is odd, in words, each with numbers and the row to look at: for what is missing, the row before.

        >>> Gap("Circles", missing=[(3, 4)], repeated=[5], rows={2: [11], 5: [12, 15]}).places()
        [('no', [('3–4', 11)]), ('twice:', [('5', 12), ('5', 15)])]
        """
        parts = []
        if self.missing:
            parts.append(("no", [(_range(a, b), self.rows[a - 1][0]) for a, b in self.missing]))
        if self.start is not None:
            parts.append(("starts at", [(str(self.start), self.rows[self.start][0])]))
        if self.repeated:
            parts.append(("twice:", [(str(n), row) for n in self.repeated for row in self.rows[n]]))
        return parts


def numbering_gaps(table: pa.Table) -> list[Gap]:
    """The gaps of each chapter, a chapter being rows of one heading that follow each other; in row order.

    Only labels that are plain numbers count. Chapters without anything odd are left out.
    """
    names = ("document", "chapter_block", "question_chapter_title", "label")
    rows = zip(*(table[name].to_pylist() for name in names), range(table.num_rows), strict=True)
    gaps = []
    last: dict[str, int] = {}
    for (document, _, chapter), some in groupby(rows, key=lambda row: row[:3]):
        places: dict[int, list[int]] = {}
        for *_, label, place in some:
            if _PLAIN.fullmatch(label or ""):
                places.setdefault(int(label), []).append(place)
        if not places:
            continue
        gap = _gap(chapter, document, places, last.get(document, 0))
        last[document] = max(places)
        if gap.missing or gap.repeated or gap.start is not None:
            gaps.append(gap)
    return gaps


def _gap(chapter: str, document: str, places: dict[int, list[int]], before: int) -> Gap:
    present = sorted(places)
    return Gap(
        chapter,
        document,
        missing=[(a + 1, b - 1) for a, b in pairwise(present) if b > a + 1],
        start=None if present[0] in (0, 1, before + 1) else present[0],
        repeated=[number for number in present if len(places[number]) > 1],
        rows=places,
    )


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
