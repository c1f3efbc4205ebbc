"""Formulas: what is given to a name, equations, and expressions with variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from dataflow_ext.text import lists
from operators.verify.answer import Equivalence, Sameness
from operators.verify.quantities import quantity_of
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

Compare = Callable[[str, str], Sameness]


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
    from operators.verify.expressions import same_expression

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
    from operators.verify.expressions import evaluate, same_expression

    sides = [text.split("=") for text in (one, other)]
    if any(len(each) != 2 for each in sides) or not (looks_like_maths(one) and looks_like_maths(other)):
        return None
    first, second = (f"({left.strip()})-({right.strip()})" for left, right in sides)
    for factor in (*_factors(first, second, evaluate), Fraction(1), Fraction(-1)):
        verdict = same_expression(first, f"({factor})*({second})")
        if verdict == "yes":
            return Equivalence("yes", "The equations are the same, or one is a multiple of the other.", "expression")
        if verdict == "unsure":
            return Equivalence("unsure", "The equations could not be compared.", "expression")
    return Equivalence("no", "The equations are not the same.", "expression")


def _factors(one: str, other: str, evaluate: Callable[[str], Fraction | float | complex | None]) -> list[Fraction]:
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
