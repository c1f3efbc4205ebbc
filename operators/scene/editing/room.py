"""A finished room, with what planning asks about it again and again: worked out once for all its chains."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from dataflow_ext.errors import RowError
from operators.scene.chain import ASSET
from operators.scene.editing.bands import band_of
from operators.scene.editing.draft import Draft
from operators.scene.editing.fitness import fitness
from operators.scene.furniture.catalogue import Asset, Catalogue
from operators.scene.furniture.kinds import Kind, kind_of
from operators.scene.geometry import Box, Floor, box_of, floor_of
from operators.scene.scene import Object, Scene, emptied, object_lists, objects_of
from operators.scene.shapes import is_scene

#: Metres: what stands higher over the floor stands on something, or hangs.
_ON_FLOOR = 0.1
#: The share of the floor that something may take which stands there for a while.
_MOST_OF_FLOOR = 0.1
#: Metres between the top of a thing and the bottom of what stands on it.
_RESTS = 0.06


@dataclass(slots=True)
class Thing:
    """An object at one time of a chain.

    ``reach`` is the greatest distance of its footprint from its middle, ``raised`` whether it stands over the floor,
    ``fit`` how fit it is for each tool.
    ``root`` is the id, in the finished room, of the object that it becomes; a thing that is only ``passing`` is gone
    by then, and has its own.
    """

    obj: Object
    kind: Kind
    box: Box
    reach: float
    band: int
    raised: bool
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
        return Thing(obj, self.kind, box, reach, band, self.raised, self.fit, self.group, self.root, self.passing)


def thing(obj: Object, kind: Kind, floor: Floor, group: str | None, root: str, passing: bool = False) -> Thing:
    """An object with what is known of it."""
    box = box_of(obj)
    raised = box.low - floor.level > _ON_FLOOR
    reach = math.hypot(box.wide, box.deep)
    return Thing(obj, kind, box, reach, band_of(obj["size"]), raised, fitness(kind, raised), group, root, passing)


@dataclass(slots=True)
class Room:
    """The finished room: its things by their ids, its floor, and what the catalogue has for it.

    ``carried`` tells of things that carry others which; ``uppers`` are those others. ``likenesses`` are, by ids, what
    might have stood in the place of an object, of which ``replaceable`` have any; ``distractors`` are what might have
    been too much. ``impossible`` are the tools that can do nothing here, whatever the chain. ``drafts`` keeps, by ids,
    the calls that add objects as they are in the end.
    """

    scene: Scene
    shell: Scene
    things: dict[str, Thing]
    group_types: dict[str, Any]
    floor: Floor
    carried: Mapping[str, Sequence[str]]
    uppers: frozenset[str]
    likenesses: Mapping[str, Sequence[Asset]]
    distractors: Sequence[Asset]
    replaceable: int
    impossible: frozenset[str]
    drafts: dict[str, Draft] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Any, catalogue: Catalogue) -> Room:
        """The room for planning; RowError if its objects cannot be told apart, or a part is missing."""
        must_be_room(scene)
        floor, group_types = floor_of(scene), {}
        if "groups" in scene:
            group_types = {group["group_name"]: group.get("group_type", "") for group in scene["groups"]}
        names = [group["group_name"] for group in scene["groups"]] if "groups" in scene else [None]
        things = {each["jid"]: thing(each, kind_of(each["desc"]), floor, name, each["jid"])
                  for name, objects in zip(names, object_lists(scene), strict=True) for each in objects}  # fmt: skip
        likenesses = {jid: _likenesses(each.obj, catalogue) for jid, each in things.items() if each.obj["desc"]}
        room_type = str(scene.get("room_type", ""))
        most = _MOST_OF_FLOOR * floor.area
        distractors = [each for each in _loose(catalogue, room_type) if each.size[0] * each.size[2] < most]
        carried = _carried(things)
        uppers = frozenset(jid for each in carried.values() for jid in each)
        replaceable = sum(map(bool, likenesses.values()))
        means = {"replace_object": replaceable, "remove_object": len(distractors)}
        impossible = frozenset(tool for tool, count in means.items() if not count)
        return cls(scene, emptied(scene), things, group_types, floor, carried, uppers, likenesses, distractors,
                   replaceable, impossible)  # fmt: skip

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


def _likenesses(obj: Object, catalogue: Catalogue) -> list[Asset]:
    taken = (obj["jid"], obj.get(ASSET))
    return [each for each in catalogue.alternatives(obj["desc"], obj["size"])
            if each.desc and each.desc != obj["desc"] and each.jid not in taken and min(each.size) > 0]  # fmt: skip


@lru_cache(maxsize=32)
def _loose(catalogue: Catalogue, room_type: str) -> list[Asset]:
    """What the catalogue has for a type of room that may stand anywhere on the floor."""
    found = catalogue.for_room(room_type)
    return [each for each in found if each.desc and min(each.size) > 0 and kind_of(each.desc).stands == "floor"]


def _carried(things: Mapping[str, Thing]) -> dict[str, list[str]]:
    """Which things stand on which."""
    carried: dict[str, list[str]] = {}
    for jid, upper in things.items():
        if not upper.raised or upper.kind.stands in ("ceiling", "wall"):
            continue
        for other, lower in things.items():
            x, z = upper.box.x - lower.box.x, upper.box.z - lower.box.z
            if abs(lower.box.high - upper.box.low) < _RESTS and math.hypot(x, z) < lower.reach and other != jid:
                carried.setdefault(other, []).append(jid)
    return carried
