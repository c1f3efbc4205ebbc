"""A Chinese book of proofs: 证明 alone on its line, 【证明】 in frames, exercises answered at the end."""

from __future__ import annotations

from bank import Heading, Item, Theory, load
from book import MARKS, Book, centred, marked

HEAD = r"""\documentclass[11pt,a5paper,openany,fontset=fandol]{ctexbook}
\usepackage[margin=16mm,top=20mm]{geometry}
\usepackage{amsmath,amssymb,tikz,tcolorbox}\usetikzlibrary{calc}\tcbuselibrary{breakable,skins}
\newtcolorbox{framed}{breakable,enhanced,sharp corners,colback=white,boxrule=.5pt,left=2mm,right=2mm}
\title{证明选讲}\author{数学教研组}\date{}
"""
ORDINALS = "一二三四五六"


def frames() -> Book:
    """Examples whose proofs stand under 证明 or in a frame under 【证明】, by chapters in turn; 参考答案 at the end."""
    book = Book(
        "zh-proofs",
        "ctexbook, 证明 and 【证明】 alone on lines, frames, answers at the end",
        "xelatex, Fandol",
        "xelatex",
    )
    book.add(HEAD, MARKS, r"\begin{document}\frontmatter\maketitle\tableofcontents\mainmatter")
    book.tell("title", "证明选讲")
    book.tell("credits", "数学教研组")
    book.tell("contents", "目录")
    answers = _chapters(book)
    book.add(
        r"\chapter*{参考答案}\addcontentsline{toc}{chapter}{参考答案}\markboth{参考答案}{}", *answers, r"\end{document}"
    )
    book.tell("heading", "参考答案")
    book.tell("contents", "参考答案")
    book.tell("furniture", "参考答案")
    return book


def _chapters(book: Book) -> list[str]:
    """Adds the chapters; the lines of the answers."""
    chapter = section = example = exercise = 0
    path: list[str] = []
    under = ""
    answers: list[str] = []
    for entry in load("zh_proofs"):
        if isinstance(entry, Heading) and entry.title.startswith("习题"):
            exercise, under, path = 0, "", [path[0], entry.title]
            book.add(rf"\section*{{{entry.title}}}\addcontentsline{{toc}}{{section}}{{{entry.title}}}")
            answers.append(rf"\section*{{{entry.title}}}")
            book.tell("heading", entry.title)
            book.tell("contents", entry.title)
        elif isinstance(entry, Heading) and entry.depth == 1:
            chapter, section, example, under = chapter + 1, 0, 0, ""
            path = [f"第{ORDINALS[chapter - 1]}章 {entry.title}"]
            book.add(rf"\chapter{{{entry.title}}}")
            _tell(book, path[0])
        elif isinstance(entry, Heading):
            section += 1
            under = f"{chapter}.{section} {entry.title}"
            book.add(rf"\section{{{entry.title}}}")
            _tell(book, under)
        elif isinstance(entry, Theory):
            book.add(entry.text + "\n")
            book.tell("theory", entry.text)
        elif entry.kind:
            example += 1
            key = book.item(entry, f"例{example}", path, under)
            book.add(rf"\medskip\noindent\textbf{{例{example}}}\quad {marked('q', key, _asked(entry))}", "")
            book.add(_proof(marked("s", key, entry.solution), framed=chapter % 2 == 0), "")
        elif isinstance(entry, Item):
            exercise += 1
            key = book.item(entry, str(exercise), path)
            book.add(rf"\noindent {exercise}．{marked('q', key, _asked(entry))}", "")
            answers.append(rf"\noindent {exercise}．证明" + "\n\n" + marked("s", key, entry.solution) + "\n")
    return answers


def _proof(text: str, *, framed: bool) -> str:
    if framed:
        return rf"\begin{{framed}}\noindent【证明】\par {text}\end{{framed}}"
    return rf"\noindent\textbf{{证明}}\par {text}"


def _asked(item: Item) -> str:
    return item.question + centred(item.figures)


def _tell(book: Book, title: str) -> None:
    for kind in ("heading", "contents", "furniture"):
        book.tell(kind, title)
