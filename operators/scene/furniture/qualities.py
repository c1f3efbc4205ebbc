"""What tells pieces of one kind apart: the colours, materials, shapes and styles that a description names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
