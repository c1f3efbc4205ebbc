"""Booklet 1: a short English algebra course with worked examples, two-column exercises and answers."""

from __future__ import annotations

from pathlib import Path

from drawn import algebra_exercises
from drawn.book import Book
from drawn.fonts import ENGLISH
from drawn.gold import Gold
from drawn.page import Flow
from drawn.pen import Pen
from drawn.pictures import tiles

NAME = "algebra_en"


def build(folder: Path) -> Gold:
    """Draws ``algebra_en.pdf`` (twice, the second time with the page numbers of its contents)."""
    lines: list[tuple[str, int, int]] = []
    for _ in range(2):
        gold = Gold([f"{NAME}.pdf"])
        flow = Flow(folder / f"{NAME}.pdf", "First Steps in Algebra", ENGLISH, size=9.4)
        book = Book(flow, gold)
        front(book, lines)
        chapter_1(book)
        chapter_2(book)
        chapter_3(book)
        algebra_exercises.answers(book)
        flow.save()
        lines = [h for h in flow.headings if h[1] > 0]
    return gold


def front(book: Book, lines: list[tuple[str, int, int]]) -> None:
    flow = book.flow
    flow.gap(40)
    book.gold.not_items.append(flow.heading("First Steps in Algebra", 0, listed=False))
    book.prose(
        "A short course with worked examples, exercises and answers. Work through the examples with pencil "
        "and paper before you read their solutions; the answers stand at the end of the book.",
        after=26,
    )
    book.contents("Contents", lines or [("Chapter", 1, 1)])
    flow.next_page()


def chapter_1(book: Book) -> None:
    book.title("Chapter 1 Linear Equations")
    book.prose(
        "An equation says that two quantities are equal. To solve it means to find every number that may "
        "stand in place of the letter. This chapter deals with equations in which the letter occurs only in "
        "its first power."
    )
    book.title("1.1 Equations in One Unknown", 2)
    book.prose(
        "Whatever is done to one side must be done to the other side, too. Choose the step so that the "
        "letter ends up alone."
    )
    example = book.item("Example 1", "Example 1  ", "Solve the equation 2x − 5 = 11.", bold=True)
    book.solution(example, "Solution  ", "Add 5 to both sides: 2x = 16. Divide both sides by 2: x = 8.")
    example = book.item("Example 2", "Example 2  ", "Solve the equation 3(x + 2) = 4x − 1.", bold=True)
    book.solution(
        example,
        "Solution  ",
        "Multiply out: 3x + 6 = 4x − 1. Take 3x from both sides: 6 = x − 1. So x = 7. "
        "Check: 3 · 9 = 27 and 4 · 7 − 1 = 27.",
    )
    section_1_2(book)


def section_1_2(book: Book) -> None:
    """A figure of the question, a figure of the solution, decimals at the start of a line."""
    book.title("1.2 Equations from Words", 2)
    book.prose("Give the unknown quantity a letter, write down what the text says about it, then solve.")
    example = book.item(
        "Example 3",
        "Example 3  ",
        "The rectangle in Figure 1 is 4 cm longer than it is wide, and its perimeter is 36 cm. How wide is it?",
        bold=True,
        figures=[rectangle],
        captions=["Figure 1"],
    )
    book.solution(
        example,
        "Solution  ",
        "Let the width be w cm, so that the length is (w + 4) cm. Then 2(w + w + 4) = 36, that is "
        "4w + 8 = 36. Hence w = 7. The rectangle is 7 cm wide.",
    )
    example = book.item(
        "Example 4",
        "Example 4  ",
        "A ribbon 7.5 metres long is cut into two pieces. The longer piece is\n"
        "1.5 metres longer than the shorter one. How long is each piece?",
        bold=True,
    )
    book.solution(
        example,
        "Solution  ",
        "Let the shorter piece be s metres long. Figure 2 shows the two pieces: s + (s + 1.5) = 7.5, "
        "so 2s = 6 and s = 3. The pieces are 3 metres and\n4.5 metres long.",
    )
    example.solution_figures += book.flow.figures(bars, captions=["Figure 2"])
    book.rubric("Summary")
    book.summary(
        [
            "1. A linear equation contains the unknown only in its first power.",
            "2. Both sides may be increased or reduced by the same number.",
            "3. Both sides may be multiplied or divided by the same number, except by zero.",
        ]
    )
    algebra_exercises.chapter_1(book)


def chapter_2(book: Book) -> None:
    book.title("Chapter 2 Quadratic Equations")
    book.prose("A number multiplied by itself gives its square. This chapter turns the question round.")
    book.title("2.1 Squares and Square Roots", 2)
    example = book.item("Example 1", "Example 1  ", "Find all numbers x with x² = 49.", bold=True)
    book.solution(example, "Solution  ", "Both 7² and (−7)² are 49, so x = 7 or x = −7.")
    example = book.item(
        "Example 2",
        "Example 2  ",
        "The square floor in the picture is covered with square tiles that are\n"
        "0.5 metres wide. What is the area of the floor?",
        bold=True,
        figures=[lambda pen: pen.raster(tiles(), 104)],
    )
    book.solution(
        example,
        "Solution  ",
        "There are 8 tiles along each side, so a side is 4 metres long and the area is 16 m².",
    )
    book.title("2.2 Solving by Factorising", 2)
    book.prose("A product is zero exactly when one of its factors is zero. This is the key to quadratic equations.")
    example = book.item("Example 3", "Example 3  ", "Solve the equation x² − 5x + 6 = 0.", bold=True)
    book.solution(
        example,
        "Solution  ",
        "Two numbers with product 6 and sum 5 are 2 and 3, so the equation is (x − 2)(x − 3) = 0. "
        "Hence x = 2 or x = 3.",
    )
    book.rubric("Summary")
    book.summary(
        [
            "1. Every positive number has two square roots, which differ only in sign.",
            "2. A square is never negative, so x² = −4 has no real solution.",
            "3. If ab = 0, then a = 0 or b = 0.",
        ]
    )
    algebra_exercises.chapter_2(book)


def chapter_3(book: Book) -> None:
    book.flow.next_page()
    book.title("Chapter 3 Straight-Line Graphs")
    book.prose("All points whose coordinates satisfy y = mx + c lie on one straight line.")
    book.title("3.1 Slope and Intercept", 2)
    example = book.item(
        "Example 1",
        "Example 1  ",
        "Find the equation of the line in Figure 3.",
        bold=True,
        figures=[line_graph],
        captions=["Figure 3"],
    )
    book.solution(
        example,
        "Solution  ",
        "The line meets the y-axis at 1, so c = 1. From there it rises by 2 when x grows by 1, so m = 2. "
        "The equation is y = 2x + 1.",
    )
    book.rubric("Definitions")
    book.summary(
        [
            "1. The slope of a line is its rise divided by its run.",
            "2. The intercept is the value of y at x = 0.",
        ]
    )
    algebra_exercises.chapter_3(book)


def rectangle(pen: Pen) -> None:
    pen.rect(0, 0, 130, 62, fill=0.93)
    pen.text(65, -11, "w + 4")
    pen.text(-10, 28, "w")


def bars(pen: Pen) -> None:
    pen.rect(0, 24, 80, 14, fill=0.85)
    pen.rect(0, 0, 80, 14, fill=0.85)
    pen.rect(80, 0, 40, 14, fill=0.65)
    pen.text(40, 28, "s")
    pen.text(40, 4, "s")
    pen.text(100, 4, "1.5")


def axes(pen: Pen, x0: float, x1: float, y0: float, y1: float, unit: float) -> None:
    pen.arrow((x0 * unit, 0), (x1 * unit, 0))
    pen.arrow((0, y0 * unit), (0, y1 * unit))
    for k in range(int(x0) + 1, int(x1)):
        if k:
            pen.line((k * unit, -2), (k * unit, 2))
    for k in range(int(y0) + 1, int(y1)):
        if k:
            pen.line((-2, k * unit), (2, k * unit))
    pen.text(x1 * unit - 2, -11, "x")
    pen.text(-8, y1 * unit - 7, "y")


def line_graph(pen: Pen) -> None:
    axes(pen, -3, 3.5, -2, 5.4, 17)
    pen.curve(lambda x: 2 * x + 1, -1.4, 1.9, 17)
    pen.text(17, -12, "1")
    pen.text(-8, 14, "1")
