"""A finished room and its objects, with what planning asks about them again and again, worked out once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Any

from dataflow_ext.errors import RowError
from operators.scene.editing.catalogue import Asset, Catalogue
from operators.scene.facts.things import Room as MeasuredRoom
from operators.scene.facts.things import is_flat, outsides, overlaps
from operators.scene.model.chain import ASSET
from operators.scene.model.floor import Floor, floor_of
from operators.scene.model.geometry import Box, box_of, is_over, nearest_wall, plan_gap
from operators.scene.model.json_values import is_scene
from operators.scene.model.kinds import Kind, kind_of
from operators.scene.model.limits import ALOFT, AT_WALL, LARGE, SMALL, TOUCH
from operators.scene.model.scene import Object, Scene, emptied, object_lists, objects_of

#: Metres between the top of a thing and the bottom of what stands on it, at most.
_FARTHEST = 2 * TOUCH


def band_of(size: Sequence[float]) -> int:
    """0 for a small object, 1 for a middle one, 2 for a large one.

    >>> [band_of(size) for size in ([0.7, 0.7, 1.0], [1.0, 0.5, 1.0], [2.0, 1.0, 1.0])]
    [0, 1, 2]
    """
    volume = size[0] * size[1] * size[2]
    return (volume >= SMALL) + (volume >= LARGE)


@lru_cache(maxsize=4096)
def fitness(kind: Kind, raised: bool, carried: bool = False) -> Mapping[str, float]:
    """A weight for each tool that changes an object; ``raised`` ones stand over the floor, ``carried`` on something.

    >>> from operators.scene.model.kinds import kind_of
    >>> sofa, stool = (fitness(kind_of(noun), False)["rotate_object"] for noun in ("sofa", "stool"))
    >>> sofa > stool
    True
    """
    hangs = not carried and (raised or kind.stands in ("wall", "ceiling"))
    # What is held by nothing that is known stays; a picture or a lamp seldom is in another place.
    aloft = {"wall": 0.1, "ceiling": 0.2}.get(kind.stands, 0.002 if raised else 1.0)
    # Without a front one hardly sees that it was turned; and nothing on a wall is turned away from it.
    rotate = 0.002 if kind.stands == "wall" else (1.0 if kind.faces else 0.05) * (0.05 if hangs else 1.0)
    # A lamp would leave the ceiling, or go through it.
    scale = 0.05 if kind.stands == "ceiling" else 1.0
    return {
        "move_object": 0.5 if carried else aloft,
        "rotate_object": rotate,
        "scale_object": scale,
        "replace_object": 1.0,
    }


@dataclass(slots=True)
class Thing:
    """An object at one time of a chain.

    ``reach`` is the greatest distance of its footprint from its middle, ``flat`` whether others may stand in its
    place, ``fit`` how fit it is for each tool.
    ``root`` is the id, in the finished room, of the object that it becomes; a thing that is only ``passing`` is gone
    by then, and has its own.
    """

    obj: Object
    kind: Kind
    box: Box
    reach: float
    band: int
    flat: bool
    fit: Mapping[str, float]
    group: str | None
    root: str
    passing: bool = False

    def changed(self, key: str, value: list[float]) -> Thing:
        """The same object with another ``pos`` (of the same height), ``rot`` or ``size``."""
        obj = {**self.obj, key: value}
        box, reach, band = box_of(obj), self.reach, self.band
        if key == "size":
            reach, band = math.hypot(box.wide, box.deep), band_of(value)
        return Thing(obj, self.kind, box, reach, band, self.flat, self.fit, self.group, self.root, self.passing)


def thing(
    obj: Object, kind: Kind, fit: Mapping[str, float], group: str | None, root: str, passing: bool = False
) -> Thing:
    """An object with what its box tells of it."""
    box = box_of(obj)
    reach, flat = math.hypot(box.wide, box.deep), is_flat(kind, box)
    return Thing(obj, kind, box, reach, band_of(obj["size"]), flat, fit, group, root, passing)


def is_raised(box: Box, floor: Floor) -> bool:
    """Whether something has to hold the object, as it does not stand on the floor."""
    return box.low - floor.level > TOUCH


def carriers_of(things: Mapping[str, Thing], floor: Floor) -> dict[str, tuple[str, ...]]:
    """By the ids of things that stand on others, or in them, the ids of those others."""
    found = {jid: _carriers(each, things, floor) for jid, each in things.items() if is_raised(each.box, floor)}
    return {jid: carriers for jid, carriers in found.items() if carriers}


def levels_of(carriers: Mapping[str, tuple[str, ...]], things: Mapping[str, Thing]) -> dict[str, int]:
    """How many things stand below one another under each of those that are carried.

    >>> from types import SimpleNamespace as New
    >>> things = {jid: New(box=New(low=low)) for jid, low in (("vase", 0.8), ("book", 0.7), ("table", 0.0))}
    >>> levels_of({"vase": ("book",), "book": ("table",)}, things)
    {'book': 1, 'vase': 2}
    """
    levels: dict[str, int] = {}
    # Each carrier begins lower than what it carries.
    for jid in sorted(carriers, key=lambda jid: things[jid].box.low):
        levels[jid] = 1 + max(levels.get(carrier, 0) for carrier in carriers[jid])
    return levels


def _carriers(each: Thing, things: Mapping[str, Thing], floor: Floor) -> tuple[str, ...]:
    """All whose tops it stands on with its middle; else the thing that it stands in, or else that it touches."""
    if each.kind.stands == "ceiling":
        return ()
    box, reach = each.box, each.reach
    below: list[str] = []
    others: list[tuple[bool, float, str]] = []
    for jid, other in things.items():
        lower = other.box
        dx, dz, near = box.x - lower.x, box.z - lower.z, reach + other.reach
        if not lower.low < box.low <= lower.high + _FARTHEST or dx * dx + dz * dz >= near * near:
            continue
        gap, over = abs(lower.high - box.low), is_over(lower, box.x, box.z)
        if over and gap <= TOUCH:
            below.append(jid)
        elif over or plan_gap(lower, box) == 0.0:
            others.append((not over, gap, jid))
    if below or not others or (each.kind.stands == "wall" and _hangs(box, floor)):
        return tuple(below)
    return (min(others)[2],)


def _hangs(box: Box, floor: Floor) -> bool:
    wall = nearest_wall(box, floor)
    return wall is not None and wall.gap <= AT_WALL


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


@dataclass(slots=True)
class Room:
    """The finished room: its things by their ids, its floor, and what the catalogue has for it.

    ``carriers`` tells of things that stand on others on which, ``levels`` on how many below one another, and ``load``
    counts what stands on one. ``outside`` are the things that leave the floor and ``meets``
    those that overlap in the finished room, by their ids. ``likenesses`` are, by ids, what might have
    stood in the place of an object, of which ``replaceable`` have any; ``distractors`` are what might have been too
    much. ``impossible`` are the tools that can do nothing here, whatever the chain. ``ease`` is how easily
    objects turn.
    """

    scene: Scene
    shell: Scene
    things: dict[str, Thing]
    group_types: dict[str, Any]
    floor: Floor
    carriers: Mapping[str, Sequence[str]]
    levels: Mapping[str, int]
    load: Mapping[str, int]
    outside: Collection[str]
    meets: Mapping[str, Collection[str]]
    likenesses: Mapping[str, Sequence[Asset]]
    distractors: Sequence[Asset]
    replaceable: int
    impossible: frozenset[str]
    ease: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Any, catalogue: Catalogue) -> Room:
        """The room for planning; RowError if its objects cannot be told apart, or a part is missing."""
        must_be_room(scene)
        floor, group_types = floor_of(scene), {}
        if "groups" in scene:
            group_types = {group["group_name"]: group.get("group_type", "") for group in scene["groups"]}
        names = [group["group_name"] for group in scene["groups"]] if "groups" in scene else [None]
        things = {each["jid"]: thing(each, kind := kind_of(each["desc"]), fitness(kind, False), name, each["jid"])
                  for name, objects in zip(names, object_lists(scene), strict=True) for each in objects}  # fmt: skip
        carriers = carriers_of(things, floor)
        for jid, each in things.items():
            each.fit = fitness(each.kind, is_raised(each.box, floor), jid in carriers)
        likenesses = {
            jid: _likenesses(each, catalogue, is_raised(each.box, floor))
            for jid, each in things.items()
            if each.obj["desc"]
        }
        distractors = distractors_of(catalogue, str(scene.get("room_type", "")), floor, things)
        replaceable = sum(map(bool, likenesses.values()))
        measured, meets = MeasuredRoom.of(scene), dict[str, set[str]]()
        for one, other in (pair for fault in overlaps(measured) for pair in permutations(fault.things)):
            meets.setdefault(one.jid, set()).add(other.jid)
        means = {"replace_object": replaceable, "remove_object": len(distractors)}
        return cls(
            scene, emptied(scene), things, group_types, floor, carriers, levels_of(carriers, things),
            Counter(carrier for each in carriers.values() for carrier in each),
            {jid for fault in outsides(measured) for jid in fault.ids}, meets, likenesses, distractors, replaceable,
            frozenset(tool for tool, count in means.items() if not count),
        )  # fmt: skip

    def scene_of(self, things: Mapping[str, Thing]) -> Scene:
        """The room with these things in it, in its own form."""
        if "groups" not in self.shell:
            return {**self.shell, "objects": [each.obj for each in things.values()]}
        groups: dict[str, dict[str, Any]] = {}
        for each in things.values():
            name = str(each.group)
            if name not in groups:
                groups[name] = {"group_name": name, "group_type": self.group_types[name], "objects": []}
            groups[name]["objects"].append(each.obj)
        return {**self.shell, "groups": list(groups.values())}


def must_be_room(scene: Any) -> None:
    """RowError if a value is no room, or its objects have no ids of their own."""
    if not is_scene(scene):
        raise RowError("this is no room: bounds or objects are missing, or have no desc, jid, size, pos or rot as "
                       "they should; SceneReader gives rooms as they should be")  # fmt: skip
    times = Counter(each["jid"] for each in objects_of(scene))
    if not all(times):
        raise RowError("an object has no jid; SceneReader gives each an id of its own")
    if twice := [jid for jid, count in times.items() if count > 1]:
        raise RowError(f"{times[twice[0]]} objects have the jid {twice[0]!r}; SceneReader gives each an id of its own")


def must_be_built(scene: Scene) -> None:
    """RowError if calls cannot make the room from the empty one: an add brings no such object or group."""
    for each in objects_of(scene):
        if not each["desc"]:
            raise RowError(f"the object {each['jid']!r} has no desc, so that no add_object can ask for it")
        if "group_type" in each:
            raise RowError(f"the object {each['jid']!r} has a group_type, which only a group has")
    names = Counter[str]()
    for group in scene.get("groups", ()):
        names[group["group_name"]] += 1
        label = f"the group {group['group_name']!r}"
        if not group["objects"]:
            raise RowError(f"{label} is empty, and no add_object makes an empty group")
        if not group["group_name"]:
            raise RowError("a group has no name, so that no add_object can put anything into it")
        if other := sorted(set(group) - {"group_name", "group_type", "objects"}):
            raise RowError(f"{label} has {other[0]!r}, which no add_object brings")
        if "group_type" not in group:
            raise RowError(f"{label} has no group_type")
        if names[group["group_name"]] > 1:
            raise RowError(f"two groups have the name {group['group_name']!r}, so that no add_object tells them apart")


def _likenesses(each: Thing, catalogue: Catalogue, raised: bool) -> list[Asset]:
    """What may have stood in a thing's place; over the floor nothing that would stand or hang otherwise."""
    obj = each.obj
    taken = (obj["jid"], obj.get(ASSET))
    found = [
        other
        for other in catalogue.alternatives(obj["desc"], obj["size"])
        if other.desc and other.desc != obj["desc"] and other.jid not in taken and min(other.size) > 0
    ]
    return [other for other in found if kind_of(other.desc).stands == each.kind.stands] if raised else found
