"""What the game says to a pick: a line, a toast, a banner or a sheet, never over the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from examples.game_screens.canvas import Area, Colour, mixed
from examples.game_screens.stage import Stage, middle

_WHITE: Colour = (255, 255, 255)
_CONFETTI: tuple[Colour, ...] = ((240, 80, 80), (80, 180, 240), (250, 200, 50), (120, 210, 110), (200, 110, 220))


def draw_veil(stage: Stage) -> None:
    """A shade over everything but what is drawn later, on some result screens."""
    if _veiled(stage):
        image = stage.canvas.image
        stage.canvas.panel((0, 0, image.width, image.height), (0, 0, 0), cover=0.25)


def _veiled(stage: Stage) -> bool:
    return stage.dice("veil").random() < 0.08


def draw_feedback(stage: Stage, areas: Mapping[str, Area], places: Sequence[Area]) -> None:
    """The words, and confetti for some that were right."""
    dice, unit = stage.dice("feedback"), stage.unit
    kind = dice.choice(("line", "pill", "toast", "banner", "sheet"))
    won = stage.round.won
    if won and dice.random() < 0.25:
        _confetti(stage, places)
    text = stage.words("right" if won else "wrong")
    colour: Colour = (30, 160, 80) if won else (215, 60, 60)
    foot = max((place[3] for place in places), default=areas["cards"][3]) + unit * 9
    height = stage.canvas.image.height
    if kind == "sheet" and height - foot > unit * 18:
        _sheet(
            stage,
            (0.0, max(foot, height - unit * dice.choice((26, 34))), float(stage.canvas.image.width), float(height)),
            text,
            colour,
        )
    elif kind == "toast" and height - foot > unit * 14:
        _pill(
            stage,
            (middle(areas["cards"])[0], foot + unit * 6),
            text,
            mixed(stage.palette.ink, (20, 20, 20), 0.5),
            unit * 4.4,
        )
    elif kind == "banner":
        x0, y0, x1, y1 = areas["header"]
        stage.canvas.panel((x0, y0, x1, y1), colour)
        stage.canvas.text(middle((x0, y0, x1, y1)), text, stage.theme.text, unit * 5.5, _WHITE, widest=(x1 - x0) * 0.9)
    else:
        _talk(stage, areas["talk"], text, colour, kind == "line" and not _veiled(stage))


def _talk(stage: Stage, area: Area, text: str, colour: Colour, plain: bool) -> None:
    size = min(stage.unit * 5.5, (area[3] - area[1]) * 0.5)
    if not plain:
        _pill(stage, middle(area), text, colour, size)
        return
    back = stage.palette.ground
    if sum(abs(a - b) for a, b in zip(colour, back, strict=True)) < 220:
        colour = stage.palette.ink
    stage.canvas.text(middle(area), text, stage.theme.text, size * 1.2, colour, widest=(area[2] - area[0]) * 0.9)


def _pill(stage: Stage, at: tuple[float, float], text: str, colour: Colour, size: float) -> None:
    half = stage.unit * 32
    x, y = at
    ink = (20, 20, 20) if sum(colour) > 480 else _WHITE
    stage.canvas.panel((x - half, y - size * 0.95, x + half, y + size * 0.95), colour, size * 0.95)
    stage.canvas.text(at, text, stage.theme.text, size, ink, widest=half * 1.8)


def _sheet(stage: Stage, area: Area, text: str, colour: Colour) -> None:
    """A sheet at the bottom with the words and a button."""
    unit, (x0, y0, x1, y1) = stage.unit, area
    stage.canvas.panel((x0, y0, x1, y1 + unit * 4), mixed(colour, _WHITE, 0.82), unit * 3)
    high = y1 - y0
    stage.canvas.text(
        (x0 + unit * 6, y0 + high * 0.27), text, stage.theme.text, unit * 5, mixed(colour, (0, 0, 0), 0.3), "left"
    )
    box = (x0 + unit * 6, y0 + high * 0.5, x1 - unit * 6, y0 + high * 0.86)
    stage.canvas.panel(box, colour, unit * 2)
    label = stage.words("button", 1)
    stage.canvas.text(middle(box), label, stage.theme.text, min(unit * 4.6, high * 0.2), _WHITE)


def _confetti(stage: Stage, places: Sequence[Area]) -> None:
    """Coloured scraps everywhere but on the cards."""
    dice, unit = stage.dice("confetti"), stage.unit
    width, height = stage.canvas.image.size
    for _ in range(70):
        x, y, colour = dice.randrange(width), dice.randrange(height), dice.choice(_CONFETTI)
        a, b = unit * dice.uniform(0.5, 1.3), unit * dice.uniform(-0.6, 0.6)
        if any(x0 - 3 * unit < x < x1 + 3 * unit and y0 - 3 * unit < y < y1 + 3 * unit for x0, y0, x1, y1 in places):
            continue
        stage.canvas.shape([(x - a, y - b), (x + b, y - a), (x + a, y + b), (x - b, y + a)], colour)
