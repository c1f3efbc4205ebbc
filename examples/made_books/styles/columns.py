"""Drill sheets: questions in two columns under full-width text, short answers in three columns at the end."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[10pt,a4paper]{article}
\usepackage[margin=20mm]{geometry}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb,lmodern,multicol,enumitem,titlesec,fancyhdr}
\pagestyle{fancy}\fancyhf{}\fancyhead[L]{Calculus Drill Sheets}\fancyhead[R]{Revision Course}
\fancyfoot[C]{-- \thepage\ --}
\setlength\columnseprule{.4pt}\setlength\columnsep{30pt}\setlist[enumerate]{leftmargin=*,itemsep=6pt}
\titleformat{\section}{\large\bfseries}{Set \thesection:}{6pt}{}
"""
TITLE = "Calculus Drill Sheets"


def multicols() -> Book:
    """Numbers ``1.`` that start anew in each set, down the left column and then the right; answers ``(1)``."""
    book = Book("calculus-columns", "article, questions in two columns, answers (1) in three columns, restarts by set",
                "pdflatex, T1, lmodern")  # fmt: skip
    book.add(HEAD, MARKS, r"\begin{document}", rf"\begin{{center}}\LARGE {TITLE}\end{{center}}")
    book.tell("title", TITLE)
    book.tell("furniture", "Calculus Drill Sheets Revision Course")
    answers: list[str] = []
    chapter: list[str] = []
    number = count = 0
    for entry in [*load("calculus"), None]:
        if entry is None or isinstance(entry, Heading):
            if count:
                book.add(r"\end{enumerate}\end{multicols}")
                answers.append(r"\end{enumerate}\end{multicols}")
            if entry is None:
                break
            number, count = number + 1, 0
            chapter = [f"Set {number}: {entry.title}"]
            book.add(rf"\section{{{entry.title}}}")
            answers.append(
                rf"\subsection*{{{chapter[0]}}}\begin{{multicols}}{{3}}\raggedright\begin{{enumerate}}[label=(\arabic*)]"
            )
            book.tell("heading", chapter[0], chapter[0])
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n", r"\begin{multicols}{2}\begin{enumerate}")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            count += 1
            key = book.item(entry, str(count), chapter)
            book.add(rf"\item {marked('q', key, entry.question)}")
            answers.append(rf"\item {marked('s', key, entry.answer)}")
    book.add(r"\section*{Answers}", *answers, r"\end{document}")
    book.tell("heading", "Answers")
    return book
