"""Exercises of the packages xsim and exsheets, which collect the solutions by themselves."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, centred, marked

XSIM = r"""\documentclass[11pt,b5paper]{scrbook}
\usepackage[T1]{fontenc}\usepackage{lmodern,amsmath,tikz,xsim}
\xsimsetup{exercise/within=chapter,exercise/the-counter=\arabic{exercise},exercise/name=Exercise,solution/name=Solution}
\setlength\parindent{0pt}
\title{Statistics for Beginners}\author{}\date{}
"""
#: exsheets asks for ulem, of which it needs nothing here, and Debian has it in a package of its own.
SHEETS = r"""\begin{filecontents*}[overwrite]{ulem.sty}
\ProvidesPackage{ulem}\newcommand\normalem{}\newcommand\uline[1]{#1}
\end{filecontents*}
\documentclass[11pt,a4paper]{scrartcl}
\usepackage[T1]{fontenc}\usepackage{lmodern,amsmath,tikz,exsheets}
\SetupExSheets{headings=runin,question/name=Q,solution/name=Solution to Q}
"""


def xsim() -> Book:
    """``Exercise 1`` that starts anew in each chapter, a hint below it, all solutions in a chapter at the end."""
    book = Book("xsim-hints", "xsim in scrbook, numbers restart by chapter, hints, solutions by chapter at the end",
                "pdflatex, T1, lmodern")  # fmt: skip
    book.add(XSIM, MARKS, r"\begin{document}\frontmatter\maketitle\tableofcontents\mainmatter")
    book.tell("title", "Statistics for Beginners")
    book.tell("contents", "Contents")
    chapter, number = 0, 0
    path: list[str] = []
    for entry in load("statistics"):
        if isinstance(entry, Heading):
            chapter, number = chapter + 1, 0
            path = [f"{chapter} {entry.title}"]
            book.add(rf"\chapter{{{entry.title}}}")
            for kind in ("heading", "contents", "furniture"):
                book.tell(kind, path[0])
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n", r"\section*{Exercises}")
            book.tell("theory", entry.text)
            book.tell("heading", "Exercises")
            path = [*path, "Exercises"]
        elif isinstance(entry, Item):
            number += 1
            hint = rf"\par\emph{{Hint: {entry.hint}}}" if entry.hint else ""
            text = entry.question + (f" Hint: {entry.hint}" if entry.hint else "")
            key = book.item(entry, str(number), path, question=text)
            drawn = centred(entry.solution_figures)
            book.add(r"\begin{exercise}" + marked("q", key, entry.question + hint) + r"\end{exercise}")
            book.add(r"\begin{solution}" + marked("s", key, entry.solution + drawn) + r"\end{solution}")
    title = "Solutions"
    book.add(rf"\chapter*{{{title}}}\addcontentsline{{toc}}{{chapter}}{{{title}}}\markboth{{{title}}}{{{title}}}")
    for n in range(1, chapter + 1):
        book.add(rf"\section*{{Chapter {n}}}\printsolutions[chapter={n},headings=false]")
    book.add(r"\end{document}")
    for kind in ("heading", "contents", "furniture"):
        book.tell(kind, title, "Chapter")
    return book


def exsheets() -> Book:
    """Labels ``Q1``, answered at the end by ``Solution to Q1``."""
    title, end = "Twenty Minutes of Algebra", "What the Puzzles Hide"
    book = Book("exsheets-q", "exsheets, labels Q1, solutions headed Solution to Q1", "pdflatex, T1, lmodern")
    book.add(SHEETS, MARKS, r"\begin{document}", rf"\title{{{title}}}\author{{}}\date{{}}\maketitle")
    book.tell("title", title)
    for number, entry in enumerate(load("puzzles")):
        if isinstance(entry, Theory):
            book.add(entry.text + "\n")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            key = book.item(entry, str(number), [])
            drawn = centred(entry.solution_figures)
            book.add(r"\begin{question}" + marked("q", key, entry.question) + r"\end{question}")
            book.add(r"\begin{solution}" + marked("s", key, entry.solution + drawn) + r"\end{solution}")
    book.add(rf"\section*{{{end}}}\printsolutions\end{{document}}")
    book.tell("heading", end)
    return book
