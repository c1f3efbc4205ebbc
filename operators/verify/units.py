"""Units: how they are read from text, and what they measure, by pint."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from dataflow_ext.text import rows

if TYPE_CHECKING:
    import pint

#: A unit as a product: pint's names (or a currency's) with their powers, in the order of the names.
Unit = tuple[tuple[str, int], ...]

_LONGEST = 60
#: The registry is built once, and fills its own caches.
_ONE_AT_A_TIME = threading.Lock()
_HIGHEST_POWER = 9
_TOKEN = re.compile(r"\s*([*·×/]|\bper\b|每)?\s*([^\s*·×/^\d-]+(?:\s(?:celsius|fahrenheit|[CcFf]\b))?)", re.IGNORECASE)
_POWER = re.compile(r"\s*\^\s*(?:\{\s*([+-]?\d{1,3})\s*\}|([+-]?\d{1,3}))|(-?[23])(?![\d.])")
_BEFORE = (
    (re.compile(r"(?:square|sq\.?|平方)\s*", re.IGNORECASE), 2),
    (re.compile(r"(?:cubic|cu\.?|立方)\s*", re.IGNORECASE), 3),
)
_AFTER = ((re.compile(r"\s*(?:squared|二次方)", re.IGNORECASE), 2), (re.compile(r"\s*cubed", re.IGNORECASE), 3))
_JOINT = re.compile(r"\s*([*·×/]|per\b|每)?\s*", re.IGNORECASE)
_DIVISOR = re.compile(r"/ ?\(([^()/]*)\)")
_CHINESE_PER = re.compile(r"(?<=[一-鿿])每(?=[一-鿿])")
_PREFIXES = {"T": "tera", "G": "giga", "M": "mega", "k": "kilo", "h": "hecto", "d": "deci", "c": "centi", "m": "milli",
             "μ": "micro", "u": "micro", "n": "nano", "p": "pico"}  # fmt: skip
#: What stands before words, where anything may.
_WORD_PREFIXES = ("kilo", "centi", "milli", "mega", "micro", "nano", "deci", "giga", "hecto")
#: Money, in terms of its currency; none of it is exchanged for another.
MONEY: Mapping[str, tuple[str, float]] = {
    "USD": ("USD", 1.0), "CENT": ("USD", 0.01), "EUR": ("EUR", 1.0), "GBP": ("GBP", 1.0), "CNY": ("CNY", 1.0),
    "JIAO": ("CNY", 0.1), "JPY": ("JPY", 1.0), "YEN_OR_YUAN": ("CNY", 1.0),
}  # fmt: skip
#: What pint counts as a plain number or as another thing's dimension, but a reader does not.
OWN_DIMENSION: Mapping[str, str] = {
    "degree": "angle", "radian": "angle", "revolutions_per_minute": "angle", "percent": "share", "becquerel": "decay",
    "sievert": "dose equivalent", "lumen": "solid angle", "lux": "solid angle", "byte": "information",
}  # fmt: skip
#: Signs that stand for two units: what each may be besides.
AMBIGUOUS: Mapping[str, tuple[str, ...]] = {
    "coulomb": ("degree_Celsius",), "farad": ("degree_Fahrenheit",), "siemens": ("second",), "YEN_OR_YUAN": ("JPY",),
    "degree": ("degree_Celsius", "degree_Fahrenheit"), "pound": ("GBP",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measure:
    """What a unit measures: its dimensions, and how it becomes base units (times the factor, plus the offset)."""

    dimensions: tuple[tuple[str, float], ...]
    factor: float
    offset: float


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit | None:
    """The unit that a text is; None if it is none, or one that is not known.

    >>> unit_of("km/h"), unit_of("kg·m/s^2"), unit_of("apples")
    ((('hour', -1), ('kilometer', 1)), (('kilogram', 1), ('meter', 1), ('second', -2)), None)
    """
    text = _CHINESE_PER.sub("/", text.strip())
    if not text or len(text) > _LONGEST:
        return None
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    text = _DIVISOR.sub(lambda found: "/" + re.sub(r"[·*×]|(?<=\w) (?=\w)", "/", found[1]), text)
    whole = _name(text)
    if whole is not None:
        return ((whole, 1),)
    return _product(text)


def _product(text: str) -> Unit | None:
    powers: dict[str, int] = {}
    place, divided = 0, False
    while place < len(text):
        power = 1
        joint = _JOINT.match(text, place)
        assert joint is not None  # noqa: S101 - all of it may be empty
        if joint[1] and joint[1].lower() in ("/", "per", "每"):
            divided = True
        place = joint.end()
        for before, raised in _BEFORE:
            found = before.match(text, place)
            if found:
                power, place = raised, found.end()
        token = _TOKEN.match(text, place)
        if not token or token[1]:
            return None
        name = _name(token[2])
        if name is None:
            return None
        place = token.end()
        for after, raised in _AFTER:
            found = after.match(text, place)
            if found:
                power, place = raised, found.end()
        found = _POWER.match(text, place)
        if found:
            power, place = int(found[1] or found[2] or found[3]), found.end()
        if not 0 < abs(power) <= _HIGHEST_POWER:
            return None
        powers[name] = powers.get(name, 0) + (-power if divided else power)
    return tuple(sorted((name, power) for name, power in powers.items() if power)) or None


def _name(text: str) -> str | None:
    """The name of a unit without powers; a word's case makes no difference, a symbol's does."""
    text = " ".join(text.split()).rstrip(".")
    symbols, words = _names()
    return symbols.get(text) or symbols.get(text.replace(" ", "")) or words.get(text.lower())


@cache
def _names() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What symbols and words are called in pint, by ``data/units.tsv``: symbols keep their case, words do not.

    There, ``prefixes`` are those that are in use before a symbol; before a word all are, or none. What is written
    without a prefix comes first: min is a minute.
    """
    plain: dict[str, dict[str, str]] = {"symbol": {}, "word": {}}
    prefixed: dict[str, dict[str, str]] = {"symbol": {}, "word": {}}
    for kind, unit, prefixes, ways in rows("operators.verify", "data/units.tsv"):
        before = {p: p for p in _WORD_PREFIXES} if prefixes == "all" else {p: _PREFIXES[p] for p in prefixes}
        for way in ways.split("|"):
            plain[kind][way] = unit
            prefixed[kind] |= {prefix + way: name + unit for prefix, name in before.items()}
    return prefixed["symbol"] | plain["symbol"], prefixed["word"] | plain["word"]


@lru_cache(maxsize=1024)
def measure_of(unit: Unit) -> Measure:
    """What a unit measures."""
    dimensions: dict[str, float] = {}
    factor, offset = 1.0, 0.0
    for name, power in unit:
        each = _single(name)
        for dimension, exponent in each.dimensions:
            dimensions[dimension] = dimensions.get(dimension, 0.0) + exponent * power
        factor *= each.factor**power
        if len(unit) == 1 and power == 1:
            offset = each.offset
    return Measure(tuple(sorted((name, power) for name, power in dimensions.items() if power)), factor, offset)


def _single(name: str) -> Measure:
    with _ONE_AT_A_TIME:
        return _looked_up(name)


@lru_cache(maxsize=1024)
def _looked_up(name: str) -> Measure:
    if name in MONEY:
        currency, factor = MONEY[name]
        return Measure(((currency, 1.0),), factor, 0.0)
    if name == "percent":
        return Measure((), 0.01, 0.0)
    units = _registry()
    zero, one = (units.Quantity(size, name).to_base_units().magnitude for size in (0.0, 1.0))
    dimensionality = units.Quantity(1.0, name).dimensionality
    dimensions = {dimension.strip("[]"): cast(float, power) for dimension, power in dimensionality.items()}
    for own, dimension in OWN_DIMENSION.items():
        if name == own or (name.endswith(own) and name.removesuffix(own) in _PREFIXES.values()):
            dimensions[dimension] = 1.0
    return Measure(tuple(sorted(dimensions.items())), one - zero, zero)


@cache
def _registry() -> pint.UnitRegistry[Any]:
    import pint

    return pint.UnitRegistry()
