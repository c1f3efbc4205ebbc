"""What books by authors who had not seen the rules brought: slides, rounds, boxes, tables of questions, leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from operators.pdf import mineru_input
from operators.pdf.blocks import Block, ContentItem
from operators.pdf.merging.entries import counted
from operators.pdf.numbering import item_label, solution_marker
from operators.pdf.numbering.dress import read_mark
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.rules import find_headings, find_pairs
from operators.pdf.rules.tables import question_rows, table_answers
from tests.pdf.rules_book import book, labels, worked
from tests.pdf.sheets import Sheet


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    return Sheet(tmp_path / "book.pdf")


def kinds(sheet: Sheet) -> list[tuple[str, str]]:
    path = sheet.save()
    return [(item.type, item.text) for item in parse_pdf(path, path.parent / "images").items]


def test_titles_of_slides_that_go_on_over_pages_are_no_running_heads(sheet: Sheet) -> None:
    for title, asked in (("Cells", 1), ("Cells", 2), ("Genes", 3), ("Genes", 4), ("Plants", 5), ("Plants", 6)):
        sheet.text(72, 40, title, 20)
        sheet.lines(72, 120, [f"{asked}. What is the name of part {asked} in the picture on the wall?"])
        sheet.text(280, 820, "Biology quiz", 8)
        sheet.next_page()
    found = kinds(sheet)
    assert [text for kind, text in found if kind == "text" and "." not in text] == [
        "Cells", "Cells", "Genes", "Genes", "Plants", "Plants"
    ]  # fmt: skip
    assert {text for kind, text in found if kind == "footer"} == {"Biology quiz"}


def test_heavy_labels_and_what_stands_behind_them_are_one_column(sheet: Sheet) -> None:
    for n, row in enumerate(range(100, 220, 30), 4):
        sheet.bold(72, row, f"Solution to exercise {n}.")
        sheet.lines(210, row, ["There are twenty eight choices for one and twenty seven for the"])
        sheet.lines(72, row + 14, ["other."])
    assert [text for _, text in kinds(sheet)] == [
        f"Solution to exercise {n}. There are twenty eight choices for one and twenty seven for the other."
        for n in range(4, 8)
    ]


def test_answers_between_rounds_of_questions_end_where_the_next_round_asks() -> None:
    lines: list[str] = []
    for at, name in ((1, "Cells"), (3, "Genes"), (5, "Plants")):
        lines += [f"# Round {at // 2 + 1}: {name}", f"{at}. Which part is it?", f"{at + 1}. Why is it there?"]
        lines += [
            f"# Answers to round {at // 2 + 1}",
            f"{at}. The long one on the left.",
            f"{at + 1}. It holds the rest.",
        ]
    found = worked(*lines)
    assert [(label, bool(question)) for label, question, *_ in found] == [
        (str(at + n), asked) for at in (1, 3, 5) for asked in (True, False) for n in (0, 1)
    ]


def test_questions_below_a_box_of_what_is_to_be_remembered_are_questions() -> None:
    pages = []
    for n in (1, 2):
        pages += [
            Block(0, "text", f"Sheet {n}. Words", 1),
            Block(0, "text", "Remember", 2),
            "Nouns name things.",
            "1. Which of these words is a noun?",
            "2. Write the plural of each word: ____",
        ]
    assert [names for _, names in labels(*pages, Block(0, "text", "Answers", 1))] == [["1", "2"], ["1", "2"]]


def test_a_table_of_numbered_questions_is_a_block_a_row_and_a_table_of_data_is_one() -> None:
    asked = "".join(f"<tr><td>{n}.</td><td>Why is part {n} green?</td><td></td></tr>" for n in (1, 2, 3))
    data = "".join(f"<tr><td>{n}</td><td>{n * n}</td><td>{n * 7}</td></tr>" for n in (1, 2, 3))
    items = [ContentItem("table", f"<table>{rows}</table>", ref=str(n)) for n, rows in enumerate((asked, data))]
    assert [(b.type, b.text[:24], b.source_ref) for b in mineru_input.flatten(items)] == [
        ("list_item", "1. Why is part 1 green?", "0.0"),
        ("list_item", "2. Why is part 2 green?", "0.1"),
        ("list_item", "3. Why is part 3 green?", "0.2"),
        ("table", "<table><tr><td>1</td><td", "1"),
    ]


def test_statements_to_be_marked_are_rows_of_questions_without_their_boxes() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>Metal {n} is a solid.</td><td>☐</td><td>☐</td></tr>" for n in (1, 2, 3))
    head = "<tr><td>#</td><td>Statement</td><td>True</td><td>False</td></tr>"
    assert question_rows(f"<table>{head}{rows}</table>") == [
        "# Statement True False",
        *(f"{n}. Metal {n} is a solid." for n in (1, 2, 3)),
    ]


def test_divisions_in_which_numbers_begin_anew_stand_in_paths_and_others_do_not() -> None:
    lesson = (
        "# 11.1 三角形",
        "【典例精析】",
        "例1 求角。",
        "解：60。",
        "【课堂练习】",
        "1. 求 A？",
        "【课后作业】",
        "1. 求 B？",
    )
    found = find_headings(book(*lesson))
    assert [found[n] for n in (1, 4, 6)] == [
        ["11.1 三角形"],
        ["11.1 三角形", "【课堂练习】"],
        ["11.1 三角形", "【课后作业】"],
    ]


def test_exercises_with_letters_head_numbers_that_begin_anew() -> None:
    lines = [
        "# Unit 1 Tenses",
        "Exercise A Complete the sentences.",
        "1 I ____ home.",
        "2 You ____ out.",
        "Exercise B Correct the mistakes.",
        "1 He have a dog?",
        "2 They was here?",
    ]
    assert [names for _, names in labels(*lines)] == [["1", "2"], ["1", "2"]]


def test_a_line_that_says_what_to_do_with_formulas_is_none_of_the_item_before_them() -> None:
    found = worked("Solve.", "1. $x+1=2$", "2. $x+2=3$", "Solve each inequality.", "3. $x<4$", "4. $x>5$")
    assert [(label, question) for label, question, *_ in found][1:] == [("2", [2]), ("3", [3, 4]), ("4", [3, 5])]


def test_what_stands_behind_the_last_answer_of_a_line_each_is_none_of_it() -> None:
    asked = [f"{n}. What is {n} times {n}?" for n in range(1, 7)]
    told = [f"{n}. It is {n * n} in all, as everybody knows." for n in range(1, 7)]
    found = worked("# Quiz", *asked, "# Answers", *told, "Well done, all of you!")
    assert [answer for _, question, answer, _ in found if not question] == [text[3:-1] for text in told]


def test_roman_numbers_run_on_through_sections_as_others_do() -> None:
    assert [counted(label) for label in ("IX", "Exercise IV", "C", "VIM")] == [
        ("ix", "", 9),
        ("exerciseiv", "exerciseiv", 0),
        ("c", "c", 0),
        ("vim", "vim", 0),
    ]


def test_starred_numbers_labels_behind_a_sign_and_answers_called_correct_are_known() -> None:
    labelled = [item_label(text) for text in ("4*. Prove it.", "▷ Exercise 2.1 Typeset it.", "• Exercises are good.")]
    assert [label and label.label for label in labelled] == ["4", "Exercise 2.1", None]
    assert [solution_marker(text) for text in ("Correct Answer: C", "Rationale: It is.", "Correct answers count.")] == [
        "Correct Answer", "Rationale", None
    ]  # fmt: skip


def test_a_line_that_says_that_a_question_goes_on_is_furniture() -> None:
    found = find_pairs(
        book("1. What is it?", "Q 1 continued over...", "---", "Question 1 (cont.)", "(b) Why?", "2. Who?")
    )
    assert [(p.label, p.question) for c in found for p in c.pairs] == [("1", [0, 3]), ("2", [4])]


def test_a_key_of_numbers_and_letters_is_one_however_its_cells_are_read_and_whatever_heads_it() -> None:
    asked = [
        line for n in range(1, 9) for line in (f"{n}. Fecha de la batalla {n}", f"a) {1800 + n}", f"b) {1900 + n}")
    ]
    found = worked("# Historia", *asked, "# Plantilla", "1 b", "2 a", "3 a 6 b 8 a", "4 b 7 a", "5 a")
    told = {label: answer for label, question, answer, _ in found if not question}
    assert [label for label, question, *_ in found if question] == list("12345678")
    assert told == {"1": "b", "2": "a", "3": "a", "4": "b", "5": "a", "6": "b", "7": "a", "8": "a"}


def test_slides_that_say_which_questions_or_answers_follow() -> None:
    found = worked(
        *("# Round 1", "Questions 1 to 3", "1. Who?", "2. Where?", "3. When?"),
        *("# Round 1", "Question 4", "4. Why?"),
        *("# Round 1", "Answers 1 to 4", "1. Mercury", "2. In the sky", "3. At night", "4. It is near."),
        *("# Round 2", "Questions 5 to 6", "5. What is it?", "6. How far is it?"),
        *("# Round 2", "Answers 5 to 6", "5. A star", "6. Ten light-years"),
    )
    assert [(label, bool(question)) for label, question, *_ in found] == [
        *((n, True) for n in "1234"),
        *((n, False) for n in "1234"),
        *((n, True) for n in "56"),
        *((n, False) for n in "56"),
    ]


def test_a_word_alone_over_numbers_of_other_things_is_a_label() -> None:
    asked = ["1. Who was it?", "2. Where was it?"]
    found = worked("Exercise 1", *asked, "Exercise 2", *asked, "Exercise 3", *asked)
    assert [label for label, *_ in found if len(label) > 1] == ["Exercise 1", "Exercise 2", "Exercise 3"]


def test_exercises_with_solutions_of_their_own_are_no_answers_to_those_with_the_same_numbers() -> None:
    blanks = [f"{n}. 设 x 等于 {n}，则 x 的平方等于 ____ ．" for n in range(1, 5)]
    proofs = [
        line for n in range(1, 5) for line in (f"{n}. 计算由点 A 到直线的距离，第 {n} 种情形。", f"解. 原式等于 {n}．")
    ]
    found = worked("# 一、填空题", *blanks, "# 二、计算题", *proofs)
    assert [(label, bool(question), bool(solution)) for label, question, _, solution in found] == [
        *((str(n), True, False) for n in range(1, 5)),
        *((str(n), True, True) for n in range(1, 5)),
    ]


def test_a_word_before_the_word_for_a_section_is_no_label_of_items() -> None:
    marks = [read_mark(text) for text in ("Abschnitt 1", "Zu Abschnitt 1", "Übung 1")]
    assert [mark and mark.dress.role for mark in marks] == ["heading", "heading", "question"]


def test_groups_over_answers_are_those_over_questions_and_points_go_on_with_numbers() -> None:
    choice = [line for n in range(1, 5) for line in (f"{n}．下列说法正确的是", "A． 甲", "B． 乙")]
    blanks = [f"{n}．汽车行驶 {n} m，路程是 ____ m。" for n in range(5, 9)]
    cells = "".join(f"<td>{n}</td>" for n in range(1, 5)), "".join(f"<td>{letter}</td>" for letter in "ABBA")
    table = f"<table><tr><td>题号</td>{cells[0]}</tr><tr><td>答案</td>{cells[1]}</tr></table>"
    found = worked(
        *("# 一、单项选择题（共 40 分）", *choice, "# 二、填空题（共 24 分）", *blanks),
        *("# 参考答案", "# 一、单项选择题", f"| {table}", "# 二、填空题", "5．1800", "6．200", "7．6 相反", "8．40"),
    )
    assert [(label, answer) for label, question, answer, _ in found if not question] == [
        *zip("1234", "ABBA", strict=True),
        ("5", "1800"),
        ("6", "200"),
        ("7", "6 相反"),
        ("8", "40"),
    ]


def test_labels_of_a_marking_scheme_may_stand_in_one_cell_with_their_answers() -> None:
    rows = ["Question Expected answer|Marks", "Section A|", "1 B|1", "2 400 boxes (700 less 300).|2", "Section B|"]
    rows += ["3 Costs fall (1), up to|3", "3 for each reason.|", "Total|6"]
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row.split('|'))}</tr>" for row in rows)
    assert table_answers(f"<table>{cells}</table>") == [
        (1, "B"),
        (2, "400 boxes (700 less 300)."),
        (3, "Costs fall (1), up to 3 for each reason."),
    ]
    other = cells.replace("Expected answer", "x").replace("Question", "Town").replace("Marks", "km")
    assert table_answers(f"<table>{other}</table>") == []


def test_blanks_drawn_one_below_the_other_part_no_line(sheet: Sheet) -> None:
    asked = [
        ("When I was", 240, "(be) a child, we used to spend the summers on the coast."),
        ("Yesterday my sister", 279, "(lose) the keys on the bus to the town."),
        ("While we were all eating,", 300, "(ring) the telephone in the hall."),
        ("In those days the old people", 323, "(travel) less than they do now."),
        ("Last Monday the pupils did not", 330, "(do) all of their homework."),
    ]
    for n, (opens, right, goes_on) in enumerate(asked, 1):
        sheet.text(71, 100 + 20 * n, f"({n})", 11)
        sheet.text(102, 100 + 20 * n, opens, 11)
        sheet.line(105 + stringWidth(opens, "Helvetica", 11), 102 + 20 * n, right - 3, 102 + 20 * n)
        sheet.text(right, 100 + 20 * n, goes_on, 11)
    assert [text for _, text in kinds(sheet)] == [
        f"({n}) {opens} ____ {goes_on}" for n, (opens, _, goes_on) in enumerate(asked, 1)
    ]


def test_no_answers_begin_between_groups_of_one_count() -> None:
    def paper(groups: bool) -> list[str]:
        head = ("一、", "二、") if groups else ("", "")
        choice = [line for n in range(1, 7) for line in (f"{n}. 下列说法正确的是", "A. 甲", "B. 乙")]
        return [
            f"# {head[0]}选择题",
            *choice,
            f"# {head[1]}解答题",
            *(f"{n}. 已知三角形 {n}，作它的高。" for n in range(1, 7)),
        ]

    assert [bool(question) for _, question, *_ in worked(*paper(groups=True))] == [True] * 12
    assert [bool(question) for _, question, *_ in worked(*paper(groups=False))] == [True] * 6 + [False] * 6
