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
from operators.pdf.pairs import part_of
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.rules import find_headings, find_pairs
from operators.pdf.rules.tables import marked_answers, question_rows, table_answers
from tests.pdf.rules_book import book, labels, read_rows, worked
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


@pytest.mark.parametrize("words", [("例", "解：", "证明："), ("Example ", "Solution. ", "Proof. ")])
def test_steps_of_a_solution_that_count_on_from_parts_asked_at_once_are_no_parts(words: tuple[str, str, str]) -> None:
    example, solved, proved = words
    lines = (
        f"{example}1 $ABC$",
        "(1) $A$",
        "(2) $B$",
        f"{solved}(1) $A=5$",
        "(2) $B=6$",
        "(3) $A<B$",
        f"{proved}$A-B<0$",
    )
    assert worked(*lines, f"{example}2 $C$", f"{solved}$C=1$") == [
        (f"{example}1".strip(), [0, 1, 2], "", [3, 4, 5, 6]),
        (f"{example}2".strip(), [7], "", [8]),
    ]


@pytest.mark.parametrize("word", ["Es.", "Übung", "Oefening"])
def test_answers_that_run_in_behind_others_are_found_by_the_numbers_that_their_count_lacks(word: str) -> None:
    asked = [f"{word} {n} {n} + {n} = ____?" for n in range(1, 5)]
    lines = ["# 1", *asked, "# Answers"]
    found = worked(*lines, f"{word} 1 2", f"{word} 2 4 {word} 3 6", f"{word} 4 8")
    assert [answer for _, question, answer, _ in found if not question] == ["2", "4", "6", "8"]


def test_a_block_of_several_answers_is_cut_at_labels_in_their_own_form() -> None:
    texts = {
        "Es. 3 1. va 2. vuole Es. 4 Libera.": (("3", "Es. 3 1. va 2. vuole"), ("4", "Es. 4 Libera.")),
        "1.1 ja 1.2* nein 1.3. doch": (("1.1", "1.1 ja"), ("1.2", "1.2* nein"), ("1.3", "1.3. doch")),
        "① 他 ② 她": (("①", "① 他"), ("②", "② 她")),
        "Übung 3 geht. 4. steht.": (("3", None), ("4", None)),
    }
    for text, parts in texts.items():
        names = [label for label, _ in parts]
        assert [(n, part_of(text, n, [other for other in names if other != n])) for n in names] == [*parts]


def test_a_key_whose_head_stands_several_times_side_by_side_is_read_column_by_column() -> None:
    rows = [["No.", "Key"] * 2, ["1.1", "B", "2.1", "D"], ["1.2", "A", "2.2", "C"]]
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    table = f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
    assert [(mark.numbers, answer) for mark, answer in marked_answers(table)] == [
        ((1, 1), "B"),
        ((1, 2), "A"),
        ((2, 1), "D"),
        ((2, 2), "C"),
    ]


def test_answers_in_brackets_that_are_called_those_for_reference_are_taken_from_their_questions() -> None:
    assert [solution_marker(text) for text in ("【参考答案】B", "参考答案：B")] == ["参考答案"] * 2
    assert worked("1．哪个正确？", "A．甲", "B．乙", "【参考答案】B") == [("1", [0, 1, 2], "B", [])]


@pytest.mark.parametrize("head", ["Answers to the test:", "Lösungen zu Test eins:", "Réponses de la page deux :"])
def test_a_key_in_its_own_heading_answers_the_questions_above_it(head: str) -> None:
    found = worked("# Test", "1. Who is it?", "2. What is it?", "3. Why is it?", f"{head} 1. b 2. c 3. a")
    assert found[3:] == [("1", [], "b", []), ("2", [], "c", []), ("3", [], "a", [])]


def test_remarks_that_stand_twice_above_the_same_numbers_are_no_headings() -> None:
    def paper(end: str) -> list[str]:
        return [f"1. Who{end}", "(Draw it.)", f"2. What{end}", "(Prove it.)", f"3. Why{end}"]

    stated = [f"{n}．甲是谁？\n【答案】{letter}".split("\n") for n, letter in enumerate("ABC", 1)]
    both = [line for some in stated for line in some] + ["4．乙是谁？"]
    assert [sorted(find_headings(book("# A", *half, "# B", *half))) for half in (paper("?"), both)] == [[0, 6], [0, 8]]


def test_a_number_that_stands_again_behind_the_next_one_opened_a_line_by_chance() -> None:
    asked = {n: f"{n}. What is {n} times {n}?" for n in range(1, 8)}
    lines = [asked[1], "2. Five numbers have a mean of 4. One is lost, and the mean is", "6. Which one was it?"]
    assert worked(*lines, *(asked[n] for n in range(3, 8))) == [
        ("1", [0], "", []),
        ("2", [1, 2], "", []),
        *((str(n), [n], "", []) for n in range(3, 8)),
    ]


@pytest.mark.parametrize(
    "head",
    ["Answer key with explanations", "Answers and rationales", "Solutions with discussion", "Answers with commentary"],
)
def test_answers_may_be_said_to_come_with_rationales(head: str) -> None:
    assert worked("# Quiz", "1. Who is it?", "2. Why is it?", f"# {head}", "1. A girl.", "2. For fun.") == [
        ("1", [1], "", []),
        ("2", [2], "", []),
        ("1", [], "A girl", []),
        ("2", [], "For fun", []),
    ]


@pytest.mark.parametrize("said", ["Correct Answer", "Correct answer", "CORRECT ANSWER"])
def test_the_letter_behind_the_words_correct_answer_is_the_answer(said: str) -> None:
    assert worked("1. Which is it?", "A. One", "B. Two", f"{said}: B", "2. Who is it?", "Right answer: Ann") == [
        ("1", [0, 1, 2], "B", []),
        ("2", [4], "Ann", []),
    ]


def test_lines_of_a_form_that_stand_alike_below_most_questions_are_no_part_of_solutions() -> None:
    pool = [(f"{n}. How long is wire {n}?", f"Solution: {n * n} m.", "Section: Networks") for n in range(1, 5)]
    assert worked("# Pool", *(line for some in pool for line in some)) == [
        (str(n), [3 * n - 2], "", [3 * n - 1]) for n in range(1, 5)
    ]


def test_letters_in_brackets_behind_the_numbers_of_a_question_pool_are_its_answers() -> None:
    def pool(*options: str) -> list[tuple[str, str]]:
        asked = [(f"{n}. ({letter}) Which wire is red?", *options) for n, letter in enumerate("BABA", 1)]
        return [(label, answer) for label, _, answer, _ in worked(*(line for some in asked for line in some))]

    assert pool("A. One", "B. Two") == [("1", "B"), ("2", "A"), ("3", "B"), ("4", "A")]
    assert not any(answer for _, answer in pool())


@pytest.mark.parametrize("line", ["Questions {} to {}", "Questions {}–{}", "第{}至{}题"])
def test_numbers_that_a_line_announces_go_on_with_a_count(line: str) -> None:
    asked = {n: f"{n} It ____ number {n}." for n in (1, 2, 3, 14, 15)}
    lines = [line.format(1, 3), *(asked[n] for n in (1, 2, 3)), line.format(14, 15), asked[14], asked[15]]
    assert [(label, question[0]) for label, question, *_ in worked(*lines)] == [
        ("1", 1),
        ("2", 2),
        ("3", 3),
        ("14", 5),
        ("15", 6),
    ]


def test_answers_keep_the_roman_numerals_of_their_questions() -> None:
    asked = ["# Quiz", *(f"{n}. Who is it?" for n in (1, 2, 3)), "# Riddles", "I. Why?", "II. What?", "III. Where?"]
    told = ["# Quiz", "1. Ann", "2. Bob", "3. Eve", "# Riddles", "I. For fun.", "II. A cat.", "III. Here."]
    found = worked(*asked, "# Answers", *told)
    assert [(label, bool(question)) for label, question, *_ in found] == [
        (label, asks) for asks in (True, False) for label in ("1", "2", "3", "I", "II", "III")
    ]


def test_circled_numbers_of_run_in_answers_are_those_of_their_questions() -> None:
    asked = ["① 甲是谁？", "② 乙是谁？", "③ 丙是谁？", "④ 丁是谁？"]
    rows = read_rows("# 练习", *asked, "# 答案", "① 他 ② 她 ③ 它", "④ 人")
    assert [(row["label"], row["answer"]) for row in rows] == [("①", "他"), ("②", "她"), ("③", "它"), ("④", "人")]


def test_instructions_that_run_on_behind_their_heading_are_no_questions() -> None:
    for head in ("注意事项：1．本试卷满分 120 分。", "考生须知 1. 本试卷满分 120 分。"):
        told = [head, "2．答题前，考生将姓名写在答题卡上。", "3．考试结束后，将试卷交回。"]
        assert worked(*told, "1．甲是谁？", "2．乙是谁？") == [("1", [3], "", []), ("2", [4], "", [])]


def test_the_shaded_cell_of_a_number_is_no_figure(sheet: Sheet) -> None:
    for n in (1, 2, 3):
        sheet.rect(60, 90 * n, 110, 90 * n + 50, 0.85)
        sheet.text(66, 90 * n + 20, f"1.{n}")
        sheet.text(120, 90 * n + 20, f"How long is the road from the town to village {n} of the valley?")
    assert kinds(sheet) == [
        ("text", f"1.{n} How long is the road from the town to village {n} of the valley?") for n in (1, 2, 3)
    ]


def test_what_explains_an_options_letter_completes_it_in_small_letters_too() -> None:
    asked = [line for n in (1, 2, 3) for line in (f"{n}. Which part is it?", "a) One", "b) Two")]
    told = ["# Answers", "1. b", "2. a", "3. b", "# Explanations"]
    rows = read_rows("# Quiz", *asked, *told, *(f"{n}. ({x}) For it grows there." for n, x in enumerate("bab", 1)))
    assert [(row["answer"], row["solution"]) for row in rows] == [
        (letter, f"({letter}) For it grows there") for letter in "bab"
    ]


def test_a_key_of_all_numbers_completes_those_that_have_a_solution() -> None:
    asked = ["1. Find x.", "Solution: x is y.", "2. Find y?", "3. Find z.", "Solution: z is x."]
    rows = read_rows("# Unit 1", *asked, "# Answers", "1. 4", "2. 5", "3. 6")
    assert [(row["label"], row["answer"], row["solution"]) for row in rows] == [
        ("1", "4", "Solution: x is y."),
        ("2", "5", ""),
        ("3", "6", "Solution: z is x."),
    ]


def test_a_block_of_two_answers_is_shown_to_each_as_its_own_part() -> None:
    told = ["1. va 2. vuole 3. sono e fanno tutto il lavoro di casa ogni giorno da soli", "Risposta libera."]
    lines = ["# Esercizi", "Es. 1 Scrivi i verbi?", "Es. 2 Scrivi una frase?", "Es. 3 Scrivi il nome?"]
    rows = read_rows(*lines, "# Soluzioni", f"Es. 1 {told[0]} Es. 2 {told[1]}", "Es. 3 Ada")
    assert [(row["answer"], row["solution"]) for row in rows] == [
        ("", f"Es. 1 {told[0]}"),
        ("Risposta libera", ""),
        ("Ada", ""),
    ]


@pytest.mark.parametrize("label", ["Es. {}", "Übung {}:"])
def test_answers_that_run_in_have_the_numbers_of_their_chapter(label: str) -> None:
    names = [label.format(f"1.{n}") for n in (1, 2, 3)]
    found = worked(
        "# 1",
        *(f"{name} Wer ist das?" for name in names),
        "# Answers",
        f"{names[0]} Ada",
        f"{names[1]} Bo {names[2]} Cy",
    )
    assert [(name, answer) for name, question, answer, _ in found if not question] == [
        ("1.1", "Ada"),
        ("1.2", "Bo"),
        ("1.3", "Cy"),
    ]


@pytest.mark.parametrize("word", ["Comment", "Lösung:", "Answer:"])
def test_items_below_which_the_same_word_explains_do_not_answer_those_of_a_word(word: str) -> None:
    asked = [(f"Item {n} Is it {n}?", f"{word} it is {n}.") for n in range(1, 5)]
    parts = [line for name in ("# Cats", "# Dogs") for line in (name, *(line for some in asked for line in some))]
    more = [(f"{n}. Square of {n}.", f"{word} it is {n * n}.") for n in range(1, 5)]
    assert [
        (label, bool(question))
        for label, question, *_ in worked(*parts, "# Birds", *(x for some in more for x in some))
    ] == [(str(n), True) for _ in range(3) for n in range(1, 5)]


@pytest.mark.parametrize("word", ["Homework", "Hausaufgaben", "Devoirs"])
def test_words_that_stand_once_in_each_numbered_section_are_its_own_however_large(word: str) -> None:
    lines: list[str | Block] = []
    for n in (1, 2, 3):
        lines += [Block(0, "text", f"Sheet {n}", 2), f"1. Who is {n}?", Block(0, "text", word, 1), f"1. Is it {n}?"]
    assert [path[0] for path in find_headings(book(*lines)).values()] == [f"Sheet {n}" for n in (1, 1, 2, 2, 3, 3)]


def test_the_name_of_a_group_of_questions_heads_their_answers_though_it_is_set_as_text() -> None:
    lines = ["# Waves", "1. Who?", "2. Why?", "# Light", "3. What?", "4. Where?", "# Heat", "1. When?", "2. How?"]
    told = ["# Answers", "Waves", "1. A man.", "2. For fun.", "Heat", "1. At night.", "2. By hand."]
    assert labels(*lines, *told)[3:] == [([10], ["1", "2"]), ([13], ["1", "2"])]


@pytest.mark.parametrize("word", ["Sheet {}", "Blad {}", "Feuille {}", "Part {letter}"])
def test_numbered_headings_that_go_on_behind_answers_head_questions(word: str) -> None:
    first, second = word.format(1, letter="A"), word.format(2, letter="B")
    asked, told = ["1. Name one.", "2. Name two."], ["1. He is.", "2. She is."]
    lines = [Block(0, "text", title, level) for title, level in ((first, 2), ("Answers", 1), (second, 2))]
    found = worked(lines[0], *asked, lines[1], *told, lines[2], "1. Name a word.", "2. Draw it.")
    assert [(label, question) for label, question, *_ in found] == [
        ("1", [1]), ("2", [2]), ("1", []), ("2", []), ("1", [7]), ("2", [8])
    ]  # fmt: skip


def test_counts_that_are_answered_are_no_instructions() -> None:
    asked = ["1. Name a metal.", "2. Name a gas.", *(f"Question {n} Who is it?" for n in range(1, 5))]
    told = ["1. Iron", "2. Neon", *(f"Question {n} It is she." for n in range(1, 5))]
    assert [(label, bool(question)) for label, question, *_ in worked("# Words", *asked, "# Answers", *told)] == [
        (label, asks) for asks in (True, False) for label in ("1", "2", *(f"Question {n}" for n in range(1, 5)))
    ]


def test_a_part_that_counts_on_behind_another_asks_as_it_does() -> None:
    asked = [f"Opgave {n} Is het {n}?" for n in range(1, 5)], [f"{n}. Zeg {n}." for n in range(1, 5)]
    assert worked("# Blad 1", *asked[0], "# Blad 2", *asked[1]) == [
        (str(n), [at + n], "", []) for at in (0, 5) for n in range(1, 5)
    ]


def test_a_white_number_numbers_the_line_beside_it(sheet: Sheet) -> None:
    for n in (1, 2, 3):
        sheet.canvas.setFillGray(1)
        sheet.bold(64, 97.5 + 40 * n, str(n), 7)
        sheet.canvas.setFillGray(0)
        sheet.text(80, 100 + 40 * n, f"How long is the road to village {n}?")
    assert [text for _, text in kinds(sheet)] == [f"{n} How long is the road to village {n}?" for n in (1, 2, 3)]


def test_two_columns_of_an_exam_are_read_as_such_though_the_first_begins_with_options(sheet: Sheet) -> None:
    options = ["A. the root", "B. the road", "C. the rope", "D. the rock"]
    columns = [
        [*options, "", "2. Which is a part?", *options],
        ["3. Which is a part?", *options, "", "4. Who?", *options[:3]],
    ]
    sheet.text(60, 80, "The questions of this part are about the plants in the garden and in the field.")
    for x, texts in zip((60, 320), columns, strict=True):
        sheet.lines(x, 100, texts)
    assert [text for _, text in kinds(sheet)][1:] == [text for texts in columns for text in texts if text]
