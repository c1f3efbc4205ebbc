"""How the right card is marked in an episode, learnt from its rounds: the right cards are those that changed alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import log, log1p
from typing import TYPE_CHECKING

import numpy as np

from operators.game.rounds import CardChange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Costs = NDArray[np.float64]

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
