"""Examination papers with the class ``exam``: with its solutions printed, and as candidates get it."""

from __future__ import annotations

from bank import Item, Theory, load
from book import MARKS, Book, centred, marked

HEAD = r"""\documentclass[11pt,a4paper%(answers)s]{exam}
\usepackage{amsmath,amssymb,tikz}\usetikzlibrary{patterns}
\pagestyle{headandfoot}\runningheadrule
\firstpageheader{}{}{}\runningheader{Physics 101}{Midterm Examination}{%(date)s}
\firstpagefooter{}{Page \thepage\ of \numpages}{}\footer{}{Page \thepage\ of \numpages}{}
"""
TITLE = "Physics 101: Midterm Examination"


def solutions() -> Book:
    """``exam`` with ``answers``: each solution in its frame behind the question or part."""
    book = Book(
        "exam-solutions",
        "exam class, \\printanswers, framed solutions, parts, points",
        "pdflatex, OT1, Computer Modern",
    )
    _front(book, ",answers", "Spring Term")
    for number, entry in enumerate((e for e in load("mechanics") if isinstance(e, Item)), start=1):
        key = book.item(entry, str(number), [])
        book.add(rf"\question[{entry.points}] " + marked("q", key, _asked(entry)))
        drawn = centred(entry.solution_figures)
        book.add(r"\begin{solution}" + marked("s", key, entry.solution + drawn) + r"\end{solution}")
    _back(book)
    return book


def blank() -> Book:
    """The paper as candidates get it: lines to write on, choices, two parts over which the numbers run on."""
    book = Book(
        "exam-blank", "exam class without answers, choices, answer lines, two parts", "pdflatex, OT1, Computer Modern"
    )
    _front(book, "", "Autumn Term")
    section = ""
    for number, entry in enumerate((e for e in load("choices") if isinstance(e, Item)), start=1):
        if (named := "Part A: Multiple choice" if entry.options else "Part B: Written answers") != section:
            section = named
            book.add(rf"\fullwidth{{\Large\bfseries {section}}}")
            book.tell("heading", section)
        key = book.item(entry, str(number), [], section, answered=False)
        book.add(rf"\question[{entry.points or 2}] " + marked("q", key, _asked(entry)))
        if not entry.options:
            book.add(r"\fillwithlines{22mm}")
    _back(book)
    return book


def _front(book: Book, answers: str, date: str) -> None:
    book.add(HEAD % {"answers": answers, "date": date}, MARKS, r"\begin{document}")
    book.add(rf"\begin{{center}}{{\Large\bfseries {TITLE}}}\\[4pt] {date}\quad Time allowed: two hours\end{{center}}")
    book.add(r"\noindent Name: \hrulefill\ Student number: \underline{\hspace{4cm}}\par\bigskip")
    told = [e.text for e in load("mechanics") if isinstance(e, Theory)]
    book.add(
        r"\noindent\fbox{\parbox{.96\textwidth}{\textbf{Instructions.} " + r"\par ".join(told) + r"}}\bigskip",
        r"\begin{questions}",
    )
    book.tell("title", TITLE)
    book.tell("instructions", f"{date} Time allowed: two hours", "Name: Student number:", "Instructions.", *told)
    book.tell("furniture", f"Physics 101 Midterm Examination {date}", "Page 1 of 5", "(6 points)")


def _asked(item: Item) -> str:
    figures = centred(item.figures)
    parts = r"\begin{parts}" + "".join(rf"\part {p} " for p in item.parts) + r"\end{parts}" if item.parts else ""
    options = (
        r"\begin{choices}" + "".join(rf"\choice {o} " for o in item.options) + r"\end{choices}" if item.options else ""
    )
    return item.question + figures + parts + options


def _back(book: Book) -> None:
    book.add(r"\end{questions}", r"\begin{center}\textbf{End of the paper}\end{center}", r"\end{document}")
    book.tell("instructions", "End of the paper")
