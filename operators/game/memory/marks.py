"""How the right card is marked in an episode: what happened to each card, compared with that of other rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist, log, log1p

from operators.game.rounds import CardChange

#: A gain of colour of this much counts half as much again; more counts ever less (Lab units over a card).
_GAIN = 0.5
#: How far apart cards lie at most that look alike, and how much nearer the one answer has to be than the next.
_ALIKE, _NEARER = 0.9, 0.6
#: What a card costs that is like none that was seen in its part.
_UNSEEN = 1.8

_Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """The changes of a round's three cards, the card that was picked, and the right one, None if it is not known."""

    changes: Sequence[CardChange]
    picked: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Likeness:
    """The card whose change is most like that of the right cards of other rounds.

    ``cost`` is how far its round is from theirs, ``next`` how far with another card as the right one; ``seen`` in how
    many rounds.
    """

    card: int
    cost: float
    next: float
    seen: int

    @property
    def clear(self) -> bool:
        """Whether no other card can be meant."""
        return self.seen > 1 and self.cost <= _ALIKE and self.cost <= _NEARER * self.next


def like_others(this: Marked, others: Sequence[Marked]) -> Likeness | None:
    """Which card of a round is marked as the right cards of other rounds are; None if none of them is known."""
    known = [each for each in others if each.right is not None]
    if not known:
        return None
    seen: dict[str, list[_Vector]] = {"right": [], "picked": [], "plain": []}
    for each in known:
        for i, vector in enumerate(_vectors(each.changes)):
            seen[_part(i, each.right, each.picked)].append(vector)
    vectors = _vectors(this.changes)
    costs = sorted((_cost(vectors, card, this.picked, seen), card) for card in range(3))
    return Likeness(costs[0][1], costs[0][0], costs[1][0], len(known))


def _part(card: int, right: int | None, picked: int | None) -> str:
    """What a card is in its round."""
    return "right" if card == right else "picked" if card == picked else "plain"


def _cost(vectors: Sequence[_Vector], right: int, picked: int | None, seen: dict[str, list[_Vector]]) -> float:
    """How far the cards are from the nearest ones of their parts: on average, but at least as far as the right one."""
    costs = []
    for card, vector in enumerate(vectors):
        part = seen[_part(card, right, picked)]
        costs.append(min([_UNSEEN, *(_distance(vector, other) for other in part)]))
    return max(costs[right], sum(costs) / len(costs))


def _distance(one: _Vector, other: _Vector) -> float:
    return dist(one, other)


def _vectors(changes: Sequence[CardChange]) -> list[_Vector]:
    return [_vector(change) for change in changes]


def _vector(change: CardChange) -> _Vector:
    gains = (change.green, change.red, change.other, *change.near, change.changed)
    fading = change.faded if change.explained > 0.5 else 0.0
    shape = (log(max(change.contrast, 0.05)), 4 * log(change.size), 2 * max(-1.0, min(1.0, fading)))
    return (*(log1p(max(0.0, gain) / _GAIN) for gain in gains), *shape)
