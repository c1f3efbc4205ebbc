"""Units by the words that stand for them: what they measure, and how many of the base unit they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dataflow_ext.text import rows

#: What a unit measures: base units with their exponents; nothing for counts, shares and ratios.
Dimension = tuple[tuple[str, int], ...]

_BASE = re.compile(r"([A-Za-z]+)(\d?)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its dimension, and how many base units one of it is."""

    dimension: Dimension
    factor: float


def dimension(base: str) -> Dimension:
    """The dimension of a base unit: a symbol, squared or cubed by a digit; ``1`` or nothing has none.

    >>> dimension("m2"), dimension("")
    ((('m', 2),), ())
    """
    found = _BASE.fullmatch(base)
    return ((found[1], int(found[2] or 1)),) if found else ()


def symbol(dimension: Dimension) -> str:
    """A dimension as it is written.

    >>> symbol((("m", 2),)), symbol((("deg", 1),)), symbol(())
    ('m²', '°', '')
    """
    powers = {1: "", 2: "²", 3: "³"}
    return "·".join(f"{'°' if base == 'deg' else base}{powers.get(n, f'^{n}')}" for base, n in dimension)


def _read() -> Mapping[str, Unit]:
    table = rows(__package__, "units.tsv")
    return {word: Unit(dimension(base), float(factor)) for word, base, factor in table}


#: Every word and symbol for a unit, English and Chinese.
UNITS: Mapping[str, Unit] = _read()
