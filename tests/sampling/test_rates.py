"""Estimates and bounds hold for every way of stopping: proven over all ends of a rule, not sampled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.sampling.rates import Rule, by_luck, chance, interval, outcome_of, pass_at, rate, rule_of, ways

RULES = st.builds(
    lambda cap, least, successes: Rule(min(least, cap), successes, cap),
    st.integers(1, 9),
    st.integers(1, 6),
    st.integers(0, 4),
).filter(lambda rule: rule != Rule(1, 0, 1))
CHANCES = st.floats(0.0, 1.0)


@given(RULES, CHANCES)
def test_the_ways_to_the_ends_are_all_that_can_happen(rule, p):
    assert chance(dict(ways(rule)), p) == pytest.approx(1)


@given(RULES, CHANCES)
def test_the_mean_of_a_rate_is_the_chance_of_success_whatever_the_rule(rule, p):
    mean = sum(count * p**r * (1 - p) ** (n - r) * rate(rule, r, n) for (r, n), count in ways(rule).items())
    assert mean == pytest.approx(p)


@given(RULES.filter(lambda rule: rule.successes != 0 or rule.least == rule.cap), CHANCES, st.integers(1, 9))
def test_the_mean_of_pass_at_k_is_the_chance_that_one_of_k_succeeds(rule, p, k):
    k = min(k, rule.cap)
    mean = sum(count * p**r * (1 - p) ** (n - r) * pass_at(k, rule, r, n) for (r, n), count in ways(rule).items())
    assert mean == pytest.approx(1 - (1 - p) ** k)


@given(RULES, CHANCES)
def test_the_bounds_hold_the_chance_of_success_in_95_of_100_cases_at_least(rule, p):
    held = {(r, n): count for (r, n), count in ways(rule).items() if _within(p, *interval(rule, r, n))}
    assert chance(held, p) >= 0.95 - 1e-9


def _within(p, low, high):
    return low - 1e-9 <= p <= high + 1e-9


@given(RULES, st.lists(st.booleans(), min_size=9, max_size=9))
def test_attempts_that_are_under_way_together_are_never_more_than_one_by_one_would_be(rule, results):
    one_by_one = right = 0
    while not rule.stops(right, one_by_one):
        right += results[one_by_one]
        one_by_one += 1
    together = 0
    while more := rule.wanted(sum(results[:together]), together):
        together += more
    assert together == one_by_one


def test_a_stop_at_the_second_success_has_the_estimate_of_inverse_sampling():
    rule = rule_of("second", 5)
    assert [rate(rule, 2, n) for n in (2, 3, 4, 5)] == [1, 1 / 2, 1 / 3, 1 / 4]
    assert [rate(rule, r, 5) for r in (0, 1)] == [0, 1 / 5]


def test_a_fixed_number_has_the_share_of_successes_and_chens_pass_at_k():
    rule = rule_of("fixed", 4)
    assert [rate(rule, r, 4) for r in range(5)] == [0, 0.25, 0.5, 0.75, 1]
    assert pass_at(2, rule, 1, 4) == 1 - (3 * 2) / (4 * 3)


def test_the_first_success_tells_no_rate_and_neither_do_undecided_attempts():
    first = outcome_of("first", rule_of("first", 5), 2, 1, 0)
    assert (first.pass_rate, first.pass_low, first.estimator) == (None, None, "none: stopped at the first success")
    open_one = outcome_of("second", rule_of("second", 5), 2, 1, 1)
    assert (open_one.pass_rate, open_one.estimator, open_one.band) == (None, "none: attempts are undecided", "unknown")


def test_a_choice_question_that_does_no_better_than_luck_is_guessed():
    rule = rule_of("fixed", 4)
    bands = [outcome_of("fixed", rule, 4, right, 0, guess=0.25).band for right in range(5)]
    assert bands == ["unsolved", "guessed", "guessed", "easy", "always"]
    assert by_luck(rule, 2, 4, 0.25) == pytest.approx(1 - 0.75**4 - 4 * 0.25 * 0.75**3)


def test_bands_go_from_never_right_to_always_right():
    rule = rule_of("fixed", 10)
    bands = [outcome_of("fixed", rule, 10, right, 0).band for right in (0, 1, 3, 4, 7, 8, 9, 10)]
    assert bands == ["unsolved", "hard", "hard", "medium", "medium", "easy", "easy", "always"]
