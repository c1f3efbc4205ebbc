"""Layouts of studies, kitchens, and of halls, libraries and children's rooms."""

from __future__ import annotations

from examples.made_rooms.builder import Builder, Placed
from examples.made_rooms.living import desk_at_wall, dining_set, on_desk
from examples.made_rooms.parts import beside, ceiling_light, corner_plants, long_walls, things_on, wall_piece
from operators.scene.editing.catalogue import Asset


def office(b: Builder) -> None:
    """A desk with a chair, in the room or at a wall, shelves with books, and a place to sit."""
    desk = _free_desk(b) if b.rng.random() < 0.55 else desk_at_wall(b)
    if desk is None:
        desk = desk_at_wall(b)
    _shelves(b, b.rng.choice((1, 2, 3)))
    for noun in b.rng.sample(
        ["filing cabinet", "cabinet", "shelf", "coat rack", "armchair", "trash can", "sideboard"], 5
    ):
        piece = b.pick(noun, fits=lambda a: a.size[0] < 1.0)
        if piece is None:
            continue
        if noun in ("armchair", "trash can", "coat rack"):
            b.in_corner(piece, "seating" if noun == "armchair" else "work", turned=noun == "armchair")
        elif (put := b.at_wall(piece, "storage", clear=0.4)) and put.size[1] < 1.2:
            things_on(b, put, [b.rng.choice(("printer", "plant", "globe"))])
    wall_piece(b, None, "decoration", "painting", "whiteboard", "clock")
    corner_plants(b, b.rng.choice((1, 1, 2)))
    ceiling_light(b, *_middle(b), "lighting")


def _free_desk(b: Builder) -> Placed | None:
    """A desk in the room, with its chair between it and the wall, and seats for visitors before it."""
    desk, chair = b.pick("desk"), b.pick("office chair")
    if desk is None or chair is None:
        return None
    for wall in long_walls(b, desk.size[0] + 1.0):
        off = 0.25 + chair.size[2] + 0.1 + desk.size[2] / 2
        x = (wall.start[0] + wall.end[0]) / 2 - wall.out[0] * off
        z = (wall.start[1] + wall.end[1]) / 2 - wall.out[1] * off
        yaw = 0.0 if wall.out[1] < 0 else 180.0 if wall.out[1] > 0 else 90.0 if wall.out[0] < 0 else 270.0
        put = b.put(desk, x, z, yaw, "work")
        if put is None:
            continue
        # One sits behind it: the front of the desk is towards its visitors.
        b.put(chair, *put.before(-put.box.deep - chair.size[2] / 2 - 0.08), yaw, "work")
        on_desk(b, put, 180.0)
        if (visitor := b.pick("chair", "dining chair")) and b.rng.random() < 0.7:
            for aside in (0.4, -0.4):
                b.put(visitor, *put.before(put.box.deep + visitor.size[2] / 2 + 0.25, aside), yaw + 180, "work")
        return put
    return None


def _shelves(b: Builder, count: int) -> None:
    """The same bookcase some times, side by side while the wall lasts."""
    shelf = b.pick("bookcase", fits=lambda a: a.size[1] > 1.0)
    last = shelf and b.at_wall(shelf, "storage", places=(0.0, 1.0), clear=0.45)
    for _ in range(count - 1):
        if not last or shelf is None:
            return
        last = next((put for side in (1, -1) if (put := beside(b, last, shelf, "storage", side))), None)


def kitchen(b: Builder) -> None:
    """Cabinets, stove and refrigerator in a row at the longest wall, with a place to eat."""
    row = _row(b)
    island = b.pick("kitchen island")
    if not (row and island and b.rng.random() < 0.5 and _island(b, row, island)):
        dining_set(b, 4)
    trash = b.pick("trash can")
    if trash:
        b.in_corner(trash, "cooking", turned=False)
    trolley = b.pick("trolley", "wine cooler", "cabinet", fits=lambda a: a.size[0] < 0.9)
    if trolley:
        b.at_wall(trolley, "storage", clear=0.3)
    wall_piece(b, None, "decoration", "clock", "painting")
    corner_plants(b, b.rng.choice((0, 1, 1)))
    ceiling_light(b, *_middle(b), "lighting")


def _row(b: Builder) -> Placed | None:
    """The working row: pieces beside each other, wall cabinets and a hood above, small machines on top; its middle."""
    base, stove, cold = b.pick("kitchen cabinet"), b.pick("stove"), b.pick("refrigerator")
    hood, upper = b.pick("range hood"), b.pick("wall cabinet")
    if base is None or stove is None or cold is None:
        return None
    wall = long_walls(b, 0.0)[0]
    count = int((wall.length - 0.3 - cold.size[0] - stove.size[0]) / (base.size[0] + 0.05))
    order = [cold, *[base] * min(max(count, 1), 4)]
    order.insert(b.rng.randint(2, len(order)), stove)
    last = b.at_wall(order[0], "cooking", walls=[wall], places=(0.0, 1.0))
    machines = b.rng.sample(["coffee machine", "kettle", "microwave", "toaster", "bowl", "knife block"], 4)
    row = [last] if last else []
    side = 0
    for asset in order[1:]:
        sides = (side,) if side else (1, -1)
        found = ((each, s) for s in sides if row and (each := beside(b, row[-1], asset, "cooking", s)))
        put, side = next(found, (None, side))
        if put is None:
            break
        row.append(put)
        above = hood if asset is stove else upper
        if above is not None and above.size[0] < put.size[0] + 0.25:
            x, z = put.before(above.size[2] / 2 - put.size[2] / 2)
            b.put(above, x, z, put.yaw, "cooking", y=1.55 if asset is stove else 1.5)
        if asset is base and machines:
            things_on(b, put, [machines.pop()], most=0.6)
    return row[len(row) // 2] if row else None


def _island(b: Builder, row: Placed, island: Asset) -> bool:
    """An island a step before the row, with stools on its far side; whether there is room for it."""
    put = b.put(island, *row.before(row.box.deep + 0.95 + island.size[2] / 2), row.yaw, "eating")
    stool = b.pick("bar stool")
    if put is None or stool is None:
        return False
    for aside in (-0.5, 0.0, 0.5):
        at = put.before(put.box.deep + stool.size[2] / 2 + 0.06, aside)
        b.put(stool, *at, put.yaw + 180, "eating")
    things_on(b, put, ["bowl", "fruit"], most=0.4)
    if lamp := b.pick("pendant lamp", fits=lambda a: a.size[0] < 0.4):
        for aside in (-0.4, 0.4):
            b.hang(lamp, *put.before(0.0, aside), "eating")
    return True


def hallway(b: Builder) -> None:
    """What one needs when coming home."""
    table = b.pick("console table")
    if table and (put := b.at_wall(table, "entry", places=(0.5, 0.3, 0.7))):
        wall_piece(b, put, "entry", "mirror")
        things_on(b, put, ["table lamp", "vase", "bowl"], most=0.35)
    cabinet, bench, coats = b.pick("shoe cabinet"), b.pick("bench"), b.pick("coat rack")
    if cabinet:
        b.at_wall(cabinet, "storage", clear=0.4)
    if bench and (put := b.at_wall(bench, "entry")) and (shoes := b.pick("shoes")):
        b.put(shoes, *put.before(put.box.deep + 0.25, 0.2), put.yaw, "entry")
    for asset in (coats, b.pick("umbrella stand")):
        if asset:
            b.in_corner(asset, "storage", turned=False)
    if mat := b.pick("mat"):
        b.at_wall(mat, "entry", places=(0.5, 0.2, 0.8))
    wall_piece(b, None, "decoration")
    corner_plants(b, b.rng.choice((1, 2)))
    ceiling_light(b, *_middle(b), "lighting")


def library(b: Builder) -> None:
    """Shelves along the walls, with a place to read and one to write."""
    for _ in range(2):
        _shelves(b, 2)
    for _ in range(b.rng.choice((1, 2))):
        chair = b.pick("armchair", fits=lambda a: a.size[0] < 0.9)
        if (
            chair
            and (put := b.in_corner(chair, "reading"))
            and (lamp := b.pick("floor lamp", fits=lambda a: a.size[0] < 0.5))
        ):
            beside(b, put, lamp, "reading", 1)
    desk_at_wall(b)
    if globe := b.pick("globe"):
        for each in [each for each in b.placed if each.noun == "desk"]:
            b.on_top(globe, each, -0.95, 0.0)
    wall_piece(b, None, "decoration", "painting", "clock")
    corner_plants(b, 1)
    ceiling_light(b, *_middle(b), "lighting")


def kidsroom(b: Builder) -> None:
    """A bed, a low table with chairs on a rug, and toys."""
    bed = b.pick("kids bed", "bunk bed")
    put = bed and b.at_wall(bed, "sleeping", places=(0.0, 1.0))
    if put and (stand := b.pick("nightstand")):
        any(beside(b, put, stand, "sleeping", side) for side in (1, -1))
    for noun in ("children's cabinet", b.rng.choice(("bookcase", "chest of drawers"))):
        if piece := b.pick(noun, fits=lambda a: a.size[1] < 1.95 and a.size[0] < 1.1):
            at = b.at_wall(piece, "storage", clear=0.4)
            if at and at.size[1] < 1.2:
                things_on(b, at, ["toy", "books"], most=0.4)
    x, z = _middle(b)
    rug, table, chair = b.pick("rug", fits=lambda a: a.size[0] < 2.4), b.pick("kids table"), b.pick("kids chair")
    if rug:
        b.put(rug, x, z, 0.0, "playing")
    if table and chair and (low := b.put(table, x, z, 0.0, "playing")):
        for ahead, turn in ((1, 180), (-1, 0)):
            b.put(chair, *low.before(ahead * (low.box.deep + chair.size[2] / 2 + 0.04)), low.yaw + turn, "playing")
    for noun in ("toy", "toy", "bean bag", "basket"):
        if asset := b.pick(noun):
            b.anywhere(asset, "playing")
    wall_piece(b, None, "decoration")
    corner_plants(b, b.rng.choice((0, 1)))
    ceiling_light(b, x, z, "lighting", "ceiling lamp", "pendant lamp")


def _middle(b: Builder) -> tuple[float, float]:
    """The middle of the floor, or of its larger part if the middle lies outside."""
    x0, z0, x1, z1 = b.floor.bounds
    spots = [((x0 + x1) / 2 + dx * (x1 - x0), (z0 + z1) / 2 + dz * (z1 - z0))
             for dx, dz in ((0, 0), (-0.2, -0.2), (0.2, -0.2), (-0.2, 0.2), (0.2, 0.2))]  # fmt: skip
    return next(spot for spot in spots if b.floor.contains(*spot))
