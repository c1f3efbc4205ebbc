"""The catalogue: pieces to put in the place of others, or to add to a room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from operators.scene.furniture.kinds import OBJECT, ROOM_TYPES, Kind, kind_of, room_kind
from operators.scene.furniture.pieces import Asset, own_forms, pieces, read_assets

__all__ = ["Asset", "Catalogue", "catalogue"]

#: How much longer or shorter a side of an alternative may be.
_FACTOR = 1.6
#: Metres below which a side counts as this long: a rug and a picture have no thickness to compare.
_THIN = 0.05


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
    """Our own catalogue, or that of a file (see :func:`operators.scene.furniture.pieces.read_assets`).

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
