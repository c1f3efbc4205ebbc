"""Small pieces of English: articles, lists and numbers of things."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.furniture.kinds import plural_of

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
#: Begins that sound otherwise than they are spelt.
_AN = re.compile(
    r"(?!u[snt]i|uni|eu|one\b|ou[ij])[aeiou]|hour|heir|honest|L-shaped|8|11\b|18\b|S-shaped|X-", re.IGNORECASE
)
#: What has capitals of its own, which the vocabulary does not tell.
_CAPITALS = {
    "tv": "TV", "christmas": "Christmas", "scandinavian": "Scandinavian", "victorian": "Victorian", "dvd": "DVD",
    "persian": "Persian",
}  # fmt: skip
_CAPITAL = re.compile(rf"\b(?:{'|'.join(_CAPITALS)})\b")
#: Where a sentence begins.
_BEGIN = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")
_NUMBERED = re.compile(r"\s\d+$")


def number(value: int) -> str:
    """A small number as a word.

    >>> number(3), number(21)
    ('three', '21')
    """
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def the(name: str) -> str:
    """A name in a sentence: with the article, unless it is numbered or no English.

    >>> the("gray sofa"), the("nightstand 2"), the("black shoes"), the("双人床")
    ('the gray sofa', 'nightstand 2', 'the set of black shoes', '双人床')
    """
    return name if _NUMBERED.search(name) or not name.isascii() else f"the {_one(name)}"


def a(name: str) -> str:
    """A new thing in a sentence; a numbered one has its name already.

    >>> a("armchair"), a("nightstand 2"), a("unit"), a("双人床")
    ('an armchair', 'nightstand 2', 'a unit', '双人床')
    """
    if _NUMBERED.search(name) or not name.isascii():
        return name
    one = _one(name)
    return f"{'an' if _AN.match(one) else 'a'} {one}"


def _one(name: str) -> str:
    """A name that has a singular: shoes and books come in sets."""
    return f"set of {name}" if _has_no_singular(name) else name


def _has_no_singular(name: str) -> bool:
    return name.endswith("s") and not name.endswith("ss") and plural_of(name) == name


def plain(name: str) -> str:
    """A name without its number."""
    return _NUMBERED.sub("", name)


def listing(things: Sequence[str]) -> str:
    """Things one after the other.

    >>> listing(["a bed", "a desk", "two chairs"])
    'a bed, a desk and two chairs'
    """
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} and {things[-1]}"


def several(many: int, noun: str, plural: str) -> str:
    """So many things of a kind.

    >>> several(2, "bed", "beds"), several(2, "shoes", "shoes")
    ('two beds', 'two sets of shoes')
    """
    return f"{number(many)} {f'sets of {noun}' if _has_no_singular(noun) else plural}"


def capitals(text: str) -> str:
    """The text with capitals where words have them by themselves.

    >>> capitals("tv stand")
    'TV stand'
    """
    return _CAPITAL.sub(lambda found: _CAPITALS[found[0]], text)


def sentence(text: str) -> str:
    """The text with capitals where sentences begin, and a stop at its end.

    >>> sentence("the bed stands well")
    'The bed stands well.'
    """
    text = capitals(" ".join(text.split()))
    text = _BEGIN.sub(lambda found: found[0].upper(), text)
    return text if text.endswith((".", "?", "!")) else f"{text}."
