"""Tables: prices, marks, a timetable; what is drawn, said and asked comes from the same cells."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from collections.abc import Sequence

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*prices(), marks(), trains(), animals()]


def grid(page: Page, x: int, y: int, widths: Sequence[int], rows: Sequence[Sequence[str]], high: int = 44) -> None:
    """Draw a ruled table; the first row is the shaded head."""
    right = x + sum(widths)
    page.draw.rectangle([x, y, right, y + high], fill="#dde6f2")
    for number in range(len(rows) + 1):
        page.line((x, y + high * number), (right, y + high * number), width=2)
    place = x
    for column, width in enumerate([*widths, 0]):
        page.line((place, y), (place, y + high * len(rows)), width=2)
        for number, cells in enumerate(rows):
            if width:
                page.text(place + width / 2, y + high * (number + 0.5), cells[column], 18)
        place += width
    page.thing("table", x, y, right, y + high * len(rows))


def html(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in body]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def prices() -> list[Record]:
    items = [("Pencil", 2, 30), ("Notebook", 5, 12), ("Ruler", 3, 20), ("Bag", 25, 4)]
    rows = [["Item", "Price ($)", "In stock"], *([name, str(price), str(stock)] for name, price, stock in items)]
    page = Page(520, 320)
    page.text(260, 34, "School shop", 22)
    grid(page, 50, 66, [180, 120, 120], rows)
    listed = "; ".join(f"{name}: ${price}, {stock} in stock" for name, price, stock in items)
    picture = page.done(
        "docvqa/documents/ffbf0023_4.png",
        "table",
        caption=f'A table with the heading "School shop" and the columns Item, Price ($) and In stock. {listed}.',
        description=f'A table with the heading "School shop" has the columns Item, Price ($) and In stock, and four rows. {listed}.',
        code=html(rows),
    )
    cost = 3 * items[1][1]
    three = Turn(
        ask="How much do three notebooks cost?",
        summary="I will look up the price of one notebook and multiply it by three.",
        caption="The table of a school shop lists several items with their prices and the number in stock.",
        reasoning=f"To begin with, the row for notebooks has to be found, which seems to be the second one. Its price is ${items[1][1]}. Since three of "
        f"them are bought, we calculate 3 × {items[1][1]} = {cost}. As a result, three notebooks would cost {cost} dollars.",
        conclusion=f"Three notebooks cost ${cost}.",
        answer=f"${cost}",
        think=f"In the image the row Notebook has the price ${items[1][1]}. For three of them that makes 3 × {items[1][1]} = {cost}, so the cost is ${cost}.",
    )
    fewest = Turn(
        ask="Which item has the fewest pieces in stock?",
        summary="I will compare the numbers in the last column.",
        caption="A price list; the bag is the most expensive item.",
        reasoning="The column at the right tells how many pieces there are. The numbers appear to go from 30 for pencils down to a one-digit number in the last "
        f"row. That last row is the bag, with only {items[3][2]}. No other item comes close, so it must be the bag.",
        conclusion="Bag",
        answer="Bag",
        think="I go through the column In stock as it stands in the image: Pencil 30, Notebook 12, Ruler 20, Bag 4. The smallest of these is 4, "
        "and it belongs to the Bag.",
    )
    value = items[2][1] * items[2][2]
    worth = Turn(
        ask=f"What are all rulers in stock worth together?\n(A) $23\n(B) $40\n(C) ${value}\n(D) $100",
        summary="I will multiply the price of a ruler by the number of rulers.",
        caption="The picture is a simple table with prices and stock of four items.",
        reasoning=f"Rulers are listed with a price of ${items[2][1]} each, and there seem to be {items[2][2]} of them in stock. Their total worth would be the product "
        f"of the two, i.e. {items[2][1]} × {items[2][2]} = {value}. Looking at the choices, this is the one with letter C.",
        conclusion="(C)",
        answer="C",
        think=f"The image gives ${items[2][1]} as the price of a Ruler and {items[2][2]} as its stock. Multiplying, {items[2][1]} × {items[2][2]} = {value}; the option "
        f"with ${value} is C.",
    )
    return [record("docvqa_ffbf0023", picture, three, fewest), record("docvqa_ffbf0023_b", picture, worth)]


def marks() -> Record:
    data = [("小明", 92, 85), ("小红", 88, 96), ("小刚", 75, 80)]
    rows = [["姓名", "语文", "数学"], *([name, str(a), str(b)] for name, a, b in data)]
    page = Page(460, 280)
    page.text(230, 34, "期末成绩表", 24)
    grid(page, 50, 66, [120, 120, 120], rows)
    listed = "；".join(f"{name}：语文 {a}，数学 {b}" for name, a, b in data)
    picture = page.done(
        "tabmwp/images/3120.png",
        "table",
        caption=f"A table in Chinese with the heading 期末成绩表 and the columns 姓名, 语文 and 数学. {listed}。",
        description=f"A table with the heading 期末成绩表 (final marks) has the columns 姓名, 语文 and 数学 and three rows. {listed}。",
        code=html(rows),
    )
    best = Turn(
        ask="谁的数学成绩最高？",
        summary="我将比较数学一列中的分数。",
        caption="表格列出了三名学生的语文和数学成绩，其中小红的数学成绩最高。",
        reasoning="要回答这个问题，需要看数学这一列。小明的数学大概是85分，小红的是96分，小刚的好像是80分。三个分数中最大的是96，它在小红那一行，"
        "由此可以推断数学成绩最高的同学是小红。",
        conclusion="小红",
        answer="小红",
        think="我看到表中数学一列依次是小明 85、小红 96、小刚 80。96 是其中最大的数，所以数学成绩最高的是小红。",
    )
    total = data[0][1] + data[0][2]
    both = Turn(
        ask="小明两科的总分是多少？",
        summary="我会把小明的两科成绩相加。",
        caption="这是一张期末成绩表，有姓名、语文、数学三列。",
        reasoning=f"小明应该在表格的第一行。他的语文成绩是{data[0][1]}分，数学成绩是{data[0][2]}分。总分就是把这两个数加起来，"
        f"{data[0][1]}+{data[0][2]}={total}，所以小明的总分可能是{total}分。",
        conclusion=f"{total}分",
        answer=f"{total}分",
        think=f"图中小明一行写着语文 {data[0][1]} 和数学 {data[0][2]}。两科相加：{data[0][1]} + {data[0][2]} = {total}，总分为 {total} 分。",
    )
    third = (data[0][2] + data[1][2] + data[2][2]) // 3
    mean = Turn(
        ask="三人的数学平均分是多少？",
        summary="我要先求数学成绩的总和，再除以人数。",
        caption="三名学生的期末成绩表。",
        reasoning=f"三名同学的数学成绩分别是85、96和80，看起来没有缺考的。总和为85+96+80={3 * third}，再除以3，得到{3 * third}÷3={third}。"
        f"因此平均分是{third}分。",
        conclusion=f"平均分是{third}分。",
        answer=f"{third}分",
        think=f"表里数学一列的三个分数是 85、96、80。先求和 85 + 96 + 80 = {3 * third}，再平均到三人：{3 * third} ÷ 3 = {third}，即 {third} 分。",
    )
    return record("tabmwp_3120", picture, best, both, mean)


def trains() -> Record:
    data = [
        ("R12", "Harbour", "08:15", "09:05"),
        ("R18", "Oldtown", "08:40", "10:00"),
        ("R25", "Lakeside", "09:10", "09:45"),
    ]
    rows = [["Train", "To", "Departs", "Arrives"], *map(list, data)]
    page = Page(600, 260)
    grid(page, 40, 40, [100, 160, 130, 130], rows)
    listed = "; ".join(f"{a} to {b} departs {c} and arrives {d}" for a, b, c, d in data)
    picture = page.done(
        "docvqa/documents/nkbl0226_1.png",
        "table",
        caption=f"A timetable with three trains: {listed}.",
        description=f"A timetable with the columns Train, To, Departs and Arrives, and three rows: {listed}.",
        code=html(rows),
    )
    long = Turn(
        ask="How many minutes does train R12 take?",
        summary="I will subtract the departure from the arrival.",
        caption="The timetable lists trains with their destinations and times.",
        reasoning="Train R12 is in the first row of the table. It departs at 08:15 and seems to arrive at 09:05. From 08:15 to 09:00 there are 45 minutes, and "
        "5 minutes more until the arrival. Adding these gives 45 + 5 = 50, so the journey takes about 50 minutes.",
        conclusion="50 minutes",
        answer="50 minutes",
        think="The image lists R12 with departure 08:15 and arrival 09:05. Up to 09:00 it is 60 - 15 = 45 minutes, then 5 further minutes: 45 + 5 = 50. The "
        "train takes 50 minutes.",
    )
    where = Turn(
        ask="Where does the train that departs at 08:40 go?\nA) Harbour\nB) Oldtown\nC) Lakeside",
        summary="I will find the row with this departure.",
        caption="Three trains are listed; one departs at 08:40 and goes to Oldtown.",
        reasoning="We need the row where the third column is 08:40. The first row has another time, but the second row appears to match. Its destination is given as "
        "Oldtown. This is choice B among the three.",
        conclusion="B",
        answer="B",
        think="Looking at the column Departs in the image, 08:40 belongs to train R18, whose destination under To is Oldtown. Oldtown is option B.",
    )
    return record("docvqa_nkbl0226", picture, long, where)


def animals() -> Record:
    rows = [
        ["Animal", "Legs", "Can fly"],
        ["Sparrow", "2", "yes"],
        ["Horse", "4", "no"],
        ["Bee", "6", "yes"],
        ["Spider", "8", "no"],
    ]
    page = Page(470, 300)
    grid(page, 45, 40, [150, 100, 130], rows)
    listed = "; ".join(f"{a} has {n} legs and {'can' if fly == 'yes' else 'cannot'} fly" for a, n, fly in rows[1:])
    picture = page.done(
        "x/9f3c2a.png",
        "table",
        caption=f"A small table on animals. {listed}.",
        description=f"A table with the columns Animal, Legs and Can fly, and four rows. {listed}.",
        code=html(rows),
    )
    turn = Turn(
        ask="List all animals in the table that can fly.",
        summary="I go through the rows and collect the animals that can fly.",
        caption="A table compares a sparrow, a horse, a bee and a spider.",
        reasoning="The last column tells if an animal is able to fly. Sparrow has yes in this column, horse has no. For the bee it again says yes, while the spider "
        "seems to have no. Hence the animals that are able to fly are most likely the sparrow and the bee.",
        conclusion="Sparrow, Bee",
        answer="Sparrow, Bee",
        think="In the image the column Can fly holds yes for Sparrow, no for Horse, yes for Bee and no for Spider. The two rows with yes give the list Sparrow, Bee.",
    )
    return record("misc_9f3c2a", picture, turn)
