"""What the attempts at a question come to: its rate with bounds, and how hard it is."""

from __future__ import annotations

from operators.sampling.model.attempt import Band, Outcome
from operators.sampling.rates.estimates import ESTIMATORS, by_luck, interval, rate
from operators.sampling.rates.rule import Policy, Rule, rule_of

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
