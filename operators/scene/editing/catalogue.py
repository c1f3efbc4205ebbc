"""The catalogue: pieces to put in the place of others, or to add to a room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from dataflow_ext.errors import InputError
from dataflow_ext.tables import read_table
from dataflow_ext.text import rows
from operators.scene.model.kinds import OBJECT, ROOM_TYPES, Kind, kind_of, room_kind
from operators.scene.model.records import TAGS
from operators.scene.model.scene import PLACEHOLDERS

#: How much longer or shorter a side of an alternative may be.
_FACTOR = 1.6
#: Metres below which a side counts as this long: a rug and a picture have no thickness to compare.
_THIN = 0.05

#: What the sizes of the pieces of one form are multiplied by, one after the other; heights stay.
_FACTORS = (1.0, 0.94, 1.07, 0.97, 1.04)


class Catalogue:
    """Pieces of furniture, found by what they are like and by the room they may stand in; all orders are fixed.

    ``digest`` names the contents: two catalogues with the same digest answer alike.

    >>> own = catalogue()
    >>> {kind_of(piece.desc).noun for piece in own.alternatives("A white wooden nightstand.", (0.45, 0.5, 0.4))}
    {'nightstand'}
    >>> any(kind_of(piece.desc).noun == "toilet" for piece in own.for_room("bedroom"))
    False
    """

    def __init__(self, assets: Iterable[Asset]) -> None:
        self.assets: tuple[Asset, ...] = tuple(assets)
        self.digest = sha256(repr(self.assets).encode("utf-8", "surrogatepass")).hexdigest()
        self._by_noun: dict[str, list[Asset]] = {}
        self._by_family: dict[str, list[Asset]] = {}
        self._by_room: dict[str, list[Asset]] = {room: [] for room in ROOM_TYPES}
        self._kinds: dict[str, Kind] = {}
        for asset in self.assets:
            kind = kind_of(asset.desc)
            self._kinds[kind.noun] = kind
            self._by_noun.setdefault(kind.noun, []).append(asset)
            self._by_family.setdefault(kind.family, []).append(asset)
            for room in _rooms_of(kind):
                self._by_room[room].append(asset)
        self._alternatives = lru_cache(maxsize=1 << 15)(self._found)

    def __reduce__(self) -> tuple[type[Catalogue], tuple[tuple[Asset, ...]]]:
        return Catalogue, (self.assets,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def identity(self) -> dict[str, str]:
        """What it answers by, for the step memory: its contents, wherever they were read."""
        return {"digest": self.digest}

    def alternatives(self, desc: str, size: Sequence[float]) -> list[Asset]:
        """Pieces of the same noun and of like size, closest first; else of a related noun, else of the family.

        Each side is within a factor of 1.6 of that of ``size``; none has the same description. Empty if nothing is
        like it, or if nobody knows what ``desc`` is.
        """
        return list(self._alternatives(desc, *map(float, size)))

    def of_noun(self, noun: str) -> list[Asset]:
        """The pieces of just this noun.

        >>> {kind_of(piece.desc).noun for piece in catalogue().of_noun("bar stool")}
        {'bar stool'}
        """
        return list(self._by_noun.get(noun, ()))

    def for_room(self, room_type: str) -> list[Asset]:
        """What may stand in a room of this type; for a type that is not known, what may stand in most.

        >>> {kind_of(piece.desc).noun for piece in catalogue().for_room("Dining Room")} >= {"dining table", "sideboard"}
        True
        """
        return list(self._by_room[room_kind(room_type)])

    def _found(self, desc: str, wide: float, high: float, deep: float) -> tuple[Asset, ...]:
        kind = kind_of(desc)
        if kind is OBJECT or not all(map(math.isfinite, (wide, high, deep))):
            return ()
        size = (wide, high, deep)
        for group in self._likest_first(kind):
            ranked = [(_unlike(asset.size, size), i) for i, asset in enumerate(group) if asset.desc != desc]
            if near := sorted((how, i) for how, i in ranked if how is not None):
                return tuple(group[i] for _, i in near)
        return ()

    def _likest_first(self, kind: Kind) -> Iterator[list[Asset]]:
        """Pieces of the noun, then of its sorts and of what it is a sort of, then of its family."""
        yield self._by_noun.get(kind.noun, [])
        related = [each for each, other in self._kinds.items() if other.is_a(kind.noun) or kind.is_a(each)]
        yield [asset for each in related for asset in self._by_noun[each]]
        yield self._by_family.get(kind.family, [])


def _unlike(one: Sequence[float], other: Sequence[float]) -> float | None:
    """How far apart two sizes are, as the largest logarithm of the ratio of sides; None if too far."""
    apart = max(abs(math.log(max(a, _THIN) / max(b, _THIN))) for a, b in zip(one, other, strict=True))
    return round(apart, 6) if apart <= math.log(_FACTOR) else None


def _rooms_of(kind: Kind) -> Sequence[str]:
    """The types of rooms in which such a piece may stand; what may stand in three suits any other room as well."""
    rooms = [room for room in ROOM_TYPES if room in kind.rooms]
    return [*rooms, "other"] if len(rooms) >= 3 and "other" not in rooms else rooms


def catalogue(file: Path | None = None) -> Catalogue:
    """Our own catalogue, or that of a file (see :func:`operators.scene.editing.catalogue.read_assets`).

    >>> len(catalogue().assets) >= 250
    True
    """
    if file is None:
        return _own()
    assets = read_assets(file)
    return _of(assets)


@lru_cache(maxsize=4)
def _of(assets: tuple[Asset, ...]) -> Catalogue:
    return Catalogue(assets)


@cache
def _own() -> Catalogue:
    return Catalogue(pieces(own_forms()))


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
    for noun, wide, high, deep, sentence, finishes in rows("operators.scene", "data/pieces.tsv"):
        yield Form(noun, (float(wide), float(high), float(deep)), sentence, finishes.split(" | "))


#: Metres: no side of a piece is longer.
_LONGEST = 100.0
#: Letters of an id, and of a description.
_MOST_LETTERS = 2000


def read_assets(path: Path) -> tuple[Asset, ...]:
    """The pieces of a file, in its order; InputError in one sentence for a file or a piece that cannot be used.

    ``size`` is ``[w, h, d]`` in metres; in CSV the text ``w,h,d``, or three columns w, h and d (which any of the
    forms may have). Pieces that are listed twice alike count once; two that differ under one id are an error.
    """
    found: dict[str, Asset] = {}
    for number, row in enumerate(read_table(path).to_pylist(), 1):
        try:
            asset = _asset(row)
        except ValueError as error:
            raise InputError(f"{path}, piece {number}: {error}.") from None
        if found.setdefault(asset.jid, asset) != asset:
            raise InputError(f"{path}, piece {number}: the jid {asset.jid!r} was given to another piece before.")
    if not found:
        raise InputError(f"{path}: the catalogue is empty; give it lines with jid, desc and size.")
    return tuple(found.values())


def _asset(row: Mapping[str, Any]) -> Asset:
    """The piece of a row; ValueError says what is wrong with it."""
    size = row.get("size")
    if size is None and all(side in row for side in ("w", "h", "d")):
        size = [row["w"], row["h"], row["d"]]
    return Asset(_text(row, "jid"), _text(row, "desc"), _size(size))


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is to be a text, not {_short(value)}")
    if len(value) > _MOST_LETTERS:
        raise ValueError(f"{name} is longer than {_MOST_LETTERS:,} letters")
    if marks := [*TAGS.findall(value), *(mark for mark in PLACEHOLDERS if mark in value)]:
        raise ValueError(f"{name} holds {marks[0]}, which has a meaning of its own in conversations")
    return value.strip()


def _size(value: Any) -> tuple[float, float, float]:
    sides = value.strip().strip("[]()").replace(";", ",").split(",") if isinstance(value, str) else value
    numbers = [_number(side) for side in sides] if isinstance(sides, Sequence) and len(sides) == 3 else []
    if len(numbers) != 3 or not all(0 < side <= _LONGEST for side in numbers):
        raise ValueError(f"size is to be width, height and depth in metres, each over 0, not {_short(value)}")
    wide, high, deep = (max(round(side, 2), 0.01) for side in numbers)
    return wide, high, deep


def _number(value: Any) -> float:
    """The number, or nan for what is none."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _short(value: Any) -> str:
    told = "nothing" if value is None else ascii(value) if not isinstance(value, str) else repr(value)
    return told if len(told) <= 60 else told[:57] + "..."
