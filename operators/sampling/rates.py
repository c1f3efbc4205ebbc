"""Attempts at a question: what one is, when enough are made, and what they say of the question's rate of success."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from operators.verify.answer import Sameness

#: By which rule further attempts are made.
Policy = Literal["fixed", "first", "second", "adaptive"]

#: How hard a question is for its solver, from never right to always right; ``guessed``: no better than by luck.
Band = Literal["unsolved", "hard", "medium", "easy", "always", "guessed", "unknown"]
BANDS: tuple[Band, ...] = ("unsolved", "hard", "medium", "easy", "always", "guessed", "unknown")

#: Who decided that an attempt is right or wrong, if it was no judge: its answer's meaning, or the way it ended.
BY_RULES, BY_END = "rules", "end"


@dataclass(frozen=True, slots=True)
class About:
    """Where a question comes from, as far as its row tells."""

    name: str | None = None
    label: str | None = None
    chapter: str | None = None
    question_type: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an answer is right (``unsure``: nobody could tell), by whom, and why; the judge's calls and tokens."""

    verdict: Sameness
    verdict_by: str
    verdict_reason: str
    judge_calls: int = 0
    judge_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What all attempts at a question come to under their policy.

    ``right`` and ``undecided`` count attempts. Rate and bounds are None under a policy that tells none, and where
    an attempt is undecided. ``luck`` is how likely guessing does as well, for a choice question.
    """

    policy: Policy
    cap: int
    attempts: int
    right: int
    undecided: int
    pass_rate: float | None
    pass_low: float | None
    pass_high: float | None
    estimator: str
    band: Band
    luck: float | None


#: Attempts that every question gets under ``adaptive``: with fewer an easy question would tell nothing of its rate.
ADAPTIVE_LEAST = 3


@dataclass(frozen=True, slots=True)
class Rule:
    """Stop once there are ``least`` attempts and ``successes`` among them, or ``cap`` attempts.

    >>> Rule(2, 2, 5).stops(2, 2), Rule(2, 2, 5).stops(1, 4), Rule(2, 2, 5).stops(0, 5)
    (True, False, True)
    """

    least: int
    successes: int
    cap: int

    def stops(self, successes: int, attempts: int) -> bool:
        """Whether no further attempt is made."""
        return attempts >= self.cap or (attempts >= self.least and successes >= self.successes)

    def wanted(self, successes: int, attempts: int) -> int:
        """How many further attempts are sure to be made, so that they can be under way together.

        >>> Rule(2, 2, 5).wanted(0, 0), Rule(2, 2, 5).wanted(0, 4), Rule(2, 2, 5).wanted(1, 2)
        (2, 1, 1)
        """
        if self.stops(successes, attempts):
            return 0
        return min(max(self.least - attempts, self.successes - successes, 1), self.cap - attempts)


def rule_of(policy: Policy, cap: int) -> Rule:
    """The rule of a policy; that of ``adaptive`` is for one question that may have ``cap`` attempts."""
    if policy == "fixed":
        return Rule(cap, 0, cap)
    if policy == "first":
        return Rule(1, 1, cap)
    least = min(2 if policy == "second" else ADAPTIVE_LEAST, cap)
    return Rule(least, 2, cap)


#: An end: successes and attempts when the rule stopped.
End = tuple[int, int]


@lru_cache(maxsize=4096)
def ways(rule: Rule, successes: int = 0, attempts: int = 0) -> Mapping[End, int]:
    """In how many orders of successes and failures each end is reached from here.

    >>> dict(ways(Rule(2, 2, 3)))
    {(2, 2): 1, (0, 3): 1, (1, 3): 3, (2, 3): 2}
    """
    ends: dict[End, int] = {}
    here = {successes: 1}
    while here:
        going: dict[int, int] = {}
        for had, count in sorted(here.items()):
            if rule.stops(had, attempts):
                ends[had, attempts] = count
                continue
            for after in (had, had + 1):
                going[after] = going.get(after, 0) + count
        here, attempts = going, attempts + 1
    return ends


#: What cards and rows call the estimate of each policy; ``first`` stops too soon to tell a rate.
ESTIMATORS: dict[Policy, str] = {
    "fixed": "r/n",
    "first": "none: stopped at the first success",
    "second": "(r-1)/(n-1) at the second success, r/n below it",
    "adaptive": "share of the ways to (r, n) that begin with a success",
}

#: What an interval leaves out at each side.
_TAIL = 0.025
_HALVINGS = 50


@lru_cache(maxsize=65536)
def rate(rule: Rule, successes: int, attempts: int) -> float:
    """The unbiased estimate of the rate of success at this end of the rule.

    >>> rate(Rule(5, 0, 5), 2, 5), rate(Rule(2, 2, 5), 2, 4), rate(Rule(2, 2, 5), 1, 5)
    (0.4, 0.3333333333333333, 0.2)
    """
    end = successes, attempts
    return ways(rule, 1, 1).get(end, 0) / ways(rule)[end]


def pass_at(k: int, rule: Rule, successes: int, attempts: int) -> float:
    """The unbiased estimate of the chance that one of ``k`` attempts succeeds; ``k`` is at most the rule's cap.

    For a fixed number of attempts that is the estimate of Chen and others (2021).

    >>> pass_at(2, Rule(4, 0, 4), 1, 4), pass_at(2, Rule(2, 2, 5), 2, 4)
    (0.5, 0.6666666666666667)
    """
    end = successes, attempts
    return 1 - ways(rule, 0, k).get(end, 0) / ways(rule)[end]


@lru_cache(maxsize=65536)
def interval(rule: Rule, successes: int, attempts: int) -> tuple[float, float]:
    """Bounds of the rate of success that hold it in 95 of 100 cases or more, whatever it is.

    >>> [round(bound, 3) for bound in interval(Rule(5, 0, 5), 2, 5)]
    [0.053, 0.853]
    """
    mine = rate(rule, successes, attempts)
    ends = {end: (rate(rule, *end), count) for end, count in ways(rule).items()}
    above = {end: count for end, (each, count) in ends.items() if each >= mine}
    below = {end: count for end, (each, count) in ends.items() if each <= mine}
    low = 0.0 if len(above) == len(ends) else _where(lambda p: chance(above, p) > _TAIL)
    high = 1.0 if len(below) == len(ends) else _where(lambda p: chance(below, p) < _TAIL)
    return low, high


def chance(ends: dict[End, int], p: float) -> float:
    """How likely the ends are together, for attempts that succeed with this chance."""
    return sum(count * p**r * (1 - p) ** (n - r) for (r, n), count in ends.items())


def by_luck(rule: Rule, successes: int, attempts: int, guess: float) -> float:
    """How likely guessing alone comes to an end at least as good.

    >>> by_luck(Rule(2, 2, 5), 2, 2, 0.25), by_luck(Rule(4, 0, 4), 3, 4, 0.25)
    (0.0625, 0.05078125)
    """
    mine = rate(rule, successes, attempts)
    return chance({end: count for end, count in ways(rule).items() if rate(rule, *end) >= mine}, guess)


def _where(holds: Callable[[float], bool]) -> float:
    """From which chance of success on it holds."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return (low + high) / 2


#: A choice question whose result guessing comes to more often than this is no better than guessed. A second success
#: in a row is at .0625 with four options, which the usual .05 would refuse at every question.
GUESS_LEVEL = 0.1

#: Rates up to which a question is hard, and medium.
_HARD, _MEDIUM = 0.3, 0.7


def outcome_of(
    policy: Policy, rule: Rule, attempts: int, right: int, undecided: int, guess: float | None = None
) -> Outcome:
    """The outcome of attempts that were stopped by this rule; ``guess`` is the rate of a choice question's guesser.

    >>> outcome_of("second", rule_of("second", 5), 3, 2, 0).pass_rate
    0.5
    """
    known = policy != "first" and not undecided
    estimate = rate(rule, right, attempts) if known else None
    low, high = interval(rule, right, attempts) if known else (None, None)
    luck = None
    if guess is not None:
        luck = by_luck(rule if not undecided else rule_of("fixed", attempts), right, attempts, guess)
    name = ESTIMATORS[policy] if not undecided else "none: attempts are undecided"
    band = _band(estimate, luck, right, undecided)
    return Outcome(policy, rule.cap, attempts, right, undecided, estimate, low, high, name, band, luck)


def _band(estimate: float | None, luck: float | None, right: int, undecided: int) -> Band:
    if right and luck is not None and luck > GUESS_LEVEL:
        return "guessed"
    if not right and not undecided:
        return "unsolved"
    if estimate is None:
        return "unknown"
    if estimate >= 1:
        return "always"
    return "hard" if estimate <= _HARD else "medium" if estimate <= _MEDIUM else "easy"
