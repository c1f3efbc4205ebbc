"""The cards of a screen, each with its number, and the marks that a result shows on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from examples.game_screens.canvas import Area, Colour, mixed
from examples.game_screens.stage import Stage, middle

#: The numbers of the cards that are too many on a broken screen.
_MORE = (6, 2)

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
class _Look:
    """How the three cards of a round look."""

    kind: str
    face: str
    size: float
    radius: float
    line: float
    labels: tuple[str, ...]
    labelled: str
    outlined: bool
    shaded: bool


def _look(stage: Stage, side: float) -> _Look:
    dice = stage.dice("cards")
    kind = _kind(stage)
    labels = _labels(stage) if dice.random() < 0.55 or kind == "poker" else ()
    return _Look(
        kind=kind,
        face=dice.choice(stage.theme.faces),
        size=max(side * dice.choice((0.42, 0.5, 0.6, 0.72)), stage.unit * 9),
        radius=side / 2 if kind == "disc" else side * dice.choice((0.0, 0.06, 0.12, 0.2)),
        line=stage.unit * dice.choice((0.4, 0.7, 1.1)),
        labels=labels,
        labelled="corner" if kind == "poker" else dice.choice(("under", "under", "above", "corner")),
        outlined=dice.random() < 0.1,
        shaded=dice.random() < 0.15,
    )


def _kind(stage: Stage) -> str:
    return stage.dice("card kind").choice(stage.theme.cards)


def _labels(stage: Stage) -> tuple[str, ...]:
    """What the cards are called: three letters of a row, or a text with the card's place."""
    texts = [stage.words("label", n=i + 1) for i in range(3)]
    if texts[0] == texts[1]:
        texts = list(texts[0])
    return (*texts, "D", "E")


def card_areas(stage: Stage, area: Area) -> list[Area]:
    """Where the three cards lie, left to right."""
    dice = stage.dice("card places")
    many = stage.cards
    if not many:
        return []
    width, height = area[2] - area[0], area[3] - area[1]
    gap = dice.choice((0.05, 0.12, 0.25, 0.5))
    side = min(width * dice.choice((0.66, 0.8, 0.9, 0.96)) / (many + (many - 1) * gap), stage.unit * 34)
    tall = side * (1.0 if _kind(stage) == "disc" else dice.choice((0.8, 1.0, 1.25, 1.45)))
    if tall > height * 0.78:
        side, tall = side * height * 0.78 / tall, height * 0.78
    x, y = middle(area)
    lefts = [x + i * side * (1 + gap) - side / 2 for i in _steps(many)]
    places = [(left, y - tall / 2, left + side, y + tall / 2) for left in lefts]
    if dice.random() < 0.15:  # one stands a little higher
        i, up = dice.randrange(many), stage.unit * dice.choice((1, 2, 3))
        x0, y0, x1, y1 = places[i]
        places[i] = (x0, y0 - up, x1, y1 - up)
    return places


def _steps(many: int) -> list[float]:
    return [i - (many - 1) / 2 for i in range(many)]


def draw_cards(stage: Stage, places: list[Area]) -> None:
    """The cards; in the result the right one, and a wrong pick, are marked."""
    if not places:
        return
    side = places[0][2] - places[0][0]
    look = _look(stage, side)
    for i, (place, mark) in enumerate(zip(places, marks(stage), strict=True)):
        box = mark.moved(place, stage.unit)
        mark.behind(stage, box, look.radius)
        ink = _draw_card(stage, look, box, mark)
        _draw_number(stage, look, box, str((*stage.round.numbers, *_MORE)[i]), ink, (box[2] - box[0]) / side)
        if look.labels:
            _draw_label(stage, look, look.labels[i], box, ink)
        mark.finish(stage, box)


def _draw_card(stage: Stage, look: _Look, box: Area, mark: Mark) -> Colour:
    """The card without its number; the colour that the number has on it."""
    palette, canvas, unit = stage.palette, stage.canvas, stage.unit
    fill, ink = mark.colours(palette.card, palette.digit)
    edge, line = mark.edged(palette.card_edge, look.line)
    if look.kind in ("shadow", "poker"):
        canvas.glow((box[0], box[1] + unit, box[2], box[3] + unit), (0, 0, 0), look.radius, unit * 1.6, 0.3)
        canvas.panel(box, fill, look.radius, edge if mark.changes_edge else None, line)
    elif look.kind in ("plain", "disc"):
        canvas.panel(box, fill, look.radius, edge, line)
    elif look.kind == "glass":
        canvas.panel(box, fill, look.radius, edge, line, cover=0.92 if mark.changes_fill else 0.6)
    else:  # outline, bare
        if mark.changes_fill:
            canvas.panel(box, fill, look.radius)
        else:
            ink = mark.faded(palette.ink)
        if look.kind == "outline" or mark.changes_edge:
            canvas.panel(box, None, look.radius, edge, line)
    return ink


def _draw_number(stage: Stage, look: _Look, box: Area, number: str, ink: Colour, scale: float) -> None:
    x, y = middle(box)
    size, widest = look.size * scale, (box[2] - box[0]) * 0.8
    bright = sum(ink) > 380
    if look.shaded:
        off = max(1.0, size * 0.035)
        shadow = mixed(ink, (0, 0, 0) if bright else (160, 160, 160), 0.7)
        stage.canvas.text((x + off, y + off), number, look.face, size, shadow, widest=widest)
    edge = mixed(ink, (0, 0, 0) if bright else (255, 255, 255), 0.75) if look.outlined else None
    stage.canvas.text((x, y), number, look.face, size, ink, "middle", edge, max(1.0, size * 0.035), widest)


def _draw_label(stage: Stage, look: _Look, text: str, box: Area, ink: Colour) -> None:
    x, side = middle(box)[0], box[2] - box[0]
    size = min(stage.unit * 4, side * 0.2)
    colour = mixed(stage.palette.ink, stage.palette.ground, 0.3)
    if look.labelled == "under":
        stage.canvas.text((x, box[3] + size), text, stage.theme.text, size, colour, widest=side)
    elif look.labelled == "above":
        stage.canvas.text((x, box[1] - size), text, stage.theme.text, size, colour, widest=side)
    elif look.kind != "disc":
        letter = text[-1] if len(text) > 1 else text
        at = (box[0] + size * 0.4, box[1] + size * 0.8)
        stage.canvas.text(at, letter, stage.theme.text, size * 0.75, mixed(ink, stage.palette.faint, 0.6), "left")


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
