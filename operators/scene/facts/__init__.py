"""What is measured in a room, for prompts, claims and pages: where things are, what is wrong, how space is used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from dataflow_ext.text import rows
from dataflow_ext.text.nouns import plural
from operators.scene.facts.things import Fault, Room, Thing, angle_to, faults_of, is_sat_at
from operators.scene.model.floor import Floor, clipped, ring_area
from operators.scene.model.geometry import WallGap
from operators.scene.model.kinds import Kind, kinds
from operators.scene.model.limits import ALOFT, AWAY, BLOCKED, EXACT, FACING, NEAR, OFF_WALL, ONE_SIDED
from operators.scene.model.scene import Scene, bounds_of, objects_of


@dataclass(frozen=True)
class FactSheet:
    """What is measured in a room: things and counts, its problems, and how its space is used.

    Problems are ``physical`` (what overlaps, leaves the room, floats or sinks) or of the ``layout``. Space is no
    problem but a matter of taste: the largest ``empty`` area, and ``halves``, the shares of the footprints.
    """

    room: Room
    counts: dict[str, int]
    physical: list[Fault]
    layout: list[Fault]
    empty: Empty | None
    halves: dict[str, float]

    def lines(self) -> list[str]:
        """The sheet as compact English for a prompt; metres with two decimals."""
        return [*self._room_lines(), *map(self._thing_line, self.room.things), *self.problem_lines()]

    def problem_lines(self) -> list[str]:
        """The classes of problems alone, each with "none" if there is none, and how the space is used."""
        return [
            "Physical problems: " + ("; ".join(map(str, self.physical)) or "none"),
            "Layout problems: " + ("; ".join(map(str, self.layout)) or "none"),
            "Space: " + ("; ".join(self._space()) or "no free floor"),
        ]

    @property
    def problems(self) -> list[Fault]:
        """All that is wrong with the room."""
        return [*self.physical, *self.layout]

    @property
    def imbalance(self) -> tuple[str, float] | None:
        """The half that holds nearly all furniture, with its share; None if the room is balanced or nearly empty."""
        if not self.halves or sum(thing.on_floor for thing in self.room.things) < 3:
            return None
        half, share = max(self.halves.items(), key=lambda each: each[1])
        return (half, share) if share >= ONE_SIDED else None

    def _space(self) -> list[str]:
        found = []
        if self.empty:
            area = self.empty.width * self.empty.depth
            where = self.empty.place
            found.append(
                f"largest empty area {self.empty.width:.2f} x {self.empty.depth:.2f} m ({area:.2f} m2) in the {where}"
            )
        if self.imbalance:
            half, share = self.imbalance
            found.append(f"{share * 100:.0f} % of the furniture's footprint lies in the {half} half")
        return found

    def _room_lines(self) -> list[str]:
        floor = self.room.floor
        x0, z0, x1, z1 = floor.bounds
        kind = "rectangular" if floor.is_rectangle else f"{len(floor.corners)} corners"
        counts = ", ".join(f"{n} {noun if n == 1 else _plural(noun)}" for noun, n in self.counts.items()) or "none"
        return [
            f"Room: {self.room.room_type}, {x1 - x0:.2f} x {z1 - z0:.2f} m ({kind}, {floor.area:.2f} m2), ceiling "
            f"{floor.height:.2f} m; x from {x0:.2f} (west) to {x1:.2f} (east), z from {z0:.2f} (north) to "
            f"{z1:.2f} (south)",
            f"Objects: {len(self.room.things)}: {counts}",
        ]

    def _thing_line(self, thing: Thing) -> str:
        x, y, z = thing.pos
        w, h, d = thing.size
        parts = [f"{thing.name}: at ({x:.2f}, {y:.2f}, {z:.2f}), size {w:.2f} x {h:.2f} x {d:.2f} m"]
        nearest = self.room.nearest_wall(thing)
        if nearest:
            parts.append(f"{nearest.gap:.2f} m from the {nearest.wall.name} wall")
        parts.append(self.room.place(thing))
        if thing.kind.faces:
            parts.append(f"faces {thing.facing}")
        near = ", ".join(f"{other.name} {gap:.2f} m" for other, gap in self.room.neighbours(thing))
        return "; ".join(parts) + (f"; nearest: {near}" if near else "")


def _plural(noun: str) -> str:
    return kinds()[noun].plural if noun in kinds() else plural(noun)


def problems_of(room: Room) -> list[Fault]:
    """All that is wrong with a room."""
    return [*faults_of(room), *layout_of(room)]


def fact_sheet(scene: Scene) -> FactSheet:
    """The fact sheet of a room in either form, remembered by what the room holds."""
    return _sheet(_Held(scene))


def room_of(scene: Scene) -> Room:
    """The room of a scene with its things, remembered by what it holds."""
    return _room(_Held(scene))


class _Held:
    """A scene that is equal to another one if all that is measured is."""

    __slots__ = ("_hash", "key", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        bottom, top = bounds_of(scene)
        things = [(each["jid"], each["desc"], *each["pos"], *each["size"], *each["rot"]) for each in objects_of(scene)]
        corners = (*map(tuple, bottom), None, *map(tuple, top))
        self.key = (scene.get("room_type"), scene.get("room_id"), corners, *things)
        self._hash = hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.key == other.key


@lru_cache(maxsize=256)
def _room(held: _Held) -> Room:
    return Room.of(held.scene)


@lru_cache(maxsize=256)
def _sheet(held: _Held) -> FactSheet:
    room = _room(held)
    return FactSheet(
        room=room,
        counts=dict(Counter(thing.kind.noun for thing in room.things)),
        physical=faults_of(room),
        layout=layout_of(room),
        empty=largest_empty(room),
        halves=halves(room),
    )


def layout_of(room: Room) -> list[Fault]:
    """What is wrong with a room's layout, as far as it keeps the room from being used; tastes are none."""
    made = [each for thing in room.things if thing.on_floor
            for each in (_off_wall(room, thing), _misturned(room, thing), _astray(room, thing)) if each]  # fmt: skip
    return [*made, *(Fault("missing", [], f"there is no {noun}") for noun in missing(room))]


def missing(room: Room) -> list[str]:
    """Nouns of what a room of this type cannot be used without and has nothing instead of."""
    present = {word for thing in room.things for word in (thing.kind.noun, *thing.kind.broader, thing.kind.family)}
    return [noun for noun, instead in _needs().get(room.room_type, {}).items() if present.isdisjoint({noun, *instead})]


def needed(room_type: str) -> Collection[str]:
    """The nouns of what a type of room cannot be used without."""
    return _needs().get(room_type, {}).keys()


@cache
def _needs() -> Mapping[str, Mapping[str, Sequence[str]]]:
    found: dict[str, dict[str, Sequence[str]]] = {}
    for room_type, noun, instead in rows("operators.scene", "data/needs.tsv"):
        found.setdefault(room_type, {})[noun] = instead.split(", ")
    return found


def _off_wall(room: Room, thing: Thing) -> Fault | None:
    """A bed, sofa, wardrobe, cabinet or shelf with a front that stands free; a basket may."""
    if thing.kind.family not in ("bed", "sofa", "storage", "shelf") or not thing.kind.faces or thing.box.volume <= 0.05:
        return None
    nearest = room.nearest_wall(thing)
    if nearest is None or nearest.gap <= OFF_WALL + EXACT:
        return None
    return Fault("off_wall", [thing], f"{thing.name} stands {nearest.gap:.2f} m off the nearest wall")


def _misturned(room: Room, thing: Thing) -> Fault | None:
    """What faces a wall at arm's length, or away from all that it is turned to."""
    if not thing.kind.faces:
        return None
    if partners := _partners(room, thing):
        if all(angle_to(thing, each.box.x, each.box.z) >= AWAY for each in partners):
            nearest = min(partners, key=lambda each: room.gap(thing, each))
            return Fault("misturned", [thing], f"{thing.name} faces away from {nearest.name}")
    elif thing.kind.family in ("sofa", "seat", "storage", "shelf") and (wall := _wall_ahead(room, thing)):
        return Fault("misturned", [thing], f"{thing.name} faces the {wall.wall.name} wall, {wall.gap:.2f} m before it")
    return None


def _astray(room: Room, thing: Thing) -> Fault | None:
    """A nightstand far from every bed."""
    beds = [each for each in room.things if each.kind.family == "bed"] if thing.kind.noun == "nightstand" else []
    bed = min(beds, key=lambda each: room.gap(thing, each), default=None)
    if bed is None or room.gap(thing, bed) <= NEAR + EXACT:
        return None
    return Fault("astray", [thing], f"{thing.name} is {room.gap(thing, bed):.2f} m away from {bed.name}")


def _partners(room: Room, thing: Thing) -> list[Thing]:
    """What a piece is turned to: the tables near a chair, of a height that one sits at; the television of a sofa."""
    if thing.kind.family == "sofa":
        return [o for o in room.things if o.kind.noun in ("tv", "tv stand")]
    if not {"table", "desk"} & set(served(thing.kind)):
        return []
    return [o for o in room.things if is_sat_at(o) and room.gap(thing, o) <= NEAR + EXACT]


def served(kind: Kind) -> Sequence[str]:
    """The nouns and families of what pieces of a kind belong to, the first first.

    >>> from operators.scene.model.kinds import kinds
    >>> served(kinds()["dining chair"])
    ('table',)
    """
    return next((_served()[noun] for noun in (kind.noun, *kind.broader) if noun in _served()), ())


@cache
def _served() -> Mapping[str, tuple[str, ...]]:
    return {noun: tuple(serves.split(", ")) for noun, serves in rows("operators.scene", "data/partners.tsv")}


def _wall_ahead(room: Room, thing: Thing) -> WallGap | None:
    """The wall that a front looks to, if it is too near to use the front."""
    found = room.wall_ahead(thing)
    if found is None or found.gap >= BLOCKED:
        return None
    (fx, fz), (ox, oz) = thing.box.front, found.wall.out
    return found if fx * ox + fz * oz >= math.cos(math.radians(FACING)) else None


#: Cells along the longer side of a room, on which empty areas are measured.
_CELLS = 24


@dataclass(frozen=True)
class Empty:
    """The largest rectangle along the axes with no furniture in it: its lengths in metres, its middle and its place."""

    width: float
    depth: float
    x: float
    z: float
    place: str


def largest_empty(room: Room) -> Empty | None:
    """The largest empty area of the floor, on a grid of 24 cells along its longer side; None without a floor."""
    floor = room.floor
    if floor.area < 1e-6:
        return None
    x0, z0, _, _ = floor.bounds
    cell, free = _cells(floor)
    rows = [list(row) for row in free]
    columns = len(rows[0])
    for thing in room.things:
        if thing.kind.family == "rug" or thing.box.low - floor.level >= ALOFT:
            continue
        xs, zs = [x for x, _ in thing.box.corners], [z for _, z in thing.box.corners]
        left, right = max(0, math.floor((min(xs) - x0) / cell)), min(columns, math.ceil((max(xs) - x0) / cell))
        for j in range(max(0, math.floor((min(zs) - z0) / cell)), min(len(rows), math.ceil((max(zs) - z0) / cell))):
            if right > left:
                rows[j][left:right] = [False] * (right - left)
    area, i0, j0, i1, j1 = _largest(rows)
    if not area:
        return None
    x, z = x0 + (i0 + i1) / 2 * cell, z0 + (j0 + j1) / 2 * cell
    return Empty((i1 - i0) * cell, (j1 - j0) * cell, x, z, room.place_at(x, z))


def halves(room: Room) -> dict[str, float]:
    """The share of all footprints on the floor that lies in each half of the floor's bounds; empty without any."""
    x0, z0, x1, z1 = room.floor.bounds
    x, z, far = (x0 + x1) / 2, (z0 + z1) / 2, 1e4
    west = [(-far, -far), (x, -far), (x, far), (-far, far)]
    north = [(-far, -far), (far, -far), (far, z), (-far, z)]
    total = in_west = in_north = 0.0
    for thing in room.things:
        if thing.on_floor:
            total += 4 * thing.box.wide * thing.box.deep
            in_west += abs(ring_area(clipped(thing.box.corners, west)))
            in_north += abs(ring_area(clipped(thing.box.corners, north)))
    if total < 1e-9:
        return {}
    w, n = in_west / total, in_north / total
    return {"west": w, "east": 1 - w, "north": n, "south": 1 - n}


@lru_cache(maxsize=256)
def _cells(floor: Floor) -> tuple[float, tuple[tuple[bool, ...], ...]]:
    """The length of a cell, and for each row from north to south which of its cells have their middle in the floor."""
    x0, z0, x1, z1 = floor.bounds
    cell = max(x1 - x0, z1 - z0) / _CELLS
    columns, rows = max(1, round((x1 - x0) / cell)), max(1, round((z1 - z0) / cell))
    return cell, tuple(
        tuple(floor.contains(x0 + (i + 0.5) * cell, z0 + (j + 0.5) * cell) for i in range(columns)) for j in range(rows)
    )


def _largest(rows: list[list[bool]]) -> tuple[int, int, int, int, int]:
    """The largest rectangle of true cells: cells, first and last column, first and last row (last ones excluded)."""
    best = (0, 0, 0, 0, 0)
    heights = [0] * len(rows[0])
    for j, row in enumerate(rows):
        heights = [height + 1 if free else 0 for height, free in zip(heights, row, strict=True)]
        stack: list[tuple[int, int]] = []
        for i, height in enumerate([*heights, 0]):
            start = i
            while stack and stack[-1][1] >= height:
                start, tall = stack.pop()
                if tall * (i - start) > best[0]:
                    best = (tall * (i - start), start, j + 1 - tall, i, j + 1)
            if height:
                stack.append((start, height))
    return best
