"""One synthetic room, from a seed and a number, with its names in English or Chinese."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Literal

from dataflow_ext.errors import OptionError
from examples.made_rooms import living, working
from examples.made_rooms.builder import Builder, Placed, bounds
from operators.scene.model.floor import floor_of
from operators.scene.model.kinds import chinese_noun, kind_of, qualities, room_kind
from operators.scene.model.scene import Scene, stream

#: The forms that a room may have, and the types of rooms that can be made.
FORMS = ("ssr", "groups")
ROOMS = ("bedroom", "livingroom", "diningroom", "office", "kitchen", "other")

#: What a room's id begins with, and who furnishes it; of some types there are several sorts.
_LAYOUTS: Mapping[str, Mapping[str, Callable[[Builder], object]]] = {
    "bedroom": {"Bedroom": living.bedroom},
    "livingroom": {"LivingRoom": living.livingroom},
    "diningroom": {"DiningRoom": living.diningroom},
    "office": {"Study": working.office},
    "kitchen": {"Kitchen": working.kitchen},
    "other": {"Hallway": working.hallway, "Library": working.library, "KidsRoom": working.kidsroom},
}
#: How often each type is drawn.
_OFTEN = {"bedroom": 30, "livingroom": 25, "diningroom": 12, "office": 13, "kitchen": 10, "other": 10}
_STYLES = ("Modern", "Scandinavian", "Industrial", "Classic", "Contemporary", "Rustic", "Minimalist", "Elegant")
#: The fewest objects of a room, and how many plans are drawn to find one.
_FEWEST = 5
_PLANS = 20

_LOOKS = {
    "white": "白色", "black": "黑色", "gray": "灰色", "light gray": "浅灰色", "dark gray": "深灰色", "brown": "棕色",
    "dark brown": "深棕色", "beige": "米色", "cream": "米白色", "blue": "蓝色", "light blue": "浅蓝色",
    "green": "绿色", "red": "红色", "yellow": "黄色", "pink": "粉色", "gold": "金色", "silver": "银色",
    "charcoal": "深灰色", "navy": "深蓝色", "wooden": "木质", "oak": "橡木", "walnut": "胡桃木", "pine": "松木",
    "metal": "金属", "leather": "皮质", "fabric": "布艺", "velvet": "丝绒", "glass": "玻璃", "marble": "大理石",
    "ceramic": "陶瓷", "rattan": "藤编",
}  # fmt: skip
_CHINESE_STYLES = {
    "modern": "现代", "contemporary": "当代", "minimalist": "简约", "scandinavian": "北欧风", "industrial": "工业风",
    "classic": "古典", "traditional": "传统", "rustic": "乡村风", "vintage": "复古", "mid-century": "中古风",
    "elegant": "雅致",
}  # fmt: skip
_ENDINGS = ("，线条简洁。", "，做工精细，适合日常使用。", "，造型大方。", "，质感细腻，与整体风格协调。")


def synthetic_room(
    seed: int,
    number: int,
    *,
    room_type: str | None = None,
    form: Literal["ssr", "groups"] = "ssr",
    chinese: bool = False,
) -> Scene:
    """A furnished room of 5 to 35 objects: nothing overlaps or stands outside, and like pieces share an asset id.

    It rests on its arguments alone. Without ``room_type``, one of :data:`ROOMS`, the type is drawn too. ``chinese``
    puts about half the descriptions in Chinese.

    >>> room = synthetic_room(0, 1, room_type="bedroom")
    >>> room["room_type"], any("bed" in each["desc"] for each in room["objects"])
    ('bedroom', True)
    >>> room == synthetic_room(0, 1, room_type="bedroom")
    True
    """
    if form not in FORMS:
        raise OptionError(f"form is to be one of {', '.join(FORMS)}, not {form!r}.")
    rng = stream(seed, f"room-{number}", 0, "plan")
    kind = _type_of(room_type, rng)
    name, layout = rng.choice(sorted(_LAYOUTS[kind].items()))
    for plan in range(_PLANS):
        # A room that has no place for enough gets a larger floor.
        draws = stream(seed, f"room-{number}", plan, kind)
        shell = bounds(kind, draws, roomy=1.0 + 0.05 * plan)
        builder = Builder(floor_of(shell), draws, draws.choice(_STYLES))
        layout(builder)
        if len(builder.placed) >= _FEWEST and _has_core(builder.placed, name):
            break
    placed = _thinned(builder.placed, stream(seed, f"room-{number}", 0, "thin"))
    scene = _scene(placed, shell, kind, f"{name}-{seed}-{number}", form)
    return in_chinese(scene, stream(seed, f"room-{number}", 0, "chinese")) if chinese else scene


def _type_of(room_type: str | None, rng: random.Random) -> str:
    if room_type is None:
        return rng.choices(list(_OFTEN), list(_OFTEN.values()))[0]
    kind = room_type if room_type in ROOMS else room_kind(room_type)
    if kind not in ROOMS or (kind == "other" and room_type != "other"):
        raise OptionError(f"room_type is to be one of {', '.join(ROOMS)}, not {room_type!r}.")
    return kind


#: What each sort of room must have.
_CORE = {
    "Bedroom": ("bed", "single bed", "double bed", "canopy bed"),
    "LivingRoom": ("sofa", "loveseat", "sectional sofa"),
    "DiningRoom": ("dining table",),
    "Study": ("desk", "computer desk"),
    "Kitchen": ("stove",),
    "Hallway": ("console table",),
    "Library": ("bookcase",),
    "KidsRoom": ("kids bed", "bunk bed"),
}


def _has_core(placed: list[Placed], name: str) -> bool:
    return any(each.noun in _CORE[name] for each in placed)


def _thinned(placed: list[Placed], rng: random.Random) -> list[Placed]:
    """The pieces of a room that is lived in as sparely as three in ten are: less of what only decorates it."""
    if rng.random() > 0.3:
        return placed
    spare = [each for each in placed if kind_of(each.obj["desc"]).family in ("decor", "plant", "lamp")]
    gone = rng.sample(range(len(spare)), min(len(spare), len(placed) - _FEWEST))
    left = [spare[i] for i in gone[: round(len(gone) * rng.uniform(0.5, 1.0))]]
    return [each for each in placed if not any(each is other for other in left)]


def _scene(placed: list[Placed], shell: Mapping[str, Any], kind: str, name: str, form: str) -> dict[str, Any]:
    if form == "ssr":
        objects = [dict(each.obj) for each in placed]
        return {**shell, "room_type": kind, "room_id": name, "objects": objects}
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in placed:
        large = each.size[0] * each.size[1] * each.size[2] >= 0.1
        groups.setdefault(each.group, []).append({**each.obj, "type": "major" if large else "minor"})
    listed = [{"group_name": f"{group} area" if group not in _PLAIN else group, "group_type": group, "objects": objects}
              for group, objects in groups.items()]  # fmt: skip
    return {"room_envelope": dict(shell), "room_type": kind, "room_id": name, "groups": listed}


_PLAIN = ("storage", "lighting", "decoration")


def in_chinese(scene: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The room with about half of its pieces described in Chinese, which have ids of their own."""
    chosen: dict[str, str | None] = {}

    def told(each: dict[str, Any]) -> dict[str, Any]:
        desc = each["desc"]
        if desc not in chosen:
            chosen[desc] = chinese_of(desc, rng.choice(_ENDINGS)) if rng.random() < 0.5 else None
        put = chosen[desc]
        return each if put is None else {**each, "desc": put, "jid": f"{each['jid']}-zh"}

    if "groups" in scene:
        return {**scene, "groups": [{**g, "objects": [told(o) for o in g["objects"]]} for g in scene["groups"]]}
    return {**scene, "objects": [told(each) for each in scene["objects"]]}


def chinese_of(desc: str, ending: str = "。") -> str | None:
    """The same piece in Chinese; None if its noun has no Chinese one.

    >>> chinese_of("Modern gray fabric sofa with three seats.")
    '现代灰色布艺沙发。'
    """
    noun = chinese_noun(kind_of(desc).noun)
    if noun is None:
        return None
    found = qualities(desc)
    style = next((_CHINESE_STYLES[word] for word in _CHINESE_STYLES if desc.casefold().startswith(word)), "")
    looks = [_LOOKS[each] for each in found if each in _LOOKS][:2]
    return f"{style}{''.join(looks)}{noun}{ending}"
