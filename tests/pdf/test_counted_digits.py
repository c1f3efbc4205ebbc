"""Digits in fonts without names are read where they count: the numbers of notes and those of a listing's lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from operators.pdf.formulas import Family, Glyph, find_formulas
from operators.pdf.parser.formula_glyphs import STRANGE, with_counted
from tests.pdf.formula_lines import glyph, line

#: The fonts of words, of marks, of the numbers of notes, and of their words.
WORDS, MARKS, NUMBERS, NOTES = 1, 2, 3, 4


class _Page:
    def __init__(self) -> None:
        self.glyphs: list[Glyph] = []
        self.fonts: list[int] = []

    def add(self, text: str, font: int, x0: float, y: float, size: float = 10) -> float:
        for char in text:
            one = glyph(len(self.glyphs), char, x0, "CMR10", y=y, size=size)
            self.glyphs.append(one if font == WORDS else replace(one, family=STRANGE, sign=None))
            self.fonts.append(font)
            x0 = one.x1
        return x0

    def read(self) -> str:
        """The letters that are known, with dots for the others."""
        found = with_counted(self.glyphs, self.fonts, {WORDS, NOTES})
        return "".join("·" if one.family is STRANGE else one.char for one in found)


def page(marks: str, notes: str, lift: float = 3.6) -> _Page:
    """Lines of words with a mark behind each, and notes at the foot."""
    made = _Page()
    for at, mark in enumerate(marks):
        made.add(mark, MARKS, made.add("words", WORDS, 20, 100 + 12 * at), 100 + 12 * at - lift, 7)
    for at, number in enumerate(notes):
        made.add("said", NOTES, made.add(number, NUMBERS, 20, 597 + 10 * at, 6) + 0.5, 600 + 10 * at, 8)
    return made


def test_marks_that_open_the_notes_below_in_the_same_order_are_digits():
    assert page("345", "345").read() == "words3words4words5" + "3said4said5said"


@pytest.mark.parametrize(
    "made",
    [
        page("345", "346"),  # an exponent among the marks
        page("354", "354"),  # they do not count
        page("345", "345", lift=0.0),  # they are not raised
        page("345", ""),
    ],
)
def test_raised_digits_that_are_not_those_of_notes_stay_unknown(made):
    assert "·" in made.read()
    assert not any(char.isdigit() for char in made.read())


def test_numbers_that_count_the_lines_of_a_listing_are_digits():
    made = _Page()
    for at in range(9, 13):
        made.add("words", WORDS, made.add(str(at), NUMBERS, 10, 12 * at, 5) + 8, 12 * at)
    assert made.read() == "9words10words11words12words"
    made.add("words", WORDS, made.add("7", NUMBERS, 10, 400, 5) + 8, 400)
    assert made.read() == "·words··words··words··words·words"


def test_a_word_with_the_mark_of_a_note_in_a_bitmap_font_is_no_formula():
    made = page("1", "1")
    assert [one.reason for one in find_formulas(made.glyphs, [])] != []
    assert find_formulas(with_counted(made.glyphs, made.fonts, {WORDS, NOTES}), []) == []
    assert with_counted(line("ww"), [WORDS] * 2, {WORDS})[0].family != Family("STRANGE")
