"""Small pieces of English: articles, lists, numbers of things, and calls in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from operators.scene.furniture.kinds import plural_of
from operators.scene.model.simulator import Call

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


def listing(things: Sequence[str], last: str = "and") -> str:
    """Things one after the other.

    >>> listing(["a bed", "a desk", "two chairs"])
    'a bed, a desk and two chairs'
    """
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} {last} {things[-1]}"


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


#: What was done, by the tool.
_DONE = {
    "add_object": "added",
    "remove_object": "removed",
    "move_object": "moved",
    "rotate_object": "turned",
    "scale_object": "resized",
    "replace_object": "replaced",
}


def metres(value: float) -> str:
    """A length with at most two decimals.

    >>> metres(1.5), metres(2.0), metres(-0.001)
    ('1.5', '2', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(values: Sequence[float]) -> str:
    """Coordinates or sizes as the calls have them, between brackets.

    >>> point([1.0, 0.0, -2.35])
    '(1, 0, -2.35)'
    """
    return f"({', '.join(metres(value) for value in values)})"


def told(call: Call, names: Mapping[str, str], subject: str | None) -> str:
    """What an earlier turn did by a call.

    >>> told({"name": "remove_object", "arguments": {"jid": "a"}}, {"a": "gray sofa"}, "a")
    'removed the gray sofa'
    """
    if call["name"] == "terminate":
        return "finished the room"
    return f"{_DONE[call['name']]} the {names.get(str(subject), 'object')}"


def asked(call: Call, names: Mapping[str, str], subject: str | None, put: str | None) -> str:
    """A call of the turn for a model that is to argue for it; ``put`` is the name of a replacement's new object."""
    arguments, name = call["arguments"], names.get(str(subject), "object")
    kind = call["name"]
    if kind == "terminate":
        return "finish: the room is done"
    if kind == "add_object":
        return (
            f"add the {name} ({arguments['object_description']}) at {point(arguments['position'])}, "
            f"size {point(arguments['size'])}, rotation {list(arguments['rotation'])}"
        )
    if kind == "remove_object":
        return f"remove the {name}"
    if kind == "move_object":
        return f"move the {name} to {point(arguments['new_position'])}"
    if kind == "rotate_object":
        return f"rotate the {name} to {list(arguments['new_rotation'])}"
    if kind == "scale_object":
        return f"resize the {name} to {point(arguments['new_size'])}"
    return f"replace the {name} by the {put or 'new object'} ({arguments['new_object_description']})"
