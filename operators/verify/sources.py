"""A normalised text as its source wrote it."""

from __future__ import annotations

from operators.verify.normalising import folded_letter, plain

_MOST_TRIED = 8


def as_written(text: str, source: str) -> str:
    """The last piece of a source that is the normalised text; the text itself if there is none.

    >>> as_written("42 m^2", "The area is 42 m²."), as_written("60 N", r"60\\text{ N}")
    ('42 m²', '60 N')
    """
    if text in source:
        return text
    places = [(folded, place) for place, letter in enumerate(source) for folded in folded_letter(letter)]
    letters = "".join(folded for folded, _ in places)
    sought = "".join(folded for letter in text for folded in folded_letter(letter))
    start = letters.rfind(sought) if sought else -1
    for _ in range(_MOST_TRIED):
        if start < 0:
            break
        piece = source[places[start][1] : places[start + len(sought) - 1][1] + 1]
        if plain(piece) == text:
            return " ".join(piece.split())
        start = letters.rfind(sought, 0, start + len(sought) - 1)
    return text
