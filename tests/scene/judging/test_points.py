"""From measures to points: within the ranges, and less for what is worse."""

from __future__ import annotations

from dataclasses import astuple, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.judging import MOST, Measures, points_of, total

lengths = st.floats(0, 1e6)
shares = st.floats(0, 1)
measures = st.builds(
    Measures, lengths, lengths, shares, st.none() | st.floats(-1, 1), lengths, lengths, lengths
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(measures, st.integers(0, 30), st.integers(0, 30))
def test_points_are_in_their_ranges_and_the_total_is_their_sum(found: Measures, asked: int, missing: int) -> None:
    scores = points_of(found, asked, missing)
    assert all(0 <= points <= most for points, most in zip(astuple(scores), MOST.values(), strict=True))
    assert total(scores) == round(sum(astuple(scores)), 2)
    assert total(scores) <= 100


@settings(max_examples=100, deadline=None)
@given(measures, st.sampled_from(["overlap", "outside", "unclear", "idle", "travel", "uneven"]), st.floats(0.01, 1))
def test_more_of_any_bad_thing_never_gives_more_points(found: Measures, name: str, more: float) -> None:
    worse = replace(found, **{name: min(getattr(found, name) + more, 1.0 if name == "unclear" else 1e9)})
    assert total(points_of(worse, 1, 0)) <= total(points_of(found, 1, 0))


@settings(max_examples=50, deadline=None)
@given(measures, st.floats(-1, 1), st.floats(0.01, 2))
def test_a_better_order_of_sizes_never_gives_less(found: Measures, order: float, more: float) -> None:
    points = [total(points_of(replace(found, order=each), 1, 0)) for each in (order, min(1.0, order + more))]
    assert points == sorted(points)


def test_what_is_asked_for_and_missing_costs_its_share_of_the_instructions_points() -> None:
    perfect = Measures(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert [points_of(perfect, asked, missing).instruction for asked, missing in ((0, 0), (4, 0), (4, 1), (4, 4))] == [
        15.0,
        15.0,
        11.25,
        0.0,
    ]
