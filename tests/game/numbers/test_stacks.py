"""Cards that stand one below the other, or as a triangle: pure geometry on numbers and shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.ocr import OCRLine
from operators.game.numbers.digits import Piece, pieces_of
from operators.game.numbers.overlooked import card_stacks

Place = tuple[float, float]

COLUMN = [(300.0, 500.0), (300.0, 720.0), (300.0, 940.0)]
ABOVE = [(300.0, 500.0), (180.0, 720.0), (420.0, 720.0)]
BELOW = [(180.0, 500.0), (420.0, 500.0), (300.0, 720.0)]


def card(at: Place, wide: float = 200.0, high: float = 160.0) -> tuple[float, float, float, float]:
    return at[0] - wide / 2, at[1] - high / 2, at[0] + wide / 2, at[1] + high / 2


def number(at: Place, value: int = 7, high: float = 60.0) -> Piece:
    half = 0.3 * high * len(str(value))
    return Piece(value, 0.99, (at[0] - half, at[1] - high / 2, at[0] + half, at[1] + high / 2), str(value))


def found(places: list[Place], shapes: list[Place], **options) -> list[list[int | None]]:
    pieces = [number(at, 10 * i + 5) for i, at in enumerate(places)]
    stacks = card_stacks(pieces, [card(at, **options) for at in shapes])
    return [[piece and piece.number for piece in stack.pieces] for stack in stacks]


@pytest.mark.parametrize("places", [COLUMN, ABOVE, BELOW])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_three_look_alike_cards_are_read_from_the_top_and_from_the_left(places, order) -> None:
    assert found(places, [places[i] for i in order]) == [[5, 15, 25]]


def test_wide_cards_of_a_column_are_cards() -> None:
    assert found(COLUMN, COLUMN, wide=560.0) == [[5, 15, 25]]


@pytest.mark.parametrize("places", [COLUMN, ABOVE, BELOW])
def test_a_card_whose_number_was_overlooked_is_a_card(places) -> None:
    assert found(places[:2], places) == [[5, 15, None]]


@pytest.mark.parametrize("fourth", [(300.0, 1160.0), (300.0, 280.0), (640.0, 500.0)], ids=["below", "above", "beside"])
def test_a_fourth_of_their_kind_makes_them_keys_or_a_list(fourth) -> None:
    assert found(COLUMN, [*COLUMN, fourth]) == []
    assert found([*COLUMN, fourth], []) == []


def test_cards_off_their_places_are_no_stack() -> None:
    assert found(COLUMN, [*COLUMN[:2], (300.0, 1010.0)]) == []
    assert found(ABOVE, [*ABOVE[:2], (480.0, 720.0)]) == []
    assert found(ABOVE, [(300.0, 690.0), *ABOVE[1:]]) == []


def test_a_row_is_no_stack() -> None:
    assert (
        found([(100.0, 500.0), (320.0, 500.0), (540.0, 500.0)], [(100.0, 500.0), (320.0, 500.0), (540.0, 500.0)]) == []
    )


def test_numbers_without_outlines_are_a_column_if_they_are_even_and_of_one_height() -> None:
    assert found(COLUMN, []) == [[5, 15, 25]]
    uneven = [number(COLUMN[0]), number(COLUMN[1]), number((300.0, 1000.0))]
    smaller = [number(COLUMN[0]), number(COLUMN[1], high=40.0), number(COLUMN[2])]
    aside = [number(COLUMN[0]), number((330.0, 720.0)), number(COLUMN[2])]
    assert [card_stacks(pieces, []) for pieces in (uneven, smaller, aside)] == [[], [], []]


def test_numbers_with_others_beside_them_are_no_column() -> None:
    assert found([*COLUMN, (420.0, 720.0)], []) == []


def test_a_line_of_digits_in_groups_is_one_number_of_a_column() -> None:
    lines = [
        OCRLine(text, 0.99, (200.0, y - 30, 400.0, y + 30))
        for text, (_, y) in zip(("2 629", "388 097", "25 041"), COLUMN, strict=True)
    ]
    [stack] = card_stacks(pieces_of(lines, grouped=True), [card(at, wide=240.0) for at in COLUMN])
    assert [piece and piece.number for piece in stack.pieces] == [2629, 388097, 25041]


@given(st.lists(st.tuples(*[st.integers(0, 12).map(lambda n: n * 40.0)] * 2), max_size=8, unique=True), st.randoms())
def test_the_order_of_shapes_and_numbers_counts_for_nothing(places, random) -> None:
    pieces, shapes = [number(at, i) for i, at in enumerate(places)], [card(at) for at in places]
    told = card_stacks(pieces, shapes)
    random.shuffle(pieces)
    random.shuffle(shapes)
    assert card_stacks(pieces, shapes) == told
