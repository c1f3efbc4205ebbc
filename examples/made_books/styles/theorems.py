"""A textbook with amsthm: theory between exercises, solutions in an appendix under heads of their own."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[11pt,a5paper,openany]{book}
\usepackage[margin=17mm,top=22mm]{geometry}
\usepackage[T1]{fontenc}\usepackage{amsmath,amsthm,kpfonts,microtype}
\newtheorem{theorem}{Theorem}[section]\newtheorem{lemma}[theorem]{Lemma}\newtheorem{corollary}[theorem]{Corollary}
\theoremstyle{definition}\newtheorem{definition}[theorem]{Definition}\newtheorem{example}[theorem]{Example}
\newtheorem{exercise}{Exercise}[chapter]
\theoremstyle{remark}\newtheorem*{remark}{Remark}
\newenvironment{worked}{\begin{proof}[Solution]}{\end{proof}}
\title{Elementary Number Theory}\author{A. Teacher}\date{}
"""
SOLUTIONS = "Solutions to the Exercises"


def appendix() -> Book:
    """Exercises at the ends of sections, numbered through the chapter; solutions in an appendix, with numbers alone."""
    style = "amsthm book, exercises by section, appendix with Solution 1.1 on lines of their own"
    book = Book("amsthm-appendix", style, "pdflatex, T1, kpfonts")
    book.add(HEAD, MARKS, r"\begin{document}\frontmatter\maketitle\tableofcontents\mainmatter")
    book.tell("title", "Elementary Number Theory")
    book.tell("credits", "A. Teacher")
    book.tell("contents", "Contents")
    answers = _chapters(book)
    book.add(rf"\appendix\chapter{{{SOLUTIONS}}}", *answers, r"\end{document}")
    book.tell("heading", SOLUTIONS)
    book.tell("contents", f"A {SOLUTIONS}")
    book.tell("furniture", "CHAPTER APPENDIX")
    return book


def _chapters(book: Book) -> list[str]:
    """Adds the chapters to the book; the lines of the appendix."""
    chapter = section = number = exercise = 0
    path: list[str] = []
    under = ""
    answers: list[str] = []
    for entry in load("numbers"):
        if isinstance(entry, Heading) and entry.depth == 1:
            chapter, section, number, exercise = chapter + 1, 0, 0, 0
            path = [f"Chapter {chapter} {entry.title}"]
            book.add(rf"\chapter{{{entry.title}}}")
            answers.append(rf"\section*{{Chapter {chapter}}}")
            _tell_heading(book, path[-1], f"{chapter} {entry.title}")
        elif isinstance(entry, Heading):
            section, number = section + 1, 0
            under = f"{chapter}.{section} {entry.title}"
            book.add(rf"\section{{{entry.title}}}")
            _tell_heading(book, under, under)
        elif isinstance(entry, Theory):
            number += entry.kind in ("definition", "theorem", "lemma", "corollary")
            _add_theory(book, entry, f"{chapter}.{section}.{number}")
        elif entry.kind == "example":
            number += 1
            key = book.item(entry, f"Example {chapter}.{section}.{number}", path, under)
            book.add(rf"\begin{{example}}{marked('q', key, entry.question)}\end{{example}}")
            book.add(rf"\begin{{worked}}{marked('s', key, entry.solution)}\end{{worked}}")
        elif isinstance(entry, Item):
            exercise += 1
            key = book.item(entry, f"{chapter}.{exercise}", path, under)
            book.add(rf"\begin{{exercise}}{marked('q', key, entry.question)}\end{{exercise}}")
            answers.append(rf"\subsection*{{Solution {chapter}.{exercise}}}{marked('s', key, entry.solution)}")
    return answers


def _tell_heading(book: Book, printed: str, listed: str) -> None:
    book.tell("heading", printed)
    book.tell("contents", listed)
    book.tell("furniture", listed)


def _add_theory(book: Book, entry: Theory, number: str) -> None:
    if entry.kind == "text":
        book.add(entry.text + "\n")
        book.tell("theory", entry.text)
        return
    book.add(rf"\begin{{{entry.kind}}}{entry.text}\end{{{entry.kind}}}")
    numbered = "" if entry.kind in ("proof", "remark") else f" {number}"
    book.tell("theory", f"{entry.kind.capitalize()}{numbered}. {entry.text}")
