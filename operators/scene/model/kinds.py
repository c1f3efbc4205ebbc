"""What kind of furniture a description is about, by its noun, and readable names for the objects of a room."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, get_args

from dataflow_ext.text import lists, rows
from dataflow_ext.text.nouns import plural
from operators.scene.model.scene import Scene, objects_of

#: Every type; "other" is any that has no furniture of its own.
ROOM_TYPES = ("bedroom", "livingroom", "diningroom", "office", "kitchen", "bathroom", "hallway", "kidsroom", "other")

_WORDS = {kind: words.split() for kind, words in rows("operators.scene", "data/room_types.tsv")}


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
            known.setdefault(plural(word), kind)
    return MappingProxyType(known)


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by their nouns, in a fixed order."""
    families, places = ({word: word for word in get_args(of)} for of in (Family, Stands))
    found: dict[str, Kind] = {}
    for noun, row in _table().items():
        core = frozenset(_listed(row["core"]))
        found[noun] = Kind(
            noun, row["plural"] or plural(noun), families[row["family"]], places[row["stands"]],
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


#: The columns of the table; lists are texts with ``", "`` or, for Chinese, blanks between. ``words`` mean the same
#: wherever they stand in a text, ``loose`` ones only where they are what a description is about ("light" of "a modern
#: light", not of "light wood"). ``core`` are the types of rooms that have one as a rule, ``rooms`` those in which it
#: may well stand beside them.
_COLUMNS = ("noun", "family", "stands", "faces", "firm", "plural", "core", "rooms", "broader", "words", "loose", "zh")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    """The table by nouns; earlier rows have a word before later ones."""
    return {row[0]: dict(zip(_COLUMNS, row, strict=True)) for row in rows("operators.scene", "data/kinds.tsv")}


def _listed(words: str) -> list[str]:
    return [word for word in words.split(", ") if word]


def _broader(noun: str) -> tuple[str, ...]:
    """The stated broader nouns, theirs, and the noun's own last word if it is a noun: a dining chair is a chair."""
    last = noun.rpartition(" ")[2]
    found = [*_listed(_table()[noun]["broader"]), *([last] if last != noun and last in _table() else [])]
    for each in found:
        found.extend(other for other in _listed(_table()[each]["broader"]) if other not in found)
    return tuple(dict.fromkeys(found))


#: What begins a part of the sentence that tells about the thing, and no longer names it ("cuts"); past which what
#: follows a thing without a known name can be no more than part of it ("parts"); before which stands no name: "a set
#: with" ("no names"); and "pointers" to a thing.
_LISTS = lists("operators.scene", "data/words.tsv")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[-,;:.&]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[，。；：、！,.;:!\n（）()]+")
_CARRIES = re.compile(r"搭配|配有|配以|配备|带有|附带|具有|设有|采用|包含|带|配|附|有")


class HeadFinder:
    """Finds the noun that a description is about, among the known words and phrases (in lower case).

    >>> HeadFinder(["books", "vase"]).find("A set of modern books beside a vase.")
    'books'
    >>> HeadFinder(["书桌", "椅子"]).find("白色木质书桌配椅子")
    '书桌'
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self.firsts = frozenset(first[0] for word in self.known if (first := _WORD.findall(word)))
        chinese = sorted((word for word in self.known if not word.isascii()), key=lambda word: (-len(word), word))
        self._chinese = re.compile("|".join(map(re.escape, chinese)) or "(?!)")

    def find(self, desc: str) -> str | None:
        """The known word; None if no known one can be it."""
        text = unicodedata.normalize("NFKC", desc).casefold().replace("\u2019", "'").replace("\u2018", "'")
        found = _chinese(text, self._chinese) if _CHINESE.search(text) else None
        return found or self._english(_WORD.findall(text))

    def _english(self, tokens: list[str]) -> str | None:
        """The last noun of the first name that has one; the first of those that are listed: "vase and cup set"."""
        named: list[str] = []
        place = 0
        while place < len(tokens):
            phrase, length = self._phrase(tokens, place)
            if phrase and length > 1 and self._phrase(tokens, place + length - 1)[1] > 1:
                place += length - 1  # "side table lamp": a table lamp, no side table
            elif phrase:
                named.append(phrase)
                place += length
                listed = tokens[place : place + 1] in (["and"], ["&"], [","], ["or"])
                if listed and not _LISTS["pointers"].issuperset(tokens[place + 1 : place + 2] or ("this",)):
                    break
            else:
                whole = tokens[place - 1 : place] != ["-"]  # not "slip-on", "art-inspired"
                if named and whole and tokens[place] in _LISTS["cuts"]:
                    break
                if whole and tokens[place] in _LISTS["parts"] and not _LISTS["no names"].issuperset(tokens[:place]):
                    return None
                place += 1
        return named[-1] if named else None

    def _phrase(self, tokens: list[str], place: int) -> tuple[str, int]:
        """The longest known phrase that begins here, and how many tokens it takes; hyphens count as blanks or stay."""
        longest = ("", 0)
        if tokens[place] not in self.firsts:
            return longest
        for end in range(place + 1, min(place + 7, len(tokens)) + 1):
            part = tokens[place:end]
            hyphened = " ".join(part).replace(" - ", "-")
            for phrase in (hyphened, " ".join(word for word in part if word != "-")):
                if phrase in self.known and part[-1] != "-":
                    longest = (phrase, end - place)
        return longest


def _chinese(text: str, known: re.Pattern[str]) -> str | None:
    """The last noun of the first clause that has one; before a verb of having, if one stands there."""
    for clause in _CLAUSE.split(text):
        found = [(match.group(), match.start()) for match in known.finditer(clause)]
        if not found:
            continue
        verb = _CARRIES.search(clause)
        before = [word for word, start in found if verb and start < verb.start()]
        return before[-1] if before else found[-1][0]
    return None


_QUALITY = re.compile(r"[a-z]+(?:-[a-z]+)*")
#: Where a description passes from the thing to its parts.
_PARTS = re.compile(
    r"\b(?:with|featuring|features?|has|offers|in an?|in the|on an?|boasts|combining|including|showcasing)\b"
    r"|带|配|附|具有|设有"
)


@cache
def _quality_words() -> Mapping[str, Mapping[str, str]]:
    """By tables, words of descriptions and what they are called in a name; the first table with one gives it."""
    found: dict[str, dict[str, str]] = {}
    for table, word, forms in rows("operators.scene", "data/qualities.tsv"):
        found.setdefault(table, {}).update(dict.fromkeys(forms.split(), word))
    return found


@lru_cache(maxsize=1 << 14)
def qualities(desc: str) -> tuple[str, ...]:
    """What the description calls the whole piece, most telling first, each once.

    >>> qualities("A modern dark grey fabric and light wood chair with a black base.")
    ('dark gray', 'fabric', 'wooden', 'modern')
    >>> qualities("灰色布艺沙发，带红色抱枕")
    ('gray', 'fabric')
    """
    text = _PARTS.split(unicodedata.normalize("NFKC", desc[:400]).casefold(), maxsplit=1)[0]
    words = _QUALITY.findall(text)
    found = []
    lists = _quality_words()
    for table in ("colours", "materials", "shapes", "styles"):
        known = lists[table]
        for i, word in enumerate(words):
            if word in known:
                shade = words[i - 1] + " " if table == "colours" and i and words[i - 1] in ("dark", "light") else ""
                found.append(shade + known[word])
    if not text.isascii():
        found.extend(name for word, name in lists["chinese"].items() if word in text)
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
    taken = Counter[str]()
    for jid, name in names.items():
        taken[name] += 1
        while taken[name] > 1:
            name = f"{name} {taken[name]}"
            taken[name] += 1
        names[jid] = name
    return {jid: names[jid] for jid, _ in told}


def _apart(noun: str, objects: Sequence[_Told]) -> dict[str, str]:
    """Names for objects of one kind: those of one description share a quality, and are numbered."""
    if len(objects) == 1:
        return {objects[0][0]: noun}
    telling = _telling(tuple(dict.fromkeys(desc for _, desc in objects)))
    stems = {jid: f"{telling[desc]} {noun}" if telling[desc] else noun for jid, desc in objects}
    names: dict[str, str] = {}
    counts, shared = Counter[str](), Counter(stems.values())
    for jid, stem in stems.items():
        counts[stem] += 1
        names[jid] = f"{stem} {counts[stem]}" if shared[stem] > 1 else stem
    return names


def _telling(descs: Sequence[str]) -> dict[str, str]:
    """For each description a quality, or two, that no other of them has; for none of them if one has no such."""
    all_of = {desc: _alone_and_paired(qualities(desc)) for desc in descs}
    counts = Counter(quality for found in all_of.values() for quality in found)
    telling = {desc: next((each for each in found if counts[each] == 1), "") for desc, found in all_of.items()}
    return telling if len(descs) > 1 and all(telling.values()) else dict.fromkeys(descs, "")


def _alone_and_paired(found: Sequence[str]) -> list[str]:
    return [*found, *(f"{one} {other}" for i, one in enumerate(found) for other in found[i + 1 :])]
