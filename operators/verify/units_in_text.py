"""Units as they stand after numbers, their sizes, and the factors that a change of unit leaves between two sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from dataflow_ext.text import lists, rows

_LISTS = lists("operators.verify", "data/lists.tsv")
#: A longer one before what it begins with.
_CHINESE = sorted(_LISTS["Chinese units"], key=lambda unit: (-len(unit), unit))
_IN_PLURAL = (word + end for word in _LISTS["long units"] for end in ("", "s", "es"))
_KNOWN = frozenset((*_LISTS["short units"], *_IN_PLURAL, "inches", "feet", "Ω"))
_FIRST_CHINESE = frozenset(word[0] for word in _CHINESE) | {"时"}
_ONE_CHINESE = re.compile(rf"(?:{'|'.join(_CHINESE)}|时(?![间候刻期]))(?:/(?:时|{'|'.join(_CHINESE)})[²³]?|[²³])?")
_POWER = r"(?:\^\{?-?\d\}?|[²³]|⁻[¹²³])?"
_WORDED = r"\\(?:text|mathrm|rm|textrm|operatorname)\s*\{[^{}]{0,30}\}"
_LATEX = re.compile(rf"{_WORDED}{_POWER}(?:\s*/\s*{_WORDED}{_POWER})*")
_GAP = re.compile(r"(?:\\[,;:! ]|[ ~$])*")
_WORD = re.compile(r"[A-Za-z°μΩ]+")
_SQUARE = re.compile(r"(?:square|cubic|sq\.?)\s")
_RAISED = re.compile(_POWER)
_TYPED = re.compile(r"[23](?![\w.])")
#: Units that others follow without a sign: kg m/s, N m.
_LEADING = frozenset(("kg", "N", "kW", "A"))
_JOINT = re.compile(r"/|\*| per | /\s")

#: Kind of a unit, and its size in one unit of that kind; a currency is of no kind.
_KINDS: Mapping[str, tuple[str, float]] = {
    name: (kind, float(size))
    for kind, size, names in rows("operators.verify", "data/sizes.tsv")
    for name in names.split()
}
_PART = re.compile(r"([^\d/*-]+)([23])?")
#: Units of which products give each other, without a factor.
_COHERENT = frozenset(("m", "s", "kg", "N", "J", "W", "Pa", "V", "A", "Ω", "C", "F", "T", "Hz", "mol"))


def _unit_at(text: str, place: int) -> str:
    """The unit that stands right here, in LaTeX's \\text, plain or Chinese; "" if there is none.

    >>> _unit_at("58.8 m/s^2 down", 5), _unit_at("3 apples", 2)
    ('m/s^2', '')
    """
    first = text[place : place + 1]
    if first == "\\":
        match = _LATEX.match(text, place)
    elif first in _FIRST_CHINESE:
        match = _ONE_CHINESE.match(text, place)
    else:
        return text[place : _plain_end(text, place)]
    return match.group() if match is not None else ""


def _plain_end(text: str, start: int) -> int:
    """Where a unit in plain letters ends; where it begins if there is none."""
    square = _SQUARE.match(text, start)
    word = _WORD.match(text, square.end() if square is not None else start)
    if word is None or word.group() not in _KNOWN:
        return start
    end = _power_end(text, word.end())
    while (joint := _JOINT.match(text, end)) is not None or (word.group() in _LEADING and text[end : end + 1] == " "):
        word = _WORD.match(text, joint.end() if joint is not None else end + 1)
        if joint is None and (word is None or word.group() not in ("m", "s", "h")):
            break
        if word is None or word.group() not in _KNOWN:
            break
        end = _power_end(text, word.end())
    return start if text[end : end + 1] in ("'", "_") else end


def _power_end(text: str, place: int) -> int:
    match = _RAISED.match(text, place)
    end = match.end() if match is not None else place
    # m2 and s2 as they are typed.
    return end + 1 if end == place and text[place - 1 : place] in ("m", "s") and _TYPED.match(text, place) else end


#: Factors of a change of unit, by what the units must look like for it.
_FACTORS = (
    (re.compile(r"h|s|min|秒|分|时|天|周|年|月"), (60, 3600, 3.6, 24, 7, 1440, 86400, 365, 52, 30, 12)),
    (re.compile(r"day|week|month|year"), (7, 12, 24, 30, 52, 365)),
    (re.compile(r"ft|foot|feet|in|yd|yard|mi"), (2.54, 12, 3, 36, 1.609, 1.6, 3.28, 5280, 0.3048)),
    (re.compile(r"lb|pound|oz|ounce"), (2.2046, 2.2, 16)),
    (re.compile(r"°|degree|rad|度"), (57.29578, 1.8)),
)
_TENS = tuple(10.0**power for power in range(1, 13))


def conversion(left: float, right: float, units: Iterable[str]) -> bool:
    """Whether a change of these units may explain how two values differ.

    >>> conversion(72, 20, ["km/h", "m/s"]), conversion(1.5, 1500, ["km"]), conversion(58.8, 68.8, ["N"])
    (True, True, False)
    """
    if left == 0 or right == 0 or left * right < 0:
        return False
    ratio = abs(left / right)
    ratio = max(ratio, 1 / ratio) if ratio else 0.0
    factors = list(_TENS)
    for pattern, of in _FACTORS:
        if any(pattern.search(unit) for unit in units):
            factors += of
    return any(abs(ratio / factor - 1) < 0.005 for factor in factors)


def plain_unit(text: str) -> str:
    """A unit without LaTeX, spaces and the plural's s, to be compared with another.

    >>> plain_unit(r"\\text{ dollars}"), plain_unit(" m/s^2")
    ('dollar', 'm/s2')
    """
    text = re.sub(r"\\[a-z]+\s*|\\[,;:! ]|[{}\s~^]", "", text).replace("²", "2").replace("³", "3")
    return text[:-1] if len(text) > 3 and text.endswith("s") else text


def unit_after(text: str, end: int) -> tuple[str, int]:
    """The unit after a number that ends here, percent and degree signs too, and where it ends; "" if there is none."""
    following = text[end : end + 1]
    if following in ("%", "\\") and (following == "%" or text.startswith("\\%", end)):
        return "%", end + (1 if following == "%" else 2)
    if following == "°" and text[end + 1 : end + 2] not in ("C", "F"):
        return "°", end + 1
    if text.startswith(("^\\circ", "^{\\circ}"), end):
        return "°", end + (6 if text[end + 1] == "\\" else 8)
    gap = _GAP.match(text, end)
    start = gap.end() if gap is not None else end
    unit = _unit_at(text, start)
    after = start + len(unit)
    if not unit or (unit in ("in", "A") and text[after : after + 1] == " " and text[after + 1 : after + 2].isalpha()):
        return ("percent", end + len(" percent")) if text.startswith(" percent", end) else ("", end)
    worded = _IN_BRACES.search(unit)
    return (worded.group(1).strip() if worded is not None else unit), after


_IN_BRACES = re.compile(r"\\[a-z]+\s*\{([^{}]*)\}")


def converted_factors(one: str, other: str) -> tuple[float, float] | None:
    """The sizes of two units of one kind in a common unit; None if they are not known to be of one kind.

    >>> converted_factors("km/h", "m/s"), converted_factors("km", "s")
    ((0.2777777777777778, 1.0), None)
    """
    first, second = measured(one), measured(other)
    return (first[1], second[1]) if first and second and first[0] == second[0] else None


def is_coherent(unit: str) -> bool:
    """Whether a unit is made of SI units without prefixes, so that no factor hides in a product of such.

    >>> is_coherent("m/s2"), is_coherent("km/h")
    (True, False)
    """
    return all(part is not None and part[1] in _COHERENT for part in map(_PART.fullmatch, re.split(r"[/*]", unit)))


@lru_cache(maxsize=512)
def measured(unit: str) -> tuple[tuple[str, ...], float] | None:
    """What a unit measures, and its size in the base unit of that; None if it is not known.

    >>> measured("km/h"), measured("box")
    ((('length 1', 'time -1'), 0.2777777777777778), None)
    """
    kinds: list[str] = []
    size = 1.0
    for number, part in enumerate(unit.split("/")):
        found = _PART.fullmatch(part)
        if found is None or found[1] not in _KINDS or number > 1:
            return None
        kind, each = _KINDS[found[1]]
        power = int(found[2] or 1) * (1 if number == 0 else -1)
        kinds.append(f"{kind} {power}")
        size *= each**power
    return tuple(kinds), size
