"""Slides: a question in one block or on one frame, its solution below it or on the next frame."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, centred, marked

HEAD = r"""\documentclass[10pt]{beamer}
\usetheme{Madrid}\usepackage[T1]{fontenc}\usepackage{lmodern,tikz}\setbeamertemplate{navigation symbols}{}
\title{Algorithms: Questions for the Tutorial}\author{Tutors of the Course}\date{Winter 2023}
"""


def beamer() -> Book:
    """``Question 3`` as the title of a frame; a short solution stands in a block below, a longer one on the next."""
    book = Book(
        "beamer-slides",
        "beamer, questions as frame titles, solutions in blocks and on frames of their own",
        "pdflatex, T1, lmodern",
    )
    book.add(HEAD, MARKS, r"\begin{document}\frame{\titlepage}\begin{frame}{Outline}\tableofcontents\end{frame}")
    book.tell("title", "Algorithms: Questions for the Tutorial")
    book.tell("credits", "Tutors of the Course Winter 2023")
    book.tell("furniture", "Tutors of the Course Algorithms: Questions for the Tutorial Winter 2023")
    book.tell("contents", "Outline")
    path: list[str] = []
    number = 0
    for entry in load("algorithms"):
        if isinstance(entry, Heading):
            path = [entry.title]
            book.add(rf"\section{{{entry.title}}}")
            book.tell("contents", entry.title)
            book.tell("heading", entry.title)
        elif isinstance(entry, Theory):
            book.add(rf"\begin{{frame}}{{{path[0]}}}{entry.text}\end{{frame}}")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, str(number), [], path[0])
            drawn = centred(entry.figures)
            asked, solved = marked("q", key, entry.question + drawn), marked("s", key, entry.solution)
            if len(entry.solution) > 110:
                book.add(rf"\begin{{frame}}{{Question {number}}}{asked}\end{{frame}}")
                book.add(rf"\begin{{frame}}{{Solution {number}}}{solved}\end{{frame}}")
            else:
                below = rf"\begin{{block}}{{Solution}}{solved}\end{{block}}"
                book.add(rf"\begin{{frame}}{{Question {number}}}{asked}{below}\end{{frame}}")
    book.add(r"\end{document}")
    return book
