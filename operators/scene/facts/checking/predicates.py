"""Relations as measures, with the room that words leave: "against" is up to 0.3 m, "beside" up to a metre."""

from __future__ import annotations

import math

from operators.scene.facts.physical import is_right
from operators.scene.facts.things import Room, Thing, angle_to, overlap

Way = tuple[int, int] | None

#: Metres up to which a thing is against a wall, near one, and beside another thing.
AGAINST, AT, BESIDE, FAR = 0.3, 0.8, 1.0, 0.8
#: Shares of the floor's bounds: how far over the middle a side may reach, and where the centre ends.
_SLACK, _CENTRE = 0.06, 0.28


def alone(what: str, room: Room, thing: Thing, way: Way, part: str) -> bool:
    """Whether a relation to the room or its walls holds."""
    if what in ("touch_wall", "near_wall"):
        return _at_wall(room, thing, way, AGAINST if what == "touch_wall" else AT)
    if what == "any_wall":
        return any(gap <= AGAINST for _, gap in room.walls(thing))
    if what == "off_wall":
        return any(gap > 0.03 for wall, gap in room.walls(thing) if way is None or _towards(wall.out, way) > 0.8)
    if what == "side":
        return _on_side(room, thing, way, part)
    if what == "centre":
        return all(abs(share - 0.5) <= _CENTRE for share in room.share_of(thing.box.x, thing.box.z))
    if what.endswith("_dir"):
        return _faces_way(thing, way, what)
    if what.endswith("_wall"):
        return (
            _faces_wall(room, thing) != (what == "face_away_wall")
            if what != "back_to_wall"
            else _back_near(room, thing)
        )
    if what.endswith("_room"):
        return _faces_room(room, thing) == what.startswith("face_room")
    if what == "no_overlap":
        return all(
            is_right(thing, other) or overlap(thing, other) <= 0.02 for other in room.things if other is not thing
        )
    if what == "any_overlap":
        return any(overlap(thing, other) > 0.0 for other in room.things if other is not thing)
    if what == "inside":
        return room.outside(thing) < 0.03
    if what == "outside":
        if way:
            return any(gap < -0.004 for wall, gap in room.walls(thing) if _towards(wall.out, way) > 0.8)
        return room.outside(thing) > 0.002 or any(gap < -0.004 for _, gap in room.walls(thing))
    if what == "float":
        return room.lift(thing) > 0.03
    if what == "grounded":
        return abs(room.lift(thing)) <= 0.06
    return True


def both(what: str, room: Room, thing: Thing, other: Thing, way: Way) -> bool:
    """Whether a relation between two things holds."""
    if what == "overlap":
        return overlap(thing, other) > 0.0
    if what == "clear":
        return overlap(thing, other) <= 0.02
    if what == "relative":
        return _lies(thing, other, way)
    if what == "on_top":
        return (
            room.gap(thing, other) == 0.0
            and thing.box.low >= other.box.low + 0.5 * (other.box.high - other.box.low) - 0.05
        )
    if what in ("above", "below"):
        upper, lower = (thing, other) if what == "above" else (other, thing)
        return room.gap(thing, other) <= 0.3 and upper.box.high >= lower.box.high
    if what == "near":
        return room.gap(thing, other) <= BESIDE
    if what == "far":
        return room.gap(thing, other) >= FAR
    if what == "touching":
        return room.gap(thing, other) <= 0.1
    if what in ("face", "face_away", "back_to"):
        angle = _angle_to_thing(thing, other)
        return angle <= 60 if what == "face" else angle >= 75
    return True


def _at_wall(room: Room, thing: Thing, way: Way, limit: float) -> bool:
    nearest = room.nearest_wall(thing)
    if nearest and way and _towards(nearest.wall.out, way) > 0.8 and (limit == AT or nearest.gap < 2 * limit):
        return True
    return any(gap <= limit for wall, gap in room.walls(thing) if way and _towards(wall.out, way) > 0.8)


def _on_side(room: Room, thing: Thing, way: Way, part: str) -> bool:
    if way is None:
        return True
    x, z = room.share_of(thing.box.x, thing.box.z)
    slack = -0.03 if part == "corner" and room.floor.is_rectangle else _SLACK
    return not (
        (way[0] < 0 and x > 0.5 + slack)
        or (way[0] > 0 and x < 0.5 - slack)
        or (way[1] < 0 and z > 0.5 + slack)
        or (way[1] > 0 and z < 0.5 - slack)
    )


def _faces_way(thing: Thing, way: Way, what: str) -> bool:
    if way is None:
        return True
    towards = _towards(thing.box.front, way)
    limit = math.cos(math.radians(50 if 0 in way else 40))
    if what in ("face_away_dir", "back_to_dir"):
        return towards <= -0.5
    return towards >= limit


def _faces_wall(room: Room, thing: Thing) -> bool:
    """Whether its front looks at the wall that it stands at."""
    nearest = room.nearest_wall(thing)
    return bool(nearest) and _towards(thing.box.front, (nearest.wall.out[0], nearest.wall.out[1])) > 0.5  # type: ignore[union-attr]


def _back_near(room: Room, thing: Thing) -> bool:
    back = (-thing.box.front[0], -thing.box.front[1])
    return any(gap <= AT and _towards(back, wall.out) > 0.7 for wall, gap in room.walls(thing))


def _faces_room(room: Room, thing: Thing) -> bool:
    x0, z0, x1, z1 = room.floor.bounds
    return angle_to(thing, (x0 + x1) / 2, (z0 + z1) / 2) <= 80 or not _faces_wall(room, thing)


def _lies(thing: Thing, other: Thing, way: Way) -> bool:
    if way is None:
        return True
    dx, dz = thing.box.x - other.box.x, thing.box.z - other.box.z
    return not ((way[0] and dx * way[0] <= 0.02) or (way[1] and dz * way[1] <= 0.02))


def _angle_to_thing(thing: Thing, other: Thing) -> float:
    """The least angle between the front and the way to the other's middle or corners."""
    points = ((other.box.x, other.box.z), *other.box.corners)
    return min(angle_to(thing, x, z) for x, z in points)


def _towards(one: tuple[float, float], way: tuple[float, float]) -> float:
    length = math.hypot(*way) or 1.0
    return (one[0] * way[0] + one[1] * way[1]) / length
