"""The further lessons of the geometry booklet, its three sections 本章复习题 and the answers at its end."""

from __future__ import annotations

from drawn import geometry_figures as draw
from drawn.book import Book

REVIEW = "本章复习题"
ANSWERS = "参考答案"


def all_lessons(book: Book) -> None:
    congruence(book)
    exercises_1_2(book)
    review_1(book)
    pythagoras(book)
    exercises_2(book)
    quadrilaterals(book)
    answers_1(book)
    worked_1_1(book)
    answers_1_2(book)
    answers_2(book)


def congruence(book: Book) -> None:
    """1.2: 例一 to 例3 written in three ways, the last with its 解 in the same paragraph."""
    book.title("1.2 全等三角形", 2)
    book.decorated("知识点")
    book.summary(
        [
            "1．全等三角形的对应边相等，对应角相等．",
            "2．三边分别相等的两个三角形全等（SSS）．",
            "3．两边和它们的夹角分别相等的两个三角形全等（SAS）．",
        ]
    )
    book.decorated("例题精讲")
    item = book.item(
        "例1",
        "例一  ",
        "如图1-2，AB＝AD，BC＝DC，求证：∠B＝∠D．",
        bold=True,
        figures=[draw.congruent],
        captions=["图1-2"],
    )
    book.solution(item, "证明  ", "在△ABC和△ADC中，AB＝AD，BC＝DC，AC＝AC，所以△ABC≌△ADC（SSS），∠B＝∠D．")
    item = book.item(
        "例2",
        "例二  ",
        "如图1-3，A，B两点隔着池塘．在岸上取一点C，延长AC到D，使CD＝CA，延长BC到E，使CE＝CB，再沿岸边用卷尺量，得到DE的长是"
        "\n35.5米，求A，B两点间的距离．",
        bold=True,
        figures=[draw.bridge],
        captions=["图1-3"],
    )
    book.solution(
        item,
        "解  ",
        "因为CA＝CD，∠ACB＝∠DCE，CB＝CE，所以△ACB≌△DCE（SAS），AB＝DE＝35.5米．",
    )
    both = "一个三角形的三个外角中，最多有几个锐角？"
    worked = "解 最多有1个．外角是锐角时，与它相邻的内角是钝角，而三角形最多有一个钝角．"
    item = book.item("例3", "例3  ", both + worked, bold=True)
    item.question, item.solution = ["例3  " + both], [worked]


def exercises_1_2(book: Book) -> None:
    """Labels that start anew and run on across three parts; 5 has no answer."""
    book.title("习题1.2", 2)
    book.rubric("一、选择题")
    book.item(
        "1",
        "1．",
        "已知△ABC≌△DEF，∠A＝80°，∠E＝40°，则∠C等于（　　）",
        options=["A．40°", "B．60°", "C．80°", "D．120°"],
        per_line=4,
    )
    book.item(
        "2",
        "2．",
        "下列条件中，不能判定△ABC≌△DEF的是（　　）",
        options=[
            "A．AB＝DE，BC＝EF，AC＝DF",
            "B．AB＝DE，∠A＝∠D，AC＝DF",
            "C．∠A＝∠D，∠B＝∠E，∠C＝∠F",
            "D．AB＝DE，∠A＝∠D，∠B＝∠E",
        ],
    )
    book.rubric("二、填空题")
    book.item("3", "3．", "△ABC≌△DEF，且△ABC的周长是20，AB＝6，BC＝9，则DF＝________．")
    book.rubric("三、解答题")
    book.item("4", "4．", "在例3的基础上想一想：三个外角中至少有几个钝角？为什么？")
    book.item("5", "5．", "用直尺和圆规作一个角等于已知角，写出作法并保留作图痕迹．")


def review_1(book: Book) -> None:
    book.title(REVIEW, 2)
    book.item("1", "1．", "三角形的三个内角中，至少有________个锐角．")
    book.item("2", "2．", "等腰三角形的周长是20，底边长是6，则腰长是________．")
    book.item("3", "3．", "△ABC中，∠A＝2∠B，∠C＝60°，求∠B的度数．")
    book.item(
        "4",
        "4．",
        "下列两个图形一定全等的是（　　）",
        options=[
            "A．面积相等的两个三角形",
            "B．周长相等的两个三角形",
            "C．边长相等的两个等边三角形",
            "D．顶角相等的两个等腰三角形",
        ],
    )
    book.item(
        "5",
        "5．",
        "一个三角形的两个内角分别是35°和75°，第三个角的平分线把这个三角形分成两个三角形，求这两个三角形的"
        "所有内角中最大的角的度数．",
    )
    book.item("6", "6．", "等边三角形的每个外角是________度．")


def pythagoras(book: Book) -> None:
    """第二章: a solution that a page break with its running head cuts in two."""
    book.title("第二章 勾股定理")
    book.title("2.1 勾股定理", 2)
    book.prose("直角三角形两条直角边的平方和等于斜边的平方．")
    item = book.item(
        "例1",
        "例1  ",
        "如图2-1，工人把一架梯子AB斜靠在一面竖直的墙上，梯子的全长是\n2.5米，梯脚B离墙1.5米．如果梯子顶端下滑0.4米，梯脚要外移多少米？",
        bold=True,
        figures=[draw.ladder],
        captions=["图2-1"],
    )
    book.solution(item, "分析  ", "梯子的长不变，下滑前后各有一个直角三角形．")
    book.solution(
        item,
        "解  ",
        "下滑前，AC²＝2.5²－1.5²＝4，AC＝2（米）．下滑后，梯子顶端离地面2－0.4＝1.6（米）．设此时梯脚离墙d米，则"
        "d²＝2.5²－1.6²＝6.25－2.56＝3.69，d≈1.92．所以梯脚外移约1.92－1.5＝0.42（米）．可见顶端下滑0.4米时，"
        "梯脚外移的距离并不等于0.4米．",
        keep=False,
    )
    item = book.item(
        "例2",
        "例2  ",
        "如图2-2，长方体盒子的底面长4 cm，宽3 cm，高12 cm．盒内最长能放多长的细棒？",
        bold=True,
        figures=[draw.box],
        captions=["图2-2"],
    )
    book.solution(item, "解  ", "底面对角线长的平方是4²＋3²＝25，细棒长的平方是25＋12²＝169，所以最长13 cm．")


def exercises_2(book: Book) -> None:
    """The exercises of the second chapter and its review."""
    book.title("习题2.1", 2)
    book.item("1", "1．", "直角三角形的两条直角边长为6和8，斜边长是________．")
    book.item(
        "2",
        "2．",
        "下列各组数中，是勾股数的有________．（填序号）",
        parts=["① 5，12，13；② 7，24，25；③ 8，15，18．"],
    )
    book.item("3", "3．", "等边三角形的边长是2，求它的面积．")
    book.title(REVIEW, 2)
    book.item("1", "1．", "边长为1的正方形，对角线的长是________．")
    book.item(
        "2",
        "2．",
        "一个三角形的三边长是9，40，41，这个三角形是（　　）",
        options=["A．锐角三角形", "B．直角三角形", "C．钝角三角形", "D．不能确定"],
        per_line=2,
    )


def quadrilaterals(book: Book) -> None:
    book.title("第三章 四边形", room=260)
    book.title("3.1 平行四边形", 2, room=180)
    item = book.item(
        "例1",
        "例①  ",
        "如图3-1，在平行四边形ABCD中，对角线AC，BD相交于点O，AC＝10，BD＝14，AB＝7，求△AOB的周长．",
        bold=True,
        figures=[draw.parallelogram],
        captions=["图3-1"],
    )
    book.solution(item, "解  ", "平行四边形的对角线互相平分，所以AO＝5，BO＝7，△AOB的周长是5＋7＋7＝19．")
    item = book.item("变式1", "变式1  ", "若上题中两条对角线的长不变，而AB＝6，求△COD的周长．", bold=True)
    book.solution(item, "解  ", "CO＝5，DO＝7，CD＝AB＝6，所以△COD的周长是5＋7＋6＝18．")
    book.item("变式2", "变式2  ", "平行四边形的一个内角是110°，求其余各角．", bold=True)
    book.title(REVIEW, 2)
    book.item(
        "1",
        "1．",
        "如图，菱形ABCD的对角线AC＝8，BD＝6，则边AB的长是________．",
        figures=[draw.kite],
        captions=["第1题图"],
    )
    book.item("2", "2．", "n边形的内角和是900°，则n＝________．")
    book.item("3", "3．", "矩形的两条对角线的夹角是60°，较短的边长是5，求对角线的长．")


def answers_1(book: Book) -> None:
    flow, out = book.flow, book.gold.not_items
    flow.next_page()
    out.append(flow.heading(ANSWERS, 1))
    out.append(flow.heading("第一章 三角形", 2, listed=False))
    title = "习题1.1"
    out.append(flow.heading(title, 3, listed=False))
    book.answer_range(title, "一、1～5 ", 1, "BCBBC", chapter=title)
    book.answers(
        title,
        [
            ("6", "二、6．", "6或8"),
            ("7", "7．", "6"),
            ("8", "8．", "5"),
            ("9", "9．", "12"),
            ("10", "10．", "2.4"),
        ],
        chapter=title,
    )


def worked_1_1(book: Book) -> None:
    """Worked answers, the first led by the number of its part."""
    title = "习题1.1"
    for label, text in (
        (
            "11",
            "三、11．从第③步开始出错．因为4＋4＝8，三边长为4，4，8时不能组成三角形，应舍去，所以其余两边的长是6，6．",
        ),
        (
            "12",
            "12．因为AD∥BC，所以∠DEF＝∠EFB＝65°．由折叠知∠D′EF＝65°，(1) ∠AED′＝180°－65°－65°＝50°；(2) ∠DEF和∠D′EF．",
        ),
    ):
        book.worked(label, text, chapter=title)
    book.answers(title, [("13", "13．", "(1) 1，4，4；2，3，4；3，3，3；(2) 1，4，4和3，3，3")], chapter=title)
    book.worked(
        "14",
        "14．在四边形AEHD中，∠AEH＝∠ADH＝90°，所以∠EHD＝360°－90°－90°－62°＝118°，∠BHC＝∠EHD＝118°．",
        chapter=title,
    )
    book.answers(title, [("思维与拓展1", "思维与拓展1  ", "3种")], chapter=title)


def answers_1_2(book: Book) -> None:
    """The answers of the second lesson and the first review."""
    flow, out = book.flow, book.gold.not_items
    title = "习题1.2"
    out.append(flow.heading(title, 3, listed=False))
    book.answers(
        title,
        [
            ("1", "1．", "B"),
            ("2", "2．", "C"),
            ("3", "3．", "5"),
            ("4", "4．", "至少有2个，因为三角形至少有两个锐角"),
        ],
        chapter=title,
    )
    out.append(flow.heading(REVIEW, 3, listed=False))
    book.answers(
        REVIEW,
        [
            ("1", "1．", "2"),
            ("2", "2．", "7"),
            ("3", "3．", "40°"),
            ("4", "4．", "C"),
            ("5", "5．", "110°"),
            ("6", "6．", "120"),
        ],
        chapter=REVIEW,
    )


def answers_2(book: Book) -> None:
    flow, out = book.flow, book.gold.not_items
    out.append(flow.heading("第二章 勾股定理", 2, listed=False))
    title = "习题2.1"
    out.append(flow.heading(title, 3, listed=False))
    book.answers(
        title,
        [("1", "1．", "10"), ("2", "2．", "①②"), ("3", "3．", "√3"), ("4", "4．", "12")],
        chapter=title,
    )
    out.append(flow.heading(REVIEW, 3, listed=False))
    book.answers(REVIEW, [("1", "1．", "√2"), ("2", "2．", "B")], chapter=REVIEW, nth=1)
    out.append(flow.heading("第三章 四边形", 2, listed=False))
    out.append(flow.heading(REVIEW, 3, listed=False))
    book.answers(REVIEW, [("1", "1．", "5"), ("2", "2．", "7"), ("3", "3．", "10")], chapter=REVIEW, nth=2)
