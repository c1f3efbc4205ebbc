"""Where the required sentences stand in a reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operators.cot.problems import Problem

#: What ends a sentence or leads over to the next one, and what may stand between that and the space behind it.
_STOPS, _CLOSING = frozenset(".!?…:;。！？：；"), frozenset("\"'”’)]}»」』）】")
#: What may stand before a sentence without being a part of it; that there are no lists is another rule.
_BULLETS = frozenset("-–*•>#")


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

    It has to stand as a sentence of its own: what has words before it within the sentence says something else.

    >>> placed("A is on B. So what. C is on D. Done.", ["A is on B.", "C is on D."]).between
    ['', ' So what. ', ' Done.']
    >>> [str(each) for each in placed("C is on D. A is on B.", ["A is on B.", "C is on D."]).problems]
    ["anchor.order: 'C is on D.' stands before 'A is on B.'"]
    """
    spans = list(_in_order(reasoning, anchors))
    if len(spans) == len(anchors):
        between = _between(reasoning, spans)
        if not any(reasoning.count(anchor) > 1 for anchor in anchors):
            return Placed([], between)
        return Placed(_repeated(between, anchors), between)
    return _misplaced(reasoning, anchors)


def without(text: str, anchors: Sequence[str]) -> str:
    """A text without the required sentences in it, in whatever case."""
    lower = text.lower()
    for anchor in anchors:
        if anchor[:-1].lower() in lower:
            lower = lower.replace(anchor[:-1].lower(), " ")
    return lower


def _repeated(between: Sequence[str], anchors: Sequence[str]) -> list[Problem]:
    """The sentences that stand outside of the places that were found for them, too."""
    return [
        Problem("anchor.repeated", f"{anchor!r} stands more often than once")
        for anchor in dict.fromkeys(anchors)
        if any(_find(text, anchor, 0) >= 0 for text in between)
    ]


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
    problems = [_missing(reasoning, anchor) for i, anchor in enumerate(anchors) if i not in places]
    found = sorted(places)
    problems += [
        Problem("anchor.order", f"{anchors[later]!r} stands before {anchors[earlier]!r}")
        for earlier, later in pairwise(found)
        if places[later] < places[earlier]
    ]
    between = _between(reasoning, sorted(taken))
    return Placed(problems + _repeated(between, anchors), between)


def _missing(reasoning: str, anchor: str) -> Problem:
    embedded = _find(reasoning, anchor, 0, alone=False) >= 0
    why = "does not stand as a sentence of its own" if embedded else "is not in the reasoning word for word"
    return Problem("anchor.missing", f"{anchor!r} {why}")


def _find(reasoning: str, anchor: str, start: int, *, alone: bool = True) -> int:
    """Where a sentence stands, not as a part of longer words, nor of a longer sentence if ``alone``; -1 if nowhere."""
    while (start := reasoning.find(anchor, start)) >= 0:
        before, end = reasoning[start - 1] if start else " ", start + len(anchor)
        parted = not before.isalnum() and not reasoning[end : end + 1].isalnum()
        if parted and (not alone or _begins_sentence(reasoning, start)):
            return start
        start += 1
    return -1


def _begins_sentence(reasoning: str, start: int) -> bool:
    """Whether nothing comes before the place, or the end of another sentence."""
    while start and (reasoning[start - 1].isspace() or reasoning[start - 1] in _BULLETS):
        start -= 1
    if not start or reasoning[start - 1] == ".":
        return True
    while start and reasoning[start - 1] in _CLOSING:
        start -= 1
    return start > 0 and reasoning[start - 1] in _STOPS


def _between(reasoning: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(reasoning)]
    return [reasoning[start:end] for start, end in zip(starts, ends, strict=True)]
