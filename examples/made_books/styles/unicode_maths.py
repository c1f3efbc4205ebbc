"""Lecture notes with OpenType maths fonts: problems and solutions in turn, numbered by section."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage[margin=28mm]{geometry}\usepackage{amsmath,unicode-math,fancyhdr}
\setmainfont{STIXTwoText}[Extension=.otf,UprightFont=*-Regular,BoldFont=*-Bold,ItalicFont=*-Italic,BoldItalicFont=*-BoldItalic]
\setmathfont{STIXTwoMath-Regular.otf}
\pagestyle{fancy}\fancyhf{}\fancyhead[C]{\itshape\nouppercase\leftmark}\fancyfoot[C]{\thepage}
\setlength\parindent{0pt}\setlength\parskip{5pt}
"""
TITLE = "Exercises in Complex Analysis"


def stix() -> Book:
    """``Problem 2.3`` in small print above its ``Solution.``, both run in."""
    book = Book(
        "unicode-math",
        "unicode-math with STIX Two, problems numbered by section, solutions below",
        "lualatex, STIX Two",
        "lualatex",
    )
    book.add(
        HEAD,
        MARKS,
        r"\begin{document}",
        rf"\title{{{TITLE}}}\author{{Notes for the second year}}\date{{}}\maketitle\tableofcontents",
    )
    book.tell("title", TITLE)
    book.tell("credits", "Notes for the second year")
    book.tell("contents", "Contents")
    section = number = 0
    path: list[str] = []
    for entry in load("complex"):
        if isinstance(entry, Heading):
            section, number = section + 1, 0
            path = [f"{section} {entry.title}"]
            book.add(rf"\section{{{entry.title}}}")
            for kind in ("heading", "contents", "furniture"):
                book.tell(kind, path[0])
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, f"{section}.{number}", path)
            book.add(rf"\textbf{{Problem {section}.{number}}}\enspace {marked('q', key, entry.question)}", "")
            book.add(rf"\textit{{Solution.}}\enspace {marked('s', key, entry.solution)}\hfill$\mdlgwhtsquare$", "")
    book.add(r"\end{document}")
    return book
