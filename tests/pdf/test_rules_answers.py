"""Where answers stand, by rules: behind each chapter, numbered 1), or in a file of their own without a heading."""

from operators.pdf.blocks import Block
from operators.pdf.rules import find_pairs


def found(*files: list[str]) -> list[tuple[str, list[tuple[str, bool, str]]]]:
    """Title, and for each pair label, whether it has a question, and answer; ``#`` marks a heading."""
    blocks: list[Block] = []
    for file, lines in enumerate(files):
        for line in lines:
            level = 1 if line.startswith("#") else None
            blocks.append(Block(len(blocks), "text", line.lstrip("#"), level, file=file))
    return [
        (" ".join(blocks[i].text for i in c.title), [(p.label, bool(p.question), p.answer) for p in c.pairs])
        for c in find_pairs(blocks)
    ]


def asked(count: int) -> list[tuple[str, bool, str]]:
    return [(str(n), True, "") for n in range(1, count + 1)]


def test_answers_behind_every_chapter_close_it_and_the_next_title_opens_questions_again():
    chapter = [f"{n}. Find the value of x{n}." for n in range(1, 6)]
    book = ["#Chapter 1", "#Exercises", *chapter, "#Answers", *(f"{n}. {n}" for n in range(1, 6)),
            "#Chapter 2", "#Exercises", *chapter, "#Answers", *(f"{n}. {2 * n}" for n in range(1, 6))]  # fmt: skip
    assert found(book) == [
        ("Chapter 1", asked(5)),
        ("Chapter 1", [(str(n), False, str(n)) for n in range(1, 6)]),
        ("Chapter 2", asked(5)),
        ("Chapter 2", [(str(n), False, str(2 * n)) for n in range(1, 6)]),
    ]


def test_papers_with_answers_behind_each_of_them_in_chinese():
    book = ["#第一单元测试卷", *(f"{n}. 求x的值，其中x＋{n}＝3．" for n in range(1, 6)), "#参考答案",
            *(f"{n}. {n}" for n in range(1, 6)), "#第二单元测试卷", *(f"{n}. 计算{n}＋3的值．" for n in range(1, 6)),
            "#参考答案", *(f"{n}. {2 * n}" for n in range(1, 6))]  # fmt: skip
    assert found(book) == [
        ("第一单元测试卷", asked(5)),
        ("第一单元测试卷", [(str(n), False, str(n)) for n in range(1, 6)]),
        ("第二单元测试卷", asked(5)),
        ("第二单元测试卷", [(str(n), False, str(2 * n)) for n in range(1, 6)]),
    ]


QUESTIONS = ["Find the angle x.", "What is the area of the square?", "Compute 3 + 4."]
ANSWERS = [("1", False, "70°"), ("2", False, "60 sq. cm"), ("3", False, "7")]


def test_answers_that_are_numbered_with_a_bracket_are_read():
    sheet = ["#Worksheet 7", *(f"{n}) {q}" for n, q in enumerate(QUESTIONS, 1))]
    answers = ["#Answers", "1) 70°", "2) 60 sq. cm", "3) 7"]
    assert found(sheet, answers) == found(sheet + answers) == [("Worksheet 7", asked(3)), ("Worksheet 7", ANSWERS)]


def test_a_second_file_is_the_answers_even_without_a_heading():
    sheet = ["#Worksheet 7", *(f"{n}. {q}" for n, q in enumerate(QUESTIONS, 1))]
    answers = ["1. 70°", "2. 60 sq. cm", "3. 7"]
    assert found(sheet, answers) == [("Worksheet 7", asked(3)), ("Worksheet 7", ANSWERS)]


SOLUTIONS = [
    "1. Let the angle be x, then x is 70°.",
    "2. If the side is given, use the formula. It is 60.",
    "3. Draw a line. Find where it meets the other one.",
    "4. Suppose it were not. Is 7 even? It is odd.",
]


def test_worked_solutions_that_sound_like_questions_repeat_the_questions_numbers():
    chapter = [f"{n}. Find the value of x{n}." for n in range(1, 5)]
    sheet = ["#First Things", "#Exercises", *chapter]
    wanted = [(str(n), False) for n in range(1, 5)]
    for title in ("Solutions", "Solutions to the Exercises", "Mark Scheme and Answers"):
        told = found([*sheet, f"#{title}", *SOLUTIONS])
        assert [[pair[:2] for pair in pairs] for _, pairs in told[1:]] == [wanted]
    titled = found([*sheet, "#Solutions", "#First Things", *SOLUTIONS])
    assert [[pair[:2] for pair in pairs] for _, pairs in titled[1:]] == [wanted]


def test_worked_solutions_without_headings_begin_anew_with_the_next_chapters():
    asked_twice = [
        line for title in ("#Chapter 1", "#Chapter 2") for line in (title, *(f"{n}. Find x{n}." for n in range(1, 5)))
    ]
    told = found([*asked_twice, "#Solutions", *SOLUTIONS, *SOLUTIONS])
    assert [(title, len(pairs)) for title, pairs in told] == [
        ("Chapter 1", 4),
        ("Chapter 2", 4),
        ("Solutions", 4),
        ("", 4),
    ]


def test_a_title_that_promises_solutions_opens_no_answers():
    solved = [line for n in range(1, 5) for line in (f"Problem {n}", f"Find the sum of {n} and 7.", "Solution", "Add.")]
    wanted = [("1 Counting", [(f"Problem {n}", True, "") for n in range(1, 5)])]
    for promise in ("for the first year, with solutions", "练习与测试（含答案）", "期末试卷 附解析"):
        assert found([promise, "#1 Counting", *solved]) == wanted


def test_a_heading_of_answers_before_anything_is_asked_opens_none_unless_answers_follow():
    solved = [line for n in range(1, 5) for line in (f"Problem {n}", f"Find the sum of {n} and 7.", "Solution", "Add.")]
    wanted = [("1 Counting", [(f"Problem {n}", True, "") for n in range(1, 5)])]
    assert found(["Problems and solutions", "#1 Counting", *solved]) == wanted
    assert found(["#Answers", "1. 70°", "2. 8", "3. 7"]) == [
        ("Answers", [("1", False, "70°"), ("2", False, "8"), ("3", False, "7")])
    ]


def test_a_demand_for_the_general_solution_heads_no_answers():
    sheet = ["1. Here is an equation.", "(a) Find the general solution.", "2. Find the special solution.", "3. Find y."]
    (chapter,) = find_pairs([Block(i, "text", line) for i, line in enumerate(sheet)])
    assert [(pair.label, pair.question) for pair in chapter.pairs] == [("1", [0, 1]), ("2", [2]), ("3", [3])]


def test_numbered_instructions_of_a_paper_are_no_questions():
    asking = [f"{n}. Find the value of x{n}." for n in range(1, 6)]
    told = ["1. Answer all questions in the booklet.", "2. Do not open it before you are told to.",
            "3. Each question carries five marks."]  # fmt: skip
    assert found(["#Instructions to candidates", *told, *asking]) == [("", asked(5))]
    chinese = ["注意事项：", "1．本试卷满分120分，考试时间120分钟。", "2．答案写在答题卡上。", "一、选择题"]
    assert found([*chinese, *asking]) == [("", asked(5))]


def test_numbered_questions_before_a_count_that_begins_anew_are_no_instructions():
    asking = [f"{n}. Find the value of x{n}." for n in range(1, 4)]
    assert found(["#Sheet 1", *asking, "#Sheet 2", *asking]) == [("Sheet 1", asked(3)), ("Sheet 2", asked(3))]


def test_a_solution_that_is_a_letter_of_the_options_is_an_answer():
    told = found(
        ["#Quiz", "1. Which is true?", "(A) This.", "(B) That.", "Solution: B", "2. Why?", "Solution: It rains."]
    )
    assert told == [("Quiz", [("1", True, "B"), ("2", True, "")])]


def test_a_mark_scheme_in_tables_answers_the_questions_by_the_labels_of_its_rows():
    sheet = ["#Paper 2", *(f"{n}. Find the value of x{n}." for n in range(1, 6))]
    head = "<tr><th>Question</th><th>Scheme</th><th>Marks</th></tr>"
    first = (
        f"<table>{head}<tr><td>1</td><td>Adds one &lt; two.</td><td>M1 A1</td></tr>"
        "<tr><td rowspan='2'>2</td><td>Subtracts.</td><td>M1</td></tr><tr><td>Obtains 4.</td><td>A1</td></tr>"
        "<tr><td>3(a)</td><td>Draws it.</td><td>B1</td></tr><tr><td>(b)</td><td>Reads it.</td><td>B1</td></tr></table>"
    )
    second = (
        f"<table>{head}<tr><td>4</td><td>Seven.</td><td>2 marks</td></tr>"
        "<tr><td>5</td><td>Eight.</td><td>1</td></tr></table>"
    )
    texts = [*sheet, "#Mark scheme", first, second]
    blocks = [
        Block(i, "table" if "<" in t else "text", t.lstrip("#"), 1 if "#" in t else None) for i, t in enumerate(texts)
    ]
    answers = [(pair.label, pair.answer) for pair in find_pairs(blocks)[1].pairs]
    assert answers == [
        ("1", "Adds one < two"),
        ("2", "Subtracts. Obtains 4"),
        ("3", "(a) Draws it. (b) Reads it"),
        ("4", "Seven"),
        ("5", "Eight"),
    ]


def test_questions_that_say_their_marks_are_no_instructions():
    asking = [f"{n}. Find the value of x{n}. [4 marks]" for n in range(1, 4)]
    assert found([*asking, "#Answers", "1. 70°", "2. 8", "3. 7"]) == [
        ("", asked(3)),
        ("Answers", [("1", False, "70°"), ("2", False, "8"), ("3", False, "7")]),
    ]
    assert found(["#Sheet 1", *asking, "#Sheet 2", *asking]) == [("Sheet 1", asked(3)), ("Sheet 2", asked(3))]


def test_what_every_question_is_worth_in_words_nobody_knows_makes_it_no_instruction():
    asked = [f"{n}. [Maximum mark: {n + 3}] Find the number that is {n} times its root." for n in range(1, 5)]
    told = [f"{n}. The number is {n * n}, by squaring both sides of it." for n in range(1, 5)]
    found = find_pairs([Block(i, "text", text) for i, text in enumerate(["Instructions", *asked, "Answers", *told])])
    assert [(pair.label, bool(pair.question)) for chapter in found for pair in chapter.pairs] == [
        (str(n), asks) for asks in (True, False) for n in range(1, 5)
    ]


def test_results_in_brackets_at_the_end_of_questions_are_answers_and_points_are_none():
    results = ["120 km/h", "10 m/s; 25 m/s", "31 m", "the second"]
    texts = [f"{n}. How far does it go? [{result}]" for n, result in enumerate(results, 1)]
    points = [f"{n}. How far does it go? [{n} points]" for n in range(1, 5)]

    def answers(lines: list[str]) -> list[str]:
        return [p.answer for c in find_pairs([Block(i, "text", t) for i, t in enumerate(lines)]) for p in c.pairs]

    assert answers(texts) == results
    assert answers(points) == [""] * 4


def test_what_a_group_is_worth_makes_its_heading_over_answers_no_answer():
    names, letters = ("选择题", "判断题", "填空题"), "BDACBACDD"
    asking, told = ["#期末试卷"], ["#参考答案"]
    for group, (number, name) in enumerate(zip("一二三", names, strict=True)):
        first = 3 * group + 1
        asking.append(f"#{number}、{name}（本题共3小题，每小题{group + 4}分）")
        asking += [f"{n}. 下列各数中，哪个等于 {n}？ A. 甲 B. 乙 C. 丙 D. 丁" for n in range(first, first + 3)]
        told += [
            f"{number}、{name}（每空2分，共{group + 6}分）",
            f"{first}-{first + 2} {letters[first - 1 : first + 2]}",
        ]
    assert found([*asking, *told]) == [
        ("期末试卷", asked(9)),
        ("期末试卷", [(str(n), False, letter) for n, letter in enumerate(letters, 1)]),
    ]


def test_a_key_in_columns_that_is_read_line_by_line_answers_all():
    letters = "ABDACBCDAABB"
    questions = [f"{n}. Which one of these is right? (A) a (B) b (C) c (D) d" for n in range(1, 13)]
    key = [" ".join(f"{n}. {letters[n - 1]}" for n in range(first, 13, 4)) for first in range(1, 5)]
    assert key[0] == "1. A 5. C 9. A"
    [_, (title, told)] = found(["#Test 1", *questions, "#Answer Key", *key])
    assert (title, sorted(told, key=lambda one: int(one[0]))) == (
        "Test 1",
        [(str(n), False, letter) for n, letter in enumerate(letters, 1)],
    )
