"""The further lessons of the content list: titles that arrive in the wrong place or type, and the answers."""

from __future__ import annotations

from drawn.gold import Gold
from drawn.listbook import ListBook, furniture, head, image, listed, text

AXIS, ABSOLUTE, OPPOSITE, SUM = "1.2 数轴(2)", "1.3 绝对值(3)", "1.4 相反数(4)", "1.5 有理数的加法(5)"
EXERCISE, REVIEW, TERMS, EQUATION = "习题1.5", "本章复习题", "21 整式(1)", "3.1 方程(1)"


def all_lessons(book: ListBook) -> None:
    axis(book)
    absolute(book)
    addition(book)
    later_chapters(book)
    answers(book)


def axis(book: ListBook) -> None:
    """The title typed as header; an example without number, one without 解, one in a single block."""
    book.turn()
    book.put(furniture("header", AXIS))
    book.title(AXIS)
    item = book.ask("例", text("例 在数轴上表示 $-2$ 和3，并求这两点之间的距离．"))
    book.solve(item, text("解 两点分别在原点左边2个单位、右边3个单位处，距离是 $3-(-2)=5$．"))
    item = book.ask("例2", text("例② 计算：$|-3|+|2|$．"))
    book.solve(item, text("原式 $=3+2=5$．"))
    both = ["例3 若 $|x|=2$，求 $x$．", "解 $x=2$ 或 $x=-2$．"]
    book.put(text(" ".join(both)))
    book.record("例3", both[0]).solution.append(both[1])
    item = book.ask(
        "典例",
        text("典例 点M，N在数轴上的位置如图，一只蚂蚁从点M出发爬到点N，再爬到原点，共爬了多少个单位长度？"),
    )
    book.put(image("axis_mn.png", "图1-1", width=400))
    item.figures.append(book.figure("axis_mn.png", caption="图1-1"))
    book.put_at(900, text("解 从点M到点N爬了 $1-(-3)=4$ 个单位长度，"))
    book.put_at(960, furniture("page_number", "6"))
    book.page, book.y = book.page + 1, 80
    book.put_at(32, text("七年级数学同步练习"))
    book.put(text("从点N到原点爬了1个单位长度，"), text("一共爬了 $4+1=5$ 个单位长度．"))
    item.solution += [
        "解 从点M到点N爬了 $1-(-3)=4$ 个单位长度，",
        "从点N到原点爬了1个单位长度，",
        "一共爬了 $4+1=5$ 个单位长度．",
    ]
    book.ask("变式1", text("变式1 如果蚂蚁从点N出发先爬到点M，再爬到原点，共爬了多少个单位长度？"))
    book.ask("1", text("1. 数轴上到原点的距离等于3的点有________个．"))
    book.ask("2", text("2. 在数轴上画出表示 $-1.5$ 和 $2$ 的点．"))


def absolute(book: ListBook) -> None:
    """A title inside a list, a title without level, and a question whose second line comes first."""
    book.put(listed(ABSOLUTE, "1. $|-7|=$________．", "2. 绝对值最小的数是________．"))
    book.title(ABSOLUTE)
    book.record("1", "1. $|-7|=$________．")
    book.record("2", "2. 绝对值最小的数是________．")
    book.put(text(OPPOSITE))
    book.title(OPPOSITE)
    book.ask("1", text("1. $-6$ 的相反数是________．"))
    start, rest = "2. 若 $a$ 与4互为相反数，则 $a$ 的", "绝对值是________．"
    after = "3. 相反数等于它本身的数是________．"
    top = book.y
    book.put_at(top + 30, text(rest))
    book.put_at(top + 60, text(after))
    book.put_at(top, text(start))
    book.record("2", start, rest)
    book.record("3", after)
    book.y = top + 90


def addition(book: ListBook) -> None:
    """A title after its first items, and one at the end of the page that it heads."""
    book.turn()
    lines = [
        "1. 计算：$(-3)+8=$________．",
        "2. 计算：$(-2.5)+(-1.5)=$________．",
        "3. 计算：$7+(-7)=$________．",
    ]
    book.title(SUM)
    book.put_at(120, text(lines[0]))
    book.put_at(150, text(lines[1]))
    book.put_at(80, head(SUM))
    book.put_at(180, text(lines[2]))
    for label, line in enumerate(lines, 1):
        book.record(str(label), line)
    book.turn()
    lines = [
        "1. 某天早晨气温是 $-4$℃，中午上升了9℃，中午的气温是________℃．",
        "2. 计算：$(-1)+2+(-3)+4$．",
        "3. 一本账上记着：收入50元，支出20元，支出35元．结余是多少元？",
    ]
    book.title(EXERCISE)
    book.put_at(120, listed(*lines))
    book.put_at(80, head(EXERCISE))
    for label, line in enumerate(lines, 1):
        book.record(str(label), line)
    book.turn()
    book.put(head(REVIEW))
    book.title(REVIEW)
    book.ask("1", text("1. 把 $-2$，0，$-5$，3按从小到大的顺序排列：________．"))
    book.ask("2", text("2. 若 $|x|=6$，则 $x=$________．"))


def later_chapters(book: ListBook) -> None:
    """A number that lost its dot (21 for 2.1), and twice more the title 本章复习题."""
    book.turn("第二章 整式")
    book.put(head("第二章 整式"), head(TERMS))
    book.title(TERMS)
    item = book.ask("例1", text("例一 如图，长方形的长是 $a$，宽是 $b$，用代数式表示它的周长．"))
    book.put(image("frame.png", width=240))
    item.figures.append(book.figure("frame.png"))
    book.solve(item, text("解 周长是 $2a+2b$．"))
    book.ask("1", text("1. 单项式 $-3x^{2}$ 的系数是________．"))
    book.ask("2", text("2. 合并同类项："), {"type": "text", "text": "$5x-2x+4$．"})
    book.put(head(REVIEW))
    book.title(REVIEW)
    book.ask("1", text("1. 当 $x=2$ 时，$3x-1$ 的值是________．"))
    book.turn("第三章 一元一次方程")
    book.put(head("第三章 一元一次方程"), head(EQUATION))
    book.title(EQUATION)
    book.ask("1", text("1. 方程 $2x+1=7$ 的解是________．"))
    book.ask("2", text("2. 自己编一道解为 $x=3$ 的方程．"))
    book.put(head(REVIEW))
    book.title(REVIEW)
    book.ask("1", text("1. 解方程：$3(x-1)=6$．"))
    book.ask("2", text("2. 甲、乙两数的和是20，甲比乙大6，求甲数．"))


def answers(book: ListBook) -> None:
    """The answers: a range, a line led by its part, two in one block, one without a question."""
    book.turn("参考答案")
    book.put(head("参考答案"))
    _answer(
        book,
        "1.1 正数和负数(1)",
        ["一、1~5 CBBDC", "二、6. $-1$  7. $-4$"],
        dict(zip("12345", "CBBDC", strict=True)) | {"6": "$-1$", "7": "$-4$"},
    )
    _answers(
        book,
        "1.1 正数和负数(1)",
        [
            ("8", "8. ", "6"),
            ("9", "9. ", "$-1$ 或5"),
            ("10", "10. ", "2"),
            ("11", "11. ", "$-1.5$吨"),
            ("12", "12. ", "$-2$（答案不唯一）"),
            ("13", "13. ", "4和 $-4$"),
            ("14", "14. ", "$a<0<b$"),
            ("15", "15. ", "$-3$"),
            ("16", "三、16. ", "13根"),
            ("17", "17. ", "四分之一"),
            ("18", "18. ", "10℃"),
        ],
    )
    nineteen = "19. 不正确．减去一个负数等于加上它的相反数，所以 $5-(-3)=5+3=8$．"
    book.put(text(nineteen))
    if item := book.gold.find("19", "1.1 正数和负数(1)"):
        item.solution.append(nineteen)
    _answers(book, "1.1 正数和负数(1)", [("思维与拓展1", "思维与拓展1 ", "$-2026$")])
    _more_answers(book)


def _more_answers(book: ListBook) -> None:
    book.put(head(AXIS))
    _answers(book, AXIS, [("变式1", "变式1 ", "7"), ("1", "1. ", "2")])
    book.put(head(ABSOLUTE))
    _answers(book, ABSOLUTE, [("1", "1. ", "7"), ("2", "2. ", "0"), ("3", "3. ", "9")])
    book.put(head(OPPOSITE))
    _answers(book, OPPOSITE, [("1", "1. ", "6"), ("2", "2. ", "4"), ("3", "3. ", "0")])
    book.turn("参考答案")
    book.put(head(SUM))
    _answers(book, SUM, [("1", "1. ", "5"), ("2", "2. ", "$-4$"), ("3", "3. ", "0")])
    book.put(head(EXERCISE))
    _answers(book, EXERCISE, [("1", "1. ", "5"), ("2", "2. ", "2"), ("3", "3. ", "$-5$元")])
    book.put(head(REVIEW))
    _answers(book, REVIEW, [("1", "1. ", "$-5$，$-2$，0，3"), ("2", "2. ", "6或 $-6$")])
    book.put(head("第二章 整式"), head("2.1 整式(1)"))
    _answers(book, TERMS, [("1", "1. ", "$-3$"), ("2", "2. ", "$3x+4$")])
    book.put(head(REVIEW))
    _answers(book, REVIEW, [("1", "1. ", "5")], nth=1)
    book.put(head("第三章 一元一次方程"), head(EQUATION))
    _answers(book, EQUATION, [("1", "1. ", "$x=3$")])
    book.put(head(REVIEW))
    _answers(book, REVIEW, [("1", "1. ", "$x=3$"), ("2", "2. ", "13")], nth=2)


def _answer(book: ListBook, chapter: str, lines: list[str], given: dict[str, str]) -> None:
    """Lines that answer several items each."""
    book.put(head(chapter), *map(text, lines))
    for label, answer in given.items():
        book.gold.give(chapter, answer, label, chapter)


def _answers(book: ListBook, chapter: str, given: list[tuple[str, str, str]], nth: int = 0) -> None:
    """One list block with an entry for each answer."""
    book.put(listed(*(lead + answer for _, lead, answer in given)))
    gold: Gold = book.gold
    for label, _, answer in given:
        gold.give(chapter, answer, label, chapter, nth)
