"""What the rules learn from a book alone: its words for solutions, its keys, its lists, its headings."""

from __future__ import annotations

from operators.pdf.blocks import Block
from operators.pdf.rules import find_headings
from operators.pdf.rules.keys import key_labels
from tests.pdf.rules_book import book, labels, worked


def asked(count: int) -> list[str]:
    return [f"{n}. How many days have {n} weeks?" for n in range(1, count + 1)]


def test_a_word_that_opens_a_line_of_most_items_opens_their_solutions():
    items = [line for n in range(1, 6) for line in (f"Exercice {n}", f"Combien font {n} ?", f"Corrigé. On compte {n}.")]
    found = worked("# Cahier", *items, "Exercice 6", "Combien font 6 ?")
    assert found == [
        *((str(n), [3 * n - 2, 3 * n - 1], "", [3 * n]) for n in range(1, 6)),
        ("6", [16, 17], "", []),
    ]


def test_a_sign_that_opens_a_line_of_most_items_opens_their_solutions():
    items = [line for n in range(1, 5) for line in (f"{n}. Find the root of {n}.", f"▷ It is less than {n}.")]
    assert worked("# Roots", *items) == [(str(n), [2 * n - 1], "", [2 * n]) for n in range(1, 5)]


def test_where_most_items_have_a_known_word_the_word_of_all_others_opens_their_solutions():
    def items(first: int, end: int, told: str) -> list[str]:
        return [line for n in range(first, end) for line in (f"{n}. How many hours have {n} days?", told)]

    known = [(str(n), [2 * n - 1], "many", []) for n in range(1, 7)]
    most = items(1, 7, "Answer: many.")
    assert worked("# Time", *most, *items(7, 11, "Working: Multiply by 24.")) == [
        *known,
        *((str(n), [2 * n - 1], "", [2 * n]) for n in range(7, 11)),
    ]
    three_are_too_few = worked("# Time", *most, *items(7, 10, "Working: Multiply by 24."))
    assert three_are_too_few == [*known, *((str(n), [2 * n - 1, 2 * n], "", []) for n in range(7, 10))]


def test_a_word_that_solved_items_have_too_opens_no_solution_of_the_others():
    def item(n: int) -> list[str]:
        return [f"{n}. How many hours have {n} days?", "Remark: No day is longer."] + ["Answer: many."] * (n < 7)

    found = worked("# Time", *(line for n in range(1, 12) for line in item(n)))
    assert found == [
        *((str(n), [3 * n - 2, 3 * n - 1], "many", []) for n in range(1, 7)),
        *((str(n), [2 * n + 5, 2 * n + 6], "", []) for n in range(7, 12)),
    ]


def test_a_word_of_exercises_opens_no_solution_because_the_examples_have_one():
    examples = [
        line for n in range(1, 7) for line in (f"Example {n}. Count {n} birds.", f"Solution: There are {n} of them.")
    ]
    asked = [
        line for n in range(1, 6) for line in (f"Exercise {n}. How many cats are there?", f"Data: {n} birds, 9 legs.")
    ]
    found = worked("# Counting", *examples, *asked)
    assert [(label, question, solution) for label, question, _, solution in found if "Exercise" in label] == [
        (f"Exercise {n}", [11 + 2 * n, 12 + 2 * n], []) for n in range(1, 6)
    ]


def test_words_that_ask_or_stand_in_many_places_of_an_item_open_no_solution():
    parts = [
        line for n in range(1, 5) for line in (f"{n}. Write it.", "Input: a number.", "Output: its root.", "Limit: 9.")
    ]
    assert worked("# Programs", *parts) == [(str(n), [4 * n - i for i in (3, 2, 1, 0)], "", []) for n in range(1, 5)]
    tasks = [line for n in range(1, 5) for line in (f"{n}. Read it.", "Task: what does it say?")]
    assert worked("# Texts", *tasks) == [(str(n), [2 * n - 1, 2 * n], "", []) for n in range(1, 5)]


def test_what_opens_lines_of_items_that_are_answered_apart_opens_no_solution():
    items = [line for n in range(1, 5) for line in (f"{n}. Find it.", "Clue. It is small.")]
    key = [f"{n}. {n}" for n in range(1, 5)]
    found = worked("# Puzzles", *items, "# Answers", *key)
    assert found[:4] == [(str(n), [2 * n - 1, 2 * n], "", []) for n in range(1, 5)]
    assert [answer for _, _, answer, _ in found[4:]] == ["1", "2", "3", "4"]


def test_answers_named_by_a_word_with_an_accent_under_a_heading_nobody_knows_are_answers():
    questions = [f"Aufgabe {n}. Bestimmen Sie die Zahl, deren Quadrat um {n} größer ist?" for n in range(1, 6)]
    answers = [f"Lösung {n}. Man rechnet die Zahl wie im Heft um {n} weiter." for n in range(1, 6)]
    found = worked("# Heft", *questions, "# Lösungen", *answers)
    assert [(label, bool(question)) for label, question, _, _ in found] == [
        *((str(n), True) for n in range(1, 6)),
        *((str(n), False) for n in range(1, 6)),
    ]


def test_two_words_that_count_alike_are_questions_and_behind_them_their_answers_in_any_language():
    def pages(chapter: int) -> list[str]:
        asked = [f"Uppgift {chapter}.{n}" for n in range(1, 4)]
        told = [f"Svar {chapter}.{n} Talet {n} räcker." for n in range(1, 4)]
        below = ["Räkna ut talet.", "Vad blir det?", "Hur många finns det?"]
        return [f"# {chapter} Tal", *(line for pair in zip(asked, below, strict=True) for line in pair), *told]

    found = worked(*pages(1), *pages(2))
    assert [(label, bool(question), bool(answer or solution)) for label, question, answer, solution in found] == [
        (f"{chapter}.{n}", asks, not asks) for chapter in (1, 2) for asks in (True, False) for n in range(1, 4)
    ]


def test_examples_and_exercises_that_count_alike_do_not_answer_each_other():
    shown = [line for n in range(1, 4) for line in (f"Exempel {n}", "Vad blir det?")]
    asked = [line for n in range(1, 4) for line in (f"Uppgift {n}", "Hur många finns det?")]
    assert all(bool(question) for _, question, _, _ in worked("# Tal", *shown, *asked))


def test_a_key_may_run_on_in_any_dress_and_have_its_heading_on_the_same_line():
    found = worked(
        *("# Test A", *asked(3), "# Test B", *asked(3)),
        *("# Key", "Test A 1 B, 2 C, 3 D", "Test B 1 A, 2 A, 3 C"),
    )
    assert [(label, answer) for label, _, answer, _ in found[6:]] == [
        *(("1", "B"), ("2", "C"), ("3", "D")),
        *(("1", "A"), ("2", "A"), ("3", "C")),
    ]


def test_a_heading_over_keys_alone_heads_answers_whatever_it_says():
    options = [line for n in range(1, 5) for line in (f"{n}) Which is {n}?", "a) this", "b) that")]
    found = worked("# Round One", *options, "# Sheet", "# Round One", "1) b 2) a 3) a 4) b")
    assert [(label, answer) for label, _, answer, _ in found[4:]] == [("1", "b"), ("2", "a"), ("3", "a"), ("4", "b")]


def test_numbers_in_a_sentence_and_parts_in_brackets_are_no_key():
    assert key_labels("Part 1 must hold, and part 2 or part 3 must hold as well, so that the whole chain holds.") == []
    assert key_labels("(1) 5; (2) 7; (3) 9") == []
    assert key_labels("5. Parts 1, 2 and 3") == []
    assert [found.label for found in key_labels("7: true; 8: false; 9: true")] == ["7", "8", "9"]


def test_answers_to_parts_one_by_one_are_those_of_their_question():
    questions = [line for n in (1, 2) for line in (f"{n}. Explain.", "(a) Why is it warm?", "(b) Why is it wet?")]
    found = worked("# Weather", *questions, "# Answers", "1(a) The sun", "1(b) The rain", "2(a) A fire", "2(b) A river")
    assert found[2:] == [("1", [], "", [8, 9]), ("2", [], "", [10, 11])]


def test_a_remark_that_counts_with_the_exercises_is_no_part_of_them():
    lines = ("Exercise 1.1 Find x.", "Exercise 1.2 Find y.", "Remark 1.3 Both are small.", "Exercise 1.4 Find z.")
    found = worked("# Chapter 1 Sums", *lines)
    assert found == [("Exercise 1.1", [1], "", []), ("Exercise 1.2", [2], "", []), ("Exercise 1.4", [4], "", [])]


def test_a_closing_bracket_makes_a_label_whatever_follows_it():
    assert labels("# 第一讲 计数", "【例1】图书馆有多少本书？", "【变式1】图中有多少个角？") == [
        ([0], ["例1", "变式1"])
    ]


def test_a_heading_set_as_a_section_stands_beside_it():
    def heading(text: str, level: int) -> Block:
        return Block(0, "text", text, level=level)

    blocks = book(
        *(heading("Chapter 1 Heat", 1), heading("1.1 Ice", 2), heading("Quick check", 3), *asked(2)),
        *(heading("What you should practise", 2), *asked(2)),
    )
    assert find_headings(blocks) == {
        0: ["Chapter 1 Heat"],
        1: ["Chapter 1 Heat", "1.1 Ice"],
        2: ["Chapter 1 Heat", "1.1 Ice", "Quick check"],
        5: ["Chapter 1 Heat", "What you should practise"],
    }


def test_a_line_with_as_many_answers_as_there_are_items_above_it_is_their_key():
    found = worked(
        *("# Unit 1", *asked(3), "Answers: 1 seven; 2 fourteen; 3 twenty-one."),
        *("# Unit 2", *asked(4), "Answers: 1 a; 2 b; 3 c; 4 d."),
    )
    assert [(label, answer) for label, question, answer, _ in found if not question] == [
        *(("1", "seven"), ("2", "fourteen"), ("3", "twenty-one")),
        *(("1", "a"), ("2", "b"), ("3", "c"), ("4", "d")),
    ]


def test_ordinals_with_any_counted_noun_may_be_labels():
    assert labels("# 星空篇", *(f"第{n}问 为什么看不到第 {n} 颗星？" for n in range(1, 5))) == [
        ([0], ["1", "2", "3", "4"])
    ]


def test_a_number_with_a_letter_is_the_heading_of_a_set_and_no_label():
    blocks = [Block(0, "text", f"Exercise 1{letter}", level=2) for letter in "AB"]
    sets = [[f"{n} How many days have {n} weeks?" for n in range(1, 5)] for _ in "AB"]
    found = labels("# 1 Time", blocks[0], *sets[0], blocks[1], *sets[1])
    assert [names for _, names in found] == [["1", "2", "3", "4"], ["1", "2", "3", "4"]]


def test_a_heading_of_answers_that_stands_in_every_item_opens_its_solution():
    def task(n: int) -> tuple[str, ...]:
        return f"Task {n}", f"Explain what {n} is.", "Model answer", f"It is more than {n - 1}."

    lines = [line for day in ("# Monday", "# Tuesday", "# Friday") for line in (day, *task(1), *task(2))]
    assert worked("# Holidays", *lines) == [
        (f"Task {n}", [at, at + 1], "", [at + 2, at + 3]) for day in (2, 11, 20) for n, at in ((1, day), (2, day + 4))
    ]


def test_a_heading_that_repeats_an_items_label_with_words_of_no_table_heads_its_solution():
    slides = [
        line
        for n in range(1, 5)
        for line in (f"# Exercice {n}", "Quelle est la somme ?", f"# Exercice {n} – corrigé", "On les compte.")
    ]
    found = worked("# Cahier", *slides)
    assert found == [(str(n), [4 * n - 3, 4 * n - 2], "", [4 * n]) for n in range(1, 5)]


def test_words_behind_a_repeated_label_that_differ_each_time_head_no_solutions():
    words = ["au tableau", "en classe", "chez soi", "ensemble"]
    slides = [
        line
        for n, word in enumerate(words, 1)
        for line in (f"# Exercice {n}", "Quelle est la somme ?", f"# Exercice {n} {word}", "On les compte.")
    ]
    assert not any(solution for _, _, _, solution in worked("# Cahier", *slides))


def test_a_key_may_answer_plain_numbers_with_a_word_below_the_numbers_of_their_sections():
    asked = [
        line
        for section, name in (("1.1", "Sums"), ("1.2", "Products"))
        for line in (f"# {section} {name}", *(f"{n}. Show that {n} is a number of this kind." for n in (1, 2, 3)))
    ]
    proof = "Write it as given and let both of its parts be large, which is a contradiction."
    told = [
        line
        for section in ("1.1", "1.2")
        for line in (f"# Section {section}", *(f"Exercise {n}. {proof}" for n in (1, 3)))
    ]
    found = worked("# Chapter 1 Numbers", *asked, "# Solutions to Selected Exercises", *told)
    assert [(label, bool(question), bool(solution)) for label, question, _, solution in found] == [
        *((str(n), True, False) for _ in range(2) for n in (1, 2, 3)),
        *((str(n), False, True) for _ in range(2) for n in (1, 3)),
    ]
