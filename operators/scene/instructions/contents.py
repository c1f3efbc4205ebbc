"""What a room holds, and what a chain changes, as a person would list it: kinds with numbers and looks, and calls."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from dataflow_ext.text import rows
from operators.scene.model.chain import Chain
from operators.scene.model.geometry import yaw_of
from operators.scene.model.kinds import OBJECT, Family, Kind, kind_of
from operators.scene.model.scene import Object, Scene, by_id, objects_of
from operators.scene.model.simulator import apply, target_of
from operators.scene.reasoning.english import a, capitals, listing, number

#: How types of rooms are called, where the type itself is not the name.
_ROOMS = dict(rows("operators.scene", "data/rooms.tsv"))
_ROOM_NAME = re.compile(r"[a-z]{3,15}( [a-z]{3,15}){0,2}")
#: Things that are too small to ask for in a sentence about a room, unless there is little else.
_SMALL = frozenset(("decor", "other", "appliance"))
#: What a room is named after comes first, then what completes it.
_RANK = {"lamp": 1, "rug": 1, "plant": 1, "decor": 2, "other": 2, "appliance": 1}
#: Colours and materials that one piece is told with at most.
_LOOKS = 2

_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """All objects of one noun: how many, and the colours and materials that each of them is described with."""

    kind: Kind
    objects: tuple[Object, ...]
    colours: tuple[str, ...]
    materials: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.objects)

    @property
    def noun(self) -> str:
        """The noun for so many."""
        return capitals(self.kind.noun if self.count == 1 else self.kind.plural)

    def phrase(self, looks: bool = False) -> str:
        """The piece in words: "a gray wardrobe", "six dining chairs".

        >>> chair = {"desc": "A grey fabric armchair"}
        >>> piece = pieces_of([chair, chair])[0]
        >>> piece.phrase(), piece.phrase(looks=True)
        ('two armchairs', 'two gray fabric armchairs')
        """
        words = " ".join((*self.look(), self.noun)) if looks else self.noun
        return with_article(words, self.kind) if self.count == 1 else f"{number(self.count)} {words}"

    def look(self) -> tuple[str, ...]:
        """A colour and a material, as far as the descriptions have them, but none that the noun says already."""
        words = [*self.colours[:1], *self.materials[:1]]
        return tuple(word for word in words[:_LOOKS] if word not in self.kind.noun.split())


@dataclass(frozen=True, slots=True)
class Contents:
    """A finished room: its name, its pieces from core to decoration, and words that hold for most of it."""

    room: str
    pieces: tuple[Piece, ...]
    styles: tuple[str, ...]
    colours: tuple[str, ...]
    materials: tuple[str, ...]

    def of(self, *families: Family) -> tuple[Piece, ...]:
        """The pieces of some families."""
        return tuple(piece for piece in self.pieces if piece.kind.family in families)

    @property
    def main(self) -> tuple[Piece, ...]:
        """The furniture; where there is none, whatever there is."""
        return tuple(piece for piece in self.pieces if piece.kind.family not in _SMALL) or self.pieces


def contents_of(scene: Scene) -> Contents:
    """What a room holds.

    >>> room = {"room_type": "bedroom", "objects": [{"desc": "Modern grey bed", "size": [2, 1, 2]},
    ...                                             {"desc": "Modern white nightstand", "size": [0.5, 0.5, 0.5]}]}
    >>> contents = contents_of(room)
    >>> contents.room, [piece.phrase(looks=True) for piece in contents.pieces], contents.styles
    ('bedroom', ['a gray bed', 'a white nightstand'], ('modern',))
    """
    objects = objects_of(scene)
    descs = [str(each["desc"]) for each in objects]
    return Contents(
        room_name(scene.get("room_type")),
        tuple(pieces_of(objects)),
        _common(descs, "styles", max(1, (len(descs) + 1) // 2)),
        _common(descs, "colours", 2),
        _common(descs, "materials", 2),
    )


def pieces_of(objects: Iterable[Object]) -> list[Piece]:
    """The pieces: furniture, what completes it, small things, in each those with the most volume first.

    Objects whose noun is not known are none.
    """
    groups: dict[str, list[Object]] = {}
    for each in objects:
        kind = kind_of(str(each["desc"]))
        if kind is not OBJECT:
            groups.setdefault(kind.noun, []).append(each)
    pieces = [_piece(tuple(group)) for group in groups.values()]
    return sorted(pieces, key=_place)


def _place(piece: Piece) -> tuple[int, float, str]:
    return _RANK.get(piece.kind.family, 0), -sum(map(_volume, piece.objects)), piece.kind.noun


def room_name(room_type: object) -> str:
    """How a user calls a room of this type; "room" for what is no plain name.

    >>> [room_name(each) for each in ("livingroom", "bedroom", "home_gym", "other", "卧室", "X-7", None)]
    ['living room', 'bedroom', 'home gym', 'room', 'room', 'room', 'room']
    """
    name = " ".join(str(room_type or "").casefold().replace("_", " ").replace("-", " ").split())
    name = _ROOMS.get(name.replace(" ", ""), name)
    return name if _ROOM_NAME.fullmatch(name) or name in _ROOMS.values() else "room"


def with_article(words: str, kind: Kind | None = None) -> str:
    """The words behind "a" or "an"; what is plural by itself gets "some".

    >>> with_article("armchair"), with_article("wardrobe")
    ('an armchair', 'a wardrobe')
    """
    return f"some {words}" if kind is not None and kind.plural == kind.noun else a(words)


def _piece(objects: tuple[Object, ...]) -> Piece:
    descs = [str(each["desc"]) for each in objects]
    colours = [_before_noun(desc, "colours") for desc in descs]
    materials = [_before_noun(desc, "materials") for desc in descs]
    return Piece(
        kind_of(descs[0]),
        objects,
        tuple(word for word in colours[0] if all(word in each for each in colours)),
        tuple(word for word in materials[0] if all(word in each for each in materials)),
    )


@lru_cache(maxsize=1 << 14)
def _before_noun(desc: str, table: str) -> tuple[str, ...]:
    """The words of a table in what a description says first: "a black bed with gold legs" is black.

    What a description lists behind "with" is often about a part alone.
    """
    head = re.split(
        r"\b(?:with|featuring|features|offers|including|blending|adorned)\b|[,;，；。、]", desc, maxsplit=1
    )[0]
    return said_of(head, table)


def _common(descs: Sequence[str], table: str, least: int) -> tuple[str, ...]:
    """The words that so many descriptions have, the most frequent first."""
    counts = Counter(word for desc in descs for word in said_of(desc, table))
    return tuple(word for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= least)


def _volume(obj: Object) -> float:
    width, height, depth = obj.get("size") or (0.0, 0.0, 0.0)
    return abs(float(width) * float(height) * float(depth))


@cache
def _forms(table: str) -> Mapping[str, tuple[str, ...]]:
    """Each word of a table with the forms in which descriptions and users have it; a hyphen is a blank."""
    return {word: (word.casefold().replace("-", " "), *forms.replace("-", " ").split())
            for name, word, forms in rows("operators.scene", "data/looks.tsv") if name == table}  # fmt: skip


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
    found.update({word: ("materials", word) for word in _forms("materials")})
    return found


@cache
def wordings() -> Mapping[str, tuple[str, ...]]:
    """The sentences of the table by topic; words in braces are filled from the room."""
    found: dict[str, list[str]] = {}
    for topic, text in rows("operators.scene", "data/instructions.tsv"):
        found.setdefault(topic, []).append(text)
    return {topic: tuple(texts) for topic, texts in found.items()}


#: A move goes towards a thing if that comes nearer by this share of the way.
_TOWARDS = 0.7


@dataclass(frozen=True, slots=True)
class Change:
    """One call as a user sees it: the tool, what is changed and how it is called, and what is put."""

    tool: str
    kind: Kind
    words: Mapping[str, str]
    new_kind: Kind | None = None


def changes_of(chain: Chain, looks: bool = False) -> list[Change]:
    """The changes that a chain makes, call by call, with colours and materials if ``looks``."""
    found: list[Change] = []
    state = chain.start
    for calls in chain.turns[:-1]:
        for call in calls:
            after = apply(state, [call], chain.retrievals)
            found.append(_change(call, state, after, chain.start, looks))
            state = after
    return found


def changes_text(chain: Chain, room: str, style: str, rng: random.Random) -> str:
    """What a user says who wants these changes, briefly or in detail.

    >>> place = {"size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0, 0.0, 0.0, 1.0]}
    >>> chair = {"desc": "A grey armchair", "jid": "a", **place}
    >>> arguments = {"jid": "a", "new_rotation": [0.0, 1.0, 0.0, 0.0]}
    >>> call = {"id": "tool_1", "name": "rotate_object", "arguments": arguments}
    >>> changes_text(Chain({"objects": [chair]}, [[call], []]), "bedroom", "edit/brief", random.Random(0))
    'I want you to rotate the armchair around.'
    """
    detailed = style.endswith("detailed")
    changes = changes_of(chain, looks=detailed)
    if not detailed:
        clauses = [rng.choice(wordings()[f"verbs.{tool}"]).format(**words) for tool, words in _told_apart(changes)]
        return rng.choice(wordings()["changes.brief"]).format(clauses=listing(clauses))
    sentences = [rng.choice(wordings()[f"wishes.{tool}"]).format(**words) for tool, words in _told_apart(changes)]
    return " ".join([rng.choice(wordings()["changes.openings"]).format(room=room), *sentences])


def _told_apart(changes: Sequence[Change]) -> list[tuple[str, Mapping[str, str]]]:
    """Each change's tool and words: like pieces that are added come together, and of several "another" comes next."""
    told: list[tuple[str, Mapping[str, str]]] = []
    added = Counter(each.words["new"] for each in changes if each.tool == "add_object")
    pointed: set[str] = set()
    for each in changes:
        words = dict(each.words)
        if each.tool == "add_object":
            count = added.pop(words["new"], 0)
            if not count:
                continue
            if count > 1:
                words["new"] = f"{number(count)} {words['many']}"
        elif words["it"] in pointed:
            words["it"] = words["it"].replace("one of", "another of", 1)
        pointed.add(each.words.get("it", ""))
        told.append((each.tool, words))
    return told


def _change(call: Mapping[str, object], before: Scene, after: Scene, start: Scene, looks: bool) -> Change:
    """A call with its words; ``before`` and ``after`` are the room around it, ``start`` is what the user sees."""
    tool, jid = str(call["name"]), target_of(call) or ""
    was, there, seen = by_id(before), by_id(after), by_id(start)
    old, now = was.get(jid), there.get(jid)
    new = next((each for id, each in there.items() if id not in was), None)
    words: dict[str, str] = {}
    if old is not None:
        words["it"] = _called(old, list((seen if jid in seen else was).values()), looks)
    if new is not None:
        words["new"] = _new(new, old, looks)
        words["many"] = " ".join((*(_look(new) if looks else ()), _noun(kind_of(str(new["desc"])), plural=True)))
    if old is not None and now is not None:
        words |= {"where": _where(old, now, objects_of(after)), "turn": _turn(old, now), **_size(old, now)}
    about = old if old is not None else new
    assert about is not None  # noqa: S101 - a call that was applied is about one of them
    return Change(tool, kind_of(str(about["desc"])), words, None if new is None else kind_of(str(new["desc"])))


def _called(obj: Object, objects: Sequence[Object], looks: bool) -> str:
    """How a user points at an object: by its noun, where that is enough, by its look, or as one of several."""
    kind = kind_of(str(obj["desc"]))
    same = [each for each in objects if kind_of(str(each["desc"])).noun == kind.noun]
    noun = _noun(kind)
    look = _look(obj)
    alike = [each for each in same if _look(each) == look]
    if len(same) == 1:
        return f"the {' '.join((*look, noun)) if looks else noun}"
    if look and len(alike) == 1:
        return f"the {' '.join((*look, noun))}"
    return f"one of the {number(len(same))} {_noun(kind, plural=True)}"


def _new(new: Object, old: Object | None, looks: bool) -> str:
    """What is put, with an article; "a different one" if it is of the same noun."""
    kind = kind_of(str(new["desc"]))
    words = " ".join((*_look(new), _noun(kind))) if looks else _noun(kind)
    if old is not None and kind_of(str(old["desc"])).noun == kind.noun:
        return f"different {words}" if kind.plural == kind.noun else with_article(f"different {words}")
    return with_article(words, kind)


def _noun(kind: Kind, plural: bool = False) -> str:
    noun = kind.plural if plural else kind.noun
    return {"object": "item", "objects": "items"}.get(noun, capitals(noun))


def _look(obj: Object) -> tuple[str, ...]:
    piece: list[Piece] = pieces_of([obj])
    return piece[0].look() if piece else ()


def _where(old: Object, now: Object, objects: Sequence[Object]) -> str:
    """Where a move goes: closer to a thing, further from one, or just a little."""
    x, z, new_x, new_z = old["pos"][0], old["pos"][2], now["pos"][0], now["pos"][2]
    way = math.hypot(new_x - x, new_z - z)
    nouns = [kind_of(str(each["desc"])).noun for each in objects]
    best, text = _TOWARDS * way, " a little"
    for each, noun in zip(objects, nouns, strict=True):
        if each["jid"] == now["jid"] or nouns.count(noun) > 1 or noun == "object":
            continue
        ex, ez = each["pos"][0], each["pos"][2]
        nearer = math.hypot(ex - x, ez - z) - math.hypot(ex - new_x, ez - new_z)
        if abs(nearer) > best:
            best = abs(nearer)
            text = f" {'closer to' if nearer > 0 else 'further away from'} the {capitals(noun)}"
    return text


def _turn(old: Object, now: Object) -> str:
    """How far something is turned, where there is a word for it."""
    degrees = abs((yaw_of(now) - yaw_of(old) + 180) % 360 - 180)
    if degrees > 150:
        return " around"
    return " by a quarter turn" if 75 <= degrees <= 105 else ""


def _size(old: Object, now: Object) -> dict[str, str]:
    """Whether it gets bigger or smaller, by its volume."""
    was, is_now = _volume(old), _volume(now)
    word = "bigger" if is_now > was else "smaller" if is_now < was else "different"
    return {"bigger": word, "a_bigger": with_article(word)}
