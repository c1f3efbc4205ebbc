"""Cards in a column or a triangle are looked at as those of a row are."""

from __future__ import annotations

import numpy as np
import pytest

from operators.game.cards import look_at_card
from operators.game.cards.regions import Pair, side_by_side
from tests.game.cards.drawn import BLUE, CARDS, GOLD, GREEN, HIGH, LEFT, PITCH, RED, TOP, WIDE, picture

COLUMN = [(24, 20), (24, 180), (24, 340)]
TRIANGLES = [[(120, 40), (24, 220), (216, 220)], [(24, 40), (216, 40), (120, 220)]]
#: What is cut out around a card of the drawn row.
_MARGIN = (PITCH - WIDE) // 2


def moved(row: np.ndarray, corners: list[tuple[int, int]]) -> np.ndarray:
    """The drawn screen with its cards, and what is close around them, elsewhere."""
    screen = np.full((500, 340, 3), row[300, 5], np.uint8)
    for card, (x, y) in enumerate(corners):
        x0 = LEFT + card * PITCH - _MARGIN
        part = row[TOP - _MARGIN : TOP + HIGH + _MARGIN, x0 : x0 + WIDE + 2 * _MARGIN]
        screen[y : y + part.shape[0], x : x + part.shape[1]] = part
    return screen


def boxes(corners: list[tuple[int, int]]) -> list[tuple[float, float, float, float]]:
    return [(x + _MARGIN, y + _MARGIN, x + _MARGIN + WIDE, y + _MARGIN + HIGH) for x, y in corners]


@pytest.mark.parametrize("corners", [COLUMN, *TRIANGLES])
@pytest.mark.parametrize(
    "marks",
    [
        {1: ("fill", GREEN)},
        {1: ("border", GREEN)},
        {1: ("fill", BLUE)},
        {1: ("border", GOLD)},
        {0: ("dim", RED), 2: ("dim", RED)},
        {1: ("fill", GREEN), 2: ("fill", RED)},
    ],
)
def test_the_right_card_is_seen_wherever_the_cards_stand(corners, marks) -> None:
    question, result = moved(picture(), corners), moved(picture(marks=marks), corners)
    found = look_at_card(question, result, boxes(corners))
    assert (found.value, found.look.confidence >= 0.8) == (1, True)


@pytest.mark.parametrize("corners", [COLUMN, *TRIANGLES])
def test_an_unmarked_result_tells_no_card(corners) -> None:
    screen = moved(picture(), corners)
    assert look_at_card(screen, screen, boxes(corners)).value is None


def test_a_row_stays_as_it_is() -> None:
    pair = Pair(picture(), picture(), 1.0)
    assert side_by_side(pair, CARDS) == (pair, CARDS)


@pytest.mark.parametrize("far", [1e9, float("inf"), float("nan")])
def test_boxes_that_are_no_cards_of_the_picture_cost_nothing(far) -> None:
    pair = Pair(picture(), picture(), 1.0)
    cards = [(0.0, 0.0, far, far), (far, far, 2 * far, 2 * far), (0.0, far, far, 2 * far)]
    laid, _ = side_by_side(pair, cards)
    assert laid.question.size == pair.question.size
