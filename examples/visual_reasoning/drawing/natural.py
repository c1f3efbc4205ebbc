"""Scenes that are drawn like photographs: a house, a park, a beach, a street."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import json
from collections.abc import Sequence

from drawing.page import Page
from drawing.rows import Record, Turn, record

Relation = tuple[int, str, int]


def records() -> list[Record]:
    return [house()]


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
    page.draw.polygon([(x + 0.2 * w, y - 0.75 * h), (x + 0.32 * w, y - 1.2 * h), (x + 0.68 * w, y - 1.2 * h), (x + 0.82 * w, y - 0.75 * h)], fill=fill)
    page.draw.polygon([(x + 0.27 * w, y - 0.75 * h), (x + 0.35 * w, y - 1.1 * h), (x + 0.65 * w, y - 1.1 * h), (x + 0.74 * w, y - 0.75 * h)], fill="#cfe2f3")
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
    code = graph(page, [(3, "left of", 2), (4, "right of", 2), (5, "in front of", 4), (6, "in front of", 2), (1, "above", 4)])
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
