"""Numbers with a unit, a currency or a thing that is counted: how they are read, and when two are the same; angles."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dataflow_ext.text import patterns
from dataflow_ext.text.nouns import singular
from operators.verify.answer import AnswerType, Equivalence, Sameness
from operators.verify.expressions import evaluate
from operators.verify.questions import Asked
from operators.verify.units import AMBIGUOUS, Measure, Unit, measure_of, unit_of
from operators.verify.written_numbers import Value, same_value, value_of

_LONGEST = 120
_MOST_SPLITS = 10
_PERCENT: Unit = (("percent", 1),)
_CURRENCY = re.compile(r"([+-]?) ?(US\$|USD|RMB|CNY|EUR|GBP|JPY|[$€£¥￥]) ?(.+)")
#: Behind a sum of money: $3M.
_SHORT = re.compile(r"(\d) ?([KkMmBb])n?$")
_SHORT_FOR = {"k": " thousand", "m": " million", "b": " billion"}
_SPLIT = re.compile(r"(?:(?<=[\d\s)}π½¼¾零一二两三四五六七八九十百千万亿半])(?=[^\d\s]))")
_ABOUT = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|nearly|大约|大概|约为|约等于|约|≈|~|=) *", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:an?)$|\s+(?:an?|of an?|of)$", re.IGNORECASE)
_CLASSIFIER = re.compile(r"^[个只名位件本张条辆棵朵头颗支枚座种](?=.)|^[个只名位件本张条辆棵朵头颗支枚座种]$")
#: Words that no counted thing has in its name: a clause goes on with them.
_CLAUSE = re.compile(rf"\b(?:{patterns(__package__, 'data/patterns.tsv')['clause']})\b", re.IGNORECASE)
_ASKED = r"(?:几|多少)\s*[个只名位件本张条辆棵朵头颗支枚座种]?\s*"
_NOUN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,3}")
_NO_THING = re.compile(r"(?:no|zero)\s+([^\W\d_]+)", re.IGNORECASE)
_CHINESE_PERCENT = re.compile(r"百分之(.+)")
_ENERGY = {"joule", "calorie", "electron_volt", "watt_hour"}

_DEGREES = re.compile(r"(?P<number>.{1,60}?)\s*(?:°|\^\\circ|\^\{\\circ\}|degrees?|度)\s*\Z", re.IGNORECASE)
_PI = re.compile(r"π|\\pi|\bpi\b")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number; ``unit`` None and ``noun`` empty: a bare one."""

    value: Value
    unit: Unit | None = None
    noun: str = ""
    #: The thing as it is written, where that may be a symbol: Gs is not gs.
    symbol: str = ""

    @property
    def bare(self) -> bool:
        """Whether it is a number and nothing else."""
        return self.unit is None and not self.noun


@lru_cache(maxsize=4096)
def quantity_of(text: str) -> Quantity | None:
    """The number, with its unit or what it counts, that a bare text is; None if it is none.

    >>> quantity_of("60 N").unit, quantity_of("$5").unit, quantity_of("7 apples").noun
    ((('newton', 1),), (('USD', 1),), 'apple')
    """
    if not text or len(text) > _LONGEST:
        value = value_of(text) if text else None
        return Quantity(value) if value is not None else None
    about = _ABOUT.match(text)
    text = text[about.end() :] if about else text
    share = _CHINESE_PERCENT.fullmatch(text)
    if share and (value := value_of(share[1])) is not None:
        return Quantity(value, _PERCENT)
    money = _CURRENCY.fullmatch(text)
    if money:
        return _money(money[1], money[2], money[3])
    if not text.endswith(("%", "percent", "per cent")) and (value := value_of(text)) is not None:
        return Quantity(value)
    return _split(text)


def counted(text: str, about: Asked) -> str:
    """The answer, or "0" where "none" or "no apples" answers how many there are."""
    if not about.count:
        return text
    thing = _NO_THING.fullmatch(text)
    named = {singular(word) for word in about.words}
    if text.lower() in ("none", "没有", "zero") or (thing and singular(thing[1].lower()) in named):
        return "0"
    return text


def compare_quantities(one: Quantity, other: Quantity, about: Asked) -> Equivalence:
    """Whether two quantities are the same; a bare number gets the unit that the question asks for."""
    if one.bare and other.bare:
        return _told(same_value(one.value, other.value), "The numbers are", "number")
    if one.bare:
        return _with_bare(other, one, about)
    if other.bare:
        return _with_bare(one, other, about)
    if one.unit is not None and other.unit is not None:
        return _with_units(one, one.unit, other, other.unit)
    return _with_nouns(one, other)


def _money(sign: str, currency: str, rest: str) -> Quantity | None:
    rest = _SHORT.sub(lambda found: found[1] + _SHORT_FOR[found[2].lower()], rest)
    found = quantity_of(rest) if rest[:1] not in "+-$€£¥￥" else None
    unit = unit_of(currency)
    if found is None or unit is None or found.noun:
        return None
    if found.unit is not None and found.unit != unit:
        return None
    value = found.value
    return Quantity(replace(value, amount=-value.amount) if sign == "-" else value, unit)


def _split(text: str) -> Quantity | None:
    """The text as a number and a unit, the longest unit that there is; else as a number and a noun."""
    places = [found.start() for found in _SPLIT.finditer(text)][:_MOST_SPLITS]
    for place in places:
        unit = unit_of(text[place:])
        if unit is not None and (value := _before(text[:place])) is not None:
            return Quantity(value, unit)
    for place in reversed(places):
        if "%" in text[:place] or "percent" in text[:place]:
            # "50% of the budget" is a share of something, and counts nothing.
            continue
        noun = _CLASSIFIER.sub("", text[place:].strip())
        if noun and (not _NOUN.fullmatch(noun) or _CLAUSE.search(noun) or (len(noun) == 1 and noun.isascii())):
            continue
        if not _ARTICLE.match(text[:place].strip()) and (value := _before(text[:place])) is not None:
            symbol = noun if len(noun) < 4 and noun.isascii() and noun.isalpha() else ""
            return Quantity(value, None, " ".join(map(singular, noun.lower().split())), symbol)
    return None


def _before(text: str) -> Value | None:
    text = text.strip().rstrip("-")
    if text.lower() in ("a", "an"):
        return Value(Fraction(1), 0, 1)
    return value_of(_ARTICLE.sub("", text))


def _told(verdict: Sameness, subject: str, kind: AnswerType = "quantity") -> Equivalence:
    ends = {
        "yes": "the same.",
        "no": "not the same.",
        "unsure": "the same only if one of them is rounded to less than three digits.",
    }
    return Equivalence(verdict, f"{subject} {ends[verdict]}", kind)


def _with_units(one: Quantity, mine: Unit, other: Quantity, its: Unit) -> Equivalence:
    if mine == its:
        return _told(same_value(one.value, other.value), "The numbers, with one unit, are")
    try:
        here, there = measure_of(mine), measure_of(its)
    except (OverflowError, ZeroDivisionError):
        return Equivalence("unsure", "The units cannot be converted.", "quantity")
    alike = same_value(one.value, other.value) != "no"
    if here.dimensions != there.dimensions:
        if alike and may_be(mine, its):
            return Equivalence("unsure", "One of the units may stand for the other or not.", "quantity")
        return Equivalence("no", "The units measure different things.", "quantity")
    verdict = _converted(one.value, here, other.value, there)
    if verdict == "yes" and _torque(mine) != _torque(its) and (_energy(mine) or _energy(its)):
        return Equivalence("unsure", "One may be a torque and the other an energy.", "quantity")
    return _told(verdict, "In one unit, the numbers are")


def _converted(one: Value, here: Measure, other: Value, there: Measure) -> Sameness:
    """Whether they are the same in base units, or one in the other's unit is the other, rounded."""
    try:
        first = float(one.amount) * here.factor + here.offset
        second = float(other.amount) * there.factor + there.offset
        if math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9 if here.offset or there.offset else 0.0):
            return "yes"
        in_mine = same_value(one, Value((second - here.offset) / here.factor))
        in_its = same_value(other, Value((first - there.offset) / there.factor))
    except (OverflowError, ZeroDivisionError):
        return "unsure"
    found = {in_mine, in_its}
    return "yes" if "yes" in found else "unsure" if "unsure" in found else "no"


def may_be(one: Unit, other: Unit) -> bool:
    """Whether the sign of one unit may stand for the other: ° for °C, ¥ for yen."""
    if len(one) != 1 or len(other) != 1:
        return False
    return other[0][0] in AMBIGUOUS.get(one[0][0], ()) or one[0][0] in AMBIGUOUS.get(other[0][0], ())


def _torque(unit: Unit) -> bool:
    return len(unit) == 2 and any("newton" in name for name, _ in unit) and all(power == 1 for _, power in unit)


def _energy(unit: Unit) -> bool:
    return len(unit) == 1 and any(unit[0][0].endswith(name) for name in _ENERGY)


def _with_bare(full: Quantity, bare: Quantity, about: Asked) -> Equivalence:
    """A quantity and a number without a unit."""
    if full.unit == _PERCENT:
        return _with_share(full, bare, about)
    alike = same_value(full.value, bare.value)
    if full.unit is None:
        if alike == "yes" and _asks_how_many(full.noun, about):
            told = "The numbers are the same, and the question asks how many of these there are."
            return Equivalence("yes", told, "number")
        if alike == "no":
            return Equivalence("no", "The numbers are not the same.", "number")
        return Equivalence("unsure", "One of them does not say what the number counts.", "number")
    if about.unit is not None:
        found = _with_units(full, full.unit, Quantity(bare.value, about.unit), about.unit)
        if found.verdict != "no" or same_dimensions(full.unit, about.unit):
            return found
    if alike == "no" and not _shifted(full.value, bare.value):
        return Equivalence("no", "The numbers are not the same.", "quantity")
    return Equivalence("unsure", "One of them has no unit, and the question does not name it.", "quantity")


def _asks_how_many(noun: str, about: Asked) -> bool:
    """Whether a question asks how many of a thing there are, in Chinese too: 几只狗, 狗有几只."""
    words = noun.split()
    if about.counted and singular(about.counted[-1]) in words:
        return True
    if not about.count or not noun:
        return False
    if set(words) <= set(map(singular, about.words)):
        return True
    asked = rf"{_ASKED}{re.escape(noun)}|{re.escape(noun)}[^,.?]{{0,6}}{_ASKED}(?:\?|$)"
    return not noun.isascii() and re.search(asked, about.text) is not None


def same_dimensions(one: Unit, other: Unit) -> bool:
    """Whether two units measure the same."""
    try:
        return one == other or measure_of(one).dimensions == measure_of(other).dimensions
    except (OverflowError, ZeroDivisionError):
        return False


def _with_share(share: Quantity, bare: Quantity, about: Asked) -> Equivalence:
    as_share = same_value(share.value.times(Fraction(1, 100)), bare.value)
    as_written = same_value(share.value, bare.value)
    if about.share:
        if as_written != "no":
            return _told(as_written, "The question asks for a percentage, and the numbers are", "number")
        if as_share != "no":
            return Equivalence("unsure", "A share stands where the question asks for a percentage.", "number")
        return Equivalence("no", "The percentages are not the same.", "number")
    if as_share != "no":
        return _told(as_share, "The percentage and the number are", "number")
    if as_written != "no":
        return Equivalence("unsure", "One of them is a percentage, and the other does not say so.", "number")
    return Equivalence("no", "The numbers are not the same.", "number")


def _shifted(one: Value, other: Value) -> bool:
    """Whether two numbers are the same but for the place of the point, as in other multiples of a unit."""
    try:
        power = math.log10(abs(float(one.amount)) / abs(float(other.amount)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return False
    return abs(power - round(power)) < 1e-9 and (one.amount > 0) == (other.amount > 0) and abs(power) >= 2.5


def _with_nouns(one: Quantity, other: Quantity) -> Equivalence:
    alike = same_value(one.value, other.value)
    if alike == "no":
        return Equivalence("no", "The numbers are not the same.", "quantity")
    mine, its = one.noun.split(), other.noun.split()
    if mine == its and one.symbol != other.symbol and one.symbol.lower() == other.symbol.lower():
        return Equivalence("unsure", "What is counted differs in the case of letters alone.", "quantity")
    if mine == its and alike == "yes":
        return Equivalence("yes", "Number and thing are the same.", "quantity")
    if mine and its and not set(mine) & set(its) and one.unit is None and other.unit is None:
        return Equivalence("no", "The numbers are of different things.", "quantity")
    return Equivalence("unsure", "The numbers are the same, but perhaps not what they count.", "quantity")


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
