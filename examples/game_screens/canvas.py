"""Shapes with smooth edges and lines of text, drawn with Pillow alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFont import FreeTypeFont

Colour = tuple[int, int, int]
Point = tuple[float, float]
#: x0, y0, x1, y1 in pixels, y downwards.
Area = tuple[float, float, float, float]

#: How many times finer edges are drawn than they come out.
_FINER = 4

_FOLDER = Path(__file__).parent / "fonts"

#: Faces by name; "hand" and "hei" have Chinese characters.
FACES = ("thin", "sans", "bold", "serif", "mono", "hand", "hei")


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """The colour that lies ``share`` of the way from one to the other.

    >>> mixed((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


class Canvas:
    """A picture in RGB that is drawn on; places and sizes are pixels."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def panel(
        self,
        area: Area,
        fill: Colour | None,
        radius: float = 0,
        edge: Colour | None = None,
        line: float = 0,
        cover: float = 1.0,
    ) -> None:
        """A rectangle with round corners, filled and edged; ``cover`` is how much of what lies below is hidden."""
        x0, y0, x1, y1 = map(round, area)
        width, height = x1 - x0, y1 - y0
        if width < 1 or height < 1:
            return
        outer = _rounded(width, height, round(min(radius, width / 2, height / 2)))
        thick = max(1, round(line)) if edge is not None else 0
        if edge is not None and fill is not None and cover >= 1:
            self.image.paste(edge, (x0, y0), outer)
        elif edge is not None:
            self.image.paste(edge, (x0, y0), _ring(width, height, round(radius), thick))
        if fill is not None and width > 2 * thick and height > 2 * thick:
            inner = max(0, min(radius, width / 2, height / 2) - thick)
            mask = _rounded(width - 2 * thick, height - 2 * thick, round(inner))
            self.image.paste(fill, (x0 + thick, y0 + thick), _thinned(mask, cover))

    def disc(
        self, centre: Point, radius: float, fill: Colour | None, edge: Colour | None = None, line: float = 0
    ) -> None:
        """A filled and edged circle."""
        x, y = centre
        self.panel((x - radius, y - radius, x + radius, y + radius), fill, radius, edge, line)

    def glow(self, area: Area, colour: Colour, radius: float, spread: float, strength: float = 0.7) -> None:
        """Soft light, or a shadow, around a shape that is drawn later."""
        from PIL import Image, ImageFilter

        x0, y0, x1, y1 = area
        step = max(1.0, spread / 6)
        size = [max(3, round((side + 4 * spread) / step)) for side in (x1 - x0, y1 - y0)]
        mask = Image.new("L", (size[0], size[1]), 0)
        shape = _rounded(round((x1 - x0) / step) or 1, round((y1 - y0) / step) or 1, round(radius / step))
        mask.paste(round(255 * strength), (round(2 * spread / step), round(2 * spread / step)), shape)
        mask = mask.filter(ImageFilter.GaussianBlur(spread / step * 0.8))
        full = mask.resize((round(x1 - x0 + 4 * spread), round(y1 - y0 + 4 * spread)), Image.Resampling.BILINEAR)
        self.image.paste(colour, (round(x0 - 2 * spread), round(y0 - 2 * spread)), full)

    def stroke(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line through points with round ends and joints."""
        self._smooth(points, width, lambda pen, at, line: _stroke(pen, at, line), colour)

    def shape(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        self._smooth(points, 2, lambda pen, at, _: pen.polygon(at, fill=255), colour)

    def _smooth(self, points: Sequence[Point], width: float, draw: object, colour: Colour) -> None:
        from PIL import Image, ImageDraw

        left, top = (round(min(each[i] for each in points) - width) for i in (0, 1))
        right, bottom = (round(max(each[i] for each in points) + width) + 1 for i in (0, 1))
        mask = Image.new("L", ((right - left) * _FINER, (bottom - top) * _FINER), 0)
        at = [((x - left) * _FINER, (y - top) * _FINER) for x, y in points]
        draw(ImageDraw.Draw(mask), at, width * _FINER)  # type: ignore[operator]
        self.image.paste(colour, (left, top), mask.reduce(_FINER))

    def text(
        self,
        at: Point,
        text: str,
        name: str,
        size: float,
        fill: Colour,
        align: str = "middle",
        edge: Colour | None = None,
        line: float = 0,
        widest: float | None = None,
    ) -> Area:
        """A line of text whose digits are centred on y; ``align`` is where x lies: left, middle or right.

        It is made smaller to fit into ``widest``. Returns the area that its capitals take.
        """
        from PIL import ImageDraw

        pixels = max(6, round(size))
        width = text_width(text, name, pixels)
        if widest is not None and width > widest:
            pixels = max(6, int(pixels * widest / width))
            width = text_width(text, name, pixels)
        high = -face(name, pixels).getbbox("8", anchor="ls")[1]
        x = at[0] - {"left": 0.0, "middle": width / 2, "right": width}[align]
        y = round(at[1] + high / 2)
        pen = ImageDraw.Draw(self.image)
        area = (x, y - high, x + width, float(y))
        for part, part_name in runs(text, name):
            font = face(part_name, pixels)
            thick = round(line) if edge is not None else 0
            pen.text((round(x), y), part, fill=fill, font=font, anchor="ls", stroke_width=thick, stroke_fill=edge)
            x += font.getlength(part)
        return area


def text_width(text: str, name: str, size: float) -> float:
    """How many pixels wide a line of text is."""
    return float(sum(face(part_name, max(6, round(size))).getlength(part) for part, part_name in runs(text, name)))


@lru_cache(maxsize=256)
def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a rectangle with round corners."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", (width, height), 255)
    radius = min(radius, width // 2, height // 2)
    if radius < 1:
        return mask
    corner = Image.new("L", (radius * _FINER, radius * _FINER), 0)
    ImageDraw.Draw(corner).ellipse((0, 0, 2 * radius * _FINER - 1, 2 * radius * _FINER - 1), fill=255)
    corner = corner.reduce(_FINER)
    mirror, flip = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM
    mask.paste(corner, (0, 0))
    mask.paste(corner.transpose(mirror), (width - radius, 0))
    mask.paste(corner.transpose(flip), (0, height - radius))
    mask.paste(corner.transpose(mirror).transpose(flip), (width - radius, height - radius))
    return mask


@lru_cache(maxsize=64)
def _ring(width: int, height: int, radius: int, line: int) -> Image.Image:
    mask = _rounded(width, height, radius).copy()
    if width > 2 * line and height > 2 * line:
        hole = _rounded(width - 2 * line, height - 2 * line, max(0, radius - line))
        mask.paste(0, (line, line), hole)
    return mask


def _thinned(mask: Image.Image, cover: float) -> Image.Image:
    return mask if cover >= 1 else mask.point([round(value * cover) for value in range(256)])


def _stroke(pen: object, points: Sequence[Point], width: float) -> None:
    pen.line(points, fill=255, width=round(width), joint="curve")  # type: ignore[attr-defined]
    for x, y in (points[0], points[-1]):
        r = width / 2
        pen.ellipse((x - r, y - r, x + r, y + r), fill=255)  # type: ignore[attr-defined]


@lru_cache(maxsize=512)
def face(name: str, size: int) -> FreeTypeFont:
    """A face at a size in pixels."""
    from PIL import ImageFont

    # The plain layout: the other one is not part of every Pillow.
    return ImageFont.truetype(_FOLDER / f"{name}.ttf", size, layout_engine=ImageFont.Layout.BASIC)


def runs(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The pieces of a text with the face that has their letters: Chinese ones are in "hand" or "hei".

    >>> list(runs("第 3 轮", "bold"))
    [('第', 'hei'), (' 3 ', 'bold'), ('轮', 'hei')]
    """
    if name == "hand":
        yield text, name
        return
    for chinese, letters in groupby(text, key=lambda letter: ord(letter) > 0x2FFF):
        yield "".join(letters), "hei" if chinese else "sans" if name == "hei" else name
