"""Claims proven in a world: the values of expressions, for every reading that names leave open."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from dataflow_ext.claims.expressions import Binary, Call, ClaimError, Expression, Name, Number, Unary, calls_of
from dataflow_ext.claims.vocabulary import Sort, Term, World
from dataflow_ext.text import UNITS, Dimension, symbol

#: The share of general knowledge: ``general(0.9)``.
GENERAL = "general"
#: Readings of one claim that are tried where names leave open which thing is meant.
READINGS = 64
#: Differences below this are rounding of floats.
NOTHING = 1e-6


class Absent(ClaimError):
    """A claim about something that the world has not."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its dimension; ``slack`` is how much of it is rounding, ``terms`` how many measures made it.

    ``digits`` is half of the last digit of a number that was written, ``ratio`` whether it is a quotient and
    ``difference`` whether it is one, of which a text tells no sign.
    """

    value: float
    dimension: Dimension = ()
    slack: float = 0.0
    terms: int = 0
    digits: float | None = None
    ratio: bool = False
    difference: bool = False
    share: bool = False
    places: int = 2

    def __str__(self) -> str:
        """The value as a text has it: with its unit, a share as per cent."""
        if self.share:
            return f"{self.value * 100:.0f} %"
        unit = symbol(self.dimension)
        return f"{self.value + 0.0:.{self.places}f}{'' if unit in ('', '°') else ' '}{unit}"


Value = Quantity | bool


@dataclass(frozen=True, slots=True)
class Argument:
    """What an argument was found to be."""

    name: str
    sort: Sort
    found: Any


#: What each call of an expression is about: its term, its state, and its arguments.
Reading = Mapping[int, tuple[Term, str, Sequence[Argument]]]


def answers(expression: Expression, world: World) -> list[Value]:
    """The value of a claim for each reading of its names, one if they are clear.

    ClaimError if it has none: an unknown term, arguments that do not fit, units that do not go together, a division by
    zero. Absent if it names what the world has not.
    """
    return [value_of(expression, world, reading) for reading in readings(expression, world)]


def holds(expression: Expression, world: World) -> bool:
    """Whether a statement is so, in every reading; ClaimError if it is none, or if its readings differ."""
    found = answers(expression, world)
    if not all(isinstance(each, bool) for each in found):
        raise ClaimError(f"'{expression}' is a number, and no statement")
    if len(set(found)) > 1:
        raise ClaimError(f"'{expression}' leaves open which is meant")
    return bool(found[0])


def readings(expression: Expression, world: World) -> Iterator[Reading]:
    """Every way to read the names of an expression, up to a bound; one name means the same in all of it."""
    calls = [call for call in calls_of(expression) if call.word != GENERAL]
    bound = [_bound(call, world) for call in calls]
    keys = list(dict.fromkeys((s.name, name) for _, _, options in bound for name, s, _ in options))
    choices: dict[tuple[str, str], Sequence[Any]] = {}
    for _, _, options in bound:
        for name, sort, found in options:
            known = choices.get((sort.name, name))
            choices[sort.name, name] = found if known is None else [each for each in known if each in found] or found
    for picked in islice(product(*(choices[key] for key in keys)), READINGS):
        means = dict(zip(keys, picked, strict=True))
        yield {
            id(call): (term, state, [Argument(name, sort, means[sort.name, name]) for name, sort, _ in options])
            for call, (term, state, options) in zip(calls, bound, strict=True)
        }


_Options = list[tuple[str, Sort, Sequence[Any]]]


def _bound(call: Call, world: World) -> tuple[Term, str, _Options]:
    """The term of a call, the state that is meant, and what each argument may be."""
    vocabulary = world.vocabulary
    term = vocabulary.by_word.get(call.word)
    if term is None:
        raise ClaimError(f"there is no measure and no predicate '{call.word}'")
    given = [_text_of(each, call) for each in call.arguments]
    states: Sequence[str] = vocabulary.states
    if given and given[-1] in vocabulary.states:
        states = [given.pop()]
    least = sum(not each.endswith("?") for each in term.parameters)
    if not least <= len(given) <= len(term.parameters):
        raise ClaimError(f"'{call}' does not fit {term.form}")
    # Where no state is named, the first one is meant in which all is there.
    for state in states:
        options = [_options(n, p, world, state) for n, p in zip(given, term.parameters, strict=False)]
        if all(found for _, _, found in options):
            return term, state, options
    missing = next(name for name, _, found in options if not found)
    raise Absent(f"there is no '{missing}'{f' {states[0]}' if len(states) == 1 < len(vocabulary.states) else ''}")


def _options(name: str, parameter: str, world: World, state: str) -> tuple[str, Sort, Sequence[Any]]:
    sorts = [world.vocabulary.sort[each] for each in parameter.rstrip("?").split("|")]
    for sort in sorts:
        found = _worded(sort, name) if sort.words else world.find(sort.name, name, state)
        if found:
            return name, sort, found
    return name, sorts[0], ()


def _worded(sort: Sort, name: str) -> Sequence[str]:
    words = name.casefold().replace("_", " ").replace("-", " ").strip()
    words = words.removeprefix("the ")
    found = [v for v, spoken in sort.words.items() if words == v.replace("_", " ") or words in spoken]
    first = [v for v in sort.words if words.split(" ")[0] == v]
    return found or first


def _text_of(argument: Expression, call: Call) -> str:
    if isinstance(argument, Name):
        return argument.text.strip()
    if isinstance(argument, Number):
        return argument.digits
    raise ClaimError(f"'{argument}' is no name, in '{call}'")


def value_of(expression: Expression, world: World, reading: Reading) -> Value:
    """The value of an expression in one reading."""
    match expression:
        case Number(digits, unit):
            return _number(digits, unit)
        case Call(word, _) if word == GENERAL:
            raise ClaimError("general stands alone")
        case Call():
            return _answer(expression, world, reading)
        case Unary("not", of):
            return not _truth(value_of(of, world, reading), of)
        case Unary(_, of):
            q = _quantity(value_of(of, world, reading), of)
            return replace(q, value=-q.value)
        case Binary("and", left, right):
            sides = [_truth(value_of(each, world, reading), each) for each in (left, right)]
            return all(sides)
        case Binary(sign, left, right):
            one, two = (_quantity(value_of(each, world, reading), each) for each in (left, right))
            return _compared(sign, one, two) if sign in COMPARED else _reckoned(sign, one, two)
    raise ClaimError(f"'{expression}' is a name, and no claim")


def _number(digits: str, unit: str) -> Quantity:
    places = len(digits.partition(".")[2])
    known = UNITS[unit] if unit else None
    factor = known.factor if known else 1.0
    return Quantity(float(digits) * factor, known.dimension if known else (), digits=0.5 * 10**-places * factor)


def _answer(call: Call, world: World, reading: Reading) -> Value:
    term, state, arguments = reading[id(call)]
    value = term.answer(world.view(state), *(each.found for each in arguments))
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise ClaimError(f"'{call}' has no value")
    if not term.is_measure:
        return bool(value)
    ratio = not term.dimension and not term.share and term.places > 0
    return Quantity(float(value), term.dimension, term.slack, 1, ratio=ratio, share=term.share, places=term.places)


def _reckoned(sign: str, a: Quantity, b: Quantity) -> Quantity:
    terms, places = a.terms + b.terms, max(a.places, b.places)
    if sign in "+-":
        _must_fit(a, b)
        value = a.value + b.value if sign == "+" else a.value - b.value
        less = sign == "-" and bool(a.terms and b.terms)
        made = Quantity(value, a.dimension or b.dimension, a.slack + b.slack, terms, share=a.share, places=places)
        return replace(made, difference=less, ratio=a.ratio or b.ratio)
    if sign == "*":
        slack = abs(a.value) * b.slack + abs(b.value) * a.slack
        return Quantity(a.value * b.value, _times(a.dimension, b.dimension, 1), slack, terms, places=places)
    if abs(b.value) < NOTHING:
        raise ClaimError("a division by zero has no value")
    slack = (a.slack + abs(a.value / b.value) * b.slack) / abs(b.value)
    left = _times(a.dimension, b.dimension, -1)
    return Quantity(a.value / b.value, left, slack, terms, ratio=not left, places=places)


#: Signs that compare.
COMPARED = ("<", "<=", ">", ">=", "=", "!=")


def _compared(sign: str, a: Quantity, b: Quantity) -> bool:
    """Strict signs are exact; the others allow what is lost by writing a value down."""
    _must_fit(a, b)
    written = [each.digits for each in (a, b) if each.digits is not None]
    slack = max(a.slack + b.slack, *written, 0.0) if written else a.slack + b.slack
    loose = a.slack + b.slack + NOTHING
    difference = a.value - b.value
    match sign:
        case "<":
            return difference < -NOTHING
        case ">":
            return difference > NOTHING
        case "<=":
            return difference <= loose
        case ">=":
            return difference >= -loose
        case "=":
            return abs(difference) <= slack + NOTHING
    return abs(difference) > slack + NOTHING


def _must_fit(a: Quantity, b: Quantity) -> None:
    """A bare number goes with any unit."""
    bare = any(each.digits is not None and not each.dimension for each in (a, b))
    if a.dimension != b.dimension and not bare:
        raise ClaimError(f"{symbol(a.dimension) or 'a number'} and {symbol(b.dimension) or 'a number'} do not go "
                         "together")  # fmt: skip


def _times(a: Dimension, b: Dimension, power: int) -> Dimension:
    made = dict(a)
    for base, n in b:
        made[base] = made.get(base, 0) + power * n
    return tuple(sorted((base, n) for base, n in made.items() if n))


def _truth(value: Value, of: Expression) -> bool:
    if not isinstance(value, bool):
        raise ClaimError(f"'{of}' is a number, and no statement")
    return value


def _quantity(value: Value, of: Expression) -> Quantity:
    if isinstance(value, bool):
        raise ClaimError(f"'{of}' is a statement, and no number")
    return value
