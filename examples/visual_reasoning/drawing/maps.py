"""Maps and puzzles: streets with names, a grid of numbers, lines of a metro."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [town(), puzzle(), metro()]


def town() -> Record:
    page = Page(600, 420, "#e8efe0")
    for y, name in ((120, "Mill Street"), (300, "King Street")):
        page.draw.rectangle([0, y - 17, 600, y + 17], fill="white")
        page.text(90, y, name, 18)
    page.draw.rectangle([263, 0, 297, 420], fill="white")
    page.text(280, 28, "Elm", 16)
    places = {
        "School": (180, 55, "#f9cb9c"),
        "Bank": (430, 55, "#a4c2f4"),
        "Park": (150, 210, "#93c47d"),
        "Station": (440, 210, "#d5a6bd"),
        "Library": (440, 370, "#ffe599"),
    }
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


def puzzle() -> Record:
    cells = [["2", "4", "6"], ["3", "6", "9"], ["4", "8", "?"]]
    page = Page(400, 400)
    for row, line in enumerate(cells):
        for column, word in enumerate(line):
            x, y = 50 + 100 * column, 50 + 100 * row
            page.box(x, y, x + 100, y + 100, fill="#fff7e0" if word == "?" else None)
            page.thing("cell", x, y, x + 100, y + 100)
            page.text(x + 50, y + 50, word, 40)
    picture = page.done(
        "puzzlevqa/grid_18.png",
        "map_or_other",
        caption="A puzzle grid of three rows and three columns: 2, 4, 6; 3, 6, 9; 4, 8 and a question mark.",
        description="The image shows a square grid with three rows and three columns of cells. The first row holds 2, 4, 6, the second row 3, 6, 9, the third row 4, 8 and a question mark.",
        code="2 4 6\n3 6 9\n4 8 ?",
    )
    missing = Turn(
        ask="What is the missing number?\nOptions:\nA: 10\nB: 11\nC: 12\nD: 16",
        summary="I will look for the rule of the rows and apply it to the last row.",
        caption="A grid with numbers, in which one cell has a question mark.",
        reasoning="In the first row the numbers go up by two each time: 2, 4, 6. In the second row they seem to go up by three: 3, 6, 9. It is likely that the numbers of each row are multiples of the first one. For the third row this would mean steps of four, and 8 + 4 = 12. Hence option C.",
        conclusion="C",
        answer="C",
        think="The rows in the image read 2, 4, 6 and 3, 6, 9: the last cell of a row is three times its first, 3 × 2 = 6 and 3 × 3 = 9. The third row starts with 4, so its last cell holds 3 × 4 = 12, which is C.",
    )
    middle = Turn(
        ask="What is the sum of the numbers in the middle column?",
        summary="I will add the three numbers in the second column.",
        caption="The grid has nine cells. The middle column contains 4, 6 and 8.",
        reasoning="We look only at the second column. From the top to the bottom the numbers appear to be 4, 6 and 8. Their sum is 4 + 6 + 8 = 18.",
        conclusion="The sum is 18.",
        answer="18",
        think="The second cells of the three rows in the image are 4, 6 and 8. Summed up, 4 + 6 + 8 = 18, so the middle column sums to 18.",
    )
    return record("puzzle_18", picture, missing, middle)


def metro() -> Record:
    red, blue = ["东门", "医院", "人民广场", "大学", "机场"], ["北站", "人民广场", "动物园", "南湖"]
    page = Page(640, 400)
    page.line((60, 200), (580, 200), width=8, fill="#cc2222")
    page.line((320, 50), (320, 360), width=8, fill="#2255cc")
    for number, name in enumerate(red):
        x = 60 + 130 * number
        page.circle(x, 200, 11, fill="white")
        page.thing("station", x - 11, 189, x + 11, 211)
        page.text(x + (52 if name in blue else 0), 234, name, 20)
    for y, name in zip((50, 280, 360), [each for each in blue if each not in red], strict=True):
        page.circle(320, y, 11, fill="white")
        page.thing("station", 309, y - 11, 331, y + 11)
        page.text(344, y, name, 20, anchor="lm")
    page.text(120, 160, "1号线", 20, fill="#cc2222")
    page.text(270, 110, "2号线", 20, fill="#2255cc")
    picture = page.done(
        "pics/000958.png",
        "map_or_other",
        caption=f"A metro map with a red line 1号线 ({'、'.join(red)}) and a blue line 2号线 ({'、'.join(blue)}) that cross at 人民广场.",
        description=f"The image shows a metro map with two lines. The red line 1号线 runs from left to right with the stations {'、'.join(red)}. The blue line 2号线 runs from top to bottom with the stations {'、'.join(blue)}. The two lines cross at 人民广场.",
        code=f"1号线（红色）：{'、'.join(red)}\n2号线（蓝色）：{'、'.join(blue)}\n换乘：人民广场",
    )
    change = Turn(
        ask="从北站坐地铁去机场，应该在哪一站换乘？",
        summary="我要找到两条线路的交汇站。",
        caption="一张地铁线路图，有一条红线和一条蓝线。",
        reasoning="北站在蓝色的2号线最上面，机场好像在红色的1号线最右边，两站不在同一条线上，所以需要换乘。两条线交叉的地方写着人民广场，"
        "因此应该在人民广场站换乘。",
        conclusion="人民广场",
        answer="人民广场",
        think="图中北站位于蓝色的 2号线，机场位于红色的 1号线，两条线相交于人民广场。所以从北站去机场要在人民广场换乘。",
    )
    stops = Turn(
        ask="从北站到机场一共要坐几站？（起点站不算）",
        summary="我会分段数站数，再相加。",
        caption="地铁图上，两条线路在人民广场相交。",
        reasoning="先从北站坐到人民广场，看起来中间没有别的站，所以是1站。然后换乘1号线，从人民广场往右依次是大学和机场，这是2站。合计1+2=3站。",
        conclusion="一共3站",
        answer="3站",
        think="我看到 2号线上北站的下一站就是人民广场，坐 1 站；换到 1号线后，经过大学到达机场，是 2 站。合计 1 + 2 = 3，一共 3站。",
    )
    return record("metro_958", picture, change, stops)
