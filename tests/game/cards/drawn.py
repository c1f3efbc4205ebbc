"""Small question and result pictures, drawn: three cards with numbers, and marks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

GREEN, RED, GOLD, BLUE = (40, 170, 80), (220, 50, 50), (250, 190, 40), (60, 110, 230)
SIZE = (360, 640)
LEFT, TOP, WIDE, HIGH, PITCH = 24, 400, 96, 120, 108


def card_box(card: int) -> tuple[float, float, float, float]:
    x = LEFT + card * PITCH
    return (x, TOP, x + WIDE, TOP + HIGH)


def digit_box(card: int) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = card_box(card)
    return (x0 + 34, y0 + 40, x1 - 34, y1 - 40)


CARDS = [card_box(i) for i in range(3)]
DIGITS = [digit_box(i) for i in range(3)]


def picture(
    numbers: Sequence[int] = (5, 8, 3),
    marks: Mapping[int, tuple[str, tuple[int, int, int]]] | None = None,
    *,
    page: tuple[int, int, int] = (236, 240, 246),
    fill: tuple[int, int, int] = (255, 255, 255),
    edge: tuple[int, int, int] = (120, 130, 150),
    banner: str = "",
) -> np.ndarray:
    """A screen with a lamp, three cards, and a mark on each card that ``marks`` names: how, and its colour."""
    image = Image.new("RGB", SIZE, page)
    draw = ImageDraw.Draw(image)
    draw.text((20, 20), "Score 120   3/10", fill=(40, 40, 60), font=ImageFont.load_default(22))
    draw.ellipse((150, 120, 210, 180), fill=(230, 60, 50))
    if banner:
        draw.rectangle((20, 300, 340, 350), fill=GREEN)
        draw.text((40, 312), banner, fill="white", font=ImageFont.load_default(22))
    for i, number in enumerate(numbers):
        how, colour = (marks or {}).get(i, ("", page))
        _card(draw, card_box(i), number, how, colour, page, fill, edge)
    return np.asarray(image)


def _card(draw, box, number, how, colour, page, fill, edge) -> None:
    ink, line, large = (30, 36, 60), 2, 56
    if how == "fill":
        fill, ink = colour, (255, 255, 255)
    elif how == "border":
        edge, line = colour, 7
    elif how == "dim":
        fill, ink, edge = (
            tuple(round(0.4 * a + 0.6 * b) for a, b in zip(c, page, strict=True)) for c in (fill, ink, edge)
        )
    elif how == "grown":
        x0, y0, x1, y1 = box
        box, large = (x0 - 5, y0 - 6, x1 + 5, y1 + 6), 62
    elif how == "pushed":
        box = (box[0] + 5, box[1], box[2] + 5, box[3])
    elif how in ("glow", "halo"):
        far = 9 if how == "glow" else 24
        for more in range(far, 0, -3):
            part = (far + 1 - more) / (far + 1)
            tint = tuple(round(part * a + (1 - part) * b) for a, b in zip(colour, page, strict=True))
            draw.rounded_rectangle((box[0] - more, box[1] - more, box[2] + more, box[3] + more), 12 + more, fill=tint)
    draw.rounded_rectangle(box, 12, fill=fill, outline=edge, width=line)
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    draw.text(middle, str(number), fill=ink, anchor="mm", font=ImageFont.load_default(large))
    if how in ("tick", "cross", "pushed"):
        x, y, r = box[2] - 10, box[1] + 10, 15
        draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)
        lines = [[(x - 7, y), (x - 2, y + 6), (x + 8, y - 6)]]
        if how in ("cross", "pushed"):
            lines = [[(x - 6, y - 6), (x + 6, y + 6)], [(x - 6, y + 6), (x + 6, y - 6)]]
        for points in lines:
            draw.line(points, fill="white", width=3)
