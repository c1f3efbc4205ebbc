"""What somebody may have put into a room that does not belong there, from the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from operators.scene.editing.thing import Thing
from operators.scene.furniture.catalogue import Asset, Catalogue
from operators.scene.furniture.kinds import kind_of
from operators.scene.geometry import Floor
from operators.scene.limits import ALOFT

#: The share of the floor, and of what of it is free, that something may take which stands there for a while.
_OF_FLOOR, _OF_FREE = 0.08, 0.2
#: Metres of a room's height if it is unknown.
_HEIGHT = 2.4
#: Square metres of a footprint that is no mere trifle on the floor.
_LEAST = 0.04


def distractors_of(catalogue: Catalogue, room_type: str, floor: Floor, things: Mapping[str, Thing]) -> list[Asset]:
    """Pieces that may stand anywhere in such a room and fit into this one.

    Of what such a room needs, another one is no mistake that anybody would make if it is there already.
    """
    taken = sum(4 * each.box.wide * each.box.deep for each in things.values() if _takes_floor(each, floor))
    most = min(_OF_FLOOR * floor.area, _OF_FREE * max(0.0, floor.area - taken))
    height = floor.height or _HEIGHT
    nouns = {each.kind.noun for each in things.values()}
    return [
        asset
        for asset in _loose(catalogue, room_type)
        if asset.size[0] * asset.size[2] <= most
        and asset.size[1] <= height
        and not (room_type in (kind := kind_of(asset.desc)).core and kind.noun in nouns)
    ]


def _takes_floor(each: Thing, floor: Floor) -> bool:
    box = each.box
    return not each.flat and box.low - floor.level < ALOFT and floor.contains(box.x, box.z)


@lru_cache(maxsize=32)
def _loose(catalogue: Catalogue, room_type: str) -> list[Asset]:
    """What the catalogue has for a type of room that may stand anywhere on the floor."""
    return [
        each
        for each in catalogue.for_room(room_type)
        if each.desc
        and min(each.size) > 0
        and each.size[0] * each.size[2] >= _LEAST
        and (kind := kind_of(each.desc)).stands == "floor"
        and kind.family not in ("bed", "rug")
    ]
