"""What several readings of one card's number tell together: in different ways, and in both of a round's pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

#: How sure a number is that two ways agree on in both pictures; that they do though one reading differs; that is seen
#: but once, in one picture or in one way; and that is disputed.
_BOTH, _MOST, _ONCE, _DISPUTED = 0.96, 0.9, 0.85, 0.4
#: From which score on a reading speaks against others, and stands by itself.
_SPEAKS, _CLEAR = 0.5, 0.85


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that was read on a card: in which way, in the question's or the result's picture, and how surely."""

    number: int
    way: Literal["row", "ink", "cell"]
    shown: bool
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The number of a card, None if none was read, how sure it is, and whether the result shows another."""

    number: int | None
    confidence: float
    another: bool = False


def verdict(readings: Sequence[Reading], unchanged: bool) -> Verdict:
    """What the readings of a card tell; ``unchanged`` says that the result shows the same ink.

    Ways err differently: one overlooks digits that stand apart, another takes an outline for one. A longer number
    that holds the one most readings give is worth more than another reading, as a digit is lost more easily than won.
    """
    asked = {reading.number for reading in readings if not reading.shown}
    if not asked:
        return Verdict(None, 0.0)
    number = max(asked, key=lambda each: (_support(readings, each), each))
    own = [reading for reading in readings if reading.number == number]
    others = [reading for reading in readings if reading.number != number and reading.score >= _SPEAKS]
    hidden = bool(others) and all(reading.shown for reading in others)
    in_both = any(reading.shown for reading in own)
    ways = {reading.way for reading in own if not reading.shown}
    another = len(ways) > 1 and hidden and not in_both and not unchanged
    if len({reading.way for reading in own}) > 1 and in_both:
        return Verdict(number, _BOTH if not others else _MOST if _most(own, others) else _DISPUTED)
    if len(ways) > 1 and (not others or hidden):
        return Verdict(number, _ONCE, another)
    clear = len(own) == len(readings) and all(reading.score >= _CLEAR for reading in own)
    once = clear and (in_both or (unchanged and "row" in ways))
    return Verdict(number, _ONCE if once else _DISPUTED)


def _most(own: Sequence[Reading], others: Sequence[Reading]) -> bool:
    """Whether readings of one number outvote those of others, which were read in one way."""
    longer = any(str(own[0].number) in str(reading.number) for reading in others)
    return len(own) > len(others) + 1 + longer and len({reading.way for reading in others}) == 1


def _support(readings: Sequence[Reading], number: int) -> tuple[int, float]:
    scores = [reading.score for reading in readings if reading.number == number]
    return len(scores), max(scores)
