"""Chinese exercises whose numbers are numerals: 一、 in each paper, answered by 一、."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, marked

HEAD = r"""\documentclass[12pt,a4paper,fontset=none]{ctexart}
\setCJKmainfont[AutoFakeBold]{AR PL SungtiL GB}
\usepackage[margin=26mm]{geometry}\usepackage{amsmath}\pagestyle{plain}
\setlength\parindent{0pt}\setlength\parskip{6pt}
"""
TITLE = "七年级数学练习"
NUMERALS = "一二三四五六七八九十"


def papers() -> Book:
    """Numerals start anew in each paper; both papers' answers follow under their titles."""
    book = Book(
        "zh-numerals",
        "ctexart, questions 一、 to 六、 in each paper, answers 一、 at the end",
        "xelatex, AR PL Sungti",
        "xelatex",
    )
    book.add(HEAD, MARKS, r"\begin{document}", rf"\begin{{center}}\LARGE {TITLE}\end{{center}}")
    book.tell("title", TITLE)
    number = 0
    path: list[str] = []
    answers: list[str] = []
    for entry in load("zh_calculation"):
        if isinstance(entry, Heading):
            number, path = 0, [entry.title]
            book.add(rf"\section*{{{entry.title}}}")
            answers.append(rf"\subsection*{{{entry.title}}}")
            book.tell("heading", entry.title, entry.title)
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n")
            book.tell("instructions", entry.text)
        elif isinstance(entry, Item):
            parts = [f"（{n}）{part}" for n, part in enumerate(entry.parts, start=1)]
            key = book.item(entry, NUMERALS[number], path, question=" ".join([entry.question, *parts]))
            text = entry.question + "".join(r"\\\hspace*{2em}" + part for part in parts)
            book.add(rf"{NUMERALS[number]}、{marked('q', key, text)}" + "\n")
            answers.append(rf"{NUMERALS[number]}、{marked('s', key, entry.solution)}" + "\n")
            number += 1
    book.add(r"\section*{答案与提示}", *answers, r"\end{document}")
    book.tell("heading", "答案与提示")
    return book
