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

    ``stands`` is where a piece usually is, ``faces`` whether it has a front, ``core`` the types of rooms that need
    one, ``rooms`` all in which one may stand. ``broader`` are the nouns of which it is a sort: an armchair is a
    chair. A noun that is not ``firm`` has other meanings in running text ("box", "window").
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
    for entry in _entries():
        kind = _kind(entry)
        words = [*_listed(entry.words), *entry.zh.split()]
        if entry.firm or loose:
            words = [entry.noun, entry.plural or plural_of(entry.noun), *words]
        for word in map(str.casefold, [*words, *(_listed(entry.loose) if loose else ())]):
            known.setdefault(word, kind)
            known.setdefault(plural_of(word), kind)
    return MappingProxyType(known)


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by their nouns, in a fixed order."""
    return MappingProxyType({entry.noun: _kind(entry) for entry in _entries()})


def chinese_noun(noun: str) -> str | None:
    """What a kind is called in Chinese; None if it has no name there.

    >>> chinese_noun("wardrobe")
    '衣柜'
    """
    entry = _by_noun().get(noun)
    return entry.zh.split()[0] if entry and entry.zh else None


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


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row of the table of kinds; lists are texts with ``", "`` or, for Chinese, blanks between.

    ``words`` mean the same wherever they stand in a text. ``loose`` ones do only where they are what a description
    is about ("light" of "a modern light", not of "light wood"). ``core`` are the types of rooms that need one,
    ``rooms`` those in which it may well stand beside them; ``broader`` are the kinds that it is a sort of.
    """

    noun: str
    family: Family
    stands: Stands
    faces: bool
    firm: bool
    plural: str
    core: str
    rooms: str
    broader: str
    words: str
    loose: str
    zh: str


@cache
def _entries() -> tuple[_Entry, ...]:
    """The table; earlier rows have a word before later ones."""
    return tuple(_entry(*row) for row in rows("kinds.tsv"))


def _entry(noun: str, family: str, stands: str, faces: str, firm: str, *rest: str) -> _Entry:
    families, places = ({word: word for word in get_args(of)} for of in (Family, Stands))
    return _Entry(noun, families[family], places[stands], faces == "yes", firm == "yes", *rest)


def _listed(words: str) -> list[str]:
    return [word for word in words.split(", ") if word]


@cache
def _kind(entry: _Entry) -> Kind:
    core = frozenset(_listed(entry.core))
    return Kind(
        noun=entry.noun,
        plural=entry.plural or plural_of(entry.noun),
        family=entry.family,
        stands=entry.stands,
        faces=entry.faces,
        core=core,
        rooms=core | frozenset(_listed(entry.rooms)),
        broader=_broader(entry),
        firm=entry.firm,
    )


@cache
def _by_noun() -> Mapping[str, _Entry]:
    return {entry.noun: entry for entry in _entries()}


def _broader(entry: _Entry) -> tuple[str, ...]:
    """The stated broader nouns, theirs, and the noun's own last word if it is a noun: a dining chair is a chair."""
    last = entry.noun.rpartition(" ")[2]
    found = [*_listed(entry.broader), *([last] if last != entry.noun and last in _by_noun() else [])]
    for noun in found:
        found.extend(each for each in _listed(_by_noun()[noun].broader) if each not in found)
    return tuple(dict.fromkeys(found))
