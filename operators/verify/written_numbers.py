"""Numbers as they are written: the value, and how many digits stand behind it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dataflow_ext.text import lists, patterns, rows
from operators.verify.answer import Sameness
from operators.verify.expressions import evaluate
from operators.verify.numbers_in_text import number_of

#: Digits of the shorter number from which a rounded one counts as the same.
_ENOUGH_DIGITS = 3
_LARGEST_EXPONENT = 300
_MOST_DIGITS = 300
#: Letters of what may be a number in words or an expression.
_LONGEST = 200

_DECIMAL = re.compile(
    r"([+-]?) ?(\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+)?(\.\d+)?"
    r"(?: ?[eE] ?([+-]?\d{1,6})| ?[×x*·] ?10 ?\^ ?(?:\{ ?([+-]? ?\d{1,6}) ?\}|([+-]?\d{1,6})))?"
)
_POWER_OF_TEN = re.compile(r"([+-]?)10 ?\^ ?(?:\{ ?([+-]?\d{1,6}) ?\}|([+-]?\d{1,6}))")
_ABOUT = re.compile(rf"(?:{patterns(__package__, 'data/patterns.tsv')['about']}) *", re.IGNORECASE)
#: Words of numbers: of which power of ten they tell a multiple, and what others come to, shares apart from counts.
_POWERS, _SHARES, _COUNTS = (
    {word: Fraction(value) for of, word, value in rows(__package__, "data/multiples.tsv") if of == kind}
    for kind in ("power", "share", "count")
)
_MULTIPLE = re.compile(r"(.*\d) ?([a-z]+|[十百千万亿]+)", re.IGNORECASE)
_NUMERIC = re.compile(r"[\d½-¾⅐-⅞π零〇一二两三四五六七八九十百千万亿半]|\\(?:frac|sqrt|pi)|√")
#: What looks like a difference may be a range, a date, a score or a telephone number.
_HYPHENS = re.compile(r"[\d.,\s]+(?:-[\d.,\s]+)+|.*:.*|\d{1,2}/\d{1,2}/\d{2,4}")
#: Functions of an angle; without one, what is written with ° is an angle and not a number.
_TURNED = re.compile(r"sin|cos|tan|cot|sec|csc")
_LETTERS = re.compile(r"[A-Za-z㐀-鿿]+")
#: The words that arithmetic without variables may hold.
_KNOWN = lists(__package__, "data/lists.tsv")["arithmetic"]
_WRAPPED = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Value:
    """A number; ``places`` are its written decimals (None: it is exact), ``digits`` its significant digits."""

    amount: Fraction | float
    places: int | None = None
    digits: int = 0

    def times(self, factor: Fraction) -> Value:
        """The number times a factor, with as many significant digits."""
        if self.places is None or isinstance(self.amount, float):
            return Value(self.amount * factor)
        shift = round(math.log10(factor))
        return Value(self.amount * factor, self.places - shift if 10**shift == factor else None, self.digits)


def value_of(text: str) -> Value | None:
    r"""The number that a bare text is, digits, words or arithmetic; None if it is none.

    >>> value_of("1,234.50"), value_of("3 million")
    (Value(amount=Fraction(2469, 2), places=2, digits=6), Value(amount=Fraction(3000000, 1), places=-6, digits=1))
    """
    if len(text) > _MOST_DIGITS or (text[:1] == "{" and text[-1:] == "}" and text.find("}") == len(text.rstrip("}"))):
        # A set of one number is none.
        return None
    return _value(text)


@lru_cache(maxsize=4096)
def _value(text: str) -> Value | None:
    text = _bared(text)
    found = _decimal(text)
    if found is not None or not text or len(text) > _LONGEST:
        return found
    lower = text.lower()
    if lower in _COUNTS:
        return Value(_COUNTS[lower], 0, 3)
    if lower in _SHARES:
        return Value(_SHARES[lower])
    return _multiple(text) or _computed(text)


def same_value(one: Value, other: Value) -> Sameness:
    """Whether two numbers are the same: equal, or one is the other rounded to enough digits."""
    if _equal(one.amount, other.amount):
        return "yes"
    for rough, fine in ((one, other), (other, one)):
        if rough.places is not None and (fine.places is None or fine.places > rough.places) and _rounds(rough, fine):
            return "yes" if rough.digits >= _ENOUGH_DIGITS else "unsure"
    return "no"


def _equal(one: Fraction | float, other: Fraction | float) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    try:
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=0.0 if one and other else 1e-15)
    except OverflowError:
        return False


def _rounds(rough: Value, fine: Value) -> bool:
    """Whether a number with some decimals is another one rounded to them, halves away from zero."""
    assert rough.places is not None  # noqa: S101 - asked by same_value
    try:
        exact, short = Fraction(fine.amount), Fraction(rough.amount)
        apart = (exact - short) * Fraction(10) ** rough.places
    except (OverflowError, ValueError):
        return False
    half = Fraction(1, 2)
    if abs(apart) == half:
        return abs(short) > abs(exact)
    return abs(apart) < half


def _bared(text: str) -> str:
    """Without "about" and without brackets around the whole."""
    text = text.strip()
    for _ in range(3):
        about = _ABOUT.match(text)
        text = text[about.end() :] if about else text
        wrapped = _WRAPPED.fullmatch(text)
        text = wrapped[1].strip() if wrapped else text
    return text


def _decimal(text: str) -> Value | None:
    power = _POWER_OF_TEN.fullmatch(text)
    if power:
        exponent = int(power[2] or power[3])
        sign = -1 if power[1] == "-" else 1
        return Value(sign * Fraction(10) ** exponent) if abs(exponent) <= _LARGEST_EXPONENT else None
    found = _DECIMAL.fullmatch(text)
    if not found or not (found[2] or found[3]):
        return None
    whole, decimals = re.sub("[, ]", "", found[2] or ""), (found[3] or "")[1:]
    exponent = int((found[4] or found[5] or found[6] or "0").replace(" ", ""))
    if abs(exponent) > _LARGEST_EXPONENT:
        return None
    amount = Fraction(Decimal((whole or "0") + "." + (decimals or "0"))) * Fraction(10) ** exponent
    written = (whole + decimals).lstrip("0")
    marked = decimals or found[4] or found[5] or found[6]
    digits = len(written if marked else written.rstrip("0"))
    return Value(-amount if found[1] == "-" else amount, len(decimals) - exponent, digits)


def _multiple(text: str) -> Value | None:
    """A number times a word: 3 million, 1.2万, 5k."""
    found = _MULTIPLE.fullmatch(text)
    if not found:
        return None
    base = _decimal(found[1].strip())
    if base is None or isinstance(base.amount, float):
        return None
    if found[2].lower() == "dozen":
        return Value(base.amount * 12)
    # 60 mN are millinewtons: a short word's case tells.
    power = _POWERS.get(found[2].lower() if len(found[2]) > 2 else found[2])
    return base.times(Fraction(10) ** int(power)) if power else None


def _computed(text: str) -> Value | None:
    """What the readers of numbers and of arithmetic make of it."""
    if _HYPHENS.fullmatch(text) or (text.endswith("°") and not _TURNED.search(text)):
        return None
    number = number_of(text)
    if number is not None:
        whole = number.denominator == 1
        return Value(number, 0 if whole else None, len(str(abs(number.numerator)).rstrip("0")) if whole else 0)
    if not _NUMERIC.search(text) or not _KNOWN.issuperset(_LETTERS.findall(text)):
        return None
    amount = evaluate(text)
    return Value(amount) if isinstance(amount, Fraction | float) else None
