"""Where the cards of an episode stand, as several of its rounds agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist
from statistics import median
from typing import Any, TypeAlias

from operators.game.rounds import Box

Row: TypeAlias = Mapping[str, Any]

#: How far the middles of cards that are the same lie apart, in distances between neighbours; further than the second
#: they are others. Their sides may differ by this factor: outlines are seen in one round and guessed in the next.
_SAME, _OTHER, _SIZE = 0.15, 0.4, 1.6


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
    pitch = max(1.0, (dist(_middle(cards[0]), _middle(cards[1])) + dist(_middle(cards[1]), _middle(cards[2]))) / 2)
    steps = [max(abs(a - b) for a, b in zip(_middle(one), _middle(other), strict=True))
             for one, other in zip(cards, others, strict=True)]  # fmt: skip
    return max(steps) / pitch


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _sides(box: Box) -> tuple[float, float]:
    return max(1.0, box[2] - box[0]), max(1.0, box[3] - box[1])


def _median_boxes(rows: Sequence[Row]) -> tuple[Box, Box, Box]:
    one, two, three = (_median_box([row["cards"][i] for row in rows]) for i in range(3))
    return one, two, three


def _median_box(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = (float(median(box[side] for box in boxes)) for side in range(4))
    return x0, y0, x1, y1
