"""Whether the unit of a number may come from those that are told before it: a length and a time give no mass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from operators.verify.asked import asked
from operators.verify.normalising import plain
from operators.verify.quantities import may_be, same_dimensions
from operators.verify.units import Unit, measure_of, unit_of

#: Powers of two units whose product may be a third one.
_POWERS = range(-3, 4)
_DIGITS = 3
#: What a question counts in Chinese.
_COUNTED = re.compile(r"几(?!何|乎)")
Dimensions = frozenset[tuple[str, float]]
#: What turns a mass into a force.
_GRAVITY: Dimensions = frozenset({("length", 1.0), ("time", -2.0)})
_MASS: Dimensions = frozenset({("mass", 1.0)})


@lru_cache(maxsize=1024)
def answers(unit: str, question: str) -> bool | None:
    """Whether a unit measures what the unit does that a question asks for; None if it asks for none.

    What is counted has none.

    >>> answers("kg", "What is it in newtons?"), answers("s", "How many dogs are there?"), answers("m", "How long?")
    (False, False, None)
    """
    about, found = asked(question), unit_of(plain(unit))
    if found is None:
        return None
    if about.unit is None:
        counted = bool(about.counted) or _COUNTED.search(question) is not None
        return False if counted and not about.units and measure_of(found).dimensions else None
    return about.unit == found or same_dimensions(about.unit, found) or may_be(about.unit, found)


def comes_from(unit: str, told: Iterable[str]) -> bool:
    """Whether a unit measures what one of some others does, or a product of two of them; True where nobody can tell.

    >>> comes_from("m²", ["m"]), comes_from("A", ["V", "Ω"]), comes_from("s", ["m²"]), comes_from("m", [])
    (True, True, False, True)
    """
    own = unit_of(plain(unit))
    found = {each: unit_of(plain(each)) for each in told}
    units = [each for each in found.values() if each is not None]
    if own is None or not units or len(units) < len(found):
        return True
    return any(may_be(own, each) for each in units) or _made(own, frozenset(units))


@lru_cache(maxsize=1024)
def _made(own: Unit, told: frozenset[Unit]) -> bool:
    wanted, known = _dimensions(own), {_dimensions(each) for each in told}
    if not wanted or wanted in known:
        return True
    known |= {_GRAVITY} if _MASS in known else set()
    pairs = product(sorted(known, key=sorted), repeat=2)
    return any(
        _product(one, power, other, raised) == wanted
        for one, other in pairs
        for power, raised in product(_POWERS, repeat=2)
    )


def _dimensions(unit: Unit) -> Dimensions:
    try:
        return frozenset(measure_of(unit).dimensions)
    except (OverflowError, ZeroDivisionError):
        return frozenset()


def _product(one: Dimensions, power: int, other: Dimensions, raised: int) -> Dimensions:
    found = dict[str, float]()
    for dimensions, exponent in ((one, power), (other, raised)):
        for name, each in dimensions:
            found[name] = found.get(name, 0.0) + each * exponent
    return frozenset((name, round(each, _DIGITS)) for name, each in found.items() if each)
