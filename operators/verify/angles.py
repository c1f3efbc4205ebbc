"""Angles: degrees beside radians whose unit is left out, as is usual with a multiple of π."""

from __future__ import annotations

import math
import re

from operators.verify.answer import Equivalence
from operators.verify.expressions import evaluate

_DEGREES = re.compile(r"(?P<number>.{1,60}?)\s*(?:°|\^\\circ|\^\{\\circ\}|degrees?|度)\s*\Z", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b")


def compare_angles(one: str, other: str) -> Equivalence | None:
    """Whether degrees and a bare multiple of π are the same angle; None if the answers are not one of each.

    >>> compare_angles("30°", "π/6").verdict, compare_angles("45°", "π/6").verdict, compare_angles("30°", "6")
    ('yes', 'no', None)
    """
    for degrees, radians in ((one, other), (other, one)):
        found = _DEGREES.fullmatch(degrees.strip())
        if found is None or _DEGREES.fullmatch(radians.strip()) or not _PI.search(radians) or _PI.search(degrees):
            continue
        first, second = evaluate(found["number"]), evaluate(radians)
        if first is None or second is None or isinstance(first, complex) or isinstance(second, complex):
            return None
        if math.isclose(float(first), math.degrees(float(second)), rel_tol=1e-9):
            return Equivalence("yes", "In degrees, the angles are the same.", "quantity")
        return Equivalence("no", "In degrees, the angles are not the same.", "quantity")
    return None
