"""A Chinese examination paper: two columns, choices, figures that several questions share, a table of answers."""

from __future__ import annotations

from bank import Group, Heading, Item, Theory, load
from book import MARKS, Book, centred, marked, picture

HEAD = r"""\documentclass[10pt,twocolumn,fontset=none]{ctexart}
\usepackage[paperwidth=370mm,paperheight=260mm,margin=18mm,bottom=20mm]{geometry}
\setCJKmainfont{Noto Serif CJK SC}\setCJKsansfont{Noto Sans CJK SC}
\usepackage{amsmath,amssymb,tikz,fancyhdr}\usetikzlibrary{calc}
\pagestyle{fancy}\fancyhf{}\renewcommand\headrulewidth{0pt}
\fancyfoot[C]{九年级数学试卷\quad 第\thepage 页（共3页）}
\setlength\columnsep{14mm}\setlength\columnseprule{.3pt}\setlength\parindent{0pt}\setlength\parskip{3pt}
\newcommand\four[4]{\par\hspace*{1em}\makebox[.24\linewidth][l]{A．#1}\makebox[.24\linewidth][l]{B．#2}\makebox[.24\linewidth][l]{C．#3}D．#4\par}
\newcommand\two[4]{\par\hspace*{1em}\makebox[.45\linewidth][l]{A．#1}B．#2\par\hspace*{1em}\makebox[.45\linewidth][l]{C．#3}D．#4\par}
"""
TITLE = "九年级第二学期期中考试数学试卷"


def paper() -> Book:
    """Sections over which the numbers run on; the key of the choices is a table."""
    book = Book(
        "zh-exam", "ctexart, landscape in two columns, shared figures, table of answers", "xelatex, Noto CJK", "xelatex"
    )
    book.add(HEAD, MARKS, r"\begin{document}", rf"\begin{{center}}\Large\bfseries {TITLE}\end{{center}}")
    book.tell("title", TITLE)
    book.tell("furniture", "九年级数学试卷 第1页（共3页）")
    number, left, section = 0, 0, ""
    group: Group | None = None
    key_of_choices: list[tuple[int, str, str]] = []
    answers: list[str] = []
    for entry in load("zh_exam"):
        if isinstance(entry, Theory):
            book.add(r"\fbox{\parbox{.96\linewidth}{\textbf{注意事项：}" + entry.text + "}}\n")
            book.tell("instructions", "注意事项：" + entry.text)
        elif isinstance(entry, Heading):
            section = entry.title
            book.add(rf"\par\medskip\textbf{{\sffamily {section}}}\par")
            book.tell("heading", section)
            if number:
                answers.append(rf"\par\textbf{{{section.partition('（')[0]}}}\par")
        elif isinstance(entry, Group):
            group, left = entry, entry.size
            book.add("\n" + entry.text + centred(entry.figures))
        elif isinstance(entry, Item):
            number += 1
            shared = group.text if group and left else ""
            if group and left:
                entry.figures, left = [*group.figures, *entry.figures], left - 1
            own = [name for name in entry.figures if not (shared and group and name in group.figures)]
            key = book.item(entry, str(number), [], section, shared=shared, question=_text(entry))
            book.add(f"{number}．{marked('q', key, _set(entry, own))}\n")
            if entry.options:
                key_of_choices.append((number, key, entry.answer))
            else:
                answers.append(rf"{number}．{marked('s', key, entry.worked)}" + "\n")
    book.add(
        r"\clearpage\begin{center}\Large\bfseries 参考答案与评分标准\end{center}",
        r"\textbf{一、选择题}\par",
        *_table(key_of_choices),
    )
    book.add(*answers, r"\end{document}")
    book.tell("heading", "参考答案与评分标准", "一、选择题", "二、填空题", "三、解答题")
    book.tell("furniture", "题号 答案")
    return book


def _text(item: Item) -> str:
    parts = [f"（{n}） {part}" for n, part in enumerate(item.parts, start=1)]
    options = [f"{'ABCD'[n]}．{option}" for n, option in enumerate(item.options)]
    return " ".join([item.question, *parts, *options]).replace(r"\underline{\hspace{1.5cm}}", "______")


def _set(item: Item, figures: list[str]) -> str:
    parts = "".join(rf"\par\hspace*{{1em}}（{n}）{part}" for n, part in enumerate(item.parts, start=1))
    drawn = "".join(rf"\par\hfill {picture(name)}\hspace*{{2em}}" for name in figures)
    options = ""
    if item.options:
        wide = max(len(option) for option in item.options) > 9 and not item.options[0].startswith("$")
        options = rf"（\qquad）\{'two' if wide else 'four'}" + "".join(f"{{{option}}}" for option in item.options)
    return item.question + options + parts + drawn


def _table(choices: list[tuple[int, str, str]]) -> list[str]:
    numbers = " & ".join(str(number) for number, _, _ in choices)
    letters = " & ".join(marked("s", key, answer) for _, key, answer in choices)
    columns = "|c|" + "c|" * len(choices)
    rows = rf"\hline 题号 & {numbers} \\\hline 答案 & {letters} \\\hline"
    return [rf"\begin{{tabular}}{{{columns}}}{rows}\end{{tabular}}\par\medskip"]
