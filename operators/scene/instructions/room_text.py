"""An instruction for a whole room, written by rules from what the finished room holds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from operators.scene.data import rows
from operators.scene.instructions.contents import Contents, Piece, listed, number_word, with_article, written_noun
from operators.scene.instructions.styles import WORDS
from operators.scene.model.geometry import Box, box_of, floor_of, nearest_wall, plan_gap
from operators.scene.model.scene import Scene

#: Metres: closer than this is "against", "beside", "around".
_AGAINST, _BESIDE, _AROUND = 0.12, 0.5, 0.6
_TABLES = ("table", "desk")


def layout_wishes(scene: Scene, contents: Contents) -> list[str]:
    """What can be said of the room's layout, each a half sentence that is so, as "the bed against a wall".

    >>> rot = [0.0, 0.0, 0.0, 1.0]
    >>> room = {"room_type": "bedroom", "bounds_top": [[0, 2.5, 0]],
    ...         "bounds_bottom": [[-2, 0, -2], [2, 0, -2], [2, 0, 2], [-2, 0, 2]],
    ...         "objects": [{"desc": "A bed", "size": [1.6, 0.8, 2.0], "pos": [0.0, 0.0, -0.95], "rot": rot},
    ...                     {"desc": "A nightstand", "size": [0.5, 0.5, 0.5], "pos": [1.1, 0.0, -1.7], "rot": rot},
    ...                     {"desc": "A nightstand", "size": [0.5, 0.5, 0.5], "pos": [-1.1, 0.0, -1.7], "rot": rot}]}
    >>> from operators.scene.instructions.contents import contents_of
    >>> layout_wishes(room, contents_of(room))
    ['the bed against a wall', 'a nightstand on either side of the bed']
    """
    boxes = {piece.kind.noun: [box_of(each) for each in piece.objects] for piece in contents.pieces}
    main = contents.main
    return [*_against_walls(main, boxes, scene), *_around(main, boxes), *_either_side(main, boxes),
            *_above(contents.of("lamp"), main, boxes), *_beside(contents, boxes)]  # fmt: skip


def _name(piece: Piece) -> str:
    return written_noun(piece.kind.noun)


def _against_walls(main: Sequence[Piece], boxes: dict[str, list[Box]], scene: Scene) -> Iterator[str]:
    """Single pieces of furniture that stand at a wall."""
    floor = floor_of(scene)
    for piece in main:
        if piece.count > 1 or piece.kind.stands != "floor" or piece.kind.family in ("rug", "plant", "lamp"):
            continue
        wall = nearest_wall(boxes[piece.kind.noun][0], floor)
        if wall is not None and abs(wall.gap) <= _AGAINST:
            yield f"the {_name(piece)} against a wall"


def _around(main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Three seats or more, all at one table."""
    seats = [piece for piece in main if piece.kind.family == "seat" and piece.count >= 3]
    for table in (piece for piece in main if piece.kind.family == "table" and piece.count == 1):
        (top,) = boxes[table.kind.noun]
        for piece in seats:
            if all(plan_gap(each, top) <= _AROUND for each in boxes[piece.kind.noun]):
                yield f"the {number_word(piece.count)} {written_noun(piece.kind.plural)} around the {_name(table)}"


def _either_side(main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Two of a kind, left and right of a bed or a sofa."""
    for middle in (piece for piece in main if piece.kind.family in ("bed", "sofa") and piece.count == 1):
        (box,) = boxes[middle.kind.noun]
        for piece in (piece for piece in main if piece.count == 2 and piece is not middle):
            if piece.kind.family == "lamp":
                continue
            both = boxes[piece.kind.noun]
            (fx, fz) = box.front
            sides = [fz * (each.x - box.x) - fx * (each.z - box.z) for each in both]
            close = all(plan_gap(each, box) <= _BESIDE for each in both)
            if close and sides[0] * sides[1] < 0 and min(map(abs, sides)) > box.wide * 0.8:
                noun = _name(piece)
                yield f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} on either side of the {_name(middle)}"


def _above(lamps: Sequence[Piece], main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """A lamp of the ceiling that hangs over a table, a bed or a desk."""
    for lamp in (piece for piece in lamps if piece.count == 1 and piece.kind.stands == "ceiling"):
        (box,) = boxes[lamp.kind.noun]
        for piece in main:
            if piece.count == 1 and piece.kind.family in (*_TABLES, "bed"):
                (under,) = boxes[piece.kind.noun]
                if box.low >= under.high and _within(box, under):
                    yield f"the {_name(lamp)} above the {_name(piece)}"


def _beside(contents: Contents, boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Two single pieces that stand next to each other on the floor."""
    single = [p for p in contents.pieces if p.count == 1 and p.kind.stands == "floor" and p.kind.family != "rug"]
    for i, piece in enumerate(single):
        for other in single[i + 1 :]:
            (one,), (two,) = boxes[piece.kind.noun], boxes[other.kind.noun]
            on_one_level = one.low < two.high and two.low < one.high
            if on_one_level and abs(one.x - two.x) + abs(one.z - two.z) < 4 and 0.0 < plan_gap(one, two) <= _BESIDE:
                yield f"the {_name(other)} next to the {_name(piece)}"


def _within(box: Box, under: Box) -> bool:
    """Whether the middle of one box lies over the other one's footprint."""
    (fx, fz), dx, dz = under.front, box.x - under.x, box.z - under.z
    return abs(fx * dx + fz * dz) <= under.deep and abs(fz * dx - fx * dz) <= under.wide


#: Pieces in one sentence, and sentences of a detailed instruction between the first and the last.
_TOGETHER, _MIDDLE = 4, 4


def room_text(scene: Scene, contents: Contents, style: str, rng: random.Random) -> str:
    """What a user says who wants this room, in one of the styles of :mod:`operators.scene.instructions.styles`.

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
        room, mood = contents.room, rng.choice(_wordings()["moods"])
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
            "A": lambda: [self.said(_wordings()["brief.a"])],
            "B": self.brief_b,
            "C": lambda: [self.said(_wordings()["brief.c"], quality=self.quality())],
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
        opening = [self.said(_wordings()["openings"])]
        closing = [self.said(_wordings()["closings"])] if name != "mixed" and self.rng.random() < 0.6 else []
        return " ".join(self.long_enough([*opening, *sentences, *closing], WORDS["detailed"][0]))

    def long_enough(self, sentences: list[str], least: int) -> list[str]:
        """The sentences, with general wishes where the room itself gives too little to say."""
        further = list(_wordings()["closings"])
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
        return listed([piece.phrase(looks) for piece in pieces])

    def brief_b(self) -> list[str]:
        """Two or three main pieces."""
        pieces = self.contents.main[: self.rng.choice((2, 2, 3))]
        return (
            [self.said(_wordings()["brief.b"], pieces=self.asked(pieces))]
            if pieces
            else [self.said(_wordings()["brief.a"])]
        )

    def quality(self) -> str:
        """What the furniture gives the room."""
        families = [family for family in _by_family("qualities") if self.contents.of(family)]  # type: ignore[arg-type]
        return self.rng.choice(
            _by_family("qualities")[self.rng.choice(families)] if families else _wordings()["quality"]
        )

    def specific(self) -> list[str]:
        """Nearly everything, with numbers and looks."""
        pieces = self.contents.main[: _TOGETHER + 3]
        first, then = pieces[:_TOGETHER], pieces[_TOGETHER:]
        if not then and len(pieces) > 2:
            first, then = pieces[:2], pieces[2:]
        sentences = [self.said(_wordings()["first"], pieces=self.asked(first, looks=True))] if first else []
        sentences += [self.said(_wordings()["then"], pieces=self.asked(then, looks=True))] if then else []
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
        ] or [self.said(_wordings()["goals"])]

    def look(self, most: int) -> list[str]:
        """Sentences on style, colours and materials, as far as the descriptions bear them out."""
        contents, made = self.contents, []
        if contents.styles:
            styles = " and ".join(contents.styles[:2])
            made.append(self.said(_wordings()["style"], styles=styles, a_styles=with_article(styles)))
        if contents.colours:
            made.append(self.said(_wordings()["colours"], colours=listed(contents.colours[:3])))
        if contents.materials:
            made.append(self.said(_wordings()["materials"], materials=" and ".join(contents.materials[:2])))
        return [made[i] for i in sorted(self.rng.sample(range(len(made)), min(most, len(made))))]

    def aesthetic(self) -> list[str]:
        """The look first, then a piece or two that carry it."""
        pieces = self.contents.main[:3]
        shown = self.rng.sample(pieces, min(2, len(pieces)))
        sentences = self.look(3)
        return (
            [*sentences, self.said(_wordings()["showpiece"], pieces=self.asked(shown, looks=True))]
            if shown
            else sentences
        )

    def layout(self) -> list[str]:
        """Where things stand; two to four wishes that are so."""
        wishes = layout_wishes(self.scene, self.contents)
        chosen = sorted(self.rng.sample(range(len(wishes)), min(_MIDDLE, len(wishes))))
        halves = [wishes[i] for i in chosen]
        sentences = [self.said(_wordings()["layout"], wish=listed(halves[i : i + 2])) for i in range(0, len(halves), 2)]
        if len(sentences) < 2 and self.contents.main:
            sentences.append(self.said(_wordings()["layout.has"], pieces=self.asked(self.contents.main[:3])))
        return sentences

    def mixed(self) -> list[str]:
        """Some concrete pieces, a look, and goals."""
        pieces = self.contents.main[: self.rng.choice((2, 3))]
        sentences = [self.said(_wordings()["first"], pieces=self.asked(pieces, looks=True))] if pieces else []
        return [*sentences, *self.look(1), *dict.fromkeys(self.said(_wordings()["goals"]) for _ in range(2))]


@cache
def _wordings() -> Mapping[str, tuple[str, ...]]:
    """The sentences of the table by topic; words in braces are filled from the room."""
    found: dict[str, list[str]] = {}
    for topic, text in rows("instructions.tsv"):
        found.setdefault(topic, []).append(text)
    return {topic: tuple(texts) for topic, texts in found.items()}


@cache
def _by_family(topic: str) -> Mapping[str, tuple[str, ...]]:
    """The sentences of a topic that are told by families of furniture."""
    return {
        name.removeprefix(f"{topic}."): texts for name, texts in _wordings().items() if name.startswith(f"{topic}.")
    }
