"""Readable names for the objects of a room."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from operators.scene.furniture.kinds import kind_of
from operators.scene.model.scene import Scene, objects_of

#: English words and what they are called in a name; the first list that has a telling word gives it.
_COLOURS = {
    **{word: word for word in
       ("white", "black", "gray", "brown", "beige", "blue", "green", "red", "yellow", "pink", "purple", "orange",
        "gold", "silver", "brass", "bronze", "copper", "cream", "ivory", "taupe", "tan", "teal", "turquoise", "navy",
        "olive", "khaki", "maroon", "burgundy", "charcoal", "champagne", "mustard", "lavender", "colorful")},
    "grey": "gray", "golden": "gold", "multicolored": "colorful", "multicolor": "colorful", "violet": "purple",
    "crimson": "red", "scarlet": "red", "terracotta": "terracotta", "sand": "sand",
}  # fmt: skip
_MATERIALS = {
    **{word: word for word in
       ("wooden", "metal", "leather", "fabric", "velvet", "glass", "marble", "plastic", "rattan", "wicker", "ceramic",
        "linen", "oak", "walnut", "pine", "bamboo", "steel", "stone", "concrete", "crystal", "acrylic", "paper",
        "porcelain", "cardboard", "wool")},
    "wood": "wooden", "upholstered": "upholstered", "cotton": "cotton", "iron": "iron",
}  # fmt: skip
_SHAPES = {
    word: word for word in
    ("round", "square", "rectangular", "oval", "tall", "low", "cylindrical", "spherical", "geometric", "arched",
     "hexagonal", "curved", "folding", "nesting", "corner", "double", "single", "three-seat", "two-seat",
     "king-size", "queen-size", "artificial", "abstract", "striped", "floral", "adjustable",
     "built-in")
}  # fmt: skip
_STYLES = {
    word: word for word in
    ("industrial", "rustic", "vintage", "scandinavian", "traditional", "classic", "victorian", "art-deco",
     "mid-century", "minimalist", "contemporary", "modern")
}  # fmt: skip
_CHINESE = {
    "白": "white", "黑": "black", "灰": "gray", "棕": "brown", "咖啡色": "brown", "褐": "brown", "米色": "beige",
    "米白": "cream", "蓝": "blue", "绿": "green", "红": "red", "黄": "yellow", "粉": "pink", "紫": "purple",
    "橙": "orange", "金色": "gold", "银": "silver", "木": "wooden", "金属": "metal", "铁": "iron", "皮": "leather",
    "布艺": "fabric", "绒": "velvet", "玻璃": "glass", "大理石": "marble", "塑料": "plastic", "藤": "rattan",
    "陶瓷": "ceramic", "圆": "round", "方形": "square", "双人": "double", "单人": "single",
}  # fmt: skip
_LISTS = (_COLOURS, _MATERIALS, _SHAPES, _STYLES)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
#: Where a description passes from the thing to its parts.
_PARTS = re.compile(
    r"\b(?:with|featuring|features?|has|offers|in an?|in the|on an?|boasts|combining|including|showcasing)\b"
    r"|带|配|附|具有|设有"
)


@lru_cache(maxsize=1 << 14)
def qualities(desc: str) -> tuple[str, ...]:
    """What the description calls the whole piece, most telling first, each once.

    >>> qualities("A modern dark grey fabric and light wood chair with a black base.")
    ('dark gray', 'fabric', 'wooden', 'modern')
    >>> qualities("灰色布艺沙发，带红色抱枕")
    ('gray', 'fabric')
    """
    text = _PARTS.split(unicodedata.normalize("NFKC", desc[:400]).casefold(), maxsplit=1)[0]
    words = _WORD.findall(text)
    found = []
    for known in _LISTS:
        for i, word in enumerate(words):
            if word in known:
                shade = words[i - 1] + " " if known is _COLOURS and i and words[i - 1] in ("dark", "light") else ""
                found.append(shade + known[word])
    if not text.isascii():
        found.extend(name for word, name in _CHINESE.items() if word in text)
    return tuple(dict.fromkeys(found))


#: Nouns as they are written in a name.
_WRITTEN = {"tv": "TV", "tv stand": "TV stand", "christmas tree": "Christmas tree"}

#: Objects as far as names rest on them: id and description.
_Told = tuple[str, str]


def short_names(scene: Scene) -> dict[str, str]:
    """A name for each object by its id: its noun, a colour or material if that tells it apart, else a number.

    No two are equal; the same objects in the same order have the same names. Names are English, whatever the
    descriptions are.

    >>> chairs = [{"jid": "a", "desc": "A red chair."}, {"jid": "b", "desc": "A blue chair."}]
    >>> short_names({"objects": [*chairs, {"jid": "c", "desc": "A bed."}]})
    {'a': 'red chair', 'b': 'blue chair', 'c': 'bed'}
    >>> short_names({"objects": [chairs[0], {"jid": "a__2", "desc": "A red chair."}]})
    {'a': 'chair 1', 'a__2': 'chair 2'}
    """
    told = tuple((str(each["jid"]), str(each.get("desc") or "")) for each in objects_of(scene))
    return dict(_named(told))


@lru_cache(maxsize=1 << 13)
def _named(told: tuple[_Told, ...]) -> Mapping[str, str]:
    by_noun: dict[str, list[_Told]] = {}
    for each in dict(told).items():
        noun = kind_of(each[1]).noun
        by_noun.setdefault(_WRITTEN.get(noun, noun), []).append(each)
    names: dict[str, str] = {}
    for noun, objects in by_noun.items():
        names.update(_apart(noun, objects))
    taken: dict[str, int] = {}
    for jid, name in names.items():
        taken[name] = taken.get(name, 0) + 1
        while taken[name] > 1:
            name = f"{name} {taken[name]}"
            taken[name] = taken.get(name, 0) + 1
        names[jid] = name
    return {jid: names[jid] for jid, _ in told}


def _apart(noun: str, objects: Sequence[_Told]) -> dict[str, str]:
    """Names for objects of one kind: those of one description share a quality, and are numbered."""
    if len(objects) == 1:
        return {objects[0][0]: noun}
    telling = _telling(tuple(dict.fromkeys(desc for _, desc in objects)))
    stems = {jid: f"{telling[desc]} {noun}" if telling[desc] else noun for jid, desc in objects}
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    shared = list(stems.values())
    for jid, stem in stems.items():
        counts[stem] = counts.get(stem, 0) + 1
        names[jid] = f"{stem} {counts[stem]}" if shared.count(stem) > 1 else stem
    return names


def _telling(descs: Sequence[str]) -> dict[str, str]:
    """For each description a quality, or two, that no other of them has; for none of them if one has no such."""
    all_of = {desc: _alone_and_paired(qualities(desc)) for desc in descs}
    counts: dict[str, int] = {}
    for found in all_of.values():
        for quality in found:
            counts[quality] = counts.get(quality, 0) + 1
    telling = {desc: next((each for each in found if counts[each] == 1), "") for desc, found in all_of.items()}
    return telling if len(descs) > 1 and all(telling.values()) else dict.fromkeys(descs, "")


def _alone_and_paired(found: Sequence[str]) -> list[str]:
    return [*found, *(f"{one} {other}" for i, one in enumerate(found) for other in found[i + 1 :])]
