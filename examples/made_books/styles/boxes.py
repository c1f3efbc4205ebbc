"""A workbook whose solutions stand in coloured boxes below the questions."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, centred, marked

HEAD = r"""\documentclass[11pt,a4paper]{report}
\usepackage[margin=24mm]{geometry}\usepackage[T1]{fontenc}\usepackage{amsmath,tikz}\usepackage[scaled]{helvet}\renewcommand\familydefault{\sfdefault}
\usepackage[most]{tcolorbox}\usepackage{titlesec}
\titleformat{\chapter}[hang]{\LARGE\bfseries\sffamily\color{blue!50!black}}{Unit \thechapter}{10pt}{}
\newtcolorbox{solved}{enhanced,breakable,colback=blue!5,colframe=blue!50!black,fonttitle=\bfseries,title=Solution,arc=2mm}
\newtcolorbox{aims}{enhanced,colback=yellow!10,colframe=orange,sharp corners,boxrule=0pt,leftrule=3pt}
\setlength\parindent{0pt}\setlength\parskip{4pt}
"""
TITLE = "A Workbook of School Chemistry"


def solved() -> Book:
    """``Question 3`` counted through the book, each with a titled box under it."""
    book = Book(
        "tcolorbox-solutions",
        "tcolorbox solutions with a title bar, numbers run through the book",
        "pdflatex, T1, Helvetica",
    )
    book.add(
        HEAD,
        MARKS,
        r"\begin{document}",
        rf"\begin{{titlepage}}\centering\vspace*{{5cm}}{{\Huge {TITLE}}}\end{{titlepage}}\tableofcontents",
    )
    book.tell("title", TITLE)
    book.tell("contents", "Contents")
    unit = number = 0
    path: list[str] = []
    for entry in load("chemistry"):
        if isinstance(entry, Heading):
            unit += 1
            path = [f"Unit {unit} {entry.title}"]
            book.add(rf"\chapter{{{entry.title}}}")
            book.tell("heading", path[0])
            book.tell("contents", f"{unit} {entry.title}")
        elif isinstance(entry, Theory):
            book.add(rf"\begin{{aims}}{entry.text}\end{{aims}}")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, str(number), [], path[0])
            drawn = centred(entry.figures)
            book.add(rf"\textbf{{Question {number}.}} {marked('q', key, entry.question + drawn)}", "")
            book.add(rf"\begin{{solved}}{marked('s', key, entry.solution)}\end{{solved}}", "")
    book.add(r"\end{document}")
    return book
