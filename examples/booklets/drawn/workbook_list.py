"""Booklet 4: a content list whose own mistakes are the difficulty; its first lesson holds most of them."""

from __future__ import annotations

from pathlib import Path

from drawn import workbook_lessons
from drawn.gold import Gold
from drawn.listbook import ListBook, furniture, head, image, listed, text
from drawn.workbook_pictures import ALL

NAME = "workbook_list"
FIRST = "1.1 正数和负数(1)"


def build(folder: Path) -> Gold:
    """Writes ``workbook_list/workbook_content_list.json`` and its pictures."""
    place = folder / NAME
    (place / "images").mkdir(parents=True, exist_ok=True)
    for name, draw in ALL.items():
        draw().save(place / "images" / name, optimize=True)
    gold = Gold([f"{NAME}/workbook_content_list.json"])
    book = ListBook(gold)
    front(book)
    examples(book)
    chosen(book)
    filled(book)
    written(book)
    workbook_lessons.all_lessons(book)
    book.write(place / "workbook_content_list.json")
    return gold


def front(book: ListBook) -> None:
    contents = listed(
        "1.1 正数和负数(1) 2",
        "1.2 数轴(2) 6",
        "1.3 绝对值(3) 7",
        "1.4 相反数(4) 7",
        "1.5 有理数的加法(5) 8",
        "习题1.5 9",
        "本章复习题 10",
    )
    book.put(head("七年级数学同步练习"), head("目录"), contents)
    book.gold.not_items += contents["list_items"]


def examples(book: ListBook) -> None:
    """A list entry ends one example and begins the next (例②)."""
    book.turn()
    book.put(head("第一章 有理数"), head(FIRST), image("star.png", height=34, width=34), head("要点归纳"))
    book.title(FIRST)
    summary = listed("1. 大于0的数叫作正数．", "2. 小于0的数叫作负数．", "3. 0既不是正数，也不是负数．")
    book.put(summary, image("star.png", height=34, width=34), head("例题精讲"))
    book.gold.not_items += summary["list_items"]
    first = book.ask(
        "例1",
        text("例① 用正数或负数表示下列各量："),
        listed("(1) 零上5℃记作 $+5$℃，零下3℃记作什么？", "(2) 盈利200元记作 $+200$元，亏损80元记作什么？"),
    )
    mixed = ["解 (1) 零下3℃记作 $-3$℃．", "(2) 亏损80元记作 $-80$元．", "例② 判断下列说法是否正确："]
    book.put(listed(*mixed))
    first.solution += mixed[:2]
    second = book.ask("例2", listed("(1) 一个数不是正数就是负数；", "(2) $-a$ 一定是负数．", sub_type=None))
    second.question.insert(0, mixed[2])
    book.solve(second, text("解 (1) 错误，0既不是正数，也不是负数．(2) 错误，当 $a=0$ 时，$-a=0$．"))
    book.solve(second, text("说明 带有负号的数不一定是负数．"))


def chosen(book: ListBook) -> None:
    """Options as a list, as one line, as blocks; two figures side by side before question 4."""
    book.turn(FIRST)
    book.put(head("一、选择题"))
    book.ask("1", listed("1. 下列各数中，是负数的是（　　）", "A. 0", "B. 3", "C. $-2$", "D. 1.5"))
    book.ask(
        "2",
        text("2. 如果上升3米记作 $+3$米，那么下降5米记作（　　）"),
        text("A. $+5$米  B. $-5$米  C. $+2$米  D. $-2$米"),
    )
    three = book.ask(
        "3",
        text("3. 如图，数轴上点A表示的数是（　　）"),
        listed("A. $-3$", "B. $-2$", "C. 2", "D. 3", sub_type="none"),
    )
    book.beside(image("axis_a.png", "第3题图", width=380), image("clock.png", "第5题图", width=160))
    book.ask(
        "4",
        text("4. 在 $-1$，0，2.5，$-3$ 这四个数中，最小的是（　　）"),
        text("A. $-1$"),
        text("B. 0"),
        text("C. 2.5"),
        text("D. $-3$"),
    )
    five = book.ask(
        "5",
        text("5. 如图，钟面上的时刻是3时整，时针与分针所成的角是（　　）"),
        listed("A. 60°", "B. 75°", "C. 90°", "D. 120°", sub_type="ref_text"),
    )
    three.figures.append(book.figure("axis_a.png", caption="第3题图"))
    five.figures.append(book.figure("clock.png", caption="第5题图"))


def filled(book: ListBook) -> None:
    """One list with questions 6 to 10, one figure for 7 to 10, two questions in one block."""
    book.turn(FIRST)
    book.put(head("二、填空题"))
    lines = [
        "6. 比 $-3$ 大2的数是________．",
        "7. 如图，点A表示的数是________．",
        "8. 如图，点B与点D之间的距离是________．",
        "9. 如图，到点C的距离等于3的点表示的数是________．",
        "10. 如图，把点A向右移动6个单位长度，终点表示的数是________．",
    ]
    book.put(listed(*lines), image("axis_abcd.png", "第7～10题图", width=400))
    shared = book.figure("axis_abcd.png", caption="第7～10题图")
    for number, line in enumerate(lines, 6):
        book.record(str(number), line, figures=[shared] if number > 6 else [])
    book.ask("11", text("11. 某仓库运进货物3吨记作 $+3$吨，那么运出货物"), text("1.5 吨记作________．"))
    merged = ["12. 写出一个比 $-1$ 小的整数：________．", "13. 绝对值等于4的数是________．"]
    book.put(text("  ".join(merged)))
    book.record("12", merged[0])
    book.record("13", merged[1])
    fourteen = book.ask("14", text("14. 数 $a$，$b$ 在数轴上的位置如图，用“＜”把 $a$，$b$，0连接起来：________．"))
    formula = "\n$$\n\\xrightarrow [ ]{a \\qquad 0 \\qquad b}\n$$\n"
    book.put({"type": "equation", "img_path": "images/axis_ab.png", "text": formula, "text_format": "latex"})
    fourteen.figures.append(book.figure("axis_ab.png", instead=formula))
    fifteen = book.ask(
        "15", text("15. 在方格中填数，使每行、每列、每条对角线上三个数的和都相等，则“?”处的数是________．")
    )
    cells = "<table><tr><td>3</td><td>-4</td><td></td></tr><tr><td></td><td>0</td><td></td></tr></table>"
    table = {
        "type": "table",
        "img_path": "images/square.png",
        "table_caption": ["第15题图"],
        "table_footnote": [],
    }
    book.put(table | {"table_body": cells, "_size": (180, 140)})
    fifteen.figures.append(book.figure("square.png", caption="第15题图", instead=cells))


def written(book: ListBook) -> None:
    """Captions typed as heading and as page number, a figure after the next item, 解 in a question."""
    book.turn(FIRST)
    book.put(head("三、解答题"))
    sixteen = book.ask("16", text("16. 如图，用火柴棒摆三角形，第1个图形用3根，第2个图形用5根．第6个图形用多少根？"))
    book.put(image("matches.png", width=380), head("第16题图"))
    sixteen.figures.append(book.figure("matches.png", caption="第16题图"))
    seventeen = book.ask("17", text("17. 如图，正方形被分成4个同样的小正方形，阴影部分占整个正方形的几分之几？"))
    book.put(image("shaded.png", width=130), furniture("page_number", "第17题图"))
    seventeen.figures.append(book.figure("shaded.png", caption="第17题图"))
    eighteen = book.ask("18", text("18. 如图是某地一天的气温变化图，求这一天的最大温差．"))
    book.ask(
        "19",
        text("19. 小亮计算 $5-(-3)$ 的过程如下，请判断是否正确，并说明理由．"),
        text("解：$5-(-3)=5-3=2$．"),
    )
    book.put(image("temperatures.png", "第18题图", width=350, height=160))
    eighteen.figures.append(book.figure("temperatures.png", caption="第18题图"))
    book.put(image("star.png", height=34, width=34))
    book.ask(
        "思维与拓展1",
        head("思维与拓展1"),
        text("观察一列数：1，$-2$，3，$-4$，…，按此规律，第2026个数是________．"),
    )
