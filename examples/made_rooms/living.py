"""Layouts of bedrooms, living rooms and dining rooms."""

from __future__ import annotations

from collections.abc import Iterator

from examples.made_rooms.builder import Builder, Placed
from examples.made_rooms.parts import (
    beside,
    ceiling_light,
    chairs_around,
    corner_plants,
    curtains,
    long_walls,
    opposite,
    rug_before,
    things_on,
    wall_piece,
)
from operators.scene.editing.catalogue import Asset
from operators.scene.model.floor import Wall


def bedroom(b: Builder) -> None:
    """A bed with its head to a wall and nightstands beside it, a wardrobe, and what else finds room."""
    bed = _bed(b)
    if bed is None:
        return
    _nightstands(b, bed)
    wardrobe = b.pick("wardrobe", fits=lambda a: a.size[0] < 2.0)
    if wardrobe is not None:
        b.at_wall(wardrobe, "storage", clear=0.6, places=(0.0, 1.0))
    wall_piece(b, bed, "decoration")
    wish = b.rng.sample(["tv", "dresser", "vanity", "desk", "chair", "mirror", "basket"], 4)
    for each in wish:
        _BEDROOM[each](b)
    if b.rng.random() < 0.5 and (bench := b.pick("bench", fits=lambda a: a.size[0] < bed.size[0])):
        x, z = bed.before(bed.box.deep + bench.size[2] / 2 + 0.04)
        b.put(bench, x, z, bed.yaw, "sleeping")
    corner_plants(b, b.rng.choice((0, 1, 1, 2)))
    if b.rng.random() < 0.4:
        curtains(b)
    ceiling_light(b, bed.box.x, bed.before(bed.box.deep)[1], "lighting", "ceiling lamp", "pendant lamp", "chandelier")


def _bed(b: Builder) -> Placed | None:
    """A bed in the middle of a long wall; a single one beside a corner if the room is small."""
    rugged = b.rng.random() < 0.35
    small = b.floor.area < 11
    bed = b.pick(*(("single bed",) if small else ("bed", "double bed", "canopy bed")))
    if bed is None:
        return None
    places = (0.05, 0.95) if small else (0.5, 0.4, 0.6, 0.3, 0.7)
    for wall in long_walls(b, bed.size[0] + 1.2):
        if rugged and not small and (rug := b.pick("rug", fits=lambda a: a.size[0] > bed.size[0] + 0.4)):
            middle = (wall.start[0] + wall.end[0]) / 2, (wall.start[1] + wall.end[1]) / 2
            off = bed.size[2] * 0.62 + rug.size[2] / 2
            yaw = 0.0 if wall.out[0] == 0 else 90.0
            b.put(rug, middle[0] - wall.out[0] * off, middle[1] - wall.out[1] * off, yaw, "sleeping")
        if put := b.at_wall(bed, "sleeping", walls=[wall], places=places):
            return put
    return b.at_wall(bed, "sleeping")


def _nightstands(b: Builder, bed: Placed) -> None:
    nightstand = b.pick("nightstand")
    if nightstand is None:
        return
    stands = [each for side in (1, -1) if (each := beside(b, bed, nightstand, "sleeping", side))]
    how = b.rng.random()
    if how < 0.6 and (lamp := b.pick("table lamp", fits=lambda a: a.size[0] < nightstand.size[0] - 0.05)):
        for each in stands:
            b.on_top(lamp, each)
    elif how < 0.85 and (lamp := b.pick("pendant lamp", fits=lambda a: a.size[0] < 0.3)):
        for each in stands:
            b.hang(lamp, each.box.x, each.box.z, "sleeping", each.yaw)
    elif stands:
        things_on(b, stands[0], ["books"])


def _tv(b: Builder, walls: list[Wall] | None = None, group: str = "media") -> Placed | None:
    stand = b.pick("tv stand")
    put = stand and b.at_wall(stand, group, walls=walls, places=(0.5, 0.35, 0.65, 0.0, 1.0), clear=0.35)
    if not put:
        return None
    tv = b.pick("tv", fits=lambda a: a.size[0] < put.size[0])
    if tv:
        b.on_top(tv, put, ahead=-0.4)
    return put


def _dresser(b: Builder) -> None:
    chest = b.pick("chest of drawers")
    if chest and (put := b.at_wall(chest, "storage", clear=0.4)):
        things_on(b, put, b.rng.sample(["vase", "books", "candle", "box"], 2), most=0.4)
        if put.size[1] < 1.0:
            wall_piece(b, put, "decoration", "mirror", "painting")


def _vanity(b: Builder) -> None:
    table = b.pick("dressing table")
    if table and (put := b.at_wall(table, "dressing")):
        wall_piece(b, put, "dressing", "mirror")
        if stool := b.pick("stool"):
            x, z = put.before(put.box.deep + stool.size[2] / 2 + 0.08)
            b.put(stool, x, z, put.yaw + 180, "dressing")


def desk_at_wall(b: Builder, group: str = "work") -> Placed | None:
    """A desk with its back to a wall, an office chair that looks at it, and what lies on desks."""
    desk = b.pick("desk", "computer desk", fits=lambda a: a.size[0] < 1.45)
    chair = b.pick("office chair")
    if desk is None or chair is None:
        return None
    for _ in range(4):
        put = b.at_wall(desk, group)
        if put is None:
            return None
        x, z = put.before(put.box.deep + chair.size[2] / 2 + 0.15)
        if b.put(chair, x, z, put.yaw + 180 + b.rng.choice((0, 0, -20, 20)), group):
            on_desk(b, put)
            return put
        b.take_back(put)
    return None


def on_desk(b: Builder, desk: Placed, turn: float = 0.0) -> None:
    """A screen in the middle of a desk, with a lamp and small things beside it."""
    screen = b.pick("monitor", "laptop", fits=lambda a: a.size[0] < 0.66)
    if screen:
        b.on_top(screen, desk, 0.0, 0.0, turn)
    if lamp := b.pick("desk lamp"):
        b.on_top(lamp, desk, 0.92, 0.0, turn)
    if holder := b.pick("pen holder"):
        b.on_top(holder, desk, -0.6, 0.2, turn)


def _reading(b: Builder) -> None:
    chair = b.pick("armchair", "lounge chair", fits=lambda a: a.size[0] < 0.9)
    if chair and (put := b.in_corner(chair, "reading")):
        lamp = b.pick("floor lamp", fits=lambda a: a.size[0] < 0.6)
        if lamp:
            beside(b, put, lamp, "reading", b.rng.choice((1, -1)))


def _floor_mirror(b: Builder) -> None:
    if mirror := b.pick("floor mirror"):
        b.at_wall(mirror, "dressing", clear=0.5)


def _basket(b: Builder) -> None:
    if basket := b.pick("laundry basket", "basket"):
        b.in_corner(basket, "storage", turned=False)


_BEDROOM = {"tv": lambda b: _tv(b), "dresser": _dresser, "vanity": _vanity, "desk": desk_at_wall, "chair": _reading,
            "mirror": _floor_mirror, "basket": _basket}  # fmt: skip


def livingroom(b: Builder) -> None:
    """A sofa at a wall that looks at a television, a coffee table between them, seats and shelves around."""
    sofa = _sofa(b)
    if sofa is None:
        return
    for side, noun in ((1, "side table"), (-1, b.rng.choice(("side table", "floor lamp")))):
        fits = b.pick(noun, fits=lambda a: a.size[0] < 0.6)
        put = fits and beside(b, sofa, fits, "seating", side)
        if put and noun == "side table":
            things_on(b, put, [b.rng.choice(("table lamp", "vase", "plant"))], most=0.35)
    wall_piece(b, sofa, "decoration")
    for noun in b.rng.sample(["bookcase", "cabinet", "sideboard", "shelf", "console table", "fireplace", "piano"], 3):
        piece = b.pick(noun, fits=lambda a: a.size[0] < 1.8)
        if piece and (at := b.at_wall(piece, "storage", clear=0.4)) and at.size[1] < 1.25:
            things_on(b, at, b.rng.sample(["vase", "books", "candle", "sculpture", "bowl"], 2), most=0.4)
    if b.floor.area > 24 and b.rng.random() < 0.75:
        dining_set(b, b.rng.choice((4, 4, 6)))
    corner_plants(b, b.rng.choice((1, 2, 2, 3)))
    if b.rng.random() < 0.6 and (lamp := b.pick("floor lamp")):
        b.in_corner(lamp, "lighting", turned=False)
    if b.rng.random() < 0.4:
        curtains(b)


def _sofa(b: Builder) -> Placed | None:
    """The sofa, with its rug, coffee table, lamp, armchairs and television; the rug comes first, as it lies below."""
    noun = b.rng.choice(("sofa", "sofa", "sofa", "loveseat", "sectional sofa"))
    sofa = b.pick(noun, fits=lambda a: a.size[2] < 1.8)
    walls = long_walls(b, (sofa.size[0] if sofa else 0.0) + 0.6)
    if sofa is None or not walls:
        return None
    wall = walls[0] if b.rng.random() < 0.6 else b.rng.choice(walls)
    put = b.at_wall(sofa, "seating", walls=[wall], places=(0.5, 0.4, 0.6))
    if put is None:
        return None
    ahead = put.box.deep + 0.45
    if b.rng.random() < 0.6:
        rug_before(b, put, ahead + 0.75, "seating")
    if table := b.pick("coffee table", fits=lambda a: 0.55 < a.size[0] < put.size[0] * 0.7):
        x, z = put.before(ahead + table.size[2] / 2)
        middle = b.put(table, x, z, put.yaw, "seating")
        if middle:
            _around_coffee_table(b, put, middle)
    _tv(b, opposite(b, wall))
    return put


def _around_coffee_table(b: Builder, sofa: Placed, table: Placed) -> None:
    things_on(b, table, b.rng.sample(["tray", "books", "vase", "flowers", "bowl"], 2), most=0.4)
    ceiling_light(b, table.box.x, table.box.z, "seating", "pendant lamp", "chandelier", "ceiling lamp")
    chair = b.pick("armchair", "lounge chair", fits=lambda a: a.size[0] < 0.95)
    if chair is None:
        return
    for side in b.rng.choice(((1,), (-1,), (1, -1), (1, -1))):
        x, z = table.before(0.1, side * (table.box.wide + chair.size[2] / 2 + 0.4))
        b.put(chair, x, z, table.yaw - side * 90, "seating")


def diningroom(b: Builder) -> None:
    """A table with chairs around it below a lamp, with a sideboard and cabinets at the walls."""
    dining_set(b, b.rng.choice((4, 4, 6, 6, 8)), rug=True)
    for noun in (
        "sideboard",
        b.rng.choice(("display cabinet", "wine cabinet")),
        b.rng.choice(("console table", "trolley")),
    ):
        piece = b.pick(noun, fits=lambda a: a.size[0] < 1.8)
        if piece and (put := b.at_wall(piece, "storage", clear=0.35, places=(0.5, 0.0, 1.0))) and put.size[1] < 1.1:
            things_on(b, put, b.rng.sample(["vase", "bowl", "candle", "teapot", "bottle"], 3), most=0.35)
            wall_piece(b, put, "decoration", "painting", "mirror")
    wall_piece(b, None, "decoration", "painting", "clock")
    corner_plants(b, b.rng.choice((1, 2, 3)))
    if b.rng.random() < 0.4:
        curtains(b)


def dining_set(b: Builder, count: int, *, rug: bool = False) -> Placed | None:
    """A dining table with chairs, in the middle of the room or where there is space, and a lamp over it."""
    group = "dining"
    round_one = count <= 4 and b.rng.random() < 0.4
    table = b.pick("dining table", fits=lambda a: (abs(a.size[0] - a.size[2]) < 0.05) is round_one)
    chair = b.pick("dining chair")
    if table is None or chair is None:
        return None
    for x, z, yaw in _dining_places(b, table, chair):
        below = b.pick("rug") if rug and b.rng.random() < 0.6 else None
        if below is not None:
            b.put(below, x, z, yaw, group)
        put = b.put(table, x, z, yaw, group)
        if put is None:
            continue
        chairs_around(b, put, chair, count, group)
        things_on(b, put, b.rng.sample(["vase", "bowl", "flowers", "candle", "tray"], 2), most=0.3)
        ceiling_light(b, x, z, group, "pendant lamp", "chandelier")
        b.free.append(b.around(put, 0.95))
        return put
    return None


def _dining_places(b: Builder, table: Asset, chair: Asset) -> Iterator[tuple[float, float, float]]:
    """Where a table has room for chairs around it, and how it is turned; less room is tried last."""
    x0, z0, x1, z1 = b.floor.bounds
    along = 0.0 if x1 - x0 >= z1 - z0 else 90.0
    spots = [((x0 + x1) / 2, (z0 + z1) / 2, along)] if not b.placed else []
    spots += [(b.rng.uniform(x0 + 1, x1 - 1), b.rng.uniform(z0 + 1, z1 - 1), b.rng.choice((0.0, 90.0)))
              for _ in range(60)]  # fmt: skip
    for margin in (0.35, 0.1):
        reach = 2 * (chair.size[2] + margin)
        yield from (
            each for each in spots if b.is_open(*each[:2], (table.size[0] + reach, table.size[2] + reach), each[2])
        )
