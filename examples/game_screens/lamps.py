"""Lamps of a game's light, and the bars and badges at the edges of a screen."""

from __future__ import annotations

from collections.abc import Mapping

from examples.game_screens.canvas import Area, Colour, Point, mixed
from examples.game_screens.game import LIGHTS, Light
from examples.game_screens.stage import Stage, inset, middle

#: Shades that people call green, red and yellow.
SHADES: Mapping[Light, tuple[Colour, ...]] = {
    "GREEN": ((34, 197, 94), (0, 200, 83), (46, 204, 64), (0, 168, 70), (60, 220, 110)),
    "RED": ((239, 40, 48), (229, 30, 37), (255, 45, 45), (214, 20, 30), (244, 54, 60)),
    "YELLOW": ((255, 214, 10), (250, 204, 21), (255, 222, 40), (255, 205, 0), (245, 210, 50)),
}
_HOUSING: tuple[Colour, ...] = ((38, 40, 46), (24, 24, 28), (60, 64, 72))

_WHITE: Colour = (255, 255, 255)
_BADGE: Colour = (230, 50, 60)


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


def draw_status(stage: Stage, area: Area) -> None:
    """The phone's own bar with clock and battery, with a notch on some."""
    dice, unit, ink = stage.dice("status"), stage.unit, stage.palette.ink
    x0, y0, x1, y1 = area
    y = (y0 + y1) / 2
    hour, minute, charge, ticks, half = (
        dice.randrange(24),
        dice.randrange(59),
        dice.randrange(8, 100),
        dice.random() < 0.15,
        unit * dice.choice((2.4, 13)),
    )
    clock = f"{hour}:{minute + (1 if stage.result and ticks else 0):02d}"
    stage.canvas.text((x0 + unit * 5, y), clock, "sans", unit * 3.4, ink, "left")
    stage.canvas.text((x1 - unit * 12, y), f"{charge}%", "sans", unit * 3.0, ink, "right")
    box = (x1 - unit * 11, y - unit * 1.4, x1 - unit * 5, y + unit * 1.4)
    stage.canvas.panel(box, None, unit * 0.6, ink, unit * 0.3)
    inner = inset(box, unit * 0.6)
    end = inner[0] + (inner[2] - inner[0]) * charge / 100
    stage.canvas.panel((inner[0], inner[1], end, inner[3]), (60, 200, 90) if charge > 20 else _BADGE, unit * 0.2)
    if y1 - y0 > unit * 7:
        x = (x0 + x1) / 2
        stage.canvas.panel((x - half, y - unit * 2.4, x + half, y + unit * 2.4), (0, 0, 0), unit * 2.4)


def draw_header(stage: Stage, area: Area) -> None:
    """Title or round, score and time."""
    dice, unit, palette = stage.dice("header"), stage.unit, stage.palette
    x0, _, x1, _ = area
    x, y = middle(area)
    ink = palette.ink
    if dice.random() < 0.4:
        stage.canvas.panel(area, dice.choice((palette.accent, palette.accent2)))
        ink = _WHITE
    kind = dice.choice(("round", "round", "title", "back"))
    left = stage.words("title" if kind == "title" else "round")
    if kind == "back":
        stage.canvas.stroke(
            [(x0 + unit * 7, y - unit * 2.4), (x0 + unit * 4.6, y), (x0 + unit * 7, y + unit * 2.4)], ink, unit * 0.9
        )
    start = x0 + unit * (11 if kind == "back" else 5)
    stage.canvas.text((start, y), left, stage.theme.text, unit * 4.6, ink, "left", widest=unit * 30)
    _draw_score(stage, (x1 - unit * 5, y), ink, dice.choice(("label", "bare", "stack", "none")))
    if dice.random() < 0.55:
        seconds = max(0, stage.round.seconds - (1 if stage.result else 0))
        text = dice.choice((f"{seconds}s", f"0:{seconds:02d}", str(seconds), f"00:{seconds:02d}"))
        at = (x + unit * 2, y)
        if dice.random() < 0.35:
            stage.canvas.disc(at, unit * 5.4, None, dice.choice((palette.accent, palette.accent2, ink)), unit * 0.8)
        stage.canvas.text(at, text, "mono", unit * 5, ink, widest=unit * 8)


def _draw_score(stage: Stage, at: tuple[float, float], ink: Colour, style: str) -> None:
    unit, (x, y), text = stage.unit, at, stage.theme.text
    game = stage.round
    score = str(game.score + (game.gain if stage.result and game.won else 0))
    if style == "label":
        colon = ": " if stage.language == "en" else "："
        stage.canvas.text(at, stage.words("score") + colon + score, text, unit * 4.6, ink, "right", widest=unit * 30)
    elif style == "bare":
        stage.canvas.text(at, score, "bold", unit * 7, ink, "right")
    elif style == "stack":
        stage.canvas.text((x, y - unit * 3.2), stage.words("score"), text, unit * 3.4, ink, "right")
        stage.canvas.text((x, y + unit * 2), score, "bold", unit * 5.4, ink, "right")


def draw_nav(stage: Stage, area: Area) -> None:
    """The bar at the bottom with a badge or two."""
    unit, palette, dice = stage.unit, stage.palette, stage.dice("nav")
    stage.canvas.panel(area, palette.panel)
    x0, y0, x1, y1 = area
    many = dice.choice((3, 4, 5))
    here = dice.randrange(many)
    for i in range(many):
        x, y = x0 + (x1 - x0) / many * (i + 0.5), y0 + (y1 - y0) * 0.36
        colour = palette.accent if i == here else palette.faint
        radius = unit * (2.6 if i % 2 else 0.8)
        stage.canvas.panel((x - unit * 2.6, y - unit * 2.6, x + unit * 2.6, y + unit * 2.6), colour, radius)
        stage.canvas.text((x, y0 + (y1 - y0) * 0.78), stage.words("tabs", i), stage.theme.text, unit * 2.8, colour)
        if dice.random() < 0.35:
            draw_badge(stage, (x + unit * 3.4, y - unit * 2), unit * 2.2, dice.randrange(1, 30))


def draw_badge(stage: Stage, at: tuple[float, float], radius: float, count: int) -> None:
    """A small red disc with a number."""
    stage.canvas.disc(at, radius, _BADGE, _WHITE, radius * 0.14)
    stage.canvas.text(at, str(count), "bold", radius * 1.2, _WHITE)
