"""Booklet 3: a Chinese physics workbook whose answers are a second PDF with titles written differently."""

from __future__ import annotations

from pathlib import Path

from drawn import physics_figures as draw
from drawn.book import Book
from drawn.fonts import CHINESE
from drawn.gold import Gold
from drawn.page import Flow

NAME = "physics_zh"
LIGHT, STATES, PRESSURE, FLOATING = "第二章 光现象", "第三章 物态变化", "第四章 压强", "5 浮力"
HOUSE, SAFETY = "19.1 家庭电路(2)", "19.1 安全用电(3)"


def build(folder: Path) -> Gold:
    """Draws ``physics_zh_questions.pdf`` and ``physics_zh_answers.pdf``."""
    gold = Gold([f"{NAME}_questions.pdf", f"{NAME}_answers.pdf"])
    flow = Flow(folder / gold.inputs[0], "初中物理分章练习", CHINESE, size=10)
    book = Book(flow, gold)
    gold.not_items.append(flow.heading("初中物理分章练习", 0, listed=False))
    for chapter in (light, states, pressure, floating, circuits):
        chapter(book)
    flow.save()
    answers(Book(Flow(folder / gold.inputs[1], "初中物理分章练习答案", CHINESE, size=10, file=1), gold))
    return gold


def light(book: Book) -> None:
    book.title(LIGHT)
    book.item(
        "1",
        "1. ",
        "下列现象中，由光的直线传播形成的是（　　）",
        options=["A．水中的倒影", "B．墙上的手影", "C．雨后的彩虹", "D．筷子在水中“弯折”"],
        per_line=2,
    )
    book.item(
        "2",
        "2. ",
        "光射到平面镜上，入射角是30°，则反射角是（　　）",
        options=["A．0°", "B．30°", "C．60°", "D．90°"],
        per_line=4,
    )
    book.item(
        "3",
        "3. ",
        "如图，入射光线与镜面的夹角是35°，则反射角是（　　）",
        options=["A．35°", "B．45°", "C．55°", "D．70°"],
        per_line=4,
        figures=[draw.mirror],
        captions=["第3题图"],
    )
    book.item("4", "4. ", "光在真空中1 s内传播的距离约是________m．")


def states(book: Book) -> None:
    book.title(STATES)
    book.rubric("一、选择题")
    choices = [
        ("1", "下列物态变化中，需要吸热的是（　　）", ["A．凝固", "B．液化", "C．熔化", "D．凝华"], 4),
        (
            "2",
            "夏天从冰箱里取出的饮料瓶，外壁会出现小水珠，这是（　　）",
            ["A．液化现象", "B．汽化现象", "C．熔化现象", "D．升华现象"],
            2,
        ),
    ]
    for label, text, options, per_line in choices:
        book.item(label, f"{label}. ", text, options=options, per_line=per_line)
    book.item(
        "3",
        "3. ",
        "如图所示温度计的示数是（　　）",
        options=["A．18 ℃", "B．22 ℃", "C．28 ℃", "D．38 ℃"],
        per_line=4,
        figures=[draw.thermometer],
        captions=["第3题图"],
    )
    choices = [
        (
            "4",
            "晶体在熔化过程中（　　）",
            ["A．吸热，温度升高", "B．放热，温度不变", "C．吸热，温度不变", "D．放热，温度升高"],
            1,
        ),
        (
            "5",
            "下列做法中，能使水蒸发变慢的是（　　）",
            ["A．把湿衣服晾在阳光下", "B．用吹风机吹湿头发", "C．给水杯盖上盖子", "D．把地上的积水扫开"],
            1,
        ),
    ]
    for label, text, options, per_line in choices:
        book.item(label, f"{label}. ", text, options=options, per_line=per_line)
    states_written(book)


def states_written(book: Book) -> None:
    """The further parts; labels run on, and 9 has no answer."""
    book.rubric("二、填空题")
    book.item("6", "6. ", "200 g盐水中含盐40 g，盐的质量占盐水质量的百分比是________．")
    book.item(
        "7",
        "7. ",
        "如图是某种晶体熔化时温度随时间变化的图象，它的熔点是________℃，熔化过程持续了________min．",
        figures=[draw.melting],
        captions=["第7题图"],
    )
    book.rubric("三、解答题")
    book.item("8", "8. ", "冬天，戴眼镜的人从寒冷的室外走进温暖的室内，镜片会变模糊，为什么？")
    book.item("9", "9. ", "设计一个实验，比较水和酒精蒸发的快慢，写出主要步骤．")


def pressure(book: Book) -> None:
    book.title(PRESSURE)
    book.item(
        "1",
        "1. ",
        "下列做法中，为了增大压强的是（　　）",
        options=["A．书包的背带做得较宽", "B．把刀刃磨得很薄", "C．在铁轨下面铺枕木", "D．给坦克装上履带"],
        per_line=2,
    )
    book.item(
        "2",
        "2. ",
        "同一种静止的液体内部，某处压强的大小取决于该处的（　　）",
        options=["A．液体的质量", "B．容器的形状", "C．液体的体积", "D．液体的深度"],
        per_line=2,
    )
    book.item(
        "3",
        "3. ",
        "两个扣在一起并抽去空气的半球很难拉开，这说明（　　）",
        options=["A．大气有压强", "B．液体有压强", "C．半球之间有磁力", "D．半球很重"],
        per_line=2,
    )
    book.item(
        "4",
        "4. ",
        "如图，重60 N的正方体放在水平桌面上，与桌面的接触面积是0.04 m²，它对桌面的压强是________Pa．",
        figures=[draw.cube],
        captions=["第4题图"],
    )
    book.item(
        "5",
        "5. ",
        "一个露天水池，夏季水位较高，最深处的水深达到\n1.5 m．求此处池底受到的水的压强（g取10 N/kg）．",
    )


def floating(book: Book) -> None:
    book.title(FLOATING)
    book.item("1", "1. ", "浸在水中的物体排开的水重8 N，它受到的浮力是________N．")
    book.item(
        "2",
        "2. ",
        "如图，金属块在空气中称时弹簧测力计的示数是5 N，浸没在水中称时示数是3 N，求金属块受到的浮力．",
        figures=[draw.balances],
        captions=["第2题图"],
    )
    book.item("3", "3. ", "重6 N的木块漂浮在水面上，它受到的浮力是________N．")


def circuits(book: Book) -> None:
    """Two lessons whose titles differ only behind their number 19.1."""
    book.title(HOUSE)
    book.item("1", "1. ", "我国家庭电路的电压是________V．")
    book.item(
        "2",
        "2. ",
        "如图，闭合S，S1，S2后两灯都发光．只断开S2时，仍发光的灯是________．",
        figures=[draw.circuit],
        captions=["第2题图"],
    )
    book.item("3", "3. ", "一个标有“220 V　1100 W”的电水壶正常工作时，电流是________A．")
    book.title(SAFETY, room=60)
    book.item("1", "1. ", "一般情况下，对人体安全的电压不高于________V．")
    book.item("2", "2. ", "使用测电笔辨别火线时，手必须接触笔尾的________．")
    book.item("3", "3. ", "调查你家中有几种用电器装有三脚插头，把结果列成表．")


def answers(book: Book) -> None:
    """No title for the first chapter; the others are ``3``, ``Chapter IV``, ``第五章``, ``19.1(二)``."""
    flow, gold = book.flow, book.gold
    gold.not_items.append(flow.heading("参考答案", 1, room=40))
    book.answer_range("", "1~3 ", 1, "BBC", chapter=LIGHT)
    book.answers("", [("4", "4. ", "3×10⁸")], chapter=LIGHT)
    title = "3 物态变化"
    gold.not_items.append(flow.heading(title, 2))
    book.answer_range(title, "1~5 ", 1, "CACCC", chapter=STATES)
    book.answers(title, [("6", "二、6. ", "20%"), ("7", "7. ", "80；6")], chapter=STATES)
    book.worked(
        "8",
        "三、8. 室内温暖的水蒸气遇到冷的镜片，液化成小水珠附在镜片上，所以镜片变模糊．",
        chapter=STATES,
    )
    book.answers(title, [("10", "10. ", "0 ℃")], chapter=STATES)
    title = "Chapter IV"
    gold.not_items.append(flow.heading(title, 2))
    book.answer_range(title, "1～3 ", 1, "BDA", chapter=PRESSURE)
    book.answers(title, [("4", "4. ", "1500")], chapter=PRESSURE)
    book.worked("5", "5. p＝ρgh＝1000 kg/m³×10 N/kg×1.5 m＝15000 Pa．", chapter=PRESSURE)
    title = "第五章"
    gold.not_items.append(flow.heading(title, 2))
    book.answers(
        title,
        [("1", "1. ", "8"), ("2", "2. ", "2 N"), ("3", "3. ", "6"), ("4", "4. ", "1.2 N")],
        chapter=FLOATING,
    )
    title = "19.1(二)"
    gold.not_items.append(flow.heading(title, 2))
    book.answers(title, [("1", "1. ", "220"), ("2", "2. ", "L1"), ("3", "3. ", "5")], chapter=HOUSE)
    title = "19.1（三）安全用电"
    gold.not_items.append(flow.heading(title, 2))
    book.answers(title, [("1", "1. ", "36"), ("2", "2. ", "金属体")], chapter=SAFETY)
    flow.save()
