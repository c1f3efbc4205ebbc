"""The built-in parser: reading order, blocks, titles, furniture."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from operators.pdf.parser.looks import Look, find_title
from operators.pdf.parser.parse import parse_pdf
from tests.pdf.sheets import Sheet


def parsed(sheet: Sheet, **options):
    path = sheet.save()
    return parse_pdf(path, path.parent / "images", **options)


def shown(sheet: Sheet) -> list[str]:
    """The text items without the furniture."""
    return [item.text for item in parsed(sheet).items if item.type == "text"]


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    return Sheet(tmp_path / "book.pdf")


def test_chinese_lines_join_without_a_space_and_every_question_is_a_block(sheet):
    sheet.lines(
        72,
        100,
        [
            "1. 甲乙两车同时从相距四百五十千米的两地相向而行，甲车每小时行五十千米，",
            "乙车每小时行四十千米，两车几小时后相遇？",
            "2．一个长方形的周长是 36 cm，求它的面积。",
            "（1）先求长；",
            "(2) 再求宽。",
            "① 设宽为 x；",
            "解：由题意得 x = 7。",
            "例1 解下列方程：",
            "A. 7    B. 8    C. 9    D. 10",
        ],
    )
    assert shown(sheet) == [
        "1. 甲乙两车同时从相距四百五十千米的两地相向而行，甲车每小时行五十千米，"
        "乙车每小时行四十千米，两车几小时后相遇？",
        "2．一个长方形的周长是 36 cm，求它的面积。",
        "（1）先求长；",
        "(2) 再求宽。",
        "① 设宽为 x；",
        "解：由题意得 x = 7。",
        "例1 解下列方程：",
        "A. 7 B. 8 C. 9 D. 10",
    ]


def test_english_lines_join_with_a_space_and_hyphens_are_mended(sheet):
    sheet.lines(
        72,
        100,
        [
            "Example 1 A number multiplied by itself gives its square. The square of a nega-",
            "tive number is positive, and so is that of its opposite, which differs from it in",
            "sign only.",
            "Solution Multiply the two.",
            "(a) first this",
            "B. then that",
        ],
    )
    assert shown(sheet) == [
        "Example 1 A number multiplied by itself gives its square. The square of a negative number is "
        "positive, and so is that of its opposite, which differs from it in sign only.",
        "Solution Multiply the two.",
        "(a) first this",
        "B. then that",
    ]


def test_a_decimal_at_the_start_of_a_line_is_no_number_of_a_question(sheet):
    sheet.lines(
        72,
        100,
        [
            "3. The snail starts in the middle of the pond and crawls towards the bank at a speed of",
            "1.5 m/s, while the wind drives it back by the same amount every second. How far does",
            "it get in a minute?",
        ],
    )
    assert len(shown(sheet)) == 1


def test_a_number_that_closes_an_equation_on_the_next_line_stays_with_it(sheet):
    sheet.lines(
        72,
        100,
        [
            "Solution The diagonals of such a figure bisect each other, so the sides sum to 5 + 7 + 7 =",
            "19. The perimeter is nineteen.",
        ],
    )
    assert len(shown(sheet)) == 1


def test_indented_and_spaced_paragraphs_are_blocks_of_their_own(sheet):
    y = sheet.lines(72, 100, ["The first paragraph fills its line from the margin to the very end of the column"])
    y = sheet.lines(72, y, ["and goes on here."])
    y = sheet.lines(93, y, ["The second is indented and fills its line as well, up to the end of the column, so"])
    y = sheet.lines(72, y, ["that only the indent tells where it begins."])
    sheet.lines(72, y + 14, ["The third stands apart."])
    assert [text.split()[1] for text in shown(sheet)] == ["first", "second", "third"]


def test_a_paragraph_behind_items_of_one_line_is_told_by_the_step_between_lines_of_one_paragraph(sheet):
    sheet.lines(
        80, 60, ["1. The first question reaches to the end of its line, which is here, and then", "it goes on."], 12
    )
    sheet.lines(
        80,
        94,
        ["2. Why?", "3. Which of the two maps shows more detail?", "Questions 4 to 5 use the map.", "4. Who?"],
        22,
    )
    texts = shown(sheet)
    assert texts[1:] == [
        "2. Why?",
        "3. Which of the two maps shows more detail?",
        "Questions 4 to 5 use the map.",
        "4. Who?",
    ]


def test_what_a_question_is_worth_ends_its_paragraph(sheet):
    full = "The owner of the mill by the river pays eleven thalers. Why? (5 punti)"
    sheet.lines(80, 60, [full, "Osserva la pianta."], 12)
    sheet.lines(
        80, 100, ["A line that is much wider than the others sets the margin of the page at this place here."], 12
    )
    assert shown(sheet)[:2] == [full, "Osserva la pianta."]


def test_two_columns_below_a_wide_heading_are_read_one_after_the_other(sheet):
    sheet.bold(72, 80, "Chapter 3 Exercises on quadratic equations in one unknown", 16)
    left = [f"{number}. This is a question of the left column," for number in range(1, 7)]
    right = [f"{number}. This is a question of the right column," for number in range(7, 13)]
    for number, (one, two) in enumerate(zip(left, right, strict=True)):
        # The stream goes line by line across the gutter, as some programs write it.
        sheet.text(72, 120 + 40 * number, one)
        sheet.text(310, 120 + 40 * number, two)
        sheet.text(90, 136 + 40 * number, "which has a second line.")
        sheet.text(328, 136 + 40 * number, "which has a second line.")
    assert shown(sheet) == [
        "Chapter 3 Exercises on quadratic equations in one unknown",
        *(f"{text} which has a second line." for text in left + right),
    ]


def test_options_set_in_two_aligned_rows_are_read_row_by_row(sheet):
    y = 100.0
    for number in range(1, 5):
        y = sheet.lines(72, y, [f"{number}. What is it?"])
        for one, two in (
            ("A. red and white", "B. blue and yellow"),
            ("C. black and brown", "D. grey and green"),
        ):
            sheet.text(90, y, one)
            sheet.text(300, y, two)
            y += 16
    expected = []
    for number in range(1, 5):
        expected += [
            f"{number}. What is it?",
            "A. red and white B. blue and yellow",
            "C. black and brown D. grey and green",
        ]
    assert shown(sheet) == expected


def test_four_options_in_a_row_that_have_no_signs_behind_their_letters_are_read_row_by_row(sheet):
    expected = []
    for number in range(1, 6):
        y = 60 + 44 * number
        sheet.text(72, y, f"{number}. What is shown in the picture?")
        for x, option in zip(
            (90, 200, 310, 420), ("A one cell", "B two cells", "C no cells", "D a tissue"), strict=True
        ):
            sheet.text(x, y + 16, option)
        expected += [f"{number}. What is shown in the picture?", "A one cell B two cells C no cells D a tissue"]
    assert shown(sheet) == expected


def test_a_row_of_options_that_reaches_the_margin_ends_its_question(sheet):
    sheet.text(57, 100, "1. Which of these is the gas of the air?")
    for letter, x in zip("ABCD", (79, 160, 241, 322), strict=True):
        sheet.text(x, 118, f"{letter}. nitrogen")
    sheet.text(57, 138, "Look at the drawing and answer questions 2 and 3")
    assert shown(sheet) == [
        "1. Which of these is the gas of the air?",
        "A. nitrogen B. nitrogen C. nitrogen D. nitrogen",
        "Look at the drawing and answer questions 2 and 3",
    ]


def test_what_stands_behind_the_end_of_a_proof_is_a_paragraph_of_its_own(sheet):
    lines = ["证明 因为两数都是奇数，所以它们的和是二的倍数，从而它们的和一定能够被二整除。□"]
    sheet.lines(72, 100, [*lines, "由上面的结论可以知道，任意多个偶数的和总是偶数，这一点以后还要多次用到的。"])
    assert shown(sheet) == [*lines, "由上面的结论可以知道，任意多个偶数的和总是偶数，这一点以后还要多次用到的。"]


def test_a_foot_that_tells_page_and_pages_is_furniture_on_every_page(sheet):
    for page in range(3):
        sheet.lines(72, 100, [f"{page + 1}. 求第{page + 1}个数的值，并说明理由。"])
        sheet.text(220, 800, f"数学试题第 {page + 1} 页（共 3 页）")
        sheet.canvas.showPage()
    assert shown(sheet) == [f"{n}. 求第{n}个数的值，并说明理由。" for n in (1, 2, 3)]


def test_short_sums_numbered_across_the_page_are_read_row_by_row(sheet):
    for row in range(5):
        sheet.text(72, 100 + 20 * row, f"{2 * row + 1}. 3 + {row} =")
        sheet.text(300, 100 + 20 * row, f"{2 * row + 2}. 7 + {row} =")
    assert shown(sheet)[:4] == ["1. 3 + 0 =", "2. 7 + 0 =", "3. 3 + 1 =", "4. 7 + 1 ="]


def test_questions_set_side_by_side_keep_their_second_lines(sheet):
    for row, y in enumerate((100, 150)):
        for cell, x in enumerate((72, 250, 430)):
            sheet.text(x, y, f"{3 * row + cell + 1}. Find the number of")
            sheet.text(x + 16, y + 14, f"corners of body {cell}.")
    sheet.text(72, 200, "Answers", 14)
    for y in (220, 240):
        sheet.text(72, y, "1. 11  2. nine  3. The first one.  4. 5  5. 6  6. 7")
    assert shown(sheet)[:7] == [
        *(f"{number}. Find the number of corners of body {(number - 1) % 3}." for number in range(1, 7)),
        "Answers",
    ]


def test_a_heading_over_all_columns_parts_what_stands_above_it_from_what_stands_below(sheet):
    y = 100
    for part in ("Set one", "Set two"):
        sheet.text(72, y, part, 14)
        for column, x in enumerate((72, 320)):
            for row in range(4):
                number = 4 * column + row + 1
                sheet.text(x, y + 30 + 24 * row, f"{number}. Find the value of the sum {part[-3:]}.")
        y += 140
    assert shown(sheet) == [
        text
        for part in ("one", "two")
        for text in (f"Set {part}", *(f"{n}. Find the value of the sum {part}." for n in range(1, 9)))
    ]


def test_three_columns_below_two_of_other_widths_are_read_one_after_the_other(sheet):
    asked = [f"{n}. Find the value of the {n} sums in it." for n in range(1, 31)]
    for column, x in enumerate((50, 309)):
        sheet.lines(x, 100, asked[15 * column : 15 * column + 15], step=15)
    sheet.text(50, 345, "Answers", 14)
    told = [f"{n}. Six or {n}, not {n}." for n in range(1, 31)]
    told[17] = "18. The sums are two to nine."
    for column, x in enumerate((50, 222, 395)):
        sheet.lines(x, 375, told[10 * column : 10 * column + 10], step=15)
    assert shown(sheet) == [*asked, "Answers", *told]


def test_a_heading_centred_above_three_columns_is_read_before_all_of_them(sheet):
    sheet.text(72, 50, "Key Stage Three")
    sheet.text(270, 90, "Answers", 14)
    told = [f"{n}. Six or {n}, not {n}." for n in range(1, 31)]
    for column, x in enumerate((50, 222, 395)):
        sheet.lines(x, 120, told[10 * column : 10 * column + 10], step=15)
    assert shown(sheet) == ["Key Stage Three", "Answers", *told]


def test_headings_of_two_columns_that_stand_on_one_line_are_those_of_their_columns(sheet):
    told = []
    for side, x, start in (("left", 72, 100), ("right", 320, 105)):
        one, two = ([f"{n}. What is told of {n} on the {side}?" for n in range(m, m + 5)] for m in (1, 6))
        sheet.lines(x, start, one, step=16)
        sheet.text(x, 200, f"Part {side}", 14)
        sheet.lines(x, start + 130, two, step=16)
        told += [*one, f"Part {side}", *two]
    assert shown(sheet) == told


def test_columns_whose_counts_begin_again_are_read_one_after_the_other(sheet):
    words = "is a question that fills its line"
    left, right = (1, 2, 3, 1, 2, 3), (4, 5, 1, 2, 3, 4)
    for row in range(6):
        sheet.text(72, 100 + 30 * row, f"{left[row]}. This {words}")
        sheet.text(72, 113 + 30 * row, "with a second line that ends.")
        sheet.text(316, 94 + 30 * row, f"{right[row]}. That {words}")
        sheet.text(316, 107 + 30 * row, "with a second line that ends.")
    assert [text[:7] for text in shown(sheet)] == [
        *(f"{number}. This" for number in left),
        *(f"{number}. That" for number in right),
    ]


def test_numbers_of_equations_at_a_left_columns_end_begin_no_column(sheet):
    for row in range(4):
        sheet.text(72, 100 + 44 * row, "The terms of the sum are told by the line below")
        sheet.text(110, 122 + 44 * row, "x = y + z")
        sheet.text(278, 122 + 44 * row, f"({row + 1})")
        for line in range(2):
            sheet.text(
                310, 100 + 44 * row + 20 * line, f"The line {2 * row + line + 1} of the right column stands here"
            )
    texts = " ".join(shown(sheet))
    assert texts.index("(4)") < texts.index("The line 1 of the right")


def test_a_heading_behind_columns_heads_the_wide_lines_below_it(sheet):
    hints = [f"{n}. Look at the {n} sides of it." for n in range(1, 9)]
    for column, x in enumerate((72, 320)):
        sheet.lines(x, 100, hints[4 * column : 4 * column + 4], step=24)
    sheet.text(72, 230, "Solutions", 14)
    told = [
        f"{n}. The two sides are equal, and so are all of the angles beside them, by the rule of {n}." for n in (1, 2)
    ]
    sheet.lines(72, 260, told, step=24)
    assert shown(sheet) == [*hints, "Solutions", *told]


def test_a_question_beside_the_third_is_read_before_the_fifth_below_both(sheet):
    sheet.text(72, 100, "1. Which of these numbers is the root of the equation?")
    sheet.text(490, 100, "[5 points]")
    sheet.text(72, 130, "2. Which of these terms is the derivative of the square?")
    for number, x in ((3, 72), (4, 330)):
        for line in range(4):
            label = f"{number}. " if not line else ""
            sheet.text(x, 170 + 14 * line, f"{label}Line {line + 1} of the question side by side,")
    sheet.text(72, 260, "5. Is this true or false?")
    sheet.text(490, 260, "[2 points]")
    sheet.text(72, 290, "6. Tell what the theorem says.")
    both = (" ".join(f"Line {line} of the question side by side," for line in range(1, 5)),) * 2
    assert shown(sheet) == [
        "1. Which of these numbers is the root of the equation? [5 points]",
        "2. Which of these terms is the derivative of the square?",
        f"3. {both[0]}",
        f"4. {both[1]}",
        "5. Is this true or false? [2 points]",
        "6. Tell what the theorem says.",
    ]


def test_options_of_several_lines_side_by_side_are_read_one_by_one(sheet):
    sheet.text(72, 100, "Decide which of these sentences are true of every natural number there is.")
    for row, letters in enumerate(("ab", "cd")):
        for column, letter in enumerate(letters):
            sheet.text(82 + 240 * column, 124 + 40 * row, f"{letter}) It is the sum of two squares")
            sheet.text(98 + 240 * column, 138 + 40 * row, "or of three.")
    text = "It is the sum of two squares or of three."
    assert shown(sheet)[1:] == [f"{letter}) {text}" for letter in "abcd"]


def test_questions_in_three_columns_between_wide_lines_are_read_down_each_of_them(sheet):
    sheet.text(62, 100, "Read the three of them, then answer what is asked below in whole sentences of your own.")
    for number, x in ((1, 62), (2, 243), (3, 424)):
        sheet.bold(x, 130, f"{number}.")
        for line in range(5):
            sheet.text(x + 16, 130 + 14 * line, f"line {line + 1} of the text {number}")
    sheet.text(62, 230, "Each of your answers has to name the line of the text that it has been taken from, too.")
    assert shown(sheet)[1:4] == [
        f"{number}. {' '.join(f'line {line} of the text {number}' for line in range(1, 6))}" for number in (1, 2, 3)
    ]


def test_a_head_that_ends_a_left_column_belongs_to_what_stands_below_both(sheet):
    for number, x in ((1, 72), (2, 316)):
        for line in range(4):
            label = f"{number}. " if not line else ""
            sheet.text(x, 100 + 14 * line, f"{label}Line {line + 1} of a question that fills it")
    sheet.bold(72, 180, "What is told of the second part")
    assert shown(sheet)[-1] == "What is told of the second part"


def test_a_line_that_counts_on_from_its_paragraphs_label_opens_a_paragraph(sheet):
    asked = "Explain why the air is dry above the deserts of the tropics in both parts of the world."
    sheet.lines(72, 100, [f"[{number}] {asked}" for number in range(1, 5)], step=14)
    sheet.lines(72, 200, [f"Puzzle {number}. {asked}" for number in range(1, 5)], step=14)
    assert shown(sheet) == [
        *(f"[{number}] {asked}" for number in range(1, 5)),
        *(f"Puzzle {number}. {asked}" for number in range(1, 5)),
    ]


def test_a_word_with_a_number_or_a_point_heads_a_paragraph_in_any_language(sheet):
    lines = [
        "Qui si studiano i lati e gli angoli di molte figure piane, dalle più semplici alle altre.",
        "Esempio 2.1. Quanto misura il lato di un triangolo che ha il perimetro di nove centimetri?",
        "Svolgimento. Si divide il perimetro in tre parti uguali, come si vede anche nell'esempio",
        "Esempio 1.4. Le parti sono tutte uguali, e il lato misura dunque tre centimetri in tutto.",
    ]
    sheet.lines(72, 100, lines)
    assert shown(sheet) == [*lines[:2], " ".join(lines[2:])]


def test_a_heavy_number_opens_a_paragraph_without_a_point(sheet):
    for row in range(4):
        sheet.bold(68, 100 + 14 * row, str(row + 7))
        sheet.text(84, 100 + 14 * row, "Explain why the air is dry above the deserts of the tropics in both")
    assert [text[:9] for text in shown(sheet)] == ["7 Explain", "8 Explain", "9 Explain", "10 Explai"]


def test_raised_and_lowered_letters_stay_in_their_line(sheet):
    sheet.text(72, 100, "1. Solve x", 12)
    sheet.text(128.8, 95, "2", 8)
    sheet.text(136.5, 100, "+ a", 12)
    sheet.text(153.7, 103, "n+1", 8)
    sheet.text(171, 100, "= 0 for x.", 12)
    sheet.text(72, 116, "2. Go on.", 12)
    assert shown(sheet) == ["1. Solve x^2 + a_{n+1} = 0 for x.", "2. Go on."]


def test_a_blank_drawn_as_a_rule_is_written_out(sheet):
    sheet.text(72, 100, "6. The sum is")
    sheet.line(142, 102, 190, 102)
    sheet.text(194, 100, "metres.")
    assert shown(sheet) == ["6. The sum is ____ metres."]


def test_a_rule_that_all_words_of_a_line_stand_on_underlines_it(sheet):
    sheet.text(72, 100, "Hints", 14)
    sheet.line(72, 103, 520, 103)
    sheet.text(72, 140, "7. My name is:")
    sheet.line(72, 168, 520, 168)
    sheet.text(500, 166, "[2]")
    assert shown(sheet) == ["Hints", "7. My name is: ____[2]"]


def test_a_rule_below_a_heading_in_the_other_column_is_no_blank(sheet):
    for x, heading in ((60, "1 Lines and Slopes"), (310, "2 Powers")):
        sheet.text(x, 60, heading, 12)
        sheet.line(x, 64, x + 235, 64)
        sheet.lines(
            x,
            90,
            [
                "Words that fill a line of this column quite",
                "well, and others below it that do so, too,",
                "up to its end, of which there are enough to",
                "tell that two columns stand beside each other",
                "on this page.",
            ],
            12,
        )
    assert [text for text in shown(sheet) if "____" in text or "Powers" in text] == ["2 Powers"]


def test_the_frame_of_a_number_is_no_bar_of_a_fraction(sheet):
    sheet.text(62, 60, "4", 10)
    for line in ((59, 51, 68, 51), (59, 63, 68, 63), (59, 51, 59, 63), (68, 51, 68, 63)):
        sheet.line(*line)
    sheet.text(74, 60, "Why does it take so long to be there in", 10)
    sheet.text(60, 73, "a", 10)
    assert "/" not in " ".join(shown(sheet))


def test_a_stacked_fraction_becomes_a_quotient(sheet):
    sheet.text(72, 100, "1. Find", 12)
    sheet.text(124, 93, "x + 1", 12)
    sheet.line(120, 96, 158, 96)
    sheet.text(136, 107, "2", 12)
    sheet.text(164, 100, "of the whole.", 12)
    sheet.text(72, 130, "2. Go on.", 12)
    assert shown(sheet) == ["1. Find (x + 1)/2 of the whole.", "2. Go on."]


def test_titles_get_levels_by_their_numbering(sheet):
    sheet.text(72, 90, "第三章 有理数", 18)
    sheet.text(72, 130, "3.1 正数和负数", 14)
    sheet.text(72, 160, "一、选择题（每小题 3 分，共 30 分）", 10.5)
    sheet.lines(72, 185, ["1. 下列各数中，是负数的是（ ）", "A. 3    B. 0    C. -1.5    D. 2", "2. 比较大小。"])
    sheet.text(72, 250, "3.2 数轴", 14)
    sheet.lines(72, 280, ["一、1. A  2. B", "1.5 米是 15 分米。"], step=24)
    found = [(item.text, item.level) for item in parsed(sheet).items if item.level]
    assert found == [
        ("第三章 有理数", 1),
        ("3.1 正数和负数", 2),
        ("一、选择题（每小题 3 分，共 30 分）", 3),
        ("3.2 数轴", 2),
    ]


def test_a_bold_question_is_no_title_and_a_bold_name_is_one(sheet):
    sheet.bold(72, 100, "Exercises")
    sheet.lines(72, 124, ["1. Find x.", "2. Find y, which is not the same as x but depends on it."])
    sheet.bold(72, 170, "3. Find the limit.")
    sheet.bold(72, 194, "Solution")
    sheet.lines(72, 210, ["It is zero."])
    assert [item.text for item in parsed(sheet).items if item.level] == ["Exercises"]


def test_running_heads_and_page_numbers_are_kept_as_furniture(sheet):
    for page in range(4):
        sheet.text(72, 40, "Algebra for beginners", 9)
        sheet.text(500, 40, "Chapter 2", 9)
        sheet.lines(72, 90, [f"{page + 1}. A question at the top of page number {page + 1}."])
        sheet.lines(72, 400, ["Text in the middle."])
        sheet.text(290, 815, f"- {page + 7} -", 9)
        sheet.next_page()
    items = parsed(sheet).items
    assert [(item.type, item.text, item.page) for item in items] == [
        found
        for page in range(4)
        for found in (
            ("header", "Algebra for beginners", page),
            ("header", "Chapter 2", page),
            ("text", f"{page + 1}. A question at the top of page number {page + 1}.", page),
            ("text", "Text in the middle.", page),
            ("page_number", f"- {page + 7} -", page),
        )
    ]
    assert [item.ref for item in items] == [str(index) for index in range(20)]


def test_drill_pages_that_begin_alike_lose_no_question(sheet):
    for page in range(4):
        sheet.lines(72, 80, [f"{page + 1}. Work out {page} + {page * 7}.", "Show your work."], step=60)
        sheet.next_page()
    assert shown(sheet)[::2] == [f"{page + 1}. Work out {page} + {page * 7}." for page in range(4)]


def test_a_bracket_that_a_blank_parts_from_its_line_is_no_running_head(sheet):
    # In Helvetica: letters of a font that the file lacks are measured by those of the machine, which may have none.
    asked = ["1. The first to lead the states was (", "2. The six states were united by (", "3. Silk was traded by ("]
    for page, question in enumerate(asked):
        sheet.text(400, 40, "Exercises in history", 9)
        sheet.text(72, 80, question)
        sheet.text(280 + 20 * page, 80, ")")
        sheet.text(72, 120, "A. Duke Huan")
        sheet.next_page()
    assert shown(sheet) == [text for question in asked for text in (f"{question} )", "A. Duke Huan")]


def test_heads_of_questions_where_running_heads_stand_are_no_furniture(sheet):
    for page in range(4):
        sheet.text(72, 40, f"Question {page + 1}", 12)
        sheet.lines(72, 90, [f"What is {page} + {page * 7}?"])
        sheet.next_page()
    assert shown(sheet) == [text for n in range(4) for text in (f"Question {n + 1}", f"What is {n} + {n * 7}?")]


def test_boxes_are_thousandths_of_the_page_from_its_top(sheet):
    sheet.text(59.5, 84.2, "x", 10)
    (item,) = parsed(sheet, file=3).items
    left, top, right, bottom = item.box
    assert (left, top, bottom, item.file) == (
        100.0,
        pytest.approx(90.5, abs=0.2),
        pytest.approx(102.4, abs=0.2),
        3,
    )
    assert 105 < right < 112


def test_a_turned_page_reads_as_it_is_shown(tmp_path):
    sheet = Sheet(tmp_path / "turned.pdf", width=842, height=595)
    sheet.canvas.translate(842, 0)
    sheet.canvas.rotate(90)
    sheet.height = 842
    sheet.lines(72, 100, ["1. First question.", "2. Second question."])
    sheet.save()
    document = pdfium.PdfDocument(sheet.path)
    document[0].set_rotation(90)
    document.save(tmp_path / "shown.pdf")
    items = parse_pdf(tmp_path / "shown.pdf", tmp_path).items
    assert [(item.text, round(item.box[0])) for item in items] == [
        ("1. First question.", 121),
        ("2. Second question.", 121),
    ]


def test_a_question_may_begin_with_a_number_behind_a_full_width_point(sheet):
    sheet.lines(72, 100, ["1．3＋4＝？", "2．5²＋3＝？", "3．2024年的天数是多少？"])
    assert shown(sheet) == ["1．3＋4＝？", "2．5²＋3＝？", "3．2024年的天数是多少？"]


def test_sentences_in_a_larger_size_are_no_titles(sheet):
    sheet.lines(72, 100, ["So the two sides are equal.", "The sum is ____ metres"], step=40, size=13)
    sheet.lines(72, 200, [f"{number}. A question in the size of most letters." for number in range(1, 9)])
    assert [item.level for item in parsed(sheet).items] == [None] * 10


def test_points_in_the_margin_are_no_part_of_the_lines_beside_them(sheet):
    """Set flush with the text on the left, where one runs into a label, and beyond the ends of lines on the right."""
    sheet.lines(72, 80, ["Answer all questions of this paper, and show all the working that leads to your answers."])
    points = ["[4]", "[2]", "[3]", "[10]"]
    for number, (y, note) in enumerate(zip(range(120, 240, 30), points, strict=True), start=8):
        sheet.text(52 if note == "[10]" else 55, y, note)
        sheet.text(73 if number == 11 else 79, y, f"{number}. Find the next number after {number}")
        sheet.text(93, y + 13, "and give a reason.")
    sheet.lines(
        72, 300, [f"{n}. Why is the sum of {n} odd numbers, each one below the hundred, odd?" for n in (12, 13)]
    )
    for y in (300, 316, 332):
        sheet.text(540, y, "(3 marks)")
    sheet.text(72, 332, "14. Which of the numbers that are told above do you like, and which not?")
    items = parsed(sheet).items
    assert [item.text for item in items if item.type == "text"] == [
        "Answer all questions of this paper, and show all the working that leads to your answers.",
        *[f"{number}. Find the next number after {number} and give a reason." for number in range(8, 12)],
        "12. Why is the sum of 12 odd numbers, each one below the hundred, odd?",
        "13. Why is the sum of 13 odd numbers, each one below the hundred, odd?",
        "14. Which of the numbers that are told above do you like, and which not?",
    ]
    assert sorted(item.text for item in items if item.type == "aside_text") == ["(3 marks)"] * 3 + sorted(points)


def beside_text(sheet: Sheet, y: float, beside: list[str]) -> list[tuple[str, str]]:
    """The last items of a page that has lines in small letters on the right of its text, from ``y`` on."""
    text = ["A magnet has two poles, north and south, which", "are found at its ends. Poles of one kind push",
            "each other away, and those of two kinds attract.", "A needle that floats on water turns until it",
            "points to the north, as a compass does.", "1. Where does it point to in a car?"]  # fmt: skip
    sheet.lines(72, 100, text)
    sheet.lines(340, y, beside, step=10, size=8)
    found = [(item.type, item.text) for item in parsed(sheet).items]
    assert found[:2] == [("text", " ".join(text[:5])), ("text", text[5])]
    return found[2:]


def test_small_notes_beside_the_text_are_apart_from_its_lines(sheet):
    assert beside_text(sheet, 132, ["Lodestones were found", "near Magnesia, a town", "of the Greeks."]) == [
        ("aside_text", "Lodestones were found near Magnesia, a town of the Greeks.")
    ]


@pytest.mark.parametrize("labels", ["2. 3. 4.", "Q2 Q3 Q4", "(2) (3) (4)", "Task2 Task3 Task4", "B. C. D."])
def test_small_columns_that_open_with_a_label_are_text(sheet, labels):
    words = ("Which poles attract?", "Which do not?", "Why is it so?")
    asked = [f"{label} {text}" for label, text in zip(labels.split(), words, strict=True)]
    assert beside_text(sheet, 118, asked) == [("text", line) for line in asked]


def test_labels_that_hang_outside_the_text_are_no_notes(sheet):
    for number, y in enumerate(range(100, 260, 40), start=1):
        sheet.text(50, y, f"[{number}]")
        sheet.lines(80, y, ["Find the square root of the number.", "Is it a whole one?"])
    assert shown(sheet)[::2] == [f"[{number}] Find the square root of the number." for number in range(1, 5)]


def test_numbers_of_every_fifth_line_are_apart_from_the_lines(sheet):
    sheet.lines(80, 100, [f"The line is number {number} of a poem." for number in range(1, 21)])
    for number in (5, 10, 15, 20):
        sheet.text(50, 100 + 16 * (number - 1), str(number))
    items = parsed(sheet).items
    assert not any(item.text[:1].isdecimal() for item in items if item.type == "text")
    assert [item.text for item in items if item.type == "aside_text"] == ["5", "10", "15", "20"]


def test_exercises_in_the_middle_of_a_line_and_a_test_of_proofs_are_titles():
    assert find_title(Look("EXERCISES II", 10.5, False, True, 1), 10.5) is not None
    assert find_title(Look("证明题综合检测", 14, False, True, 1), 10.5) is not None
    assert find_title(Look("证明 由题意得", 14, False, True, 1), 10.5) is None
    assert find_title(Look("1.1 $100\\mathrm{g}/\\mathrm{mol}$", 10.5, True, False, 1), 10.5) is None


def test_footnotes_are_apart_from_the_text_above_them(sheet):
    sheet.lines(72, 600, ["7. A question at the foot of the page, with a mark.", "8. Another question."])
    sheet.line(72, 700, 250, 700)
    for number, y in ((1, 715), (2, 730)):
        sheet.text(82, y - 3, str(number), 6)
        sheet.text(87, y, f"Note {number} is small.", 8.5)
    items = parsed(sheet).items
    assert [(item.type, item.text) for item in items] == [
        ("text", "7. A question at the foot of the page, with a mark."),
        ("text", "8. Another question."),
        ("page_footnote", "1 Note 1 is small."),
        ("page_footnote", "2 Note 2 is small."),
    ]


def test_small_text_below_a_rule_without_a_mark_is_no_footnote(sheet):
    sheet.lines(72, 600, ["7. A question at the foot of the page.", "8. Another question."])
    sheet.line(72, 700, 250, 700)
    sheet.text(82, 715, "Use the rest of the page.", 8.5)
    assert "page_footnote" not in {item.type for item in parsed(sheet).items}


def test_the_second_line_of_a_sections_heading_hangs_behind_its_number(sheet):
    body = ["A sentence of the text that stands in this rather narrow column here.", "Another line is below it."]
    y = sheet.lines(72, 100, body * 6)
    sheet.bold(72, y + 14, "1.2 The Production of Goods and Possibilities of a", 12)
    sheet.bold(96, y + 30, "Frontier", 12)
    sheet.lines(72, y + 60, body)
    assert "1.2 The Production of Goods and Possibilities of a Frontier" in shown(sheet)


def test_a_heading_may_end_with_a_word_that_heads_exercises_elsewhere(sheet):
    body = ["A sentence of the text that stands in this rather narrow column.", "Another line is below it."]
    sheet.bold(72, 100, "Solutions to the Selected", 25)
    sheet.bold(72, 130, "Exercises", 25)
    sheet.lines(72, 180, body * 8)
    (heading,) = [item for item in parsed(sheet).items if item.level is not None]
    assert heading.text == "Solutions to the Selected Exercises"


def test_a_heading_of_exercises_right_below_a_short_heading_stands_by_itself(sheet):
    body = ["A sentence of the text that stands in this rather narrow column.", "Another line is below it."]
    sheet.bold(72, 100, "Sets", 25)
    sheet.bold(72, 130, "Exercises", 25)
    sheet.lines(72, 180, body * 8)
    assert shown(sheet)[:2] == ["Sets", "Exercises"]


def test_a_key_in_one_line_below_two_columns_is_read_across(sheet):
    for column, x in enumerate((72, 310)):
        sheet.lines(x, 100, [f"{3 * column + n}. Which of these four is the right one?" for n in (1, 2, 3)], step=40)
    for n, x in enumerate((170, 215, 260, 320, 365, 410), 1):
        sheet.text(x, 230, f"{n}-{'BCBABC'[n - 1]}")
    assert shown(sheet)[-1] == "1-B 2-C 3-B 4-A 5-B 6-C"


def test_answers_in_narrow_columns_whose_numbers_count_on_are_read_down_each_of_them(sheet):
    sheet.lines(
        72,
        100,
        [f"{n}. Write the fraction as a decimal number, and say why it is so in one sentence." for n in range(1, 6)],
        step=22,
    )
    sheet.line(72, 300, 520, 300)
    sheet.lines(72, 320, ["1 0,75", "2 a third", "3 because both parts are as large", "as the whole"], step=12, size=9)
    sheet.lines(300, 320, ["4 twelve", "5 none"], step=12, size=9)
    found = " ".join(shown(sheet))
    assert found.endswith("1 0,75 2 a third 3 because both parts are as large as the whole 4 twelve 5 none")


#: Answers to four lessons, in which the count begins anew, and the same as a key prints them.
LESSONS = [["12", "a half", "70"], ["0,9", "none", "40", "2"], ["six", "a third", "80", "10"], ["3", "24", "all"]]
KEY = [
    line
    for lesson, answers in enumerate(LESSONS, 1)
    for line in (f"Lesson {lesson}", *(f"{n}) {answer}" for n, answer in enumerate(answers, 1)))
]


@pytest.mark.parametrize("sign", [")", "."])
@pytest.mark.parametrize("columns", [2, 3])
def test_answers_in_columns_whose_numbers_begin_anew_inside_a_column_are_read_down_each_of_them(sheet, columns, sign):
    key = [line.replace(")", sign, 1) for line in KEY]
    sheet.bold(72, 70, "Answers", 14)
    high = len(key) // columns
    for at, line in enumerate(key):
        draw = sheet.bold if line.startswith("Lesson") else sheet.text
        draw(72 + 168 * (at // high), 100 + 14 * (at % high), line)
    assert shown(sheet) == ["Answers", *key]


def test_a_column_may_begin_close_behind_the_longest_line_of_the_other(sheet):
    left = ["1. A magnet has two poles. Name both of", "them and say which end of a needle", "points to the north.",
            "2. Which metals does a magnet attract, and", "which does it leave alone?",
            "3. Why does a compass not work in a car?"]  # fmt: skip
    right = ["4. What is a lodestone, and where was it", "found at first?", "5. How can a needle be made a magnet",
             "with nothing but another magnet?", "6. What happens to a magnet that is", "heated until it glows?"]  # fmt: skip
    sheet.lines(72, 100, left)
    end = 72 + max(sheet.canvas.stringWidth(line, "Helvetica", 10.5) for line in left)
    sheet.lines(end + 3, 100, right)
    assert shown(sheet) == [
        " ".join(left[:3]),
        " ".join(left[3:5]),
        left[5],
        *(f"{one} {two}" for one, two in zip(right[::2], right[1::2], strict=True)),
    ]


def test_bare_numbers_that_hang_beside_questions_with_numbered_options_are_no_column(sheet):
    asked = {
        "Which of these metals is drawn by a magnet?": ["iron", "silver", "gold", "lead"],
        "Which of these is a liquid at room heat?": ["zinc", "mercury", "tin", "copper"],
        "Which of these is used to make cans?": ["sodium", "aluminium", "neon", "radon"],
    }
    for number, (question, options) in enumerate(asked.items(), 1):
        y = 20 + 80 * number
        sheet.text(72, y, f"{number}.")
        sheet.text(96, y, question)
        sheet.lines(96, y + 16, [f"{n}. {option}" for n, option in enumerate(options, 1)], step=14)
    assert shown(sheet) == [
        text
        for number, (question, options) in enumerate(asked.items(), 1)
        for text in (f"{number}. {question}", *(f"{n}. {option}" for n, option in enumerate(options, 1)))
    ]


def test_a_rule_across_the_page_parts_columns_of_other_widths(sheet):
    sheet.lines(72, 100, [f"Note {n} of the margin" for n in range(1, 5)], step=14, size=9)
    sheet.lines(210, 100, [f"The text of line {n} stands beside the margin and goes on" for n in range(1, 9)], step=14)
    sheet.line(72, 240, 520, 240)
    sheet.lines(72, 256, [f"the left column of the answers has line {n}" for n in range(1, 6)], step=14)
    sheet.lines(310, 256, [f"right column of the answers {n}" for n in range(1, 6)], step=14)
    text = " ".join(shown(sheet))
    places = [text.index(words) for words in ("margin", "line 1 ", "line 8", "has line 5", "right")]
    assert places == sorted(places)


def test_labels_with_words_that_stand_apart_from_their_lines_are_no_column(sheet):
    for n, y in enumerate((100, 140, 180, 220), 1):
        sheet.bold(72, y, f"Problem {n}")
        sheet.text(132, y, f"Find all primes p for which p + {n} is a prime and says so")
        sheet.text(72, y + 14, "too.")
    assert [text[:14] for text in shown(sheet)] == [f"Problem {n} Find" for n in (1, 2, 3, 4)]


def test_a_number_that_counts_chapters_above_their_headings_is_no_running_head(sheet):
    for chapter, pages in ((1, 2), (2, 1), (3, 1)):
        for page in range(pages):
            if not page:
                sheet.text(72, 80, f"HOOFDSTUK {chapter}", 9)
                sheet.bold(72, 110, f"{('Warmte', 'Licht', 'Stroom')[chapter - 1]}", 18)
            sheet.lines(72, 150, ["The words of the chapter begin here and go on for a line.", "1. Why is it so?"], 30)
            sheet.next_page()
    assert [text for text in shown(sheet) if text.startswith("HOOFD")] == [f"HOOFDSTUK {n}" for n in (1, 2, 3)]
