"""Equations, expressions with variables, inequalities and intervals: [1, 2) is 1 <= x < 2."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dataflow_ext.text import lists, patterns
from operators.verify.answer import Compare, Equivalence
from operators.verify.expressions import evaluate, same_expression
from operators.verify.quantities import quantity_of
from operators.verify.times import dates_of
from operators.verify.written_numbers import value_of

_LONGEST = 300
_NAME = re.compile(
    r"(?:m?[∠△]\s*[A-Za-z]{1,4}'?|\|?[A-Za-z][A-Za-z]{0,3}(?:_?\{?[A-Za-z0-9]{1,4}\}?)?'?\|?|[α-ωθ]|\\[a-z]{2,7}"
    r"|[A-Za-z]{4,14}(?: [a-z]{2,14}){0,2})"
)
_CALL = re.compile(r"[a-zA-Z]'?\s*\(\s*[a-zA-Z]\s*\)")
_VARIABLE = re.compile(r"(?<![A-Za-z\\])([A-Za-z])(?![A-Za-z])")
_FUNCTIONS = lists(__package__, "data/lists.tsv")["functions"]
_WORDY = re.compile(r"[㐀-鿿:]|'s\b|\b(?:is|in|of|to|an|at|on|by|or|it|no|am|pm|if|as|we|he)\b")
_LETTERS = re.compile(r"[A-Za-z]+")
_OPERATORS = re.compile(r"[\d^*/+=\\√π²³]|\w ?- ?\w|\w\(|^[-+] ?\(?[A-Za-z]")
_TRIED = (3, 5, 7)

#: Letters of intervals, and how many of them may be joined.
_LONGEST_INTERVAL = 200
_MOST_INTERVALS = 8
_LARGEST = 10**300
_BRACKETS = re.compile(r"([\[(\]])\s*([^,;()\[\]]{1,40})\s*[,;]\s*([^,;()\[\]]{1,40})\s*([\])\[])")
_IN = re.compile(r"([A-Za-z]\w?)\s*(?:∈|\bin\b|属于)\s*(.+)")
_RELATION = re.compile(r"(<=|>=|=<|=>|≤|≥|<|>)")
#: Without one of these, a text is no interval.
_SIGNS = re.compile(
    r"[<>≤≥∪∈]|[\[(\]].*[,;]|\d.*(?:or|and|以) ?|\b(?:at|no|not|up|more|less|greater|fewer|over|under|above|below|"
    r"larger|smaller|exceeds)\b|[不至最大小超多少低]",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(r"[A-Za-z](?:_?\w)?|\\?(?:theta|alpha|beta|lambda)|[α-ω]")
_UNION = re.compile(r"\s*(?:∪|\bU\b|\bor\b|或|并)\s*")
#: What says in words that a number is a bound, by the relation that it has to what is bounded.
_WORDS = {
    relation: re.compile(pattern, re.IGNORECASE)
    for relation, pattern in patterns(__package__, "data/intervals.tsv").items()
}
_RANGE = re.compile(r"([+-]?\d[\d,]*(?:\.\d+)?) ?(?:-|~|to|至|到) ?(\d[\d,]*(?:\.\d+)?)((?: ?[^\d\s].{0,20})?)")

Number = Fraction | float


def assigned(text: str) -> tuple[str, str] | None:
    """The name and what is given to it, of a text as "x = 3" or "f(x) = x + 1"."""
    if len(text) > _LONGEST or text.count("=") != 1 or any(sign in text for sign in "<>≤≥≠"):
        return None
    left, right = (part.strip() for part in text.split("="))
    if not left or not right:
        return None
    return (left, right) if _NAME.fullmatch(left) or _CALL.fullmatch(left) else None


def compare_equations(one: str, other: str, compare: Compare) -> Equivalence | None:
    """Whether two texts, one of them with "=" at least, say the same; None for others."""
    if "=" not in one and "=" not in other:
        return None
    first, second = assigned(one), assigned(other)
    if first and second and (_closed(first[1]) or _closed(second[1])):
        return _two_values(first, second, compare)
    if first and second is None and "=" not in other:
        return _value_and_bare(first, other, compare)
    if second and first is None and "=" not in one:
        return _value_and_bare(second, one, compare)
    return _equations(one, other)


def compare_expressions(one: str, other: str) -> Equivalence | None:
    """Whether two expressions with variables are the same; None unless both look like some."""
    if not (looks_like_maths(one) and looks_like_maths(other)):
        return None
    verdict = same_expression(one, other)
    if verdict == "no" and one.casefold() == other.casefold():
        return Equivalence("unsure", "The expressions differ in the case of letters alone.", "expression")
    ends = {"yes": "have the same values.", "no": "do not have the same values.", "unsure": "could not be compared."}
    return Equivalence(verdict, f"The expressions {ends[verdict]}", "expression")


def looks_like_maths(text: str) -> bool:
    """Whether a text is written in signs, numbers and single letters, without words."""
    if not text or len(text) > _LONGEST or "..." in text:
        return False
    words = _LETTERS.findall(text)
    if any(len(word) > 2 and not word.isupper() and word.lower() not in _FUNCTIONS for word in words):
        return False
    if _WORDY.search(text) or any(len(word) > 4 and word.lower() not in _FUNCTIONS for word in words):
        return False
    if len(text) == 1:
        return text.isalpha()
    return bool(_OPERATORS.search(text)) and text.isprintable()


def _closed(text: str) -> bool:
    """Whether a right side is a value, without variables."""
    return quantity_of(text) is not None


def _two_values(one: tuple[str, str], other: tuple[str, str], compare: Compare) -> Equivalence:
    verdict = compare(one[1], other[1])
    if one[0] == other[0]:
        return Equivalence(
            verdict, f"What {one[0]} is given is {'' if verdict == 'yes' else 'not surely '}the same.", "expression"
        )
    if len(one[0]) > 1 and len(other[0]) > 1 and verdict != "no":
        return Equivalence("unsure", "The same value is given to two names.", "expression")
    return Equivalence("no", "Values are given to different names.", "expression")


def _value_and_bare(named: tuple[str, str], bare: str, compare: Compare) -> Equivalence | None:
    name, value = named
    verdict = compare(value, bare)
    if verdict != "yes" or _closed(value) or _CALL.fullmatch(name):
        return Equivalence(verdict, f"Compared with what {name} is given.", "expression")
    return Equivalence("unsure", "One of them is an equation, the other one side of it.", "expression")


def _equations(one: str, other: str) -> Equivalence | None:
    sides = [text.split("=") for text in (one, other)]
    if any(len(each) != 2 for each in sides) or not (looks_like_maths(one) and looks_like_maths(other)):
        return None
    first, second = (f"({left.strip()})-({right.strip()})" for left, right in sides)
    for factor in (*_factors(first, second), Fraction(1), Fraction(-1)):
        verdict = same_expression(first, f"({factor})*({second})")
        if verdict == "yes":
            return Equivalence("yes", "The equations are the same, or one is a multiple of the other.", "expression")
        if verdict == "unsure":
            return Equivalence("unsure", "The equations could not be compared.", "expression")
    return Equivalence("no", "The equations are not the same.", "expression")


def _factors(one: str, other: str) -> list[Fraction]:
    """What the second must be multiplied by to be the first, from their values at one place."""
    names = sorted(set(_VARIABLE.findall(one)) | set(_VARIABLE.findall(other)))
    for start in _TRIED:
        places = {name: f"({start + 4 * number})" for number, name in enumerate(names)}
        here, there = (evaluate(_placed(text, places)) for text in (one, other))
        if isinstance(here, Fraction) and isinstance(there, Fraction) and here and there:
            return [here / there]
    return []


def _placed(text: str, places: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: places[found[1]], text)


def is_formula(text: str) -> bool:
    """Whether a text is an expression with a variable, or an equation."""
    return looks_like_maths(text) and value_of(text) is None


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two, each end with whether it belongs to them."""

    low: Number
    low_closed: bool
    high: Number
    high_closed: bool


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of a variable ("": not named); ``pair`` if it may as well be a pair of numbers, (1, 2)."""

    parts: tuple[Interval, ...]
    variable: str = ""
    pair: bool = False


def intervals_of(text: str) -> Intervals | None:
    """The intervals that a bare text is.

    >>> intervals_of("[1,2)").parts == intervals_of("1 <= x < 2").parts
    True
    """
    if not text or len(text) > _LONGEST_INTERVAL or not _SIGNS.search(text):
        return None
    named = _IN.fullmatch(text)
    variable, text = (named[1], named[2]) if named else ("", text)
    pieces = _UNION.split(text)
    if len(pieces) > _MOST_INTERVALS:
        return None
    found = [_interval(piece.strip()) for piece in pieces]
    parts = [each for each in found if each is not None]
    if len(parts) != len(pieces):
        return None
    names = {name for _, name, _ in parts if name} | ({variable} if variable else set())
    if len(names) > 1:
        return None
    ends = tuple(sorted((part for part, _, _ in parts), key=lambda part: (part.low, part.high)))
    return Intervals(ends, next(iter(names), ""), not variable and len(parts) == 1 and parts[0][2])


def range_of(text: str) -> tuple[str, str] | None:
    """The ends of 3-5, 3 to 5 or 3-5 kg, each with the unit.

    >>> range_of("3-5 kg"), range_of("5")
    (('3 kg', '5 kg'), None)
    """
    found = _RANGE.fullmatch(text) if len(text) <= 80 and not dates_of(text) else None
    return (found[1] + found[3], found[2] + found[3]) if found else None


def compare_intervals(one: str, other: str) -> Equivalence | None:
    """Whether two texts are the same intervals; None unless both are some, and one of them surely."""
    first, second = intervals_of(one), intervals_of(other)
    if first is None or second is None or (first.pair and second.pair):
        return None
    if first.variable and second.variable and first.variable != second.variable:
        return Equivalence("no", "The intervals are of different variables.", "list")
    if first.parts == second.parts:
        return Equivalence("yes", "The intervals are the same.", "list")
    return Equivalence("no", "The intervals are not the same.", "list")


def _interval(text: str) -> tuple[Interval, str, bool] | None:
    """An interval, its variable, and whether it may be a pair."""
    brackets = _BRACKETS.fullmatch(text)
    if brackets:
        low, high = _end(brackets[2]), _end(brackets[3])
        if low is None or high is None or low > high:
            return None
        open_low, open_high = brackets[1] in "(]", brackets[4] in ")["
        pair = brackets[1] == "(" and brackets[4] == ")" and math.isfinite(low) and math.isfinite(high)
        return Interval(low, not open_low, high, not open_high), "", pair
    for relation, pattern in _WORDS.items():
        found = pattern.fullmatch(text)
        if found:
            return _bounded(next(filter(None, found.groups())), relation, "")
    return _chain(text)


def _chain(text: str) -> tuple[Interval, str, bool] | None:
    """What x < 3, 3 > x or 1 <= x < 2 says."""
    parts = [part.strip() for part in _RELATION.split(text)]
    if len(parts) == 3 and not parts[0]:
        return _bounded(parts[2], _plain(parts[1]), "")
    if len(parts) == 3:
        left, relation, right = parts[0], _plain(parts[1]), parts[2]
        if _UNKNOWN.fullmatch(left):
            return _bounded(right, relation, left)
        return _bounded(left, _turned(relation), right) if _UNKNOWN.fullmatch(right) else None
    if len(parts) != 5 or not _UNKNOWN.fullmatch(parts[2]):
        return None
    first, second = _plain(parts[1]), _plain(parts[3])
    if first[0] != second[0]:
        return None
    low, high = _bounded(parts[0], _turned(first), parts[2]), _bounded(parts[4], second, parts[2])
    if low is None or high is None:
        return None
    if first[0] == ">":
        low, high = high, low
    if low[0].low > high[0].high:
        return None
    return Interval(low[0].low, low[0].low_closed, high[0].high, high[0].high_closed), parts[2], False


def _bounded(end: str, relation: str, name: str) -> tuple[Interval, str, bool] | None:
    value = _end(end)
    if value is None or not math.isfinite(value):
        return None
    closed = relation.endswith("=")
    if relation[0] == ">":
        return Interval(value, closed, math.inf, False), name, False
    return Interval(-math.inf, False, value, closed), name, False


def _plain(relation: str) -> str:
    return {"≤": "<=", "≥": ">=", "=<": "<=", "=>": ">="}.get(relation, relation)


def _turned(relation: str) -> str:
    return relation.replace("<", "~").replace(">", "<").replace("~", ">")


def _end(text: str) -> Number | None:
    text = text.strip()
    bare = text.lstrip("+-").strip()
    if bare in ("∞", "inf", "infinity", "oo", "\\infty"):
        return -math.inf if text.startswith("-") else math.inf
    value = value_of(text)
    return value.amount if value is not None and -_LARGEST < value.amount < _LARGEST else None
