"""The game's own rule: green asks for the largest number, red for the smallest, yellow for the middle one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dataflow_ext.wilson import wilson
from operators.game.rounds import Light

#: Chance agreement is one in three; a rule is believed that surely holds in more rounds than this.
_BELIEVED = 0.7


def asked_for(numbers: Sequence[int], light: Light) -> int:
    """The place of the card that the rule asks for; of equal cards the leftmost.

    >>> asked_for([5, 8, 3], "GREEN"), asked_for([5, 8, 3], "YELLOW"), asked_for([3, 8, 3], "RED")
    (1, 0, 0)
    """
    ordered = sorted(numbers)
    wanted = {"GREEN": ordered[-1], "RED": ordered[0], "YELLOW": ordered[len(ordered) // 2]}[light]
    return list(numbers).index(wanted)


def agrees(numbers: Sequence[int], light: Light, card: int) -> bool:
    """Whether the card shows the number that the rule asks for.

    >>> agrees([3, 8, 3], "RED", 2), agrees([3, 8, 3], "RED", 1)
    (True, False)
    """
    return 0 <= card < len(numbers) and numbers[card] == numbers[asked_for(numbers, light)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many rounds that are sure in all three values go by the rule, and how many there are."""

    agree: int
    of: int

    @property
    def enough(self) -> bool:
        """Whether there are rounds enough to believe the rule, if all of them went by it."""
        return wilson(self.of, self.of)[0] > _BELIEVED

    @property
    def believed(self) -> bool:
        """Whether the rule holds beyond doubt: 95 % sure of more than 70 % of the rounds, nine of nine at least."""
        return wilson(self.agree, self.of)[0] > _BELIEVED


def evidence(rounds: Iterable[tuple[Sequence[int], Light, int]]) -> Evidence:
    """How the rule fares in rounds whose three values are sure."""
    outcomes = [agrees(numbers, light, card) for numbers, light, card in rounds]
    return Evidence(sum(outcomes), len(outcomes))
