"""EpisodeMemory: what several rounds of an episode agree on settles the unsure one, and contradicts the wrong one."""

from collections.abc import Sequence
from typing import Any

from operators.game.cards.episode import CardPlace, Marked, card_place, like_each_other
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


def test_the_right_cards_of_an_episode_are_those_that_changed_alike() -> None:
    won, lost = Marked([PLAIN, STARRED, PLAIN], 1, None, 0.0), Marked([CROSSED, PLAIN, STARRED], 0, None, 0.0)
    likes = like_each_other([won, lost, Marked([STARRED, CROSSED, PLAIN], 1, None, 0.0)])
    assert [(like.card, like.clear, like.picked) for like in likes] == [
        (1, True, False),
        (2, True, False),
        (0, True, False),
    ]


def test_colours_mean_nothing_where_all_rounds_tell_how_right_cards_are_marked() -> None:
    red_is_right = [
        Marked([CROSSED, PLAIN, PLAIN], 0, None, 0.2),
        Marked([STARRED, CROSSED, PLAIN], 0, 0, 0.5),
        Marked([PLAIN, STARRED, CROSSED], 1, 1, 0.5),
    ]
    likes = like_each_other(red_is_right)
    assert [(like.card, like.clear) for like in likes] == [(0, True), (1, True), (2, True)]


def test_a_round_in_which_no_card_is_marked_is_not_told_by_the_others() -> None:
    won, lost = Marked([PLAIN, STARRED, PLAIN], 1, 1, 0.9), Marked([CROSSED, PLAIN, STARRED], 0, 2, 0.9)
    *_, like = like_each_other([won, lost, won, Marked([PLAIN, PLAIN, PLAIN], 1, None, 0.0)])
    assert not like.clear


def test_a_mark_that_only_picked_cards_have_may_be_that_of_picked_cards() -> None:
    rounds = [Marked([STARRED if card == picked else PLAIN for card in range(3)], picked, None, 0.0)
              for picked in (0, 1, 2)]  # fmt: skip
    assert [(like.card, like.picked) for like in like_each_other(rounds)] == [(0, True), (1, True), (2, True)]
