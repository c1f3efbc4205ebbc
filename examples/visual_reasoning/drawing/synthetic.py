"""Scenes of shaded spheres, cubes and cylinders on a grey floor."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from drawing.page import Page
from drawing.rows import Picture, Record, Turn, record
from PIL import Image, ImageColor, ImageDraw

COLOURS = {"red": "#c0392b", "blue": "#2e5fbf", "green": "#2e8b57", "yellow": "#e1b12c", "purple": "#8e44ad", "grey": "#7f8c8d", "cyan": "#1fa6b5"}


def records() -> list[Record]:
    return [*first()]


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
    page.photo(7, blur=0.5, grain=0.03)
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
    pairs = [(a, "left of", b) for a, b in zip(row, row[1:], strict=False)]
    pairs += [(a, "in front of", b) for a, b in zip(near, near[1:], strict=False)]
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
