"""The look that finds the correct card: every way of marking, and what a pair of captures may have gone through."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from operators.game.cards import look_at_card
from operators.game.cards.deciding import Bars, decide
from operators.game.cards.regions import Pair, side_by_side
from operators.game.rounds import CardChange
from tests.game.cards.drawn import BLUE, CARDS, DIGITS, GOLD, GREEN, HIGH, LEFT, PITCH, RED, TOP, WIDE, picture

QUESTION = picture()


def seen(question, result, cards=CARDS, selected=None, **options):
    """The card of a look, and whether it is sure of it."""
    found = look_at_card(question, result, cards, selected, **options)
    return found.value, found.look.confidence >= 0.8


def reason(question, result, cards=CARDS, selected=None) -> str:
    return look_at_card(question, result, cards, selected).look.reason


def as_jpeg(pixels: np.ndarray, quality: int = 60) -> np.ndarray:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=quality)
    return np.asarray(Image.open(data).convert("RGB"))


def sized(pixels: np.ndarray, factor: float) -> np.ndarray:
    high, wide = pixels.shape[:2]
    return np.asarray(
        Image.fromarray(pixels).resize((round(wide * factor), round(high * factor)), Image.Resampling.LANCZOS)
    )


WAYS = {
    "right one green": {1: ("fill", GREEN)},
    "right one with a green border": {1: ("border", GREEN)},
    "right one with a green glow": {1: ("glow", GREEN)},
    "right one ticked": {1: ("tick", GREEN)},
    "right one blue": {1: ("fill", BLUE)},
    "right one with a gold border": {1: ("border", GOLD)},
    "right one larger": {1: ("grown", GREEN)},
    "all but the right one dimmed": {0: ("dim", RED), 2: ("dim", RED)},
    "wrong pick red, right one green": {0: ("fill", RED), 1: ("fill", GREEN)},
    "wrong pick red, right one with a green border": {2: ("fill", RED), 1: ("border", GREEN)},
    "wrong pick red, right one with a gold border": {2: ("fill", RED), 1: ("border", GOLD)},
    "wrong pick crossed, right one ticked": {0: ("cross", RED), 1: ("tick", GREEN)},
    "wrong pick crossed, another dimmed": {0: ("cross", RED), 2: ("dim", RED)},
    "both wrong ones dimmed, right one green": {0: ("dim", RED), 1: ("fill", GREEN), 2: ("dim", RED)},
}


@pytest.mark.parametrize("boxes", [DIGITS, None], ids=["digits", "no boxes"])
@pytest.mark.parametrize("marks", WAYS.values(), ids=WAYS)
def test_every_way_of_marking_is_understood(marks, boxes):
    assert seen(QUESTION, picture(marks=marks), boxes) == (1, True)


@pytest.mark.parametrize("marks", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("order", [(2, 0, 1)])
def test_the_answer_moves_with_the_cards(marks, order):
    numbers = (5, 8, 3)
    question = picture([numbers[i] for i in order])
    result = picture([numbers[i] for i in order], {place: marks[i] for place, i in enumerate(order) if i in marks})
    assert seen(question, result) == (order.index(1), True)


@pytest.mark.parametrize("colour", [GOLD, GREEN], ids=["gold", "green"])
def test_a_glow_that_reaches_over_a_neighbour_is_no_mark_of_that(colour):
    assert seen(QUESTION, picture(marks={1: ("halo", colour)}), selected=1) == (1, True)
    assert seen(QUESTION, picture(marks={0: ("border", RED), 1: ("halo", colour)}), selected=0) == (1, True)


@pytest.mark.parametrize("page", [(20, 24, 40), (34, 110, 70), (120, 30, 60), (70, 60, 170)])
@pytest.mark.parametrize(
    "way", ["right one green", "wrong pick red, right one green", "wrong pick crossed, right one ticked"]
)
def test_the_page_may_have_any_colour(page, way):
    assert seen(picture(page=page), picture(marks=WAYS[way], page=page)) == (1, True)


def test_dimmed_cards_on_a_green_page_have_not_turned_green():
    page = (34, 110, 70)
    result = picture(marks=WAYS["all but the right one dimmed"], page=page)
    assert seen(picture(page=page), result) == (1, True)


def test_green_cards_that_get_a_mark_are_told_from_green_cards():
    result = picture(marks={2: ("fill", RED), 0: ("border", GOLD)}, fill=(60, 180, 90))
    assert seen(picture(fill=(60, 180, 90)), result) == (0, True)


@settings(max_examples=4, deadline=None)
@given(way=st.sampled_from(sorted(WAYS)), dx=st.integers(-3, 3), dy=st.integers(-20, 20), quality=st.integers(60, 95))
def test_a_moved_and_noisy_result_means_the_same(way, dx, dy, quality):
    result = as_jpeg(np.roll(picture(marks=WAYS[way]), (dy, dx), axis=(0, 1)), quality)
    assert seen(as_jpeg(QUESTION), result) == (1, True)


@settings(max_examples=3, deadline=None)
@given(way=st.sampled_from(sorted(WAYS)), scale=st.floats(0.8, 2.2), other=st.floats(0.9, 1.1))
def test_scaling_changes_nothing(way, scale, other):
    question, result = sized(QUESTION, scale), sized(picture(marks=WAYS[way]), scale * other)
    boxes = [tuple(side * scale for side in box) for box in CARDS]
    assert seen(question, result, boxes) == (1, True)


@pytest.mark.parametrize("way", ["right one green", "right one ticked", "wrong pick red, right one green"])
@pytest.mark.parametrize("factor", [0.6, 0.85, 1.05])
def test_a_darker_or_brighter_screen_is_no_mark(way, factor):
    result = np.clip(picture(marks=WAYS[way]) * factor, 0, 255).astype(np.uint8)
    assert seen(QUESTION, result) == (1, True)


def test_equal_numbers_that_are_both_green_count_as_the_left_one():
    marks = {0: ("fill", GREEN), 2: ("fill", GREEN)}
    assert seen(picture((8, 5, 8)), picture((8, 5, 8), marks)) == (0, True)


@pytest.mark.parametrize("mark", [("dim", RED), ("fill", RED), ("cross", RED)], ids=["dimmed", "red", "crossed"])
def test_equal_numbers_beside_a_card_that_is_out_count_as_the_left_one(mark):
    assert seen(picture((8, 5, 8)), picture((8, 5, 8), {1: mark})) == (0, True)
    assert seen(picture((5, 8, 8)), picture((5, 8, 8), {0: mark})) == (1, True)


@pytest.mark.parametrize("colour", [(214, 60, 40), (40, 150, 70), (240, 130, 160)], ids=["red", "green", "pink"])
def test_a_card_that_grew_has_not_taken_the_colour_of_its_own_edge(colour):
    question = picture(edge=colour)
    assert seen(question, picture(marks={1: ("grown", GREEN), 0: ("dim", RED)}, edge=colour)) == (1, True)
    assert seen(question, picture(marks={1: ("grown", GREEN), 2: ("cross", RED)}, edge=colour)) == (1, True)


def test_one_card_pushed_aside_does_not_move_the_row():
    result = picture(marks={1: ("grown", GREEN), 0: ("pushed", RED), 2: ("dim", RED)})
    assert seen(QUESTION, result) == (1, True)


def test_a_plain_page_that_goes_dark_with_all_but_the_right_card_leaves_that_one():
    dark = np.round(picture(marks=WAYS["all but the right one dimmed"], fill=(236, 240, 246)) * 0.7).astype(np.uint8)
    assert seen(picture(fill=(236, 240, 246)), dark) == (1, True)


def test_other_numbers_that_are_both_green_are_unsure():
    marks = {0: ("fill", GREEN), 2: ("fill", GREEN)}
    assert seen(QUESTION, picture(marks=marks)) == (None, False)
    assert reason(QUESTION, picture(marks=marks)) == (
        "more than one card is green: card 0 turned green, card 2 turned green, card 1 is as before"
    )


def test_a_cross_alone_does_not_tell_the_right_card():
    result = picture(marks={2: ("cross", RED)})
    assert seen(QUESTION, result, selected=2) == (None, False)
    assert reason(QUESTION, result, selected=2) == (
        "the right card is not marked: card 2 turned red, card 0 is as before, card 1 is as before"
    )


def test_identical_pictures_are_unsure_even_with_a_selected_card():
    assert seen(QUESTION, QUESTION, selected=1) == (None, False)
    assert reason(QUESTION, QUESTION) == "the cards look the same in both pictures; the result picture marks none"


def test_a_banner_outside_the_cards_is_no_mark():
    assert seen(QUESTION, picture(banner="Right, it was 8")) == (None, False)
    assert seen(QUESTION, picture(marks={2: ("border", GREEN)}, banner="+10")) == (2, True)


@pytest.mark.parametrize("selected", [None, 0, 1, 2, 7, -1])
def test_a_wrong_selected_card_does_not_change_a_clear_answer(selected):
    assert seen(QUESTION, picture(marks=WAYS["right one green"]), selected=selected) == (1, True)
    assert seen(QUESTION, picture(marks=WAYS["wrong pick red, right one green"]), selected=selected) == (1, True)


def test_another_screen_and_a_turned_one_are_unsure_and_say_so():
    other = np.random.default_rng(1).integers(0, 255, QUESTION.shape, np.uint8)
    assert seen(QUESTION, other) == (None, False)
    assert reason(QUESTION, other).startswith("the cards of the question are not in the result picture")
    turned = np.ascontiguousarray(np.rot90(picture(marks=WAYS["right one green"])))
    assert seen(QUESTION, turned) == (None, False)
    assert reason(QUESTION, turned) == "the result picture is 640 x 360 pixels, the question 360 x 640: turned"


@pytest.mark.parametrize(
    ("boxes", "why"),
    [
        (CARDS[:2], "2 cards are known, not three"),
        ([], "0 cards are known, not three"),
        (CARDS[::-1], "the three boxes are not a row from left to right"),
        ([CARDS[0], CARDS[0], CARDS[0]], "the three boxes are not a row from left to right"),
        ([(float("nan"),) * 4, *CARDS[1:]], "a card's box has sides that are no numbers"),
        ([(x0, y0 + 900, x1, y1 + 900) for x0, y0, x1, y1 in CARDS], "the cards lie outside the question picture"),
    ],
)
def test_boxes_that_are_no_row_of_cards_are_unsure(boxes, why):
    assert reason(QUESTION, picture(marks=WAYS["right one green"]), boxes) == why


def test_a_question_without_cards_has_no_answer():
    empty = np.full((640, 360, 3), 200, np.uint8)
    assert reason(empty, empty, None) == "no row of three cards is seen in the question picture"
    assert seen(empty, empty, CARDS) == (None, False)


@pytest.mark.parametrize("shape", [(1, 1), (2, 300), (40, 30)])
def test_tiny_pictures_are_unsure(shape):
    tiny = np.zeros((*shape, 3), np.uint8)
    assert seen(tiny, tiny, CARDS) == (None, False)
    assert seen(tiny, tiny, None) == (None, False)


def test_a_closer_look_gives_the_same_answers():
    for way in ("right one with a green glow", "all but the right one dimmed", "wrong pick crossed, right one ticked"):
        assert seen(QUESTION, picture(marks=WAYS[way]), closer=True) == (1, True)


def test_the_row_may_have_moved_down_under_a_new_line_of_text():
    marked = picture(marks=WAYS["wrong pick red, right one green"])
    result = np.concatenate([marked[:200], np.full((40, 360, 3), 236, np.uint8), marked[200:-40]])
    assert seen(QUESTION, result) == (1, True)


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
