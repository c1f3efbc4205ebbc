"""A problem book of three parts: problems, hints and solutions, numbered alike."""

from __future__ import annotations

from bank import Item, Theory, load
from book import MARKS, Book, centred, marked

HEAD = r"""\documentclass[11pt,a5paper]{article}
\usepackage[margin=17mm,top=20mm]{geometry}\usepackage[T1]{fontenc}\usepackage{tgschola,amsmath,tikz,fancyhdr}
\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\small\nouppercase\leftmark}\fancyhead[R]{\small\thepage}
\setlength\headheight{14pt}\setlength\parindent{0pt}\setlength\parskip{5pt}
\newcommand\numbered[1]{\makebox[2.2em][l]{\textbf{#1.}}\hangindent=2.2em}
"""
TITLE = "Chance and Data: A Problem Book"
PARTS = ("Problems", "Hints", "Solutions")


def hints() -> Book:
    """``7.`` three times over: as a problem, as a hint if there is one, and as a solution."""
    book = Book(
        "hints-back", "article, parts Problems, Hints and Solutions, numbered alike", "pdflatex, T1, TeX Gyre Schola"
    )
    book.add(HEAD, MARKS, r"\begin{document}", rf"\title{{{TITLE}}}\author{{}}\date{{}}\maketitle\tableofcontents")
    book.tell("title", TITLE)
    book.tell("contents", "Contents", *PARTS)
    book.tell("heading", *PARTS)
    book.tell("furniture", *PARTS)
    lines: dict[str, list[str]] = {part: [_head(part)] for part in PARTS}
    number = 0
    for entry in load("statistics"):
        if isinstance(entry, Theory):
            lines["Problems"].append(entry.text + "\n")
            book.tell("theory", entry.text)
        elif isinstance(entry, Item):
            number += 1
            key = book.item(entry, str(number), ["Problems"], shared=entry.hint)
            start = rf"\numbered{{{number}}}"
            lines["Problems"].append(start + marked("q", key, entry.question) + "\n")
            lines["Solutions"].append(start + marked("s", key, entry.solution + centred(entry.solution_figures)) + "\n")
            if entry.hint:
                lines["Hints"].append(start + entry.hint + "\n")
                book.tell("hint", entry.hint)
    book.add(*(line for part in PARTS for line in lines[part]), r"\end{document}")
    return book


def _head(part: str) -> str:
    return rf"\section*{{{part}}}\addcontentsline{{toc}}{{section}}{{{part}}}\markboth{{{part}}}{{}}"
