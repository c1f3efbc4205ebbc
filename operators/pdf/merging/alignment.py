"""Runs of answers assigned to runs of questions in the order of the book, and how sure each assignment is."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

#: What it costs to go back in the book, as worked solutions do behind the short answers, and to answer questions again
#: right behind their short answers. A run of equal labels is worth more than the one, and the other is more than
#: what makes an assignment a guess.
JUMP, LAYER = 0.5, 0.2
NEVER = float("inf")


@dataclass(slots=True)
class Candidate:
    """What it is worth to give a run of answers to each run of questions.

    ``back`` are those for which it may go back in the book; ``again`` is what it costs to give it to the questions of
    the run before.
    """

    worth: dict[int, float]
    back: AbstractSet[int] = field(default_factory=frozenset)
    again: float = NEVER


@dataclass(slots=True)
class Choice:
    """A run of questions for a run of answers.

    ``margin`` is what the best assignment of the whole book loses without it: by leaving the answers alone, or by
    giving them to ``rival``, the next best; near 0 it is a guess.
    """

    question: int
    margin: float
    rival: int | None


def assign(answers: Sequence[Candidate], questions: int) -> list[Choice | None]:
    """The choice for each run of answers in the heaviest assignment that keeps the order, ``None`` for none.

    >>> [c and (c.question, c.margin) for c in assign([Candidate({0: 1.0, 1: 1.0}), Candidate({0: 1.0, 1: 1.0})], 2)]
    [(0, 1.0), (1, 1.0)]
    >>> assign([Candidate({0: 1.0, 1: 1.0})], 2)
    [Choice(question=0, margin=0.0, rival=1)]
    """
    ahead = _Totals(answers, questions)
    behind = _Totals(_mirrored(answers, questions), questions, reverse=True)
    best = max((total for here in ahead.ends for total in here.values()), default=0.0)
    choices: list[Choice | None] = []
    for a, (candidate, alone) in enumerate(zip(answers, _left_alone(ahead, behind, questions), strict=True)):
        rest = behind.ends[-1 - a]
        through = sorted(
            ((ahead.ends[a][q] + rest[questions - 1 - q] - worth, -q) for q, worth in candidate.worth.items()),
            reverse=True,
        )
        if not through or through[0][0] < best - 1e-9:
            choices.append(None)
            continue
        second = through[1] if len(through) > 1 else (-NEVER, 0)
        rival = -second[1] if second[0] >= alone else None
        choices.append(Choice(-through[0][1], best - max(second[0], alone), rival))
    return choices


def _mirrored(answers: Sequence[Candidate], questions: int) -> list[Candidate]:
    """The same book read from its end."""
    turned = [{questions - 1 - q: worth for q, worth in c.worth.items()} for c in reversed(answers)]
    backs = [{questions - 1 - q for q in c.back} for c in reversed(answers)]
    again = [*(c.again for c in answers[:1]), *(c.again for c in reversed(answers[1:]))]
    return [Candidate(worth, back, cost) for worth, back, cost in zip(turned, backs, again, strict=True)]


class _Totals:
    """The best totals of the first runs of answers, by what the last one is given to.

    In ``reverse``, where the book is read from its end, ``back`` tells which runs may be left by a jump, otherwise
    which may be reached by one.
    """

    def __init__(self, answers: Sequence[Candidate], questions: int, *, reverse: bool = False) -> None:
        #: For each run, by the questions that it is given to.
        self.ends: list[dict[int, float]] = []
        #: Before each run and at the end, the best total from which the book may be gone back.
        self.left: list[float] = [-NEVER]
        reach = _Reach(questions)
        last: dict[int, float] = {}
        for candidate in answers:
            left = self.left[-1]
            here: dict[int, float] = {}
            for q, worth in candidate.worth.items():
                before = reach.before(q)
                if reverse or q in candidate.back:
                    before = max(before, left - JUMP)
                if q in last:
                    before = max(before, last[q] - candidate.again)
                here[q] = worth + before
            for q, total in here.items():
                reach.add(q, total)
                left = max(left, total) if not reverse or q in candidate.back else left
            self.ends.append(here)
            self.left.append(left)
            last = here


class _Reach:
    """The best total up to each run of questions, in a Fenwick tree, as a book may have thousands of them."""

    def __init__(self, questions: int) -> None:
        self.best = [0.0] * (questions + 1)

    def add(self, q: int, total: float) -> None:
        q += 1
        while q < len(self.best):
            if total > self.best[q]:
                self.best[q] = total
            q += q & -q

    def before(self, q: int) -> float:
        found = 0.0
        while q:
            if self.best[q] > found:
                found = self.best[q]
            q &= q - 1
        return found


def _left_alone(ahead: _Totals, behind: _Totals, questions: int) -> list[float]:
    """For each run of answers the best total without it, from what stands before it and behind it."""
    split = _Split(questions)
    undo: list[list[tuple[int, float]]] = []
    for here in behind.ends:
        better = [(questions - 1 - q, total) for q, total in here.items()]
        better = [(q, total) for q, total in better if total > split.late[split.size + q]]
        undo.append([(q, split.late[split.size + q]) for q, _ in better])
        for q, total in better:
            split.put(split.late, q, total)
    alone = []
    for a, here in enumerate(ahead.ends):
        for q, total in undo.pop():
            split.put(split.late, q, total)
        jumped = ahead.left[a] + behind.left[-2 - a] - JUMP
        alone.append(max(jumped, split.best[1]))
        for q, total in here.items():
            if total > split.early[split.size + q]:
                split.put(split.early, q, total)
    return alone


class _Split:
    """The best sum of a total of early runs and one of late runs given to questions behind theirs, in a tree."""

    def __init__(self, questions: int) -> None:
        self.size = 1 << max(questions - 1, 0).bit_length()
        self.early, self.late = [-NEVER] * 2 * self.size, [-NEVER] * 2 * self.size
        self.best = [0.0] * 2 * self.size

    def put(self, side: list[float], q: int, total: float) -> None:
        """Set a total on one of the sides."""
        at = q + self.size
        early, late, best = self.early, self.late, self.best
        side[at] = total
        best[at] = max(early[at], late[at], 0.0)
        while at > 1:
            at >>= 1
            one, two = 2 * at, 2 * at + 1
            most = side[one] if side[one] > side[two] else side[two]
            both = max(best[one], best[two], early[one] + late[two])
            if most == side[at] and both == best[at]:
                return
            side[at], best[at] = most, both
