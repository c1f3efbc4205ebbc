"""Numbers as texts say them, in digits and words, English and Chinese, and whether one is the value of its claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files

from dataflow_ext.claims.proof import NOTHING, Quantity
from dataflow_ext.claims.units import UNITS, Dimension

#: What "about" allows.
ABOUT = 0.1


@dataclass(frozen=True, slots=True)
class Said:
    """A number in a text, in base units; ``dimension`` is None without a unit, ``half`` half of its last digit.

    ``bound`` is what the words around it make of it: "" (exactly), about, over, under, just over, just under.
    ``upper`` is the end of a range. ``weak`` words ("a", "no", "both") say a number only where no other does.
    ``whole`` is a part of something, "a third of it", and not what is more or less of it.
    """

    start: int
    end: int
    value: float
    half: float
    dimension: Dimension | None = None
    bound: str = ""
    upper: float | None = None
    fraction: bool = False
    weak: bool = False
    decimals: bool = False
    whole: bool = False

    @property
    def is_measured(self) -> bool:
        """Whether it has a unit or decimals, so that somebody must have measured it."""
        return not self.weak and (self.dimension is not None or self.decimals or (self.fraction and self.half > 0))


def agrees(said: Said, value: Quantity) -> bool:
    """Whether a number is a value, to its own last digit; 10 % after "about", a bound after "more than".

    >>> agrees(next(said_in("0.4 m")), Quantity(0.41, (("m", 1),), 0.005, 1))
    True
    """
    if said.dimension is not None and said.dimension != value.dimension:
        return False
    # A quotient is also told by what is more or less than one, "a sixth wider", a difference without its sign.
    part = (said.fraction or said.dimension == ()) and not said.whole
    values = [value.value, value.value - 1, 1 - value.value] if value.ratio and part else [value.value]
    values += [-value.value] if value.difference else []
    slack = value.slack if value.terms > 1 or said.half > 1.5 * value.slack else 0.0
    # "Twice" has no digits: it is as near as "half".
    half = ABOUT * abs(said.value) if said.weak and value.ratio else said.half
    return any(_fits(said, each, half + slack + NOTHING, value.slack + NOTHING) for each in values)


def _fits(said: Said, value: float, exact: float, slack: float) -> bool:
    least = most = said.value
    near = max(exact, ABOUT * abs(said.value))
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
            return least - slack <= value <= most + near
        case "just under":
            return least - near <= value <= most + slack
    return abs(value - said.value) <= exact


def said_in(text: str) -> Iterator[Said]:
    """The numbers of a text, from left to right; weak words too.

    >>> [(each.value, each.bound) for each in said_in("nearly half a metre and 12 % of two chairs")]
    [(0.5, 'about'), (0.12, ''), (2.0, '')]
    """
    place = 0
    while found := _SAID.search(text, place):
        place = found.end()
        made = _said(text, found)
        if made is not None:
            yield replace(made, whole=_OF.match(text, made.end) is not None)


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


def _table() -> Iterator[tuple[str, str, float]]:
    for line in (files(__package__) / "numbers.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        word, role, value = line.split("\t")
        yield word, role, float(value)


_ROWS = list(_table())
_VALUES = {word: value for word, role, value in _ROWS if role in ("number", "weak")}
_PARTS = {word: value for word, role, value in _ROWS if role == "fraction"}
_WEAK = {word for word, role, _ in _ROWS if role == "weak"}
_BOUNDS = {word: role for word, role, _ in _ROWS if role in ("about", "over", "under", "just over", "just under")}
_AFTER = {word: role.removeprefix("after ") for word, role, _ in _ROWS if role.startswith("after ")}
_DIGIT = {letter: n for n, letter in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}


def _any(words: object) -> str:
    """One of the words, the longest first; words of letters stand alone."""
    found = sorted((str(word) for word in words), key=len, reverse=True)  # type: ignore[attr-defined]
    return "|".join(re.escape(w) + (r"(?![A-Za-z])" if w[-1].isascii() and w[-1].isalpha() else "") for w in found)


_NUMERAL = rf"(?:{_any(word for word, role, _ in _ROWS if role == 'number')})"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_HAN = "[零〇一二两三四五六七八九十百]"
_ANY_UNIT = f"(?:{_any(UNITS)})"
_AND = r"(?:\sand\sa\s(?P<plus%d>half|quarter|third))?"


def _unit(n: int) -> str:
    return rf"(?:\s?-?\s?(?P<unit{n}>{_ANY_UNIT}))"


#: The ways to say a number, of which the first that fits counts.
_WAYS = (
    rf"(?P<low>{_DIGITS})\s?{_ANY_UNIT}?\s?(?:-|–|—|~|to|至|到)\s?(?P<high>{_DIGITS}){_unit(1)}",
    rf"(?<=between )(?P<from>{_DIGITS})\s?{_ANY_UNIT}? and (?P<to>{_DIGITS}){_unit(2)}",
    rf"百分之(?P<hundredths>{_DIGITS})",
    rf"(?P<below>{_HAN}+)分之(?P<above>{_HAN}+)",
    rf"(?P<digits>[-−]?{_DIGITS}){_AND % 1}{_unit(3)}?(?![A-Za-z0-9_]|\.\d)",
    rf"(?:(?P<count>an?|one|{_NUMERAL})[ -])?(?P<part>{_any(_PARTS)})(?:(?: of)?(?: an?(?= ))?{_unit(4)})?",
    rf"(?P<half>一?半)(?![边侧部区面]){_unit(5)}?",
    rf"(?P<words>(?:one(?= and a (?:half|quarter|third))|{_NUMERAL}(?:[ -]{_NUMERAL})*)){_AND % 2}{_unit(6)}?",
    rf"(?P<han>(?!一(?![十百])){_HAN}+)(?!分){_unit(7)}?",
    rf"(?P<weak>{_any(_WEAK)}){_unit(8)}?",
)
_SAID = re.compile(rf"(?<![A-Za-z0-9_.])(?:{'|'.join(_WAYS)})", re.IGNORECASE)
_BEFORE = re.compile(rf"(?:(?<![A-Za-z])(?P<bound>{_any(_BOUNDS)}))\s*(?:by |of |a |an )?$", re.IGNORECASE)
_BEHIND = re.compile(rf"\s*(?P<bound>{_any(_AFTER)})", re.IGNORECASE)
#: "the east half" is a place.
_PLACE = re.compile(r"\b(?:the|this|that|its|other|each|either)(?:\s[a-z-]+)?\s$", re.IGNORECASE)
#: What makes a number a part of a whole.
_OF = re.compile(r"\s+of\b")
_BETWEEN_ENDS = re.compile(r"(?<=[^\s])\s?(?:-|–|—|~|to|至|到|and)\s?(?=\d)")
_UNITS_OF = [f"unit{n}" for n in range(1, 9)]
_ADDED = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}


def _said(text: str, found: re.Match[str]) -> Said | None:
    word = next((found[group] for group in _UNITS_OF if found[group]), "")
    unit = UNITS.get(word) or UNITS.get(word.lower()) if word else None
    factor = unit.factor if unit else 1.0
    span, dims = found.span(), unit.dimension if unit else None
    bound = _bound(text, *span)
    if found["low"] or found["from"]:
        low, high = _plain(found["low"] or found["from"]), _plain(found["high"] or found["to"])
        half = _half(found["low"] or found["from"]) * factor
        return Said(*span, low * factor, half, dims, upper=high * factor, decimals=True)
    if found["hundredths"]:
        return Said(*span, _plain(found["hundredths"]) / 100, _half(found["hundredths"]) / 100, (), bound)
    if found["digits"]:
        digits = found["digits"]
        if digits[0] in "-−" and span[0] and (text[span[0] - 1].isalnum() or text[span[0] - 1] in ")]%"):
            digits = digits[1:]
        value = _plain(digits) + _ADDED.get(found["plus1"], 0.0)
        return Said(*span, value * factor, _half(digits) * factor, dims, bound, decimals="." in digits)
    if found["below"]:
        return _fraction(span, _han(found["above"]) / (_han(found["below"]) or 1), 1.0, None, bound)
    if found["part"] or found["half"]:
        part = (found["part"] or "half").lower()
        count = (found["count"] or "").lower()
        if not count and (part != "half" or _PLACE.search(text, max(0, span[0] - 24), span[0])):
            return None  # an ordinal, the third chair, or a place
        many = 1.0 if count in ("", "a", "an", "one") else _VALUES.get(count, 1.0)
        return _fraction(span, many / _PARTS[part], factor, dims, bound)
    if found["words"]:
        value = _words(found["words"].lower()) + _ADDED.get(found["plus2"], 0.0)
        return Said(*span, value * factor, 0.5 * factor, dims, bound)
    if found["han"]:
        return Said(*span, _han(found["han"]) * factor, 0.5 * factor, dims, bound)
    value = _VALUES[found["weak"].lower()]
    if unit and value:  # "a metre" measures as "half a metre" does
        return _fraction(span, value, factor, dims, bound)
    return Said(*span, value * factor, 0.5 * factor, dims, bound, weak=True)


def _fraction(span: tuple[int, int], value: float, factor: float, dims: Dimension | None, bound: str) -> Said:
    return Said(*span, value * factor, ABOUT * value * factor, dims, bound, fraction=True)


def _bound(text: str, start: int, end: int) -> str:
    if found := _BEFORE.search(text, max(0, start - 24), start):
        return _BOUNDS[found["bound"].lower()]
    found = _BEHIND.match(text, end)
    return _AFTER[found["bound"].lower()] if found else ""


def _plain(digits: str) -> float:
    return float(digits.replace(",", "").replace("−", "-"))


def _half(digits: str) -> float:
    return float(0.5 * 10 ** -len(digits.partition(".")[2]))


def _words(words: str) -> float:
    total = 0.0
    for word in re.split(r"[ -]", words):
        total = max(total, 1.0) * _VALUES[word] if word in ("hundred", "dozen") else total + _VALUES[word]
    return total


def _han(letters: str) -> float:
    total, digit = 0, 0
    for letter in letters:
        if letter in "十百":
            total += (digit or 1) * (10 if letter == "十" else 100)
            digit = 0
        else:
            digit = _DIGIT[letter]
    return float(total + digit)
