"""What reading an expression yields, and the tokens on the way: looked at, taken, and counted against the limits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from operators.verify.expressions.tokens import Token
from operators.verify.expressions.values import Refused

Step = tuple[str, int | Fraction | str]

#: Brackets, powers, signs and arguments within each other; more are refused.
DEEPEST = 40
_FACTORS = ("number", "name", "constant", "function", "open", "frac", "binom", "sqrt", "root", "bar")


class Reading(NamedTuple):
    """How to take what can be taken in two ways: 1/2x as 1/(2x), and 2 \\frac{1}{2} as a mixed number."""

    tight: bool = False
    mixed: bool = True


@dataclass(frozen=True, slots=True)
class Program:
    """An expression in postfix order, its names, and what was found in it that another reading would change."""

    steps: tuple[Step, ...]
    names: tuple[str, ...]
    tight_matters: bool = False
    mixed_matters: bool = False

    def has(self, operation: str, argument: str | None = None) -> bool:
        """Whether the program holds this operation (with this argument)."""
        return any(step[0] == operation and argument in (None, step[1]) for step in self.steps)


class TokenReader:
    """The tokens of an expression, a place among them, how deep it is nested, and the steps read so far."""

    def __init__(self, tokens: list[Token], reading: Reading) -> None:
        self.tokens = tokens
        self.reading = reading
        self.place = 0
        self.depth = 0
        self.bars = 0
        self.steps: list[Step] = []
        self.tight_matters = False
        self.mixed_matters = False

    def deeper(self) -> None:
        """Count one more nesting; Refused where there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused

    def peek(self, ahead: int = 0) -> Token | None:
        """The token that comes next, or after next; None at the end."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def take(self) -> Token:
        """The next token, which is passed; Refused at the end."""
        token = self.peek()
        if token is None:
            raise Refused
        self.place += 1
        return token

    def starts_factor(self, token: Token) -> bool:
        """Whether a factor begins here, so that a product is meant without its sign."""
        if token.kind == "bar":
            return token.text == "(" or (token.text == "|" and not self.bars)
        if token.kind == "number":
            return token.text == "vulgar"
        return token.kind in _FACTORS

    def fraction_after(self, token: Token) -> tuple[Fraction, int] | None:
        """The value and the length of a fraction that makes this whole number a mixed one."""
        kinds = [t.kind if (t := self.peek(ahead)) is not None else "" for ahead in range(7)]
        following = self.tokens[self.place : self.place + 7]
        if kinds[:1] == ["number"] and following[0].text == "vulgar":
            return Fraction(following[0].value), 1
        if kinds[:3] == ["number", "/", "number"] and following[0].spaced:
            parts, length = (following[0], following[2]), 3
        elif kinds == ["frac", "open", "number", "close", "open", "number", "close"]:
            parts, length = (following[2], following[5]), 7
        else:
            return None
        above, below = parts[0].value, parts[1].value
        if not (parts[0].text.isdecimal() and parts[1].text.isdecimal() and 0 < above < below):
            return None
        return Fraction(above, below), length
