"""Diagrams: a food web, flowcharts, a cycle; the nodes and arrows that are drawn are those that are told."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from drawing.page import Page, Point
from drawing.rows import Record, Turn, record

Edge = tuple[str, str, str]


def records() -> list[Record]:
    return [*food_web(), even(), login(), water()]


def _nodes(page: Page, places: Mapping[str, Point], wide: int = 120, high: int = 46, fill: str = "#e2f0d9") -> None:
    for name, (x, y) in places.items():
        page.draw.rounded_rectangle(
            [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2], 12, fill=fill, outline="black", width=2
        )
        page.thing("box", x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        page.text(x, y, name, 18)


def _edges(page: Page, places: Mapping[str, Point], edges: Sequence[Edge], wide: int = 120, high: int = 46) -> None:
    """Arrows from border to border, with their labels."""
    for start, end, label in edges:
        a, b = places[start], places[end]
        page.arrow(_border(a, b, wide, high), _border(b, a, wide, high), width=2)
        if label:
            page.text((a[0] + b[0]) / 2 + 24, (a[1] + b[1]) / 2 - 6, label, 17)


def _border(a: Point, b: Point, wide: int, high: int) -> Point:
    """Where the line from ``a`` to ``b`` leaves the box around ``a``."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    part = min((wide / 2 + 3) / abs(dx) if dx else math.inf, (high / 2 + 3) / abs(dy) if dy else math.inf)
    return a[0] + dx * part, a[1] + dy * part


def mermaid(edges: Sequence[Edge], names: Sequence[str]) -> str:
    short = {name: chr(65 + number) for number, name in enumerate(names)}
    lines = ["flowchart TD", *(f'    {short[name]}["{name}"]' for name in names)]
    lines += [f"    {short[a]} -->{f'|{label}|' if label else ''} {short[b]}" for a, b, label in edges]
    return "\n".join(lines)


def food_web() -> list[Record]:
    places: dict[str, Point] = {
        "Grass": (300, 360),
        "Rabbit": (150, 240),
        "Grasshopper": (430, 240),
        "Fox": (150, 90),
        "Frog": (430, 140),
        "Hawk": (300, 40),
    }
    eaten = [
        ("Grass", "Rabbit"),
        ("Grass", "Grasshopper"),
        ("Rabbit", "Fox"),
        ("Rabbit", "Hawk"),
        ("Grasshopper", "Frog"),
        ("Frog", "Hawk"),
    ]
    edges = [(a, b, "") for a, b in eaten]
    page = Page(600, 410)
    _edges(page, places, edges, 130)
    _nodes(page, places, 130)
    listed = ", ".join(f"{a} to {b}" for a, b in eaten)
    picture = page.done(
        "ai2d/images/1234.png",
        "flow_or_diagram",
        caption="A food web with six green boxes, Grass, Rabbit, Grasshopper, Fox, Frog and Hawk, joined by arrows.",
        description=f"A diagram of a food web with six boxes: {', '.join(places)}. Arrows lead from what is eaten to what eats it: {listed}.",
        code=mermaid(edges, list(places)),
    )
    producer = Turn(
        ask="Which living thing is the producer in this food web?\nA. Fox\nB. Grass\nC. Frog\nD. Hawk",
        summary="I will look for the living thing from which arrows only go out.",
        caption="The diagram shows a food web. Grass is at the bottom and is eaten by the rabbit and the grasshopper.",
        reasoning="A producer makes its own food, usually by photosynthesis, and does not eat other living things. In the diagram the arrows seem to start at the grass at the bottom, "
        "and no arrow points to it. All others have at least one arrow coming in, which suggests that they are consumers. So we can conclude that the grass is the producer.",
        conclusion="B",
        answer="B",
        think="As seen in the image, arrows leave Grass towards Rabbit and Grasshopper, and none comes in. Every other box has an incoming arrow, so it eats something. A producer "
        "eats nothing, therefore it is Grass, option B.",
    )
    eats = Turn(
        ask="Name everything that the hawk eats.",
        summary="I will follow the arrows that end at the hawk.",
        caption="A food web with a hawk at the top.",
        reasoning="The arrows of a food web point from the food to the eater. At the top of the picture is the hawk. One arrow comes from the left, starting at the rabbit. A second "
        "one appears to come from the frog on the right side. There seem to be no other arrows that end at the hawk. So it eats rabbits and frogs.",
        conclusion="Rabbit and frog",
        answer="Rabbit, Frog",
        think="In the image two arrows end at Hawk: one starts at Rabbit, the other at Frog. An arrow leads from what is eaten to the eater, so the hawk eats Rabbit, Frog.",
    )
    gone = Turn(
        ask="如果草全部消失，哪两种动物会首先失去食物？",
        summary="我要找出直接以草为食的动物。",
        caption="图中是一个食物网，最下面是 Grass，上面有 Rabbit、Grasshopper、Fox、Frog 和 Hawk。",
        reasoning="食物网中的箭头应该是从被吃的指向吃的。草位于最下面，从它出发的箭头好像有两条，一条指向左边的兔子，另一条指向右边的蚱蜢。"
        "这两种动物直接吃草，如果草没有了，它们大概会最先挨饿。其他动物吃的是别的动物，所以不会首先受到影响。",
        conclusion="兔子和蚱蜢",
        answer="兔子，蚱蜢",
        think="图中从 Grass 出发的箭头共两条，分别指向 Rabbit（兔子）和 Grasshopper（蚱蜢），说明这两种动物直接吃草。其余的箭头都不从草开始。"
        "所以草消失后首先失去食物的是：兔子，蚱蜢。",
    )
    return [record("ai2d_1234", picture, producer, eats), record("ai2d_1234_zh", picture, gone)]


def even() -> Record:
    places: dict[str, Point] = {
        "Start": (280, 40),
        "Read n": (280, 120),
        "n > 10 ?": (280, 210),
        "n = n - 3": (110, 310),
        "Print n": (450, 310),
        "End": (450, 380),
    }
    edges = [
        ("Start", "Read n", ""),
        ("Read n", "n > 10 ?", ""),
        ("n > 10 ?", "n = n - 3", "yes"),
        ("n > 10 ?", "Print n", "no"),
        ("n = n - 3", "n > 10 ?", ""),
        ("Print n", "End", ""),
    ]
    page = Page(560, 420)
    _edges(page, places, [edge for edge in edges if edge[0] != "n = n - 3"], 130)
    _nodes(page, places, 130, fill="#fff2cc")
    page.line((45, 310), (25, 310), (25, 210), width=2)
    page.arrow((25, 210), (212, 210), width=2)
    picture = page.done(
        "ai2d/images/980.png",
        "flow_or_diagram",
        caption="A flowchart with Start, Read n, the test n > 10 ?, the steps n = n - 3 and Print n, and End.",
        description='A flowchart. From Start an arrow leads to "Read n", and from there to the test "n > 10 ?". The arrow yes leads to "n = n - 3", from which an arrow goes back to the test. The arrow no leads to "Print n", and from there an arrow to End.',
        code=mermaid(edges, list(places)),
    )
    printed = Turn(
        ask="If 15 is read, which number is printed?",
        summary="I will follow the flowchart step by step with n = 15.",
        caption="A flowchart with a loop that makes a number smaller.",
        reasoning="The process starts with n = 15. The test asks if n is greater than 10, which is the case, so it seems that we go to the left box: 15 - 3 = 12. The arrow leads back to the test. Since 12 is still greater than 10, we subtract again: 12 - 3 = 9. Now 9 is not greater than 10, so the other arrow is taken, and 9 is printed.",
        conclusion="9",
        answer="9",
        think="The flowchart in the image tests n > 10 and, on yes, sets n = n - 3 before it tests again. With n = 15: 15 > 10, so 15 - 3 = 12; 12 > 10, so 12 - 3 = 9; 9 is not above 10, and the arrow no leads to Print n. The printed number is 9.",
    )
    times = Turn(
        ask="And how often is the box at the left used in this case?\nA. once\nB. twice\nC. three times\nD. never",
        summary="I will count how many times the subtraction is done.",
        caption="The box at the left contains n = n - 3.",
        reasoning="As was worked out, starting from 15 the number first becomes 12, and then it becomes 9. Each of these changes seems to be one pass through the box at the left. After the second pass the loop ends. That would be twice, which is answer B.",
        conclusion="B",
        answer="B",
        think="The left box of the flowchart in the image says n = n - 3. Starting with 15 it is run for 15 - 3 = 12 and for 12 - 3 = 9, then the test fails. Those are 2 runs, i.e. twice, option B.",
    )
    return record("ai2d_980", picture, printed, times)


def login() -> Record:
    places: dict[str, Point] = {
        "开始": (280, 40),
        "输入密码": (280, 120),
        "密码正确？": (280, 205),
        "进入系统": (120, 300),
        "提示错误": (440, 300),
        "结束": (120, 375),
    }
    edges = [
        ("开始", "输入密码", ""),
        ("输入密码", "密码正确？", ""),
        ("密码正确？", "进入系统", "是"),
        ("密码正确？", "提示错误", "否"),
        ("提示错误", "输入密码", ""),
        ("进入系统", "结束", ""),
    ]
    page = Page(560, 415)
    _edges(page, places, [edge for edge in edges if edge[0] != "提示错误"], 130)
    _nodes(page, places, 130, fill="#ddebf7")
    page.line((440, 276), (440, 120), width=2)
    page.arrow((440, 120), (348, 120), width=2)
    picture = page.done(
        "docvqa/documents/zz_0001.png",
        "flow_or_diagram",
        caption="A flowchart in Chinese with the boxes 开始, 输入密码, 密码正确？, 进入系统, 提示错误 and 结束.",
        description="A flowchart in Chinese. From 开始 an arrow leads to 输入密码, and from there to the test 密码正确？. The arrow 是 leads to 进入系统 and from there to 结束. The arrow 否 leads to 提示错误, from which an arrow goes back to 输入密码.",
        code=mermaid(edges, list(places)),
    )
    wrong = Turn(
        ask="密码不正确时，流程接下来的两步依次是什么？",
        summary="我会沿着“否”的箭头查看后面的步骤。",
        caption="一张登录系统的流程图，包含输入密码和判断密码是否正确的步骤。",
        reasoning="流程图中间有一个判断，问密码是否正确。如果不正确，就要沿着标有“否”的箭头走，它似乎指向右边的方框，里面写着“提示错误”。从这个方框出来的线向上再向左，"
        "回到“输入密码”。由此推断，接下来的两步是提示错误，然后重新输入密码。",
        conclusion="提示错误，输入密码",
        answer="提示错误，输入密码",
        think="图中从“密码正确？”出发、标着“否”的箭头指向“提示错误”，“提示错误”的箭头又返回“输入密码”。所以密码不正确时，接下来依次是：提示错误，输入密码。",
    )
    boxes = Turn(
        ask="图中一共有多少个方框？\nA、4个\nB、5个\nC、6个\nD、7个",
        summary="我会数一数图中的方框。",
        caption="流程图由若干方框和箭头组成。",
        reasoning="从上往下数，先是“开始”，接着是“输入密码”和“密码正确？”，这样大概有3个。下面左边有“进入系统”和“结束”，右边有“提示错误”，又是3个。"
        "加起来是3+3=6个方框，所以应选C。",
        conclusion="C",
        answer="C",
        think="我看到的方框有：开始、输入密码、密码正确？、进入系统、提示错误、结束。前三个在中间一列，后三个在下方，3 + 3 = 6，即 6 个，选 C。",
    )
    return record("docvqa_zz_0001", picture, wrong, boxes)


def water() -> Record:
    places: dict[str, Point] = {"Sea": (300, 330), "Vapour": (500, 190), "Clouds": (300, 50), "Rain": (100, 190)}
    edges = [("Sea", "Vapour", ""), ("Vapour", "Clouds", ""), ("Clouds", "Rain", ""), ("Rain", "Sea", "")]
    page = Page(600, 380)
    _edges(page, places, edges)
    _nodes(page, places, fill="#d0e6f7")
    page.text(300, 190, "Water cycle", 24)
    picture = page.done(
        "ai2d/images/2077.png",
        "flow_or_diagram",
        caption="A diagram with the words Water cycle in the middle and four boxes in a ring: Sea, Vapour, Clouds and Rain.",
        description='A diagram with the title "Water cycle" in the middle and four boxes in a ring. Arrows lead from Sea to Vapour, from Vapour to Clouds, from Clouds to Rain and from Rain back to Sea.',
        code=mermaid(edges, list(places)),
    )
    after = Turn(
        ask="Which stage comes directly after the clouds? Choose one: A. Sea, B. Vapour, C. Rain",
        summary="I will follow the arrow that leaves the box of the clouds.",
        caption="A diagram of the water cycle with four stages.",
        reasoning="The diagram is a cycle, so every stage has exactly one that follows. The box Clouds is at the top. Its outgoing arrow seems to point down to the left, to the box called Rain. This agrees with what is known about the weather, as rain falls from clouds. The choice would be C.",
        conclusion="C",
        answer="C",
        think="In the image the arrow that leaves Clouds ends at Rain, the box on the left of the ring. Rain is the next stage, and it is choice C.",
    )
    order = Turn(
        ask="Beginning with the sea, give the four stages in order.",
        summary="I start at the sea and follow the arrows.",
        caption="The cycle of water from the sea to the clouds and back.",
        reasoning="Starting at the bottom with the sea, the arrow goes up to the right, where vapour is written. From there it probably continues to the clouds at the top. The clouds are followed by rain on the left side, and the rain finally returns to the sea. So the order is sea, vapour, clouds, rain.",
        conclusion="Sea, Vapour, Clouds, Rain",
        answer="Sea, Vapour, Clouds, Rain",
        think="Following the arrows of the image from Sea, I come to Vapour, then to Clouds, then to Rain, whose arrow closes the ring at Sea. The order is Sea, Vapour, Clouds, Rain.",
    )
    return record("ai2d_2077", picture, after, order)
