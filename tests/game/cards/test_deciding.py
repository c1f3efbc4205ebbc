"""What the evidence at three cards comes to, without pictures."""

from operators.game.cards.deciding import Bars, decide
from operators.game.rounds import CardChange

#: Green, red and other colour gained above and below a card.
Near = tuple[float, float, float]

NO_TWINS = frozenset[tuple[int, int]]()


def card(
    changed: float = 0.0, green: float = 0.0, red: float = 0.0, other: float = 0.0, near: Near = (0.0, 0.0, 0.0)
) -> CardChange:
    return CardChange(changed, green, red, other, (50.0, 40.0) if red else (0.0, 0.0), 1.0, 0.0, 0.0, 1.0, 1.0, near)


def decided(*cards: CardChange, picked: int | None = None) -> tuple[int | None, float]:
    decision = decide(cards, NO_TWINS, picked, Bars())
    return decision.card, decision.confidence


def test_a_green_glow_that_spreads_over_a_neighbour_belongs_where_most_of_it_is():
    assert decided(card(), card(0.6, green=0.4), card(2.0, green=1.4)) == (2, 0.85)
    assert decided(card(), card(1.8, green=1.3), card(2.0, green=1.4)) == (None, 0.3)


def test_beside_a_red_card_another_colour_counts_before_what_changed_with_the_whole_screen():
    assert decided(card(4.0), card(15.0, red=8.0), card(11.0, other=15.0)) == (2, 0.82)
    assert decided(card(4.0), card(15.0, red=8.0), card(4.0)) == (None, 0.3)


def test_a_green_mark_beside_a_card_counts_where_nothing_is_on_the_cards():
    assert decided(card(), card(near=(0.8, 0.0, 0.0)), card()) == (1, 0.82)
    assert decided(card(), card(near=(0.8, 0.0, 0.0)), card(near=(0.4, 0.0, 0.0))) == (None, 0.0)
    assert decided(card(), card(near=(0.0, 0.8, 0.0)), card()) == (None, 0.0)


def test_what_stands_on_a_card_outweighs_what_stands_near_another():
    assert decided(card(2.0, green=1.4), card(near=(2.2, 0.0, 0.0)), card()) == (0, 0.97)
    assert decided(card(9.0, other=9.0), card(near=(2.2, 0.0, 0.0)), card(), picked=0) == (0, 0.85)


def test_a_picked_card_that_changed_without_a_colour_may_be_right_or_wrong():
    assert decided(card(2.0), card(), card(), picked=1) == (0, 0.85)
    assert decided(card(2.0), card(), card(), picked=0) == (0, 0.7)
    assert decided(card(2.0), card(near=(0.8, 0.0, 0.0)), card(), picked=0) == (1, 0.7)


def test_of_two_marked_cards_the_one_that_nobody_picked_is_right():
    assert decided(card(9.0, other=9.0), card(), card(9.0, other=8.0), picked=0) == (2, 0.85)
    assert decided(card(7.0), card(), card(9.0), picked=2) == (0, 0.85)
    assert decided(card(4.0), card(), card(9.0), picked=2) == (None, 0.3), "a shadow of the other's mark"
