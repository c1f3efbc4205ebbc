"""How a result screen marks the right card and a wrong pick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from examples.game_screens.canvas import Area, Colour, mixed
from examples.game_screens.stage import Stage

_GREENS: tuple[Colour, ...] = ((34, 180, 84), (60, 190, 90), (22, 163, 74), (90, 200, 110))
_REDS: tuple[Colour, ...] = ((228, 60, 60), (215, 50, 60), (240, 90, 90))
_GOLD: Colour = (255, 200, 40)
_WHITE: Colour = (255, 255, 255)

#: What a wrong pick may look like beside a right card that is marked in a way.
_WRONG: Mapping[str, tuple[str, ...]] = {
    "fill": ("fill", "dim", "cross", "edge"),
    "tint": ("tint", "cross", "edge"),
    "edge": ("edge", "dim", "cross"),
    "tick": ("cross", "cross", "dim"),
    "glow": ("dim", "edge", "cross"),
    "grow": ("dim", "cross"),
    "dim": ("edge", "cross", "struck"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """How one card is drawn: ``how`` is "" for as it was, ``colour`` that of the mark."""

    how: str
    colour: Colour
    ground: Colour
    grow: float = 0.0
    shift: float = 0.0

    @property
    def changes_fill(self) -> bool:
        """Whether the card's fill is another one."""
        return self.how in ("fill", "tint")

    @property
    def changes_edge(self) -> bool:
        """Whether the card's edge is another one."""
        return self.how in ("edge", "tint")

    def moved(self, box: Area, unit: float) -> Area:
        """The card's place: enlarged or shaken."""
        x0, y0, x1, y1 = box
        by = (x1 - x0) * self.grow
        shift = self.shift * unit
        return x0 - by + shift, y0 - by, x1 + by + shift, y1 + by

    def colours(self, fill: Colour, ink: Colour) -> tuple[Colour, Colour]:
        """Fill and number."""
        if self.how == "fill":
            return self.colour, _WHITE
        if self.how == "tint":
            return mixed(self.colour, _WHITE, 0.75), mixed(self.colour, (0, 0, 0), 0.55)
        return self.faded(fill), self.faded(ink)

    def faded(self, colour: Colour) -> Colour:
        """A colour as a dimmed card has it."""
        return mixed(colour, self.ground, 0.6) if self.how == "dim" else colour

    def edged(self, edge: Colour, line: float) -> tuple[Colour, float]:
        """The colour and width of the edge."""
        return (self.colour, max(line * 2.4, 3)) if self.changes_edge else (self.faded(edge), line)

    def behind(self, stage: Stage, box: Area, radius: float) -> None:
        """What is drawn before the card."""
        if self.how == "glow":
            stage.canvas.glow(box, self.colour, radius, stage.unit * 3, 1.0)

    def finish(self, stage: Stage, box: Area) -> None:
        """What is drawn over the card: a badge with a tick or a cross at a corner, or a line through it."""
        x0, y0, x1, y1 = box
        if self.how == "struck":
            stage.canvas.stroke([(x0, y1), (x1, y0)], self.colour, stage.unit * 0.8)
        if self.how not in ("tick", "cross"):
            return
        size = min(stage.unit * 5, (x1 - x0) * 0.17)
        places = (
            (x1 - size * 0.5, y0 + size * 0.5),
            ((x0 + x1) / 2, y1 + size * 0.2),
            (x1 - size * 0.5, y1 - size * 0.5),
        )
        x, y = stage.dice("badge").choice(places)
        stage.canvas.disc((x, y), size, self.colour, _WHITE, size * 0.14)
        if self.how == "tick":
            points = [(x - size * 0.45, y), (x - size * 0.1, y + size * 0.38), (x + size * 0.48, y - size * 0.36)]
            stage.canvas.stroke(points, _WHITE, size * 0.2)
            return
        for way in (1, -1):
            points = [(x - size * 0.36, y - way * size * 0.36), (x + size * 0.36, y + way * size * 0.36)]
            stage.canvas.stroke(points, _WHITE, size * 0.2)


def marks(stage: Stage) -> list[Mark]:
    """How the three cards are drawn in this screen."""
    ground = mixed(stage.palette.ground, stage.palette.ground2, 0.5)
    plain = Mark("", ground, ground)
    if not stage.result:
        return [plain] * stage.cards
    dice, game = stage.dice("marks"), stage.round
    how = dice.choice(stage.theme.marks)
    green, red = dice.choice(_GREENS), dice.choice(_REDS)
    right = Mark("" if how == "dim" else how, green, ground)
    if how == "grow":
        right = Mark(dice.choice(("", "edge")), green, ground, 0.05)
    elif how == "glow" and dice.random() < 0.3:
        right = Mark(how, _GOLD, ground)
    wrong = Mark(dice.choice(_WRONG[how]), red, ground, shift=dice.choice((0, 0, 1.5)))
    other = Mark("dim", ground, ground) if how in ("dim", "grow") or dice.random() < 0.15 else plain
    both = dice.random() < 0.3  # equal numbers: some games mark each
    value = game.numbers[game.answer]
    first = [
        right if i == game.answer or (both and game.numbers[i] == value) else wrong if i == game.picked else other
        for i in range(3)
    ]
    return (first + [other] * 2)[: stage.cards]
