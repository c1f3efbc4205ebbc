"""What kind of furniture a description is about.

Descriptions are sentences in English or Chinese of which one noun is what is described and others are only
mentioned ("a desk with a bookshelf"). :func:`kind_of` finds the first; :func:`nouns` is the vocabulary for a reader
of other texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from operators.scene.data import rows
from operators.scene.furniture.heads import HeadFinder

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


Family = Literal[
    "seat", "sofa", "table", "desk", "bed", "storage", "shelf", "lamp", "plant", "rug", "appliance", "decor", "other"
]
Stands = Literal["floor", "wall", "ceiling", "top"]

#: What is read of a description; a real one has about 150 letters.
_LETTERS = 400


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of furniture: its noun, and what can be said of all such pieces.

    ``stands`` is where a piece usually is, ``faces`` whether it has a front, ``core`` the types of rooms that have
    one as a rule, ``rooms`` all in which one may stand. ``broader`` are the nouns of which it is a sort: an armchair is
    a chair. A noun that is not ``firm`` has other meanings in running text ("box", "window").
    """

    noun: str
    plural: str
    family: Family
    stands: Stands
    faces: bool
    core: frozenset[str]
    rooms: frozenset[str]
    broader: tuple[str, ...]
    firm: bool

    def is_a(self, noun: str) -> bool:
        """Whether a piece of this kind may be called so.

        >>> kind_of("A grey swivel chair").is_a("chair"), kind_of("A grey chair").is_a("office chair")
        (True, False)
        """
        return noun == self.noun or noun in self.broader


#: The kind of what no noun tells.
OBJECT = Kind("object", "objects", "other", "floor", False, frozenset(), frozenset(), (), False)


def kind_of(desc: str) -> Kind:
    """The kind of the thing that a description is about; :data:`OBJECT` if its noun is unknown or there is none.

    >>> kind_of("A minimalist modern brown wooden desk with clean lines and a bookshelf").noun
    'desk'
    >>> kind_of("This King-size modern bed features two nightstands.").noun, kind_of("现代简约白色床头柜，带台灯").noun
    ('bed', 'nightstand')
    >>> kind_of("").noun
    'object'
    """
    return _kind_of(desc[:_LETTERS])


@lru_cache(maxsize=1 << 16)
def _kind_of(desc: str) -> Kind:
    found = _finder().find(desc)
    return OBJECT if found is None else nouns(loose=True)[found]


@cache
def _finder() -> HeadFinder:
    return HeadFinder(nouns(loose=True))


@cache
def nouns(*, loose: bool = False) -> Mapping[str, Kind]:
    """Every known word or phrase, in lower case, singular and plural, English and Chinese, with its kind.

    ``loose`` adds words that often mean something else in running text: "light", "box", "to be safe".

    >>> nouns()["couches"].noun, nouns()["bedside table"].noun, nouns()["衣柜"].noun
    ('sofa', 'nightstand', 'wardrobe')
    >>> "light" in nouns(), nouns(loose=True)["light"].noun
    (False, 'lamp')
    """
    known: dict[str, Kind] = {}
    for noun, row in _table().items():
        kind = kinds()[noun]
        words = [*_listed(row["words"]), *row["zh"].split(), *(_listed(row["loose"]) if loose else ())]
        for word in map(str.casefold, [*([noun, kind.plural] if kind.firm or loose else ()), *words]):
            known.setdefault(word, kind)
            known.setdefault(plural_of(word), kind)
    return MappingProxyType(known)


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by their nouns, in a fixed order."""
    families, places = ({word: word for word in get_args(of)} for of in (Family, Stands))
    found: dict[str, Kind] = {}
    for noun, row in _table().items():
        core = frozenset(_listed(row["core"]))
        found[noun] = Kind(
            noun, row["plural"] or plural_of(noun), families[row["family"]], places[row["stands"]],
            row["faces"] == "yes", core, core | frozenset(_listed(row["rooms"])), _broader(noun), row["firm"] == "yes",
        )  # fmt: skip
    return MappingProxyType(found)


def chinese_noun(noun: str) -> str | None:
    """What a kind is called in Chinese; None if it has no name there.

    >>> chinese_noun("wardrobe")
    '衣柜'
    """
    words = _table().get(noun, {}).get("zh", "").split()
    return words[0] if words else None


def plural_of(word: str) -> str:
    """The plural of a noun or of a phrase that ends in one; Chinese has none.

    >>> [plural_of(word) for word in ("shelf", "chest of drawers", "bench", "baby", "toy", "books")]
    ['shelves', 'chests of drawers', 'benches', 'babies', 'toys', 'books']
    """
    head, of, rest = word.partition(" of ")
    if not head.isascii() or (head.endswith("s") and not head.endswith("ss")):
        return word
    if head.endswith(("shelf", "knife")):
        head = head.rstrip("ef").removesuffix("f") + "ves"
    elif head.endswith(("s", "x", "ch", "sh")):
        head += "es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        head = head[:-1] + "ies"
    else:
        head += "s"
    return head + of + rest


#: The columns of the table; lists are texts with ``", "`` or, for Chinese, blanks between. ``words`` mean the same
#: wherever they stand in a text, ``loose`` ones only where they are what a description is about ("light" of "a modern
#: light", not of "light wood"). ``core`` are the types of rooms that have one as a rule, ``rooms`` those in which it
#: may well stand beside them.
_COLUMNS = ("noun", "family", "stands", "faces", "firm", "plural", "core", "rooms", "broader", "words", "loose", "zh")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    """The table by nouns; earlier rows have a word before later ones."""
    return {row[0]: dict(zip(_COLUMNS, row, strict=True)) for row in rows("kinds.tsv")}


def _listed(words: str) -> list[str]:
    return [word for word in words.split(", ") if word]


def _broader(noun: str) -> tuple[str, ...]:
    """The stated broader nouns, theirs, and the noun's own last word if it is a noun: a dining chair is a chair."""
    last = noun.rpartition(" ")[2]
    found = [*_listed(_table()[noun]["broader"]), *([last] if last != noun and last in _table() else [])]
    for each in found:
        found.extend(other for other in _listed(_table()[each]["broader"]) if other not in found)
    return tuple(dict.fromkeys(found))
