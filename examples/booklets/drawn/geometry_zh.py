"""Booklet 2: a Chinese geometry workbook; its first lesson holds most of the traps of real workbooks."""

from __future__ import annotations

from pathlib import Path

from drawn import geometry_figures as draw
from drawn import geometry_lessons
from drawn.book import Book, share
from drawn.fonts import CHINESE
from drawn.gold import Gold
from drawn.page import Flow

NAME = "geometry_zh"
ONE = "习题1.1"


def build(folder: Path) -> Gold:
    """Draws ``geometry_zh.pdf`` (twice, the second time with the page numbers of its contents)."""
    lines: list[tuple[str, int, int]] = []
    for _ in range(2):
        gold = Gold([f"{NAME}.pdf"])
        flow = Flow(folder / f"{NAME}.pdf", "初中几何同步练习", CHINESE, size=10)
        book = Book(flow, gold)
        front(book, lines)
        lesson(book)
        variants(book)
        exercises_chosen(book)
        exercises_filled(book)
        exercises_written(book)
        geometry_lessons.all_lessons(book)
        flow.save()
        lines = list(flow.headings)
    return gold


def front(book: Book, lines: list[tuple[str, int, int]]) -> None:
    flow = book.flow
    flow.gap(30)
    book.gold.not_items.append(flow.heading("初中几何同步练习", 0, listed=False))
    book.prose("每节由要点、例题和习题组成，每章配有复习题，全书答案集中在书末．", after=20)
    book.contents("目录", lines or [("第一章", 1, 1)])
    flow.next_page()


def lesson(book: Book) -> None:
    """1.1: summary lines, worked examples 例① and 例②, one without a number, one variant with its answer."""
    book.title("第一章 三角形")
    book.title("1.1 三角形的边和角", 2)
    book.decorated("要点归纳")
    book.summary(
        [
            "1．三角形任意两边之和大于第三边．",
            "2．三角形任意两边之差小于第三边．",
            "3．三角形三个内角的和等于180°．",
        ]
    )
    book.decorated("例题精讲")
    item = book.item("例1", "例①  ", "一个等腰三角形的两边长分别为4和9，求它的周长．", bold=True)
    book.solution(item, "分析  ", "腰长可能是4，也可能是9，要分别用三边关系检验．")
    book.solution(
        item,
        "解  ",
        "若腰长为4，则4＋4＜9，不能组成三角形；若腰长为9，则三边长为9，9，4，能组成三角形．所以周长为9＋9＋4＝22．",
    )
    item = book.item(
        "例2",
        "例②  ",
        "如图1-1，在△ABC中，∠B＝50°，∠C＝70°，AD平分∠BAC，求∠ADC的度数．",
        bold=True,
        figures=[draw.bisector],
        captions=["图1-1"],
    )
    book.solution(item, "分析  ", "先求∠BAC，再在△ADC中用内角和．")
    book.solution(
        item,
        "解  ",
        "因为∠BAC＝180°－50°－70°＝60°，AD平分∠BAC，所以∠DAC＝30°．在△ADC中，∠ADC＝180°－70°－30°＝80°．",
    )
    book.solution(item, "说明  ", "∠ADC是△ABD的外角，所以也有∠ADC＝50°＋30°＝80°．")


def variants(book: Book) -> None:
    """An example without a number, and a variant whose short answer stands below it."""
    item = book.item("典例", "典例  ", "已知a，b，c是△ABC的三边长，化简|a＋b－c|－|b－a－c|．", bold=True)
    book.solution(
        item,
        "解  ",
        "因为a＋b＞c，a＋c＞b，所以原式＝(a＋b－c)－(a＋c－b)＝2b－2c．",
    )
    item = book.item("变式1", "变式1  ", "三角形的三边长分别为3，5，x，且x为奇数，求x的值．", bold=True)
    book.flow.para("3，5，7", bold="答案  ")
    item.answer = "3，5，7"


def exercises_chosen(book: Book) -> None:
    """习题1.1, first parts: figures of 3 and 5 side by side before 4, one figure for 7 to 10."""
    book.title(ONE, 2)
    book.rubric("一、选择题")
    book.item(
        "1",
        "1．",
        "下列各组线段中，能组成三角形的是（　　）",
        options=["A．1，2，3", "B．2，3，4", "C．2，3，6", "D．3，3，7"],
    )
    book.item(
        "2",
        "2．",
        "等腰三角形的一个底角是40°，则它的顶角是（　　）",
        options=["A．40°", "B．70°", "C．100°", "D．140°"],
        per_line=4,
    )
    three = book.item(
        "3",
        "3．",
        "如图，点D在△ABC的边BC的延长线上，∠A＝55°，∠B＝45°，则∠ACD的度数是（　　）",
        options=["A．90°", "B．100°", "C．110°", "D．125°"],
        per_line=4,
    )
    beside = book.flow.figures(draw.exterior, draw.median, captions=["第3题图", "第5题图"])
    book.item(
        "4",
        "4．",
        "一个三角形三个内角的度数之比是1∶2∶3，这个三角形是（　　）",
        options=["A．锐角三角形", "B．直角三角形", "C．钝角三角形", "D．等边三角形"],
        per_line=2,
    )
    five = book.item(
        "5",
        "5．",
        "如图，AD是△ABC的中线，△ABC的面积是12，则△ABD的面积是（　　）",
        options=["A．3", "B．4", "C．6", "D．8"],
        per_line=4,
    )
    share(beside[0], three)
    share(beside[1], five)


def exercises_filled(book: Book) -> None:
    """习题1.1, second part: one figure for questions 7 to 10."""
    book.rubric("二、填空题")
    book.item("6", "6．", "三角形的两边长为2和7，第三边长是偶数，则第三边长是________．")
    seven = book.item("7", "7．", "如图，方格纸中每个小正方形的边长为1，则△ABC的面积是________．")
    shared = book.flow.figures(draw.grid, captions=["第7～10题图"])
    rest = [
        book.item("8", "8．", "如图，边BC的长是________．"),
        book.item("9", "9．", "如图，△ABC的周长是________．"),
        book.item("10", "10．", "如图，点A到边BC的距离是________．"),
    ]
    share(shared[0], seven, *rest)


def exercises_written(book: Book) -> None:
    """习题1.1, last part: 解 inside a question, figure after the next item, figure on the next page."""
    book.rubric("三、解答题")
    book.item(
        "11",
        "11．",
        "下面是小明的解题过程，请指出从哪一步开始出错，并说明理由．",
        parts=[
            "题目：等腰三角形的周长是16，一边长是4，求其余两边的长．",
            "解：① 当4是腰长时，底边长是16－4×2＝8；",
            "② 当4是底边长时，腰长是(16－4)÷2＝6；",
            "③ 所以其余两边的长是4，8或6，6．",
        ],
    )
    twelve = book.item(
        "12",
        "12．",
        "如图，把一张长方形纸片沿EF折叠，点D，C分别落在点D′，C′的位置，∠EFB＝65°．",
        parts=["(1) 求∠AED′的度数；", "(2) 写出图中与∠EFB相等的两个角．"],
    )
    book.item(
        "13",
        "13．",
        "一个三角形三条边的长都是整数，周长是9，这样的三角形有几种？",
        parts=["(1) 列出所有可能；", "(2) 指出其中的等腰三角形．"],
    )
    twelve.figures += book.flow.figures(draw.folded, captions=["第12题图"])
    last = book.item("14", "14．", "如图，在△ABC中，BD，CE是高，它们相交于点H，∠A＝62°，求∠BHC的度数．")
    book.flow.next_page()
    last.figures += book.flow.figures(draw.heights, captions=["第14题图"])
    book.item(
        "思维与拓展1",
        "思维与拓展1  ",
        "用12根同样长的火柴棒首尾相接摆一个三角形（火柴棒全部用完），能摆出几种不同的三角形？",
        bold=True,
    )
