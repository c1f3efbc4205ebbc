"""The light: one lamp, or three of which one is lit."""

from __future__ import annotations

from collections.abc import Mapping

from examples.game_screens.canvas import Area, Colour, Point, mixed
from examples.game_screens.game import LIGHTS, Light
from examples.game_screens.stage import Stage

#: Shades that people call green, red and yellow.
SHADES: Mapping[Light, tuple[Colour, ...]] = {
    "GREEN": ((34, 197, 94), (0, 200, 83), (46, 204, 64), (0, 168, 70), (60, 220, 110)),
    "RED": ((239, 40, 48), (229, 30, 37), (255, 45, 45), (214, 20, 30), (244, 54, 60)),
    "YELLOW": ((255, 214, 10), (250, 204, 21), (255, 222, 40), (255, 205, 0), (245, 210, 50)),
}
_HOUSING: tuple[Colour, ...] = ((38, 40, 46), (24, 24, 28), (60, 64, 72))


def draw_lamps(stage: Stage, area: Area) -> None:
    """The lamp, or the three lamps, somewhere in the area."""
    dice = stage.dice("lamps")
    kind = dice.choice(stage.theme.lamps)
    side = dice.choice(("left", "middle", "middle", "right"))
    high, wide = area[3] - area[1], area[2] - area[0]
    across = {"single": 1.0, "row": 3.5, "column": 1.0}[kind]
    down = 3.5 if kind == "column" else 1.0
    size = min(
        high / (down + 0.5), wide * 0.9 / across, stage.unit * (dice.randrange(11, 24) if kind == "single" else 13)
    )
    span = size * (across + 0.4)
    x = {"left": area[0] + span / 2 + stage.unit * 3, "right": area[2] - span / 2 - stage.unit * 3}.get(
        side, (area[0] + area[2]) / 2
    )
    y = (area[1] + area[3]) / 2
    shade = dice.randrange(5)
    ground = stage.palette.ground
    near = any(sum(abs(a - b) for a, b in zip(SHADES[light][shade], ground, strict=True)) < 190 for light in LIGHTS)
    housed = dice.random() < (0.4 if kind == "single" else 0.7) or near
    box = (x - span / 2, y - size * (down + 0.4) / 2, x + span / 2, y + size * (down + 0.4) / 2)
    if housed:
        fill = dice.choice((*_HOUSING, mixed(stage.palette.panel, (128, 128, 128), 0.15)))
        stage.canvas.panel(box, fill, size * dice.choice((0.25, 0.7)))
    edge: Colour | None = dice.choice(
        (None, (255, 255, 255), (30, 30, 34), mixed(stage.palette.ink, stage.palette.ground, 0.5))
    )
    glowing, grey = dice.random() < 0.5, dice.random() < 0.4
    order = LIGHTS if dice.random() < 0.3 else ("RED", "YELLOW", "GREEN")
    places = (
        [(0.0, 0.0)] if kind == "single" else [(1.2 * i, 0.0) if kind == "row" else (0.0, 1.2 * i) for i in (-1, 0, 1)]
    )
    for light, (dx, dy) in zip((stage.round.light,) if kind == "single" else order, places, strict=True):
        _lamp(stage, (x + dx * size, y + dy * size), size / 2, light, SHADES[light][shade], glowing, grey, edge)
    if kind == "single" and not housed and side != "middle" and dice.random() < 0.6:
        at = (box[2] + stage.unit * 4, y) if side == "left" else (box[0] - stage.unit * 4, y)
        align = "left" if side == "left" else "right"
        stage.canvas.text(at, stage.words("hint"), stage.theme.text, stage.unit * 4.6, stage.palette.ink, align)


def _lamp(
    stage: Stage, at: Point, radius: float, light: Light, shade: Colour, glowing: bool, grey: bool, edge: Colour | None
) -> None:
    x, y = at
    lit = light == stage.round.light
    line = stage.unit * 0.8
    if not lit:
        dim = (92, 94, 98) if grey else mixed(shade, (30, 30, 34), 0.78)
        stage.canvas.disc(at, radius * 0.94, dim, edge and mixed(edge, dim, 0.6), line)
        return
    if glowing:
        stage.canvas.glow((x - radius, y - radius, x + radius, y + radius), shade, radius, radius * 0.5, 0.6)
    stage.canvas.disc(at, radius, shade, edge, line)
    if stage.dice("shine").random() < 0.5:
        spot = radius * 0.22
        stage.canvas.disc((x - radius * 0.36, y - radius * 0.36), spot, mixed(shade, (255, 255, 255), 0.7))
