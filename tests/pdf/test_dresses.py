"""Books in whatever dress: keys in the book's own labels, answers by chapter, marked options, text on its head."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.dressed_books import make_book, read, right
from operators.pdf.blocks import Block
from operators.pdf.mineru_input import flatten, line_of
from operators.pdf.numbering import option_place
from operators.pdf.numbering.dress import read_mark
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.parser.parse import parse_pdf
from operators.pdf.rules import find_headings, find_pairs
from operators.pdf.rules.leads import serves
from operators.pdf.rules.tables import marked_answers, table_answers
from tests.pdf.rules_book import book, labels, pairs, worked
from tests.pdf.sheets import Sheet

#: Each drawn as its number says; rules read them whole, and have to go on doing so.
WHOLE = [0, 3, 12, 16, 22, 34, 41, 47, 61, 72, 85, 97, 106, 120, 131, 146, 153, 155, 182, 193]


def answers(*lines: str | Block) -> dict[str, str]:
    return {p.label: p.answer for p in pairs(find_pairs(book(*lines))) if not p.question}


def heading(text: str) -> Block:
    return Block(0, "text", text, level=2)


@pytest.mark.parametrize("seed", WHOLE)
def test_a_book_is_read_whole_whatever_its_dress(seed: int) -> None:
    drawn = make_book(seed)
    assert right(drawn, read(drawn)) == (len(drawn.items), len(drawn.items)), drawn.drawn


@pytest.mark.parametrize(
    ("asked", "key", "told"),
    [
        (
            ("1.1 Why?", "1.2 Where?", "1.3 Who?", "1.4 How?"),
            "1.2 C  1.3 A  1.4 D",
            {"1.2": "C", "1.3": "A", "1.4": "D"},
        ),
        (("1.1. Why?", "1.2. Where?", "1.3. Who?"), "1.1. B  1.2. C  1.3. A", {"1.1": "B", "1.2": "C", "1.3": "A"}),
        (("A1 Why?", "A2 Where?", "A3 Who?"), "A1. 5  A2. 7  A3. 9", {"A1": "5", "A2": "7", "A3": "9"}),
        (("1. Why?", "2. Where?", "3. Who?"), "[1] B [2] C [3] A", {"1": "B", "2": "C", "3": "A"}),
        (("(1) Why?", "(2) Where?", "(3) Who?"), "(1) B (2) C (3) A", {"1": "B", "2": "C", "3": "A"}),
    ],
)
def test_a_key_in_a_line_has_the_labels_of_its_book(asked: tuple[str, ...], key: str, told: dict[str, str]) -> None:
    assert answers("# Waves", *asked, "# Answer key", key) == told


def test_a_key_of_exercises_with_a_word_is_spelt_as_they_are() -> None:
    asked = [f"Exercise 1.{n}. Why is it {n}?" for n in range(1, 5)]
    assert answers("# Chapter 1 Waves", *asked, "# Answers", "1.1 D  1.2 A  1.3 C  1.4 B") == {
        "Exercise 1.1": "D", "Exercise 1.2": "A", "Exercise 1.3": "C", "Exercise 1.4": "B",
    }  # fmt: skip


def test_numbers_in_brackets_count_parts_where_questions_have_none() -> None:
    told = answers("1. Find both.", "2. Why?", "3. Who?", "# Answers", "1. (1) 3 (2) 5 (3) 7", "2. Yes", "3. She")
    assert told == {"1": "(1) 3 (2) 5 (3) 7", "2": "Yes", "3": "She"}


@pytest.mark.parametrize("told", ["{}", "Solution {}"])
def test_answers_are_those_of_the_questions_with_their_letter(told: str) -> None:
    asked = {letter: [f"{letter}{n}. Why is it {n}?" for n in (1, 2, 3)] for letter in "AB"}
    keys = [f"{told.format(letter + str(n))}. It is {letter}{n}." for letter in "AB" for n in (1, 2, 3)]
    found = answers("# Waves", *asked["A"], "# Plants", *asked["B"], "# Solutions", *keys)
    assert found == {f"{letter}{n}": f"It is {letter}{n}" for letter in "AB" for n in (1, 2, 3)}


def test_tables_give_answers_by_letters_and_across() -> None:
    rows = {letter: [("No.", "Answer"), *((f"{letter}{n}", f"{letter} {n}") for n in (1, 2, 3))] for letter in "AB"}

    def table(cells: list[tuple[str, ...]]) -> Block:
        markup = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
        return Block(0, "table", f"<table>{markup}</table>")

    asked = [f"{letter}{n}. Why is it {n}?" for letter in "AB" for n in (1, 2, 3)]
    across = list(zip(*rows["B"], strict=True))
    assert answers("# Waves", *asked, "# Solutions", table(rows["A"]), table(across)) == {
        f"{letter}{n}": f"{letter} {n}" for letter in "AB" for n in (1, 2, 3)
    }
    assert [name.name for name, _ in marked_answers(table(across).text)] == ["B1", "B2", "B3"]


def test_tables_below_their_heading_answer_chapter_after_chapter() -> None:
    lines: list[str | Block] = []
    for first, name in ((1, "Waves"), (4, "Plants")):
        cells = "".join(f"<td>{n}</td>" for n in range(first, first + 3))
        told = "".join(f"<td>it is {n}</td>" for n in range(first, first + 3))
        markup = f"<table><tr><td>N°</td>{cells}</tr><tr><td>Réponse</td>{told}</tr></table>"
        asked = [f"({n}) Pourquoi {n} ?" for n in range(first, first + 3)]
        lines += [f"# {name}", *asked, heading("Solutions"), Block(0, "table", markup)]
    assert answers(*lines) == {str(n): f"it is {n}" for n in range(1, 7)}


def test_answers_below_headings_that_name_them_end_where_numbers_begin_anew() -> None:
    asked = ["1. Explain the tide.", "2. Describe a leaf.", "3. Name two rivers."]
    told = ["1. The moon draws it.", "2. Green and flat.", "3. Rhine and Elbe."]
    lines = ["Waves", *asked, "Answers to the exercises", *told, "Plants", *asked, "Answers to the exercises", *told]
    found = worked(*lines)
    assert [label for label, question, _, _ in found if question] == ["1", "2", "3"] * 2
    assert [label for label, question, _, _ in found if not question] == ["1", "2", "3"] * 2
    assert found[3][2] == "The moon draws it"


def test_counts_that_begin_anew_below_no_heading_are_questions_if_they_are_solved() -> None:
    lines: list[str] = []
    for name in ("tide", "leaf"):
        for n in (1, 2, 3):
            lines += [f"{n}) Nenne {n} Dinge über {name}.", f"Lösung: {n} Dinge."]
    assert [label for label, *_ in worked(*lines)] == ["1", "2", "3"] * 2


def test_a_heading_of_answers_in_every_item_opens_its_solution_however_it_is_set() -> None:
    lines: list[str | Block] = ["# Suites numériques"]
    for n in range(1, 5):
        lines += [f"Exercice {n}. Étudier la suite {n}.", heading("Corrigé"), f"Elle converge vers {n}."]
    assert [(label, len(question), len(solution)) for label, question, _, solution in worked(*lines)] == [
        (str(n), 1, 2) for n in range(1, 5)
    ]


def test_numbers_inside_a_question_with_a_word_are_its_parts_if_most_have_none() -> None:
    lines = ["Exercise 1. Study the sequence.", "Exercise 2. Let it be given.", "1. Find its limit.", "2. Prove it."]
    lines += [f"Exercise {n}. Compute it." for n in (3, 4, 5)]
    assert labels(*lines) == [([], [f"Exercise {n}" for n in range(1, 6)])]


def test_steps_below_a_title_and_above_its_exercises_are_no_questions() -> None:
    lines: list[str | Block] = [
        "# 1.1 Sums",
        "1. Find the parts.",
        "2. Add them.",
        heading("Exercises"),
        "1. Add 1 and 2.",
        "2. Add 3 and 4.",
    ]
    lines += ["# 1.2 Products", "Multiply.", heading("Exercises"), "1. Multiply 1 and 2.", "2. Multiply 3 and 4."]
    asked = [(label, question) for label, question, *_ in worked(*lines)]
    assert asked == [("1", [4]), ("2", [5]), ("1", [9]), ("2", [10])]


def test_lines_that_stand_twice_above_the_same_numbers_are_headings() -> None:
    asked = ["Divisibility", "1. Prove it for 6.", "2. Find n.", "Invariants", "3. Can it be 0?"]
    told = ["Divisibility", "1. Factor it.", "2. n = 5", "Invariants", "3. No."]
    found = find_headings(book("# Problems of a circle", *asked, "# Solutions", *told))
    assert [found[n] for n in (1, 4)] == [["Divisibility"], ["Invariants"]]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("Nr. 3 Nenne sie.", (3,)), ("2º Calcula x.", (2,)), ("4- Résoudre.", (4,)), ("1.º Escribe.", (1,))],
)
def test_labels_of_other_countries_are_marks(text: str, numbers: tuple[int, ...]) -> None:
    mark = read_mark(text)
    assert mark is not None
    assert mark.numbers == numbers


def test_the_word_i_before_a_verb_is_no_number() -> None:
    assert read_mark("I can read the time from a clock.") is None
    marks = [read_mark(text) for text in ("I Clocks", "I. clocks and watches", "(I) read the time")]
    assert [mark.numbers for mark in marks if mark is not None] == [(1,), (1,), (1,)]


def test_six_digits_before_words_count_contest_grade_round_and_problem() -> None:
    mark = read_mark("580711 Find all primes below 40.")
    assert mark is not None
    assert mark.numbers == (58, 7, 1, 1)
    assert read_mark("580711 + 4 = 580715") is None
    asked = [f"58{grade}1{n} Find the {n}th prime." for grade in ("07", "08") for n in (1, 2, 3)]
    assert labels("# Contest", *asked) == [([0], [text[:6] for text in asked])]


def test_an_ordinal_of_a_class_is_no_label() -> None:
    assert labels("4.º de ESO Ciencias", "1. ¿Qué es?", "2. ¿Dónde está?") == [([], ["1", "2"])]


def test_a_lead_may_open_with_the_range_that_it_serves() -> None:
    assert serves("3–8 Find the critical numbers.", ["3", "4", "8"], False) == 3
    assert serves("3–8 Find the critical numbers.", ["1", "2"], False) == 0


def test_a_label_alone_on_its_line_has_the_next_line() -> None:
    lines = [text for n in (1, 2, 3) for text in (f"Problem {n} –", f"Explain why {n} is odd.")]
    assert [question for _, question, *_ in worked(*lines)] == [[0, 1], [2, 3], [4, 5]]


def marked_sheet(sheet: Sheet, right_ones: str, colour: bool) -> Path:
    y = 80.0
    for n, letter in enumerate(right_ones, 1):
        y = sheet.lines(72, y, [f"{n}. Which of them is number {n}?"])
        for option in "abcd":
            if colour and option == letter:
                sheet.canvas.setFillColorRGB(0.8, 0, 0)
            (sheet.bold if option == letter and not colour else sheet.text)(90, y, f"{option}) thing {option}{n}")
            sheet.canvas.setFillColorRGB(0, 0, 0)
            y += 16
        if n == 2:
            y = sheet.lines(90, y, ["Note: it is the only one of its kind."])
        y += 10
    return sheet.save()


@pytest.mark.parametrize("colour", [False, True], ids=["bold", "colour"])
def test_the_one_option_that_is_set_apart_is_the_answer(tmp_path: Path, colour: bool) -> None:
    path = marked_sheet(Sheet(tmp_path / "quiz.pdf"), "bcad", colour)
    blocks = flatten(parse_pdf(path, tmp_path / "images").items)
    found = pairs(find_pairs(blocks))
    assert [(p.label, p.answer) for p in found] == [
        ("1", "b) thing b1"), ("2", "c) thing c2"), ("3", "a) thing a3"), ("4", "d) thing d4"),
    ]  # fmt: skip
    assert [blocks[i].text for i in found[1].solution] == ["Note: it is the only one of its kind."]
    assert next(line_of(block) for block in blocks if block.marked) == "[2] ✓ b) thing b1"


def test_options_are_marked_only_where_nearly_every_question_has_one_set_apart(tmp_path: Path) -> None:
    path = marked_sheet(Sheet(tmp_path / "quiz.pdf"), "b-a-", False)
    assert not any(block.marked for block in flatten(parse_pdf(path, tmp_path / "images").items))


def test_a_marked_block_with_no_letter_of_an_option_is_the_answer_all_the_same() -> None:
    blocks = book("# Waves", "1. Why?", Block(0, "text", "It rains.", marked=True), "2. Where?", "3. Who?")
    assert [(p.label, p.answer) for p in pairs(find_pairs(blocks))] == [("1", "It rains"), ("2", ""), ("3", "")]


def test_options_have_their_places() -> None:
    assert [option_place(text) for text in ("(A) 3", "b) 4", "e. 5", "a thing", "12. x")] == [1, 2, 5, 0, 0]


def test_text_on_its_head_is_read_where_it_stands(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "puzzles.pdf")
    sheet.lines(72, 100, ["1. What is 9 times 12?", "2. What is 7 times 6?", "3. What is 5 times 4?"], step=30)
    canvas = sheet.canvas
    canvas.saveState()
    canvas.translate(500, 100)
    canvas.rotate(180)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(0, 0, "Answers: 1. 108  2. 42  3. just")
    canvas.drawString(0, -12, "twenty")
    canvas.restoreState()
    items = parse_pdf(sheet.save(), tmp_path / "images").items
    assert [item.text for item in items][3:] == ["Answers: 1. 108 2. 42 3. just twenty"]
    assert answers(*flatten(items)) == {"1": "108", "2": "42", "3": "just twenty"}


def test_letters_head_groups_of_counts_that_begin_anew_below_what_is_to_be_done() -> None:
    asked = [f"{n}. Mi casa ______ número {n}." for n in range(1, 4)]
    lines = ["A. ¿Ser o estar?", "Completa las frases.", *asked, "B. Por o para", "Elige una.", *asked]
    found = find_pairs(
        book("# Repaso", *lines, "# Soluciones", "A 1. es; 2. está; 3. son", "B 1. por; 2. para; 3. por")
    )
    assert [[p.label for p in chapter.pairs] for chapter in found if any(p.question for p in chapter.pairs)] == [
        ["1", "2", "3"], ["1", "2", "3"],
    ]  # fmt: skip
    assert [p.answer for p in pairs(found) if not p.question] == ["es", "está", "son", "por", "para", "por"]


def test_numbers_whose_sections_hold_numbers_of_theirs_are_titles() -> None:
    lines: list[str] = ["# Notes"]
    for n, name in ((1, "Divisibility"), (2, "Congruences")):
        lines += [f"{n}. {name}", f"Exercise {n}.1. Show that it holds for {n}.", f"Exercise {n}.2. Prove it."]
    found = find_pairs(book(*lines))
    assert [(chapter.title, [p.label for p in chapter.pairs]) for chapter in found] == [
        ([1], ["Exercise 1.1", "Exercise 1.2"]), ([4], ["Exercise 2.1", "Exercise 2.2"]),
    ]  # fmt: skip


def test_a_table_of_letters_is_a_key_whatever_heads_it() -> None:
    cells = "".join(f"<td>{n}</td>" for n in range(1, 6)), "".join(f"<td>{letter}</td>" for letter in "bcaVF")
    markup = f"<table><tr><td>N.</td>{cells[0]}</tr><tr><td>R.</td>{cells[1]}</tr></table>"
    assert table_answers(markup) == [(1, "b"), (2, "c"), (3, "a"), (4, "V"), (5, "F")]
    values = markup.replace(">b<", ">12<").replace(">c<", ">15<").replace(">a<", ">19<")
    assert table_answers(values) == []


def test_a_part_of_a_question_is_no_title_whatever_it_says() -> None:
    assert [title_rank(text) for text in ("(b) no solution", "(a) the answers", "Solutions")] == [None, None, 0]


def test_parts_of_named_answers_are_no_questions() -> None:
    asked = [f"Exercice {n}. Calculer la limite {n}." for n in range(1, 5)]
    told = ["Corrigé de l’exercice 1.", "1. On trouve 3.", "2. On trouve 5."]
    told += [f"Corrigé de l’exercice {n}. Elle vaut {n}." for n in (2, 3, 4)]
    found = worked("# Suites", *asked, "# Corrigés", *told)
    assert [label for label, *_ in found] == ["1", "2", "3", "4"] * 2
    assert len(found[4][3]) == len(told[:3])


def test_a_heading_with_a_word_of_answers_heads_questions_where_nothing_is_answered() -> None:
    lines = ("# Reactions in Solution", "1. Why does it dissolve?", "2. How much of it does?")
    found = worked("# Gases", "1. Why?", "2. How?", *lines)
    assert [(label, question) for label, question, *_ in found] == [("1", [1]), ("2", [2]), ("1", [4]), ("2", [5])]


def test_the_numbers_of_chapters_that_count_with_the_pages_are_headings_if_they_are_large(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "book.pdf")
    for n, name in enumerate(("Moles", "Solutions", "Gases"), 1):
        sheet.bold(72, 100, f"Chapter {n}", 16)
        sheet.bold(72, 135, name, 21)
        sheet.lines(72, 180, [f"{n}.{k} How many of them are there in group {k} of chapter {n}?" for k in range(1, 9)])
        sheet.next_page()
    items = parse_pdf(sheet.save(), tmp_path / "images").items
    assert [item.text for item in items if item.level is not None] == [
        "Chapter 1", "Moles", "Chapter 2", "Solutions", "Chapter 3", "Gases",
    ]  # fmt: skip
