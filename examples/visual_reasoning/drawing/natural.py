"""Scenes that are drawn like photographs: a house, a park, a beach, a street."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import json
from collections.abc import Sequence

from drawing.page import Page
from drawing.rows import Record, Turn, record

Relation = tuple[int, str, int]


def records() -> list[Record]:
    return [house(), *park(), beach(), street()]


def graph(page: Page, relations: Sequence[Relation]) -> str:
    """The scene graph of what was drawn; relations name the things by their places from 1 on."""
    objects = [
        {"id": f"o{n}", "label": each.label, "attributes": list(each.attributes), "box": list(each.box)}
        for n, each in enumerate(page.things, 1)
    ]
    told = [{"subject": f"o{a}", "predicate": how, "object": f"o{b}"} for a, how, b in relations]
    return json.dumps({"objects": objects, "relations": told})


def ground(page: Page, horizon: int, top: str, bottom: str) -> None:
    w, h = page.image.size
    page.shaded("#6fa8dc", "#d6e9f8", (0, 0, w, horizon))
    page.shaded(top, bottom, (0, horizon, w, h))


def tree(page: Page, x: int, y: int, size: int) -> None:
    page.draw.rectangle([x - size // 9, y - size, x + size // 9, y], fill="#6b4423")
    for dx, dy, r in ((0, -1.5, 0.55), (-0.4, -1.2, 0.42), (0.4, -1.2, 0.42), (0, -1.05, 0.45)):
        cx, cy, r = x + dx * size, y + dy * size, r * size
        page.draw.ellipse([cx - r, cy - r, cx + r, cy + r], fill=("#2f6b2f", "#3c7d3c")[dx == 0])
    page.thing("tree", x - 0.82 * size, y - 2.05 * size, x + 0.82 * size, y, "green")


def car(page: Page, x: int, y: int, fill: str, name: str, scale: float = 1.0) -> None:
    """A car seen from its side; ``x``, ``y`` the left end of its foot."""
    w, h = 150 * scale, 56 * scale
    page.draw.rounded_rectangle([x, y - 0.75 * h, x + w, y - 0.18 * h], 10, fill=fill)
    page.draw.polygon(
        [
            (x + 0.2 * w, y - 0.75 * h),
            (x + 0.32 * w, y - 1.2 * h),
            (x + 0.68 * w, y - 1.2 * h),
            (x + 0.82 * w, y - 0.75 * h),
        ],
        fill=fill,
    )
    page.draw.polygon(
        [
            (x + 0.27 * w, y - 0.75 * h),
            (x + 0.35 * w, y - 1.1 * h),
            (x + 0.65 * w, y - 1.1 * h),
            (x + 0.74 * w, y - 0.75 * h),
        ],
        fill="#cfe2f3",
    )
    for part in (0.22, 0.78):
        cx, r = x + part * w, 0.24 * h
        page.draw.ellipse([cx - r, y - 2 * r, cx + r, y], fill="#222222")
        page.draw.ellipse([cx - r / 2, y - 1.5 * r, cx + r / 2, y - r / 2], fill="#aaaaaa")
    page.thing("car", x, y - 1.2 * h, x + w, y, name)


def dog(page: Page, x: int, y: int, fill: str, name: str, scale: float = 1.0) -> None:
    """A dog seen from its side, looking to the right; ``x``, ``y`` the left end of its foot."""
    s = scale
    for dx in (12, 22, 58, 68):
        page.draw.rectangle([x + dx * s, y - 26 * s, x + (dx + 7) * s, y], fill=fill)
    page.draw.ellipse([x + 6 * s, y - 48 * s, x + 80 * s, y - 18 * s], fill=fill)
    page.draw.ellipse([x + 68 * s, y - 66 * s, x + 98 * s, y - 38 * s], fill=fill)
    page.draw.ellipse([x + 90 * s, y - 56 * s, x + 110 * s, y - 42 * s], fill=fill)
    page.draw.ellipse([x + 68 * s, y - 64 * s, x + 77 * s, y - 42 * s], fill="#3b2a1a")
    page.draw.ellipse([x + 84 * s, y - 60 * s, x + 88 * s, y - 56 * s], fill="black")
    page.draw.line([x + 10 * s, y - 40 * s, x - 6 * s, y - 62 * s], fill=fill, width=round(6 * s))
    page.thing("dog", x - 8 * s, y - 66 * s, x + 110 * s, y, name)


def house() -> Record:
    page = Page(640, 420)
    ground(page, 250, "#93c47d", "#5b8f45")
    page.draw.ellipse([530, 30, 590, 90], fill="#ffe599")
    page.thing("sun", 530, 30, 590, 90, "yellow")
    page.draw.rectangle([220, 160, 400, 300], fill="#f3e5c8")
    page.draw.polygon([(200, 165), (310, 80), (420, 165)], fill="#a0402c")
    page.draw.rectangle([290, 230, 330, 300], fill="#5b3a1e")
    for x in (240, 345):
        page.draw.rectangle([x, 190, x + 38, 226], fill="#9fc5e8")
    page.thing("house", 200, 80, 420, 300, "cream", "red roof")
    tree(page, 110, 310, 92)
    tree(page, 500, 300, 80)
    car(page, 430, 380, "#c0271d", "red")
    dog(page, 180, 385, "#8b5a2b", "brown")
    page.photo(11)
    code = graph(
        page, [(3, "left of", 2), (4, "right of", 2), (5, "in front of", 4), (6, "in front of", 2), (1, "above", 4)]
    )
    picture = page.done(
        "coco/train2017/000000123456.jpg",
        "natural_scene",
        caption="A cream house with a red roof and a brown door stands on a meadow between two trees under a blue sky with a yellow sun. A brown dog stands in front of it at the left, a red car at the right.",
        description="The image shows a cream house with a red roof, a brown door and two windows on a green meadow. One green tree stands left of the house and one right of it, two trees in all. A red car is in front of the "
        "right tree, one brown dog is in front of the house. A yellow sun is in the blue sky at the upper right.",
        code=code,
    )
    colour = Turn(
        ask="What color is the car in the picture?",
        summary="I will locate the car and tell its color.",
        caption="The picture seems to show a countryside scene with a house, a red car, a dog and some trees.",
        reasoning="The image looks like a peaceful scene in the countryside. There is a house in the middle, and in the lower right part we find a vehicle that appears to be a car, since it has two wheels that we can see, "
        "and windows. Its body is of a strong red. Hence the car is likely red.",
        conclusion="The car is red.",
        answer="red",
        think="As seen in the image, one car stands in front of the tree at the right side of the house. Its body is painted red, so the answer is red.",
    )
    trees = Turn(
        ask="How many trees can be seen?",
        summary="I will count the trees in the image.",
        caption="A house with a garden; on both sides of the house there are trees.",
        reasoning="Looking around the house, there appears to be one tree on the left, which is a bit bigger. Another tree is on the right, behind the car. I do not see any other trees in the background. So we have "
        "1 + 1 = 2 trees.",
        conclusion="There are 2 trees.",
        answer="2",
        think="In the image a tree stands left of the house and another one right of it, 1 + 1 = 2. No further tree is visible, so the count is 2.",
    )
    animal = Turn(
        ask="Which animal stands in front of the house?\nA. cat\nB. horse\nC. dog\nD. cow",
        summary="I am going to identify the animal.",
        caption="In front of the house there is a brown animal with four legs and a tail.",
        reasoning="The animal on the grass has four legs, a tail that points upwards and hanging ears. It is rather small compared with the house and the car, so a horse or a cow can be excluded. The form of the snout suggests "
        "that it is a dog and not a cat. This would be option C.",
        conclusion="C",
        answer="C",
        think="On the meadow in front of the house I see one brown dog with a raised tail. No other animal is in the image. Among the options, dog is C.",
    )
    return record("coco_123456", picture, colour, trees, animal)


def park() -> list[Record]:
    page = Page(600, 400)
    ground(page, 180, "#a8cf8e", "#6a9a4f")
    tree(page, 90, 250, 90)
    page.draw.rectangle([400, 220, 560, 232], fill="#7a4a24")
    page.draw.rectangle([400, 190, 560, 200], fill="#7a4a24")
    for x in (412, 540):
        page.draw.rectangle([x, 190, x + 8, 262], fill="#4d2f17")
    page.thing("bench", 400, 190, 560, 262, "brown")
    dog(page, 60, 350, "#222222", "black")
    dog(page, 215, 320, "#8b5a2b", "brown")
    dog(page, 390, 375, "#d9a066", "light brown", 1.2)
    page.photo(12)
    picture = page.done(
        "coco/train2017/000000238410.jpg",
        "natural_scene",
        caption="Three dogs, a black one at the left, a brown one in the middle and a light brown one at the right, stand on a meadow with a green tree and a brown bench.",
        description="The image shows a meadow under a blue sky. Three dogs stand on it: a black one on the left, a brown one in the middle and a larger light brown one on the right. A green tree is behind the black dog, a brown bench is behind the light brown dog. Nobody sits on the bench.",
        code=graph(page, [(3, "left of", 4), (4, "left of", 5), (1, "behind", 3), (2, "behind", 5)]),
    )
    count = Turn(
        ask="图片中有几只狗？",
        summary="我将数一数图片中的狗。",
        caption="图片中有一片草地，草地上有三只颜色不同的狗，后面有一棵树和一张长椅。",
        reasoning="从图片来看，草地上似乎有好几只动物，它们都有四条腿和尾巴，应该都是狗。左边的一只是黑色的，中间的一只是棕色的，右边的一只颜色浅一些，个头也大一点。"
        "没有看到其他的狗，所以一共有1+1+1=3只。",
        conclusion="图片中有3只狗。",
        answer="3",
        think="我看到草地上左边站着一只黑狗，中间站着一只棕色的狗，右边站着一只浅棕色的狗，1 + 1 + 1 = 3。因此图中有 3 只狗。",
    )
    black = Turn(
        ask="黑色的狗在图片的哪一边？",
        summary="我需要找到黑色的狗并说明它的位置。",
        caption="三只狗站在草地上，黑色的狗在左边，靠近一棵树。",
        reasoning="三只狗里面只有一只是黑色的。它的后面好像有一棵绿色的树，而另外两只狗离树比较远。树在图片的左侧，黑狗也在这一侧，所以黑色的狗大概在左边。",
        conclusion="在左边。",
        answer="左边",
        think="图中黑色的狗只有一只，它站在绿色的树前面，位于画面的左侧；另外两只狗在它的右方。所以黑狗在左边。",
    )
    sits = Turn(
        ask="Is anybody sitting on the bench? Answer yes or no.",
        summary="I will check the bench for people.",
        caption="A park with a bench that seems to be empty, and some dogs.",
        reasoning="The bench can be found in the right part of the picture, made of brown wood. Its seat and its back are completely visible apart from the legs. If a person were sitting there, part of the bench would be hidden. It appears to be empty, so nobody is sitting on it.",
        conclusion="No",
        answer="no",
        think="In the image the brown bench stands behind the light brown dog, and its seat is empty. Nobody is on it, so no.",
    )
    return [record("coco_238410_zh", picture, count, black), record("coco_238410_en", picture, sits)]


def beach() -> Record:
    page = Page(600, 380)
    page.shaded("#7fb7e6", "#d9ecf9", (0, 0, 600, 150))
    page.shaded("#2f6fa8", "#5fa3d0", (0, 150, 600, 235))
    page.shaded("#ecd9a8", "#d8bd7c", (0, 235, 600, 380))
    page.draw.polygon([(380, 185), (500, 185), (475, 212), (405, 212)], fill="white")
    page.draw.line([440, 185, 440, 85], fill="#5b3a1e", width=5)
    page.draw.polygon([(446, 90), (446, 175), (500, 175)], fill="#f6f6f6")
    page.thing("boat", 380, 85, 500, 212, "white")
    page.draw.line([170, 330, 170, 190], fill="#666666", width=6)
    page.draw.pieslice([80, 150, 260, 290], 180, 360, fill="#d83a2e")
    for start in (216, 288):
        page.draw.pieslice([80, 150, 260, 290], start, start + 36, fill="#f7f2e8")
    page.thing("umbrella", 80, 150, 260, 330, "red", "white")
    page.draw.ellipse([300, 300, 350, 350], fill="#2f8f4e")
    page.thing("ball", 300, 300, 350, 350, "green")
    page.photo(13)
    picture = page.done(
        "pisc/image/02345.jpg",
        "natural_scene",
        caption="A sandy beach with a red and white umbrella at the left and a green ball; a white sailing boat is on the blue sea.",
        description="The image shows a sandy beach, a blue sea behind it and a light blue sky. A red and white umbrella stands on the sand at the left. A green ball lies on the sand right of the umbrella. A white sailing boat is on the sea at the right.",
        code=graph(page, [(3, "right of", 2), (1, "behind", 3)]),
    )
    sea = Turn(
        ask="What is on the sea?\n(A) an island (B) a boat (C) a ball (D) a bridge",
        summary="I will look at the area of water and name what is there.",
        caption="A sunny day at the beach. A white sailing boat is out on the sea.",
        reasoning="The sea takes up the middle of the image, between the sky and the sand. On the water at the right side something white is floating. It has a mast and what looks like a triangular sail, so it is probably a sailing boat. The ball is on the sand, and there is no island and no bridge, which leaves option B.",
        conclusion="(B) a boat",
        answer="B",
        think="As seen in the image, a white sailing boat is on the blue sea at the right. The ball lies on the sand instead. A boat is option B.",
    )
    ball = Turn(
        ask="What colour is the ball on the sand?",
        summary="I will find the ball and tell its colour.",
        caption="An umbrella and a ball on the beach.",
        reasoning="There is a round object that lies on the sand not far from the umbrella. Judging by its shape it must be a ball. Compared with the red and white umbrella, the ball seems to have only one colour, and that colour is green.",
        conclusion="Green.",
        answer="green",
        think="I see one ball in the image, on the sand to the right of the umbrella. It is green all over. The colour is green.",
    )
    return record("pisc_2345", picture, sea, ball)


def street() -> Record:
    page = Page(640, 380)
    page.shaded("#9cc3e6", "#e3eef8", (0, 0, 640, 220))
    page.shaded("#6b6b6b", "#4f4f4f", (0, 220, 640, 380))
    page.draw.rectangle([60, 110, 300, 240], fill="#d9a400")
    for x in range(76, 280, 44):
        page.draw.rectangle([x, 130, x + 34, 170], fill="#dff0fa")
    page.text(180, 202, "42", 40, fill="white")
    for x in (110, 250):
        page.draw.ellipse([x - 22, 218, x + 22, 262], fill="#1d1d1d")
    page.thing("bus", 60, 110, 300, 262, "yellow")
    car(page, 330, 275, "#2456a6", "blue")
    car(page, 420, 355, "#f0f0f0", "white", 1.15)
    page.draw.rectangle([556, 60, 584, 130], fill="#222222")
    page.draw.rectangle([566, 130, 574, 250], fill="#333333")
    for y, lit in ((74, "#ff2a1a"), (95, "#4a3b00"), (116, "#0d3a12")):
        page.draw.ellipse([561, y - 9, 579, y + 9], fill=lit)
    page.thing("traffic light", 556, 60, 584, 250, "red light")
    page.photo(14)
    picture = page.done(
        "0007.jpg",
        "natural_scene",
        caption="A grey street with a yellow bus with the number 42, a blue car, a white car and a traffic light that shows red.",
        description='The image shows a grey street under a light sky. A yellow bus with the number "42" on its side is on the left. A blue car is in the middle, right of the bus; a white car is in front of it, at the lower right. A traffic light at the right shows red.',
        code=graph(page, [(2, "right of", 1), (3, "in front of", 2), (4, "right of", 2)]),
    )
    number = Turn(
        ask="What number is written on the bus?",
        summary="I am going to read the number on the side of the bus.",
        caption="The image depicts a busy street with a yellow bus, some cars and a traffic light.",
        reasoning="The bus is the biggest vehicle in the image and stands at the left. Under its row of windows there are two white digits. They seem to be a 4 and a 2, so the number on the bus should be 42.",
        conclusion="The number is 42.",
        answer="42",
        think="The yellow bus at the left of the image carries white digits under its windows: 42. So its number is 42.",
    )
    stop = Turn(
        ask="According to the traffic light, may the cars go? Answer yes or no.",
        summary="I will look at which light is on.",
        caption="A traffic light with three lamps at the right side of a street.",
        reasoning="At the right side of the street there is a traffic light. Usually the red lamp is the one at the top, and in the image the top lamp appears to be bright, while the two below are dark. A red light tells vehicles to stop, so the cars may not go on.",
        conclusion="No, they have to stop.",
        answer="no",
        think="In the image the traffic light at the right shows red. Red means stop, therefore the cars may not go: no.",
    )
    cars = Turn(
        ask="How many cars are there, not counting the bus?",
        summary="Counting the cars.",
        caption="There is a blue car next to the bus and a white car in front.",
        reasoning="Besides the bus there seem to be two other vehicles. One of them is a blue car that follows or precedes the bus. The second one is white and a bit closer to us. Neither of them could be mistaken for a bus, therefore the number of cars is 1 + 1 = 2.",
        conclusion="2",
        answer="2",
        think="Apart from the yellow bus the image shows a blue car and a white car. 1 + 1 = 2, which means there are 2 cars.",
    )
    return record("row_7", picture, number, stop, cars)
