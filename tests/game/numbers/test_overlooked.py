"""What the first look overlooks: rows by their ink, read enlarged, and cards in a column or a triangle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import OCRLine, engine
from operators.game.number_extractor import OCRNumberExtractor
from operators.game.numbers.card_rows import CardRow, card_rows, unlined_rows
from operators.game.numbers.digits import Piece, pieces_of
from operators.game.numbers.overlooked import card_stacks, glyphs, overlooked_row
from operators.game.rounds import Box

needs_rapidocr = pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")

WIDTH, HEIGHT = 480, 854


def ruled(texts: list[str], y: float = 580, size: float = 70) -> Image.Image:
    """Numbers without cards on ruled paper."""
    image = Image.new("RGB", (WIDTH, HEIGHT), (46, 94, 74))
    draw = ImageDraw.Draw(image)
    for line in range(20, HEIGHT, 40):
        draw.line([(0, line), (WIDTH, line)], fill=(64, 108, 100), width=2)
    font = ImageFont.load_default(size=size)
    for place, text in enumerate(texts):
        draw.text((WIDTH * (place + 0.5) / len(texts), y), text, fill=(240, 240, 240), font=font, anchor="mm")
    return image


def rows_of_ink(image: Image.Image) -> list[list[tuple[float, float]]]:
    """The middles of the pieces in all rows of three whose ink is high, to ten pixels."""
    rows = [row for row in unlined_rows(glyphs(np.asarray(image))) if row.digits > 40]
    return [[(round(piece.x, -1), round(piece.y, -1)) for piece in row.pieces if piece] for row in rows]


def counters(y: float = 780) -> CardRow:
    """A row of small numbers, all read."""
    boxes: tuple[Box, ...] = tuple((x, y - 15, x + 30, y + 15) for x in (180, 225, 270))
    pieces = tuple(Piece(n, 0.99, (box[0] + 8, y - 8, box[2] - 8, y + 8), str(n)) for n, box in enumerate(boxes, 3))
    return CardRow(boxes, pieces, True)


def read(row: CardRow | None) -> list[int | None] | None:
    return None if row is None else [None if piece is None else piece.number for piece in row.pieces]


def test_digits_are_found_by_their_ink_and_lamps_and_lines_are_not() -> None:
    image = ruled(["7", "24", "8"])
    draw = ImageDraw.Draw(image)
    draw.ellipse((200, 300, 260, 360), fill=(230, 30, 30))
    draw.rectangle((60, 760, 420, 820), fill=(250, 160, 60))
    assert rows_of_ink(image) == [[(80, 580), (240, 580), (400, 580)]]


def test_digits_on_cards_are_found_whatever_the_ground_behind_them() -> None:
    image = Image.new("RGB", (WIDTH, HEIGHT), (70, 160, 240))
    draw = ImageDraw.Draw(image)
    for place, text in enumerate(("3", "8", "9")):
        x = 130 + 110 * place
        draw.ellipse((x - 54, 526, x + 54, 634), fill="white")
        draw.text((x, 580), text, fill=(10, 60, 110), font=ImageFont.load_default(size=70), anchor="mm")
    assert rows_of_ink(image) == [[(130, 580), (240, 580), (350, 580)]]


def test_an_empty_and_a_tiny_picture_have_no_digits() -> None:
    assert glyphs(np.full((HEIGHT, WIDTH, 3), 200, np.uint8)) == []
    assert glyphs(np.zeros((1, 1, 3), np.uint8)) == []


def test_a_large_disc_behind_two_cards_is_no_fourth_card() -> None:
    cards: list[Box] = [(x - 70, 500, x + 70, 640) for x in (100, 260, 420)]
    [row] = card_rows([], [*cards, (275, 450, 405, 580)])
    assert (row.boxes, row.more) == (tuple(cards), False)


@needs_rapidocr
def test_a_row_of_taller_ink_is_read_in_place_of_counters() -> None:
    pixels, engine = np.asarray(ruled(["7", "24", "8"])), OCRNumberExtractor().engine
    row = overlooked_row(pixels, [], counters(), engine)
    assert read(row) == [7, 24, 8]
    assert row is not None
    assert max(piece.score for piece in row.pieces if piece) <= 0.9, "one look at it is not sure"


@needs_rapidocr
def test_smaller_ink_four_numbers_and_numbers_at_the_top_are_not_read() -> None:
    engine = OCRNumberExtractor().engine
    assert overlooked_row(np.asarray(ruled(["7", "2", "8"], size=18)), [], counters(), engine) is None
    assert overlooked_row(np.asarray(ruled(["7", "2", "8", "5"])), [], counters(), engine) is None
    assert overlooked_row(np.asarray(ruled(["7", "2", "8"], y=120)), [], counters(), engine) is None


@needs_rapidocr
def test_outlines_around_the_ink_are_the_cards() -> None:
    outlined = CardRow(tuple((x - 70, 510, x + 70, 650) for x in (80, 240, 400)), (None, None, None), True)
    row = overlooked_row(np.asarray(ruled(["7", "2", "8"])), [outlined], None, OCRNumberExtractor().engine)
    assert row is not None
    assert (row.boxes, read(row)) == (outlined.boxes, [7, 2, 8])


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
