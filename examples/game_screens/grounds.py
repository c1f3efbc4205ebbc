"""What lies behind everything: plain, fading, striped, grained, spotted or a simple landscape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from examples.game_screens.canvas import Colour, Point, mixed
from examples.game_screens.stage import Stage

if TYPE_CHECKING:
    from PIL import Image

#: The side in pixels of the tile of grain that a ground is covered with.
_GRAIN = 256


def draw_ground(stage: Stage) -> None:
    """The ground of a screen; both screens of a round have the same."""
    kind = stage.dice("ground").choice(stage.theme.grounds)
    image = stage.canvas.image
    if kind in ("fade", "blobs", "hills"):
        image.paste(_fade(image.size, stage.palette.ground, stage.palette.ground2))
    else:
        image.paste(stage.palette.ground, (0, 0, *image.size))
    if kind in _KINDS:
        _KINDS[kind](stage)


def _fade(size: tuple[int, int], top: Colour, bottom: Colour) -> Image.Image:
    from PIL import Image

    steps = 64
    column = Image.new("RGB", (1, steps))
    for i in range(steps):
        column.putpixel((0, i), mixed(top, bottom, i / (steps - 1)))
    # First higher, then wider: many times faster than both at once.
    high = column.resize((1, size[1]), Image.Resampling.BILINEAR)
    return high.resize(size, Image.Resampling.NEAREST)


def _shape(stage: Stage, points: Sequence[Point], colour: Colour) -> None:
    from PIL import ImageDraw

    ImageDraw.Draw(stage.canvas.image).polygon(list(points), fill=colour)


def _stripes(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    dice, step = stage.dice("stripes"), stage.unit * 9
    colour = mixed(stage.palette.ground, stage.palette.ground2, 0.45)
    lean = dice.choice((0.0, 0.6, -0.6)) * height
    x = -abs(lean)
    while x < width + abs(lean):
        _shape(stage, [(x, 0), (x + step / 2, 0), (x + step / 2 + lean, height), (x + lean, height)], colour)
        x += step


def _blobs(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    dice = stage.dice("blobs")
    for _ in range(dice.randrange(4, 9)):
        radius = stage.unit * dice.randrange(8, 40)
        x, y = dice.randrange(width), dice.randrange(height)
        colour = mixed(stage.palette.ground2, stage.palette.ground, dice.choice((0.1, 0.4, 1.0)))
        stage.canvas.panel((x - radius, y - radius, x + radius, y + radius), colour, radius, cover=0.35)


def _hills(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    dice, unit = stage.dice("hills"), stage.unit
    white = mixed(stage.palette.ground, (255, 255, 255), 0.5)
    for _ in range(3):
        x, y = dice.randrange(width), dice.randrange(round(height * 0.4))
        for dx in (-6, 0, 6):
            r = unit * (5 if dx else 7)
            stage.canvas.panel((x + dx * unit - r, y - r, x + dx * unit + r, y + r), white, r, cover=0.5)
    for i, share in enumerate((0.55, 0.7, 0.84)):
        colour = mixed(stage.palette.ground2, stage.palette.ink, 0.08 * (i + 1))
        points = [(width * k / 12, height * share + unit * dice.randrange(-10, 10)) for k in range(13)]
        _shape(stage, [*points, (width, height), (0, height)], colour)


def _road(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    asphalt = mixed(stage.palette.ground2, (90, 95, 100), 0.35)
    _shape(stage, [(width * 0.38, 0), (width * 0.62, 0), (width * 1.1, height), (-width * 0.1, height)], asphalt)
    white = mixed(asphalt, (255, 255, 255), 0.5)
    for i in range(8):
        y, half = height * i / 8, stage.unit * (0.6 + i * 0.25)
        _shape(
            stage,
            [
                (width / 2 - half, y),
                (width / 2 + half, y),
                (width / 2 + half, y + height / 16),
                (width / 2 - half, y + height / 16),
            ],
            white,
        )


def _lines(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    colour, step = mixed(stage.palette.ground, stage.palette.accent2, 0.25), stage.unit * 7
    for i in range(1, int(height / step) + 1):
        stage.canvas.panel((0, i * step, width, i * step + max(1, stage.unit * 0.25)), colour)


def _grid(stage: Stage) -> None:
    width, height = stage.canvas.image.size
    colour, step = mixed(stage.palette.ground, stage.palette.ground2, 0.8), stage.unit * 6
    line = max(1, stage.unit * 0.3)
    for i in range(1, int(max(width, height) / step) + 1):
        stage.canvas.panel((0, i * step, width, i * step + line), colour)
        stage.canvas.panel((i * step, 0, i * step + line, height), colour)


def _grain(stage: Stage) -> None:
    from PIL import Image

    dice, image = stage.dice("grain"), stage.canvas.image
    strong = dice.choice((4, 6, 9))
    tile = Image.frombytes("L", (_GRAIN, _GRAIN), dice.randbytes(_GRAIN * _GRAIN)).point(
        [v // strong for v in range(256)]
    )
    image.paste(stage.palette.ground2, (0, 0), _tiled(tile, image.size))


def _wood(stage: Stage) -> None:
    from PIL import Image

    dice, image = stage.dice("wood"), stage.canvas.image
    bands = Image.frombytes("L", (3, 160), dice.randbytes(480)).point([v // 2 for v in range(256)])
    image.paste(stage.palette.ground2, (0, 0), bands.resize(image.size, Image.Resampling.BICUBIC))


def _tiled(tile: Image.Image, size: tuple[int, int]) -> Image.Image:
    from PIL import Image

    whole = Image.new("L", size)
    for left in range(0, size[0], tile.width):
        for top in range(0, size[1], tile.height):
            whole.paste(tile, (left, top))
    return whole


_KINDS: Mapping[str, Callable[[Stage], None]] = {
    "stripes": _stripes,
    "blobs": _blobs,
    "hills": _hills,
    "road": _road,
    "lines": _lines,
    "grid": _grid,
    "grain": _grain,
    "wood": _wood,
}
