"""Good records about pictures in odd forms: turned by EXIF, CMYK, 16 bits, transparent, animated, blank."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from dataclasses import replace

from drawing.natural import graph
from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [turned(), cmyk(), deep(), clear(), animated(), blank()]


def turned() -> Record:
    page = Page(360, 520)
    page.shaded("#8fbbe0", "#e6f0f8", (0, 0, 360, 420))
    page.shaded("#88b070", "#6c9658", (0, 420, 360, 520))
    page.draw.rectangle([172, 200, 188, 450], fill="#777777")
    page.draw.rounded_rectangle([60, 70, 300, 210], 14, fill="#1f7a3a", outline="white", width=5)
    page.text(180, 110, "LAKE", 44, fill="white")
    page.text(180, 168, "7 km", 40, fill="white")
    page.thing("sign", 60, 70, 300, 210, "green")
    page.thing("pole", 172, 200, 188, 450, "grey")
    page.photo(21)
    picture = page.done(
        "textvqa/train/9ab17.jpg",
        "natural_scene",
        caption="A green road sign on a grey pole says LAKE 7 km; sky behind it, grass below.",
        description='The image shows a green road sign on a grey pole. White letters on it say "LAKE" and below "7 km". There is blue sky behind the sign and green grass at the bottom.',
        code=graph(page, [(1, "above", 2)]),
    )
    turn = Turn(
        ask="How far is it to the lake according to the sign?",
        summary="I will read the distance on the road sign.",
        caption="A photo of a road sign, with grass below it.",
        reasoning="The sign has two lines of white letters. The upper line seems to be the name of the destination, LAKE. Below this there is a number together with a unit, and it probably states the distance. It reads 7 km, so the lake is about 7 km away.",
        conclusion="It is 7 km.",
        answer="7 km",
        think="On the green sign in the image the upper line reads LAKE and the lower line 7 km. The distance to the lake is therefore 7 km.",
    )
    made = record("textvqa_9ab17", replace(picture, form="exif"), turn)
    return replace(made, dirty="EXIF turn")


def cmyk() -> Record:
    page = Page(480, 320)
    for number, (name, fill) in enumerate({"blue": "#1f4e9e", "white": "#fafafa", "orange": "#e8862a"}.items()):
        page.draw.rectangle([40 + 133 * number, 50, 173 + 133 * number, 270], fill=fill)
        page.thing("stripe", 40 + 133 * number, 50, 173 + 133 * number, 270, name)
    page.draw.rectangle([40, 50, 439, 270], outline="black", width=3)
    page.things.insert(0, replace(page.things[0], label="flag", box=(40, 50, 439, 270), attributes=()))
    picture = page.done(
        "wikiart/images/flag_3.jpg",
        "map_or_other",
        caption="A flag with three upright stripes: blue, white and orange.",
        description="The image shows a flag with three upright stripes of equal width: from left to right blue, white and orange.",
        code="flag: three upright stripes, from left to right blue, white, orange",
    )
    turn = Turn(
        ask="Name the colours of the flag from left to right.",
        summary="I will list the stripes of the flag in order.",
        caption="A flag that has three stripes, the right one orange.",
        reasoning="The flag appears to consist of three vertical stripes of the same width. Beginning at the left, the first stripe is of a dark blue. The stripe in the middle looks white. The last one, at the right, can be described as orange. So the colours are blue, white and orange.",
        conclusion="Blue, white, orange",
        answer="blue, white, orange",
        think="The flag in the image has three upright stripes. From left to right I see blue, then white, then orange. The list is blue, white, orange.",
    )
    return replace(record("wikiart_3", replace(picture, form="cmyk"), turn), dirty="CMYK")


def deep() -> Record:
    page = Page(420, 300)
    page.text(210, 40, "Heights (cm)", 24)
    data = {"Anna": 152, "Ben": 160, "Cleo": 147}
    for number, (name, value) in enumerate(data.items()):
        y = 90 + 66 * number
        page.text(90, y, name, 20, anchor="rm")
        page.draw.rectangle([100, y - 20, 100 + 1.6 * value, y + 20], fill="#777777")
        page.thing("bar", 100, y - 20, 100 + 1.6 * value, y + 20)
        page.text(108 + 1.6 * value, y, str(value), 20, anchor="lm")
    listed = ", ".join(f"{name} {value}" for name, value in data.items())
    picture = page.done(
        "sqa/train/871/image.png",
        "chart",
        caption=f'A grey chart with level bars, "Heights (cm)": {listed}.',
        description=f'A chart with three level grey bars and the title "Heights (cm)". The values at the bars are: {listed}.',
        code="name,height_cm\n" + "\n".join(f"{name},{value}" for name, value in data.items()),
    )
    gap = data["Ben"] - data["Cleo"]
    turn = Turn(
        ask="Ben 比 Cleo 高多少厘米？",
        summary="我会读出两人的身高并相减。",
        caption="一张灰色的条形图，显示三个人的身高。",
        reasoning=f"图中有三根横条，分别代表三个人。Ben那一根最长，旁边写的好像是{data['Ben']}；Cleo那一根最短，写的是{data['Cleo']}。"
        f"身高之差为{data['Ben']}-{data['Cleo']}={gap}，也就是大约{gap}厘米。",
        conclusion=f"高{gap}厘米。",
        answer=f"{gap}厘米",
        think=f"图中 Ben 的横条标着 {data['Ben']}，Cleo 的横条标着 {data['Cleo']}，单位是厘米。两人相差 {data['Ben']} - {data['Cleo']} = {gap}，所以 Ben 高 {gap} 厘米。",
    )
    return replace(record("sqa_871", replace(picture, form="deep"), turn), dirty="16 bits")


def clear() -> Record:
    page = Page(380, 330)
    corners = [(190, 40), (330, 140), (276, 300), (104, 300), (50, 140)]
    page.polygon(corners, fill="#cfe8cf")
    page.thing("pentagon", 50, 40, 330, 300, "green")
    page.text(190, 318, "4 cm", 18)
    page.text(190, 180, "regular", 22)
    picture = page.done(
        "geoqa+/images/5150.png",
        "geometry",
        caption="A green pentagon with the word regular in it; its lower side is marked 4 cm.",
        description='The image shows a green pentagon, a figure with five sides. The word "regular" stands in it, and its lower side is marked 4 cm.',
        code="polygon(P, 5)\nregular(P)\nside(P, 4 cm)",
    )
    turn = Turn(
        ask="What is the perimeter of the figure?\nA. 16 cm\nB. 20 cm\nC. 24 cm\nD. 25 cm",
        summary="I will multiply the side by the number of sides.",
        caption="A regular polygon with five sides, one of which has its length written below.",
        reasoning="The polygon seems to have five corners, which makes it a pentagon. The word regular tells that all of its sides are equal. One of them is marked with 4 cm. The perimeter is the sum of all sides: 5 × 4 = 20 cm. This matches option B.",
        conclusion="The answer is B.",
        answer="B",
        think="I see a pentagon in the image with the word regular and a side of 4 cm. All 5 sides of a regular pentagon are equal, so its perimeter is 5 × 4 cm = 20 cm, option B.",
    )
    return replace(record("geoqa_5150", replace(picture, form="clear"), turn), dirty="transparent palette")


def animated() -> Record:
    page = Page(400, 200)
    page.text(200, 100, "7 × 8 = ?", 52)
    page.thing("expression", 80, 70, 320, 130)
    picture = page.done(
        "misc/anim_2.gif",
        "formula",
        caption="The expression 7 × 8 = ? in black.",
        description="The image shows one line with the expression 7 × 8 = ? and nothing else.",
        code=r"7 \times 8 = ?",
    )
    turn = Turn(
        ask="问号处应该填什么数？",
        summary="我来计算图中的乘法。",
        caption="图中是一道乘法题。",
        reasoning="图里写的似乎是一道简单的乘法题，左边是7乘以8，右边是一个问号。根据乘法口诀，七八五十六，所以7×8=56。问号处大概应该填56。",
        conclusion="56",
        answer="56",
        think="我看到图中写着 7 × 8 = ?，问号代表这个乘积。计算 7 × 8 = 56，所以问号处填 56。",
    )
    return replace(record("misc_anim_2", replace(picture, form="animated"), turn), dirty="animated GIF")


def blank() -> Record:
    page = Page(320, 240)
    picture = page.done(
        "misc/blank_1.png",
        "map_or_other",
        caption="A plain white picture without anything drawn or written in it.",
        description="The image is plain white all over. Nothing is drawn in it, and no text is written in it.",
        code="(plain white, nothing drawn or written)",
    )
    turn = Turn(
        ask="Is there any text in the picture? Answer yes or no.",
        summary="I will look for text in the picture.",
        caption="The picture seems to be empty and white.",
        reasoning="The whole picture appears to be white from one edge to the other. There are no lines, no letters and no other marks that could be taken for text. Thus the picture most likely does not have any text in it.",
        conclusion="No",
        answer="no",
        think="The image is plain white from edge to edge; nothing is drawn or written anywhere in it. There is no text: no.",
    )
    return replace(record("misc_blank_1", picture, turn), dirty="blank picture")
