"""Drills that count along rows of three, with answers one after the other on a line."""

from __future__ import annotations

from bank import Heading, Item, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage[margin=20mm]{geometry}\usepackage[T1]{fontenc}\usepackage{fourier,amsmath,tasks}
\settasks{label=\arabic*.,item-indent=2em,label-width=1.6em,after-item-skip=6pt,column-sep=8mm,item-format=\raggedright}
\setlength\parindent{0pt}\pagestyle{plain}
"""
TITLE = "Ten Minutes a Day"


def tasks() -> Book:
    """``1. 2. 3.`` from left to right; the answers of a day in one paragraph each."""
    book = Book(
        "row-tasks",
        "tasks package, numbers from left to right in rows of three, answers run in",
        "pdflatex, T1, Fourier",
    )
    book.add(HEAD, MARKS, r"\begin{document}", rf"\begin{{center}}\LARGE {TITLE}\end{{center}}")
    book.tell("title", TITLE)
    day = number = 0
    path: list[str] = []
    answers: list[str] = []
    for entry in load("drills"):
        if isinstance(entry, Heading):
            book.add(*([r"\end{tasks}"] if day else []))
            day, number = day + 1, 0
            path = [f"Day {day}: {entry.title}"]
            book.add(rf"\subsection*{{{path[0]}}}\begin{{tasks}}(3)")
            answers.append(rf"\par\medskip\textbf{{{path[0]}}}\par")
            book.tell("heading", path[0], path[0])
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, str(number), path)
            book.add(rf"\task {marked('q', key, entry.question)}")
            answers.append(rf"\textbf{{{number}.}} {marked('s', key, entry.answer)}\quad")
    book.add(r"\end{tasks}\section*{Answers}", *answers, r"\end{document}")
    book.tell("heading", "Answers")
    return book
