"""Diagrams: a food web, flowcharts, a cycle; the nodes and arrows that are drawn are those that are told."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from drawing.page import Page, Point
from drawing.rows import Record, Turn, record

Edge = tuple[str, str, str]


def records() -> list[Record]:
    return [*food_web()]


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
    places: dict[str, Point] = {"Grass": (300, 360), "Rabbit": (150, 240), "Grasshopper": (430, 240), "Fox": (150, 90), "Frog": (430, 140), "Hawk": (300, 40)}
    eaten = [("Grass", "Rabbit"), ("Grass", "Grasshopper"), ("Rabbit", "Fox"), ("Rabbit", "Hawk"), ("Grasshopper", "Frog"), ("Frog", "Hawk")]
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
