"""Pie charts; what is drawn, said and asked comes from the same numbers."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math
from collections.abc import Mapping

from drawing.charts import COLOURS, csv
from drawing.page import Page
from drawing.rows import Picture, Record, Turn, record


def records() -> list[Record]:
    return [energy(), shops()]


def _pie(page: Page, parts: Mapping[str, float], x: int, y: int, r: int) -> None:
    """A pie from twelve o'clock on, each part's share written in it and its name beside it."""
    start, whole = -90.0, sum(parts.values())
    for number, (name, part) in enumerate(parts.items()):
        end = start + 360 * part / whole
        page.draw.pieslice([x - r, y - r, x + r, y + r], start, end, fill=COLOURS[number], outline="white", width=2)
        middle = math.radians((start + end) / 2)
        page.text(x + 0.62 * r * math.cos(middle), y + 0.62 * r * math.sin(middle), f"{part:g}%", 18, fill="white")
        side = "lm" if math.cos(middle) > 0 else "rm"
        page.text(x + 1.1 * r * math.cos(middle), y + 1.1 * r * math.sin(middle), name, 18, anchor=side)
        start = end
    page.thing("pie", x - r, y - r, x + r, y + r)


def energy() -> Record:
    parts = {"煤炭": 55, "石油": 20, "天然气": 10, "水电": 15}
    title = "某地区能源消费构成"
    page = Page(560, 400)
    page.text(280, 26, title, 22)
    _pie(page, parts, 280, 215, 150)
    listed = "，".join(f"{name} {value}%" for name, value in parts.items())
    picture = page.done(
        "chartqa/train/png/41699051005347.png",
        "chart",
        caption=f"A pie chart with the Chinese title {title} and four parts: {listed}.",
        description=f"A pie chart titled {title} (energy consumption of a region). It has four parts, each with its share written in it: {listed}.",
        code=csv(["能源", "百分比"], [[*pair] for pair in parts.items()]),
    )
    gas = parts["石油"] + parts["天然气"]
    half = Turn(
        ask="哪种能源占了一半以上？",
        summary="我将比较饼图中各部分所占的比例。",
        caption="这是一张关于能源消费构成的饼图，分成四个部分，蓝色部分最大。",
        reasoning=f"饼图被分成四块，颜色各不相同。其中蓝色的一块明显最大，似乎超过了整个圆的一半，上面标的是{parts['煤炭']}%。其他几块看起来都比较小。"
        "蓝色对应的名称是煤炭，因此占一半以上的能源应该是煤炭。",
        conclusion="煤炭",
        answer="煤炭",
        think=f"图中四块扇形的百分比分别是煤炭 {parts['煤炭']}%、石油 {parts['石油']}%、天然气 {parts['天然气']}% 和水电 {parts['水电']}%。"
        f"只有 {parts['煤炭']}% 大于 50%，所以占一半以上的是煤炭。",
    )
    both = Turn(
        ask=f"石油和天然气一共占百分之多少？A、25% B、{gas}% C、35% D、45%",
        summary="我需要把两部分的百分比加起来，再选出对应的选项。",
        caption="饼图显示了煤炭、石油、天然气和水电的占比。",
        reasoning=f"从图上可以读到石油的占比约为{parts['石油']}%，天然气的占比约为{parts['天然气']}%。把两者相加，"
        f"{parts['石油']}+{parts['天然气']}={gas}，也就是{gas}%。对照选项，答案应为B。",
        conclusion="因此答案是B。",
        answer="B",
        think=f"我在图中看到石油标着 {parts['石油']}%，天然气标着 {parts['天然气']}%，合计 {parts['石油']}% + {parts['天然气']}% = {gas}%，与选项 B 一致，选 B。",
    )
    return record("chartqa_41699051005347", picture, half, both)


def shops() -> Record:
    parts = {"Food": 40, "Rent": 35, "Travel": 25}
    page = Page(520, 380)
    page.text(260, 24, "Monthly spending", 20)
    _pie(page, parts, 250, 205, 135)
    listed = ", ".join(f"{name} {value}%" for name, value in parts.items())
    picture = _spending(page, listed, parts)
    income = 800
    share = income * parts["Travel"] // 100
    turn = Turn(
        ask=f"If ${income} are spent in a month, how many dollars go to travel?",
        summary="I will take the share of travel and apply it to the sum.",
        caption="A pie chart splits the monthly spending into food, rent and travel.",
        reasoning=f"The pie has three slices. The slice for travel seems to take up a quarter, and the label confirms {parts['Travel']}%. To get the "
        f"amount we multiply: {income} × {parts['Travel']}% = {share}. Therefore we can assume that {share} dollars are spent on travel.",
        conclusion=f"${share}",
        answer=f"${share}",
        think=f"As the image shows, travel takes {parts['Travel']}% of the pie. Of ${income} that is {income} × {parts['Travel']} / 100 = {share}, so ${share} go "
        "to travel.",
    )
    return record("row_000077", picture, turn)


def _spending(page: Page, listed: str, parts: Mapping[str, float]) -> Picture:
    return page.done(
        "pics/000077.png",
        "chart",
        caption=f'A pie chart titled "Monthly spending" with three slices: {listed}.',
        description=f'A pie chart titled "Monthly spending". It has three slices with their shares written in them: {listed}.',
        code=csv(["item", "percent"], [[*pair] for pair in parts.items()]),
    )
