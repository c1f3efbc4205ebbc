"""What the evidence at three cards comes to, without pictures."""

from operators.game.cards.deciding import Bars, decide
from operators.game.cards.evidence import Evidence

NO_TWINS = frozenset[tuple[int, int]]()


def card(changed: float = 0.0, green: float = 0.0, red: float = 0.0, other: float = 0.0) -> Evidence:
    return Evidence(changed, green, red, other, (50.0, 40.0) if red else (0.0, 0.0), 1.0, 0.0, 0.0, 1.0, 1.0)


def decided(*cards: Evidence) -> tuple[int | None, float]:
    decision = decide(cards, NO_TWINS, None, Bars())
    return decision.card, decision.confidence


def test_a_green_glow_that_spreads_over_a_neighbour_belongs_where_most_of_it_is():
    assert decided(card(), card(0.6, green=0.4), card(2.0, green=1.4)) == (2, 0.85)
    assert decided(card(), card(1.8, green=1.3), card(2.0, green=1.4)) == (None, 0.3)


def test_beside_a_red_card_another_colour_counts_before_what_changed_with_the_whole_screen():
    assert decided(card(4.0), card(15.0, red=8.0), card(11.0, other=15.0)) == (2, 0.82)
    assert decided(card(4.0), card(15.0, red=8.0), card(4.0)) == (None, 0.3)
