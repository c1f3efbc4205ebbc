"""The bars of a screen: the phone's own, the game's header, the tabs at the bottom."""

from __future__ import annotations

from examples.game_screens.canvas import Area, Colour
from examples.game_screens.stage import Stage, inset, middle

_WHITE: Colour = (255, 255, 255)
_BADGE: Colour = (230, 50, 60)


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
