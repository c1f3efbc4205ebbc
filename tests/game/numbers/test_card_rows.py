"""Which row of a screen is the cards': pure geometry on lines as an engine gives them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.ocr import OCRLine
from operators.game.numbers.card_rows import CardRow, card_rows, read_as_one
from operators.game.numbers.digits import Piece, joined, may_be_number, number_of, pieces_of
from operators.game.numbers.looking import doubt_of, guessed_row

SIZE = (720, 1280)


def line(text: str, x: float, y: float, height: float = 60.0, score: float = 0.99) -> OCRLine:
    """A line with its middle at x, y."""
    half = 0.3 * height * len(text)
    return OCRLine(text, score, (x - half, y - height / 2, x + half, y + height / 2))


def box(x: float, y: float, size: float = 180.0) -> tuple[float, float, float, float]:
    return x - size / 2, y - size / 2, x + size / 2, y + size / 2


def best(lines: list[OCRLine], shapes: list[tuple[float, float, float, float]] = ()) -> CardRow | None:
    rows = [row for row in card_rows(pieces_of(lines), shapes) if row.digits]
    return rows[0] if rows else None


def numbers(row: CardRow | None) -> list[int | None] | None:
    return None if row is None else [None if piece is None else piece.number for piece in row.pieces]


CARDS = [line("5", 120, 900), line("8", 360, 900), line("3", 600, 900)]
SHAPES = [box(120, 900), box(360, 900), box(600, 900)]
COUNTERS = [line("291", 120, 120, 30), line("975", 360, 120, 30), line("6", 600, 120, 30)]


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("１２", 12), ("٣", 3), (" 7 ", 7), ("007", 7), ("", None), ("5.", None), ("3/10", None),
     ("²", None), ("-5", None), ("1e5", None), ("123456789", None), ("①", None)],
)  # fmt: skip
def test_a_text_of_digits_of_any_script_is_a_number(text: str, number: int | None) -> None:
    assert number_of(text) == number


def test_dirt_and_look_alikes_may_be_numbers_and_words_may_not() -> None:
    texts = ["5.", "|515", "O", "l2", "Me", "Round 3", "3/10", "0:25", "", "12%"]
    assert [text for text in texts if may_be_number(text)] == ["5.", "|515", "O", "l2"]


def test_the_row_of_the_tallest_digits_counts_and_not_the_counters() -> None:
    assert numbers(best([*COUNTERS, *CARDS])) == [5, 8, 3]


def test_cards_are_left_to_right_whatever_the_order_of_lines() -> None:
    assert numbers(best(CARDS[::-1], SHAPES[::-1])) == [5, 8, 3]


def test_equal_numbers_and_numbers_of_several_digits_are_a_row() -> None:
    assert numbers(best([line("12", 120, 900), line("12", 360, 900), line("107", 600, 900)])) == [12, 12, 107]


def test_a_line_over_all_cards_is_cut_at_its_gaps() -> None:
    merged = OCRLine("5 8 3", 0.98, (100, 870, 620, 930))
    row = best([merged])
    assert numbers(row) == [5, 8, 3]
    assert [round(piece.x) for piece in row.pieces] == [119, 360, 601]
    assert not any(piece.whole for piece in row.pieces)


def test_a_wide_line_without_gaps_is_no_number() -> None:
    [piece] = pieces_of([OCRLine("58", 0.99, (100, 870, 400, 930))])
    assert piece.number is None


def test_two_boxes_for_one_number_are_joined_on_their_card() -> None:
    split = [OCRLine("1", 0.9, (90, 870, 120, 930)), OCRLine("2", 0.8, (124, 870, 150, 930))]
    row = best([*split, *CARDS[1:]], SHAPES)
    assert numbers(row) == [12, 8, 3]
    assert row.pieces[0].score == 0.8


def test_labels_on_cards_are_smaller_than_their_numbers() -> None:
    labels = [line(str(n), x, 830, 20) for n, x in ((1, 60), (2, 300), (3, 540))]
    assert numbers(best([*labels, *CARDS], SHAPES)) == [5, 8, 3]


def test_a_card_with_two_numbers_of_one_size_has_none() -> None:
    both = [line("5", 80, 870, 50), line("7", 160, 940, 50)]
    assert numbers(best([*both, *CARDS[1:]], SHAPES)) == [None, 8, 3]


def test_a_card_without_a_number_is_found_by_its_outline_and_looked_at_where_the_others_stand() -> None:
    row = best(CARDS[:2], SHAPES)
    assert numbers(row) == [5, 8, None]
    assert row.closer_boxes()[2] == (510, 843, 690, 957)


def test_a_third_number_beside_two_is_looked_for_so_that_the_row_is_centred() -> None:
    left, mid, right = (pieces_of([each])[0] for each in CARDS)
    assert guessed_row([left, mid], 720, 0.0).pieces == (left, mid, None)
    assert guessed_row([left, right], 720, 0.0).pieces == (left, None, right)
    assert guessed_row([mid, right], 720, 0.0).pieces == (None, mid, right)
    assert guessed_row([left, mid], 720, 59.0) is None


@pytest.mark.parametrize("count", [4, 5])
def test_four_and_five_cards_are_more_than_three(count: int) -> None:
    xs = [720 * (place + 0.5) / count for place in range(count)]
    lines = [line(str(place), x, 900) for place, x in enumerate(xs)]
    assert best(lines).more
    assert best(lines, [box(x, 900, 120) for x in xs]).more


def test_two_numbers_are_no_row() -> None:
    assert best(CARDS[:2]) is None


def test_a_keypad_is_no_row() -> None:
    keys = [
        line(str(3 * row + column + 1), 120 + 240 * column, 600 + 120 * row) for row in range(3) for column in range(3)
    ]
    assert best(keys) is None


def test_a_bent_or_uneven_line_of_numbers_is_no_row() -> None:
    assert best([line("5", 120, 900), line("8", 360, 960), line("3", 600, 900)]) is None
    assert best([line("5", 120, 900), line("8", 280, 900), line("3", 600, 900)]) is None


@pytest.mark.parametrize(
    ("row", "others", "doubt"),
    [
        (CARDS, [], (1.0, "")),
        (COUNTERS, [], (0.3, ", but they stand at the top, where counters are")),
        (CARDS, [line("100", 360, 300, 90)], (1.0, "")),
        (CARDS, [line(n, x, 500, 56) for n, x in (("1", 200), ("2", 360), ("4", 520))],
         (0.3, ", but there is another such row at y 500")),
    ],
)  # fmt: skip
def test_what_speaks_against_a_row_bounds_how_sure_it_is(
    row: list[OCRLine], others: list[OCRLine], doubt: tuple[float, str]
) -> None:
    pieces = pieces_of([*row, *others])
    rows = card_rows(pieces, ())
    [chosen] = [each for each in rows if numbers(each) == [int(one.text) for one in row]]
    assert doubt_of(chosen, rows, pieces, SIZE) == doubt


@given(st.floats(0.3, 4.0), st.floats(-300, 3000), st.floats(-300, 3000))
def test_moving_and_scaling_a_screen_changes_no_number(scale: float, right: float, down: float) -> None:
    def moved(sides: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = sides
        return x0 * scale + right, y0 * scale + down, x1 * scale + right, y1 * scale + down

    lines = [*COUNTERS, CARDS[0], CARDS[2]]
    there = [OCRLine(each.text, each.score, moved(each.box)) for each in lines]
    assert numbers(best(there, [moved(shape) for shape in SHAPES])) == [5, None, 3]


@given(st.permutations([*COUNTERS, *CARDS]))
def test_the_order_of_lines_changes_nothing(lines: list[OCRLine]) -> None:
    assert best(lines, SHAPES) == best([*COUNTERS, *CARDS], SHAPES)


def test_joined_pieces_keep_their_digits_in_order() -> None:
    parts = [
        Piece(2, 0.9, (40, 0, 60, 40), "2"),
        Piece(1, 0.8, (10, 0, 35, 40), "1"),
        Piece(3, 1.0, (200, 0, 220, 40), "3"),
    ]
    assert [(piece.number, piece.box) for piece in joined(parts)] == [(12, (10, 0, 60, 40)), (3, (200, 0, 220, 40))]


@pytest.mark.parametrize(
    ("text", "middle", "wide", "as_one"),
    [
        ("547832476", 360, 560, True),
        ("547832476", 360, 740, False),
        ("547832", 240, 320, True),
        ("547", 240, 200, False),
        ("Correct", 360, 560, False),
    ],
    ids=["all three", "beyond the cards", "two of three", "between two", "a word"],
)
def test_numbers_on_several_cards_may_be_read_as_one(text: str, middle: float, wide: float, as_one: bool) -> None:
    pieces = pieces_of([OCRLine(text, 0.99, (middle - wide / 2, 870, middle + wide / 2, 930))])
    [row] = card_rows(pieces, SHAPES)
    assert read_as_one(row, pieces) == as_one
