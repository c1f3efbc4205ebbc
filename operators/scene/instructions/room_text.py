"""An instruction for a whole room, written by rules from what the finished room holds, in one of the styles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from dataflow_ext.text import rows
from operators.scene.facts.things import Room, Thing
from operators.scene.instructions.contents import Contents, Piece, with_article, wordings
from operators.scene.model.geometry import is_over
from operators.scene.model.limits import AT_WALL, NEAR
from operators.scene.model.scene import Scene
from operators.scene.reasoning.english import capitals, listing, number

#: The share of short instructions; the others are detailed.
BRIEF = 0.5
#: Weights of the styles among the short ones and among the detailed ones.
BRIEF_WEIGHTS: Mapping[str, int] = {"A": 30, "B": 40, "C": 30}
DETAILED_WEIGHTS: Mapping[str, int] = {
    "specific": 25, "category": 20, "aesthetic": 20, "lifestyle": 15, "layout": 10, "mixed": 10,
}  # fmt: skip

#: What a model is told of each style.
WANTED: Mapping[str, str] = {row[0]: row[1] for row in rows("operators.scene", "data/styles.tsv")}
#: The least and the most words of each sort.
WORDS: Mapping[str, tuple[int, int]] = {"brief": (3, 35), "detailed": (15, 160), "edit": (3, 160)}


def layout_wishes(scene: Scene, contents: Contents) -> list[str]:
    """What can be said of the room's layout, each a half sentence that is so, as "the bed against a wall".

    >>> rot = [0.0, 0.0, 0.0, 1.0]
    >>> bed, table = {"desc": "A bed", "size": [1.6, 0.8, 2.0]}, {"desc": "A nightstand", "size": [0.5, 0.5, 0.5]}
    >>> room = {"room_type": "bedroom", "bounds_top": [[0, 2.5, 0]],
    ...         "bounds_bottom": [[-2, 0, -2], [2, 0, -2], [2, 0, 2], [-2, 0, 2]],
    ...         "objects": [{"jid": "a", "pos": [0.0, 0.0, -0.95], "rot": rot, **bed},
    ...                     {"jid": "b", "pos": [1.1, 0.0, -1.7], "rot": rot, **table},
    ...                     {"jid": "c", "pos": [-1.1, 0.0, -1.7], "rot": rot, **table}]}
    >>> from operators.scene.instructions.contents import contents_of
    >>> layout_wishes(room, contents_of(room))
    ['the bed against a wall', 'a nightstand on either side of the bed']
    """
    room, things = Room.of(scene), dict[str, list[Thing]]()
    for thing in room.things:
        things.setdefault(thing.kind.noun, []).append(thing)
    main = [things[piece.kind.noun] for piece in contents.main]
    known = [things[piece.kind.noun][0] for piece in contents.pieces if piece.count == 1]
    alone = [group[0] for group in main if len(group) == 1]
    return [*_against_walls(room, alone), *_among(room, alone, main), *_beside(room, alone, known)]


def _name(thing: Thing) -> str:
    return capitals(thing.kind.noun)


def _against_walls(room: Room, alone: Sequence[Thing]) -> Iterator[str]:
    """Single pieces of furniture that stand at a wall."""
    for thing in alone:
        wall = room.nearest_wall(thing)
        if thing.on_floor and thing.kind.family not in ("plant", "lamp") and wall and abs(wall.gap) <= AT_WALL:
            yield f"the {_name(thing)} against a wall"


def _among(room: Room, alone: Sequence[Thing], main: Sequence[Sequence[Thing]]) -> Iterator[str]:
    """Three seats or more that are all at one table; two of a kind, left and right of a bed or a sofa."""
    for middle in alone:
        (fx, fz), near = middle.box.front, [g for g in main if all(room.gap(each, middle) <= NEAR for each in g)]
        for group in near:
            count, kind = len(group), group[0].kind
            if middle.kind.family == "table" and kind.family == "seat" and count >= 3:
                yield f"the {number(count)} {capitals(kind.plural)} around the {_name(middle)}"
            if middle.kind.family in ("bed", "sofa") and kind.family != "lamp" and count == 2:
                one, other = (fz * (g.box.x - middle.box.x) - fx * (g.box.z - middle.box.z) for g in group)
                if one * other < 0 and min(abs(one), abs(other)) > middle.box.wide * 0.8:
                    yield f"{with_article(_name(group[0]))} on either side of the {_name(middle)}"


def _beside(room: Room, alone: Sequence[Thing], known: Sequence[Thing]) -> Iterator[str]:
    """A lamp of the ceiling that hangs over a table, a bed or a desk; two single pieces that stand together."""
    for lamp in (each for each in known if each.kind.family == "lamp" and each.kind.stands == "ceiling"):
        for under in (each for each in alone if each.kind.family in ("table", "desk", "bed")):
            if lamp.box.low >= under.box.high and is_over(under.box, lamp.box.x, lamp.box.z):
                yield f"the {_name(lamp)} above the {_name(under)}"
    standing = [each for each in known if each.on_floor]
    for i, thing in enumerate(standing):
        for other in standing[i + 1 :]:
            on_one_level = thing.box.low < other.box.high and other.box.low < thing.box.high
            if on_one_level and 0.0 < room.gap(thing, other) <= NEAR:
                yield f"the {_name(other)} next to the {_name(thing)}"


#: Pieces in one sentence, and sentences of a detailed instruction between the first and the last.
_TOGETHER, _MIDDLE = 4, 4


def room_text(scene: Scene, contents: Contents, style: str, rng: random.Random) -> str:
    """What a user says who wants this room, in one of the styles of :data:`WANTED`.

    >>> from operators.scene.instructions.contents import contents_of
    >>> room = {"room_type": "bedroom", "objects": [{"desc": "Modern grey bed", "size": [2, 1, 2]},
    ...                                             {"desc": "Modern white nightstand", "size": [0.5, 0.5, 0.5]}]}
    >>> room_text(room, contents_of(room), "brief/B", random.Random(5))
    'Create a modern bedroom with a bed and a nightstand.'
    """
    return _Writing(scene, contents, rng).text(style)


class _Writing:
    """One instruction under way: no sentence is used twice, and no piece is asked for twice."""

    def __init__(self, scene: Scene, contents: Contents, rng: random.Random) -> None:
        self.scene, self.contents, self.rng = scene, contents, rng
        room, mood = contents.room, rng.choice(wordings()["moods"])
        style = " ".join([*contents.styles[:1], room])
        self.words = {
            "room": room,
            "the_room": f"the {room}",
            "mood": mood,
            "a_room": with_article(room),
            "a_styled_room": with_article(style),
            "a_mood_room": with_article(f"{mood} {style if rng.random() < 0.5 else room}"),
        }

    def text(self, style: str) -> str:
        """The instruction in a style."""
        name = style.rpartition("/")[2]
        written: Mapping[str, Callable[[], list[str]]] = {
            "A": lambda: [self.said(wordings()["brief.a"])],
            "B": self.brief_b,
            "C": lambda: [self.said(wordings()["brief.c"], quality=self.quality())],
            "specific": self.specific,
            "category": lambda: self.by_family(_by_family("categories")),
            "aesthetic": self.aesthetic,
            "lifestyle": lambda: self.by_family(_by_family("activities")),
            "layout": self.layout,
            "mixed": self.mixed,
        }
        sentences = written[name]()
        if style.startswith("brief"):
            return sentences[0]
        opening = [self.said(wordings()["openings"])]
        closing = [self.said(wordings()["closings"])] if name != "mixed" and self.rng.random() < 0.6 else []
        return " ".join(self.long_enough([*opening, *sentences, *closing], WORDS["detailed"][0]))

    def long_enough(self, sentences: list[str], least: int) -> list[str]:
        """The sentences, with general wishes where the room itself gives too little to say."""
        further = list(wordings()["closings"])
        self.rng.shuffle(further)
        while further and sum(len(each.split()) for each in sentences) < least:
            wish = further.pop().format(**self.words)
            sentences += [wish] if wish not in sentences else []
        return sentences

    def said(self, bank: Sequence[str], **values: str) -> str:
        """One sentence of a bank, filled; a word with ``_up`` begins the sentence."""
        raised = {f"{name}_up": value[:1].upper() + value[1:] for name, value in values.items()}
        return self.rng.choice(bank).format(**self.words, **values, **raised)

    def asked(self, pieces: Sequence[Piece], looks: bool = False) -> str:
        """Pieces as a list."""
        return listing([piece.phrase(looks) for piece in pieces])

    def brief_b(self) -> list[str]:
        """Two or three main pieces."""
        pieces = self.contents.main[: self.rng.choice((2, 2, 3))]
        return (
            [self.said(wordings()["brief.b"], pieces=self.asked(pieces))]
            if pieces
            else [self.said(wordings()["brief.a"])]
        )

    def quality(self) -> str:
        """What the furniture gives the room."""
        families = [family for family in _by_family("qualities") if self.contents.of(family)]  # type: ignore[arg-type]
        return self.rng.choice(
            _by_family("qualities")[self.rng.choice(families)] if families else wordings()["quality"]
        )

    def specific(self) -> list[str]:
        """Nearly everything, with numbers and looks."""
        pieces = self.contents.main[: _TOGETHER + 3]
        first, then = pieces[:_TOGETHER], pieces[_TOGETHER:]
        if not then and len(pieces) > 2:
            first, then = pieces[:2], pieces[2:]
        sentences = [self.said(wordings()["first"], pieces=self.asked(first, looks=True))] if first else []
        sentences += [self.said(wordings()["then"], pieces=self.asked(then, looks=True))] if then else []
        return sentences + self.look(1)

    def by_family(self, bank: Mapping[str, tuple[str, ...]]) -> list[str]:
        """A sentence for each of some families, what the room is named after first."""
        families = list(dict.fromkeys(piece.kind.family for piece in self.contents.main))
        families = [family for family in families if family in bank]
        if len(families) > _MIDDLE:
            drawn = {*families[:1], *self.rng.sample(families[1:], _MIDDLE - 1)}
            families = [family for family in families if family in drawn]
        looks = self.rng.random() < 0.3
        return [
            self.said(bank[family], pieces=self.asked(self.contents.of(family)[:3], looks)) for family in families
        ] or [self.said(wordings()["goals"])]

    def look(self, most: int) -> list[str]:
        """Sentences on style, colours and materials, as far as the descriptions bear them out."""
        contents, made = self.contents, []
        if contents.styles:
            styles = " and ".join(contents.styles[:2])
            made.append(self.said(wordings()["style"], styles=styles, a_styles=with_article(styles)))
        if contents.colours:
            made.append(self.said(wordings()["colours"], colours=listing(contents.colours[:3])))
        if contents.materials:
            made.append(self.said(wordings()["materials"], materials=" and ".join(contents.materials[:2])))
        return [made[i] for i in sorted(self.rng.sample(range(len(made)), min(most, len(made))))]

    def aesthetic(self) -> list[str]:
        """The look first, then a piece or two that carry it."""
        pieces = self.contents.main[:3]
        shown = self.rng.sample(pieces, min(2, len(pieces)))
        sentences = self.look(3)
        return (
            [*sentences, self.said(wordings()["showpiece"], pieces=self.asked(shown, looks=True))]
            if shown
            else sentences
        )

    def layout(self) -> list[str]:
        """Where things stand; two to four wishes that are so."""
        wishes = layout_wishes(self.scene, self.contents)
        chosen = sorted(self.rng.sample(range(len(wishes)), min(_MIDDLE, len(wishes))))
        halves = [wishes[i] for i in chosen]
        sentences = [self.said(wordings()["layout"], wish=listing(halves[i : i + 2])) for i in range(0, len(halves), 2)]
        if len(sentences) < 2 and self.contents.main:
            sentences.append(self.said(wordings()["layout.has"], pieces=self.asked(self.contents.main[:3])))
        return sentences

    def mixed(self) -> list[str]:
        """Some concrete pieces, a look, and goals."""
        pieces = self.contents.main[: self.rng.choice((2, 3))]
        sentences = [self.said(wordings()["first"], pieces=self.asked(pieces, looks=True))] if pieces else []
        return [*sentences, *self.look(1), *dict.fromkeys(self.said(wordings()["goals"]) for _ in range(2))]


@cache
def _by_family(topic: str) -> Mapping[str, tuple[str, ...]]:
    """The sentences of a topic that are told by families of furniture."""
    return {name.removeprefix(f"{topic}."): texts for name, texts in wordings().items() if name.startswith(f"{topic}.")}


def drawn_style(rng: random.Random, furnished: bool) -> str:
    """A style by its share: of a room, or, where the room is ``furnished`` at the start, of a change.

    >>> drawn_style(random.Random(1), False), drawn_style(random.Random(2), True)
    ('brief/C', 'edit/detailed')
    """
    brief = rng.random() < BRIEF
    if furnished:
        return "edit/brief" if brief else "edit/detailed"
    weights = BRIEF_WEIGHTS if brief else DETAILED_WEIGHTS
    (style,) = rng.choices(list(weights), list(weights.values()))
    return f"{'brief' if brief else 'detailed'}/{style}"
