"""Parts that layouts share: a table with chairs, lamps, wall pieces, plants, things on tops."""

from __future__ import annotations

import math
from collections.abc import Sequence

from examples.made_rooms.builder import Builder, Placed
from operators.scene.editing.catalogue import Asset
from operators.scene.model.floor import Wall

#: Metres over the floor of the middle of a picture on a wall.
_EYES = 1.55


def ceiling_light(b: Builder, x: float, z: float, group: str, *nouns: str) -> bool:
    """A lamp from the ceiling over a point."""
    lamp = b.pick(*(nouns or ("ceiling lamp",)), fits=lambda a: a.size[0] < 0.9 and a.size[1] < b.floor.height - 1.7)
    return lamp is not None and b.hang(lamp, x, z, group)


def chairs_around(b: Builder, table: Placed, chair: Asset, count: int, group: str) -> int:
    """Chairs about a table, looking at it; how many found room. Round tables have them in a ring."""
    wide, _, deep = table.size
    gap = chair.size[2] / 2 + 0.06
    if abs(wide - deep) < 0.05:
        places = [(i * 360 / count, wide / 2 + gap) for i in range(count)]
        spots = [(r * math.cos(math.radians(a)), r * math.sin(math.radians(a)), a) for a, r in places]
    else:
        spots = _along_sides(wide, deep, gap, count, chair.size[0])
    put = 0
    for ahead, aside, angle in spots:
        x, z = table.before(ahead, aside)
        put += b.put(chair, x, z, table.yaw + angle + 180, group) is not None
    return put


def _along_sides(wide: float, deep: float, gap: float, count: int, seat: float) -> list[tuple[float, float, float]]:
    """Places ahead and aside of a table's middle, and the direction from it, first along its long sides."""
    ends = [(0.0, wide / 2 + gap, 90.0), (0.0, -wide / 2 - gap, -90.0)]
    a_side = max(1, min((count + 1) // 2 if count <= 4 else (count - 1) // 2, int(wide / (seat + 0.06))))
    step = wide / a_side
    rows = [
        (sign * (deep / 2 + gap), (i + 0.5) * step - wide / 2, 0.0 if sign > 0 else 180.0)
        for i in range(a_side)
        for sign in (1, -1)
    ]
    return [*rows, *ends][:count]


def corner_plants(b: Builder, count: int, group: str = "decoration") -> None:
    """The same plant in some corners, or plants of two sorts."""
    plant = b.pick("plant", "tree", fits=lambda a: 0.35 < a.size[0] < 0.9)
    for _ in range(count):
        if plant is not None and b.in_corner(plant, group) is None:
            plant = b.pick("plant", fits=lambda a: 0.35 < a.size[0] < 0.45)


def wall_piece(b: Builder, over: Placed | None, group: str, *nouns: str) -> Placed | None:
    """A picture, mirror or clock on the wall, above a piece of furniture if one is named."""
    asset = b.pick(*(nouns or ("painting",)), fits=lambda a: over is None or a.size[0] < over.size[0])
    if asset is None:
        return None
    y = round(_EYES - asset.size[1] / 2, 2)
    if over is None:
        return b.at_wall(asset, group, y=y, clear=0.5)
    y = max(y, round(float(over.obj["pos"][1]) + over.size[1] + 0.15, 2))
    x, z = over.before(asset.size[2] / 2 - over.size[2] / 2)
    return b.put(asset, x, z, over.yaw, group, y=y)


def things_on(b: Builder, below: Placed, nouns: Sequence[str], *, most: float = 0.6) -> int:
    """Small things side by side on a piece of furniture; how many found room."""
    spots = [(-0.85, 0.0), (0.85, 0.0), (0.0, 0.0), (-0.4, 0.0), (0.45, 0.0)]
    put = 0
    for noun, (aside, ahead) in zip(nouns, spots, strict=False):
        asset = b.pick(noun, fits=lambda a: a.size[0] <= most and a.size[1] <= 0.8)
        put += asset is not None and b.on_top(asset, below, aside, ahead)
    return put


def beside(b: Builder, piece: Placed, asset: Asset, group: str, side: int) -> Placed | None:
    """A piece on the left (1) or right (-1) of another, their backs in line; at a wall if the other is."""
    back = (asset.size[2] - piece.size[2]) / 2
    aside = side * ((piece.size[0] + asset.size[0]) / 2 + 0.05)
    behind = -piece.size[2] / 2 - 0.1
    if not b.floor.contains(*piece.before(behind)) and b.floor.contains(*piece.before(behind, aside)):
        return None
    return b.put(asset, *piece.before(back, aside), piece.yaw, group)


def rug_before(b: Builder, piece: Placed, ahead: float, group: str) -> Placed | None:
    """A rug with its middle so far before a piece."""
    x, z = piece.before(ahead)
    rug = b.pick("rug")
    if rug is None or any(each.box.low < 0.02 and _near(each, x, z, max(rug.size) / 2) for each in b.placed):
        return None
    return b.put(rug, x, z, piece.yaw, group)


def _near(each: Placed, x: float, z: float, reach: float) -> bool:
    return math.hypot(each.box.x - x, each.box.z - z) < reach and each.noun in ("rug", "mat")


def curtains(b: Builder, group: str = "decoration") -> None:
    """A curtain at a wall, from the ceiling to the floor."""
    curtain = b.pick("curtain")
    if curtain is not None:
        b.at_wall(curtain, group, places=[0.5])


def long_walls(b: Builder, least: float) -> list[Wall]:
    """The walls of at least this length, longest first."""
    return sorted((wall for wall in b.floor.walls if wall.length >= least), key=lambda wall: (-wall.length, wall.start))


def opposite(b: Builder, wall: Wall) -> list[Wall]:
    """The walls that face a wall, longest first."""
    return [each for each in long_walls(b, 0.0) if each.out == (-wall.out[0], -wall.out[1])]
