"""Two practice papers of one title in one file, each set in two columns, with a key in ranges at the end."""

from __future__ import annotations

from bank import Heading, Item, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[11pt,b5paper,twocolumn]{article}
\usepackage[margin=15mm,bottom=20mm]{geometry}\usepackage[T1]{fontenc}\usepackage{XCharter,amsmath,fancyhdr}
\pagestyle{fancy}\fancyhf{}\fancyhead[C]{Geography Practice Test}\fancyfoot[C]{\thepage}
\setlength\parindent{0pt}\setlength\parskip{4pt}\setlength\columnsep{9mm}
"""
TITLE = "Geography Practice Test"
SECTIONS = ("Section I: Choose the best answer.", "Section II: Answer in complete sentences.")


def pair() -> Book:
    """Numbers start anew in ``Paper B`` and run on over its sections; keys ``1-5 CBDBC`` and worked answers."""
    book = Book(
        "two-papers", "article in two columns, papers A and B of one title, keys in ranges", "pdflatex, T1, XCharter"
    )
    book.add(HEAD, MARKS, r"\begin{document}")
    book.tell("furniture", TITLE)
    paper, section = "", ""
    number = 0
    answers: list[str] = []
    keys: list[tuple[str, str]] = []
    for entry in load("tests"):
        if isinstance(entry, Heading):
            answers += _ranges(keys)
            paper, section, number, keys = f"{TITLE}: {entry.title}", "", 0, []
            head = rf"\Large\bfseries {paper}\par\normalsize\mdseries Time: forty minutes"
            book.add(rf"\twocolumn[\begin{{center}}{head}\end{{center}}]")
            answers.append(rf"\par\medskip\textbf{{{entry.title}}}\par")
            book.tell("heading", paper, entry.title)
            book.tell("instructions", "Time: forty minutes")
        elif isinstance(entry, Item):
            number += 1
            if (now := SECTIONS[0] if entry.options else SECTIONS[1]) != section:
                section = now
                book.add(rf"\medskip\textit{{{section}}}" + "\n")
                book.tell("heading", section)
                answers += _ranges(keys)
                keys = []
            key = book.item(entry, str(number), [paper], section)
            options = "".join(rf"\\\hspace*{{1.2em}}{'ABCD'[n]}. {o}" for n, o in enumerate(entry.options))
            book.add(rf"\textbf{{{number}}}\enspace {marked('q', key, entry.question + options)}", "")
            if entry.options:
                keys.append((key, entry.answer))
            else:
                answers.append(rf"\textbf{{{number}}}\enspace {marked('s', key, entry.solution)}" + "\n")
    book.add(r"\clearpage\section*{Answer Key}", *answers, r"\end{document}")
    book.tell("heading", "Answer Key")
    return book


def _ranges(keys: list[tuple[str, str]]) -> list[str]:
    """The letters in groups of five behind the range of their numbers."""
    groups = [(start, keys[start : start + 5]) for start in range(0, len(keys), 5)]
    return [
        rf"{start + 1}--{start + len(part)}\enspace "
        + "".join(marked("s", key, answer) for key, answer in part)
        + r"\quad"
        for start, part in groups
    ] + ([""] if groups else [])
