"""NearDuplicates: of questions that are the same but for spelling, layout and little words, one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from operators.curate.model import columns
from operators.curate.rules.likeness import (
    differs_in_words,
    folded,
    numbers_of,
    shingles_of,
    signature,
    signs_of,
    similar_pairs,
    tokens_of,
)


class NearDuplicates(Operator):
    """Of rows that ask the same, the first one with a solution, or else with an answer.

    Two questions are the same if at least ``least`` of the pieces of three characters of both are in both (Jaccard),
    and nothing that matters differs: numbers, signs of calculation, words that turn a question round, such as "not"
    or "largest", names of things. So an exercise with other numbers is another exercise. Every such pair is found,
    within a book and across books, as the rarest pieces of each question are looked up (a set-similarity join), where
    MinHash would find most of them.

    Reads:
        question, answer, solution: the texts.
        question_images: a question about another picture is another question, unless the answers are the same.
        place: where the row stood in the input, which decides between equals.
        row_id: how a reject names the row that is kept.

    Options:
        least: the least share of common pieces.

    Rejects:
        NearDuplicate: a row that asks what another one asks, which is named.

    Example:
        >>> rows = [{"question": text, "answer": "6", "solution": "", "question_images": [], "place": n}
        ...         for n, text in enumerate(["Find the sum of 2 and 4.", "find the sum of $2$ and $4$", "2 + 5?"])]
        >>> NearDuplicates()(rows)["place"].to_pylist()
        [0, 2]
    """

    rows: ClassVar[Any] = "filter"
    together: ClassVar[bool] = True
    inputs: ClassVar[Columns] = columns("row_id question answer solution question_images place")

    #: Copies in other words come down to .44; of three pairs from .35 on among 572 real exercises, one was no copy.
    least: float = Field(default=0.4, gt=0.0, le=1.0)

    def batch(self, table: pa.Table) -> Made:
        """Compare rows of the same numbers and signs with each other."""
        rows = table.to_pylist()
        order = sorted(range(len(rows)), key=lambda n: (_poverty(rows[n]), rows[n]["place"]))
        groups: dict[object, list[int]] = defaultdict(list)
        texts = [folded(row["question"]) for row in rows]
        for n in order:
            groups[signature(texts[n])].append(n)
        twin: dict[int, tuple[int, float]] = {}
        for members in groups.values():
            twin.update(self._twins(members, rows, texts))
        failures = [
            Failure(n, f"{share:.0%} the same as row {rows[kept]['row_id']}", "NearDuplicate", kind="dropped")
            for n, (kept, share) in sorted(twin.items())
        ]
        return Made({}, [n for n in range(len(rows)) if n not in twin], failures)

    def _twins(
        self, members: Sequence[int], rows: Sequence[dict[str, Any]], texts: Sequence[str]
    ) -> dict[int, tuple[int, float]]:
        """For each row of a group that asks what an earlier one asks, that one and how like it is."""
        found: dict[int, tuple[int, float]] = {}
        alone: dict[object, int] = {}  # thousands of the same text would be millions of pairs
        for n in members:
            said = tuple(tokens_of(texts[n])), frozenset(rows[n]["question_images"])
            first = alone.setdefault(said, n)
            if first != n and _agree(rows[first], rows[n]) is False:
                first = alone.setdefault((said, tuple(numbers_of(folded(rows[n]["solution"] or rows[n]["answer"])))), n)
            if first != n:
                found[n] = (first, 1.0)
        left = list(alone.values())
        for one, other, share in similar_pairs([shingles_of(texts[n]) for n in left], self.least):
            kept, gone = left[one], left[other]
            agree = _agree(rows[kept], rows[gone])
            if kept in found or gone in found or agree is False:
                continue
            alike = not differs_in_words(tokens_of(texts[kept]), tokens_of(texts[gone]))
            if alike and set(rows[kept]["question_images"]) != set(rows[gone]["question_images"]):
                alike = agree is True  # the same words, about another picture
            if alike or (agree and rows[kept]["solution"].strip() and rows[gone]["solution"].strip()):
                found[gone] = (kept, share)
        return found


def _poverty(row: dict[str, Any]) -> tuple[bool, bool]:
    return not (row["answer"].strip() or row["solution"].strip()), not row["solution"].strip()


def _agree(one: dict[str, Any], other: dict[str, Any]) -> bool | None:
    """Whether all answers and solutions of two rows are the same, or all differ in their numbers; else None."""
    pairs = [(folded(one[name]), folded(other[name])) for name in ("answer", "solution")]
    known = [(mine, its) for mine, its in pairs if numbers_of(mine) and numbers_of(its)]
    same = [(tokens_of(mine), signs_of(mine)) == (tokens_of(its), signs_of(its)) for mine, its in known]
    if known and all(same):
        return True
    return False if known and all(numbers_of(mine) != numbers_of(its) for mine, its in known) else None
