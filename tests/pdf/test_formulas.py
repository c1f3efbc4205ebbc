"""Formulas that words do not carry keep their picture beside the text; all others come as words alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from dataflow_ext import run
from operators.pdf.formulas import Formula
from operators.pdf.mineru_input import flatten
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.formula_pictures import PICTURE, stack_fractions, with_formulas, with_pictures
from operators.pdf.parser.formula_places import drawn_signs, formula_places
from operators.pdf.parser.paragraphs import Paragraph, page_parts
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.parser.runs import Box, Run, picture_sign
from operators.pdf.rules import find_pairs
from pipelines.pdf_vqa import documents, pipeline
from tests.pdf.sheets import Sheet
from tests.support.fonts import needs_fonts

WIDE = "在下面的计算中请写出完整的过程，并且把得到的结果化成最简单的形式，单位不同的先统一单位。"


def page(path: Path, draw: Callable[[Sheet], object]) -> Sheet:
    """A page with a full line above and below what ``draw`` puts at heights from 130 to 170."""
    sheet = Sheet(path)
    sheet.text(60, 60, "第一章 式", 15)
    sheet.text(60, 100, f"1. {WIDE}")
    draw(sheet)
    sheet.text(60, 210, f"3. {WIDE}")
    return sheet


def shown(path: Path, draw: Callable[[Sheet], object]) -> list[tuple[str, str]]:
    """The items between the full lines: ``text`` and words, or ``equation`` and caption."""
    items = parse_pdf(page(path / "a.pdf", draw).save(), path / "pictures").items
    return [(item.type, item.text or " ".join(item.captions)) for item in items[2:-1]]


def root_with_a_bar(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求√")
    sheet.text(100, 150, "x + 2")
    sheet.line(96, 141, 126, 141)
    sheet.text(130, 150, "的值。")


def drawn_root(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求")
    for one, two in (((92, 147), (94, 146)), ((94, 146), (97, 153)), ((97, 153), (100, 139)), ((100, 139), (135, 139))):
        sheet.line(*one, *two)
    sheet.text(102, 150, "x + 12")
    sheet.text(140, 150, "的值。")


def large_brace(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 解方程组")
    sheet.text(130, 162, "{", 34)
    sheet.text(148, 144, "2x + y = 5")
    sheet.text(148, 160, "x - y = 1")


def drawn_brace(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 解方程组")
    top, middle, foot = (sheet.height - y for y in (136, 150, 164))
    sheet.canvas.bezier(140, top, 132, top, 142, middle + 2, 132, middle)
    sheet.canvas.bezier(132, middle, 142, middle - 2, 132, foot, 140, foot)
    sheet.text(148, 144, "2x + y = 5")
    sheet.text(148, 162, "x - y = 1")


def limit(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求")
    sheet.text(95, 150, "lim")
    sheet.text(92, 158, "x→0", 6)
    sheet.text(112, 150, "(1 + x)")
    sheet.text(150, 150, "的值。")


def long_quotient(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求")
    sheet.text(95, 143, "a + b + c + d + e + f + g + h + k + m + n + p + q + r")
    sheet.line(92, 147, 350, 147)
    sheet.text(200, 159, "a - b - c - d")
    sheet.text(356, 150, "的值。")


def script_of_a_script(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. Find 2")
    sheet.text(103, 145, "x", 7)
    sheet.text(106.5, 142, "2", 5)
    sheet.text(112, 150, "for x = 3.")


def matrix(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求矩阵")
    sheet.text(120, 160, "[", 34)
    sheet.text(134, 143, "1   2")
    sheet.text(134, 159, "3   4")
    sheet.text(160, 160, "]", 34)
    sheet.text(178, 150, "的行列式。")


@pytest.mark.parametrize(
    ("draw", "words", "pieces"),
    [
        (root_with_a_bar, "2. 求√ x + 2 的值。", ""),
        (drawn_root, "2. 求 x + 12 的值。", ""),
        (large_brace, "2. 解方程组", "2x + y = 5 x - y = 1"),
        (drawn_brace, "2. 解方程组", "2x + y = 5 x - y = 1"),
        (limit, "2. 求 lim (1 + x) 的值。", "x→0"),
        (script_of_a_script, "2. Find 2^x^2 for x = 3.", ""),
        (matrix, "2. 求矩阵 的行列式。", "1 2 3 4"),
        (long_quotient, "2. 求 的值。", "a + b + c + d + e + f + g + h + k + m + n + p + q + r a - b - c - d"),
    ],
)
def test_a_formula_in_a_sentence_stands_behind_it_as_a_picture(tmp_path, draw, words, pieces):
    assert shown(tmp_path, draw) == [("text", words), ("equation", pieces)]


@needs_fonts
def test_a_formula_on_a_line_of_its_own_is_its_picture_with_its_words_as_caption(tmp_path):
    def draw(sheet: Sheet) -> None:
        sheet.text(60, 125, "2. 计算下面的和：")
        sheet.text(270, 150, "n", 7)
        sheet.text(265, 165, "∑", 16, "STSong-Light")
        sheet.text(262, 176, "i = 1", 7)
        sheet.text(285, 163, "i + 3")

    assert shown(tmp_path, draw) == [("text", "2. 计算下面的和："), ("equation", "n ∑ i + 3 i = 1")]


def test_the_picture_shows_the_lines_of_the_formula_and_no_others(tmp_path):
    items = parse_pdf(page(tmp_path / "a.pdf", large_brace).save(), tmp_path).items
    (formula,) = [item for item in items if item.type == "equation"]
    x0, y0, x1, y1 = formula.box
    left, top, right, bottom = x0 * 0.595, y0 * 0.842, x1 * 0.595, y1 * 0.842
    assert left < 61 and 190 < right < 215
    assert 125 < top < 141 and 161 < bottom < 175
    with Image.open(formula.image) as picture:
        assert picture.height == pytest.approx((bottom - top + 6) * 2.5, abs=3)


def plain(sheet: Sheet, *words: str) -> None:
    x = 60.0
    for word in words:
        sheet.text(x, 150, word)
        x += sheet.canvas.stringWidth(word, "Helvetica" if word.isascii() else "STSong-Light", 10.5)


def power(sheet: Sheet) -> None:
    plain(sheet, "2. Find x")
    sheet.text(105, 145, "2", 7)
    sheet.text(112, 150, "and a")
    sheet.text(140, 152, "n+1", 7)


def plain_root(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求√")
    sheet.text(98, 150, "2")
    sheet.line(97, 141, 104, 141)
    sheet.text(108, 150, "的近似值。")


def quotient(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 求")
    sheet.text(98, 144, "1")
    sheet.line(95, 147, 106, 147)
    sheet.text(98, 157, "2")
    sheet.text(112, 150, "的相反数。")


def blanks_and_underlines(sheet: Sheet) -> None:
    sheet.text(60, 140, "2. 它的面积是")
    sheet.line(135, 142, 190, 142)
    sheet.text(195, 140, "平方米，得分 100")
    sheet.line(240, 142, 283, 142)
    sheet.text(60, 158, "x = 5")
    sheet.line(60, 160, 88, 160)
    sheet.text(60, 176, "y = 7, z = 8, and so on, up to the end")


def brackets_round_words(sheet: Sheet) -> None:
    sheet.text(60, 150, "2. 选一个填在【  】里（ ）{ }")
    sheet.text(60, 166, "|x| < 3 [2, 3]")


@pytest.mark.parametrize("draw", [power, plain_root, quotient, blanks_and_underlines, brackets_round_words])
def test_what_words_carry_has_no_picture(tmp_path, draw):
    assert {kind for kind, _ in shown(tmp_path, draw)} == {"text"}


def test_a_quotient_inside_a_quotient_is_written_in_words():
    level = [Run("1 +", 95.3, 105.5, 246.5, 7.3), Run("1 -", 95.3, 105.5, 256.5, 7.3)]
    inner = [Run("1", 107.4, 110, y, 5.1) for y in (244, 253.9)] + [
        Run("x", 107.3, 109.7, y, 5.1) for y in (248.4, 258.4)
    ]
    rules: list[Box] = [(107.4, 244.4, 110, 244.9), (95.3, 249.1, 110.4, 249.8), (107.4, 254.4, 110, 254.9)]
    runs, left = stack_fractions(level + inner, rules, 10.5)
    assert ([run.text for run in runs], left) == (["(1 + 1/x)/(1 - 1/x)"], [])


def test_a_quotient_with_a_part_that_is_not_understood_is_left_whole():
    runs = [Run("1 + ", 10, 30, 95, 10), Run("a", 32, 37, 91, 10), Run("2", 22, 28, 111, 10)]
    rules: list[Box] = [(31, 93, 38, 93.5), (9, 100, 39, 100.5)]
    assert stack_fractions(runs, rules, 10) == (runs, [(31, 93, 38, 93.5), (9, 100, 39, 100.5)])


@pytest.mark.parametrize("sign", ["\ufffd", "\uf0b2", "\x05"])
def test_letters_without_a_name_keep_the_picture_of_their_line(sign):
    words = Run(f"2. 求 {sign}x + 1 的值", 60, 200, 100, 10)
    part = page_parts([words], [], [], 10)
    picture = Figure("equation", (60, 92, 200, 102), 0)
    assert with_formulas(part, [words], [], [], 10) == [*part, picture]


@pytest.mark.parametrize(
    "text", ["\uf0b7 Find x = 3", "\uf06c 求 x＝3 的值", "向右的箭头\uf0e0", "\uf0a3 yes \uf0a3 no"]
)
def test_bullets_and_boxes_without_a_name_are_no_formulas(text):
    assert formula_places([Run(text, 60, 200, 100, 10)], [], [], 10) == []


def test_a_rule_between_sentences_is_no_quotient():
    runs = [Run("第一题的答案写在这一行的上面", 60, 200, 95, 10), Run("第二题的答案写在这一行的下面", 60, 200, 112, 10)]
    assert formula_places(runs, [(60, 98, 200, 98.5)], [], 10) == []


def test_the_rule_below_the_head_of_a_table_is_no_quotient():
    head = [Run("Article", 60, 100, 95, 10), Run("Price in €", 250, 300, 95, 10)]
    row = [Run("Screws M4", 60, 110, 112, 10), Run("4.80", 278, 300, 112, 10)]
    assert formula_places([*head, *row], [(60, 98, 300, 98.8)], [], 10) == []
    assert formula_places([head[0], Run("5 + y", 65, 95, 112, 10)], [(60, 98, 100, 98.5)], [], 10) != []


def test_a_table_of_formulas_without_rules_is_read_by_its_rows():
    # As browsers set it: a cell is centred between those beside it, so that its line is another one's.
    places = (60.0, 150.0, 260.0, 350.0)
    runs = [
        Run(f"$f_{{{row}{at}}}$", x, x + 30 + 20 * (at % 2), 100 + 24 * row + (0, 1, 2, 1)[at], 10, formula=True)
        for at, x in enumerate(places)
        for row in range(5)
    ]
    told = " ".join(part.text for part in page_parts(runs, [], [], 10) if isinstance(part, Paragraph))
    assert told == " ".join(f"$f_{{{row}{at}}}$" for row in range(5) for at in range(4))


def test_a_shape_beside_one_line_is_no_brace():
    assert drawn_signs([((12, 88, 17, 116), True)], [Run("x + y = 1", 20, 60, 104, 10)], 10) == []


def test_a_page_without_formulas_keeps_its_very_parts():
    runs = [Run("1. 求 x^2 的值", 60, 200, 100, 10)]
    parts = page_parts(runs, [], [], 10)
    assert with_formulas(parts, runs, [], [], 10) == parts
    assert isinstance(parts[0], Paragraph)


def test_a_formula_stays_with_its_question_in_the_rows(tmp_path):
    path = page(tmp_path / "a.pdf", large_brace).save()
    rows = run(pipeline(image_dir=tmp_path / "pictures"), documents([path])).table.to_pylist()
    assert [row["label"] for row in rows] == ["1", "2", "3"]
    (link,) = rows[1]["question_images"]
    assert rows[1]["question"] == f"2. 解方程组\n![2x + y = 5 x - y = 1]({link})"
    assert [row["question_images"] for row in (rows[0], rows[2])] == [[], []]
    assert (tmp_path / "pictures" / Path(link).name).is_file()


def test_a_formula_on_its_own_line_stays_inside_the_sentence_of_its_question(tmp_path):
    def draw(sheet: Sheet) -> None:
        sheet.text(60, 130, "2. 已知函数满足下面的式子，")
        sheet.text(260, 148, "f(x) = 2x + 3,")
        sheet.text(60, 166, "其中x是任意的数，求f(5)的值。")

    blocks = flatten(parse_pdf(page(tmp_path / "a.pdf", draw).save(), tmp_path).items)
    (chapter,) = find_pairs(blocks)
    assert [(pair.label, [blocks[i].text for i in pair.question]) for pair in chapter.pairs][1] == (
        "2",
        ["2. 已知函数满足下面的式子，", "f(x) = 2x + 3,", "其中x是任意的数，求f(5)的值。"],
    )


def test_a_picture_of_a_formula_between_two_lines_stays_inside_its_question(tmp_path):
    def draw(sheet: Sheet) -> None:
        sheet.text(60, 125, "2. 已知函数满足下面的式子，")
        sheet.text(260, 158, "{", 34)
        sheet.text(278, 140, "f(1) = 3")
        sheet.text(278, 156, "f(2) = 5")
        sheet.text(60, 184, "其中x是任意的数，求f(5)的值。")

    blocks = flatten(parse_pdf(page(tmp_path / "a.pdf", draw).save(), tmp_path).items)
    (chapter,) = find_pairs(blocks)
    told = [blocks[i].text or f"<{blocks[i].type}> {blocks[i].caption}" for i in chapter.pairs[1].question]
    assert told == ["2. 已知函数满足下面的式子，", "<equation> f(1) = 3 f(2) = 5", "其中x是任意的数，求f(5)的值。"]
    assert [pair.label for pair in chapter.pairs] == ["1", "2", "3"]


def test_a_formula_that_was_not_read_in_a_table_or_a_caption_is_a_picture_behind_it():
    formulas = [Formula("", (at, 0, at + 9, 9), 9, 9, False, f"reason {at}") for at in range(2)]
    cell, told = f"<td>{picture_sign(0)}</td>", f"Area of {picture_sign(1)}"
    table, one, two = with_pictures([Figure("table", (0, 0, 90, 90), 0, [told], cell)], formulas)
    assert isinstance(table, Figure)
    assert (table.html, table.captions) == (f"<td>{PICTURE}</td>", [f"Area of {PICTURE}"])
    assert [(part.kind, part.box) for part in (one, two) if isinstance(part, Figure)] == [
        ("equation", (0, 0, 9, 9)),
        ("equation", (1, 0, 10, 9)),
    ]


def test_the_rule_below_the_head_of_a_table_is_no_bar_of_a_quotient():
    head = [Run(text, x0, x0 + 20, 98, 10) for text, x0 in (("Mean", 22), ("Max", 57), ("Min", 90))]
    row = [Run(text, x0, x0 + 14, 112, 10) for text, x0 in (("0.1", 25), ("8.1", 60), ("7.7", 93))]
    bar, end = (20.0, 101.0, 112.0, 101.5), (20.0, 180.0, 112.0, 180.5)
    assert formula_places([*head, *row], [bar], [], 10) == [(20.0, 90.0, 112.0, 114.0)]
    assert formula_places([*head, *row], [bar, end], [], 10) == []
