"""The forms in which answer books print short answers: ranges, crowded lines, tables with and without rules."""

from pathlib import Path

import pytest

from dataflow_ext import run
from operators.pdf.blocks import Block, ContentItem
from operators.pdf.mineru_input import flatten
from operators.pdf.numbering import find_labels, item_label
from operators.pdf.rules import find_pairs
from operators.pdf.rules.tables import table_answers, worded_answers
from pipelines.pdf_vqa import documents, pipeline
from tests.pdf.rules_book import book, labels, read_rows
from tests.pdf.sheets import Sheet


def told(*lines: str, asked: int = 15) -> str:
    """``label answer`` of each answer that stands below 参考答案, one string; a book of questions is before it."""
    questions = ["# 第一章 数", *(f"{n}. 求第{n}个数的值，其中 x＋{n}＝9．" for n in range(1, asked + 1))]
    pairs = [p for c in find_pairs(book(*questions, "# 参考答案", *lines)) for p in c.pairs]
    assert [p.label for p in pairs if p.question] == [str(n) for n in range(1, asked + 1)]
    return ", ".join(f"{p.label} {p.answer}".strip() for p in pairs if not p.question)


def sized(text: str, level: int) -> Block:
    return Block(0, "text", text, level=level)


def table(*rows: str) -> str:
    """A line for a table: cells parted by spaces, ``-`` for an empty one."""
    cells = (row.split() for row in rows)
    html = "".join("<tr>" + "".join(f"<td>{'' if c == '-' else c}</td>" for c in row) + "</tr>" for row in cells)
    return f"| <table>{html}</table>"


@pytest.mark.parametrize(
    "line",
    [
        "1~5 DBACB", "1～5DBACB", "1-5: D B A C B", "1—5．D、B、A、C、B", "1--5DBACB", "1．～5．DBACB", "1. ~5. DBACB",
        "(1)~(5) DBACB", "（1)—(5）D B A C B", "１～５　ＤＢＡＣＢ", "1至5题 DBACB", "一、选择题 1~5 DBACB", "-、1~5 DBACB",
        "1〜5 DB ACB",
    ],
)  # fmt: skip
def test_a_range_of_answers_in_any_print_is_one_answer_a_question(line):
    assert told(line) == "1 D, 2 B, 3 A, 4 C, 5 B"


def test_several_ranges_stand_on_one_line():
    wanted = "1 D, 2 B, 3 A, 4 √, 5 ×, 6 √"
    assert told("1--3DBA 4--6 √×√") == told("1~3：DBA；4~6：√×√") == told("1-3 DBA", "4-6 √×√") == wanted


def test_true_and_false_are_answers_in_letters_signs_or_words():
    assert told("1~3 TFT", "4~6 对错错", "7~8 ×√") == "1 T, 2 F, 3 T, 4 对, 5 错, 6 错, 7 ×, 8 √"


def test_questions_with_several_right_options_are_parted_by_spaces_or_commas():
    assert told("1~3 AC BD ABC") == told("1~3 AC，BD，ABC") == "1 AC, 2 BD, 3 ABC"


def test_a_range_that_does_not_come_out_even_is_no_answer():
    assert told("1~4 DBA", "6. 8", "7. 9") == "6 8, 7 9"


@pytest.mark.parametrize("text", ["1~5 Apples cost 3 yuan", "3-4 Therefore", "2~3 Bob", "1~2 个正确", "0.1~5 DBACB"])
def test_words_behind_two_numbers_are_no_range(text):
    assert [m.label for m in find_labels(text)] in ([], ["1"])


def test_grouped_short_answers_are_read_to_their_end():
    lines = ["二、填空题 6. 30% 7. 7/4 8. 5 9. 13/6 10. 82", "11. 35 12. 151 13. 62.8 14. 96 15. 21"]
    assert told(*lines) == (
        "6 30%, 7 7/4, 8 5, 9 13/6, 10 82, 11 35, 12 151, 13 62.8, 14 96, 15 21"
    )  # fmt: skip


def test_labels_that_touch_the_answer_are_found_where_the_line_counts_on():
    assert told("二、填空题 1.30% 2.7/4 3.5 4.13/6 5.82") == "1 30%, 2 7/4, 3 5, 4 13/6, 5 82"
    assert told("1.D2.B3.A4.C") == "1 D, 2 B, 3 A, 4 C"
    assert told("1~5 DBACB 6.30% 7．6.28") == "1 D, 2 B, 3 A, 4 C, 5 B, 6 30%, 7 6.28"


def test_decimals_in_answers_are_no_labels():
    assert told("1. 2.5 2. 3.4 3. 4.7") == "1 2.5, 2 3.4, 3 4.7"
    assert told("1. 8", "2. 高为 3.5 米", "3. 6") == "1 8, 2 高为 3.5 米, 3 6"
    assert told("1. 2.5 2. 宽 3.5 米 3. 7", "4. 5") == "1 2.5, 2 宽 3.5 米, 3 7, 4 5"


@pytest.mark.parametrize("one", ["一、", "-、", "—、", "–、", "ー、"])
def test_a_parts_number_that_ocr_took_for_a_dash_hides_no_label(one):
    explained = ["3. A 【解析】设半径为 r 米．", "猫先到．", "二、4. 30%【解析】把人数看作 5 份．"]
    assert told(f"{one}1. D 2. B", *explained) == "1 D, 2 B, 3 A, 4 30%"


def test_a_parts_heading_with_such_a_dash_stays_a_part():
    lines = ["# 第一章 数", "-、选择题", "1. 求 a（）", "2. 求 b（）", "二、填空题", "3. 求 c 的值是____．"]
    assert labels(*lines) == [([0], ["1", "2", "3"])]


def test_a_minus_before_a_number_opens_nothing():
    assert [item_label(text) for text in ("-1. 5", "- 1. 5", "-3、4", "−2")] == [None] * 4


@pytest.mark.parametrize(
    "rows",
    [
        ("题号 1 2 3", "答案 D B A"),
        ("No. 1 2 3", "Answer D B A"),
        ("1 2 3", "D B A"),
        ("题号 1 2", "答案 D B", "题号 3 -", "答案 A -"),
        ("题号 1． 2． 3．", "答案 D． B． A．"),
        ("题号 １ ２ ３", "答案 Ｄ Ｂ Ａ"),
        ("题号 (1) (2) (3)", "答案 D B A"),
        ("一、选择题", "题号 1 2 3", "答案 D B A"),
        ("题号 答案", "1 D", "2 B", "3 A"),
        ("题号 答案 题号 答案", "1 D 3 A", "2 B - -"),
        ("1~2 DB", "3~3 A"),
    ],
)
def test_tables_of_answers_in_rows_columns_and_bands(rows):
    assert told(table(*rows)) == "1 D, 2 B, 3 A"


@pytest.mark.parametrize(
    "rows",
    [
        ("x 1 2 3", "y 2 4 6"),
        ("x y", "1 2", "2 4"),
        ("题号 1 2 3", "得分 - - -"),
        ("题号 1 2 1", "答案 D B A"),
        ("名称 数量", "笔 3", "纸 5"),
    ],
)
def test_other_tables_give_no_answers(rows):
    assert table_answers(table(*rows)) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["题号 1 2 3 4 5", "答案 D B A C B"],
        ["题 号 1 2 3 4 5", "答 案 DBACB"],
        ["题号 1 2 3 4 5 答案 D B A C B"],
        ["题号 1 2 3 4 5答案 D B A C B"],
        ["题号 1 2 3", "答案 D B A", "题号 4 5", "答案 C B"],
        ["一、选择题 1~3 DBA题号 4 5", "答案 C B"],
        ["No. 1 2 3 4 5", "Answers: D B A C B"],
        ["1 2 3 4 5", "D B A C B"],
        ["1. 2. 3. 4. 5.", "DBACB"],
    ],
)
def test_a_table_without_rules_is_read_from_the_words_of_its_rows(lines):
    assert told(*lines) == "1 D, 2 B, 3 A, 4 C, 5 B"


def test_answers_in_such_a_table_may_be_numbers_under_its_heads_only():
    assert worded_answers("题号 1 2 3\n答案 7 1/2 30%") == ([(1, "7"), (2, "1/2"), (3, "30%")], 0)
    assert worded_answers("1 2 3\n7 8 9") == worded_answers("题号 1 2 3\n答案 7 8") == ([], 0)


def test_what_stands_below_such_a_table_is_read_on():
    assert told("题号 1 2 3", "答案 D B A", "4. 30% 5. 82", "6. 5") == "1 D, 2 B, 3 A, 4 30%, 5 82, 6 5"


def test_a_long_run_of_letters_is_read_in_no_time():
    assert worded_answers("1 2 3 " + "A" * 5_000 + "!") == ([], 0)


def test_short_answers_and_the_same_ones_explained_come_out_once_each():
    blocks = book(
        "1.2023 年小升初真卷(三)",
        "快速对答案",
        "一、选择题 1~3 DBA",
        "二、填空题 4. 30% 5. 13/6",
        "详解详析",
        "-、1. D 2. B",
        "3. A【解析】设宽为 x 米．",
        "所以选 A．",
        "二、4. 30%【解析】看作 10 份．",
        "5. 13/6【解析】通分．",
    )
    for block in blocks:
        block.file = 1
    asked = book("1.2023 年小升初真卷(三)", *(f"{n}. 求第{n}个数的值，其中 x＋{n}＝9．" for n in range(1, 6)))
    both = [*asked, *blocks]
    for at, block in enumerate(both):
        block.id = at
    asked_again, told_again = find_pairs(both)
    assert [p.label for p in asked_again.pairs] == list("12345")
    assert [(p.label, p.answer, [both[i].text[:5] for i in p.solution]) for p in told_again.pairs] == [
        ("1", "D", []),
        ("2", "B", []),
        ("3", "A", ["3. A【", "所以选 A"]),
        ("4", "30%", ["二、4. "]),
        ("5", "13/6", ["5. 13"]),
    ]
    assert [both[i].text for c in (asked_again, told_again) for i in c.title] == ["1.2023 年小升初真卷(三)"] * 2


def test_two_pdfs_are_matched_by_label_and_an_answer_too_many_is_a_reject(tmp_path: Path):
    questions, answers = Sheet(tmp_path / "q.pdf"), Sheet(tmp_path / "a.pdf")
    questions.text(60, 60, "第一章 数", 15)
    questions.lines(60, 100, [f"{n}. 求第{n}个数的值，其中x＋{n}＝9。" for n in range(1, 7)], step=24)
    answers.text(60, 60, "参考答案", 15)
    answers.lines(60, 100, ["一、选择题 1~3 DBA", "题号   4   5", "答案   C   B"], step=24)
    answers.lines(60, 190, ["6. 30% 7. 82"])
    steps = pipeline(image_dir=tmp_path / "pictures")
    result = run(steps, documents([questions.save()], answers.save()))
    rows = [(row["label"], row["answer"]) for row in result.table.to_pylist()]
    assert rows == [("1", "D"), ("2", "B"), ("3", "A"), ("4", "C"), ("5", "B"), ("6", "30%")]
    assert [r["error"] for r in result.rejects.to_pylist()] == ["AnswerWithoutQuestion"]


def test_where_the_last_short_answer_sends_its_reader_is_no_part_of_it():
    assert told("1. 25 2. 18解答题请看“详解详析”P3") == told("1. 25", "2. 18 详见解析") == "1 25, 2 18"


def test_a_numbered_advert_on_the_first_page_of_an_answer_book_is_no_question():
    asked = book("# 第一章 数", *(f"{n}. 求第{n}个数的值，其中 x＋{n}＝9．" for n in range(1, 4)))
    advert = ["# 超全答案解析", "# 扫码即享", "1. 试卷的电子版答案", "2. 视频课的答案", "答案详解详析"]
    answers = book(*advert, "# 第一章 数", "1~3 DBA")
    for block in answers:
        block.file, block.id = 1, block.id + len(asked)
    pairs = [p for c in find_pairs([*asked, *answers]) for p in c.pairs]
    assert [(p.label, bool(p.question), p.answer) for p in pairs] == [
        *((n, True, "") for n in "123"),
        ("1", False, "D"),
        ("2", False, "B"),
        ("3", False, "A"),
    ]


def test_notes_on_answers_behind_a_key_of_letters_say_why() -> None:
    asked = [f"{n}. Which rock?" for n in range(1, 5)]
    key = ["# Answers", "| <table><tr><td>Question</td><td>1</td><td>2</td><td>3</td><td>4</td></tr>"
           "<tr><td>Answer</td><td>C</td><td>A</td><td>B</td><td>D</td></tr></table>"]  # fmt: skip
    notes = ["# Notes on some answers", "2. It is made from magma there.", "4. A fault cuts the layers below."]
    rows = {row["label"]: (row["answer"], row["solution"]) for row in read_rows("# Rocks", *asked, *key, *notes)}
    assert rows == {
        "1": ("C", ""),
        "2": ("A", "It is made from magma there"),
        "3": ("B", ""),
        "4": ("D", "A fault cuts the layers below"),
    }


def test_numbers_before_questions_with_a_word_say_how_to_fill_in_the_paper() -> None:
    told = ["# Instrukcja dla zdającego", "1. Sprawdź, czy arkusz jest cały.", "2. Pisz czytelnie."]
    asked = [f"Zadanie {n}. Podaj liczbę {n}." for n in range(1, 6)]
    assert [row["label"] for row in read_rows(*told, "# Część I", *asked)] == ["1", "2", "3", "4", "5"]


def test_words_that_introduce_answers_below_their_labels_are_none_of_these() -> None:
    asked = [f"Zadanie {n}. Podaj liczbę {n}." for n in range(1, 5)]
    told = ["Zadanie 1. (0–1)", "Poprawna odpowiedź: B", "Zadanie 2. (0–2)", "Poprawna odpowiedź: 1. P, 2. F, 3. P",
            "Zadanie 3. (0–1)", "Poprawna odpowiedź: 1795", "Zadanie 4. (0–1)", "Wystarczy podać jedną liczbę."]  # fmt: skip
    rows = [(row["label"], row["answer"]) for row in read_rows("# Historia", *asked, "# Rozwiązania", *told)]
    assert rows[:3] == [("1", "B"), ("2", "1. P, 2. F, 3. P"), ("3", "1795")]


def test_what_a_label_alone_asks_is_no_lead_of_the_next_questions() -> None:
    lines = [
        "Exercice 1",
        "Donner la base des acides suivants : HNO 3 et HCl.",
        "Exercice 2",
        "Vrai ou faux ?",
        "Exercice 3",
        "Pourquoi ?",
        "Exercice 4",
        "Où ?",
    ]
    assert [row["question"] for row in read_rows("# Acides", *lines)] == [
        "Exercice 1\nDonner la base des acides suivants : HNO 3 et HCl.",
        "Exercice 2\nVrai ou faux ?",
        "Exercice 3\nPourquoi ?",
        "Exercice 4\nOù ?",
    ]


def test_headings_that_stand_right_before_the_answers_of_their_exercises_are_blocks_of_their_own() -> None:
    asked = [
        sized("1.1 Speed", 2),
        sized("Exercises 1.1", 3),
        "1. How fast?",
        "2. How far?",
        sized("Exercises 1.2", 3),
        "1. How long?",
        "2. Why?",
    ]
    key = [sized("Answers", 1), "Exercises 1.1 1. 30 m/s 2. 5 km", "Exercises 1.2 1. 4 s 2. It falls."]
    items = [
        ContentItem("text", b.text, b.level) if isinstance(b, Block) else ContentItem("text", b) for b in [*asked, *key]
    ]
    assert [(block.text, block.level) for block in flatten(items)][7:] == [
        ("Answers", 1),
        ("Exercises 1.1", 3),
        ("1. 30 m/s 2. 5 km", None),
        ("Exercises 1.2", 3),
        ("1. 4 s 2. It falls.", None),
    ]
    rows = [(row["question"], row["answer"]) for row in read_rows(*flatten(items))]
    assert rows == [
        ("1. How fast?", "30 m/s"),
        ("2. How far?", "5 km"),
        ("1. How long?", "4 s"),
        ("2. Why?", "It falls"),
    ]


def test_no_worksheet_answers_the_one_before_it() -> None:
    sheets = [sized("Worksheet 1A – Tenses", 2), "1. He ____ (go) there.", "2. We ____ (eat) it.", "3. They ____ (see) us.", "4. You ____ (say) it.",
              sized("Worksheet 1B – Time", 2), "1. What time is it? Write it in words.", "2. Write the numbers.", "3. Choose the right word."]  # fmt: skip
    assert [(row["label"], row["status"]) for row in read_rows("# English", *sheets)] == [
        (label, "unanswered") for label in ("1", "2", "3", "4", "1", "2", "3")
    ]


def test_results_in_brackets_are_those_of_the_problems_behind_a_test() -> None:
    test = [f"{n}. Is it true?" for n in range(1, 7)]
    problems = [f"{n}. How large is it? [{n} {unit}]" for n, unit in enumerate(("m", "kg", "s", "N", "J"), 7)]
    rows = {row["label"]: row["answer"] for row in read_rows("# Physics", *test, *problems)}
    assert rows == {
        **{str(n): "" for n in range(1, 7)},
        "7": "7 m",
        "8": "8 kg",
        "9": "9 s",
        "10": "10 N",
        "11": "11 J",
    }


def test_answers_to_chosen_exercises_are_answers() -> None:
    asked = [f"Aufgabe {n}. Bestimme x." for n in range(1, 5)]
    rows = {
        row["label"]: row["answer"]
        for row in read_rows("# Gleichungen", *asked, "# Lösungen ausgewählter Aufgaben", "1. x = 4", "3. x = 9")
    }
    assert rows == {"1": "x = 4", "2": "", "3": "x = 9", "4": ""}


def test_parts_below_a_line_that_begins_with_its_marks_and_a_first_part_are_no_answers_of_their_own() -> None:
    rows = read_rows(
        "# 高一物理试题",
        "1．（12 分）质点由静止开始做匀加速直线运动，求它的加速度．",
        "2．（14 分）物体受到拉力的作用，求它的位移．",
        "3．（16 分）小物块由静止滑下，求它的速度．",
        "# 高一物理试题参考答案",
        "1．（12 分）解：（1）平均速度为 6 m/s．（3 分）",
        "（2）加速度为 4．（6 分）",
        "2．（14 分）解：（1）摩擦力为 6 N．（4 分）",
        "（2）加速度为 2，方向相同．（5 分）",
        "（3）位移为 9 m．（5 分）",
        "3．（16 分）解：（1）加速度为 5．（5 分）",
        "（2）末速度为 10 m/s．（5 分）",
        "（3）滑行距离为 10 m．（6 分）",
    )
    assert [(row["label"], row["answer"], row["solution"].count("\n")) for row in rows] == [
        ("1", "", 1),
        ("2", "", 2),
        ("3", "", 2),
    ]


@pytest.mark.parametrize("worth", ["（6分）", "(6 marks)", "【6 分】"])
def test_what_an_answer_is_worth_is_not_the_answer(worth: str) -> None:
    solved = f"1．{worth}解：由题意得 x＝4，所以 x 的值为 4．"
    rows = read_rows("# 第一章 数", "1．求 x 的值．", "2．求 y 的值．", "# 参考答案", solved, "2．5")
    assert [(row["label"], row["answer"], row["solution"]) for row in rows] == [("1", "", solved), ("2", "5", "")]
