"""Runs of answers assigned to runs of questions in the order of the book, and how sure each assignment is."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate

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
    best = max([best, *ahead.until[-1]])
    choices: list[Choice | None] = []
    for a, candidate in enumerate(answers):
        there = len(answers) - 1 - a
        rest = behind.ends[there]
        through = sorted(
            ((ahead.ends[a][q] + rest[questions - 1 - q] - worth, -q) for q, worth in candidate.worth.items()),
            reverse=True,
        )
        if not through or through[0][0] < best - 1e-9:
            choices.append(None)
            continue
        alone = _around(ahead, a, behind, there)
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
    """The best totals of the first runs of answers: by what the last one is given to, and before each run.

    In ``reverse``, where the book is read from its end, ``back`` tells which runs may be left by a jump, otherwise
    which may be reached by one.
    """

    def __init__(self, answers: Sequence[Candidate], questions: int, *, reverse: bool = False) -> None:
        #: For each run, by the questions that it is given to.
        self.ends: list[dict[int, float]] = []
        #: Before each run and at the end, by the questions that the last run given out has.
        self.until: list[array[float]] = [array("d", [-NEVER]) * questions]
        #: The best of these from which the book may be gone back.
        self.left: list[float] = [-NEVER]
        for candidate in answers:
            last, left = self.until[-1], self.left[-1]
            before = list(accumulate(last, max, initial=0.0))
            here: dict[int, float] = {}
            for q, worth in candidate.worth.items():
                options = [before[q]]
                if reverse or q in candidate.back:
                    options.append(left - JUMP)
                if self.ends and q in self.ends[-1]:
                    options.append(self.ends[-1][q] - candidate.again)
                here[q] = worth + max(options)
            last = last[:]
            for q, total in here.items():
                last[q] = max(last[q], total)
                left = max(left, total) if not reverse or q in candidate.back else left
            self.ends.append(here)
            self.until.append(last)
            self.left.append(left)


def _around(ahead: _Totals, a: int, behind: _Totals, there: int) -> float:
    """The best total if a run of answers is left alone, from what stands before it and behind it."""
    best = ahead.left[a] + behind.left[there] - JUMP
    reach = 0.0
    for early, late in zip(ahead.until[a], reversed(behind.until[there]), strict=True):
        best = max(best, reach + max(late, 0.0))
        reach = max(reach, early)
    return max(best, reach)
