"""Charts of bars and lines; what is drawn, said and asked comes from the same numbers."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from collections.abc import Mapping, Sequence

from drawing.page import Page
from drawing.rows import Record, Turn, record

COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#edc948")


def records() -> list[Record]:
    return [*fruit(), visitors(), rain(), sports()]


def bars(title: str, series: Mapping[str, Sequence[float]], names: Sequence[str], top: float, step: float) -> Page:
    """A bar chart with a number over each bar; several series stand side by side, with a legend."""
    page = Page(600, 400)
    page.text(300, 28, title, 20)
    x0, y0, height = 70, 340, 270
    for number in range(int(top / step) + 1):
        y = y0 - height * number * step / top
        page.line((x0, y), (570, y), width=1, fill="#cccccc")
        page.text(x0 - 10, y, f"{number * step:g}", 15, anchor="rm")
    slot = 500 / len(names)
    wide = slot * 0.7 / len(series)
    for place, name in enumerate(names):
        page.text(x0 + slot * (place + 0.5), y0 + 20, name, 16)
        for number, values in enumerate(series.values()):
            x, y = x0 + slot * (place + 0.15) + wide * number, y0 - height * values[place] / top
            page.draw.rectangle([x, y, x + wide - 2, y0], fill=COLOURS[number])
            page.thing("bar", x, y, x + wide - 2, y0)
            page.text(x + wide / 2, y - 10, f"{values[place]:g}", 15)
    page.line((x0, y0), (570, y0), width=2)
    if len(series) > 1:
        for number, name in enumerate(series):
            page.draw.rectangle([430, 46 + 22 * number, 446, 62 + 22 * number], fill=COLOURS[number])
            page.text(454, 54 + 22 * number, name, 15, anchor="lm")
    return page


def csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "\n".join(",".join(map(str, row)) for row in [head, *rows])


def fruit() -> list[Record]:
    data = {"Apples": 45, "Pears": 30, "Plums": 15, "Cherries": 60}
    title = "Fruit sold in May (kg)"
    page = bars(title, {"kg": list(data.values())}, list(data), 70, 10)
    listed = ", ".join(f"{name} {value} kg" for name, value in data.items())
    picture = page.done(
        "chartqa/train/png/two_col_1042.png",
        "chart",
        caption=f'A bar chart titled "{title}" with four blue bars: {listed}.',
        description=f'A vertical bar chart titled "{title}". The horizontal axis names four kinds of fruit, the vertical axis '
        f"runs from 0 to 70 in steps of 10. A value stands over each bar: {listed}.",
        code=csv(["fruit", "kg"], [[*pair] for pair in data.items()]),
    )
    total, rest = data["Apples"] + data["Pears"], data["Cherries"] - data["Plums"]
    most = Turn(
        ask="Which fruit was sold most in May?",
        summary="I will compare the heights of the bars and name the fruit with the highest one.",
        caption="The chart shows four kinds of fruit with the kilograms sold. Cherries have the tallest bar.",
        reasoning="The bar chart gives the amount sold for each fruit. Going from left to right, apples seem to be in the middle "
        "range, pears are somewhat lower and plums are the lowest. The bar at the right end, for cherries, is clearly the tallest "
        f"one and probably reaches about {data['Cherries']}. So cherries were sold most.",
        conclusion="Cherries",
        answer="Cherries",
        think=f"As seen in the image, the values over the bars are {data['Apples']} for apples, {data['Pears']} for pears, "
        f"{data['Plums']} for plums and {data['Cherries']} for cherries. The largest of these four is {data['Cherries']}, so the "
        "fruit that sold most is Cherries.",
    )
    together = Turn(
        ask="How many kilograms of apples and pears were sold together?",
        summary="I will add the two values.",
        caption="A bar chart on fruit. Apples and pears are the first two bars.",
        reasoning=f"We need the bars for apples and pears. The first is labelled {data['Apples']} and the second one {data['Pears']}. "
        f"Both are given in kilograms. When these are added, {data['Apples']} + {data['Pears']} = {total}. It looks like "
        f"{total} kilograms were sold in total.",
        conclusion=f"{total} kg",
        answer=f"{total} kg",
        think=f"The image shows {data['Apples']} kg over the bar of apples and {data['Pears']} kg over that of pears. The sum is "
        f"{data['Apples']} kg + {data['Pears']} kg = {total} kg.",
    )
    less = Turn(
        ask=f"By how much do cherries exceed plums? Options: A: 15 kg B: 30 kg C: {rest} kg D: 60 kg",
        summary="The task is to find the difference between two bars of the chart.",
        caption="This bar chart compares the sales of apples, pears, plums and cherries in May.",
        reasoning=f"In order to get the difference, I read off the value of cherries, which might be {data['Cherries']} kg, and the "
        f"value of plums, around {data['Plums']} kg. The difference is then {data['Cherries']} - {data['Plums']} = {rest} kg. Among the "
        "given options this corresponds to C.",
        conclusion="C",
        answer="C",
        think=f"Over the bar of cherries I see {data['Cherries']}, over that of plums {data['Plums']}. Cherries lead by {data['Cherries']} - "
        f"{data['Plums']} = {rest} kg, and {rest} kg is option C.",
    )
    return [record("chartqa_1042", picture, most, together), record("chartqa_1042_b", picture, less)]


def visitors() -> Record:
    years = [2018, 2019, 2020, 2021, 2022]
    values = [12, 18, 9, 15, 24]
    title = "Museum visitors (thousands)"
    page = Page(600, 400)
    page.text(300, 26, title, 20)
    points = [(90 + 115 * n, 340 - 10 * value) for n, value in enumerate(values)]
    page.line((60, 60), (60, 340), width=2)
    page.line((60, 340), (580, 340), width=2)
    for number in range(0, 30, 5):
        page.text(50, 340 - 10 * number, str(number), 15, anchor="rm")
    page.line(*points, fill=COLOURS[3], width=4)
    for (x, y), year, value in zip(points, years, values, strict=True):
        page.draw.ellipse([x - 6, y - 6, x + 6, y + 6], fill=COLOURS[3])
        page.thing("point", x - 6, y - 6, x + 6, y + 6)
        page.text(x, y - 18, str(value), 16)
        page.text(x, 360, str(year), 16)
    pairs = dict(zip(years, values, strict=True))
    listed = ", ".join(f"{year}: {value}" for year, value in pairs.items())
    picture = page.done(
        "chartqa/train/png/multi_col_207.png",
        "chart",
        caption=f'A red line chart titled "{title}" from 2018 to 2022: {listed}.',
        description=f'A line chart titled "{title}" with one red line. Years from 2018 to 2022 are on the horizontal axis. The values '
        f"at the points, in thousands of visitors, are {listed}. The line has its lowest point in 2020 and its highest in 2022.",
        code=csv(["year", "visitors_thousands"], [[*pair] for pair in pairs.items()]),
    )
    fall = values[1] - values[2]
    lowest = Turn(
        ask="In which year did the museum have the fewest visitors?\nA. 2018\nB. 2019\nC. 2020\nD. 2021",
        summary="I will look for the lowest point of the line and choose its year.",
        caption="A line chart with a red line that goes up, falls, and goes up again between 2018 and 2022.",
        reasoning="The line begins at a medium height and rises in the second year. After that there appears to be a sharp fall, and "
        "the line reaches its lowest point before it climbs again. This low point is above the label 2020 on the axis. Therefore the "
        "year with the fewest visitors is likely 2020, which is option C.",
        conclusion="So the answer is C.",
        answer="C",
        think="In the image the points of the line carry the values 12, 18, 9, 15 and 24 for the years 2018 to 2022. The minimum, 9, stands "
        "over 2020, and 2020 is listed as C. The answer is C.",
    )
    drop = Turn(
        ask="By how many thousands did the number fall from 2019 to 2020?",
        summary="I will subtract the value of 2020 from that of 2019.",
        caption="The line has its only decline between 2019 and 2020.",
        reasoning=f"From the chart, the museum had around {values[1]} thousand visitors in 2019. A year later the figure went down to "
        f"approximately {values[2]} thousand. We subtract: {values[1]} - {values[2]} = {fall}. So there were {fall} thousand visitors fewer.",
        conclusion=f"The number fell by {fall}.",
        answer=f"{fall}",
        think=f"I read {values[1]} at the point for 2019 and {values[2]} at the point for 2020, both in thousands. {values[1]} - {values[2]} = "
        f"{fall}, hence the fall is {fall} thousand.",
    )
    mean = sum(values) / len(values)
    average = Turn(
        ask="What is the average of the five values, in thousands?",
        summary="To find the mean, I will sum all the points and divide by their number.",
        caption="The chart displays visitors of a museum for five years.",
        reasoning=f"All of the five points are labelled. Adding them up gives {' + '.join(map(str, values))} = {sum(values)}. There seem to be "
        f"five years, so we divide by 5: {sum(values)} / 5 = {mean:g}. On average there were some {mean:g} thousand visitors a year.",
        conclusion=f"{mean:g}",
        answer=f"{mean:g}",
        think=f"The five labels in the image add up as {' + '.join(map(str, values))} = {sum(values)}. Dividing by the five years, {sum(values)} "
        f"/ 5 = {mean:g}. The mean is {mean:g} thousand.",
    )
    return record("chartqa_207", picture, lowest, drop, average)


def rain() -> Record:
    data = {"一月": 20, "二月": 35, "三月": 50, "四月": 80}
    title = "各月降水量（毫米）"
    page = bars(title, {"mm": list(data.values())}, list(data), 100, 20)
    page.things = [each for each in page.things if each.label == "bar"]
    listed = "，".join(f"{name} {value}" for name, value in data.items())
    picture = page.done(
        "geoqa+/images/9911.png",
        "chart",
        caption=f"A bar chart with the title {title}; values: {listed}.",
        description=f"A bar chart titled {title} (monthly precipitation in millimetres). The vertical axis runs from 0 to 100. The values over the bars are: {listed}.",
        code=csv(["月份", "降水量"], [[*pair] for pair in data.items()]),
    )
    diff = data["四月"] - data["一月"]
    turn = Turn(
        ask="四月的降水量比一月多多少毫米？",
        summary="我将读取两个月的降水量并求差。",
        caption=f"柱状图给出了一月到四月的降水量，逐月增加，四月最高，达到{data['四月']}毫米。",
        reasoning=f"首先看四月对应的柱子，它是最高的，上面的数字好像是{data['四月']}。再看一月的柱子，它最矮，数字是{data['一月']}。"
        f"用四月减去一月：{data['四月']}-{data['一月']}={diff}。所以大约多出{diff}毫米。",
        conclusion=f"{diff}毫米",
        answer=f"{diff}毫米",
        think=f"如图所示，四月的柱子上写着 {data['四月']}，一月的柱子上写着 {data['一月']}，单位都是毫米。两者相差 {data['四月']} - {data['一月']} = {diff}，"
        f"所以多 {diff} 毫米。",
    )
    return record("geoqa_9911", picture, turn)


def sports() -> Record:
    series = {"Boys": [14, 8, 11], "Girls": [9, 12, 11]}
    names = ["Football", "Swimming", "Tennis"]
    title = "Favourite sport in class 7"
    page = bars(title, series, names, 16, 4)
    listed = "; ".join(f"{name}: {series['Boys'][n]} boys, {series['Girls'][n]} girls" for n, name in enumerate(names))
    picture = page.done(
        "chartqa/train/png/two_col_88.png",
        "chart",
        caption=f'A grouped bar chart titled "{title}" with blue bars for boys and orange bars for girls. {listed}.',
        description=f'A grouped bar chart titled "{title}". Blue bars stand for boys, orange bars for girls, as the legend says. The values over the bars are: {listed}.',
        code=csv(
            ["sport", *series], [[name, *(values[n] for values in series.values())] for n, name in enumerate(names)]
        ),
    )
    equal = Turn(
        ask="Which sport is liked by as many boys as girls?",
        summary="I will check for which sport both bars are equally high.",
        caption="The chart shows the favourite sports of boys and girls, with two bars for each of three sports.",
        reasoning="For football the blue bar is much higher, so more boys like it. For swimming it is the other way round. In the "
        f"last group both bars appear to have the same height, {series['Boys'][2]} each. This group is labelled Tennis, so tennis is most "
        "likely what is asked for.",
        conclusion="Tennis",
        answer="Tennis",
        think=f"In the image football has 14 boys against 9 girls, swimming 8 against 12, and tennis {series['Boys'][2]} against {series['Girls'][2]}. Only the "
        "pair of tennis is equal, so the sport is Tennis.",
    )
    girls = Turn(
        ask="Is it true that more girls than boys chose swimming? Answer yes or no.",
        summary="I compare the bars of girls and boys for swimming.",
        caption="Grouped bars for football, swimming and tennis.",
        reasoning="Among the three groups, swimming is the one in the middle. Its orange bar, which seems to stand for girls according to the "
        f"legend, has the number {series['Girls'][1]}, and the blue one next to it has {series['Boys'][1]}. Because {series['Girls'][1]} is larger than "
        f"{series['Boys'][1]}, the statement is probably true.",
        conclusion="Yes, it is true.",
        answer="yes",
        think=f"Over swimming I see an orange bar with {series['Girls'][1]} for the girls and a blue bar with {series['Boys'][1]} for the boys. "
        f"{series['Girls'][1]} > {series['Boys'][1]}, so the statement holds: yes.",
    )
    return record("chartqa_88", picture, equal, girls, gold=["Tennis", "yes"])
