"""What stands between header and lamp, and below the cards: counters, tables, buttons and the like."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from examples.game_screens.canvas import Area, Colour, Point, mixed
from examples.game_screens.lamps import SHADES, draw_badge, draw_nav
from examples.game_screens.stage import Stage, inset, middle

_WHITE: Colour = (255, 255, 255)
_GOLD: Colour = (240, 180, 40)
_PINK: Colour = (240, 80, 110)
_BLUE: Colour = (70, 140, 240)


def _across(area: Area, many: int, step: float) -> list[float]:
    """The centres of things that stand side by side in the middle of an area."""
    step = min(step, (area[2] - area[0]) / many)
    return [middle(area)[0] + (i - (many - 1) / 2) * step for i in range(many)]


def _counters(stage: Stage, area: Area) -> None:
    unit, palette = stage.unit, stage.palette
    step = min((area[2] - area[0] - unit * 6) / 3, unit * 40)
    y = middle(area)[1]
    counts = (stage.round.coins, stage.round.gems, stage.round.lives)
    for x, count, colour in zip(_across(area, 3, step), counts, (_GOLD, _BLUE, _PINK), strict=True):
        left = x - step / 2 + unit
        box = (left, y - unit * 4, x + step / 2 - unit, y + unit * 4)
        stage.canvas.panel(box, palette.panel, unit * 4, mixed(palette.panel, palette.ink, 0.15), unit * 0.3)
        stage.canvas.disc((left + unit * 5, y), unit * 2.4, colour)
        stage.canvas.text((left + unit * 10, y), str(count), "bold", unit * 4.6, palette.ink, "left")


def _table(stage: Stage, area: Area) -> None:
    dice, unit, palette = stage.dice("table"), stage.unit, stage.palette
    x0, y0, x1, y1 = inset(area, unit * 3)
    half = min(x1 - x0, unit * 130) / 2
    box = (middle(area)[0] - half, y0, middle(area)[0] + half, y1)
    stage.canvas.panel(box, palette.panel, unit * 2)
    for i, x in enumerate(_across(box, 3, half)):
        number = dice.choice((dice.randrange(1, 10), dice.randrange(10, 100), dice.randrange(100, 1000)))
        name = stage.words("table", i)
        stage.canvas.text((x, y0 + (y1 - y0) * 0.28), name, stage.theme.text, unit * 3.4, palette.faint)
        stage.canvas.text((x, y0 + (y1 - y0) * 0.66), str(number), stage.theme.text, unit * 6, palette.ink)


def _progress(stage: Stage, area: Area) -> None:
    unit, palette = stage.unit, stage.palette
    y = middle(area)[1]
    box = (area[0] + unit * 6, y - unit * 1.4, area[2] - unit * 6, y + unit * 1.4)
    stage.canvas.panel(box, mixed(palette.ground, palette.ink, 0.18), unit * 1.4)
    end = box[0] + (box[2] - box[0]) * stage.round.number / stage.round.of
    stage.canvas.panel((box[0], box[1], end, box[3]), palette.accent, unit * 1.4)


def _avatar(stage: Stage, area: Area) -> None:
    unit, palette, dice = stage.unit, stage.palette, stage.dice("avatar")
    y, r = middle(area)[1], min(unit * 5.4, (area[3] - area[1]) * 0.42)
    x = area[0] + unit * 5 + r
    stage.canvas.disc((x, y), r, palette.accent2, _WHITE, unit * 0.6)
    skin = mixed(palette.accent2, _WHITE, 0.7)
    stage.canvas.disc((x, y - r * 0.25), r * 0.32, skin)
    stage.canvas.panel((x - r * 0.5, y + r * 0.15, x + r * 0.5, y + r * 0.7), skin, r * 0.4)
    draw_badge(stage, (x + r * 0.8, y + r * 0.7), r * 0.42, stage.round.level)
    text = f"{stage.words('best')} {dice.randrange(100, 5000)}"
    stage.canvas.text((area[2] - unit * 5, y), text, stage.theme.text, unit * 4.2, palette.ink, "right")


def _star(at: Point, radius: float) -> list[Point]:
    points = []
    for i in range(10):
        turn, far = math.pi * (i / 5 - 0.5), radius * (0.45 if i % 2 else 1)
        # Rounded: the last digits of a cosine are not the same everywhere.
        points.append((at[0] + round(math.cos(turn), 4) * far, at[1] + round(math.sin(turn), 4) * far))
    return points


def _stars(stage: Stage, area: Area) -> None:
    won, y = stage.dice("stars").randrange(0, 4), middle(area)[1]
    off = mixed(stage.palette.ground, stage.palette.ink, 0.25)
    for i, x in enumerate(_across(area, 3, stage.unit * 12)):
        stage.canvas.shape(_star((x, y), stage.unit * 4.4), _GOLD if i < won else off)


def _levels(stage: Stage, area: Area) -> None:
    """The levels before, at and after this one, as small discs on a line."""
    unit, palette = stage.unit, stage.palette
    places, y = _across(area, 5, unit * 17), middle(area)[1]
    stage.canvas.panel((places[0], y - unit * 0.5, places[-1], y + unit * 0.5), palette.faint)
    for i, x in enumerate(places):
        colour = (palette.accent2, palette.accent2, palette.accent, palette.faint, palette.faint)[i]
        stage.canvas.disc((x, y), unit * (4.6 if i == 2 else 3.8), colour, _WHITE, unit * 0.4)
        stage.canvas.text((x, y), str(stage.round.level + i), "bold", unit * 3.6, _WHITE)


def _versus(stage: Stage, area: Area) -> None:
    """Two players and what they have."""
    unit, palette, dice = stage.unit, stage.palette, stage.dice("versus")
    y = middle(area)[1]
    for side, colour in ((-1, (66, 120, 220)), (1, (224, 72, 72))):
        x = middle(area)[0] + side * unit * 24
        box = (x - unit * 18, y - unit * 4.6, x + unit * 18, y + unit * 4.6)
        stage.canvas.panel(box, colour, unit * 4.6)
        stage.canvas.disc((x + side * unit * 13, y), unit * 3.4, mixed(colour, _WHITE, 0.75))
        stage.canvas.text((x - side * unit * 4, y), str(dice.randrange(0, 100)), "bold", unit * 5, _WHITE)
    stage.canvas.text((middle(area)[0], y), "VS", "bold", unit * 4, palette.ink)


def _legend(stage: Stage, area: Area) -> None:
    """What the colours of the light mean, in small."""
    unit, y = stage.unit, middle(area)[1]
    lights = ("GREEN", "RED", "YELLOW")
    for i, (x, light) in enumerate(zip(_across(area, 3, unit * 22), lights, strict=True)):
        stage.canvas.disc((x - unit * 6, y), unit * 1.3, SHADES[light][0])  # type: ignore[index]
        name = stage.words("legend", i)
        stage.canvas.text((x - unit * 3.6, y), name, stage.theme.text, unit * 3.4, stage.palette.faint, "left")


def _button(stage: Stage, area: Area) -> None:
    unit, palette, dice = stage.unit, stage.palette, stage.dice("button")
    x, y = middle(area)
    half = unit * dice.choice((18, 30, 42))
    colour = dice.choice((palette.accent, palette.accent2))
    stage.canvas.panel((x - half, y - unit * 6, x + half, y + unit * 6), colour, unit * dice.choice((1, 3, 6)))
    stage.canvas.text((x, y), stage.words("button"), stage.theme.text, unit * 5, _WHITE)


def _powers(stage: Stage, area: Area) -> None:
    """Three or four round helpers with badges that count them."""
    unit, palette, dice = stage.unit, stage.palette, stage.dice("powers")
    many, y = dice.choice((3, 4)), middle(area)[1]
    colours = (palette.accent, palette.accent2, _BLUE, (150, 90, 200))
    for x, colour in zip(_across(area, many, unit * 26), colours, strict=False):
        stage.canvas.disc((x, y), unit * 5.6, colour)
        stage.canvas.shape(_star((x, y), unit * 3.2), _WHITE)
        draw_badge(stage, (x + unit * 4.6, y - unit * 4.2), unit * 2.6, dice.randrange(1, 10))


def _history(stage: Stage, area: Area) -> None:
    """What was picked in the rounds before."""
    unit, dice, y = stage.unit, stage.dice("history"), middle(area)[1]
    for x in _across(area, dice.randrange(3, 7), unit * 11):
        colour = dice.choice(((60, 180, 90), (60, 180, 90), (220, 70, 70)))
        stage.canvas.panel((x - unit * 4, y - unit * 4, x + unit * 4, y + unit * 4), colour, unit * 1.4)
        stage.canvas.text((x, y), str(dice.randrange(1, 10)), "bold", unit * 4.4, _WHITE)


def _keypad(stage: Stage, area: Area) -> None:
    """Small keys with all digits, in two rows."""
    unit, palette = stage.unit, stage.palette
    for row in (0, 1):
        y = middle(area)[1] + (row - 0.5) * unit * 9
        for i, x in enumerate(_across(area, 5, unit * 13)):
            box = (x - unit * 6, y - unit * 4, x + unit * 6, y + unit * 4)
            stage.canvas.panel(box, palette.panel, unit, palette.faint, unit * 0.25)
            stage.canvas.text((x, y), str((row * 5 + i + 1) % 10), stage.theme.text, unit * 4.2, palette.ink)


#: How each part is drawn, and how many units high it is.
PARTS: Mapping[str, tuple[Callable[[Stage, Area], None], float]] = {
    "counters": (_counters, 12.0),
    "table": (_table, 24.0),
    "progress": (_progress, 8.0),
    "avatar": (_avatar, 15.0),
    "stars": (_stars, 12.0),
    "levels": (_levels, 12.0),
    "versus": (_versus, 13.0),
    "legend": (_legend, 8.0),
    "button": (_button, 18.0),
    "powers": (_powers, 20.0),
    "history": (_history, 14.0),
    "keypad": (_keypad, 24.0),
    "nav": (draw_nav, 15.0),
}
