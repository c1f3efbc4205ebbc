"""Quantities as texts say them, in digits and words, English and Chinese: a whole phrase or none of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dataflow_ext.text.numerals import (
    CARDINAL,
    DIGITS,
    HAN,
    HAN_DIGIT,
    WORDS,
    any_of,
    cardinal,
    digits_of,
    hedges,
    words_of,
)
from dataflow_ext.text.units import UNITS, Dimension, Unit, dimension

#: How near words are that have no digits, and what "about" allows.
ABOUT = 0.1


@dataclass(frozen=True, slots=True)
class Said:
    """A number in a text, in base units; ``dimension`` is None without a unit, ``half`` half of its last digit.

    ``bound`` is what the words around it make of it: "" (exactly), about, over, under, just over, just under.
    ``upper`` is the end of a range. ``weak`` words ("a", "no", "both") say a number only where no other does.
    ``whole`` is a part of something, "a third of it"; ``compares`` what is more or less of it, "a sixth wider",
    宽了六分之一. ``unread`` is a phrase of which only a part could be read, so that its value is none.
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
    compares: bool = False
    unread: bool = False

    @property
    def is_measured(self) -> bool:
        """Whether it has a unit or decimals, so that somebody must have measured it."""
        return not self.weak and (self.dimension is not None or self.decimals or (self.fraction and self.half > 0))


def said_in(text: str) -> Iterator[Said]:
    """The numbers of a text, from left to right; weak words too.

    >>> [(each.value, each.bound) for each in said_in("nearly a metre and a half and 12 % of two chairs")]
    [(1.5, 'just under'), (0.12, ''), (2.0, '')]
    """
    place = 0
    while found := _BEGIN.search(text, place):
        place = found.end()
        for way, read in _WAYS:
            if match := way.match(text, found.start()):
                number = read(match)
                if number and not (number.place and _PLACE.search(text, max(0, match.start() - 24), match.start())):
                    said = _said(text, match, number)
                    yield said
                    place = said.end
                    break


@dataclass(frozen=True, slots=True)
class _Number:
    """What a way of saying a number reads, in its unit; ``place`` if "the" before it makes it a place."""

    value: float
    half: float
    upper: float | None = None
    fraction: bool = False
    weak: bool = False
    decimals: bool = False
    place: bool = False
    dimension: Dimension | None = None


_PARTS, _SIGNS, _TURNS, _SCALES = (words_of(role) for role in ("fraction", "sign", "turn", "scale"))
_WEAK, _ANGLE = words_of("weak"), dimension("deg")
_BOUNDS, _INSIDE, _AFTER = hedges(), hedges("inside"), hedges("after")

_PART, _SIGN = f"(?:{any_of(_PARTS)})", f"[{''.join(_SIGNS)}]"
_ANY_UNIT = f"(?:{any_of(UNITS)})"
_UNIT = rf"(?:\s?-?\s?(?P<unit>{_ANY_UNIT}))"
_TURN = rf"(?:[ -]?(?P<turn>{any_of(_TURNS)}))"
_MANY = rf"(?P<many>{CARDINAL}|an?(?![A-Za-z])|one(?![A-Za-z]))"
_PARTS_OF = rf"(?:(?P<parts>an?|one|{CARDINAL})[ -])(?P<part>{_PART})"
#: Hedges between a number and its unit: "20多厘米", "a good metre".
_WITHIN = rf"(?P<inside>{any_of(word for word in _INSIDE if not word.isascii())})?"
_ADJECTIVE = rf"(?: (?P<inside>{any_of(word for word in _INSIDE if word.isascii())}))?"
#: What counts things in Chinese, before which a digit is a count of its own.
_CLASSIFIER = "[把张个只盏件台扇块组人盆幅]"

_BEGIN = re.compile(rf"(?<![A-Za-z0-9_.])(?:[-−]?\d|{_SIGN}|半|{HAN}|{WORDS}|{_PART}|{any_of(_WEAK)})", re.IGNORECASE)
#: Hedges before a number, and before what it is a part of: "不到整个厨房的十分之一".
_BEFORE = re.compile(
    rf"(?:(?<![A-Za-z])(?P<bound>{any_of(_BOUNDS)}))\s*(?:by |of |an? |[^\s，。；：、,.;:\d]{{1,12}}的)?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"\s*(?P<bound>{any_of(_AFTER)})", re.IGNORECASE)
#: "the east half" is a place.
_PLACE = re.compile(r"\b(?:the|this|that|its|other|each|either)(?:\s[a-z-]+)?\s$", re.IGNORECASE)
#: What makes a number a part of a whole.
_OF = re.compile(r"\s+of\b")
#: What makes a number a difference: a comparative behind it; 比, a grown or shrunk thing or "by" before it.
_COMPARED = re.compile(r"\s*(?:as much )?(?:[a-z]+er|more|less|further|again|up|down)\b", re.IGNORECASE)
_COMPARING = re.compile(
    r"(?:比[^，。；,.;]{0,20}|[多少宽窄高矮低大小长短深浅远近厚薄增减][加少小]?了?|\bby (?:[a-z]+ )?)"
    rf"(?:{any_of(_BOUNDS)})?\s*$"
)
#: More of a phrase behind what was read of it: it says another number.
_MORE = re.compile(
    rf"\sagain\b|\sor\stwo\b|-odd\b|(?<=[a-z])\s(?:{WORDS})\b(?!\s?{_ANY_UNIT})|\s?{_SIGN}|\s\d+/\d+"
    r"|(?<=[零〇一二两三四五六七八九十百千万半])[零〇一二两三四五六七八九十百千万半几]+|分之|成半"
)


def _range(found: re.Match[str]) -> _Number | None:
    low, high = cardinal(found["low"]), cardinal(found["high"])
    return _Number(low[0], low[1], high[0], decimals=True) if low and high else None


def _neighbours(found: re.Match[str]) -> _Number | None:
    """两三米: two digits in a row are the ends of a range."""
    low, high = (cardinal(f"{found[end]}{found['place'] or ''}") for end in ("low", "high"))
    near = int(digits_of(found["high"])) - int(digits_of(found["low"])) == 1
    return _Number(low[0], 0.5, high[0]) if low and high and near else None


def _hundredths(found: re.Match[str]) -> _Number | None:
    many = cardinal(found["many"])
    return many and _Number(many[0] / 100, many[1] / 100, dimension=())


def _tenths(found: re.Match[str]) -> _Number | None:
    """两成五: tenths, and hundredths behind them."""
    many, rest = cardinal(found["many"]), found["rest"] or ""
    more = 0.05 if rest == "半" else int(digits_of(rest) or 0) / 100
    return many and _near(many[0] / 10 + more, fraction=True, dimension=())


def _quotient(found: re.Match[str]) -> _Number | None:
    of, above, below = (cardinal(found[part] or "零") for part in ("of", "above", "below"))
    return _near(of[0] + above[0] / below[0], fraction=not of[0]) if of and above and below and below[0] else None


def _sign(found: re.Match[str]) -> _Number | None:
    many = cardinal(found["many"] or "零")
    return many and _near(many[0] + _SIGNS[found["sign"]], fraction=not found["many"])


def _mixed(found: re.Match[str]) -> _Number | None:
    """A number and a part, on whichever side of the unit the part stands."""
    many, parts = cardinal(found["many"]), cardinal(found.groupdict().get("parts") or "a")
    part = _PARTS[(found["part"] or "half").lower()]
    return many and parts and _near(many[0] + parts[0] / part)


def _decimals(found: re.Match[str]) -> _Number | None:
    """一米七五: digits behind the unit are its decimals."""
    many, digits = cardinal(found["many"]), digits_of(found["rest"])
    return many and _Number(many[0] + float(f"0.{digits}"), 0.5 * 10 ** -len(digits), decimals=True)


def _part(found: re.Match[str]) -> _Number | None:
    part = _PARTS[found["part"].lower()]
    scale = _SCALES.get((found["scale"] or "").lower()) or _TURNS.get((found["turn"] or "").lower())
    if not (found["many"] or part == 2 or found["unit"] or scale):
        return None  # an ordinal, the third chair
    many = cardinal(found["many"] or "a")
    dims = _ANGLE if found["turn"] else None
    return many and _near(many[0] / part * (scale or 1.0), not found["scale"], place=not found["many"], dimension=dims)


def _half(found: re.Match[str]) -> _Number:
    dims = _ANGLE if found["turn"] else None
    return _near(0.5 * _TURNS.get(found["turn"] or "", 1.0), fraction=True, dimension=dims)


def _plain(found: re.Match[str]) -> _Number | None:
    words, unit = found["many"], _unit(found["unit"])
    many = cardinal(words if words[0] not in "-−" or _is_sign(found) else words[1:])
    if many is None:
        return None
    value, half = many
    times = unit is not None and not unit.dimension and unit.factor == 1 and half == 0.5
    if times or not words[-1].isdigit():  # "two times" is as near as "twice"
        half = ABOUT * abs(value) if times else min(half, ABOUT * abs(value))
    return _Number(value, half, decimals="." in words or "点" in words)


def _is_sign(found: re.Match[str]) -> bool:
    """Whether a minus is one, and no dash behind a word."""
    before = found.string[: found.start()][-1:]
    return not (before.isalnum() or before in tuple(")]%"))


def _weak(found: re.Match[str]) -> _Number:
    value = _WEAK[found["many"].lower()]
    # "A metre" measures as "half a metre" does.
    return _near(value, fraction=True) if found.groupdict().get("unit") and value else _Number(value, 0.5, weak=True)


def _near(value: float, fraction: bool = False, *, place: bool = False, dimension: Dimension | None = None) -> _Number:
    return _Number(value, ABOUT * value, fraction=fraction, place=place, dimension=dimension)


_Read = Callable[[re.Match[str]], _Number | None]
_PATTERNS: tuple[tuple[str, _Read], ...] = (
    (rf"(?P<low>{DIGITS}|{HAN})\s?{_ANY_UNIT}?\s?(?:[-–—~至到或]|to|or)\s?(?P<high>{DIGITS}|{HAN}){_UNIT}", _range),
    (rf"(?P<low>{CARDINAL}|one) (?:{_ANY_UNIT} )?(?:to|or) (?P<high>{CARDINAL}){_UNIT}", _range),
    (rf"(?<=between )(?P<low>{CARDINAL}|one)\s?{_ANY_UNIT}? and (?P<high>{CARDINAL}){_UNIT}", _range),
    (rf"(?P<low>{HAN_DIGIT})(?P<high>{HAN_DIGIT})(?P<place>[十百])?(?!{HAN_DIGIT}|[十百]){_UNIT}?", _neighbours),
    (rf"百分之(?P<many>{CARDINAL})", _hundredths),
    (rf"(?P<many>{CARDINAL})成(?P<rest>半|[一二三四五六七八九])?(?![为套功熟了对不])", _tenths),
    (rf"(?:(?P<of>{HAN}|\d+)又)?(?P<below>{HAN})分之(?P<above>{HAN}){_UNIT}?", _quotient),
    (rf"(?:(?P<of>\d+) )?(?P<above>\d+)/(?P<below>\d+)(?![\d/]){_UNIT}?", _quotient),
    (rf"(?P<many>\d+)?\s?(?P<sign>{_SIGN})(?:(?: of)?(?: an?(?= ))?{_UNIT})?", _sign),
    (rf"{_MANY}[ -]and[ -]{_PARTS_OF}{_UNIT}?", _mixed),
    (rf"{_MANY}{_UNIT} and {_PARTS_OF}(?! of|{_TURN})", _mixed),
    (rf"{_MANY}{_UNIT}(?P<part>)半(?![边侧部区面个])", _mixed),
    (rf"{_MANY}个(?P<part>)半{_UNIT}?", _mixed),
    (rf"(?P<many>{HAN})(?P<unit>米)(?P<rest>[一二三四五六七八九]{{1,2}})(?!{_CLASSIFIER}|[十百成米分]|{_ANY_UNIT})",
     _decimals),
    (rf"(?P<many>\d+)(?P<unit>米)(?P<rest>\d\d)(?!\d|\.\d|\s?{_ANY_UNIT}|{_CLASSIFIER})", _decimals),
    (rf"(?:{_MANY}[ -])?(?P<part>{_PART})(?:(?: of)?(?: an?(?=[ -]))?"
     rf"(?: (?P<scale>{any_of(_SCALES)})|{_UNIT}|{_TURN}))", _part),
    (rf"(?:{_MANY}[ -])?(?P<part>{_PART})(?P<scale>)(?P<turn>)(?P<unit>)?", _part),
    (rf"一?半(?![边侧部区面圆径开])(?:{_TURN}|{_UNIT})?", _half),
    (rf"(?P<many>[-−]?{DIGITS}){_WITHIN}{_UNIT}?(?![A-Za-z0-9_]|\.\d)", _plain),
    (rf"(?P<many>{WORDS}){_UNIT}?", _plain),
    (rf"(?P<many>(?!一(?![十百千万点])){HAN})(?!分){_WITHIN}{_UNIT}?", _plain),
    (rf"(?P<many>an?|one){_ADJECTIVE}{_UNIT}", _weak),
    (rf"(?P<many>{any_of(_WEAK)})(?: of)?{_UNIT}", _weak),
    (rf"(?P<many>{any_of(_WEAK)})", _weak),
)  # fmt: skip
#: The ways to say a number: the first that fits counts, so a whole phrase stands before its parts.
_WAYS = tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in _PATTERNS)


def _said(text: str, found: re.Match[str], number: _Number) -> Said:
    """What a way of saying a number found, with its unit and the words around it."""
    groups, end = found.groupdict(), found.end()
    unit = _unit(groups.get("unit"))
    factor, dims = (unit.factor, unit.dimension) if unit else (1.0, number.dimension)
    more = _MORE.match(text, end)
    return Said(
        found.start(),
        more.end() if more else end,
        number.value * factor,
        number.half * factor,
        dims,
        _INSIDE.get((groups.get("inside") or "").lower()) or _bound(text, found.start(), end),
        None if number.upper is None else number.upper * factor,
        number.fraction,
        number.weak,
        number.decimals,
        _OF.match(text, end) is not None,
        bool(_COMPARED.match(text, end) or _COMPARING.search(text, max(0, found.start() - 24), found.start())),
        more is not None,
    )


def _unit(word: str | None) -> Unit | None:
    return UNITS.get(word or "") or UNITS.get((word or "").lower())


def _bound(text: str, start: int, end: int) -> str:
    if found := _BEFORE.search(text, max(0, start - 24), start):
        return _BOUNDS[found["bound"].lower()]
    found = _BEHIND.match(text, end)
    return _AFTER[found["bound"].lower()] if found else ""
