"""Words for the look of furniture: colours, materials, styles of design, and where descriptions have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

#: Each word as it is written, and the other forms in which descriptions and users have it; Chinese ones by letters.
COLOURS: Mapping[str, str] = {
    "gray": "grey 灰", "white": "白", "black": "黑", "brown": "棕 褐 咖啡色",
    "beige": "米色 米黄", "cream": "奶白 奶油",
    "blue": "navy 蓝", "green": "olive 绿", "red": "红色", "yellow": "黄色", "orange": "橙 橘", "pink": "粉色",
    "purple": "紫", "gold": "golden 金色", "silver": "银", "taupe": "", "tan": "", "ivory": "象牙", "turquoise": "",
    "burgundy": "", "teal": "",
}  # fmt: skip
MATERIALS: Mapping[str, str] = {
    "wooden": "wood oak walnut teak pine 木", "metal": "metallic steel iron 金属 铁 钢", "glass": "玻璃",
    "fabric": "布艺 布",
    "leather": "皮", "marble": "大理石", "ceramic": "陶瓷", "rattan": "wicker 藤", "velvet": "绒", "brass": "黄铜 铜",
    "linen": "亚麻", "plastic": "塑料", "bamboo": "竹", "stone": "石材", "concrete": "水泥", "oak": "橡木",
    "walnut": "胡桃木", "chrome": "镀铬", "wool": "羊毛",
}  # fmt: skip
STYLES: Mapping[str, str] = {
    "modern": "现代", "minimalist": "minimalistic minimal 简约 极简", "contemporary": "当代", "industrial": "工业",
    "Scandinavian": "scandi nordic 北欧", "mid-century": "midcentury", "vintage": "retro 复古",
    "classic": "classical 古典",
    "traditional": "传统", "rustic": "乡村", "Victorian": "", "French provincial": "法式", "art deco": "art-deco",
    "bohemian": "boho", "farmhouse": "", "Japanese": "日式", "Chinese": "中式", "elegant": "优雅",
    "luxurious": "luxury 轻奢",
    "Oriental": "", "European": "欧式", "American": "美式", "Mediterranean": "地中海",
}  # fmt: skip

_WORD = re.compile(r"[a-z]+")


@cache
def _forms(table: str) -> Mapping[str, tuple[str, ...]]:
    words = {"colours": COLOURS, "materials": MATERIALS, "styles": STYLES}[table]
    return {word: (word.casefold().replace("-", " "), *(each.replace("-", " ") for each in forms.split()))
            for word, forms in words.items()}  # fmt: skip


@lru_cache(maxsize=1 << 14)
def said_of(desc: str, table: str) -> tuple[str, ...]:
    """The words of a table ("colours", "materials" or "styles") that a description has, in the order of the table.

    >>> said_of("A dark grey fabric sofa with oak legs", "colours"), said_of("白色木质书桌", "materials")
    (('gray',), ('wooden',))
    """
    text = " ".join(_WORD.findall(desc.casefold()))
    padded = f" {text} "
    return tuple(
        word
        for word, forms in _forms(table).items()
        if any(f" {form} " in padded if form.isascii() else form in desc for form in forms)
    )


@cache
def looks_by_form() -> Mapping[str, tuple[str, str]]:
    """Each English form of one word of a colour or material, with its table and the word itself.

    >>> looks_by_form()["grey"]
    ('colours', 'gray')
    """
    found: dict[str, tuple[str, str]] = {}
    for table in ("colours", "materials"):
        for word, forms in _forms(table).items():
            for form in forms:
                if form.isascii() and " " not in form:
                    found.setdefault(form, (table, word))
    # A material that is a word of its own is that first: oak is oak, and only then wood.
    found.update({word: ("materials", word) for word in MATERIALS})
    return found
