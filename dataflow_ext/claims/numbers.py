"""Numbers of a text, and the marks they belong to.

Those in digits are compared, words count at most, other quantities in words are not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from dataflow_ext.claims.expressions import Binary, Call, ClaimError, Expression, parse, parts_of
from dataflow_ext.claims.marks import Mark
from dataflow_ext.claims.proof import COMPARED, GENERAL, NOTHING, Quantity, Value, answers
from dataflow_ext.claims.vocabulary import World
from dataflow_ext.text import UNITS, Dimension, Pattern, Unit, rows

#: How far off a number has to be to be false; what is nearer may be told vaguely by words that nobody listed.
VAGUE = 0.15


@dataclass(frozen=True, slots=True)
class Said:
    """A number in a text, in base units: its value is one from ``least`` to ``most``; without a unit no ``dimension``.

    ``by`` is how it is written: in digits; as a count in a word; in a weak word ("a", "no", "both"), which says a
    number only where that is the value; or as a quantity in words, which is not read. An ``exact`` one has no word
    around it that widens it. A ``joined`` one ends a range that begins with the number before it.
    """

    start: int
    end: int
    by: Literal["digits", "count", "weak", "unread"] = "digits"
    value: float = 0.0
    least: float = 0.0
    most: float = 0.0
    dimension: Dimension | None = None
    exact: bool = True
    decimals: bool = False
    percent: bool = False
    joined: bool = False

    @property
    def is_measured(self) -> bool:
        """Whether it has a unit or decimals, so that somebody must have measured it."""
        return self.by == "unread" or self.dimension is not None or self.decimals

    def since(self, first: Said) -> Said:
        """The range that begins with another number and ends with this one."""
        return replace(self, start=first.start, least=first.value, most=self.value, exact=False)


def said_in(text: str, marks: Collection[int] = ()) -> Iterator[Said]:
    """The numbers of a text, from left to right; what stands behind a mark's place is no part of what is before it.

    >>> [(each.value, each.by) for each in said_in("nearly 1.5 m and 12 % of two chairs, half a metre off")]
    [(1.5, 'digits'), (0.12, 'digits'), (2.0, 'count'), (0.0, 'unread')]
    """
    found = [*_digits(text, marks), *_unread(text)]
    words = (_count(each) for each in _COUNTED.finditer(text))
    found += [word for word in words if not any(each.start <= word.start < each.end for each in found)]
    yield from sorted(found, key=lambda each: each.start)


def agrees(said: Said, value: Quantity) -> bool:
    """Whether a number is a value, to its own last digit.

    >>> agrees(next(said_in("0.4 m")), Quantity(0.41, (("m", 1),), 0.005, 1))
    True
    """
    if said.dimension is not None and said.dimension != value.dimension:
        return False
    slack = NOTHING + (value.slack if value.terms > 1 or said.most - said.least > 3 * value.slack else 0.0)
    # A difference has no sign in words; a quotient above one may be told by what is more, "20 % wider".
    values = [value.value, -value.value] if value.difference else [value.value]
    values += [value.value - 1] if value.ratio and said.percent and said.value < 1 < value.value else []
    return any(said.least - slack <= each <= said.most + slack for each in values)


def differs(said: Said, value: Quantity) -> bool:
    """Whether a number in digits says something else than a value, however it was meant: only this makes it false."""
    bare = said.dimension is None and (value.dimension or value.share or (value.ratio and not said.decimals))
    if said.by != "digits" or not said.exact or bare:
        return False
    meant = [value.value, -value.value]
    if value.ratio:  # what is more or less of it, or the other way round: "20 % narrower"
        meant += [value.value - 1, 1 - value.value, 1 / value.value if value.value else 0.0]
    near = max(VAGUE * abs(said.value), said.most - said.value)
    return all(abs(said.value - each) > near for each in meant)


def _table() -> Iterator[tuple[str, str, float, float]]:
    for role, least, most, words in rows(__package__, "numbers.tsv"):
        yield from ((word, role, float(least), float(most)) for word in words.split(", "))


_ROWS = list(_table())


def _words(role: str) -> Mapping[str, tuple[float, float]]:
    """The words of a role, each with its least and most; of those before or behind a number these are factors of it."""
    return {word: (least, most) for word, each, least, most in _ROWS if each == role}


def _any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first; words of letters stand alone."""
    found = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(w) + (r"(?![A-Za-z])" if w[-1].isascii() and w[-1].isalpha() else "") for w in found)


_BEFORE, _BEHIND, _COUNTS, _WEAK = map(_words, ("before", "behind", "count", "weak"))
_HAN = "[零〇一二两三四五六七八九十百千万几数半]"
_UNIT = f"(?:{_any_of(UNITS)})"
_LONG = _any_of(word for word in UNITS if word.isascii() and len(word) > 4 and word not in ("second", "seconds"))
_WIDE = _any_of(word for word in UNITS if not word.isascii())

_DIGITS = Pattern(
    r"(?<![A-Za-z0-9_.])(?<!\d,)(?P<sign>minus |负|(?<![A-Za-z0-9)\]%])[-−])?"
    r"(?P<digits>(?>(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:e[+-]?\d{1,2}(?!\d|\.\d))?))"
    rf"(?:\s?-?\s?(?P<unit>{_UNIT}))?+(?![A-Za-z_]|\.\d)",
    re.IGNORECASE,
)
#: Words before a number, and behind it, that widen it.
_HEDGE_BEFORE = Pattern(rf"(?:(?<![A-Za-z])(?P<hedge>{_any_of(_BEFORE)}))\s*(?:by |of )?$", re.IGNORECASE)
_HEDGE_BEHIND = Pattern(rf"\s*(?P<hedge>{_any_of(_BEHIND)})", re.IGNORECASE)
#: What stands between numbers of one unit, and between the ends of a range.
_SAME_UNIT = re.compile(r"\s?(?:[-–—~×x至到或乘]|to|by|and|or)\s?")
_RANGE = re.compile(r"\s?(?:[-–—~至到或]|to|or)\s?")
#: More of a number, in words and signs, so that its digits are not all of it.
_MORE_BEFORE = re.compile(r"[/±½¼¾⅓⅔]\s?$")
_MORE_BEHIND = re.compile(
    rf"\s?[/±½¼¾⅓⅔]|\s?\d|,\d|[多余来]?{_HAN}|[多余来]\s?{_UNIT}|-?\s?(?:odd|hundred|thousand|dozen)\b"
    r"|\sand (?:an?|one) (?:half|quarter|third)\b"
)

#: What stands before the number of a name, "bookcases 1 and 2": a name that is blank.
_ID = re.compile(r"·s?\s?#?(?:\d+(?:, | and |和|、|到| to ))*$")
_PLACE = re.compile(
    r"\b(?:the|this|that|its|other|each|either|no|[a-z]+(?:st|th|ern))(?:\s[a-z-]+)?[\s-]$", re.IGNORECASE
)
#: What a hyphen joins to tens: twenty-five.
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)(?![A-Za-z])"
_MANY = f"(?:{_any_of(['a', 'an', 'one', 'half', 'quarter', 'few', 'several', *_COUNTS])})"
_UNREAD = Pattern(
    rf"(?<![A-Za-z])(?:{_MANY}(?:[ -][a-z]+){{0,3}}?[ -](?:{_LONG})"
    rf"|(?:{_any_of(_words('unread'))})(?:-(?:{_ONES}|{_UNIT}))?(?!-)"
    rf"|{_MANY}[ -](?:{_any_of(_words('part'))})(?=[ -](?:of|as|the|more|less|again|turn|[a-z]+er)\b|\s?[^\w\s]|$))"
    rf"|{_HAN}+[个多来]?(?:{_WIDE})|半(?![边侧部区面圆径开])|分之|{_HAN}成(?![为套功熟了对不])",
    re.IGNORECASE,
)
_MEASURE = "[把张个只盏件台扇块组盆幅条人样座面株套根束款]"
_IN_WORDS = {**_COUNTS, **_WEAK}
_WIDE_COUNTS, _WIDE_WEAK = (_any_of(word for word in words if not word.isascii()) for words in (_COUNTS, _WEAK))
_COUNTED = Pattern(
    rf"(?<![A-Za-z-])(?:{_any_of(word for word in _IN_WORDS if word.isascii())})(?!-)"
    rf"|(?<![第零〇一二两三四五六七八九十百千])(?:(?:{_WIDE_COUNTS})(?={_MEASURE})|{_WIDE_WEAK})",
    re.IGNORECASE,
)


def _count(found: re.Match[str]) -> Said:
    """A count in a word, or a weak one."""
    word = found[0].lower()
    value = _IN_WORDS[word][0]
    return Said(found.start(), found.end(), "weak" if word in _WEAK else "count", value, value, value)


def _digits(text: str, marks: Collection[int]) -> Iterator[Said]:
    found = list(_DIGITS.finditer(text))
    units = [_unit(each["unit"]) for each in found]
    between = [text[one.end() : two.start()] for one, two in pairwise(found)]
    for i in reversed(range(len(between))):
        if units[i] is None and _SAME_UNIT.fullmatch(between[i]):
            units[i] = units[i + 1]
    for i, (match, unit) in enumerate(zip(found, units, strict=True)):
        before = text[: match.start()]
        if unit is None and _ID.search(before) and not re.match(rf"\.\d|\s?{_MEASURE}", text[match.end() :]):
            continue
        more = match.end() not in marks and _MORE_BEHIND.match(text, match.end())
        if more or _MORE_BEFORE.search(before):
            yield Said(match.start(), match.end(), "unread")
        else:
            joined = i > 0 and _is_range(text, found[i - 1], between[i - 1])
            yield replace(_read(match, unit), joined=joined)


def _is_range(text: str, first: re.Match[str], between: str) -> bool:
    """Whether a number and the next one are a range; "from 0.2 to 0.6 m" is a change, whose ends have each a mark."""
    before = text[: first.start()].rstrip().casefold()
    if between == " and ":
        return before.endswith("between")
    return _RANGE.fullmatch(between) is not None and not before.endswith(("from", "从", "由"))


def _read(match: re.Match[str], unit: Unit | None) -> Said:
    """A number in digits, with its unit and the words around it."""
    digits = match["digits"].replace(",", "")
    factor, dims = (unit.factor, unit.dimension) if unit else (1.0, None)
    value = float(digits) * factor * (-1 if match["sign"] else 1)
    written, _, power = digits.lower().partition("e")
    half = 0.5 * 10.0 ** (int(power or 0) - len(written.partition(".")[2])) * factor
    least, most = value - half, value + half
    hedge = _hedge(match.string, match.start(), match.end())
    if hedge:
        low, high = value * hedge[0], value * hedge[1]
        least, most = (min(least, low), max(most, high)) if hedge[0] < 1 < hedge[1] else (low, high)
    exact, decimals, percent = hedge is None, "." in digits, dims == () and factor != 1
    return Said(match.start(), match.end(), "digits", value, least, most, dims, exact, decimals, percent)


def _hedge(text: str, start: int, end: int) -> tuple[float, float] | None:
    if found := _HEDGE_BEFORE.search(text, max(0, start - 24), start):
        return _BEFORE[found["hedge"].lower()]
    found = _HEDGE_BEHIND.match(text, end)
    return _BEHIND[found["hedge"].lower()] if found else None


def _unit(word: str | None) -> Unit | None:
    return UNITS.get(word or "") or UNITS.get((word or "").lower())


def _unread(text: str) -> Iterator[Said]:
    """Quantities in words; "the east half" is a place."""
    for found in _UNREAD.finditer(text):
        if not (found[0].lower() == "half" and _PLACE.search(text, max(0, found.start() - 24), found.start())):
            yield Said(found.start(), found.end(), "unread")


@dataclass(frozen=True, slots=True)
class Proof:
    """A mark of a sentence: its place there, its values in all readings, and the quantities that it compares."""

    mark: Mark
    at: int
    expression: Expression | None = None
    values: Sequence[Value] = ()
    error: ClaimError | None = None
    compared: Sequence[Quantity] = ()

    @classmethod
    def of(cls, mark: Mark, at: int, world: World) -> Proof:
        """The mark, proven as far as it can be."""
        try:
            expression = parse(mark.source)
            if isinstance(expression, Call) and expression.word == GENERAL:
                return cls(mark, at, expression)
            values = answers(expression, world)
            return cls(mark, at, expression, values, compared=list(_compared(expression, world)))
        except ClaimError as error:
            return cls(mark, at, error=error)

    @property
    def is_number(self) -> bool:
        """Whether it is a number and no statement."""
        return bool(self.values) and isinstance(self.values[0], Quantity)

    @property
    def is_general(self) -> bool:
        """Whether it is common knowledge."""
        return isinstance(self.expression, Call) and self.expression.word == GENERAL

    def covers(self, said: Said) -> bool:
        """Whether a number is one that a statement compares, or that common knowledge may tell.

        One that words widen, "less than 0.6 m", is the written number of the statement if that has one.
        """
        if self.is_general or self.is_number or said.by == "unread":
            return self.is_general
        written = [each for each in self.compared if each.digits is not None]
        if any(abs(each.value - said.value) <= NOTHING for each in written):
            return True
        return (said.exact or not written) and any(agrees(said, each) for each in self.compared if each.digits is None)


def paired(
    proofs: Sequence[Proof], numbers: Sequence[Said]
) -> Iterator[tuple[Proof, Said | None, bool, Collection[Said]]]:
    """Each mark with the number before it that it has to prove, whether that may disprove it, and all that it covers.

    Marks in a row have the last numbers before them, in their order.
    """
    begin = 0
    for at in sorted({proof.at for proof in proofs}):
        row = [proof for proof in proofs if proof.at == at]
        before = [said for said in numbers if begin <= said.start < at]
        begin = at
        left, taken = list(before), dict[int, Said]()
        for i in reversed(range(len(row))):
            if row[i].is_number and (said := _last(row[i], left)):
                taken[i] = said
                left = left[: left.index(said)]
        for i, proof in enumerate(row):
            said, sure = taken.get(i), _is_sure(proof, before)
            covered = {each for each in before if each is said or proof.covers(each)}
            if said and said.joined and left and len(taken) == 1:
                first = max((each for each in left if each.by == "digits"), key=lambda each: each.start, default=said)
                if any(agrees(said.since(first), each) for each in proof.values if isinstance(each, Quantity)):
                    covered.add(first)
                    said = said.since(first)
            yield proof, said, sure, covered


def _is_sure(proof: Proof, before: Sequence[Said]) -> bool:
    """Whether a mark's number can be no other one: no quantity in words is there, and no number that agrees."""
    values = [value for value in proof.values if isinstance(value, Quantity)]
    return not any(said.by == "unread" or any(agrees(said, value) for value in values) for said in before)


def _compared(expression: Expression, world: World) -> Iterator[Quantity]:
    for part in parts_of(expression):
        if isinstance(part, Binary) and part.sign in COMPARED:
            for side in (part.left, part.right):
                for value in answers(side, world):
                    if isinstance(value, Quantity):
                        yield value


def _last(proof: Proof, left: Sequence[Said]) -> Said | None:
    """The last number that may be the value of a claim: one of its unit, else one without.

    A count may stand in words; one that says another number is no count of this claim if it is weak.
    """
    value = proof.values[0]
    if not isinstance(value, Quantity):
        return None
    begin = max((i + 1 for i, said in enumerate(left) if said.by == "unread"), default=0)
    digits = [said for said in left[begin:] if said.by == "digits"]
    if value.dimension or value.share or value.ratio:
        ranks = ([said for said in digits if said.dimension == value.dimension],
                 [said for said in digits if said.dimension is None])  # fmt: skip
        return next((rank[-1] for rank in ranks if rank), None)
    counts = [said for said in left[begin:] if said.dimension is None or not said.dimension]
    return next((said for said in reversed(counts) if said.by != "weak" or agrees(said, value)), None)
