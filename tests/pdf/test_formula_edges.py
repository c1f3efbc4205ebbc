"""Words and signs at the edges of formulas are part of them, are none of them, or make them pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from operators.pdf.formulas import Glyph, Rule, find_formulas
from operators.pdf.parser.parse import parse_pdf
from tests.pdf.formula_lines import LOOSE, SAID, glyph, line, spaced, two_lines
from tests.pdf.sheets import Sheet

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


def italic(*parts: tuple[str, float], first: int = 0, x0: float = 20, y: float = 100) -> list[Glyph]:
    """Letters whose variables are in the italics of the text."""
    fonts = [(char, "Nimbus-Ital" if char.isalpha() else "Nimbus-Regu", gap) for char, gap in parts]
    return spaced(*fonts, first=first, x0=x0, y=y)


def raised(first: int, text: str, after: Glyph, gap: float = 0.0, y: float = 96.4, font: str = "CMR7") -> list[Glyph]:
    """Small letters above the line, behind another one."""
    found: list[Glyph] = []
    x0 = after.x1 + 10 * gap
    for at, char in enumerate(text, first):
        found.append(glyph(at, char, x0, font, y=y, size=7))
        x0 = found[-1].x1
    return found


def test_a_list_of_brackets_that_dots_go_on_is_one_formula():
    dots = [0.11, ".", 0.11, ".", 0.11, ".", 0.11]
    pairs = ["¦", "(", "x", ",", 0.12, "y", ")¦", ",", *dots, ",", 0.11, "¦", "(", "z", ",", 0.12, "w", ")¦"]
    assert read(*LOOSE, 0.33, "ww", 0.33, *pairs, 0.33, "ww", 0.33, "ww") == [r"(x,y),\ldots,(z,w)"]


def test_labels_in_brackets_with_dots_between_are_no_formula():
    dots = [0.17, ".", 0.17, ".", 0.17, ".", 0.17]
    assert read(*SAID, 0.25, "(", "a", ")", ",", *dots, ",", 0.17, "(", "d", ")", 0.25, "ww", 0.25, "¦x¦") == ["x"]


def test_brackets_whose_conditions_have_a_comma_of_the_text_between_are_of_the_text():
    row = ["¦y", 0.28, "=", 0.28, "x¦", "(", "¦a", 0.28, "=", 0.28, "1¦", ",", "¦b", 0.28, "=", 0.28, "2¦", ")"]
    assert read("函", "数", 0.25, *row, "的", "值") == ["y=x", "a=1", "b=2"]


def test_a_bracket_with_a_relation_a_words_space_behind_a_script_is_of_the_text():
    said = line("ww", 0.167, "ww", 0.167, "ww", 0.167, "ww", 0.167, "¦C¦")
    low = glyph(20, "3", said[-1].x1, "CMR7", y=101.5, size=7)
    row = [("(", "CMR10", 0.167 + 0.0498), ("M", "CMMI10", 0.0), ("=", "CMR10", 0.28), ("1", "CMR10", 0.28)]
    rest = [(")", "CMR10", 0.0), ("w", "CMR10", 0.167), ("w", "CMR10", 0.0)]
    found = find_formulas([*said, low, *spaced(*row, *rest, first=21, x0=low.x1)], [])
    assert [one.latex for one in found] == ["C_3", "(M=1)"]


def test_variables_side_by_side_are_part_of_the_list_in_a_bracket():
    said = line(*SAID)
    row = [("(", 0.25), ("m", 0), ("+", 0.22), ("n", 0.22), (",", 0), ("2", 0.32), ("m", 0), ("n", 0), (",", 0)]
    proof = italic(("m", 0), ("=", 0.28), ("n", 0.28), first=30, y=140)
    row += [("m", 0.32), ("+", 0.22), ("n", 0.22), (")", 0)]
    found = find_formulas([*said, *italic(*row, first=20, x0=said[-1].x1), *proof], [])
    assert [one.latex for one in found] == ["(m+n,2mn,m+n)", "m=n"]


def test_variables_that_spell_a_short_word_are_a_product_between_two_operators():
    row = [("a", 0), ("x", 0), ("+", 0.26), ("b", 0.26), ("y", 0), ("+", 0.26), ("c", 0.22), ("=", 0.28), ("0", 0.28)]
    said = line(*SAID)
    found = find_formulas([*said, *italic(("a", 0.25), *row[1:], first=30, x0=said[-1].x1)], [])
    assert [one.latex for one in found] == ["ax+by+c=0"]


def test_a_bracket_of_the_text_that_closes_behind_the_second_line_of_a_formula_is_no_part_of_it():
    first = line(*SAID, 0.25, "(", "¦M", 0.28, "=", 0.28, "1¦", ",", 0.25, "¦R", 0.28, "=¦")
    rest = [("2", "CMR10", 0), ("a", "CMMI10", 0), ("+", "CMR10", 0.22), ("b", "CMMI10", 0.22), (")", "CMR10", 0)]
    assert [one.latex for one in find_formulas(two_lines(first, *rest), [])] == ["M=1", "R=", "2a+b"]


def test_the_numbers_of_an_isotope_are_no_scripts_of_the_word_before_it():
    said = line(*SAID, 0.25, "by")
    high = raised(20, "131", said[-1], 0.26, font="XITSMath")
    low = raised(23, "53", high[0], 0.0, 102.5, "XITSMath")
    row = [("I", "CMR10", 0.02), ("→", "CMSY10", 0.28), ("X", "CMR10", 0.28), ("w", "CMR10", 0.25), ("w", "CMR10", 0)]
    found = find_formulas([*said, *high, *low, *spaced(*row, first=25, x0=low[-1].x1)], [])
    assert [one.latex for one in found] == [r"{}_{53}^{131}\mathrm{I}\to\mathrm{X}"]


def test_a_word_seems_nearer_to_a_letter_that_leans_out_of_its_advance_than_it_is():
    def behind(gap: float) -> list[str]:
        rest = spaced(("𝑉", "XITSMath", 0.25), *((char, "CMR10", gap if at == 0 else 0) for at, char in
                      enumerate("to")), first=30, x0=said[-1].x1)  # fmt: skip
        return [one.latex or one.reason for one in find_formulas([*said, *rest], [])]

    said = line(*SAID)
    assert behind(0.065) == behind(0.167) == ["V"]
    before = spaced(("e", "CMR10", 0.25), ("𝑓", "XITSMath", 0.09), ("=", "XITSMath", 0.28), ("1", "XITSMath", 0.28),
                    first=30, x0=line(*SAID, 0.25, "¦a¦")[-1].x1)  # fmt: skip
    assert [one.latex for one in find_formulas([*line(*SAID, 0.25, "¦a¦"), *before], [])] == ["a", "f=1"]


def test_a_word_of_one_letter_a_thin_space_behind_a_quotient_is_no_unit():
    said = line(*SAID)
    half = [
        glyph(30, "1", said[-1].x1 + 2.5, "CMR7", y=94, size=7),
        glyph(31, "2", said[-1].x1 + 2.5, "CMR7", y=103, size=7),
    ]
    bar = Rule(0, half[0].x0, 97.3, half[0].x1, 97.7)
    for letter, latex in (("e", r"\frac{1}{2}"), ("K", r"\frac{1}{2}\mathrm{K}")):
        rest = spaced((letter, "CMR10", 0.19), ("w", "CMR10", 0.25), ("w", "CMR10", 0), first=32, x0=half[0].x1)
        assert [one.latex for one in find_formulas([*said, *half, *rest], [bar])] == [latex]


def test_a_power_of_a_unit_a_thin_space_behind_a_variable_is_part_of_its_formula():
    row = spaced(("1", "CMR10", 0), ("2", "CMR10", 0), ("π", "CMMI10", 0), ("c", "CMR10", 0.203), ("m", "CMR10", 0))
    found = find_formulas([*row, *raised(5, "2", row[-1])], [])
    assert [one.latex for one in found] == [r"12\pi\mathrm{cm}^2"]


def test_an_oblique_font_of_program_listings_has_no_variables():
    parts = [(char, "BeraSansMono-Oblique", 0.6 if char == "a" else 0.0) for char in "ww;a"]
    proof = spaced(("x", "CMR10", 0), ("∈", "CMSY10", 0.28), ("y", "CMR10", 0.28), first=20, y=140)
    found = find_formulas([*spaced(*parts), *proof], [])
    assert "a" not in [one.latex for one in found]


def test_limits_that_reach_far_before_their_sign_make_no_columns(tmp_path):
    items = parse_pdf(PAGES / "wide_limits.pdf", tmp_path).items
    text = r"$$S=\left(4\sum_{j\mathrm{odd}}a_j+2\sum_{\substack{j\mathrm{even}\\0<j<2N+1}}a_j+b\right)$$"
    assert text in [item.text for item in items]


def test_text_below_an_underlined_heading_is_no_denominator(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "sheet.pdf")
    for y, number, asked in (
        (300, 1, "Donner la base conjuguee de chacun des acides suivants."),
        (360, 2, "Vrai ou faux."),
    ):
        sheet.bold(60, y, f"Exercice {number}")
        sheet.line(60, y + 2, 114, y + 2)
        sheet.text(60, y + 15, asked)
    texts = [item.text for item in parse_pdf(sheet.save(), tmp_path).items]
    assert " ".join(texts).split() == [
        *["Exercice", "1", "Donner", "la", "base", "conjuguee", "de", "chacun", "des", "acides", "suivants."],
        *["Exercice", "2", "Vrai", "ou", "faux."],
    ]
