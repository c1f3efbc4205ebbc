"""Rates of success and their intervals, right for the rule by which attempts were stopped.

A rule that stops at successes makes successes over attempts too high. The share of the ways to an end that begin with
a success is an unbiased estimate of the rate for every rule (Girshick, Mosteller and Savage, 1946): r/n for a fixed
number of attempts, (r-1)/(n-1) for a stop at the r-th success. Intervals are exact: Clopper and Pearson's, with the
rule's ends in the order of their estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from operators.sampling.rates.rule import End, Policy, Rule, ways

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
