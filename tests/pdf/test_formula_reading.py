"""Formulas of pages that TeX made come back as they were written; what cannot be read is a picture with a reason.

The pages of ``fixtures_formulas`` show the same formulas in Computer Modern without Unicode values, in Latin Modern,
and through XeLaTeX and LuaLaTeX in OpenType fonts. ``office.pdf`` is what LibreOffice made of ``office.docx``,
``browser.pdf`` and ``mathjax.pdf`` are what Chromium printed of the pages beside them, ``mathjax_all.pdf`` the same
formulas as the others in lines of words.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dataflow_ext.report.mathml import mathml
from operators.pdf.formulas import Family, Formula, Glyph, Rule, Stroke, family, find_formulas, sign_of
from operators.pdf.formulas.glyphs import Doubt
from operators.pdf.formulas.neighbours import settled
from operators.pdf.formulas.tree import Atom, Fraction, Leaf, Scripts, prove_row
from operators.pdf.formulas.tree import latex as written_as
from operators.pdf.parser.formula_glyphs import with_pieces
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.parser.runs import GOES_ON
from operators.pdf.parser.survey import survey
from operators.pdf.parser.text_lines import join_lines
from tests.pdf.formula_lines import LOOSE, SAID, glyph, line, spaced, two_lines

PAGES = Path(__file__).parent / "fixtures_formulas"
WRITTEN = (PAGES / "formulas.txt").read_text(encoding="utf-8").splitlines()


def formulas(path: Path, folder: Path) -> list[str]:
    """The formulas of all items in reading order."""
    parts = [part for item in parse_pdf(path, folder).items for part in item.text.replace("$$", "$").split("$")[1::2]]
    return [part for part in parts if part != r"50\%"]


@pytest.mark.parametrize("name", ["without_unicode", "latin_modern", "xelatex", "stix_two"])
def test_every_formula_of_a_page_comes_back_as_it_was_written(tmp_path, name):
    assert formulas(PAGES / f"{name}.pdf", tmp_path) == WRITTEN


@pytest.mark.parametrize("name", ["without_unicode", "xelatex"])
def test_displays_are_equations_without_pictures_and_their_numbers_stand_behind_them(tmp_path, name):
    items = parse_pdf(PAGES / f"{name}.pdf", tmp_path).items
    displays = [item for item in items if item.type == "equation"]
    assert len(displays) == 15
    assert [item.text for item in displays if not item.text.endswith("$$")] == ["$$E=mc^2$$ (1)"]
    assert [item.image for item in displays] == [None] * 15


SHEET = [
    "Sheet 4",
    "A line of words stands here, so that the page has a text around it.",
    "For $x$ there are two values, and one of them is",
    r"$$x_1=\frac{-b+\sqrt{b^2-4ac}}{2a}$$",
    r"while the other is found with the minus sign. Show that $\sqrt[3]{t}\ge2$ for every case, and that",
    r"$$\sum_{k=1}^nk=\frac{n(n+1)}{2}$$",
    "holds for all numbers. The matrix",
    r"$$A=\begin{pmatrix}1&7\\p&q\end{pmatrix}$$",
    r"has an inverse for $\lambda\in\mathbb{R}$ as well, and the speed is $v=\frac{s}{t}$ on the whole way.",
]


@pytest.mark.parametrize(
    ("name", "left", "right"), [("office", r"\left(", r"\right)"), ("browser", "(", ")"), ("mathjax", "(", ")")]
)
def test_formulas_that_an_office_program_or_a_browser_set_are_read(tmp_path, name, left, right):
    items = parse_pdf(PAGES / f"{name}.pdf", tmp_path).items
    grown = SHEET[5].replace("(", left).replace(")", right)
    assert [item.text for item in items] == [*SHEET[:5], grown, *SHEET[6:]]


def test_of_fonts_without_names_that_mathjax_drew_every_formula_is_read_or_a_picture(tmp_path):
    spelled = {r"\left\|x\right\|": r"\|x\|", r"\max_{x\in X}f(x)\le\sup_yg(y)": ""}
    found = [spelled.get(one, one) for one in formulas(PAGES / "mathjax_all.pdf", tmp_path)]
    assert [one for one in found if one and not any(one in written for written in WRITTEN)] == []
    assert len([one for one in found if one in WRITTEN]) == 88


def test_sentences_keep_their_words_and_marks_around_formulas(tmp_path):
    items = parse_pdf(PAGES / "without_unicode.pdf", tmp_path).items
    assert items[0].text == (
        r"We take $x^2+y^2=z^2$ and also $a_1,a_2,\ldots,a_n$ in the set of all numbers, where $\frac{a+b}{c-d}$ is a "
        "number."
    )


def test_a_formula_in_doubt_is_a_picture_that_says_why(tmp_path):
    items = parse_pdf(PAGES / "doubtful.pdf", tmp_path).items
    (formula,) = [item for item in items if item.type == "equation"]
    assert (formula.text, formula.captions) == ("", ["Kept as a picture: it holds an upright rule."])
    assert Path(formula.image).is_file()


def test_a_sign_that_is_drawn_and_not_set_makes_its_formula_a_picture(tmp_path):
    text, formula = parse_pdf(PAGES / "drawn_sign.pdf", tmp_path).items
    assert text.text == r"Given the sets $A$ and $B=\{2,3\}$, the set [formula] is empty."
    assert (formula.text, formula.captions) == ("", ["Kept as a picture: it holds a sign without a name."])


@pytest.mark.parametrize("name", ["without_unicode", "latin_modern", "xelatex", "stix_two", "doubtful"])
def test_every_formula_that_is_read_can_be_shown(name):
    read = [formula.latex for draft in survey(PAGES / f"{name}.pdf").drafts for formula in draft.formulas]
    assert [latex for latex in read if latex and mathml(latex) is None] == []


def test_prose_prices_ticks_blanks_boxes_code_and_tables_hold_no_formula():
    (draft,) = survey(PAGES / "prose.pdf").drafts
    assert draft.formulas == []


def test_accents_over_accents_and_arrows_with_letters_over_them_are_read(tmp_path):
    assert formulas(PAGES / "doubtful.pdf", tmp_path)[-2:] == [
        r"U\overset{f}{\longrightarrow}V\overset{g}{\longrightarrow}W",
        r"\ddot{\vec{x}}",
    ]


def test_a_heavy_number_with_a_space_behind_it_numbers_a_formula_and_is_none_of_it(tmp_path):
    items = parse_pdf(PAGES / "heavy_numbers.pdf", tmp_path).items
    assert [item.text for item in items[:4]] == ["11 $6x-15$", "12 $(x+3)(x+4)$", "13 $x=6$", "14 $x=15$"]
    assert items[4].text == r"$$\mathbf{1}x+\mathbf{2}x+\mathbf{3}x=\mathbf{4}x$$"


def test_a_dollar_sign_of_the_text_is_told_from_those_around_formulas(tmp_path):
    assert parse_pdf(PAGES / "doubtful.pdf", tmp_path).items[0].text == (
        r"A rule stands between the columns of the display below, which costs \$5 in books, and $x=1$ here:"
    )


@pytest.mark.parametrize("name", ["without_unicode", "latin_modern", "xelatex", "stix_two", "doubtful"])
def test_letters_and_rules_belong_to_one_formula_at_most(name):
    for draft in survey(PAGES / f"{name}.pdf").drafts:
        letters = [letter for formula in draft.formulas for letter in formula.glyphs]
        rules = [rule for formula in draft.formulas for rule in formula.rules]
        assert len(letters) == len(set(letters))
        assert len(rules) == len(set(rules))


def test_a_quotient_is_read_from_its_bar():
    letters = [glyph(0, "a", 20, y=95), glyph(1, "b", 20, y=107)]
    (found,) = find_formulas(letters, [Rule(7, 20, 98, 25, 98.4)])
    assert (found.latex, found.glyphs, found.rules, found.reason) == (r"\frac{a}{b}", [0, 1], [7], "")


def painted(at: int, char: str, x0: float, *, y: float = 100, size: float = 10) -> Glyph:
    return glyph(at, char, x0, "KaTeX_Math-Italic" if char.isalpha() else "KaTeX_Main-Regular", y=y, size=size)


def test_scripts_that_were_painted_behind_their_row_are_read_at_their_place():
    row = [painted(0, "a", 20), painted(1, "=", 32), painted(2, "b", 40)]
    (found,) = find_formulas([*row, painted(3, "2", 25, y=96, size=7), painted(4, "i", 45, y=102, size=7)], [])
    assert (found.latex, found.reason) == ("a^2=b_i", "")


def test_two_quotients_that_were_painted_behind_the_sign_that_follows_them_stand_before_it():
    row = [painted(0, "x", 20), painted(1, "=", 27)]
    halves, bars = [], []
    for at, (x0, above, below) in enumerate([(36, "a", "b"), (43, "c", "d")]):
        halves += [painted(3 + 2 * at, below, x0, y=107), painted(4 + 2 * at, above, x0, y=95)]
        bars.append(Rule(at, x0, 98, x0 + 5, 98.4))
    (found,) = find_formulas([*row, painted(2, "+", 56), *halves, painted(7, "e", 64)], bars)
    assert (found.latex, found.reason) == (r"x=\frac{a}{b}\frac{c}{d}+e", "")


def test_the_halves_of_a_quotient_are_painted_from_below():
    row = [painted(0, "x", 20), painted(1, "=", 27)]
    halves = [painted(2, "b", 36, y=107), painted(3, "c", 41, y=107), painted(4, "a", 38.5, y=95)]
    (found,) = find_formulas([*row, *halves], [Rule(7, 36, 98, 46, 98.4)])
    assert (found.latex, found.reason) == (r"x=\frac{a}{bc}", "")


def test_a_drawn_root_is_read_and_any_other_drawing_in_a_formula_is_a_doubt():
    row = [painted(0, "x", 20), painted(1, "=", 27), painted(2, "a", 43)]
    (found,) = find_formulas(row, [], (), [Stroke(-1, 35, 93, 48, 102, 42)])
    assert (found.latex, found.rules, found.reason) == (r"x=\sqrt{a}", [-1], "")
    (found,) = find_formulas(row, [], (), [Stroke(-1, 43, 91, 48, 94)])
    assert (found.latex, found.reason) == ("", "it holds a drawing")


def test_letters_of_mathematical_alphabets_are_formulas_in_any_font():
    row = [glyph(0, "\U0001d45d", 20, "cochMI"), glyph(1, "=", 28, "CMR10"), glyph(2, "\U0001d45e", 36, "cochMI")]
    (found,) = find_formulas(row, [])
    assert (found.latex, found.reason) == ("p=q", "")


def test_plain_letters_of_an_unknown_font_of_mathematics_are_a_doubt():
    row = [glyph(0, "p", 20, "SomeMathItalic"), glyph(1, "=", 28, "CMR10"), glyph(2, "3", 36, "CMR10")]
    (found,) = find_formulas(row, [])
    assert (found.latex, found.reason) == ("", "it holds a sign without a name")


def test_arrows_that_are_set_as_a_line_of_their_own_make_what_stands_below_a_picture():
    below = Formula("u", (20, 93, 26, 99.5), 99.5, 10, False, glyphs=[0])
    arrows = Formula(r"\to\to", (20, 90, 40, 93), 91.7, 8, False, glyphs=[1, 2])
    (found,) = settled([arrows, below], [], [])
    assert (found.latex, found.reason) == ("", "it was found in pieces")


def test_a_small_fraction_beside_another_one_is_no_script_of_it():
    host, script = (
        Atom(Fraction(Leaf("a", "letter"), Leaf("b", "letter")), x0, x0 + 3, (x0, y - 5, x0 + 3, y + 5), y, 6, axis=y)
        for x0, y in ((20, 98), (24, 95))
    )
    with pytest.raises(Doubt, match="as large as its base"):
        prove_row([host], [[[script]]], 6)


def test_bars_beside_an_equals_sign_make_no_sign_with_it_unless_they_touch():
    row = [glyph(0, "|", 20, "OpenSymbol"), glyph(1, "=", 24, "OpenSymbol"), glyph(2, "|", 32, "OpenSymbol")]
    row[0].ink, row[1].ink = (21, 92, 21.5, 102), (25, 95, 28, 98)
    letters = [glyph(at, "A", x0, "CMMI10") for at, x0 in ((3, 15), (4, 36))]
    (found,) = find_formulas([letters[0], *row, letters[1]], [])
    assert "models" not in found.latex


def test_the_index_of_a_root_may_stand_behind_what_its_bar_covers():
    sign, bar = glyph(0, "√", 20, "XITSMath"), Rule(7, 25, 93, 32, 93.4)
    sign.ink = (20, 93, 25, 103)
    index = Glyph(
        [2], "3", sign_of("3", False, family("XITSMath"), True), family("XITSMath"), 19, 22, (19, 92, 22, 96), 96, 5
    )
    (found,) = find_formulas([sign, glyph(1, "2", 26, "XITSMath"), index], [bar])
    assert (found.latex, found.reason) == (r"\sqrt[3]{2}", "")


def test_the_upper_limit_of_an_integral_before_a_root_is_no_index_of_it():
    sign, bar = glyph(1, "√", 27, "XITSMath"), Rule(7, 32, 88, 39, 88.4)
    sign.ink, sign.x1 = (28, 88, 32, 108), 32
    limit = glyph(0, "b", 23, y=96, size=7)
    (found,) = find_formulas([glyph(3, "S", 17), limit, sign, glyph(2, "x", 33)], [bar])
    assert found.latex == r"S^b\sqrt{x}"


def test_a_bar_over_digits_of_the_text_is_no_line_of_it():
    letters = [glyph(0, "3", 20, "CMR10"), glyph(1, "=", 30, "CMR10"), glyph(2, "x", 40)]
    letters[0].ink = (20, 93, 25, 100)
    (found,) = find_formulas(letters, [Rule(7, 20, 91, 25, 91.4)])
    assert found.latex == r"\overline{3}=x"


def test_two_braces_side_by_side_open_rows_of_their_own():
    def rows(at: int, x0: float) -> list[Glyph]:
        brace = glyph(at, "{", x0, "LatinModernMath")
        brace.ink = (x0, 83, brace.x1, 112)
        return [brace, glyph(at + 1, "a", x0 + 6, y=94), glyph(at + 2, "b", x0 + 6, y=106)]

    (found,) = find_formulas([*rows(0, 20), *rows(3, 50)], [])
    assert found.latex == r"\begin{cases}a\\b\end{cases}\quad\begin{cases}a\\b\end{cases}"


def test_an_accent_that_no_formula_has_makes_the_one_below_it_a_picture():
    letters = [glyph(0, "a", 20), glyph(1, "=", 27.8, "CMR10"), glyph(2, "b", 35.6)]
    accent = Glyph([3], "\ufffd", None, Family("TEX"), 20, 25, (21, 93.4, 24, 94.6), 99.9, 10)
    (found,) = find_formulas([accent, *letters], [])
    assert (found.latex, found.reason) == ("", "an accent over it is in no formula")


def test_a_rule_that_belongs_to_no_part_makes_a_formula_a_picture():
    letters = [glyph(0, "a", 20), glyph(1, "=", 27.8, "CMR10"), glyph(2, "b", 35.6)]
    (found,) = find_formulas(letters, [Rule(7, 22, 97, 33, 97.4)])
    assert (found.latex, found.reason) == ("", "it holds a rule that is no part of it")


def test_an_upright_rule_within_a_formula_makes_it_a_picture():
    letters = [glyph(0, "a", 20), glyph(1, "=", 27.8, "CMR10"), glyph(2, "b", 35.6)]
    (found,) = find_formulas(letters, [], [(33, 90, 33.4, 105)])
    assert (found.latex, found.reason) == ("", "it holds an upright rule")


def test_a_formula_in_a_frame_of_its_own_is_a_picture():
    letters = [glyph(0, "a", 20), glyph(1, "=", 27.8, "CMR10"), glyph(2, "b", 35.6)]
    (found,) = find_formulas(letters, [], [(16.2, 90, 16.6, 105), (44, 90, 44.4, 105)])
    assert (found.latex, found.reason) == ("", "it stands in a frame of its own")


def test_a_sign_of_an_unknown_font_within_a_formula_makes_it_a_picture():
    letters = [glyph(0, "a", 20), glyph(1, "P", 25, "stmary10"), glyph(2, "b", 30)]
    (found,) = find_formulas(letters, [])
    assert (found.latex, found.reason) == ("", "it holds a sign without a name")


@pytest.mark.parametrize("sign", ["•", "□", "✓", "√", "§"])
def test_a_sign_by_itself_is_no_formula(sign):
    assert find_formulas([glyph(0, sign, 20, "LatinModernMath-Regular")], []) == []


@pytest.mark.parametrize(
    ("char", "raw", "font", "tall", "latex"),
    [
        ("Z", True, "CMEX10", True, r"\int"),
        ("\x00", False, "CMEX10", True, "("),
        ("\x09", True, "CMEX10", True, r"\}"),
        ("\x21", True, "CMSY10", False, r"\to"),
        ("x", False, "CAAAAA+KaTeX_Math-Italic", False, "x"),
        ("x", False, "FAAAAA+KaTeX_Main-Bold", False, r"\mathbf{x}"),
        ("R", False, "EAAAAA+KaTeX_AMS-Regular", True, r"\mathbb{R}"),
        ("L", False, "KaTeX_Caligraphic-Regular", True, r"\mathcal{L}"),
        ("T", False, "KaTeX_SansSerif-Regular", True, r"\mathsf{T}"),
        ("\u2208", False, "KaTeX_Main-Regular", True, r"\in"),
        ("\u2211", False, "KaTeX_Size2-Regular", True, r"\sum"),
        ("\u03d5", False, "CMMI10", False, r"\varphi"),
        ("\u03c6", False, "CMMI10", True, r"\phi"),
        ("\U0001d465", False, "ABCDEF+LatinModernMath-Regular", False, "x"),
        ("\U0001d431", False, "XITSMath", False, r"\mathbf{x}"),
        ("\u03f5", False, "STIXTwoMath-Regular", False, r"\epsilon"),
        ("x", False, "CMBX10", False, r"\mathbf{x}"),
        ("R", False, "MSBM10", True, r"\mathbb{R}"),
        ("\U0001d465", False, "NewTXMI7", False, "x"),
        ("\U0001d711", False, "NewTXMI", True, r"\varphi"),
        ("\u2264", False, "txsys", False, r"\le"),
        ("\u2265", False, "txsys", False, r"\ge"),
        ("\x12", True, "Pxex", True, "("),
        ("\u03b1", False, "EURM10", False, r"\alpha"),
        ("A", False, "Kp--M-Sy-Regular", True, r"\mathcal{A}"),
        ("=", False, "EUFM10", False, "="),
        ("\x00", False, "Kp--M-Ex-Regular", False, "("),
        ("[", False, "ABCDEF+MathDesign-CH-Regular-T1-10", False, "["),
        ("T", False, "ABCDEF+Utopia-BoldItalic", True, r"\boldsymbol{T}"),
    ],
)
def test_signs_are_told_by_font_code_and_ink(char, raw, font, tall, latex):
    sign = sign_of(char, raw, family(font), tall)
    assert sign is not None and sign.latex == latex


def test_a_letter_without_a_name_in_an_unknown_font_has_no_sign():
    assert sign_of("P", True, Family(), True) is None


def test_a_formula_over_two_lines_is_one():
    assert join_lines([f"Let $x={GOES_ON}$", r"$\alpha$ be"]) == r"Let $x=\alpha$ be"
    assert join_lines([rf"Let $x\le{GOES_ON}$", "$y$ be"]) == r"Let $x\le y$ be"


WORD = [("w", "CMR10", 0), ("w", "CMR10", 0)]
APART = [("w", "CMR10", 0.25), ("w", "CMR10", 0)]


def test_on_a_page_whose_words_are_greek_letters_of_their_font_are_words():
    formula = [("α", "CMMI10", 0.3), ("=", "CMR10", 0.28), ("β", "CMMI10", 0.28)]
    words = [(char, "LinLibertineT", 0.3 if char == "η" else 0.0) for char in "ηάληέλήλίλόλη"]
    assert [
        one.latex for one in find_formulas([*spaced(*words[:8], *formula), *spaced(*words, first=11, y=114)], [])
    ] == [r"\alpha=\beta"]


@pytest.mark.parametrize(
    ("letters", "reason"),
    [
        ([("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("w", "CMR10", 0.5), ("w", "CMR10", 0)], "it ends in a relation"),
        (
            [*WORD, *APART, ("<", "CMMI10", 0.25), ("a", "CMMI10", 0.28)],
            "it begins with a relation",
        ),
        ([*WORD, ("a", "CMMI10", 0)], "letters touch its beginning"),
        ([*WORD, ("a", "CMMI10", 0.5), ("{", "CMSY10", 0), ("b", "CMMI10", 0)], "its brackets are not paired"),
    ],
)
def test_a_formula_that_seems_to_be_cut_is_a_picture(letters, reason):
    (found,) = find_formulas(spaced(*letters), [])
    assert (found.latex, found.reason) == ("", reason)


def test_two_formulas_one_over_the_other_are_pieces_of_one():
    letters = [glyph(0, "a", 20), glyph(1, "b", 60, y=300), glyph(2, "c", 20.5, y=106)]
    assert [(one.latex, one.reason) for one in find_formulas(letters, [])] == [
        ("", "it was found in pieces"),
        ("b", ""),
    ]


def test_words_below_a_heading_of_one_letter_are_no_scripts_of_it():
    words = [glyph(at, "w", 26 + 5 * at, "CMR10", y=121) for at in range(1, 5)]
    letters = [glyph(0, "7", 20, "CMBX12", size=14), *words, glyph(9, "x", 60, y=121)]
    assert [(one.latex, one.glyphs) for one in find_formulas(letters, [])] == [("x", [9])]


def test_a_relation_with_room_for_an_answer_behind_it_is_a_formula():
    letters = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("w", "CMR10", 3), ("w", "CMR10", 0))
    assert [one.latex for one in find_formulas(letters, [])] == ["a="]


def test_a_formula_whose_other_line_is_not_found_is_a_picture():
    (found,) = find_formulas(spaced(*WORD, ("a", "CMMI10", 0.5), ("=", "CMR10", 0.28)), [])
    assert (found.latex, found.reason) == ("", "its end was not found")


def test_italic_letters_are_variables_only_where_no_font_of_formulas_has_them():
    text = [("x", "Palatino-Italic", 0), ("=", "Palatino", 0.28), ("y", "Palatino-Italic", 0.28)]
    assert [one.latex for one in find_formulas(spaced(*text), [])] == ["x=y"]
    other = [glyph(9, "z", 20, y=200)]
    assert [one.latex for one in find_formulas([*spaced(*text), *other], [])] == ["z"]


def test_two_formulas_on_two_lines_stay_two():
    assert join_lines(["Let $x$", "$y$ be"]) == "Let $x$ $y$ be"


def test_the_lower_side_of_a_frame_is_no_bar_of_a_quotient():
    letters = [glyph(0, "a", 20, y=95), glyph(1, "b", 20, y=107)]
    sides = [(19.8, 80, 20.2, 98.4), (24.8, 80, 25.2, 98.4)]
    assert [one.latex for one in find_formulas(letters, [Rule(7, 20, 98, 25, 98.4)], sides)] == ["a", "b"]


def test_a_bar_covers_one_line_and_a_rule_over_a_heading_covers_none():
    heading = [glyph(at, char, 20 + 5 * at, "CMR10", y=104) for at, char in enumerate("Keys")]
    line = [glyph(4 + at, char, 20 + 5 * at, "CMR10", y=116) for at, char in enumerate("Let")]
    line.append(glyph(7, "d", 38.3, y=116))
    found = find_formulas([*heading, *line], [Rule(7, 20, 98, 43.3, 98.4)])
    assert [(one.latex, one.rules) for one in found] == [("d", [])]
    covered = [glyph(0, "a", 20, y=104), glyph(1, "b", 25, y=104)]
    assert [one.latex for one in find_formulas(covered, [Rule(7, 20, 98, 30, 98.4)])] == [r"\overline{ab}"]


def test_a_bullet_before_a_formula_is_no_sign_of_it():
    for font in ("TeXGyrePagella-Regular", "CMSY10"):
        letters = spaced(("•", font, 0), ("Y", "CMMI10", 0.4), ("w", "CMR10", 0.3), ("w", "CMR10", 0))
        assert [(one.latex, one.reason) for one in find_formulas(letters, [])] == [("Y", "")]


def test_digits_have_no_style_where_words_have_no_serifs():
    words = [("w", "LMSans10-Regular", 0.3 if at == 0 else 0) for at in range(9)]
    formula = [("x", "CMMI10", 0.4), ("=", "CMR10", 0.28), ("2", "LMSans10-Regular", 0.28)]
    assert [one.latex for one in find_formulas(spaced(*words, *formula), [])] == ["x=2"]
    assert [one.latex for one in find_formulas(spaced(*WORD, *formula), [])] == [r"x=\mathsf{2}"]


def test_dots_behind_the_last_comma_of_a_list_belong_to_it():
    dots = [(".", "Palatino", 0.17)] * 3
    listed = [("x", "CMMI10", 0.4), (",", "CMMI10", 0), ("y", "CMMI10", 0.17), (",", "CMMI10", 0)]
    letters = spaced(*WORD, *listed, *dots, ("w", "CMR10", 0.4), ("w", "CMR10", 0))
    assert [one.latex for one in find_formulas(letters, [])] == [r"x,y,\ldots"]


def test_an_empty_bracket_behind_a_relation_is_room_for_an_answer():
    asked = [("n", "CMMI10", 0.4), ("=", "CMR10", 0.28), ("(", "CMR10", 0.28), (")", "CMR10", 2)]
    letters = spaced(*WORD, *asked)
    assert [(one.latex, one.reason) for one in find_formulas(letters, [])] == [("n=", "")]


def test_a_bracket_of_the_sentence_parts_a_variable_from_a_formula():
    formula = [("s", "CMMI10", 0.33), ("(", "CMR10", 0.33), ("t", "CMMI10", 0), ("=", "CMR10", 0.28)]
    letters = spaced(*WORD, *formula, ("1", "CMR10", 0.28), (")", "CMR10", 0))
    assert [one.latex for one in find_formulas(letters, [])] == ["s", "(t=1)"]


def test_code_in_typewriter_is_no_formula():
    letters = spaced(("<", "CMTT10", 0), ("9", "CMTT10", 0.5), ("x", "CMMI10", 3))
    assert [one.latex for one in find_formulas(letters, [])] == ["x"]


def test_an_accent_of_the_texts_font_over_the_first_letter_of_a_line_belongs_to_it():
    letters = spaced(("k", "Times-Italic", 0), ("=", "CMR10", 0.28), ("s", "Times-Italic", 0.28))
    dot = Glyph([9], "˙", sign_of("˙", False, Family(), False), Family(), 21, 24, (21.5, 92, 23, 93), 97.7, 10)
    assert [one.latex for one in find_formulas([dot, *letters], [])] == [r"\dot{k}=s"]


def test_the_limits_of_two_sums_side_by_side_stay_with_their_own():
    sums = []
    for at, (upper, lower) in enumerate([("r", "i"), ("c", "j")]):
        x0 = 20 + 14 * at
        sign = Glyph([3 * at], "P", sign_of("∑", False, family("CMEX10"), False), family("CMEX10"), x0, x0 + 12,
                     (x0, 90, x0 + 12, 104), 90, 10)  # fmt: skip
        sums += [glyph(3 * at + 1, upper, x0 + 4, y=88, size=7), sign, glyph(3 * at + 2, lower, x0 + 4, y=110, size=7)]
    letters = [*sums, glyph(9, "x", 48)]
    assert [one.latex for one in find_formulas(letters, [])] == [r"\sum_i^r\sum_j^cx"]


def test_a_script_behind_a_space_belongs_to_the_letter_on_its_right():
    script = glyph(9, "N", 34, y=96, size=7)
    letters = [*spaced(*WORD), script, glyph(10, "v", 37.6), glyph(11, "=", 45.4, "CMR10"), glyph(12, "u", 53.2)]
    assert [one.latex for one in find_formulas(letters, [])] == ["{}^Nv=u"]


def test_two_formulas_side_by_side_on_two_heights_are_pieces_of_one():
    letters = [glyph(0, "a", 20), glyph(1, "b", 60, y=300), glyph(2, "c", 28, y=102)]
    assert [(one.latex, one.reason) for one in find_formulas(letters, [])] == [
        ("", "it was found in pieces"),
        ("b", ""),
    ]


def test_a_formula_whose_rectangle_holds_a_letter_of_the_text_is_a_picture():
    letters = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28))
    foreign = Glyph([9], "w", None, Family(), 28, 31, (28, 96, 31, 99), 106, 10)
    (found,) = find_formulas([*letters, foreign], [])
    assert (found.latex, found.reason) == ("", "a letter in it is no part of it")


def test_a_script_as_large_as_its_base_makes_a_formula_a_picture():
    letters = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28))
    raised = glyph(9, "d", letters[-1].x1, y=98.6)
    (found,) = find_formulas([*letters, raised, glyph(10, "c", raised.x1)], [])
    assert (found.latex, found.reason) == ("", "a script of it is as large as its base")


def test_a_script_far_behind_its_base_makes_a_formula_a_picture():
    letters = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28))
    (found,) = find_formulas([*letters, glyph(9, "d", letters[-1].x1 + 6, y=96, size=7)], [])
    assert (found.latex, found.reason) == ("", "a script of it stands far from its base")


def test_scripts_one_behind_the_other_have_bases_of_their_own():
    upper = glyph(1, "l", 25, y=96, size=7)
    assert [one.latex for one in find_formulas([glyph(0, "R", 20), upper, glyph(2, "i", 28.5, y=102, size=7)], [])] == [
        "R^l{}_i"
    ]


@pytest.mark.parametrize(
    ("letters", "latex"),
    [
        ([("V", "CMMI10", 0.4), ("=", "CMR10", 0.28), ("w", "CMR10", 0.28), ("w", "CMR10", 0)], r"V=\mathrm{ww}"),
        ([("w", "CMR10", 0.4), ("w", "CMR10", 0), ("=", "CMR10", 0.28), ("V", "CMMI10", 0.28)], r"\mathrm{ww}=V"),
        ([("w", "CMR10", 0.25), ("w", "CMR10", 0), ("+", "CMR10", 0.25), ("V", "CMMI10", 0)], "+V"),
        ([("V", "CMMI10", 0.4), ("+", "CMR10", 0.22), ("w", "CMR10", 0.22), ("f", "CMMI10", 0)], r"V+\mathrm{w}f"),
        ([("w", "CMR10", 0.4), ("w", "CMR10", 0), ("[", "CMR10", 0), ("V", "CMMI10", 0), ("]", "CMR10", 0)],
         r"\mathrm{ww}[V]"),
    ],
)  # fmt: skip
def test_a_word_with_the_space_of_a_sign_beside_it_is_its_operand(letters, latex):
    (found,) = find_formulas(spaced(*WORD, *APART, *letters), [])
    assert found.latex == latex


def test_numbers_with_thin_spaces_between_them_are_a_list_and_those_with_the_spaces_of_words_are_not():
    def listed(gap: float) -> list[str]:
        numbers = [("0", "Palatino", 0.25), (",", "Palatino", 0), ("1", "Palatino", gap), (",", "Palatino", 0),
                   ("2", "Palatino", gap)]  # fmt: skip
        page = spaced(*WORD, *APART, *APART, *APART, *numbers, ("w", "CMR10", 0.25), ("w", "CMR10", 0))
        return [one.latex for one in find_formulas(page, [])]

    assert listed(0.14) == ["0,1,2"]
    assert listed(0.25) == []


def test_a_lowered_script_behind_a_space_belongs_to_the_letter_on_its_right():
    letters = spaced(*WORD, ("a", "CMMI10", 0.4), ("=", "CMR10", 0.28))
    script = glyph(9, "2", letters[-1].x1 + 2.8, "CMR7", y=102, size=7)
    base = glyph(10, "F", script.x1)
    assert [one.latex for one in find_formulas([*letters, script, base], [])] == ["a={}_2F"]


def test_bars_around_one_row_are_no_matrix():
    bars = [Glyph([at], "|", sign_of("\x0c", True, family("CMEX10"), False), family("CMEX10"), x0, x0 + 3,
                  (x0 + 1, 85, x0 + 2, 109), 85, 10) for at, x0 in ((0, 20), (3, 50))]  # fmt: skip
    letters = [bars[0], glyph(1, "a", 24), glyph(2, "b", 38), bars[1]]
    assert [one.latex for one in find_formulas(letters, [])] == [r"\left|ab\right|"]


def test_a_rule_right_over_a_formula_that_is_no_part_of_it_makes_it_a_picture():
    letters = spaced(("a", "CMMI10", 0), ("+", "CMR10", 0.22), ("b", "CMMI10", 0.22))
    (found,) = find_formulas(letters, [Rule(7, 24, 92, 38, 92.4)])
    assert (found.latex, found.reason) == ("", "a rule over or under it is in no formula")


def test_a_line_right_under_a_letter_that_is_no_part_of_its_formula_makes_it_a_picture():
    (found,) = find_formulas(
        spaced(("X", "CMBX10", 0), ("=", "CMR10", 0.28), ("a", "CMMI10", 0.28)), [Rule(7, 20, 102.5, 25, 102.9)]
    )
    assert (found.latex, found.reason) == ("", "a rule over or under it is in no formula")


def test_the_bounds_of_an_interval_may_have_spaces_around_the_semicolon_between_them():
    half_open = [
        ("]", "CMR10", 0.25),
        ("0", "CMR10", 0),
        (";", "CMR10", 0.25),
        ("+", "CMR10", 0.6),
        ("x", "CMMI10", 0.22),
    ]
    (found,) = find_formulas(spaced(*WORD, *half_open, ("[", "CMR10", 0), *APART), [])
    assert (found.latex, found.reason) == ("]0;+x[", "")
    listed = find_formulas(spaced(("a", "CMMI10", 0), (";", "CMR10", 0), ("b", "CMMI10", 0.6)), [])
    assert [one.latex for one in listed] == ["a", "b"]


def test_a_word_of_one_letter_between_two_formulas_is_no_part_of_them():
    narrow = [
        ("w", "CMR10", 0.22),
        ("w", "CMR10", 0),
        ("a", "CMMI10", 0.22),
        ("y", "CMR10", 0.22),
        ("b", "CMMI10", 0.22),
    ]
    found = find_formulas(spaced(*WORD, *narrow, ("w", "CMR10", 0.22), ("w", "CMR10", 0)), [])
    assert [one.latex for one in found] == ["a", "b"]


def test_an_upright_letter_with_an_italic_exponent_is_a_power():
    power = glyph(9, "x", 33, "Palatino-Italic", y=95, size=7)
    (found,) = find_formulas(
        [*spaced(("y", "Palatino-Italic", 0), ("=", "CMR10", 0.28), ("e", "Palatino", 0.28)), power], []
    )
    assert found.latex == r"y=\mathrm{e}^x"


def test_a_sign_of_lists_between_two_formulas_makes_them_pictures():
    compared = [("a", "CMMI10", 0.25), ("<", "CMMI10", 0.7), ("b", "CMMI10", 0.7)]
    found = find_formulas(spaced(*WORD, *APART, *compared, *APART, *APART, *APART), [])
    assert [one.reason for one in found] == ["a sign between it and another one is in neither"] * 2


def test_two_rows_of_columns_in_tall_brackets_are_a_matrix_whatever_their_distance():
    def bracket(at: int, code: str, x0: float) -> Glyph:
        sign = sign_of(code, True, family("CMEX10"), False)
        return Glyph([at], code, sign, family("CMEX10"), x0, x0 + 5, (x0 + 1, 84, x0 + 4, 108), 84, 10)

    cells = [glyph(2 * row + column + 1, "abcd"[2 * row + column], 26 + 15 * column, y=92 + 14 * row)
             for row in (0, 1) for column in (0, 1)]  # fmt: skip
    letters = [bracket(0, "\x12", 20), *cells, bracket(9, "\x13", 47)]
    assert [one.latex for one in find_formulas(letters, [])] == [r"\begin{pmatrix}a&b\\c&d\end{pmatrix}"]


def test_a_word_with_a_thin_space_behind_a_number_is_its_unit():
    for gap, latex in ((0.17, r"x=5\mathrm{nm}"), (0.25, "x=5")):
        measured = [("x", "CMMI10", 0.4), ("=", "CMR10", 0.28), ("5", "CMR10", 0.28), ("n", "CMR10", gap)]
        page = spaced(*WORD, *APART, *APART, *APART, *measured, ("m", "CMR10", 0), *APART)
        assert [one.latex for one in find_formulas(page, [])] == [latex]


def test_a_letter_over_an_arrow_behind_a_bracket_of_the_text_belongs_to_the_arrow():
    letters = spaced(("f", "CMMI10", 0), ("(", "CMR10", 0), ("x", "CMMI10", 0), (")", "CMR10", 0))
    over = glyph(8, "d", 45, "Times-Italic", y=95, size=6)
    arrow = Glyph([9], "→", sign_of("→", False, family("CMSY10"), False), family("CMSY10"), 43, 53, (43, 96, 53, 99),
                  100, 10)  # fmt: skip
    (found,) = find_formulas([*letters, over, arrow, glyph(10, "y", 56)], [])
    assert found.latex == r"f(x)\overset{d}{\to}y"


def test_a_hyphened_word_before_a_bracket_is_no_name_of_a_function():
    typed = [("-", "CMR10", 0), ("w", "CMR10", 0), ("w", "CMR10", 0), ("(", "CMR10", 0), ("a", "CMMI10", 0)]
    letters = spaced(*WORD, *typed, ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28), (")", "CMR10", 0))
    assert [one.latex for one in find_formulas(letters, [])] == ["(a=b)"]


def test_a_raised_mark_behind_a_word_points_to_a_note():
    word = spaced(*WORD, ("w", "CMR10", 0), ("a", "CMMI10", 3))
    marks = [glyph(8, "1", 35, "CMR7", y=96, size=7), glyph(9, ",", 38.5, "CMMI7", y=96, size=7)]
    assert [one.latex for one in find_formulas([*word[:3], *marks, word[3]], [])] == ["a"]


def test_numbers_over_each_other_before_a_capital_are_those_of_an_isotope_and_one_is_a_mark():
    arrow = spaced(*WORD, *APART, *APART, ("a", "CMMI10", 0.4), ("=", "CMR10", 0.28))
    x0 = arrow[-1].x1 + 2.8
    upper, lower = glyph(20, "8", x0, "CMR7", y=96, size=7), glyph(21, "2", x0, "CMR7", y=103, size=7)
    base = glyph(22, "U", x0 + 3.5, "CMR10")
    assert [one.latex for one in find_formulas([*arrow, upper, lower, base], [])] == [r"a={}_2^8\mathrm{U}"]
    words = spaced(*WORD, *APART, ("a", "CMMI10", 0.4), *APART)
    x0 = words[-1].x1 + 2.5
    named = [glyph(20, "8", x0, "CMR7", y=96, size=7), glyph(21, "J", x0 + 3.5, "CMR10")]
    assert [one.latex for one in find_formulas([*words, *named], [])] == ["a"]


def test_a_root_in_a_script_whose_sign_is_as_large_as_those_of_the_line_is_no_line_of_its_own():
    sign = glyph(1, "√", 25, "CMSY10", y=88, size=10)
    sign.ink = (26, 88, 33, 99)
    script = glyph(2, "b", 33, y=95.5, size=7)
    letters = [glyph(0, "a", 20), sign, script, *spaced(("=", "CMR10", 0.28), ("c", "CMMI10", 0.28), first=3, x0=38)]
    (found,) = find_formulas(letters, [Rule(7, 33, 88, 37, 88.4)])
    assert (found.latex, found.rules, found.reason) == (r"a^{\sqrt{b}}=c", [7], "")


def test_a_root_over_a_quotient_stands_on_the_line_of_its_bar():
    sign = glyph(1, "√", 33.6, "XITSMath")
    sign.ink = (33.6, 86, 38.6, 108)
    letters = [glyph(0, "a", 20), glyph(9, "=", 27.8, "CMR10"), sign, glyph(2, "b", 39, y=94), glyph(3, "c", 39, y=106)]
    (found,) = find_formulas(letters, [Rule(7, 38.6, 86, 45, 86.4), Rule(8, 38.5, 97.3, 44.5, 97.7)])
    assert (found.latex, found.rules, found.reason) == (r"a=\sqrt{\frac{b}{c}}", [7, 8], "")


def arrow(at: int, x0: float, *signs: str, y: float) -> list[Glyph]:
    """The bars and the tip of a long arrow, which run into each other."""
    return [glyph(at + k, char, x0 + 3 * k, "LatinModernMath-Regular", y=y) for k, char in enumerate(signs)]


def flat(letters: list[Glyph]) -> list[Glyph]:
    """Letters with the ink of bars and tips: right over the baseline."""
    for letter in letters:
        letter.ink = (letter.x0, letter.base - 2.8, letter.x1, letter.base - (1 if letter.char == "→" else 2.4))
    return letters


def test_bars_and_a_tip_over_letters_are_an_arrow_over_them():
    letters = [*flat(arrow(0, 20, "−", "−", "→", y=95)), glyph(3, "A", 20), glyph(4, "B", 26)]
    (found,) = find_formulas(letters, [])
    assert (found.latex, found.glyphs, found.reason) == (r"\overrightarrow{AB}", [0, 1, 2, 3, 4], "")


def test_two_harpoons_one_over_the_other_are_the_sign_of_an_equilibrium():
    upper, lower = arrow(1, 30, "−", "−", "⇀", y=99), arrow(4, 30, "↽", "−", "−", y=101)
    letters = [glyph(0, "a", 20), *flat(upper), *flat(lower), glyph(7, "b", 44)]
    (found,) = find_formulas(letters, [])
    assert (found.latex, found.reason) == (r"a\rightleftharpoons b", "")


def test_an_upright_rule_over_several_lines_parts_the_formulas_of_two_cells():
    letters = [glyph(0, "a", 20), glyph(1, "=", 27.8, "CMR10"), glyph(2, "1", 35.6, "CMR10"), glyph(3, "b", 48)]
    walls = [(44, 88, 44.4, 104), (44, 104, 44.4, 120)]
    assert [found.latex for found in find_formulas(letters, [], walls)] == ["a=1", "b"]


@pytest.mark.parametrize(
    ("letters", "latex"),
    [
        (
            [*WORD, *APART, (":", "CMR10", 0.25), ("a", "CMMI10", 0.25), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28)],
            ["a=b"],
        ),
        ([("a", "CMMI10", 0), (";", "CMR10", 0), ("b", "CMMI10", 0.2)], ["a", "b"]),
        (
            [
                ("P", "CMMI10", 0),
                ("(", "CMR10", 0),
                *WORD,
                ("a", "CMMI10", 0.3),
                (")", "CMR10", 0),
                ("=", "CMR10", 0.28),
                ("b", "CMMI10", 0.28),
            ],
            [r"P(\mathrm{ww}a)=b"],
        ),
        ([("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("（", "FandolSong", 0.1), ("）", "FandolSong", 1)], ["a="]),
        ([*[("w", "CMTT10", 0)] * 3, ("(", "CMR10", 0), ("a", "CMMI10", 0), (")", "CMR10", 0)], ["(a)"]),
    ],
)
def test_what_belongs_to_a_formula_is_told_from_what_stands_beside_it(letters, latex):
    found = find_formulas(spaced(*letters), [])
    assert ([one.latex for one in found], [one.reason for one in found]) == (latex, [""] * len(latex))


def test_a_condition_in_brackets_at_the_edge_is_no_number_of_a_display():
    letters = spaced(
        *[("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28)],
        *[("(", "CMR10", 1), ("x", "CMMI10", 0), (">", "CMMI10", 0.28), ("0", "CMR10", 0.28), (")", "CMR10", 0)],
    )
    assert [one.latex for one in find_formulas(letters, [])] == [r"a=b\quad(x>0)"]


def test_a_label_below_a_relation_does_not_go_on_with_it():
    label = [glyph(9, "A", 20, "CMR10", y=114), glyph(10, ".", 25, "CMR10", y=114), glyph(11, "c", 35, y=114)]
    found = find_formulas([*spaced(*WORD, ("a", "CMMI10", 0.5), ("=", "CMR10", 0.28)), *label], [])
    assert [(one.latex, one.reason) for one in found] == [("a=", ""), ("c", "")]


def test_an_accent_belongs_to_the_upright_letters_that_it_is_centred_over():
    a, equals, s, e = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("s", "CMR10", 0.28), ("e", "CMR10", 0))
    hat = glyph(9, "\u02c6", s.x0 + 2.5, "LatinModernMath-Regular")
    hat.ink = (s.x0 + 3.5, 93, s.x0 + 6.5, 94)
    (found,) = find_formulas([a, equals, hat, s, e], [])
    assert (found.latex, found.reason) == (r"a=\hat{\mathrm{se}}", "")


def test_a_formula_that_ends_within_a_word_is_a_picture():
    letters = spaced(("a", "CMMI10", 0), ("w", "CMR10", 0.2), ("w", "CMR10", 0), ("w", "CMR10", 0.3))
    cut = Formula(r"a\mathrm{w}", (20, 95, 32, 100), 100, 10, False, glyphs=[0, 1])
    whole = Formula(r"a\mathrm{ww}", (20, 95, 37, 100), 100, 10, False, glyphs=[0, 1, 2])
    assert [settled([one], letters, [])[0].reason for one in (cut, whole)] == ["it ends within a word", ""]


def test_a_small_number_before_a_word_is_that_of_an_item_or_a_note():
    rest = spaced(*WORD, *APART, ("a", "CMMI10", 0.4), *APART, x0=35)
    for space in (0.5, 5):
        label = glyph(90, "1", 8, "CMR7", y=97, size=7)
        letter = [glyph(91, "J", 11.5 + space, "CMR10"), glyph(92, "w", 16.5 + space, "CMR10")]
        assert [one.latex for one in find_formulas([label, *letter, *rest], [])] == ["a"]


def test_the_first_letter_of_a_larger_heading_below_a_formula_is_no_part_of_it():
    heading = glyph(20, "A", 20, "CMBX12", y=130, size=12)
    found = find_formulas([*spaced(*WORD, *APART, ("a", "CMMI10", 0.4)), heading], [])
    assert [(one.latex, one.reason) for one in found] == [("a", "")]


def test_a_word_with_letters_below_its_line_is_a_name_in_a_formula():
    low = [glyph(9, "m", 44, "Palatino-Italic", y=102, size=7), glyph(10, "n", 47.5, "Palatino-Italic", y=102, size=7)]
    proof = spaced(
        *WORD, ("y", "Palatino-Italic", 0.3), ("=", "CMR10", 0.28), ("x", "Palatino-Italic", 0.28), first=20, y=120
    )
    page = [*spaced(*WORD, ("T", "Palatino", 0.4), ("E", "Palatino", 0)), *low, *proof]
    assert [one.latex for one in find_formulas(page, [])] == [r"\mathrm{TE}_{mn}", "y=x"]


def test_a_prime_that_stands_on_the_line_belongs_to_its_letter():
    sign = sign_of("′", False, family("Times-Italic"), False)
    prime = Glyph([3], "′", sign, family("Times-Italic"), 26, 28, (26, 92, 28, 95), 100, 10)
    letters = [
        glyph(0, "F", 20, "Times-Italic"),
        prime,
        glyph(4, "=", 31, "OpenSymbol"),
        glyph(5, "f", 39, "Times-Italic"),
    ]
    assert [one.latex for one in find_formulas(letters, [])] == ["F'=f"]


def test_a_prime_and_a_number_above_a_letter_are_one_exponent():
    prime, two = glyph(1, "′", 25, "CMSY7", y=96, size=7), glyph(2, "2", 27.5, "CMR7", y=96, size=7)
    (found,) = find_formulas([glyph(0, "v", 20), prime, two], [])
    assert found.latex == r"v^{\prime2}"


def test_a_short_word_before_a_bracket_is_no_name_of_a_function():
    opened = [("(", "CMR10", 0.08), ("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28), (")", "CMR10", 0)]
    page = spaced(*WORD, ("I", "CMTI10", 0.3), ("f", "CMTI10", 0), *opened)
    assert [one.latex for one in find_formulas(page, [])] == ["(a=b)"]


def test_what_begins_at_the_end_of_a_bar_stands_behind_it():
    below = [glyph(1, "b", 20.5, y=110), glyph(2, ".", 26.1, "CMR10", y=103.5)]
    (found,) = find_formulas([glyph(0, "a", 20.5, y=95), *below], [Rule(0, 20, 100.3, 26, 100.7)])
    assert found.latex == r"\frac{a}{b}"


def test_signs_with_commas_between_them_are_a_list():
    signs = [("¬", "CMSY10", 0.3), (",", "CMMI10", 0), ("∧", "CMSY10", 0.17), (",", "CMMI10", 0), ("→", "CMSY10", 0.17)]
    (found,) = find_formulas(spaced(*WORD, *signs, *APART), [])
    assert (found.latex, found.reason) == (r"\neg,\wedge,\to", "")


def test_a_sign_of_formulas_that_no_formula_has_is_a_picture():
    brace = sign_of("\x09", True, family("CMEX10"), False)
    page = [*spaced(*WORD), Glyph([20], "\x09", brace, family("CMEX10"), 60, 66, (61, 88, 65, 108), 88, 10)]
    assert [one.reason for one in find_formulas(page, [])] == ["a sign of formulas stands by itself"]


def test_the_rules_of_the_row_below_are_no_part_of_a_formula():
    def quotient(at: int, y: float) -> list[Glyph]:
        return [glyph(at, "a", 20.5, y=y - 3), glyph(at + 1, "b", 20.5, y=y + 10)]

    rules = [Rule(0, 20, 99.8, 26, 100.2), Rule(1, 20, 110.6, 26, 111)]
    root = [glyph(4, "√", 15, "CMSY10"), glyph(5, "c", 20.5, y=119)]
    root[0].ink = (15, 110.6, 20, 121)
    found = find_formulas([*quotient(0, 100), *root], rules)
    assert [(one.latex, one.rules) for one in found] == [(r"\frac{a}{b}", [0]), (r"\sqrt{c}", [1])]


def test_words_between_formulas_right_below_a_line_of_words_make_no_display():
    line = [letter for at in range(12) for letter in (("w", "CMR10", 0), ("w", "CMR10", 0.33))]
    above = spaced(*line, x0=10)
    a, b = ("a", "CMMI10", 0.3), ("b", "CMMI10", 0.28)
    mixed = [
        ("a", "CMMI10", 4),
        ("=", "CMR10", 0.28),
        b,
        ("w", "CMR10", 0.33),
        ("w", "CMR10", 0),
        a,
        ("=", "CMR10", 0.28),
        b,
    ]
    for y, latex in ((112, ["a=b", "a=b"]), (130, [r"a=b\mathrm{ww}a=b"])):
        page = [*above, *spaced(*mixed, first=40, y=y, x0=10)]
        assert [one.latex for one in find_formulas(page, [])] == latex


def test_a_number_with_a_thin_space_before_its_unit_and_the_parts_of_a_unit_belong_to_a_formula():
    letters = [
        ("5", "CMR10", 0.5),
        ("k", "CMR10", 0.17),
        ("J", "CMR10", 0),
        ("=", "CMR10", 0.28),
        ("a", "CMMI10", 0.28),
    ]
    assert [one.latex for one in find_formulas(spaced(*WORD, *APART, *letters), [])] == [r"5\mathrm{kJ}=a"]
    unit = [("k", "CMR10", 0.17), ("J", "CMR10", 0), ("/", "CMMI10", 0), ("m", "CMR10", 0), ("o", "CMR10", 0)]
    letters = [("a", "CMMI10", 0.5), ("=", "CMR10", 0.28), ("5", "CMR10", 0.28), *unit]
    assert [one.latex for one in find_formulas(spaced(*WORD, *APART, *letters), [])] == [r"a=5\mathrm{kJ}/\mathrm{mo}"]


def test_a_bracket_right_before_a_formula_makes_it_a_picture():
    held = [("(", "CMR10", 0.3), ("w", "CMR10", 0), ("w", "CMR10", 0), (")", "CMR10", 0)]
    page = spaced(*WORD, *APART, *held, ("a", "CMMI10", 0), *APART)
    assert [one.reason for one in find_formulas(page, [])] == ["letters touch its beginning"]


def test_a_closing_bracket_on_the_next_line_is_no_label():
    opened = [("a", "CMMI10", 4), ("=", "CMR10", 0.28), ("f", "CMMI10", 0.28), ("(", "CMR10", 0), ("x", "CMMI10", 0)]
    above = spaced(*[("w", "CMR10", 0.33)] * 30, *APART, *opened, ("+", "CMR10", 0.22))
    below = spaced(("1", "CMR10", 0), (")", "CMR10", 0), ("w", "CMR10", 0.33), *WORD, first=60, y=112)
    assert [one.latex for one in find_formulas([*above, *below], [])] == ["a=f(x+", "1)"]


def test_a_rule_below_the_heads_of_columns_is_no_bar_of_a_quotient():
    heads = [glyph(0, "a", 20), glyph(1, "b", 130)]
    cells = [glyph(2, "c", 20, y=112), glyph(3, "d", 130, y=112)]
    found = find_formulas([*heads, *cells], [Rule(0, 20, 103, 135, 103.4)])
    assert [one.latex for one in found if "frac" in one.latex] == []


def test_two_rules_of_one_length_with_words_between_them_are_those_of_a_table():
    rows = [glyph(10 * row + at, "w", 20 + 6 * at, "CMR10", y=100 + 14 * row) for row in range(3) for at in range(16)]
    rules = [Rule(at, 20, 103.5 + 14 * at, 115, 103.9 + 14 * at) for at in range(2)]
    found = find_formulas([*rows, glyph(90, "x", 20, y=160)], rules)
    assert [(one.latex, one.rules) for one in found] == [("x", [])]


def test_an_equation_that_ends_in_a_relation_has_lost_its_other_side():
    line = [letter for _ in range(20) for letter in (("w", "CMR10", 0), ("w", "CMR10", 0.33))]
    shown = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), first=80, x0=215, y=130)
    for below, reason in (([("=", "CMR10", 0), ("b", "CMMI10", 0.28)], ""), (WORD, "it ends in a relation")):
        next_line = spaced(*below, first=90, x0=215, y=148)
        found = find_formulas([*spaced(*line), *shown, *next_line, *spaced(*line, first=100, y=170)], [])
        assert found[0].reason == reason


@pytest.mark.parametrize(
    ("parts", "latex"),
    [
        # The sign of a number stands right before it, the label with the space of words.
        ((*SAID, 0.45, "(f)", 0.33, "¦−¦", "¦a¦"), ["-a"]),
        # A colon of the sentence: the spaces of words around it, or right behind a formula.
        ((*SAID, 0.25, "¦C¦", 0.25, ":", 0.25, "¦z", 0.28, "=", 0.28, "1¦"), ["C", "z=1"]),
        ((*SAID, 0.25, "¦f", 0.28, "=", 0.28, "1¦", ":", 0.25, "¦s", 0.28, "=", 0.28, "3¦"), ["f=1", "s=3"]),
        ((*SAID, 0.25, "¦f", 0.28, "¦:¦", 0.28, "X", 0.28, "→", 0.28, "Y¦"), [r"f:X\to Y"]),
        ((*SAID, 0.25, "¦f", 0.11, "¦:¦", 0.1, "X", 0.17, "→", 0.12, "Y¦"), [r"f:X\to Y"]),
        # What an office program leaves around a formula stands before a colon of the sentence.
        ((*SAID, 0.45, "¦a", 0.28, "=", 0.28, "0¦", 0.18, ":", 0.44, "¦y", 0.28, "=", 0.28, "3¦"), ["a=0", "y=3"]),
        (("¦y", 0.28, "=", 0.28, "1¦", 0.17, "与", 0.17, "¦E¦"), ["y=1", "E"]),
        # Labels around a semicolon are no bounds of an interval; only square brackets are turned outwards.
        ((*SAID, 0.3, "7(b)", 0.3, "¦x¦", 0.06, ";", 0.3, "7(c)", 0.3, "¦y¦"), ["x", "y"]),
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "1¦", 0.44, "(mod", 0.33, "100)"), [r"a=1(\bmod100)"]),
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "95¦", 0.17, "%", 0.25, "ww"), [r"a=95\%"]),
        ((*SAID, 0.25, "#", "¦A¦", 0.25, "ww"), [r"\#A"]),
        ((*SAID, 0.25, "¦P", 0.28, "=", 0.28, "20¦", 0.11, "000", 0.25, "ww"), ["P=20000"]),
        ((*SAID, 0.25, "¦T", 0.28, "=", 0.28, "57¦", 0.167, "years", 0.25, "ww"), [r"T=57\text{years}"]),
        ((*SAID, 0.25, "¦a", 0.28, "=", 0.28, "b¦", 0.25, "im", 0.25, "ww"), ["a=b"]),
        # A word of one letter between two formulas, and a unit before the name of what it counts.
        (("ww", 0.21, "¦a", 0.24, "=", 0.24, "b¦", 0.21, "y", 0.21, "¦c", 0.24, "=", 0.24, "d¦"), ["a=b", "c=d"]),
        (
            (*SAID, 0.25, "¦a", 0.28, "=", 0.28, "3¦", 0.167, "M", 0.25, "H", "¦+", "b¦"),
            [r"a=3\mathrm{M}", r"\mathrm{H}+b"],
        ),
    ],
)
def test_what_stands_beside_a_formula_is_told_by_the_spaces_of_words(parts, latex):
    found = find_formulas(line(*parts), [])
    assert ([one.latex for one in found], [one.reason for one in found]) == (latex, [""] * len(latex))


def test_the_space_between_the_words_of_a_line_that_has_few_is_that_of_its_page():
    page = [replace(one, ids=[200 + at + one.ids[0]], base=one.base - up, ink=lifted(one.ink, up))
            for at, up in ((100, 40), (0, 20)) for one in line(*SAID, 0.25, *SAID)]  # fmt: skip
    told = line("¦a", 0.28, "=", 0.28, "b¦", 0.25, "is", 0.25, "¦∼", 0.28, "c¦")
    assert [one.latex for one in find_formulas([*page, *told], [])] == ["a=b", r"\sim c"]


@pytest.mark.parametrize(
    ("parts", "latex"),
    [
        # A unit a thin space before another one, and a word at a relation, are none of the text's words.
        ((*SAID, 0.33, "kg", 0.167, "¦m¦", 0.28, "=", 0.28, "¦a¦", 0.33, *LOOSE), [r"\mathrm{kg}m=a"]),
        ((*LOOSE, 0.33, "¦V¦", 0.28, "=", 0.03, "cte", 0.33, *LOOSE), [r"V=\mathrm{cte}"]),
        ((*LOOSE, 0.33, "ww", 0.33, "¦m¦", 0.28, "=", 0.28, "¦a¦", 0.33, *LOOSE), ["m=a"]),
        # The remainder of a division, with the space of words around its name.
        ((*LOOSE, 0.33, "¦c¦", 0.28, "=", 0.28, "¦m¦", 0.33, "mod", 0.33, "¦N¦", 0.33, *LOOSE), [r"c=m\bmod N"]),
        ((*LOOSE, 0.33, "¦m¦", 0.33, "mod", 0.33, *LOOSE), ["m"]),
        ((*LOOSE, 0.33, "¦m¦", 0.33, *LOOSE, 0.33, "7", 0.33, "mod", 0.33, "5"), ["m"]),
        # A thin space within a formula is none between two.
        ((*LOOSE, 0.33, "¦a", 0.28, "∈", 0.28, "b¦", 0.2, "¦c¦", 0.33, *LOOSE), [r"a\in bc"]),
        # A name of any length, right before the bracket of what it is of, and a relation behind that.
        ((*LOOSE, 0.33, "Attention(", "¦Q¦", ")", 0.28, "=", 0.28, "¦V¦"), [r"\text{Attention}(Q)=V"]),
    ],
)
def test_what_is_nearer_to_a_formula_than_words_are_to_each_other_is_part_of_it(parts, latex):
    assert [one.latex for one in find_formulas(line(*parts), [])] == latex


def test_a_word_that_stands_nearer_to_a_formula_than_words_do_makes_it_a_picture():
    long = line(*LOOSE, 0.33, "wwwwwwwwww", 0.15, "¦m¦", 0.28, "=", 0.28, "¦a¦", 0.33, *LOOSE)
    assert [(one.latex, one.reason) for one in find_formulas(long, [])] == [
        ("", "a word before it stands closer than words do")
    ]


def test_lines_over_and_below_a_rule_are_rows_of_a_table_and_no_halves_of_a_quotient():
    def row(first: int, y: float, *letters: str) -> list[Glyph]:
        fonts = ["CMMI10", "CMR10", "CMMI10", "CMMI10", "CMMI10"]
        own = spaced(*zip(letters, fonts, (0, 0.28, 0.28, 1.4, 0), strict=True), first=first, y=y)
        return [replace(one, ink=(one.x0, y - 7.5, one.x1, y + 2)) for one in own]

    rows = [*row(0, 90, *"a=bcd"), *row(10, 104, *"x=yuv"), *row(20, 116, *"x=yuv")]
    found = find_formulas(rows, [Rule(0, 18.6, 94, rows[4].x1 + 1.4, 94.4)])
    assert [one.latex for one in found] == ["a=b", "cd", *["x=y", "uv"] * 2]


def test_a_rule_of_a_table_parts_a_small_quotient_from_the_letter_in_the_row_below():
    above, below = glyph(0, "x", 30, y=92, size=7), glyph(1, "y", 30, y=101, size=7)
    letter = glyph(2, "n", 24, y=116)
    bar, floor = Rule(0, 29.5, 94.6, 34, 95), Rule(1, 10, 104, 60, 104.4)
    assert [one.latex for one in find_formulas([above, below, letter], [bar, floor])] == [r"\frac{x}{y}", "n"]


def test_the_bar_within_a_brace_may_have_the_name_of_the_brace():
    fonts = "LatinModernMath-Regular"
    brace = [glyph(at, char, 20, fonts) for at, char in enumerate("⎧{⎨{⎩")]
    for one, (top, bottom) in zip(brace, [(80, 88), (86, 94), (92, 108), (106, 114), (112, 120)], strict=True):
        one.ink, one.base = (23, top, 25, bottom), bottom
    rows = [
        glyph(10 + at, char, 30, fonts, y=y) for at, (char, y) in enumerate(zip("𝑎𝑏𝑐", (88, 103, 118), strict=True))
    ]
    assert [one.latex for one in find_formulas([*brace, *rows], [])] == [r"\begin{cases}a\\b\\c\end{cases}"]


def test_ink_without_any_character_lengthens_the_bracket_it_goes_on_or_makes_its_formula_a_picture():
    fonts = "LatinModernMath-Regular"
    brace = glyph(0, "{", 20, fonts)
    brace.ink = (23, 80, 26, 90)
    left = with_pieces([brace], [(23, 89, 24, 112), (60, 90, 64, 99), (23, 111, 26, 120)])
    assert (brace.ink, left) == ((23, 80, 26, 120), [Stroke(-20_001, 60, 90, 64, 99)])
    rows = [glyph(10 + at, char, 30, fonts, y=y) for at, (char, y) in enumerate(zip("𝑎𝑏", (93, 113), strict=True))]
    assert [one.latex for one in find_formulas([brace, *rows], [])] == [r"\begin{cases}a\\b\end{cases}"]
    letters = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("b", "CMMI10", 0.28), x0=45)
    assert [one.reason for one in find_formulas(letters, [], strokes=left)] == ["it holds a drawing"]


def test_centred_cells_between_the_rules_of_a_table_are_formulas_of_their_own():
    def row(first: int, y: float, indent: float) -> list[Glyph]:
        return spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("x", "CMMI10", 0.28), ("y", "CMMI10", 1.2 + indent / 5),
                      first=first, x0=20 - indent, y=y)  # fmt: skip

    found = find_formulas([*row(0, 100, 0), *row(10, 114, 2)], [Rule(0, 10, 86, 80, 86.4)])
    assert [(one.latex, one.display) for one in found] == [("a=x", False), ("y", False)] * 2


def lifted(ink: tuple[float, float, float, float], up: float) -> tuple[float, float, float, float]:
    return ink[0], ink[1] - up, ink[2], ink[3] - up


def bracketed(apart: float, pitch: float, *, high: float = 2.4, size: float = 9.96, small: float = 1.0) -> str:
    """What two letters below each other in brackets are, on a page whose lines stand so far apart."""
    words = [replace(one, ids=[50 * at + one.ids[0]], base=one.base + at * pitch, ink=lifted(one.ink, -at * pitch),
                     size=size) for at in range(3) for one in line(*SAID, 0.25, *SAID)]  # fmt: skip
    y = 300.0
    left, right = glyph(900, "(", 20, "LatinModernMath"), glyph(903, ")", 31, "LatinModernMath")
    for one in (left, right):
        one.size, one.ink = size, (one.x0, y - 0.25 * size - high * size / 2, one.x1, y - 0.25 * size + high * size / 2)
    rows = [
        glyph(901, "n", 26, y=y - apart / 2, size=small * size),
        glyph(902, "k", 26, y=y + apart / 2, size=small * size),
    ]
    (found,) = find_formulas([*words, left, *rows, right], [])
    return found.latex


def test_two_rows_as_far_apart_as_lines_are_a_matrix_and_others_a_binomial():
    matrix, binomial = r"\begin{pmatrix}n\\k\end{pmatrix}", r"\binom{n}{k}"
    assert bracketed(11.96, 11.96) == matrix
    assert bracketed(13.45, 13.45) == matrix  # in a text of wide lines
    assert bracketed(13.58, 11.96) == binomial
    assert bracketed(11.85, 11.96) == ""  # neither the lines of the text nor those of a binomial are so far apart
    assert bracketed(11.2, 11.96) == binomial  # no matrix has its rows closer than lines
    assert bracketed(11.96, 17.5) == matrix  # the lines that were seen are those of items, TeX's class has others
    assert bracketed(11.96, 11.96, high=2.0) == binomial  # its brackets would not cover the rows of a matrix
    assert bracketed(8, 11.96, small=0.7) == binomial
    # Office programs set the rows of a matrix 1.25 em apart, those of a binomial 1.19.
    assert bracketed(15.0, 13.8, size=12) == matrix
    assert bracketed(14.31, 13.8, size=12) == binomial


def test_the_rows_of_a_matrix_stand_on_their_letters_and_not_on_the_accents_over_these():
    left, right = glyph(900, "(", 20, "LatinModernMath"), glyph(905, ")", 31, "LatinModernMath")
    for one in (left, right):
        one.ink = (one.x0, 83, one.x1, 107)
    accents = [Glyph([at], "˙", sign_of("˙", False, family("CMR10"), False), family("CMR10"), 26, 31,
                     (27, y - 6.8, 28, y - 5.8), y - 1.7, 9.96) for at, y in ((901, 95.0), (903, 106.96))]  # fmt: skip
    rows = [accents[0], glyph(902, "c", 26, y=95, size=9.96), accents[1], glyph(904, "k", 26, y=106.96, size=9.96)]
    words = [replace(one, ids=[50 * at + one.ids[0]], base=one.base + 200 + at * 11.96, size=9.96,
                     ink=lifted(one.ink, -200 - at * 11.96)) for at in range(3) for one in line(*SAID, 0.25, *SAID)]  # fmt: skip
    (found,) = find_formulas([left, *rows, right, *words], [])
    assert found.latex == r"\begin{pmatrix}\dot{c}\\\dot{k}\end{pmatrix}"


def test_two_numbers_in_the_brackets_of_an_office_program_may_be_a_vector_or_a_binomial():
    left, right = glyph(0, "(", 20, "LatinModernMath"), glyph(3, ")", 31, "LatinModernMath")
    for one in (left, right):
        one.ink = (one.x0, 85.5, one.x1, 109.5)
    for rows, reason in ((("n", "k"), ""), (("2", "4"), "its two lines may be a matrix or a binomial")):
        (found,) = find_formulas([left, glyph(1, rows[0], 26, y=94), glyph(2, rows[1], 26, y=106), right], [])
        assert found.reason == reason


@pytest.mark.parametrize(("apart", "latex"), [(8.9, r"\begin{pmatrix}3\\1\end{pmatrix}"), (13.6, r"\binom{3}{1}")])
def test_browsers_leave_the_height_of_an_x_between_the_rows_of_a_matrix(apart, latex):
    letters = [glyph(at, char, x0, "LatinModernMath", y=y) for at, (char, x0, y) in enumerate(
        [("(", 20, 100), ("3", 26, 102.5 - apart / 2), ("1", 26, 102.5 + apart / 2), (")", 31, 100)])]  # fmt: skip
    for one in letters:
        one.family = Family("UNICODE", font="browser")
        if one.char in "()":
            one.ink = (one.x0, 97.5 - 12, one.x1, 97.5 + 12)
    (found,) = find_formulas(letters, [])
    assert found.latex == latex


def test_small_rows_of_two_columns_are_a_matrix():
    left, right = glyph(0, "(", 20, "LatinModernMath"), glyph(5, ")", 40, "LatinModernMath")
    for one in (left, right):
        one.ink = (one.x0, 90, one.x1, 106)
    cells = [glyph(at, char, x0, "CMR7", y=y, size=7) for at, (char, x0, y) in enumerate(
        [("1", 26, 97), ("2", 33, 97), ("3", 26, 104), ("4", 33, 104)], 1)]  # fmt: skip
    words = [replace(one, ids=[20 + one.ids[0]]) for one in line("a", 0.25, *SAID)]
    words = [replace(one, base=60, ink=lifted(one.ink, 40)) for one in words]
    (found,) = find_formulas([*words, left, *cells, right], [])
    assert found.latex == r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"


def accented(accent: str, font: str, ink: tuple[float, float, float, float], *letters: Glyph) -> list[str]:
    sign = sign_of(accent, False, family(font), False)
    above = Glyph([99], accent, sign, family(font), ink[0], ink[2], ink, 100, 10)
    return [one.latex for one in find_formulas([above, *letters], [])]


def test_the_arrow_over_one_letter_stays_over_it_if_it_is_wider():
    letters = spaced(("x", "CMMI10", 0), (",", "CMMI10", 0), ("y", "CMMI10", 0.17))
    assert accented("\u20d7", "CMMI10", (20, 91, 25.5, 93), *letters) == [r"\vec{x},y"]


def test_an_accent_of_formulas_may_stand_over_a_digit():
    letters = spaced(("1", "CMR10", 0), ("=", "CMR10", 0.28), ("a", "CMMI10", 0.28))
    assert accented("\u02c6", "CMEX10", (21, 91, 24, 93), *letters) == [r"\hat{1}=a"]


def test_a_bar_and_a_relation_in_a_script_are_no_sign_of_two():
    script = [glyph(at, char, 25.5 + 3.5 * (at - 1), font, y=104, size=7) for at, (char, font) in enumerate(
        [("|", "CMSY7"), ("z", "CMMI7"), ("|", "CMSY7"), ("=", "CMR7"), ("R", "CMMI7")], 1)]  # fmt: skip
    (found,) = find_formulas([glyph(0, "a", 20), *script], [])
    assert found.latex == "a_{|z|=R}"


def test_an_italic_letter_with_a_line_under_it_is_a_variable_where_italics_are():
    text = [("x", "Palatino-Italic", 0), ("=", "Palatino", 0.28), ("y", "Palatino-Italic", 0.28)]
    assert [one.latex for one in find_formulas(spaced(*text), [Rule(7, 20, 101.2, 25, 101.6)])] == [r"\underline{x}=y"]
    alone = [("w", "CMR10", 0), ("w", "CMR10", 0), ("x", "Palatino-Italic", 0.3), ("w", "CMR10", 0.3)]
    assert find_formulas(spaced(*alone), [Rule(7, 33, 101.2, 38, 101.6)]) == []


@pytest.mark.parametrize(
    ("parts", "latex"),
    [
        ((*SAID, 0.25, "¦p", 0.28, "∈¦", 0.17, "]0", 0.17, ";", 0.17, "1[", 0.25, "ww"), [r"p\in]0;1["]),
        (("设", 0.25, "¦PA", 0.28, "⊥¦", 0.28, "平面", 0.25, "¦ABC¦"), [r"PA\perp", "ABC"]),
        ((*SAID, 0.25, "¦n", 0.28, "→¦", 0.28, "∞"), [r"n\to\infty"]),
        ((*SAID, 0.25, "se(", "log", 0.17, "OR)", 0.28, "¦=", 0.28, "x¦"), [r"\mathrm{se}(\log\mathrm{OR})=x"]),
        ((*SAID, 0.25, "¦t", 0.28, "=", 0.28, "b¦/se(¦b¦)", 0.25, "ww"), [r"t=b/\mathrm{se}(b)"]),
    ],
)
def test_what_belongs_to_a_formula_is_told_by_signs_and_brackets(parts, latex):
    found = find_formulas(line(*parts), [])
    assert ([one.latex for one in found], [one.reason for one in found]) == (latex, [""] * len(latex))


def test_a_line_may_end_within_brackets_that_the_next_one_closes():
    first = line(*SAID, 0.25, "¦G", 0.28, "=", 0.28, "(x¦", 0.28, ":")
    rest = spaced(("x", "CMMI10", 0), ("<", "CMMI10", 0.28), ("1", "CMR10", 0.28), (")", "CMR10", 0), first=90, y=112)
    found = find_formulas([*first, *rest], [])
    assert [(one.latex, one.reason, one.goes_on) for one in found] == [("G=(x:", "", True), ("x<1)", "", False)]


def test_a_set_may_be_closed_on_the_next_line_and_its_braces_are_no_brackets_of_the_sentence():
    first = line(*SAID, 0.25, "¦{x", 0.28, "∈", 0.28, "A¦", 0.28, ":")
    rest = [("x", "CMMI10", 0), ("<", "CMMI10", 0.28), ("1", "CMR10", 0.28), ("}", "CMSY10", 0)]
    found = find_formulas(two_lines(first, *rest), [])
    assert [(one.latex, one.goes_on) for one in found] == [(r"\{x\in A:", True), (r"x<1\}", False)]


def test_a_congruence_may_have_its_modulus_on_the_next_line():
    first = line(*SAID, 0.25, "¦a", 0.28, "=", 0.28, "1¦")
    rest = [(char, "CMR10", 0.33 if char == "1" else 0.0) for char in "(mod10)"]
    found = find_formulas(two_lines(first, *rest), [])
    assert [(one.latex, one.goes_on) for one in found] == [("a=1", True), (r"(\bmod10)", False)]


def test_marks_in_the_italics_of_variables_and_signs_that_texts_do_not_have_belong_to_a_formula():
    """As LibreOffice sets them, closer than words and further than TeX does."""
    said = [(char, "LiberationSerif", 0.25 if at % 4 == 0 else 0.0) for at, char in enumerate("wwww" * 4)]
    italic = "LiberationSerif-Italic"
    listed = [("k", italic, 0.4), ("=", "OpenSymbol", 0.1), ("0", "LiberationSerif", 0.02), (",", italic, 0.14),
              ("1", "LiberationSerif", 0.14), *((char, font, 0.35) for char, font, _ in said[:1]), *said[1:4],
              ("∠", "LiberationSerif", 0.4), ("A", italic, 0.18)]  # fmt: skip
    found = find_formulas(spaced(*said, *listed), [])
    assert [one.latex for one in found] == ["k=0,1", r"\angle A"]


def test_small_letters_on_the_baseline_before_a_formula_are_no_scripts_of_it():
    number = [glyph(0, "4", 20, "CMR10", size=8), glyph(1, ":", 24, "CMR10", size=8)]
    (found,) = find_formulas([*number, *spaced(("d", "CMMI10", 0), ("=", "CMR10", 0.28), ("s", "CMMI10", 0.28),
                                               first=2, x0=36)], [])  # fmt: skip
    assert found.latex == "d=s"


def test_a_word_that_touches_a_formula_is_no_chemical_element():
    letters = spaced(*((char, "CMR10", 0.0) for char in "Then"), ("f", "CMMI10", 0.0))
    prime = glyph(5, "0", letters[-1].x1, "CMSY10", y=96, size=7)
    rest = spaced(("=", "CMR10", 0.28), ("a", "CMMI10", 0.28), first=6, x0=prime.x1)
    (found,) = find_formulas([*letters, prime, *rest], [])
    assert (found.latex, found.reason) == ("", "letters touch its beginning")


def test_a_word_with_a_limit_below_it_is_an_operator():
    assert written_as(Scripts(Leaf(r"\mathrm{Res}", "name"), under=Leaf("z", "letter"))) == r"\operatorname*{Res}_z"


def test_no_half_of_a_formula_is_read_whose_brackets_its_other_half_does_not_pair():
    first = line(*SAID, 0.25, "¦K", 0.28, "=", 0.28, "a¦", 0.28, "+")
    rest = [("x", "CMMI10", 0), ("<", "CMMI10", 0.28), ("1", "CMR10", 0.28), ("}", "CMSY10", 0)]
    assert [one.latex for one in find_formulas(two_lines(first, *rest), [])] == ["", ""]


def test_the_end_of_a_display_without_its_beginning_is_a_doubt():
    row = [(")", "CMR10", 0.0), ("=", "CMR10", 0.28), ("x", "CMMI10", 0.28), ("+", "CMR10", 0.22), ("1", "CMR10", 0.22)]
    (found,) = find_formulas(spaced(*row), [])
    assert (found.latex, found.reason) == ("", "its brackets are not paired")


def test_brackets_that_have_the_code_of_a_blank_are_read(tmp_path):
    (formula,) = [item for item in parse_pdf(PAGES / "brackets.pdf", tmp_path).items if item.type == "equation"]
    assert formula.text == (
        r"$$\begin{pmatrix}1&2\\3&4\end{pmatrix}\begin{pmatrix}a&b\\c&d\end{pmatrix}"
        r"=\begin{pmatrix}p&q\\r&s\end{pmatrix}\quad\left(x\right)$$"
    )


def test_letters_of_which_a_font_shows_two_forms_under_one_value_are_a_doubt(tmp_path):
    text, formula = parse_pdf(PAGES / "two_forms.pdf", tmp_path).items
    assert (text.text.count("[formula]"), text.text.count(r"$\alpha<\beta$")) == (1, 1)
    assert formula.captions == ["Kept as a picture: it holds a sign without a name."]


def test_both_forms_of_epsilon_are_told_apart_in_a_font_that_has_their_names_swapped(tmp_path):
    assert formulas(PAGES / "arev.pdf", tmp_path) == [r"\varepsilon_p>1", r"x\in A", r"\epsilon<2"]


def test_a_letter_behind_a_script_that_reaches_under_it_is_no_sign_with_a_limit():
    letters = [glyph(0, "x", 20), glyph(1, "k", 25, y=95.6, size=7), glyph(2, "y", 27.8), glyph(3, "=", 35, "CMR10"),
               glyph(4, "1", 43, "CMR10")]  # fmt: skip
    letters[1].ink = (25, 91, 28.6, 95.7)
    (found,) = find_formulas(letters, [])
    assert found.latex == "x^ky=1"


def test_the_space_behind_a_sentence_is_no_measure_of_those_between_words():
    (found,) = find_formulas(
        line("ww", 0.25, "ww.", 0.42, "ww", 0.25, "¦a", 0.28, "<", 0.28, "1¦", 0.25, "ww.", 0.42, "ww"), []
    )
    assert (found.latex, found.reason) == ("a<1", "")


def test_no_scripts_stand_on_marks_or_quotients():
    letters = [glyph(0, "a", 20), glyph(1, ",", 25, "CMMI10"), glyph(2, "j", 30.2, y=101.5, size=7), glyph(3, "=", 37, "CMR10"),
               glyph(4, "1", 45, "CMR10")]  # fmt: skip
    (found,) = find_formulas(letters, [])
    assert (found.latex, found.reason) == ("", "a script stands on what has none")


def test_the_small_number_of_an_item_is_no_script_of_the_formula_behind_it():
    number = [glyph(0, "3", 10, "CMR10", y=98, size=5)]
    rest = [glyph(1, "X", 24), glyph(2, "=", 32, "CMR10"), glyph(3, "S", 40)]
    assert [one.latex for one in find_formulas([*number, *rest], [])] == ["X=S"]


def test_an_accent_over_a_letter_that_is_lower_than_others_is_missed():
    letters = [glyph(0, "x", 20), glyph(1, "=", 28, "CMR10"), glyph(2, "f", 36)]
    letters[2].ink = (36, 92, 41, 100)
    bar = Glyph(
        [9], "¯", sign_of("¯", False, family("CMR10"), False), family("CMR10"), 20, 25, (21, 92.2, 24, 92.8), 140, 10
    )
    words = [replace(one, ids=[20 + one.ids[0]], base=140, ink=lifted(one.ink, -40)) for one in line(*SAID)]
    found = find_formulas([*letters, *words, bar], [])
    assert (found[0].latex, found[0].reason) == ("", "an accent over it is in no formula")


def test_words_in_italics_stay_words_where_variables_have_a_font_of_their_own():
    parts = [("x", "CMMI10", 0), ("=", "CMR10", 0.28), ("y", "CMMI10", 0.28),
             *((char, "Utopia-Italic", gap) for char, gap in zip("forall", (0.25, 0, 0, 0.25, 0, 0), strict=True)),
             ("z", "CMMI10", 0.25), ("∈", "CMSY10", 0.28), ("A", "CMMI10", 0.28)]  # fmt: skip
    words = [replace(one, ids=[50 * at + one.ids[0]], base=100 + y, ink=lifted(one.ink, -y))
             for at, y in ((1, -15), (2, 15)) for one in line(*SAID, 0.25, *SAID, 0.25, *SAID)]  # fmt: skip
    (found,) = find_formulas([*words[: len(words) // 2], *spaced(*parts, x0=45), *words[len(words) // 2 :]], [])
    assert found.latex == r"x=y\text{for all}z\in A"


def test_a_list_of_signs_at_the_end_of_a_line_has_no_other_half():
    (found,) = find_formulas(line(*SAID, 0.25, "¦∼", ",", 0.17, "→¦"), [])
    assert (found.latex, found.reason, found.goes_on) == (r"\sim,\to", "", False)


def test_two_lines_below_a_limit_are_stacked():
    lim = spaced(("l", "CMR10", 0), ("i", "CMR10", 0), ("m", "CMR10", 0))
    below = [glyph(10 + 3 * row + at, char, 22.25 + 3.5 * at, font, y=108 + 6 * row, size=7)
             for row, signs in enumerate((("x", "→", "0"), ("x", ">", "0")))
             for at, (char, font) in enumerate(zip(signs, ("CMMI7", "CMSY7", "CMR7"), strict=True))]  # fmt: skip
    (found,) = find_formulas([*lim, *below, *spaced(("f", "CMMI10", 0.2), first=20, x0=35)], [])
    assert found.latex == r"\lim_{\substack{x\to0\\x>0}}f"


def test_cells_of_a_table_without_rules_are_formulas_of_their_own():
    def row(first: int, y: float) -> list[Glyph]:
        return spaced(("a", "CMMI10", 0), ("b", "CMMI10", 0), ("x", "CMMI10", 2), ("y", "CMMI10", 0), first=first, y=y)

    found = find_formulas([*row(0, 100), *row(10, 114)], [])
    assert [(one.latex, one.display) for one in found] == [("ab", False), ("xy", False)] * 2


def test_a_wide_accent_at_the_start_of_a_line_stands_over_the_letters_behind_it():
    names = [(char, "CMMI10", 0.0) for char in "XYZ"]
    letters = spaced(*names, ("=", "CMR10", 0.28), ("a", "CMMI10", 0.28))
    sign, found = sign_of("\u0303", False, family("XITSMath"), False), family("XITSMath")
    wide = Glyph([99], "\u0303", sign, found, 20, 35, (20, 90, 35, 91.5), 98, 10)
    assert [one.latex for one in find_formulas([wide, *letters], [])] == [r"\widetilde{XYZ}=a"]


def test_a_bar_across_the_stem_of_an_h_is_the_constant():
    letters = spaced(("h", "CMMI10", 0), ("c", "CMMI10", 0))
    letters[0].ink = (20, 93, 25, 100)
    assert accented("\u02c9", "CMR10", (21, 94.2, 25, 94.6), *letters) == [r"\hbar c"]
    assert accented("\u02c9", "CMR10", (21, 91.6, 25, 92.0), *letters) == [r"\bar{h}c"]


def test_a_prime_stays_with_the_letter_before_it_where_the_next_one_leans_to_it():
    prime = Glyph(
        [5], "′", sign_of("′", False, family("txsys"), True), family("txsys"), 25.2, 27, (25.3, 92.4, 27, 96), 96, 7
    )
    letters = [
        glyph(0, "X", 20),
        prime,
        glyph(1, "y", 26.8),
        *spaced(("=", "CMR10", 0.28), ("a", "CMMI10", 0.28), first=10, x0=32),
    ]
    assert [one.latex for one in find_formulas(letters, [])] == ["X'y=a"]


def test_what_a_large_sign_stands_before_belongs_to_it():
    integral = Glyph(
        [0], "∫", sign_of("∫", False, family("XITSMath"), True), family("XITSMath"), 20, 24, (20, 90, 24, 103), 100, 10
    )
    behind = spaced(
        ("f", "Palatino-Italic", 0.21), ("d", "Palatino-Italic", 0), ("x", "Palatino-Italic", 0), first=1, x0=24
    )
    words = line(*[part if isinstance(part, str) else 0.2 for part in SAID])
    words = [replace(one, ids=[50 + one.ids[0]], base=70, ink=lifted(one.ink, 30)) for one in words]
    last = spaced(("w", "CMR10", 0.2), ("w", "CMR10", 0), ("w", "CMR10", 0.2), ("w", "CMR10", 0), first=10, x0=41.1)
    assert [one.latex for one in find_formulas([*words, integral, *behind, *last], [])] == [r"\int fdx"]


def test_an_arrow_over_letters_may_be_set_from_pieces_of_the_one_over_a_letter():
    font = family("XITSMath")
    sign = sign_of("\u20d7", False, font, False)
    arrow = [
        Glyph([20 + at], "\u20d7", sign, font, 20 + at, 21.2 + at, (20 + at, 90, 21.2 + at, 91), 97, 10)
        for at in range(10)
    ]
    letters = spaced(("A", "CMMI10", 0), ("B", "CMMI10", 0), ("=", "CMR10", 0.28), ("c", "CMMI10", 0.28))
    (found,) = find_formulas([*arrow, *letters], [])
    assert (found.latex, found.reason) == (r"\overrightarrow{AB}=c", "")


def test_two_lines_at_the_lower_right_of_a_limit_are_stacked():
    lim = spaced(("l", "CMR10", 0), ("i", "CMR10", 0), ("m", "CMR10", 0))
    below = [glyph(10 + 3 * row + at, char, 35.2 + 3.5 * at, font, y=101 + 6 * row, size=7)
             for row, signs in enumerate((("x", "→", "0"), ("x", ">", "0")))
             for at, (char, font) in enumerate(zip(signs, ("CMMI7", "CMSY7", "CMR7"), strict=True))]  # fmt: skip
    (found,) = find_formulas([*lim, *below, *spaced(("f", "CMMI10", 0.2), first=20, x0=45.7)], [])
    assert found.latex == r"\lim_{\substack{x\to0\\x>0}}f"


def test_pairs_of_numbers_in_the_cells_of_a_table_are_no_numbers_of_a_display():
    def row(first: int, y: float) -> list[Glyph]:
        pair = [(char, "LatinModernMath", 0.0) for char in "(0,1)"]
        return spaced(*pair, ("(", "LatinModernMath", 1.1), *pair[1:], first=first, y=y)

    found = find_formulas([*row(0, 100), *row(20, 114)], [])
    assert [(one.latex, one.reason) for one in found] == [("(0,1)", "")] * 4


def test_a_display_that_ends_in_an_operator_has_lost_its_other_side():
    page = [replace(one, ids=[50 + one.ids[0]], base=60, ink=lifted(one.ink, 40)) for one in line(*SAID, 0.25, *SAID)]
    cut = spaced(("a", "CMMI10", 0), ("=", "CMR10", 0.28), ("1", "CMR10", 0.28), ("+", "CMR10", 0.22), x0=40)
    (found,) = find_formulas([*page, *cut], [])
    assert (found.latex, found.reason) == ("", "it ends in a relation")
