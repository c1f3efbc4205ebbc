"""Pictures that the tests draw themselves."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont


def drawn(texts: dict[tuple[int, int], str], size: tuple[int, int] = (640, 240), letters: int = 40) -> Image.Image:
    """Black letters on white, each text with its top left corner at its place."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for place, text in texts.items():
        draw.text(place, text, fill="black", font=ImageFont.load_default(size=letters))
    return image


def pixels(image: Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB"))


def encoded(image: Image.Image, form: str = "PNG", **options) -> bytes:
    made = io.BytesIO()
    image.save(made, form, **options)
    return made.getvalue()
