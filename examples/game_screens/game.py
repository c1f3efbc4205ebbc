"""The game that the screens show: three numbers, a light, a pick, and what is counted on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

Light = Literal["GREEN", "RED", "YELLOW"]
LIGHTS: tuple[Light, Light, Light] = ("GREEN", "RED", "YELLOW")

#: How often a player picks a wrong card, and how often two, or all three, cards show the same number.
_WRONG, _TWINS, _TRIPLETS = 0.4, 0.12, 0.01


@dataclass(frozen=True, slots=True)
class GameRound:
    """One round: what the question shows, what was picked, and what is counted before and after."""

    number: int
    numbers: tuple[int, int, int]
    light: Light
    picked: int
    score: int
    gain: int
    seconds: int
    lives: int
    coins: int
    gems: int
    level: int
    of: int = 10

    @property
    def answer(self) -> int:
        """The correct card, from left: 0, 1 or 2."""
        return right_card(self.numbers, self.light)

    @property
    def won(self) -> bool:
        """Whether the right card was picked."""
        return self.picked == self.answer


def right_card(numbers: tuple[int, int, int], light: Light) -> int:
    """The card that the game's rule asks for: largest, smallest or middle number, the leftmost of equal ones.

    >>> right_card((5, 8, 3), "GREEN"), right_card((5, 8, 3), "RED"), right_card((4, 9, 4), "YELLOW")
    (1, 2, 0)
    """
    return numbers.index(sorted(numbers)[{"GREEN": 2, "RED": 0, "YELLOW": 1}[light]])


def played(dice: Random, rounds: int, digits: tuple[int, ...]) -> list[GameRound]:
    """The rounds of one episode, one after the other; ``digits`` are how many a number may have."""
    step = dice.choice((1, 5, 10, 20, 100))
    state = GameRound(
        number=0,
        numbers=(1, 2, 3),
        light="GREEN",
        picked=0,
        score=step * dice.randrange(0, 30),
        gain=step,
        seconds=0,
        lives=dice.randrange(2, 10),
        coins=dice.randrange(1, 3000),
        gems=dice.randrange(1, 100),
        level=dice.randrange(1, 40),
    )
    made = []
    for number in range(1, rounds + 1):
        numbers, light = _numbers(dice, digits), dice.choice(LIGHTS)
        right = right_card(numbers, light)
        others = [i for i in range(3) if numbers[i] != numbers[right]]
        picked = dice.choice(others) if others and dice.random() < _WRONG else right
        state = replace(
            state, number=number, numbers=numbers, light=light, picked=picked, seconds=dice.randrange(3, 60)
        )
        made.append(state)
        state = replace(state, score=state.score + (step if state.won else 0), coins=state.coins + dice.randrange(0, 9))
    return made


def _numbers(dice: Random, digits: tuple[int, ...]) -> tuple[int, int, int]:
    many = dice.choice(digits)
    low, high = (1, 9) if many == 1 else (10 ** (many - 1), 10**many - 1)
    if many > 1 and dice.random() < 0.3:
        low = 1  # numbers of different lengths in one row
    first, second, third = (dice.randint(low, high) for _ in range(3))
    while second == first:
        second = dice.randint(low, high)
    chance = dice.random()
    if chance < _TRIPLETS:
        return first, first, first
    if chance < _TRIPLETS + _TWINS:
        return dice.choice(((first, first, second), (first, second, first), (first, second, second)))
    while third in (first, second):
        third = dice.randint(low, high)
    return first, second, third
