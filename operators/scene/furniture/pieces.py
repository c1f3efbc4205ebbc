"""Pieces of furniture in our own words, from a table of what is built alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from operators.scene.data import rows

#: What the sizes of the pieces of one form are multiplied by, one after the other; heights stay.
_FACTORS = (1.0, 0.94, 1.07, 0.97, 1.04)


class Form(NamedTuple):
    """Pieces that are built alike: their noun, the first one's size, and a sentence with {} for each finish."""

    noun: str
    size: tuple[float, float, float]
    sentence: str
    finishes: Sequence[str]


class Asset(NamedTuple):
    """A piece that could stand in a room: its id, what it is called in a sentence, width, height and depth in metres.

    >>> Asset("own-chair-01", "A red chair.", (0.5, 0.9, 0.5)).size
    (0.5, 0.9, 0.5)
    """

    jid: str
    desc: str
    size: tuple[float, float, float]


def pieces(forms: Iterable[Form]) -> Iterator[Asset]:
    """The pieces of all forms, numbered by their nouns.

    >>> [piece.jid for piece in pieces([Form("bed", (1.6, 1.0, 2.1), "{} bed.", ["Oak", "White"])])]
    ['own-bed-01', 'own-bed-02']
    """
    counts: dict[str, int] = {}
    for form in forms:
        wide, high, deep = form.size
        for finish, factor in zip(form.finishes, _FACTORS, strict=False):
            counts[form.noun] = number = counts.get(form.noun, 0) + 1
            jid = f"own-{form.noun.replace(' ', '-')}-{number:02d}"
            yield Asset(jid, form.sentence.format(finish), (round(wide * factor, 2), high, round(deep * factor, 2)))


def own_forms() -> Iterator[Form]:
    """The forms of the table, in its order."""
    for noun, wide, high, deep, sentence, finishes in rows("pieces.tsv"):
        yield Form(noun, (float(wide), float(high), float(deep)), sentence, finishes.split(" | "))
