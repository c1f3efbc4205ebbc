"""Accuracy against labels: what counts, out of what, and within which bounds."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.report.figures import wilson
from operators.game.output.labels import Label
from operators.game.output.stats import Mistake, Share, accuracy, told_accuracy
from tests.game.output.kept_rounds import row

ROOT = Path("/raw")
GOOD = Label((5, 8, 3), "GREEN", "1")


def key(number: int) -> tuple[str, str, int]:
    return ("phone", "episode_001", number)


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    # Newcombe 1998, table I, method 3, and two more by hand.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
     (29, 29, 0.8830, 1.0), (198, 200, 0.9643, 0.9973), (0, 0, 0.0, 1.0)],
)  # fmt: skip
def test_bounds_are_those_of_wilson(right: int, of: int, low: float, high: float) -> None:
    assert tuple(round(bound, 4) for bound in wilson(right, of)) == (low, high)


@given(st.integers(0, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_bounds_hold_the_share_and_are_mirrored_for_the_wrong_ones(counts: tuple[int, int]) -> None:
    right, of = counts
    low, high = wilson(right, of)
    assert 0 <= low <= (right / of if of else 0.5) <= high <= 1
    assert wilson(of - right, of) == pytest.approx((1 - high, 1 - low))


def test_each_field_counts_where_it_is_labelled_and_all_three_where_all_are() -> None:
    kept = [row(ROOT, n) for n in (1, 2, 3, 4)]
    labels = {
        key(1): GOOD,
        key(2): Label((5, 6, 3), "GREEN", "1"),
        key(3): Label(light="RED"),
        key(9): GOOD,
        ("other", "e", 1): GOOD,
    }
    measured = accuracy(kept, labels, {key(n) for n in range(1, 10)})
    assert measured.shares == {
        "numbers": Share(1, 2),
        "light": Share(2, 3),
        "answer": Share(2, 2),
        "all three": Share(1, 2),
        "kept": Share(3, 4),
    }
    assert measured.unknown == 1
    assert measured.mistakes == (
        Mistake("phone-episode_001-2", key(2), ("numbers",), labels[key(2)]),
        Mistake("phone-episode_001-3", key(3), ("light",), labels[key(3)]),
    )


def test_a_twin_of_the_labelled_card_is_a_mistake_as_training_would_take_it_for_one() -> None:
    measured = accuracy([row(ROOT, 1, numbers=[8, 8, 3], card=1)], {key(1): Label((8, 8, 3), "GREEN", "0")}, ())
    assert [each.fields for each in measured.mistakes] == [("answer",)]


def test_the_terminal_gets_an_aligned_table() -> None:
    labels = {key(1): GOOD, key(2): Label((5, 8, 3)), ("other", "e", 1): GOOD}
    kept = [row(ROOT, n, light="RED") for n in (1, 2)]
    assert told_accuracy(accuracy(kept, {k: Label(v.numbers, v.light) for k, v in labels.items()}, ())) == (
        "accuracy     right      of     share   95 % bounds\n"
        "numbers          2       2   100.0 %   34.2 to 100.0 %\n"
        "light            0       1     0.0 %   0.0 to 79.3 %\n"
        "answer                 none labelled\n"
        "all three              none labelled\n"
        "kept             2       2   100.0 %   34.2 to 100.0 %\n"
        "1 labelled round not met in this run"
    )


def test_figures_for_the_statistics_are_plain_values() -> None:
    figures = accuracy([row(ROOT, 1)], {key(1): GOOD}, ()).as_dict()
    assert figures["all_three"] == {"right": 1, "of": 1, "share": 1.0, "low": 0.2065, "high": 1.0}
    assert accuracy([], {}, ()).as_dict()["kept"] == {"right": 0, "of": 0, "share": None, "low": 0.0, "high": 1.0}
