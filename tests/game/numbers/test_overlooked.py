"""What the first look overlooks: digits found by their ink, and rows of them read enlarged."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import engine
from operators.game.number_extractor import OCRNumberExtractor
from operators.game.numbers.digits import Piece
from operators.game.numbers.overlooked import glyphs, overlooked_row
from operators.game.numbers.rows import CardRow, card_rows, unlined_rows
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
