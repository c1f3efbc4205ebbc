"""A whole screen: which part stands where, drawn from the ground up."""

from __future__ import annotations

from examples.game_screens.canvas import Area, mixed
from examples.game_screens.cards import card_areas, draw_cards
from examples.game_screens.feedback import draw_feedback, draw_veil
from examples.game_screens.grounds import draw_ground
from examples.game_screens.lamps import draw_header, draw_lamps, draw_status
from examples.game_screens.parts import PARTS
from examples.game_screens.stage import Stage

#: How much of the height that is left over goes above each part, at most; "end" is the foot of the screen.
_LOOSE = {"above": 0.3, "lamps": 0.7, "talk": 0.7, "cards": 1.0, "below": 0.5, "end": 0.9}


def draw_screen(stage: Stage) -> list[Area]:
    """Draw everything; returns where the three cards lie."""
    draw_ground(stage)
    areas = _areas(stage)
    if "status" in areas:
        draw_status(stage, areas["status"])
    draw_header(stage, areas["header"])
    for part in ("above", "below"):
        if part in areas:
            PARTS[_chosen(stage, part)][0](stage, areas[part])
    if stage.lamp:
        draw_lamps(stage, areas["lamps"])
    places = card_areas(stage, areas["cards"])
    if stage.result:
        draw_veil(stage)
    elif stage.dice("talk").random() < 0.4:
        x0, y0, x1, y1 = areas["talk"]
        ink = mixed(stage.palette.ink, stage.palette.ground, 0.15)
        at = ((x0 + x1) / 2, (y0 + y1) / 2)
        stage.canvas.text(at, stage.words("hint"), stage.theme.text, stage.unit * 4.6, ink, widest=(x1 - x0) * 0.9)
    draw_cards(stage, places)
    if stage.result:
        draw_feedback(stage, areas, places)
    return places


def _chosen(stage: Stage, part: str) -> str:
    above = stage.dice("above").choice(stage.theme.above)
    below = stage.dice("below").choice(stage.theme.below)
    return above if part == "above" else below if below != above else "none"


def _areas(stage: Stage) -> dict[str, Area]:
    """Where the parts lie: one below the other, or, on some wide screens, the lamp beside the cards."""
    width, height = stage.canvas.image.size
    dice = stage.dice("layout")
    phone = height > width
    beside = not phone and dice.random() < 0.5
    rows: list[tuple[str, float]] = []
    if phone:
        rows.append(("status", 9.0 if height / width > 2 else 5.5))
    rows.append(("header", 15.0))
    above, below = _chosen(stage, "above"), _chosen(stage, "below")
    if above != "none":
        rows.append(("above", PARTS[above][1]))
    if not beside:
        rows.append(("lamps", 42.0 if phone else 30.0))
    rows += [("talk", 12.0), ("cards", 58.0 if phone else 50.0)]
    if below != "none":
        rows.append(("below", PARTS[below][1]))
    areas = _stacked(stage, [*rows, ("end", 2.0)], 0.0, float(width))
    if below == "nav":
        high = areas["below"][3] - areas["below"][1]
        areas["below"] = (0.0, height - high, float(width), float(height))
    if beside:
        left, cut = dice.random() < 0.6, width * dice.choice((0.3, 0.38))
        top, foot = areas["talk"][1], areas["cards"][3]
        lamps, rest = ((0.0, cut), (cut, float(width))) if left else ((width - cut, float(width)), (0.0, width - cut))
        areas["lamps"] = (lamps[0], top, lamps[1], foot)
        for part in ("talk", "cards"):
            areas[part] = (rest[0], areas[part][1], rest[1], areas[part][3])
    return areas


def _stacked(stage: Stage, rows: list[tuple[str, float]], left: float, right: float) -> dict[str, Area]:
    """The rows from top to bottom, squeezed if there is too little height, spread out if there is more."""
    height, dice = stage.canvas.image.height, stage.dice("stack")
    wanted = sum(high for _, high in rows) * stage.unit
    unit = stage.unit * min(1.0, height / wanted)
    shares = [dice.random() * _LOOSE.get(name, 0.0) for name, _ in rows]
    areas, y = {}, 0.0
    for (name, high), share in zip(rows, shares, strict=True):
        y += max(0.0, height - wanted) * share / sum(shares)
        areas[name] = (left, y, right, y + high * unit)
        y += high * unit
    return areas
