"""Scenes of shaded spheres, cubes and cylinders on a grey floor."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageColor, ImageDraw

from drawing.page import Page
from drawing.rows import Picture, Record, Turn, record

COLOURS = {
    "red": "#b31f24",
    "blue": "#2e5fbf",
    "green": "#2e8b57",
    "yellow": "#e1b12c",
    "purple": "#8e44ad",
    "grey": "#7f8c8d",
    "cyan": "#1fa6b5",
}


def records() -> list[Record]:
    return [*first(), second(), third(), fourth()]


@dataclass(frozen=True, slots=True)
class Body:
    """A thing on the floor: ``x``, ``y`` the middle of its foot, ``r`` half its width, in pixels."""

    size: str
    colour: str
    form: str
    x: int
    y: int

    @property
    def r(self) -> int:
        return {"small": 28, "large": 52}[self.size]

    @property
    def name(self) -> str:
        return f"{self.size} {self.colour} {self.form}"

    @property
    def box(self) -> tuple[int, int, int, int]:
        return self.x - self.r, self.y - 2 * self.r, self.x + self.r, self.y


def scene(bodies: Sequence[Body]) -> Page:
    """Draw the bodies from back to front on a floor that darkens towards the back."""
    page = Page(480, 320)
    page.shaded("#8d8d8d", "#d6d6d6", (0, 0, 480, 320))
    for body in sorted(bodies, key=lambda each: each.y):
        _shadow(page, body)
        {"sphere": _sphere, "cube": _cube, "cylinder": _cylinder}[body.form](page, body)
    for body in bodies:
        page.thing(body.form, *body.box, body.size, body.colour)
    page.photo(7, blur=0.5, grain=0)
    return page


def _tone(colour: str, light: float) -> tuple[int, int, int]:
    red, green, blue = ImageColor.getrgb(COLOURS[colour])[:3]
    return tuple(min(255, round(part * light)) for part in (red, green, blue))  # type: ignore[return-value]


def _shadow(page: Page, body: Body) -> None:
    x, y, r = body.x, body.y, body.r
    layer = Image.new("L", page.image.size)
    ImageDraw.Draw(layer).ellipse([x - r, y - r * 0.35, x + r * 1.5, y + r * 0.25], fill=90)
    page.image.paste((60, 60, 60), (0, 0), layer)


def _sphere(page: Page, body: Body) -> None:
    x, y, r = body.x, body.y - body.r, body.r
    for step in range(r, 0, -1):
        part = 1 - step / r
        light = 0.55 + 0.75 * part**0.8
        dx = r * 0.28 * part
        page.draw.ellipse([x - dx - step, y - dx - step, x - dx + step, y - dx + step], fill=_tone(body.colour, light))


def _cube(page: Page, body: Body) -> None:
    x0, y0, x1, y1 = body.box
    top = y0 + body.r * 0.45
    right = x1 - body.r * 0.45
    page.draw.rectangle([x0, top, right, y1], fill=_tone(body.colour, 0.95))
    shift = x1 - right
    page.draw.polygon([(x0, top), (x0 + shift, y0), (x1, y0), (right, top)], fill=_tone(body.colour, 1.3))
    page.draw.polygon([(right, top), (x1, y0), (x1, y1 - shift), (right, y1)], fill=_tone(body.colour, 0.65))


def _cylinder(page: Page, body: Body) -> None:
    x0, y0, x1, y1 = body.box
    cap = body.r * 0.3
    for x in range(x0, x1):
        part = (x - x0) / (x1 - x0)
        edge = cap * (1 - (2 * part - 1) ** 2) ** 0.5
        page.draw.line([x, y0 + cap, x, y1 - cap + edge], fill=_tone(body.colour, 1.15 - 0.6 * abs(part - 0.35)))
    page.draw.ellipse([x0, y0, x1 - 1, y0 + 2 * cap], fill=_tone(body.colour, 1.35))


def picture_of(path: str, bodies: Sequence[Body]) -> Picture:
    """The picture of a scene, told from the bodies: from left to right, and which stand in front."""
    page = scene(bodies)
    row = sorted(bodies, key=lambda each: each.x)
    near = sorted(bodies, key=lambda each: -each.y)
    listed = ", ".join(f"a {each.name}" for each in row)
    numbers = {each: number for number, each in enumerate(bodies, 1)}
    pairs = [(a, "left of", b) for a, b in pairwise(row)]
    pairs += [(a, "in front of", b) for a, b in pairwise(near)]
    graph = {
        "objects": [
            {"id": f"o{n}", "label": each.form, "attributes": [each.size, each.colour], "box": list(each.box)}
            for each, n in numbers.items()
        ],
        "relations": [
            {"subject": f"o{numbers[a]}", "predicate": how, "object": f"o{numbers[b]}"} for a, how, b in pairs
        ],
    }
    return page.done(
        path,
        "synthetic_scene",
        caption=f"A rendered scene with {len(bodies)} solids on a grey floor: from left to right {listed}.",
        description=f"A rendered scene with {len(bodies)} objects on a grey floor. From left to right there are {listed}. From the front to the back they stand in this order: "
        + ", ".join(f"the {each.name}" for each in near)
        + ".",
        code=json.dumps(graph),
    )


def first() -> list[Record]:
    bodies = [
        Body("large", "red", "sphere", 110, 250),
        Body("small", "blue", "cube", 205, 190),
        Body("large", "green", "cylinder", 300, 240),
        Body("small", "yellow", "sphere", 390, 290),
        Body("small", "red", "cube", 420, 180),
    ]
    picture = picture_of("CLEVR_v1.0/images/train/CLEVR_train_000017.png", bodies)
    count = Turn(
        ask="How many spheres are there in the scene?",
        summary="I will count the objects that are spheres.",
        caption="The image shows several geometric solids of different colours on a grey ground.",
        reasoning="To answer this, I look at every object in turn. The one at the left seems to be a big red sphere. Next to it there is a blue cube, and then a green cylinder. Further to the right we see "
        "a yellow sphere in front, and behind it probably a red cube. So the spheres are the red one and the yellow one, which makes 1 + 1 = 2.",
        conclusion="2",
        answer="2",
        think="As seen in the image, the five objects are a large red sphere, a small blue cube, a large green cylinder, a small yellow sphere and a small red cube. Spheres among them: the red one and the yellow one, "
        "1 + 1 = 2. There are 2 spheres.",
    )
    left = Turn(
        ask="What colour is the small cube to the left of the green cylinder?",
        summary="I will find the green cylinder and then look to its left.",
        caption="A green cylinder stands near the middle, with other solids around it.",
        reasoning="First the green cylinder has to be located; it appears to stand right of the middle. On its left side there are two objects. One is a large sphere, which is not asked for. The other one is a "
        "small cube, and its colour looks blue.",
        conclusion="Blue",
        answer="blue",
        think="In the image the large green cylinder has two objects on its left: a large red sphere and a small cube. That small cube is blue, so the colour asked for is blue.",
    )
    same = Turn(
        ask="Are there more cubes than cylinders? Answer yes or no.",
        summary="I will count both kinds and compare.",
        caption="Five solids: two of them are red, one is blue, one green and one yellow.",
        reasoning="We should compare two numbers here. It seems that there are two cubes, one blue and one red, both of them small. There is only one cylinder, the large green one. As 2 is greater than 1, there are "
        "indeed more cubes.",
        conclusion="Yes",
        answer="yes",
        think="I count the cubes in the image: a small blue one and a small red one, 2 in all. Cylinders: only the large green one, 1. Since 2 > 1, there are more cubes than cylinders: yes.",
    )
    return [record("clevr_17", picture, count, left), record("clevr_17_b", picture, same)]


def second() -> Record:
    bodies = [
        Body("large", "purple", "cube", 120, 280),
        Body("small", "cyan", "cylinder", 220, 180),
        Body("large", "yellow", "sphere", 340, 220),
        Body("small", "cyan", "sphere", 260, 300),
    ]
    picture = picture_of("CLEVR_v1.0/images/train/CLEVR_train_000023.png", bodies)
    count = Turn(
        ask="图中一共有几个青色的物体？",
        summary="我会逐个查看物体的颜色并计数。",
        caption="灰色的地面上放着几个立体图形，有紫色的、青色的和黄色的。",
        reasoning="图里的物体从左到右看，最左边是一个紫色的大立方体，然后好像是一个青色的小圆柱。前面靠中间的位置有一个青色的小球，右边是一个黄色的大球。"
        "青色的物体应该是小圆柱和小球，1+1=2，一共两个。",
        conclusion="2个",
        answer="2",
        think="我看到画面中有四个物体：紫色的大立方体、青色的小圆柱、青色的小球和黄色的大球。青色的是小圆柱和小球，1 + 1 = 2，所以青色的物体有 2 个。",
    )
    front = Turn(
        ask="最靠前的物体是什么形状？（A）立方体（B）圆柱（C）球",
        summary="我来找离镜头最近的物体。",
        caption="青色的小球在最前面，离镜头最近。",
        reasoning="物体越靠近画面的下边，离镜头就越近。紫色立方体的底边比较低，但是青色小球的底部似乎还要更低一些，几乎贴近画面的下沿。"
        "所以最靠前的大概是那个青色的小球，选C。",
        conclusion="C",
        answer="C",
        think="画面里从前到后依次是青色的小球、紫色的大立方体、黄色的大球、青色的小圆柱。最靠前的青色物体是球，因此选 C。",
    )
    return record("clevr_23", picture, count, front)


def third() -> Record:
    bodies = [
        Body("small", "green", "sphere", 80, 230),
        Body("large", "grey", "cube", 180, 260),
        Body("large", "blue", "cylinder", 310, 200),
        Body("small", "red", "cylinder", 320, 295),
        Body("small", "purple", "sphere", 420, 240),
        Body("small", "grey", "cube", 400, 170),
    ]
    picture = picture_of("super_clevr/0552.png", bodies)
    same = Turn(
        ask="Is the small cube the same color as the large cube?",
        summary="I will compare the colors of the two cubes.",
        caption="Six solids stand on a floor, two of them cubes, both grey.",
        reasoning="I need to find two cubes, a large one and a small one. The large cube is left of the middle and it seems to be grey. At the back on the right side there is a small cube, and it also appears to be grey. The two colors match, so "
        "the answer would be yes.",
        conclusion="yes",
        answer="yes",
        think="In the image the large cube is grey and the small cube at the back is grey as well. Both have one colour, therefore yes.",
    )
    minus = Turn(
        ask="How many objects remain if all cylinders are taken away?",
        summary="I will count all objects and subtract the cylinders.",
        caption="The scene has spheres, cubes and cylinders in green, grey, blue, red and purple.",
        reasoning="Altogether I can count six objects in the scene: two spheres, two cubes and, it seems, two cylinders. The cylinders are the large blue one and the small red one in front of it. If they are removed, 6 - 2 = 4 objects are left.",
        conclusion="4",
        answer="4",
        think="There are 6 objects in the image. Cylinders among them: the large blue one and the small red one, 2 in all. Taking them away leaves 6 - 2 = 4 objects.",
    )
    right = Turn(
        ask="What shape is the purple object?\nA) cube\nB) cylinder\nC) sphere",
        summary="I will find the purple object and name its form.",
        caption="A purple solid can be seen at the right edge.",
        reasoning="Only one of the objects has a purple surface, and it is the one that is furthest to the right. Its outline is round from all sides, and there seems to be a highlight near its upper left, as is typical for a ball. Accordingly it is a sphere, which is C.",
        conclusion="The answer is C",
        answer="C",
        think="At the right of the image I see one purple object, a small sphere. The options name the sphere under C.",
    )
    return record("superclevr_552", picture, same, minus, right)


def fourth() -> Record:
    bodies = [
        Body("large", "cyan", "cube", 150, 230),
        Body("small", "red", "sphere", 260, 280),
        Body("large", "yellow", "cylinder", 370, 250),
    ]
    picture = picture_of("chartqa/train/png/99120.png", bodies)
    between = Turn(
        ask="Which object stands between the cube and the cylinder?",
        summary="I will look at what is in the middle of the row.",
        caption="Three solids, a cube, a ball and a cylinder, stand next to each other.",
        reasoning="The cyan cube is at the left and the yellow cylinder at the right. The space between them is not empty: a bit nearer to the viewer there is a little red object, which looks like a ball or sphere. So the red sphere is the object in between.",
        conclusion="the red sphere",
        answer="red sphere",
        think="From left to right the image shows a large cyan cube, a small red sphere and a large yellow cylinder. The one in the middle, between cube and cylinder, is the red sphere.",
    )
    return record("clevr_odd_99120", picture, between)
