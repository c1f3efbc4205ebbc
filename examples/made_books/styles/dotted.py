"""A reader cut out of a longer book: problems numbered by chapter from 4 on, odd ones answered at the back."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[10pt,twoside,openany]{report}
\usepackage[paperwidth=155mm,paperheight=230mm,margin=18mm,top=22mm]{geometry}
\usepackage[T1]{fontenc}\usepackage{amsmath,amssymb,mathpazo,fancyhdr}
\pagestyle{fancy}\fancyhf{}\fancyhead[LE]{\thepage\quad\nouppercase\leftmark}\fancyhead[RO]{\nouppercase\rightmark\quad\thepage}
\setlength\headheight{14pt}\setcounter{chapter}{3}
\newcommand\problem[1]{\par\medskip\noindent\textbf{Problem #1}\par\nopagebreak\noindent}
\newcommand\answered[1]{\par\smallskip\noindent\textbf{#1.}\enspace}
"""
TITLE = "Lectures on Linear Algebra"
ANSWERS = "Answers to Odd-Numbered Problems"


def problems() -> Book:
    """``Problem 5.1`` on a line of its own, answered by ``5.1.``; even numbers have no answer."""
    book = Book("dotted-problems", "report, Problem 5.1 on its own line, answers 5.1. of odd numbers, chapters 4 to 6",
                "pdflatex, T1, mathpazo")  # fmt: skip
    book.add(
        HEAD,
        MARKS,
        r"\begin{document}\pagenumbering{roman}\tableofcontents\clearpage\pagenumbering{arabic}\setcounter{page}{47}",
    )
    book.tell("contents", "Contents")
    answers = _chapters(book)
    book.add(
        rf"\chapter*{{{ANSWERS}}}\addcontentsline{{toc}}{{chapter}}{{{ANSWERS}}}\markboth{{{ANSWERS}}}{{{ANSWERS}}}",
        *answers,
    )
    book.add(r"\end{document}")
    for kind in ("heading", "contents", "furniture"):
        book.tell(kind, ANSWERS)
    return book


def _chapters(book: Book) -> list[str]:
    """Adds the chapters; the lines of the answers."""
    chapter, section, example, number = 3, 0, 0, 0
    path: list[str] = []
    under = ""
    answers: list[str] = []
    for entry in load("linear"):
        if isinstance(entry, Heading) and entry.depth == 1:
            chapter, section, example, number, under = chapter + 1, 0, 0, 0, ""
            path = [f"Chapter {chapter} {entry.title}"]
            book.add(rf"\chapter{{{entry.title}}}")
            for kind in ("heading", "contents", "furniture"):
                book.tell(kind, path[0])
        elif isinstance(entry, Heading):
            section += 1
            under = f"{chapter}.{section} {entry.title}"
            book.add(rf"\section{{{entry.title}}}")
            for kind in ("heading", "contents", "furniture"):
                book.tell(kind, under)
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n")
            book.tell("theory", entry.text)
        elif entry.kind:
            example += 1
            key = book.item(entry, f"Example {chapter}.{example}", path, under)
            book.add(
                rf"\par\medskip\noindent\textsc{{Example {chapter}.{example}.}} {marked('q', key, entry.question)}", ""
            )
            book.add(rf"\noindent\textsc{{Solution.}} {marked('s', key, entry.solution)}\hfill$\triangle$", "")
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, f"{chapter}.{number}", path, under, answered=number % 2 == 1)
            book.add(rf"\problem{{{chapter}.{number}}}{marked('q', key, entry.question)}", "")
            if number % 2:
                answers.append(rf"\answered{{{chapter}.{number}}}{marked('s', key, entry.solution)}")
    return answers
