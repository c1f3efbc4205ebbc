"""How many calls a server takes at once, found out from its overload answers."""

from __future__ import annotations

#: Fewest answers that make a round: a share of one or two says nothing.
_SHORTEST_ROUND = 4

#: Largest share of overload answers that is taken for a server's habit.
_MOST_HABIT = 0.3


class Concurrency:
    """A limit that is cut in proportion to overload answers and grows back by 1, 2, 4 … a round.

    A round is as many answers as there were calls under way, of calls that began in it; so those which were
    under way when the limit was cut do not cut it again. Within a round, the place of a call that met
    overload stays empty, so that the share of such calls in the round is the share that was too much. At its
    end the limit is cut by that share.

    A server that answers so however few calls there are is not overloaded, and would starve its callers. So
    the share that remained after a cut is remembered as its habit, and only what is beyond it, and beyond
    chance, cuts the limit.

    ``limit`` is the present limit, ``places`` what is left of it in this round.
    """

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.limit = float(cap)
        self.places = cap
        self._habit = 0.0
        self._step = 1
        self._after_cut = False
        self._round = self._answers = self._overloads = self._peak = 0

    def entered(self, under_way: int) -> int:
        """The round that a call which begins now belongs to, with so many under way."""
        if under_way > self._peak:
            self._peak = under_way
        return self._round

    def answered(self, began: int, overload: bool) -> None:
        """Count the answer to a call of that round."""
        if began != self._round:
            return
        self._answers += 1
        if overload:
            self._overloads += 1
            self.places = max(1, int(self.limit) - self._overloads)
        if self._answers >= min(self._peak, int(self.limit)) and self._answers >= _SHORTEST_ROUND:
            self._end()

    def _end(self) -> None:
        share = self._overloads / self._answers
        usual = self._habit * self._answers
        cut = self._overloads > usual + 1.5 * usual**0.5
        if cut:
            # Few calls under way say little about many, so the limit falls at most to twice their number.
            self.limit = max(1.0, min(self.limit, 2.0 * self._peak) * (1 - (share - self._habit)))
            self._step = 1
        else:
            self.limit = min(self.limit + self._step, float(self.cap))
            self._step = min(self._step * 2, self.cap)
        if self._after_cut:
            self._habit = min(_MOST_HABIT, (self._habit + share) / 2)
        elif share < self._habit:
            self._habit += (share - self._habit) / 8
        self._after_cut = cut
        self._begin()

    def _begin(self) -> None:
        self._round += 1
        self._answers = self._overloads = self._peak = 0
        self.places = int(self.limit)
