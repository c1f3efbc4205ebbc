"""A Chinese booklet of lessons: numbers start anew in each, figures belong to several questions, answers at the end."""

from __future__ import annotations

from bank import Group, Heading, Item, Theory, load
from book import MARKS, Book, asked, marked, picture

HEAD = r"""\documentclass[11pt,a4paper,fontset=none]{ctexart}
\usepackage[margin=26mm]{geometry}\setCJKmainfont[BoldFont=Noto Sans CJK SC]{Noto Serif CJK SC}
\usepackage{amsmath,tikz,fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{物理同步练习}\fancyhead[R]{八年级}\fancyfoot[C]{·\thepage·}
\ctexset{section={name={第,节},number=\chinese{section}}}
\setlength\parindent{0pt}\setlength\parskip{4pt}
"""
TITLE = "物理同步练习"


def lessons() -> Book:
    """``1．`` in each lesson, answered by ``(1)`` under the lesson's title at the end; captions name the questions."""
    book = Book("zh-figures", "ctexart lessons, figures of several questions with captions, answers (1) by lesson",
                "xelatex, Noto CJK", "xelatex")  # fmt: skip
    book.add(HEAD, MARKS, r"\begin{document}", rf"\begin{{center}}\LARGE\bfseries {TITLE}\end{{center}}")
    book.tell("title", TITLE)
    book.tell("furniture", "物理同步练习 八年级")
    lesson = number = left = 0
    path: list[str] = []
    group: Group | None = None
    answers: list[str] = []
    for entry in load("zh_physics"):
        if isinstance(entry, Heading):
            lesson, number, left = lesson + 1, 0, 0
            path = [f"第{'一二三'[lesson - 1]}节 {entry.title}"]
            book.add(rf"\section{{{entry.title}}}")
            answers.append(rf"\subsection*{{{path[0]}}}")
            book.tell("heading", path[0], path[0])
        elif isinstance(entry, Theory):
            book.add(r"\textbf{知识要点}\par " + entry.text + "\n", r"\textbf{巩固练习}" + "\n")
            book.tell("theory", "知识要点", entry.text)
            book.tell("heading", "巩固练习")
        elif isinstance(entry, Group):
            group, left = entry, entry.size
            caption = f"（第{number + 1}～{number + entry.size}题图）"
            drawn = "".join(picture(name) for name in entry.figures)
            book.add(entry.text, rf"\begin{{center}}{drawn}\\[2pt]\small {caption}\end{{center}}")
        elif isinstance(entry, Item):
            number += 1
            shared = ""
            if group and left:
                first = number - group.size + left
                shared = f"{group.text} （第{first}～{first + group.size - 1}题图）"
                entry.figures, left = [*group.figures, *entry.figures], left - 1
            key = book.item(entry, str(number), path, shared=shared, question=asked(entry))
            options = (
                r"\par\hspace*{2em}" + r"\quad ".join(f"{'ABCD'[n]}．{o}" for n, o in enumerate(entry.options))
                if entry.options
                else ""
            )
            book.add(f"{number}．{marked('q', key, entry.question + options)}\n")
            answers.append(f"({number}) {marked('s', key, entry.worked)}" + "\n")
    book.add(r"\clearpage\begin{center}\Large\bfseries 参考答案\end{center}", *answers, r"\end{document}")
    book.tell("heading", "参考答案")
    return book
