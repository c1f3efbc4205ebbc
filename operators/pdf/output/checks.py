"""What a reader of a run is told: rows to look at, gaps in the numbering, how pages were read."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.files import write_text

#: The kind of blocks in no row that should have been read; the others are told matter.
UNREAD = "unread"

#: An answer with less confidence than this is one to check.
SURE = 0.8
_UNSURE = f"joined with less than {100 * SURE:.0f} % confidence"
_NUMBERS = re.compile(r"“[^”]*”|\d+(?:(?:, | to | and |–|-)\d+)*")


def doubts_of(row: Mapping[str, Any]) -> list[str]:
    """The doubts of a row, by its ``status``, ``confidence`` and ``doubts``."""
    unsure = row["status"] == "answered" and (row["confidence"] or 0.0) < SURE
    return [*(row["doubts"] or ()), *([_UNSURE] if unsure else ())]


def kind_of(doubt: str) -> str:
    """A doubt without its numbers and what it quotes, so that those of one kind are told together.

    >>> kind_of("label 12 follows 9, 10"), kind_of("a line in it reads like the next heading: “Worksheet 2”")
    ('label … follows …', 'a line in it reads like the next heading: …')
    """
    return doubt if doubt == _UNSURE else _NUMBERS.sub("…", doubt)


def rows_to_check(table: pa.Table) -> dict[str, list[int]]:
    """The kinds of doubts in a table, each with the places of its rows."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(table.select(["status", "confidence", "doubts"]).to_pylist()):
        for kind in dict.fromkeys(map(kind_of, doubts_of(row))):
            kinds[kind].append(place)
    return dict(kinds)


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


_WAYS = {
    "text_layer": "by text layer",
    "ocr": "by OCR",
    "content_list": "from a content list",
    "unread": "not read",
}


def write_reading(documents: pa.Table, path: Path) -> None:
    """A JSON line for each range of pages: document, file, first and last page (from 1), source and why."""
    lines = []
    for row in documents.select(["name", "input_pdf_paths", "pages_read"]).to_pylist():
        for way in row["pages_read"]:
            record = {
                "name": row["name"],
                "file": str(row["input_pdf_paths"][way["file"]]),
                "first_page": way["first"] + 1,
                "last_page": way["last"] + 1,
                "source": way["source"],
                "why": way["why"],
            }
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    write_text(path, "".join(lines))


def told_reading(ways: Sequence[Sequence[Mapping[str, object]]]) -> str:
    """How many pages were read in which way, from the ``pages_read`` of documents; of text layers also what they lack.

    >>> pages = {"first": 0, "last": 8, "source": "text_layer", "why": "letters without names, read by OCR"}
    >>> told_reading([[pages, {"first": 9, "last": 9, "source": "ocr", "why": "no text layer"}]])
    '9 pages by text layer (letters without names, read by OCR), 1 by OCR'
    """
    counts: Counter[str] = Counter()
    for document in ways:
        for way in document:
            source, why = str(way["source"]), way["why"]
            how = f"{_WAYS[source]} ({why})" if source == "text_layer" and why else _WAYS.get(source, f"by {why}")
            counts[how] += int(str(way["last"])) - int(str(way["first"])) + 1
    told = [f"{n:,} {how}" for how, n in counts.most_common()]
    pages = " page " if told and told[0].startswith("1 ") else " pages "
    return ", ".join(told).replace(" ", pages, 1)
