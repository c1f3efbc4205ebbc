"""Where the required sentences stand in a reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operators.cot.problems import Problem


@dataclass(frozen=True, slots=True)
class Placed:
    """What is wrong with the required sentences, and the text between and around those that were found."""

    problems: list[Problem]
    between: list[str]

    @property
    def after(self) -> str:
        """What follows the last of them."""
        return self.between[-1]


def placed(reasoning: str, anchors: Sequence[str]) -> Placed:
    """Finds every required sentence word for word, in order and without overlaps, or tells which are not so.

    >>> placed("A is on B. So what. C is on D. Done.", ["A is on B.", "C is on D."]).between
    ['', ' So what. ', ' Done.']
    >>> [str(each) for each in placed("C is on D. A is on B.", ["A is on B.", "C is on D."]).problems]
    ["anchor.order: 'C is on D.' stands before 'A is on B.'"]
    """
    spans = list(_in_order(reasoning, anchors))
    if len(spans) == len(anchors):
        return Placed([], _between(reasoning, spans))
    return _misplaced(reasoning, anchors)


def _in_order(reasoning: str, anchors: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The earliest places one after another, up to the first sentence that has none."""
    end = 0
    for anchor in anchors:
        start = _find(reasoning, anchor, end)
        if start < 0:
            return
        end = start + len(anchor)
        yield start, end


def _misplaced(reasoning: str, anchors: Sequence[str]) -> Placed:
    """The longest sentences take their places first, so that none is found within another."""
    taken: list[tuple[int, int]] = []
    places: dict[int, int] = {}
    for i in sorted(range(len(anchors)), key=lambda i: -len(anchors[i])):
        start = _find(reasoning, anchors[i], 0)
        while start >= 0 and any(start < end and begin < start + len(anchors[i]) for begin, end in taken):
            start = _find(reasoning, anchors[i], start + 1)
        if start >= 0:
            taken.append((start, start + len(anchors[i])))
            places[i] = start
    problems = [
        Problem("anchor.missing", f"{anchors[i]!r} is not in the reasoning word for word")
        for i in range(len(anchors))
        if i not in places
    ]
    found = sorted(places)
    problems += [
        Problem("anchor.order", f"{anchors[later]!r} stands before {anchors[earlier]!r}")
        for earlier, later in pairwise(found)
        if places[later] < places[earlier]
    ]
    return Placed(problems, _between(reasoning, sorted(taken)))


def _find(reasoning: str, anchor: str, start: int) -> int:
    """Where a sentence stands, not as a part of longer words; -1 if nowhere."""
    while (start := reasoning.find(anchor, start)) >= 0:
        before, end = reasoning[start - 1] if start else " ", start + len(anchor)
        if not before.isalnum() and not reasoning[end : end + 1].isalnum():
            return start
        start += 1
    return -1


def _between(reasoning: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(reasoning)]
    return [reasoning[start:end] for start, end in zip(starts, ends, strict=True)]
