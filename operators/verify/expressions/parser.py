"""An expression's tokens as a short program in postfix order, so that evaluating needs no recursion."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from operators.verify.expressions.tokens import LONGEST, Refused, Token, tokens_of

Step = tuple[str, int | Fraction | str]

#: Brackets, powers, signs and arguments within each other; more are refused.
DEEPEST = 40
_FACTORS = ("number", "name", "constant", "function", "open", "frac", "binom", "sqrt", "root", "bar")

_SUM, _PRODUCT, _TIGHT, _UNARY = 10, 20, 25, 20


@dataclass(frozen=True, slots=True)
class Program:
    """An expression in postfix order, its names, and whether it is another one where 1/2x is read as 1/(2x)."""

    steps: tuple[Step, ...]
    names: tuple[str, ...]
    tight_matters: bool

    def has(self, operation: str, argument: str | None = None) -> bool:
        """Whether the program holds this operation (with this argument)."""
        return any(step[0] == operation and argument in (None, step[1]) for step in self.steps)


@lru_cache(maxsize=2048)
def parse(text: str, tight: bool = False) -> Program | None:
    """The program of an expression, 1/2x ``tight`` as 1/(2x); None for what is not understood, too long or too deep.

    >>> parse("2(x + 1)").steps
    (('number', 2), ('name', 'x'), ('number', 1), ('+', ''), ('*', ''))
    """
    if len(text) > LONGEST:
        return None
    try:
        return _Parser(tokens_of(text), tight).program()
    except Refused:
        return None


class _Parser:
    """The tokens of an expression, a place among them, how deep it is nested, and the steps read so far."""

    def __init__(self, tokens: list[Token], tight: bool) -> None:
        self.tokens = tokens
        self.tight = tight
        self.place = 0
        self.depth = 0
        self.bars = 0
        self.steps: list[Step] = []
        self.tight_matters = False

    def deeper(self) -> None:
        """Count one more nesting; Refused where there are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused

    def peek(self) -> Token | None:
        """The token that comes next; None at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None

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

    def fraction_after(self) -> tuple[Fraction, int] | None:
        """The value and the length of a fraction that makes the whole number before it a mixed one."""
        following = self.tokens[self.place : self.place + 7]
        kinds = [token.kind for token in following]
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

    def program(self) -> Program:
        self.expression(0)
        if self.place < len(self.tokens):
            raise Refused
        names = sorted({str(step[1]) for step in self.steps if step[0] == "name"})
        return Program(tuple(self.steps), tuple(names), self.tight_matters)

    def expression(self, least: int) -> None:
        """Read an expression whose operators bind no looser than ``least``."""
        self.deeper()
        self.prefix()
        divided = False
        while (token := self.peek()) is not None:
            kind = token.kind
            if kind in ("+", "-", "±", "∓"):
                if least > _SUM:
                    break
                self.take()
                self.expression(_SUM + 1)
                self.steps.append((kind, ""))
            elif kind in ("*", "/"):
                if least > _PRODUCT:
                    break
                self.take()
                self.expression(_PRODUCT + 1)
                self.steps.append((kind, ""))
                divided = kind == "/"
            elif self.starts_factor(token):
                bound = _TIGHT if self.tight else _PRODUCT
                self.tight_matters |= divided
                if least > bound:
                    break
                self.expression(bound + 1)
                self.steps.append(("*", ""))
            else:
                break
        self.depth -= 1

    def prefix(self) -> None:
        """Read signs, and a factor with its powers."""
        signs: list[Step] = []
        while (token := self.peek()) is not None and token.kind in ("+", "-", "±", "∓"):
            self.take()
            if token.kind != "+":
                signs.append(("neg" if token.kind == "-" else token.kind + "neg", ""))
            if len(signs) > DEEPEST:
                raise Refused
        if signs:
            self.expression(_UNARY + 1)
            self.steps.extend(reversed(signs))
        else:
            self.factor()

    def factor(self) -> None:
        self.atom()
        while (token := self.peek()) is not None:
            if token.kind == "^":
                self.take()
                self.exponent()
                self.steps.append(("^", ""))
                return
            if token.kind == "raised":
                self.take()
                self.within(token.text)
                self.steps.append(("^", ""))
            elif token.kind in ("!", "%", "°"):
                self.take()
                self.steps.append((token.kind, ""))
            else:
                return

    def exponent(self) -> None:
        """Read a power's exponent: a group, or a signed factor with powers of its own."""
        self.deeper()
        token = self.peek()
        if token is not None and token.kind in ("+", "-"):
            self.take()
            self.exponent()
            if token.kind == "-":
                self.steps.append(("neg", ""))
        elif token is not None and token.text == "{":
            self.group()
        else:
            self.factor()
        self.depth -= 1

    def within(self, text: str) -> None:
        """Read what stands raised or lowered, in its own tokens."""
        inner = _Parser(tokens_of(text), self.tight)
        inner.depth = self.depth + 1
        inner.expression(0)
        if inner.place < len(inner.tokens):
            raise Refused
        self.steps.extend(inner.steps)

    def atom(self) -> None:
        token = self.take()
        if token.kind == "number":
            self.number(token)
        elif token.kind in ("name", "constant"):
            self.steps.append((token.kind, token.text))
        elif token.kind == "open":
            self.place -= 1
            self.group()
        elif token.kind == "bar" and token.text in "|(":
            self.bar(token)
        elif token.kind in ("frac", "binom"):
            self.argument_group()
            self.argument_group()
            self.steps.append(("/" if token.kind == "frac" else "binom", ""))
        elif token.kind in ("sqrt", "root"):
            self.root(token)
        elif token.kind == "function":
            self.function(token.text)
        else:
            raise Refused

    def number(self, token: Token) -> None:
        value = token.value
        if token.text.isdecimal() and (added := self.fraction_after()):
            value += added[0]
            self.place += added[1]
        self.steps.append(("number", value))

    def group(self) -> None:
        opened = self.take()
        bars, self.bars = self.bars, 0
        self.expression(0)
        self.bars = bars
        closed = self.take()
        if closed.kind != "close" or (opened.text == "{") is not (closed.text == "}"):
            raise Refused

    def argument_group(self) -> None:
        """Read one argument of a LaTeX command: a group in braces, or one sign."""
        token = self.peek()
        if token is not None and token.text == "{":
            self.group()
        elif token is not None and token.kind in ("number", "name", "constant"):
            self.take()
            self.steps.append((token.kind, token.value if token.kind == "number" else token.text))
        else:
            raise Refused

    def bar(self, token: Token) -> None:
        self.bars += token.text == "|"
        self.expression(0)
        closed = self.take()
        if closed.kind != "bar" or closed.text != {"|": "|", "(": ")"}[token.text]:
            raise Refused
        self.bars -= token.text == "|"
        self.steps.append(("call", "abs"))

    def root(self, token: Token) -> None:
        degree = self.peek()
        if token.kind == "root":
            self.steps.append(("number", token.value))
        elif degree is not None and degree.text == "[":
            self.group()
        else:
            self.steps.append(("number", 2))
        self.deeper()
        self.atom()
        self.depth -= 1
        self.steps.append(("root", ""))

    def function(self, name: str) -> None:
        """Read a function with its base or power and its argument."""
        powers = self.function_power()
        base = self.peek()
        if base is not None and base.kind == "lowered":
            self.take()
            self.within(base.text)
            name = "log base"
        powers = powers or self.function_power()
        if name in ("min", "max", "gcd", "lcm"):
            self.arguments(name)
        else:
            self.argument()
            if powers == [("number", 1), ("neg", "")]:
                name, powers = f"arc{name}", []
            self.steps.append(("call", name))
        if powers:
            self.steps.extend([*powers, ("^", "")])

    def function_power(self) -> list[Step]:
        token = self.peek()
        if token is None or token.kind not in ("^", "raised"):
            return []
        self.take()
        kept, self.steps = self.steps, []
        if token.kind == "^":
            self.exponent()
        else:
            self.within(token.text)
        powers, self.steps = self.steps, kept
        return powers

    def argument(self) -> None:
        """Read what a function is of: a group, or the factors up to the next sign, bracket or function."""
        self.deeper()
        token = self.peek()
        if token is not None and token.kind == "open":
            self.group()
        else:
            self.prefix_factor()
            while (token := self.peek()) is not None and token.kind in ("name", "constant", "frac", "sqrt"):
                self.factor()
                self.steps.append(("*", ""))
        self.depth -= 1

    def prefix_factor(self) -> None:
        token = self.peek()
        if token is not None and token.kind == "-":
            self.take()
            self.factor()
            self.steps.append(("neg", ""))
        else:
            self.factor()

    def arguments(self, name: str) -> None:
        opened = self.take()
        if opened.kind != "open":
            raise Refused
        self.expression(0)
        while (token := self.take()).kind == ",":
            self.expression(0)
            self.steps.append((name, ""))
        if token.kind != "close":
            raise Refused
