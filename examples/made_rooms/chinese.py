"""Descriptions of synthetic rooms in Chinese."""

from __future__ import annotations

import random
from typing import Any

from operators.scene.furniture.kinds import chinese_noun, kind_of
from operators.scene.furniture.names import qualities

_LOOKS = {
    "white": "白色", "black": "黑色", "gray": "灰色", "light gray": "浅灰色", "dark gray": "深灰色", "brown": "棕色",
    "dark brown": "深棕色", "beige": "米色", "cream": "米白色", "blue": "蓝色", "light blue": "浅蓝色",
    "green": "绿色", "red": "红色", "yellow": "黄色", "pink": "粉色", "gold": "金色", "silver": "银色",
    "charcoal": "深灰色", "navy": "深蓝色", "wooden": "木质", "oak": "橡木", "walnut": "胡桃木", "pine": "松木",
    "metal": "金属", "leather": "皮质", "fabric": "布艺", "velvet": "丝绒", "glass": "玻璃", "marble": "大理石",
    "ceramic": "陶瓷", "rattan": "藤编",
}  # fmt: skip
_STYLES = {
    "modern": "现代", "contemporary": "当代", "minimalist": "简约", "scandinavian": "北欧风", "industrial": "工业风",
    "classic": "古典", "traditional": "传统", "rustic": "乡村风", "vintage": "复古", "mid-century": "中古风",
    "elegant": "雅致",
}  # fmt: skip
_ENDINGS = ("，线条简洁。", "，做工精细，适合日常使用。", "，造型大方。", "，质感细腻，与整体风格协调。")


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
    style = next((_STYLES[word] for word in _STYLES if desc.casefold().startswith(word)), "")
    looks = [_LOOKS[each] for each in found if each in _LOOKS][:2]
    return f"{style}{''.join(looks)}{noun}{ending}"
