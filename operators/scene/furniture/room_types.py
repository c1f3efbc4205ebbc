"""The types of rooms that are told apart, and other words for them."""

from __future__ import annotations

import re

#: Every type; "other" is any that has no furniture of its own.
ROOM_TYPES = ("bedroom", "livingroom", "diningroom", "office", "kitchen", "bathroom", "hallway", "kidsroom", "other")

_WORDS = {
    "kidsroom": ("kids", "child", "nursery", "儿童"),
    "bedroom": ("bed", "卧"),
    "livingroom": ("living", "lounge", "family", "客厅", "起居"),
    "diningroom": ("dining", "餐厅"),
    "office": ("office", "study", "library", "work", "书房", "办公"),
    "kitchen": ("kitchen", "厨"),
    "bathroom": ("bath", "toilet", "wash", "卫生间", "浴"),
    "hallway": ("hall", "entr", "corridor", "aisle", "lobby", "玄关", "走廊"),
}


def room_kind(room_type: str) -> str:
    """One of :data:`ROOM_TYPES` for what a room is called.

    >>> room_kind("livingroom"), room_kind("Master Bedroom"), room_kind("LivingDiningRoom"), room_kind("书房")
    ('livingroom', 'bedroom', 'livingroom', 'office')
    >>> room_kind("")
    'other'
    """
    name = re.sub(r"[\s_-]+", "", room_type.casefold())
    return next((kind for kind, words in _WORDS.items() if any(word in name for word in words)), "other")
