"""Exercises and answers of the algebra booklet: two columns, numbers that start anew in every chapter."""

from __future__ import annotations

from drawn import algebra_en
from drawn.book import Book
from drawn.pen import Pen
from drawn.pictures import garden

ONE, TWO, THREE = "Chapter 1 Exercises", "Chapter 2 Exercises", "Chapter 3 Exercises"


def chapter_1(book: Book) -> None:
    book.title(ONE, 2, room=220)
    book.flow.set_columns(2)
    book.rubric("Multiple choice")
    book.item("1", "1. ", "Which value of x satisfies 3x = 12?", options=["A. 3", "B. 4", "C. 9", "D. 36"])
    book.item("2", "2. ", "The solution of x − 7 = −2 is", options=["A. −9", "B. −5", "C. 5", "D. 9"], per_line=4)
    book.item("3", "3. ", "If 5x + 1 = 16, then 2x equals", options=["A. 6", "B. 8", "C. 10", "D. 15"], per_line=4)
    book.item(
        "4",
        "4. ",
        "The balance in the figure is level, and both boxes have the same mass. What is the mass of one box?",
        options=["A. 2 kg", "B. 3 kg", "C. 5.5 kg", "D. 4 kg"],
        per_line=2,
        figures=[balance],
    )
    book.item(
        "5",
        "5. ",
        "Which equation has no solution?",
        options=["A. x + 1 = x + 2", "B. 2x = x", "C. x + x = 2x", "D. 3x = 1"],
    )
    short_answers_1(book)


def short_answers_1(book: Book) -> None:
    """Sub-questions, a decimal at the start of a line, a question that has no answer (10)."""
    book.rubric("Short answers")
    book.item("6", "6. ", "Solve each equation.", parts=["(a) x + 9 = 4", "(b) 7x = 42", "(c) 2(x − 3) = 10"])
    book.item("7", "7. ", "Three consecutive whole numbers add up to 72. Find the smallest of them.")
    book.item(
        "8",
        "8. ",
        "The perimeter of the triangle is 30 cm. Find x.",
        figures=[triangle],
    )
    book.item(
        "9",
        "9. ",
        "A tank holds 40 litres. It loses\n2.5 litres a minute. After how many minutes are 15 litres left?",
    )
    book.flow.next_column()
    book.item("10", "10. ", "Write a word problem of your own that leads to the equation 2x + 3 = 15.")
    book.flow.set_columns(1)


def chapter_2(book: Book) -> None:
    book.title(TWO, 2, room=220)
    book.flow.set_columns(2)
    book.item(
        "1",
        "1. ",
        "The solutions of x² = 81 are",
        options=["A. only 9", "B. only −9", "C. 9 and −9", "D. 40.5"],
        per_line=2,
    )
    book.item(
        "2",
        "2. ",
        "The solutions of (x − 4)(x + 1) = 0 are",
        options=["A. 4 and 1", "B. 4 and −1", "C. −4 and 1", "D. −4 and −1"],
    )
    book.item(
        "3",
        "3. ",
        "The area of the square in the figure is 64. What is x?",
        options=["A. 5", "B. 8", "C. 11", "D. 61"],
        per_line=4,
        figures=[square],
    )
    short_answers_2(book)


def short_answers_2(book: Book) -> None:
    """A raster picture and a graph; no rubric."""
    book.item("4", "4. ", "Factorise.", parts=["(1) x² + 7x + 12", "(2) x² − 9"])
    book.item(
        "5",
        "5. ",
        "The garden in the picture is 3 m longer than it is wide, and its area is 40 m². How long and how wide is it?",
        figures=[lambda pen: pen.raster(garden(), 120)],
    )
    book.item(
        "6",
        "6. ",
        "The figure shows the graph of y = x² − 2x − 3. Where does it cross the x-axis?",
        figures=[parabola],
    )
    book.item(
        "7",
        "7. ",
        "A ball is thrown straight up. After t seconds its height in metres is 20t − 5t². When does it "
        "reach the ground again?",
    )
    book.flow.set_columns(1)


def chapter_3(book: Book) -> None:
    book.title(THREE, 2, room=160)
    book.flow.set_columns(2)
    book.item("1", "1. ", "The slope of y = 3x − 4 is", options=["A. −4", "B. 4", "C. −3", "D. 3"], per_line=4)
    book.item(
        "2",
        "2. ",
        "Which point lies on the line y = x + 2?",
        options=["A. (2, 0)", "B. (1, 3)", "C. (3, 1)", "D. (0, −2)"],
        per_line=2,
    )
    book.item(
        "3",
        "3. ",
        "A taxi ride costs 3 euros plus\n1.5 euros for each kilometre.",
        parts=["(1) Write the price y of a ride of x kilometres.", "(2) How far can you ride for 12 euros?"],
    )
    book.item("4", "4. ", "Find the line through (0, 5) that is parallel to y = −x.")
    book.flow.set_columns(1)


def answers(book: Book) -> None:
    """The answers at the end: a range, short answers, a worked one, one without a question (11)."""
    book.flow.next_page()
    book.gold.not_items.append(book.flow.heading("Answers", 1))
    first = "Answers to Chapter 1"
    book.gold.not_items.append(book.flow.heading(first, 2, listed=False))
    book.answer_range(first, "1-5 ", 1, "BCADA", chapter=ONE)
    book.answers(
        first,
        [
            ("6", "6. ", "(a) −5; (b) 6; (c) 8"),
            ("7", "7. ", "23"),
            ("8", "8. ", "9"),
            ("9", "9. ", "10 minutes"),
            ("11", "11. ", "12 km"),
        ],
        chapter=ONE,
    )
    second = "Answers to Chapter 2"
    book.gold.not_items.append(book.flow.heading(second, 2, listed=False))
    book.answer_range(second, "1-3 ", 1, "CBA", chapter=TWO)
    book.answers(second, [("4", "4. ", "(1) (x + 3)(x + 4); (2) (x + 3)(x − 3)")], chapter=TWO)
    book.worked(
        "5",
        "5. Let the width be w metres. Then w(w + 3) = 40, so w² + 3w − 40 = 0 and (w − 5)(w + 8) = 0. "
        "A width is positive, so w = 5. The garden is 5 m wide and 8 m long.",
        chapter=TWO,
    )
    book.answers(second, [("6", "6. ", "at x = −1 and x = 3"), ("7", "7. ", "after 4 seconds")], chapter=TWO)
    third = "Answers to Chapter 3"
    book.gold.not_items.append(book.flow.heading(third, 2, listed=False))
    book.answer_range(third, "1-2 ", 1, "DB", chapter=THREE)
    book.answers(third, [("3", "3. ", "(1) y = 1.5x + 3; (2) 6 kilometres"), ("4", "4. ", "y = −x + 5")], chapter=THREE)


def balance(pen: Pen) -> None:
    pen.line((10, 40), (150, 40))
    pen.line((80, 40), (66, 8), (94, 8), close=True, fill=0.8)
    for x in (10, 110):
        pen.line((x, 44), (x + 40, 44))
    pen.rect(11, 44, 15, 15, fill=0.85)
    pen.rect(28, 44, 15, 15, fill=0.85)
    pen.circle(47, 49, 5, fill=0.6)
    pen.rect(118, 44, 24, 20, fill=0.6)
    pen.text(50, 63, "3 kg")
    pen.text(130, 68, "11 kg")


def triangle(pen: Pen) -> None:
    pen.line((0, 0), (110, 0), (44, 60), close=True)
    pen.text(55, -11, "x + 2")
    pen.text(12, 32, "x")
    pen.text(94, 32, "x + 1")


def square(pen: Pen) -> None:
    pen.rect(0, 0, 60, 60, fill=0.92)
    pen.text(30, -11, "x + 3")


def parabola(pen: Pen) -> None:
    algebra_en.axes(pen, -2.6, 4.6, -4.8, 3, 13)
    pen.curve(lambda x: x * x - 2 * x - 3, -1.55, 3.55, 13)
    pen.text(-26, 4, "−1")
    pen.text(48, 4, "3")
