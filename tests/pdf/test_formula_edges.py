"""Words and signs at the edges of formulas are part of them, are none of them, or make them pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from operators.pdf.formulas import find_formulas
from operators.pdf.parser.parse import parse_pdf
from tests.pdf.formula_lines import LOOSE, SAID, glyph, line, spaced, two_lines

PAGES = Path(__file__).parent / "fixtures_formulas"


def read(*parts: str | float) -> list[str]:
    return [one.latex or one.reason for one in find_formulas(line(*parts), [])]


@pytest.mark.parametrize(
    ("parts", "latex"),
    [
        # The name of a function and its argument are a thin space apart, in a line of few words too.
        (("ww", 0.25, "ww", 0.25, "¦y", 0.28, "=", 0.28, "¦arctg", 0.17, "1"), [r"y=\text{arctg}1"]),
        # An ampere is no article.
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "2¦", 0.17, "A", 0.25, "ww"), [r"a=2\mathrm{A}"]),
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "1", 0.667, "¦mod", 0.333, "7", 0.25, "ww"), [r"a=1\bmod7"]),
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "D/¦", "CL", 0.25, "ww"), [r"a=D/\mathrm{CL}"]),
        # A number before its unit.
        ((*SAID, 0.25, "20", 0.17, "m", 0.17, "s", "¦π¦", 0.25, "ww"), [r"20\mathrm{m}\mathrm{s}\pi"]),
    ],
)
def test_what_has_the_spaces_of_a_formula_is_part_of_it(parts, latex):
    assert read(*parts) == latex


@pytest.mark.parametrize(
    ("parts", "latex"),
    [
        # The label of an item: its bracket has no partner.
        (("ww", 0.25, "ww", 2.0, "b", ")", 0.25, "¦−¦", 0.17, "sin", 0.17, "¦a¦"), [r"-\sin a"]),
        (("ww", 0.25, "ww", 2.0, "b", ")", 0.25, "log", 0.17, "¦a", 0.28, "=", 0.28, "1¦"), [r"\log a=1"]),
        # What is said of a variable, and what of the one that was told last.
        (("¦y¦", "(", "单", "位", ":", "kg", ")", 0.25, "与", 0.25, "¦x", 0.28, "=", 0.28, "1¦"), ["y", "x=1"]),
    ],
)
def test_labels_and_remarks_in_brackets_are_no_part_of_a_formula(parts, latex):
    assert read(*parts) == latex


def test_cycles_are_read_from_their_first_number_on():
    row = ["(", "1", 0.17, "2", 0.17, "3", ")", "(", "2", 0.17, "4", ")", 0.28, "¦∈", 0.28, "S¦"]
    assert read(*SAID, 0.25, *row) == [r"(123)(24)\in S"]


def test_room_for_an_answer_on_the_next_line_is_no_part_of_a_formula():
    first = line(*SAID, 0.25, "¦K", 0.28, "=¦")
    found = find_formulas([*first, *spaced(("(", "CMR10", 0), (")", "CMR10", 1.0), first=90, y=112)], [])
    assert [(one.latex, one.goes_on) for one in found] == [("K=", False)]


def test_a_word_on_the_next_line_is_what_the_operator_at_the_end_of_a_line_adds():
    first = line(*SAID, 0.25, "¦K", 0.28, "=", 0.28, "a", 0.22, "+¦")
    rest = [("r", "CMR10", 0), ("k", "CMR10", 0), ("A", "CMMI10", 0.17)]
    found = find_formulas(two_lines(first, *rest), [])
    assert [(one.latex, one.goes_on) for one in found] == [("K=a+", True), (r"\mathrm{rk}A", False)]


def test_what_a_relation_at_the_end_of_a_line_relates_is_part_of_its_formula():
    first = line(*LOOSE, 0.33, "BER", 0.45, "¦∼¦")
    found = find_formulas(two_lines(first, ("Q", "CMMI10", 0)), [])
    assert [one.latex for one in found] == [r"\mathrm{BER}\sim", "Q"]


def test_a_number_with_a_point_goes_on_with_what_an_operator_adds_to():
    first = line(*SAID, 0.25, "¦K", 0.28, "=", 0.28, "a", 0.22, "+¦")
    found = find_formulas(two_lines(first, ("3", "CMR10", 0), (".", "CMR10", 0)), [])
    assert [(one.latex, one.goes_on) for one in found] == [("K=a+", True), ("3", False)]


def test_a_relation_with_a_script_between_two_words_is_a_doubt():
    words = spaced(*((char, "CMR10", 0.0) for char in "SAT"), ("∼", "CMSY10", 0.278))
    script = glyph(4, "p", words[-1].x1, "CMMI7", y=101.5, size=7)
    behind = spaced(*((char, "CMR10", 0.0) for char in "CLI"), first=5, x0=script.x1 + 0.5 + 2.78)
    (found,) = find_formulas([*words, script, *behind], [])
    assert (found.latex, found.reason) == ("", "it begins with a relation")


def test_letters_without_serifs_are_variables_where_words_have_serifs_and_one_is_related():
    said = line(*SAID, *SAID, *SAID, 0.25, "¦K", 0.28, "=", 0.28, "a¦", 0.25, "ww")
    sans = spaced(("M", "CMSS10", 0.25), ("w", "CMR10", 0.25), first=40, x0=said[-1].x1)
    related = spaced(("M", "CMSS10", 0.25), ("=", "CMR10", 0.28), ("a", "CMMI10", 0.28), first=50, y=112)
    assert [one.latex for one in find_formulas([*said, *sans], [])] == ["K=a"]
    read = [one.latex for one in find_formulas([*said, *sans, *related], [])]
    assert read == ["K=a", r"\mathsf{M}", r"\mathsf{M}=a"]


def test_a_box_before_a_display_or_a_heavy_letter_ticks_an_answer():
    box = glyph(0, "□", 20, "MSAM10")
    shown = spaced(("x", "CMMI10", 0), ("=", "CMR10", 0.28), ("y", "CMMI10", 0.28), first=1, x0=31)
    assert [one.latex for one in find_formulas([box, *shown], [])] == ["x=y"]
    assert find_formulas([box, glyph(1, "V", 31, "CMBX10")], []) == []


def test_a_sign_without_a_name_that_touches_the_end_of_a_formula_makes_it_a_picture():
    assert read(*SAID, 0.25, "¦a", 0.28, "=", 0.28, "5¦", 0.17, "k", "\ufffd", 0.25, "ww") == [
        "a sign without a name touches its end"
    ]


def test_a_letter_with_an_accent_is_a_variable_with_it():
    row = [glyph(0, "\u0177", 20, "Nimbus-Ital"), glyph(1, "=", 28, "CMR10"), glyph(2, "x", 36, "Nimbus-Ital")]
    assert [one.latex for one in find_formulas(row, [])] == [r"\hat{y}=x"]


def test_accents_of_the_words_below_a_formula_are_no_drawings_of_it(tmp_path):
    items = parse_pdf(PAGES / "accents_below.pdf", tmp_path).items
    text = r"The share is $x=\frac{n_i}{\sum_jn_j}$ of all. All that they are sold öööööööööö."
    assert [item.text for item in items] == [text]
