"""The language of claims: expressions that are read by a grammar, never run as code.

``gap(sofa, coffee_table) < 0.6 m and not overlaps(sofa, bed)``: calls of measures and predicates with names, numbers
with units, ``+ - * /``, comparisons, ``not`` and ``and``. What is read is bounded in length, depth and size of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.errors import DataflowError
from dataflow_ext.text import UNITS

#: Letters, calls and brackets within each other, and digits of a number that are read at most.
LONGEST, DEEPEST, DIGITS = 300, 8, 12

#: Signs that compare, and how they are written.
COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "=": "=", "==": "=", "!=": "!=",
               "≤": "<=", "≥": ">=", "≠": "!="}  # fmt: skip

_WORD = r"[^\W\d]\w*(?:['’-]\w+)*"
_TOKEN = re.compile(
    rf'\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<word>{_WORD})|(?P<text>"[^"]*")|'
    r"(?P<sign><=|>=|==|!=|[-+*/<>=≤≥≠(),%°²³]))"
)
_PLAIN = re.compile(rf"{_WORD}(?: (?:{_WORD}|\d+))*")
_KEYWORDS = ("and", "not")


class ClaimError(DataflowError, ValueError):
    """A claim that cannot be read, or that has no value."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written, with its unit (a symbol of :mod:`units`, or nothing)."""

    digits: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.digits}{'' if self.unit in ('', '%', '°') else ' '}{self.unit}"


@dataclass(frozen=True, slots=True)
class Name:
    """What an argument names: a thing, a kind, a direction, a state."""

    text: str

    def __str__(self) -> str:
        plain = _PLAIN.fullmatch(self.text) and not set(self.text.casefold().split(" ")) & set(_KEYWORDS)
        return self.text if plain else f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class Call:
    """A measure or predicate with its arguments."""

    word: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"{self.word}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True, slots=True)
class Unary:
    """``-`` or ``not`` before an expression."""

    sign: str
    of: Expression

    def __str__(self) -> str:
        return f"{self.sign}{' ' if self.sign == 'not' else ''}{_bracketed(self.of, self)}"


@dataclass(frozen=True, slots=True)
class Binary:
    """Two expressions with a sign between them: arithmetic, a comparison, or ``and``."""

    sign: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_bracketed(self.left, self)} {self.sign} {_bracketed(self.right, self, right=True)}"


Expression = Number | Name | Call | Unary | Binary

_RANK = {"and": 0, "not": 1, "+": 3, "-": 3, "*": 4, "/": 4, **dict.fromkeys(COMPARISONS.values(), 2)}


@lru_cache(maxsize=1 << 14)
def parse(text: str) -> Expression:
    """The expression of a text; ClaimError, with what is wrong, if it is none.

    >>> print(parse('width(sofa,after)/width( sofa )>=1.2'))
    width(sofa, after) / width(sofa) >= 1.2
    >>> parse("gap(sofa, bed) < 60cm").right
    Number(digits='60', unit='cm')
    """
    if len(text) > LONGEST:
        raise ClaimError(f"a claim of more than {LONGEST} letters is not read")
    reader = _Reader(list(_tokens(text)))
    found = reader.whole()
    if reader.kind:
        raise ClaimError(f"'{reader.here}' is not expected behind '{found}'")
    return found


def calls_of(expression: Expression) -> Iterator[Call]:
    """Every call in an expression, from left to right, those within others included.

    >>> [call.word for call in calls_of(parse("width(a) / depth(b)"))]
    ['width', 'depth']
    """
    for each in parts_of(expression):
        if isinstance(each, Call):
            yield each


def parts_of(expression: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of."""
    yield expression
    match expression:
        case Call(_, arguments):
            inner: tuple[Expression, ...] = arguments
        case Unary(_, of):
            inner = (of,)
        case Binary(_, left, right):
            inner = (left, right)
        case _:
            inner = ()
    for each in inner:
        yield from parts_of(each)


def replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with one part in the place of another, wherever that stands.

    >>> print(replaced(parse("gap(a, b)"), Name("a"), Name("c")))
    gap(c, b)
    """
    if expression == old:
        return new
    match expression:
        case Call(word, arguments):
            return Call(word, tuple(replaced(each, old, new) for each in arguments))
        case Unary(sign, of):
            return Unary(sign, replaced(of, old, new))
        case Binary(sign, left, right):
            return Binary(sign, replaced(left, old, new), replaced(right, old, new))
    return expression


def _bracketed(inner: Expression, outer: Unary | Binary, *, right: bool = False) -> str:
    if isinstance(inner, Unary | Binary):
        mine = 5 if outer.sign == "-" and isinstance(outer, Unary) else _RANK[outer.sign]
        its = 5 if inner.sign == "-" and isinstance(inner, Unary) else _RANK[inner.sign]
        if its < mine or (its == mine and (right or mine in (2, 5))):
            return f"({inner})"
    return str(inner)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise ClaimError(f"'{text[place : place + 12].strip()}' is no part of a claim")
        place = found.end()
        kind = str(found.lastgroup)
        token = found[kind]
        if kind == "number" and len(token) > DIGITS:
            raise ClaimError(f"a number of more than {DIGITS} digits is not read")
        yield kind, token


class _Reader:
    """Reads tokens by the grammar, one function a rank."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    @property
    def here(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else "the end"

    @property
    def following(self) -> str:
        return self.tokens[self.at + 1][1] if self.at + 1 < len(self.tokens) else ""

    def is_at(self, kind: str, *these: str) -> bool:
        return self.kind == kind and self.here in these

    def taken(self) -> str:
        taken = self.here
        self.at += 1
        return taken

    def expect(self, sign: str) -> None:
        if not self.is_at("sign", sign):
            raise ClaimError(f"'{sign}' is expected, not '{self.here}'")
        self.at += 1

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ClaimError(f"more than {DEEPEST} brackets within each other are not read")
        yield
        self.depth -= 1

    def whole(self) -> Expression:
        with self.deeper():
            return self.chain(self.denial, "word", "and")

    def chain(self, part: Callable[[], Expression], kind: str, *between: str) -> Expression:
        found = part()
        while self.is_at(kind, *between):
            found = Binary(self.taken(), found, part())
        return found

    def denial(self) -> Expression:
        if self.is_at("word", "not"):
            return Unary(self.taken(), self.comparison())
        return self.comparison()

    def comparison(self) -> Expression:
        found = self.sum()
        if self.is_at("sign", *COMPARISONS):
            found = Binary(COMPARISONS[self.taken()], found, self.sum())
        return found

    def sum(self) -> Expression:
        return self.chain(self.product, "sign", "+", "-")

    def product(self) -> Expression:
        return self.chain(self.atom, "sign", "*", "/")

    def atom(self) -> Expression:
        if self.is_at("sign", "-"):
            return Unary(self.taken(), self.plain())
        return self.plain()

    def plain(self) -> Expression:
        if self.kind == "number":
            return self.number()
        if self.is_at("sign", "("):
            self.at += 1
            found = self.whole()
            self.expect(")")
            return found
        if self.kind != "word" or self.following != "(":
            raise ClaimError(f"a measure, a predicate or a number is expected, not '{self.here}'")
        word = self.taken()
        self.at += 1
        arguments: list[Expression] = []
        with self.deeper():
            while not self.is_at("sign", ")"):
                arguments.append(self.argument())
                if not self.is_at("sign", ")"):
                    self.expect(",")
        self.at += 1
        return Call(word, tuple(arguments))

    def argument(self) -> Expression:
        if self.kind == "text":
            return Name(self.taken()[1:-1])
        if self.kind == "word" and self.following != "(":
            words = [self.taken()]
            while self.kind in ("word", "number"):
                words.append(self.taken())
            return Name(" ".join(words))
        return self.sum()

    def number(self) -> Number:
        digits, unit = self.taken(), ""
        if self.is_at("sign", "%", "°"):
            unit = self.taken()
        elif self.kind == "word" and self.here in UNITS and self.following != "(":
            unit = self.taken()
            if self.is_at("sign", "²", "³"):
                unit += self.taken()
        return Number(digits, unit)
