"""Points at which expressions are compared, and when two values count as equal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from .evaluation import Mode, value_of
from .reading import Program
from .values import Value

Same = Literal["yes", "no", "unsure"]

#: Expressions that agree at so many points are the same.
ENOUGH = 6
#: Fewer points than this decide nothing.
FEWEST = 4
_POINTS = 20
#: Numbers that are not exact are equal up to this share.
CLOSE = 1e-9


def close(a: Value | None, b: Value | None) -> bool:
    """Whether two values are equal: exactly if both are exact, else to nine digits.

    >>> close(Fraction(1, 3), 0.3333333333333333), close(Fraction(1, 3), Fraction(33333, 100000))
    (True, False)
    """
    if a is None or b is None:
        return False
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return a == b
    try:
        first, second = complex(a), complex(b)
        # What is left of a difference that should be nothing is next to nothing.
        return abs(first - second) <= max(CLOSE * max(abs(first), abs(second)), 1e-13 if 0 in (a, b) else 0.0)
    except OverflowError:
        return False


@lru_cache(maxsize=64)
def _coordinates(count: int, whole: bool) -> tuple[tuple[Fraction | int, ...], ...]:
    stream = random.Random(f"points of {count} names, whole: {whole}")  # noqa: S311 - no secret
    made = []
    for number in range(_POINTS):
        point: list[Fraction | int] = []
        for _ in range(count):
            if whole:
                point.append(stream.randint(2, 12) if number % 2 else stream.randint(1, 40))
            else:
                below = stream.choice((7, 11, 13, 17, 19))
                size = Fraction(stream.randint(1, (1, 3, 9)[number % 3] * below - 1), below)
                point.append(size if number % 2 == 0 or stream.random() < 0.3 else -size)
        made.append(tuple(point))
    return tuple(made)


def points(names: tuple[str, ...], whole: bool = False) -> Iterator[dict[str, Value]]:
    """Values for these names: fractions of both signs, small and larger, or whole numbers; the same in every run."""
    for point in _coordinates(len(names), whole):
        yield dict(zip(names, point, strict=True))


@dataclass(frozen=True, slots=True)
class Difference:
    """An equation or inequality as what stands on its left less what stands on its right."""

    left: Program
    right: Program
    names: tuple[str, ...]

    def at(self, point: dict[str, Value], mode: Mode) -> Value | None:
        """The difference at a point."""
        first, second = value_of(self.left, point, mode), value_of(self.right, point, mode)
        if first is None or second is None:
            return None
        if close(first, second):
            return 0
        return first - second if type(first) is type(second) else complex(first) - complex(second)
