"""How a book's labels are learnt: dresses that count, answers that name their questions, heads of proofs."""

from __future__ import annotations

from operators.pdf.blocks import Block
from operators.pdf.merging.rows import Entry, merge
from operators.pdf.rules import find_pairs
from tests.pdf.rules_book import book, labels, placed, worked


def test_solutions_that_name_their_questions_answer_them_under_any_heading():
    assert worked(
        "# Twenty Puzzles",
        "Q 1. How old is Ann?",
        "Q 2. How old is Ben?",
        "Q 3. How old is Clara?",
        "# What the Puzzles Hide",
        "Solution to Q 1. She is eight.",
        "Solution to Q 2. He is nine.",
        "Solution to Q 3. She is as old as both of them.",
    ) == [
        ("Q 1", [1], "", []),
        ("Q 2", [2], "", []),
        ("Q 3", [3], "", []),
        ("Q 1", [], "She is eight", []),
        ("Q 2", [], "He is nine", []),
        ("Q 3", [], "She is as old as both of them", []),
    ]


def test_a_solution_on_a_slide_of_its_own_stands_with_its_question():
    assert worked(
        "# Question 1",
        "Sort the letters.",
        "# Solution 1",
        "Ten moves are needed.",
        "# Question 2",
        "Name a stable method.",
        "# Solution 2",
        "Merging is stable.",
    ) == [("Question 1", [0, 1], "", [3]), ("Question 2", [4, 5], "", [7])]


def test_labels_that_stand_once_more_with_the_same_words_each_time_open_solutions():
    slides = [line for n in (1, 2, 3) for line in (f"# Exercise {n}", "Why?", f"# Exercise {n}: Ergebnis", "So.")]
    assert [found[1:] for found in worked(*slides)] == [([4 * n, 4 * n + 1], "", [4 * n + 3]) for n in range(3)]


def test_a_bare_number_that_stands_alone_above_its_parts_is_a_label_where_the_count_lacks_it():
    asked = ("1 Why is it so?", "2 How is it so?", "3", "(a) When?", "(b) Where?", "4 What is it?", "5 Who is it?", "9")
    assert [(found[0], found[1]) for found in worked("# Sets", *asked)] == [
        *(("1", [1]), ("2", [2]), ("3", [3, 4, 5]), ("4", [6])),
        ("5", [7, 8]),
    ]


def test_where_questions_are_q_answers_are_a():
    assert worked(
        "# Rays", "Q1. Why is it blue?", "A1. Light is scattered.", "Q2. How far?", "A2. A mile.", "Q3. So?", "A3. No."
    ) == [
        ("Q1", [1], "", [2]),
        ("Q2", [3], "", [4]),
        ("Q3", [5], "", [6]),
    ]
    assert labels("# Contest", *(f"{part}{n}. Find x." for part in "AB" for n in range(1, 4))) == [
        ([0], ["A1", "A2", "A3", "B1", "B2", "B3"])
    ]


def test_answers_in_another_dress_are_labelled_as_the_questions_are():
    assert worked(
        "# Chapter 4 Spaces",
        "# Problem 4.1",
        "Show that the sum is a space.",
        "# Problem 4.2",
        "Describe all lines.",
        "# Problem 4.3",
        "Find a basis.",
        "# Problem 4.4",
        "Find the rank.",
        "# Problem 4.5",
        "Find the kernel.",
        "# Answers",
        "4.1. Sums are sums.",
        "4.3. The unit vectors.",
        "4.5. It is the zero space.",
    )[5:] == [
        ("Problem 4.1", [], "Sums are sums", []),
        ("Problem 4.3", [], "The unit vectors", []),
        ("Problem 4.5", [], "It is the zero space", []),
    ]


def test_bracketed_answers_answer_questions_with_a_point():
    assert labels(
        "# 2.1 Limits",
        "1. Find the limit.",
        "2. Does it exist?",
        "3. Explain.",
        "# Answers",
        "(1) It is 6.",
        "(2) 5",
        "(3) The sides differ.",
    ) == [([0], ["1", "2", "3"]), ([0], ["1", "2", "3"])]


def test_plain_answers_take_the_word_of_the_only_kind_of_question():
    assert labels("# Sums", "Exercise 1. Find a.", "Exercise 2. Find b.", "# Answers", "1. 5", "2. 7") == [
        ([0], ["Exercise 1", "Exercise 2"]),
        ([0], ["Exercise 1", "Exercise 2"]),
    ]


def test_dotted_numbers_are_labels_if_they_count_and_ask_and_titles_are_none():
    assert labels(
        "# 1.1 Division",
        "1.1. Prove that the product is even.",
        "1.2. Find all integers n for which n divides 6.",
        "# 1.2 Divisors",
        "1.3. Show that the sum is odd.",
        "1.4. Is it true? Give a proof.",
    ) == [([0], ["1.1", "1.2"]), ([3], ["1.3", "1.4"])]


def test_bare_numbers_are_labels_if_they_count_on_and_ask():
    assert labels(
        "# Chapter 1 Rivers",
        "1 Which is the longest river?",
        "2 What is a delta?",
        "12 months make a year, and so",
        "3 Explain why deserts are dry.",
        "4 How do we know?",
        "5 Describe a waterfall.",
    ) == [([0], ["1", "2", "3", "4", "5"])]
    assert find_pairs(book("# Trade", "3 apples and 4 pears are sold.", "7 more were bought.", "2 remain.")) == []


def test_a_word_that_no_table_knows_numbers_items_if_it_counts_and_asks():
    assert labels("# Play", "Puzzle 1. How many?", "Puzzle 2. Which one?", "Puzzle 3. Why?") == [([0], ["1", "2", "3"])]
    assert find_pairs(book("# Rings", "Theorem 1. Let R be.", "Theorem 2. Find it.", "Theorem 3. Show it.")) == []


def test_sub_questions_and_steps_are_no_labels():
    assert labels("# 2.1", "1. 求：", "(1) a；", "(2) b；", "(3) c.", "2. 求 d.", "(1) e；", "(2) f；", "(3) g.") == [
        ([0], ["1", "2"])
    ]


def test_chinese_numerals_are_labels_unless_they_head_groups():
    assert labels("# 竞赛试卷", "一、求 x 的值.", "二、证明：a 大于 b.", "三、求面积.") == [([0], ["一", "二", "三"])]
    assert labels(
        "# 2.1 数",
        "一、选择题（选出一个）",
        "1. 求 a.",
        "二、填空题（填空）",
        "2. 求 b.",
        "三、计算下列各题.",
        "3. 求 c.",
    ) == [([0], ["1", "2", "3"])]


def test_brackets_are_labels_where_nothing_else_numbers_questions():
    assert labels("# 2.1 数", "(1) 求 x 的值.", "(2) 求 y 的值.", "(3) 求面积.") == [([0], ["1", "2", "3"])]


def test_dotted_numbers_that_ask_nothing_are_labels_if_answers_repeat_them():
    asked = [f"1.{n}. y = {n} x" for n in range(1, 5)]
    assert labels("# Chapter 1 Derivatives", *asked, "# Answers", *(f"1.{n} It is {n}." for n in range(1, 5))) == [
        ([0], ["1.1", "1.2", "1.3", "1.4"]),
        ([0], ["1.1", "1.2", "1.3", "1.4"]),
    ]


def test_bare_answers_go_on_behind_a_range_of_letters():
    asked = [f"{n} Which is the longest river?" for n in range(1, 8)]
    told = ["1~3 CBD", "4 Air sinks.", "5 Rock falls.", "6 Sand stays.", "7 Ice melts."]
    assert labels("# 1.1 Rivers", *asked, "# Answers", *told) == [
        ([0], ["1", "2", "3", "4", "5", "6", "7"]),
        ([0], ["1", "2", "3", "4", "5", "6", "7"]),
    ]


def test_a_proof_may_have_its_head_on_a_line_of_its_own_and_prove_is_asked():
    assert worked(
        "# 1.1 比较法",
        "例1 设 a 为正数，证明：a+1>a.",
        "证明",
        "作差即得.",
        "例2 证明：面积相等.",
        "【证明】",
        "连接 AD.",
        "# 习题一",
        "1. 用反证法证明：根号三不是有理数.",
        "2. 求证：四个数的积加一是平方数.",
    ) == [("例1", [1], "", [2, 3]), ("例2", [4], "", [5, 6]), ("1", [8], "", []), ("2", [9], "", [])]


def test_proofs_under_an_answers_heading_are_answers_though_they_sound_like_questions():
    assert worked("# 习题一", "1. 求证：甲.", "2. 求证：乙.", "# 参考答案", "1. 证明设 a 为根.", "2. 证明", "连接 AD.")[
        2:
    ] == [("1", [], "", [4]), ("2", [], "", [5, 6])]


def test_a_heading_set_like_those_that_have_items_ends_the_item_before_it():
    chapter = Block(0, "text", "2 Probability", level=1)
    assert worked("# 1 Data", "Exercise 1. Find a.", chapter, "Much is uncertain.", "Exercise 1. Find b.") == [
        ("Exercise 1", [1], "", []),
        ("Exercise 1", [4], "", []),
    ]


def test_a_line_at_the_top_of_a_page_with_the_words_of_a_heading_is_no_part_of_an_item():
    head = placed("1.1 DATA", (100, 40, 300, 58))
    assert worked("# 1.1 Data", "1. Find a,", "---", head, "if it exists.", "2. Find b.") == [
        ("1", [1, 3], "", []),
        ("2", [4], "", []),
    ]


def test_an_answer_whose_label_names_its_chapter_needs_no_common_heading():
    def entry(position: int, label: str, title: tuple[int, str], asks: bool) -> Entry:
        own = (position,)
        return Entry(position, label, title[:1], title[1], asks, own if asks else (), "", () if asks else own, 0, 0)

    one, two, told = (1, "1.1 Division"), (4, "1.2 Divisors"), (8, "Chapter 1")
    asked = [entry(2, "1.1", one, True), entry(3, "1.2", one, True), entry(5, "1.3", two, True)]
    answers = [entry(9, "1.1", told, False), entry(10, "1.2", told, False), entry(11, "1.3", told, False)]
    merged = merge([*asked, *answers])
    assert [[a.position for a in row.answers] for row in merged.rows] == [[9], [10], [11]]
    assert merged.orphans == []


def test_solutions_with_the_numbers_of_exercises_answer_them_though_plain_lists_count_as_well():
    asked = [f"Exercise 1.{n}. Find the remainder of {n}." for n in range(1, 6)]
    listed = ["1. a remainder is small", "2. it is not negative"]
    told = [f"Solution 1.{n}. Since {n} is small, it is {n}." for n in (1, 2, 3, 5)]
    dotted = [f"1.{n}" for n in range(1, 6)]
    assert labels("# Chapter 1 Division", *listed, *asked, "# Solutions", *told)[-1][1] == [
        f"Exercise {number}" for number in dotted if number != "1.4"
    ]


def test_parts_of_the_last_question_under_a_group_are_no_items():
    def lesson(name):
        group = [Block(0, "text", text, level=4) for text in ("一、选择题", "二、非选择题")]
        parts = ("（1）河姆渡居民种植什么？", "（2）半坡居民种植什么？", "（3）原因是什么？")
        return (f"# {name}", group[0], "1．谁最早？", group[1], "2．阅读材料，回答问题。", *parts)

    told = ("1．A", "2．（1）水稻", "（2）粟", "（3）环境不同")
    found = worked(
        *lesson("第1课 人类"), *lesson("第2课 夏商"), "# 参考答案", "# 第1课 人类", *told, "# 第2课 夏商", *told
    )
    assert found == [
        ("1", [2], "", []),
        ("2", [4, 5, 6, 7], "", []),
        ("1", [10], "", []),
        ("2", [12, 13, 14, 15], "", []),
        ("1", [], "A", []),
        ("2", [], "", [19, 20, 21]),
        ("1", [], "A", []),
        ("2", [], "", [24, 25, 26]),
    ]


def test_small_roman_numbers_in_brackets_are_labels_where_they_count_through_the_chapters():
    asked = ["(i) What is a source?", "(ii) Who wrote it?", "(iii) Why was it kept?", "(iv) Describe its use."]
    assert labels("# Topic 1: Letters", *asked[:2], "# Topic 2: Maps", *asked[2:]) == [
        ([0], ["i", "ii"]), ([3], ["iii", "iv"]),
    ]  # fmt: skip


def test_letters_before_numbers_are_parts_of_these_and_hints_numbered_so_are_no_items():
    names = [f"{letter}{n}" for letter in "AC" for n in (1, 2, 3)]
    asked = [f"Problem {name}. Show that {name} is a name." for name in names]
    hints = [f"{name}. Look at its letter." for name in names]
    told = [f"Solution to Problem {name}. It has a letter and a number." for name in names]
    found = worked("# A Winter Camp", *asked, "# Hints", *hints, "# Solutions", *told)
    assert [(label, at) for label, at, _, _ in found if at] == [(name, [n]) for n, name in enumerate(names, 1)]
    assert [label for label, at, _, _ in found if not at] == names


def test_words_of_scripts_without_spaces_number_questions_that_sequences_prove():
    asked = ["問1 速さを求めよ。", "問2 理由を述べよ。なぜか?", "問3 向きはどちらか?", "問4 図を見て答えよ。何か?"]
    told = ["問1 五メートル", "問2 力がつり合うから。", "問3 東", "問4 振り子"]
    found = worked("# 第1章 力", *asked, "# 略解", "# 第1章 力", *told)
    assert [label for label, *_ in found] == ["1", "2", "3", "4"] * 2


def test_a_table_whose_rows_open_with_the_questions_labels_answers_them_under_any_heading():
    asked = [f"Zadanie {a}.{b}. Oblicz {a} + {b}." for a in (1, 2) for b in (1, 2, 3)]
    rows = "".join(f"<tr><td>{a}.{b}.</td><td>{a + b}</td></tr>" for a in (1, 2) for b in (1, 2, 3))
    table = f"| <table><tr><td>Zadanie</td><td>Wynik</td></tr>{rows}</table>"
    found = worked("# Rozdział 1", *asked[:3], "# Rozdział 2", *asked[3:], "# Odpowiedzi", table)
    assert [(label, answer) for label, at, answer, _ in found if not at] == [
        (f"{a}.{b}", str(a + b)) for a in (1, 2) for b in (1, 2, 3)
    ]


def test_examples_are_items_where_each_alone_has_a_line_behind_it_that_opens_with_one_word():
    worked_out = ("Een lamp brandt op zes volt.", "Oplossing", "Dat is twintig ohm.")
    asked = ("1. Waarom is dat zo?", "2. Hoeveel is het?")
    chapters = [
        line
        for n, name in enumerate(("Warmte", "Licht", "Stroom"), 1)
        for line in (f"# {name}", f"Voorbeeld {n}.1", *worked_out, "# Opgaven", *asked)
    ]
    found = [one for one in worked("# Natuurkunde", *chapters) if one[0].startswith("V")]
    assert found == [(f"Voorbeeld {n}.1", [at, at + 1], "", [at + 2, at + 3]) for n, at in ((1, 2), (2, 10), (3, 18))]


def test_explanations_behind_the_answers_go_to_those_that_they_name():
    asked = [f"{n}．下列说法正确的是（ ）" for n in (1, 2, 3)]
    told = ["1．A", "2．B", "3．C", "【解析】第1题：负数小于零。", "【解析】第3题：光速很大。"]
    assert worked("# 第一章 数", *asked, "# 参考答案", *told)[3:] == [
        ("1", [], "A", [8]), ("2", [], "B", []), ("3", [], "C", [9]),
    ]  # fmt: skip


def test_an_exercise_without_a_stop_is_no_title_where_headings_numbered_alike_are_set_large():
    heads = ["# 3.1 Mean and Variance", "# 3.2 Some Distributions"]
    asked = ["3.1 A random variable has the distribution", "3.2 What is its mean?", "3.3 What is its variance?"]
    found = labels("# Chapter 3 Chance", *heads, "# Problems", *asked, "3.4 How often is it two?")
    assert [label for _, some in found for label in some] == ["3.1", "3.2", "3.3", "3.4"]
