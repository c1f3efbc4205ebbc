"""Whether a number that a text says is the value of its claim."""

from __future__ import annotations

import re
from dataclasses import replace

from dataflow_ext.claims.proof import NOTHING, Quantity
from dataflow_ext.text.quantities import ABOUT, Said

_BETWEEN_ENDS = re.compile(r"(?<=\S)(?:\s?[-–—~至到或]\s?|\s?to\s?(?=\d)|\s(?:to|and|or)\s)(?=\S)")


def agrees(said: Said, value: Quantity) -> bool:
    """Whether a number is a value, to its own last digit; 10 % after "about", a bound after "more than".

    >>> from dataflow_ext.text.quantities import said_in
    >>> agrees(next(said_in("0.4 m")), Quantity(0.41, (("m", 1),), 0.005, 1))
    True
    """
    if said.unread:
        return False
    if said.dimension is not None and said.dimension != value.dimension:
        return False
    # A quotient above one is also told by what is more, "a sixth wider"; one below, by what is less where that is said.
    part = value.ratio and (said.fraction or said.dimension == ()) and not said.whole
    values = [value.value]
    values += [value.value - 1] if part and value.value > 1 else []
    values += [1 - value.value] if part and said.compares else []
    values += [-value.value] if value.difference else []
    slack = value.slack if value.terms > 1 or said.half > 1.5 * value.slack else 0.0
    # "Twice" has no digits: it is as near as "half".
    half = ABOUT * abs(said.value) if said.weak and value.ratio else said.half
    return any(_fits(said, each, half + slack + NOTHING, value.slack + NOTHING) for each in values)


def _fits(said: Said, value: float, exact: float, slack: float) -> bool:
    least = most = said.value
    near = max(exact, ABOUT * abs(said.value))
    close = ABOUT * abs(said.value) + slack
    if said.upper is not None:
        return least - exact <= value <= said.upper + exact
    match said.bound:
        case "about":
            return abs(value - said.value) <= near
        case "over":
            return value >= least - slack
        case "under":
            return value <= most + slack
        case "just over":
            return least - slack <= value <= most + close
        case "just under":
            return least - close <= value <= most + slack
    return abs(value - said.value) <= exact


def halves(said: Said, text: str, at: int) -> tuple[Said, Said] | None:
    """The ends of a range as two numbers, as marks between them or two behind them want: "from 2 m to 3 m".

    ``at`` is where the mark of the first one stands.
    """
    between = _BETWEEN_ENDS.search(text, said.start, said.end)
    if said.upper is None or between is None:
        return None
    cut = min(max(between.start(), said.start + 1), at)
    one = replace(said, end=cut, upper=None)
    return one, replace(one, start=between.end(), end=said.end, value=said.upper)
