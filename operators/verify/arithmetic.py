"""Arithmetic that a running text states in digits and signs, and whether it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dataflow_ext.text import patterns
from operators.verify.expressions.evaluation import evaluate
from operators.verify.expressions.tokens import narrow
from operators.verify.units_in_text import conversion, converted_factors, is_coherent, plain_unit, unit_after

#: No more of a text than this is read, and of its equations no more than these.
LONGEST_TEXT = 8_000
_MOST = 300
#: A statement of about equal numbers holds up to the first share, and fails for sure beyond the second.
_ABOUT, _FAR = 0.01, 0.05
#: Rounding to a whole number changes it by no more than this share.
_WHOLE = 0.02

_ROW = r"(?:\\\\|\n|&)[\s&]{0,20}(?=[=≈]|\\approx)"  # a new row of a LaTeX display that goes on with a sign
_TOKENS = re.compile(
    rf"""(?P<gap>{_ROW}|[^\S\n]+|\$|\\[,;:! ]|\\(?:left|right)(?![A-Za-z])|(?<!\d)\*\*)
    |(?P<relation>[=≈≠<>≤≥]|\\(?:approx|simeq|leq?|geq?|neq?|lt|gt)(?![A-Za-z]))
    |(?P<number>(?<![A-Za-z_\d.])(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?(?![\d])|[½⅓⅔¼¾])
    |(?P<power>[²³]|\^\{{?-?\d+\}}?)
    |(?P<pi>π|\\pi(?![A-Za-z]))
    |(?P<sign>[-+*/^√()\[\]{{}}]|\\(?:times|cdot|div|d?frac|sqrt|[{{}}])(?![A-Za-z])|(?<=[\d) ])x(?=\s?[\d(]))""",
    re.VERBOSE,
)
#: What a token may begin with, gaps aside: all else is passed over.
_BEGINS = re.compile(r"[\d½⅓⅔¼¾=≈≠<>≤≥²³π√+*/^()\[\]{}\\-]")
#: What a relation is written with.
_RELATED = re.compile(r"[=≈≠<>≤≥\\]")
#: What a side has at least.
_COUNTS = re.compile(r"[\d½⅓⅔¼¾π]|\\pi")
_BARE = re.compile(r"\s*\d+(?:\.\d+)?")
_RELATIONS = {"approx": "≈", "simeq": "≈", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
              "lt": "<", "gt": ">"}  # fmt: skip
_SIGNS = (r"\times", r"\cdot", r"\div")
_OPERATIONS = frozenset(("+", "-", "*", "/", "^", "x", *_SIGNS))
_LABEL = re.compile(
    r"\s?(?!dozen|hundred|thousand|million|billion|times|percent|squared)([A-Za-z]{2,15}|[㐀-鿿]{1,2})(?=\s?[-+*/=≈)<>≤≥])"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z㐀-鿿])|\n(?![\s&]{0,20}(?:[=≈]|\\approx))|(?<=[。!?])(?!\s*[=≈])")
_PATTERNS = patterns(__package__, "data/arithmetic.tsv")
#: Sentences with such words may state what is not so, or what would be.
_DOUBTFUL = re.compile(_PATTERNS["doubtful"], re.IGNORECASE)
#: What makes a number before the first sign, or behind the last one, only a part of what is meant.
_PART_BEFORE = re.compile(_PATTERNS["part before"], re.IGNORECASE)
#: What is numbered: "angle 2 + 30°" is no sum of 2.
_NUMBERED = re.compile(_PATTERNS["numbered"], re.IGNORECASE)
_PART_BEHIND = re.compile(_PATTERNS["part behind"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Equation:
    """A claim that two sides are equal, about equal or ordered, as written, and whether it holds (None: not sure)."""

    text: str
    left: str
    right: str
    relation: str
    holds: bool | None


def equations_in(text: str) -> list[Equation]:
    """The equations and comparisons that a text states in digits, in its order; a chain a = b = c gives its pairs.

    A side is numbers, signs, brackets and units; names and number words are not read. ``holds`` is False only where
    neither units nor rounding explain the gap; sentences with "if", "not" or a question give None instead.

    >>> [(e.left, e.right, e.holds) for e in equations_in("So T = 6kg * 9.8 m/s² = 58.8 N, and 3 + 4 = 8.")]
    [('6kg * 9.8 m/s²', '58.8 N', True), ('3 + 4', '8', False)]
    """
    text = text[:LONGEST_TEXT]
    plain = narrow(text)
    found: list[Equation] = []
    if not _RELATED.search(plain):
        return found
    start = 0
    for end in [*(match.start() for match in _SENTENCE.finditer(plain)), len(plain)]:
        sentence = plain[start:end]
        if _RELATED.search(sentence) and _COUNTS.search(sentence):
            found += _in_sentence(text[start:end].lstrip())
            if len(found) >= _MOST:
                break
        start = end
    return found[:_MOST]


@lru_cache(maxsize=8192)
def _in_sentence(written: str) -> tuple[Equation, ...]:
    sentence = narrow(written)
    return tuple(_stated(sentence, written, _DOUBTFUL.search(sentence) is not None))


@dataclass
class _Side:
    """One side of a relation: where it stands, its expression without units, and these."""

    start: int
    end: int = 0
    expression: str = ""
    units: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    bare: bool = True

    @cached_property
    def value(self) -> float | None:
        """What it comes to; None if it has no value."""
        if _BARE.fullmatch(self.expression) and len(self.expression) < 16:
            return float(self.expression)
        value = evaluate(_paired(self.expression))
        if value is None or isinstance(value, complex):
            return None
        with suppress(OverflowError):
            return float(value)
        return None

    @property
    def exact(self) -> bool:
        """Whether it only adds and multiplies whole numbers, so that nothing was rounded."""
        return not re.search(r"[./:√π%½⅓⅔¼¾]|\\", self.expression)

    @property
    def step(self) -> float:
        """One of the last digit written, for a number alone."""
        digits = re.search(r"\.(\d+)", self.expression)
        return 10.0 ** -len(digits[1]) if digits else 1.0

    @property
    def blur(self) -> float:
        """The share by which the value may be off, since its decimals were rounded."""
        numbers = re.findall(r"(\d+)\.(\d+)", self.expression)
        share = sum(0.5 * 10.0 ** -len(behind) / (float(f"{whole}.{behind}") or 1.0) for whole, behind in numbers)
        return min(share, _FAR)


def _stated(sentence: str, written: str, doubtful: bool) -> Iterator[Equation]:
    for sides, relations in _stretches(sentence):
        if sides[0].expression.strip()[:1] in tuple("+*/^x"):
            continue  # behind a name: x + 3 = 15
        for place, relation in enumerate(relations):
            left, right = sides[place], sides[place + 1]
            if not left.expression or not right.expression or left.value is None or right.value is None:
                continue
            held = _holds(left, relation, right)
            if held is False and (doubtful or not _whole(sentence, left, right, place == 0, place + 2 == len(sides))):
                held = None
            shown = written[left.start : left.end].strip(" $"), written[right.start : right.end].strip(" $")
            yield Equation(written[left.start : right.end].strip(" $"), *shown, relation, held)


def _stretches(sentence: str) -> Iterator[tuple[list[_Side], list[str]]]:
    """Runs of numbers, signs and units with relations between them, each as its sides and relations."""
    place, sides, relations = 0, [_Side(0)], list[str]()
    while place < len(sentence):
        token = _TOKENS.match(sentence, place)
        side = sides[-1]
        if token is None or token.end() == place:
            if relations:
                yield sides, relations
            found = _BEGINS.search(sentence, place + 1)
            place = found.start() if found else len(sentence)
            sides, relations = [_Side(place)], []
            continue
        place = token.end()
        if token.group() in ("-", "*") and not sentence[: token.start()].strip() and sentence[place : place + 1] == " ":
            sides = [_Side(place)]  # what opens an item of a list
        elif token.lastgroup == "relation":
            name = token.group().lstrip("\\")
            relations.append(_RELATIONS.get(name, name))
            sides.append(_Side(place))
        elif token.lastgroup != "gap":
            place = _grown(side, token, sentence)
    if relations:
        yield sides, relations


def _grown(side: _Side, token: re.Match[str], sentence: str) -> int:
    """Take a token into a side; where the next one begins."""
    place, sign = token.end(), token.group()
    if not side.expression:
        side.start = token.start()
    if token.lastgroup == "number" and side.expression[-1:] in tuple("0123456789%"):
        side.expression += "?"  # two numbers side by side are no arithmetic
    alone = sign in ("+", "-") and side.expression[-1:] in ("", "(")
    side.bare = side.bare and (alone or not (sign in _OPERATIONS or token.lastgroup == "power" or "\\" in sign))
    side.expression += f" {sign.replace(',', '')}" if token.lastgroup == "number" else sign
    if token.lastgroup in ("number", "power", "pi") or sign in ")]}":
        unit, end = unit_after(sentence, place)
        label = None if unit else _LABEL.match(sentence, place)
        if unit == "%":
            side.expression += "%"
        elif unit:
            side.units |= {plain_unit(unit)}
        elif label is not None:
            side.labels |= {plain_unit(label[1])}
            end = label.end()
        place = end
    side.end = place
    return place


def _paired(expression: str) -> str:
    """The expression without brackets that are opened or closed outside of it."""
    expression = expression.strip()
    while expression[:1] in tuple("([{") and expression.count(expression[0]) > sum(map(expression.count, ")]}")):
        expression = expression[1:].strip()
    while expression[-1:] in tuple(")]}") and sum(map(expression.count, ")]}")) > sum(map(expression.count, "([{")):
        expression = expression[:-1].strip()
    return expression


def _holds(left: _Side, relation: str, right: _Side) -> bool | None:
    """Whether the relation holds; False only where units and rounding cannot explain the gap."""
    first, second = left.value, right.value
    assert first is not None and second is not None  # noqa: S101 - sides without a value are left out before
    units = left.units | right.units
    if left.bare and left.units and left.units != right.units:
        return _converted(left, first, right, second, relation) if right.bare else None
    added = len(units | left.labels | right.labels) > 1 and re.search(r"\d\s*[-+]", left.expression + right.expression)
    alike = len(units) <= 1 or all(map(is_coherent, units)) or not conversion(first, second, units)
    comparable = alike and not added and len(left.labels | right.labels) <= 1
    if relation in ("<", ">", "≤", "≥"):
        held = first < second if relation in ("<", "≤") else first > second
        return held or (first == second and relation in ("≤", "≥")) or (None if units else False)
    if relation == "≠":
        return first != second
    pairs = [(first, second)]
    if ("%" in left.expression) != ("%" in right.expression):
        pairs.append((first * 100, second) if "%" in left.expression else (first, second * 100))
    verdicts = [_equal(a, b, relation, left, right) for a, b in pairs]
    if True in verdicts:
        return True
    return False if comparable and None not in verdicts and not (left.bare and right.bare) else None


def _equal(first: float, second: float, relation: str, left: _Side, right: _Side) -> bool | None:
    gap, size = abs(first - second), max(abs(first), abs(second))
    if gap <= 1e-9 * size:
        return True
    if relation == "≈" and gap <= _FAR * size:
        return True if gap <= max(_ABOUT * size, 0.5 * right.step) else None
    for side, other in ((right, left), (left, right)):
        if side.bare and not other.exact:
            if gap <= 0.5 * side.step * (1 + 1e-9) and (side.step < 1 or gap <= _WHOLE * size * (1 + 1e-9)):
                return True
            if gap < side.step * (1 - 1e-9) and (side.step < 1 or gap <= _FAR * size):
                return None  # cut off instead of rounded
    return None if gap <= (left.blur + right.blur) * size else False


def _converted(left: _Side, first: float, right: _Side, second: float, relation: str) -> bool | None:
    """Whether one quantity is another in other units; None unless each is a number and a unit of the same thing."""
    if not (len(left.units) == len(right.units) == 1):
        return None
    factors = converted_factors(*left.units, *right.units)
    if factors is None or relation not in ("=", "≈"):
        return None
    one, other = first * factors[0], second * factors[1]
    gap, size = abs(one - other), max(abs(one), abs(other))
    step = max(left.step * factors[0], right.step * factors[1])
    if gap <= 1e-9 * size or gap <= min(0.5 * step, _WHOLE * size):
        return True
    # "1 cm = 5 km" is the scale of a map.
    return None if gap <= _FAR * size or 1.0 in (first, second) else False


def _whole(sentence: str, left: _Side, right: _Side, first: bool, last: bool) -> bool:
    """Whether the two sides surely are all that the sentence states, and no parts of more."""
    before, expression = sentence[: left.start], left.expression.strip()
    if first:
        torn = (expression[:1] == "-" and before[-1:] not in ("", " ", "：")) or expression.startswith(_SIGNS)
        if torn or _NUMBERED.search(before) or _PART_BEFORE.search(before):
            return False
    return not (last and _PART_BEHIND.match(sentence, right.end))
