"""EpisodeMemory: what several rounds of an episode agree on settles the unsure one, and contradicts the wrong one."""

from collections.abc import Sequence
from typing import Any

import pytest

from operators.game.memory.marks import Likeness, Marked, like_others
from operators.game.memory.places import CardPlace, LampPlace, card_place, lamp_places, usual_light
from operators.game.rounds import Box, CardChange

CARDS = ((10.0, 100.0, 50.0, 140.0), (60.0, 100.0, 100.0, 140.0), (110.0, 100.0, 150.0, 140.0))
COUNTERS = ((10.0, 10.0, 30.0, 30.0), (70.0, 10.0, 90.0, 30.0), (130.0, 10.0, 150.0, 30.0))


def row(cards: Sequence[Box] | None, numbers: Sequence[int] = (5, 8, 3), **other: Any) -> dict[str, Any]:
    return {"cards": cards, "numbers": list(numbers), "selected": None, "clicked": None, **other}


def moved(cards: Sequence[Box], by: float) -> list[Box]:
    return [(x0 + by, y0 + by, x1 + by, y1 + by) for x0, y0, x1, y1 in cards]


def test_the_cards_stand_where_most_rounds_have_them() -> None:
    rows = [row(CARDS), row(moved(CARDS, 1), (1, 2, 3)), row(moved(CARDS, -1), (4, 5, 6)), row(COUNTERS), row(None)]
    assert card_place(rows) == CardPlace(CARDS, 3)
    assert card_place(rows[::-1]) == CardPlace(CARDS, 3)


def test_one_round_alone_tells_nothing() -> None:
    assert card_place([row(CARDS), row(COUNTERS)]) is None


def test_numbers_that_never_change_are_no_cards() -> None:
    rows = [*[row(COUNTERS, (3, 120, 7))] * 4, row(CARDS, (5, 8, 3)), row(CARDS, (1, 9, 2))]
    assert card_place(rows) == CardPlace(CARDS, 2)


def test_taps_on_the_picked_cards_tell_which_of_two_rows_is_the_cards() -> None:
    tapped = {"selected": 2, "clicked": (130.0, 120.0)}
    rows = [row(COUNTERS, (n, n + 1, 7)) for n in range(3)] + [row(CARDS, (n, 9, 2), **tapped) for n in range(2)]
    assert card_place(rows) == CardPlace(CARDS, 2)
    elsewhere = [{**each, "clicked": each["clicked"] and (1300.0, 1200.0)} for each in rows]
    assert card_place(elsewhere) == CardPlace(COUNTERS, 3), "the scale of the taps does not fit"


def test_lamps_are_remembered_by_place_with_their_colours() -> None:
    top, bottom = (50.0, 10.0, 60.0, 20.0), (50.0, 40.0, 60.0, 50.0)
    lit = [("RED", top), ("GREEN", bottom), ("RED", (51.0, 11.0, 61.0, 21.0)), (None, None)]
    rows = [{"light": light, "lamp": lamp} for light, lamp in lit]
    assert lamp_places(rows) == [
        LampPlace((50.5, 10.5, 60.5, 20.5), {"RED": 2}),
        LampPlace(bottom, {"GREEN": 1}),
    ]


def test_a_lamp_has_the_colour_of_other_rounds_where_each_has_its_own() -> None:
    top, bottom = LampPlace(CARDS[0], {"RED": 3, "GREEN": 1}), LampPlace(CARDS[1], {"GREEN": 2})
    assert usual_light(top, [top, bottom]) == "RED"
    assert usual_light(top, [top]) is None, "a lone lamp is lit in all colours"
    once = LampPlace(CARDS[0], {"RED": 1})
    assert usual_light(once, [once, bottom]) is None
    torn = LampPlace(CARDS[0], {"RED": 2, "GREEN": 1})
    assert usual_light(torn, [torn, bottom]) is None, "one round against two tells nothing"


def change(**gains: Any) -> CardChange:
    plain = {
        "changed": 0.0,
        "green": 0.0,
        "red": 0.0,
        "other": 0.0,
        "toward": (0.0, 0.0),
        "contrast": 1.0,
        "faded": 0.0,
    }
    return CardChange(**{**plain, "explained": 0.0, "size": 1.0, "alike": 1.0, "near": (0.0, 0.0, 0.0), **gains})


STARRED, CROSSED, PLAIN = change(changed=5.0, other=5.0), change(changed=4.0, red=4.0), change()


def test_the_card_is_right_that_is_marked_as_the_right_cards_of_other_rounds_are() -> None:
    won = Marked([PLAIN, STARRED, PLAIN], 1, 1)
    lost = Marked([CROSSED, PLAIN, STARRED], 0, 2)
    like = like_others(Marked([STARRED, CROSSED, PLAIN], 1, None), [won, lost])
    assert like is not None
    assert (like.card, like.cost, like.seen, like.clear) == (0, 0.0, 2, True)


def test_a_round_that_is_like_no_other_is_not_told_by_them() -> None:
    won = Marked([PLAIN, STARRED, PLAIN], 1, 1)
    like = like_others(Marked([PLAIN, PLAIN, PLAIN], 1, None), [won, won])
    assert like is not None and not like.clear


@pytest.mark.parametrize("others", [[], [Marked([PLAIN, STARRED, PLAIN], 1, None)]])
def test_without_a_round_whose_card_is_sure_there_is_nothing_to_compare_with(others: list[Marked]) -> None:
    assert like_others(Marked([PLAIN, STARRED, PLAIN], 1, None), others) is None


def test_one_other_round_is_not_enough() -> None:
    assert not Likeness(1, 0.0, 1.0, 1).clear
    assert Likeness(1, 0.0, 1.0, 2).clear
