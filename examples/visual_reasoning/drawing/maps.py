"""Maps and puzzles: streets with names, a grid of numbers, lines of a metro."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [town()]


def town() -> Record:
    page = Page(600, 420, "#e8efe0")
    for y, name in ((120, "Mill Street"), (300, "King Street")):
        page.draw.rectangle([0, y - 17, 600, y + 17], fill="white")
        page.text(90, y, name, 18)
    page.draw.rectangle([263, 0, 297, 420], fill="white")
    page.text(280, 28, "Elm", 16)
    places = {"School": (180, 55, "#f9cb9c"), "Bank": (430, 55, "#a4c2f4"), "Park": (150, 210, "#93c47d"), "Station": (440, 210, "#d5a6bd"), "Library": (440, 370, "#ffe599")}
    for name, (x, y, fill) in places.items():
        page.box(x - 60, y - 28, x + 60, y + 28, fill=fill, width=2)
        page.thing("building" if name != "Park" else "park", x - 60, y - 28, x + 60, y + 28)
        page.text(x, y, name, 20)
    page.arrow((560, 90), (560, 30), width=3)
    page.text(580, 40, "N", 20)
    picture = page.done(
        "pics/map_0031.png",
        "map_or_other",
        caption="A street map with Mill Street and King Street running across and Elm running down, and School, Bank, Park, Station and Library beside them; an arrow N points up.",
        description="A street map; an arrow marked N points up, so north is at the top. Mill Street and King Street run from left to right, Mill Street north of King Street. The street Elm runs from top to bottom and crosses both. "
        "West of Elm are School (north of Mill Street) and Park (between Mill Street and King Street). East of Elm are Bank (north of Mill Street), Station (between the two) and Library (south of King Street).",
        code="Streets: Mill Street (west-east), King Street (west-east, south of Mill Street), Elm (north-south)\nWest of Elm: School (north of Mill Street), Park (between Mill Street and King Street)\nEast of Elm: Bank (north of Mill Street), "
        "Station (between Mill Street and King Street), Library (south of King Street)",
    )
    south = Turn(
        ask="Which building lies south of King Street?\n(A) Bank (B) School (C) Station (D) Library",
        summary="I will find King Street on the map and see what is below it.",
        caption="The map shows a part of a town with three streets and several buildings.",
        reasoning="On the map, north seems to be at the top, as the arrow with the letter N indicates. King Street is the lower one of the two horizontal streets. Everything below it lies to the south. There appears to be only one "
        "building in this part, the yellow one, and it is labelled Library. Therefore the correct choice is D.",
        conclusion="(D) Library",
        answer="D",
        think="The arrow N in the image points up, so south is down. Below King Street there is a single building, marked Library. Library is option D.",
    )
    opposite = Turn(
        ask="地图上在公园（Park）正东方、隔着 Elm 街的是什么地方？",
        summary="我将根据地图上的方向找到公园东边的地点。",
        caption="一张街道地图，上面有学校、银行、公园、车站和图书馆。",
        reasoning="地图右上角有一个指向上方的箭头，旁边写着N，所以上方应该是北，右边就是东。公园在 Elm 街的左边，位于两条横街之间。隔着 Elm 街，在同样的高度上，"
        "右边似乎是一个粉色的方块，上面写着 Station，也就是车站。",
        conclusion="车站（Station）",
        answer="车站",
        think="图中箭头 N 指向上方，所以右边是东。Park 位于 Elm 街的西侧，夹在 Mill Street 和 King Street 之间；隔着 Elm 街与它相对的是 Station，即车站。因此答案是车站。",
    )
    return record("map_0031", picture, south, opposite)
