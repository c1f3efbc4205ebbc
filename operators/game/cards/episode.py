"""The cards of an episode, as its rounds agree: where they stand, how the right one is marked, what changes on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import dist, log, log1p
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np

from dataflow_ext import InputError
from dataflow_ext.boxes import middle
from operators.game.boxes import smaller
from operators.game.numbers.card_rows import threes
from operators.game.numbers.digits import Piece, joined, numbers_by_ink
from operators.game.rounds import Box, CardChange, screen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr import OCREngine

    Costs = NDArray[np.float64]

Row: TypeAlias = Mapping[str, Any]

#: How far the middles of cards that are the same lie apart, in distances between neighbours; further than the second
#: they are others. Their sides may differ by this factor: outlines are seen in one round and guessed in the next.
_SAME, _OTHER, _SIZE = 0.15, 0.4, 1.6

#: Rounds that are compared at once at most: all choices of their right cards are tried, three to their number.
MOST = 7
#: Fewer rounds tell nothing.
FEWEST = 3
#: A gain of colour of this much counts half as much again; more counts ever less (Lab units over a card).
_GAIN = 0.5
#: What cards differ by that are marked alike (squared, a round), and the worth of a look at the round alone that is
#: sure, against that of the likeness: both count as logarithms.
_NOISE, _ALONE = 0.02, 0.6
#: A look this sure tells nothing against the others, and one this sure all that a look can.
_CHANCE, _SURE = 0.3, 0.95
#: How many times worse any other choice has to be.
_CLEARLY = 2.0

#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 480.0, 1700.0
#: From how many levels of grey on something changed; the least and the largest height of a number, as shares of the
#: shorter side.
_CHANGED, _LEAST, _MOST = 40, 0.02, 0.4
#: Places that are looked at, the highest; rows that are read, and in how many rounds.
_PLACES, _ROWS, _ROUNDS = 60, 4, 3
#: How wide and how high a card is taken to be: a share of the distance between numbers, and of their height; and by how
#: much it is higher than what is read on it, on each side.
_WIDE, _HIGH, _MORE = 0.9, 1.8, 0.12


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Three cards by their boxes, and how many rounds have them there."""

    boxes: tuple[Box, Box, Box]
    rounds: int


def card_place(rows: Sequence[Row]) -> CardPlace | None:
    """Where the cards of rows (of one screen) stand: the place that most of them agree on, two at least.

    A row of numbers that never change, such as counters, is no row of cards. Where players tapped counts as much
    as a further round, as far as their taps lie on the cards that they picked.
    """
    places = [[row for row in rows if row["cards"] is not None and same_cards(row["cards"], each["cards"])]
              for each in rows if each["cards"] is not None]  # fmt: skip
    places = [place for place in places if len(place) > 1 and not _counters(place)]
    if not places:
        return None
    best = max(places, key=lambda place: (len(place) + _tapped(place), _median_boxes(place)))
    return CardPlace(_median_boxes(best), len(best))


def same_cards(cards: Sequence[Box], others: Sequence[Box]) -> bool:
    """Whether two rows of cards stand in one place, with sides that differ little."""
    near = _apart(cards, others) <= _SAME
    sides = [max(a / b, b / a) for one, other in zip(cards, others, strict=True)
             for a, b in zip(_sides(one), _sides(other), strict=True)]  # fmt: skip
    return near and max(sides) <= _SIZE


def elsewhere(cards: Sequence[Box], others: Sequence[Box]) -> bool:
    """Whether two rows of cards are not the same cards."""
    return _apart(cards, others) > _OTHER


def on_screen(row: Row, place: CardPlace) -> bool:
    """Whether a row may be of the screen whose cards stand there: its own cards, if they are known, do."""
    return row["cards"] is None or not elsewhere(row["cards"], place.boxes)


def _counters(rows: Sequence[Row]) -> bool:
    """Whether the numbers of three rounds or more are the same ones in all."""
    numbers = [tuple(row["numbers"]) for row in rows if row["numbers"] is not None]
    return len(numbers) > 2 and len(set(numbers)) == 1


def _tapped(rows: Sequence[Row]) -> int:
    """In how many rounds the player's tap lies on the card that was picked."""
    return sum(
        _on(row["clicked"], row["cards"][row["selected"]])
        for row in rows
        if row["clicked"] is not None and row["selected"] is not None
    )


def _on(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _apart(cards: Sequence[Box], others: Sequence[Box]) -> float:
    """How far the cards' middles lie apart at most, in distances between neighbours."""
    one, two, three = map(middle, cards)
    steps = [abs(a - b) for card, other in zip(cards, others, strict=True)
             for a, b in zip(middle(card), middle(other), strict=True)]  # fmt: skip
    return max(steps) / max(1.0, (dist(one, two) + dist(two, three)) / 2)


def _sides(box: Box) -> tuple[float, float]:
    return max(1.0, box[2] - box[0]), max(1.0, box[3] - box[1])


def _median_boxes(rows: Sequence[Row]) -> tuple[Box, Box, Box]:
    one, two, three = (_median_box([row["cards"][i] for row in rows]) for i in range(3))
    return one, two, three


def _median_box(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = (float(median(box[side] for box in boxes)) for side in range(4))
    return x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class Marked:
    """The changes of a round's three cards, the card that was picked, and the one that a look at it alone gave."""

    changes: Sequence[CardChange]
    picked: int | None
    card: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """The card of a round that changed as the right cards of the others did, and how many times worse another is.

    ``picked`` says that in all of them the player had picked it, so that the mark may be that of a picked card.
    """

    card: int
    lead: float
    picked: bool

    @property
    def clear(self) -> bool:
        """Whether no other card can be meant."""
        return self.lead >= _CLEARLY


def like_each_other(rounds: Sequence[Marked]) -> list[Likeness]:
    """The choice of a right card in each round for which cards of one part changed most alike.

    The parts are the right cards, those that were picked and are not right, and the plain ones. What counts is how
    much cards of one part differ, by how much the right ones differ from the plain ones; a choice also costs what
    looks at the rounds by themselves say against it.
    """
    choices = np.array(list(product(range(3), repeat=len(rounds))))
    costs = _costs(rounds, choices)
    for place, each in enumerate(rounds):
        if each.card is not None:
            weight = min(1.0, max(0.0, (each.confidence - _CHANCE) / (_SURE - _CHANCE)))
            costs = costs + _ALONE * weight * (choices[:, place] != each.card)
    best = int(costs.argmin())
    chosen = choices[best].tolist()
    leads = [float(np.exp(costs[choices[:, i] != card].min() - costs[best])) for i, card in enumerate(chosen)]
    picked = all(card == each.picked for card, each in zip(chosen, rounds, strict=True))
    return [Likeness(card, lead, picked) for card, lead in zip(chosen, leads, strict=True)]


def _costs(rounds: Sequence[Marked], choices: NDArray[np.int64]) -> Costs:
    """What each choice costs by how unlike its parts are, as a logarithm."""
    vectors = np.array([[_vector(change) for change in each.changes] for each in rounds])
    right = (choices[:, :, None] == np.arange(3)).astype(float)
    picked = np.array([[each.picked == card for card in range(3)] for each in rounds]) * (1 - right)
    squares = (vectors**2).sum(axis=-1)
    unlike, means = np.full(len(choices), _NOISE * len(rounds)), []
    for part in (right, 1 - right - picked, picked):
        number = part.sum(axis=(1, 2))
        mean = np.einsum("mkc,kcd->md", part, vectors) / np.maximum(number, 1)[:, None]
        unlike += np.einsum("mkc,kc->m", part, squares) - number * (mean**2).sum(axis=-1)
        means.append(mean)
    apart = ((means[0] - means[1]) ** 2).sum(axis=-1)
    return np.asarray(np.log(np.maximum(unlike, 1e-9) / len(rounds)) - np.log(apart + 1e-6))


def _vector(change: CardChange) -> tuple[float, ...]:
    gains = (change.green, change.red, change.other, *change.near, change.changed)
    fading = change.faded if change.explained > 0.5 else 0.0
    shape = (log(max(change.contrast, 0.05)), 4 * log(change.size), 2 * max(-1.0, min(1.0, fading)))
    return (*(log1p(max(0.0, gain) / _GAIN) for gain in gains), *shape)


def changing_row(paths: Sequence[Path], engine: OCREngine) -> tuple[Box, Box, Box] | None:
    """The boxes of three places in a row that have another number from round to round; None if there are none."""
    seen = [(path, small) for path, small in ((path, _small(path)) for path in paths) if small is not None]
    shapes = Counter(small.grey.shape for _, small in seen)
    alike = [(path, small) for path, small in seen if small.grey.shape == shapes.most_common(1)[0][0]]
    if len(alike) < 2:
        return None
    few = [path for path, _ in alike[:_ROUNDS]]
    best: tuple[int, tuple[Box, Box, Box] | None] = (2 * len(few), None)
    for boxes in _rows([small for _, small in alike])[:_ROWS]:
        found = numbers_by_ink(((screen(path), boxes) for path in few), engine)
        read = [piece for each in found for piece in each if piece is not None]
        if len(read) > best[0] and len({piece.number for piece in read}) > 3:
            best = len(read), _as_high(boxes, read)
    return best[1]


@dataclass(frozen=True, slots=True)
class _Small:
    """A picture in grey, scaled down by ``scale``."""

    grey: NDArray[np.uint8]
    scale: float


def _small(path: Path) -> _Small | None:
    """A picture scaled down; None where there is none to look at, which is its own round's trouble."""
    try:
        pixels = screen(path)
    except InputError:
        return None
    small, scale = smaller(pixels, _LONG, _SHORT)
    return _Small(np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8), scale)


def _as_high(boxes: tuple[Box, Box, Box], read: Sequence[Piece]) -> tuple[Box, Box, Box]:
    """The boxes, a little higher than the digits in them, so that text above and below is none of theirs."""
    top, low = min(piece.box[1] for piece in read), max(piece.box[3] for piece in read)
    more = _MORE * (low - top)
    one, two, three = ((x0, top - more, x1, low + more) for x0, _, x1, _ in boxes)
    return one, two, three


def _rows(rounds: Sequence[_Small]) -> list[tuple[Box, Box, Box]]:
    """Cards around all rows of three places that changed, the highest first."""
    greys, scale = np.stack([small.grey for small in rounds]), rounds[0].scale
    changed = (greys.max(axis=0) - greys.min(axis=0) > _CHANGED).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3))))
    short = min(greys.shape[1:])
    fit = [(x, y, w, h) for x, y, w, h, _ in stats[1:].tolist() if _LEAST * short <= h <= _MOST * short]
    fit = sorted(fit, key=lambda place: (-place[3], place))[:_PLACES]
    pieces = joined(Piece(None, 0.0, (x / scale, y / scale, (x + w) / scale, (y + h) / scale), "", whole=False)
                    for x, y, w, h in fit)  # fmt: skip
    rows = sorted(threes(pieces, lambda piece: piece.box), key=lambda row: -min(piece.height for piece in row))
    return [_cards(row) for row in rows]


def _cards(row: tuple[Piece, Piece, Piece]) -> tuple[Box, Box, Box]:
    half = _WIDE * (row[2].x - row[0].x) / 4
    tall = _HIGH * max(piece.height for piece in row) / 2
    one, two, three = ((piece.x - half, piece.y - tall, piece.x + half, piece.y + tall) for piece in row)
    return one, two, three
