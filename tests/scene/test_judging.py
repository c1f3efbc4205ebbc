"""What is measured of a chain, each measure what was built into it and no more, and the points that this gives."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.judging import MOST, Measures, measured, points_of, total
from operators.scene.model.chain import Chain
from tests.scene.built_chains import BED, CHAIR, DESK, EMPTY, LAMP, STAND, STRAIGHT, WARDROBE, Building, furnished, good

PERFECT = Measures(overlap=0.0, outside=0.0, unclear=0.0, order=1.0, idle=0.0, travel=0.0, uneven=0.0)


def of(chain: Chain) -> Measures:
    return measured(chain, chain.states())


def test_a_chain_that_adds_large_things_first_and_never_errs_has_perfect_measures() -> None:
    assert of(good()) == PERFECT


def test_an_overlap_on_the_way_counts_for_as_many_turns_as_it_is_there() -> None:
    """The stand is 0.3 m deep in the desk after the second turn and after the third."""
    built = Building()
    built.turn(built.add(DESK)).turn(built.add(STAND, [-1.8, 0.0, 0.75])).turn(built.add(LAMP)).turn(built.move(STAND))
    found = of(built.chain())
    assert found.overlap == pytest.approx(2 * 0.3 / 4)
    assert (found.unclear, found.outside) == (2 / 4, 0.0)
    assert found.travel == pytest.approx(0.45 / 4)


def test_what_overlaps_in_the_finished_room_too_is_not_the_chains_fault() -> None:
    close = ("s", STAND[1], STAND[2], [-1.8, 0.0, 0.75])
    built = Building()
    built.turn(built.add(DESK)).turn(built.add(close))
    assert of(built.chain()).overlap == 0.0
    moved = Building()
    moved.turn(moved.add(DESK)).turn(moved.add(close, [-1.8, 0.0, 0.65])).turn(moved.move(close))
    assert of(moved.chain()).overlap == 0.0, "deeper or not, these two overlap in the end"


def test_what_is_wrong_in_the_first_room_is_not_the_chains_fault() -> None:
    """The stand is in the desk at first, and mended in the second turn."""
    crooked = {"jid": "s", "desc": STAND[1], "size": STAND[2], "pos": [-1.8, 0.0, 0.75], "rot": STRAIGHT}
    desk = {"jid": "d", "desc": DESK[1], "size": DESK[2], "pos": DESK[3], "rot": STRAIGHT}
    built = Building({**EMPTY, "objects": [desk, crooked]})
    built.turn(built.add(LAMP)).turn(built.move(STAND))
    found = of(built.chain())
    assert (found.overlap, found.outside, found.unclear) == (0.0, 0.0, 0.0)


def test_what_rightly_shares_its_place_does_not_overlap() -> None:
    built = Building()
    built.turn(built.add(DESK)).turn(built.add(CHAIR, [-1.8, 0.0, 0.75])).turn(built.move(CHAIR))
    assert of(built.chain()).overlap == 0.0, "a chair is pushed under its desk"


def test_objects_outside_on_the_way_count_by_their_share() -> None:
    built = Building()
    built.turn(built.add(BED)).turn(built.add(LAMP, [2.5, 0.0, -2.2])).turn(built.move(LAMP))
    found = of(built.chain())
    assert (found.outside, found.unclear) == (pytest.approx(0.5 / 3), 1 / 3)


def test_a_distractor_that_is_taken_away_counts_while_it_stands_in_something() -> None:
    built = Building()
    built.turn(built.add(BED)).turn(built.add(LAMP, [0.0, 0.0, -1.5])).turn(built.remove(LAMP)).turn(built.add(DESK))
    found = of(built.chain())
    assert (found.overlap > 0, found.unclear, found.idle) == (True, 1 / 4, 1 / 4)


def test_the_room_at_the_start_counts_against_nobody() -> None:
    room = furnished(DESK, ("c", CHAIR[1], CHAIR[2], [-1.8, 0.0, 0.6]))
    built = Building(room)
    built.turn(built.move(CHAIR))
    found = of(built.chain())
    assert (found.overlap, found.unclear, found.order, found.idle) == (0.0, 0.0, None, 0.0)


def test_the_order_of_sizes_is_told_from_1_to_minus_1() -> None:
    built = Building()
    for piece in (LAMP, CHAIR, DESK, BED, WARDROBE):
        built.turn(built.add(piece))
    assert of(built.chain()).order == -1.0


def test_turns_of_one_size_are_even_and_others_are_not() -> None:
    built = Building()
    built.turn(built.add(WARDROBE), built.add(BED), built.add(DESK)).turn(built.add(LAMP))
    assert of(built.chain()).uneven == pytest.approx(0.5)


def test_calls_that_a_later_turn_undoes_or_changes_are_idle() -> None:
    def idle(*further: str) -> float:
        """The idle edits of a room with a bed and a chair, to which one does things turn by turn."""
        built = Building()
        built.turn(built.add(BED), built.add(CHAIR, [1.0, 0.0, 1.0]))
        away, end = [1.5, 0.0, 1.0], CHAIR[3]
        calls = {
            "on": lambda: built.move(CHAIR, end),
            "away": lambda: built.move(CHAIR, away),
            "turn": lambda: built.turned(CHAIR, [0.0, 1.0, 0.0, 0.0]),
            "out": lambda: built.remove(CHAIR),
            "other": lambda: built.replace(CHAIR, LAMP),
            "rest": lambda: built.move(BED, [0.0, 0.0, -1.4]),
        }
        for each in further:
            built.turn(calls[each]())
        return of(built.chain()).idle * (1 + len(further))

    assert idle() == 0
    assert idle("on") == 1, "put elsewhere first"
    assert idle("turn", "on") == 2
    assert idle("turn", "away", "on") == 3
    assert idle("out") == 1, "put in vain"
    assert idle("other") == 1
    assert idle("rest") == 1, "the bed was put elsewhere first"


def test_a_chain_without_calls_or_with_one_object_has_measures_all_the_same() -> None:
    assert of(Building().turn().chain()).uneven == 0.0
    built = Building()
    assert of(built.turn(built.add(BED)).chain()).order is None


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
