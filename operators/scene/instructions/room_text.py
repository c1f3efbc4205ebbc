"""An instruction for a whole room, written by rules from what the finished room holds."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from operators.scene.instructions import phrases
from operators.scene.instructions.contents import Contents, Piece, listed, with_article
from operators.scene.instructions.layout import layout_wishes
from operators.scene.instructions.styles import WORDS
from operators.scene.scene import Scene

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
        room, mood = contents.room, rng.choice(phrases.MOODS)
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
            "A": lambda: [self.said(phrases.BRIEF_A)],
            "B": self.brief_b,
            "C": lambda: [self.said(phrases.BRIEF_C, quality=self.quality())],
            "specific": self.specific,
            "category": lambda: self.by_family(phrases.CATEGORIES),
            "aesthetic": self.aesthetic,
            "lifestyle": lambda: self.by_family(phrases.ACTIVITIES),
            "layout": self.layout,
            "mixed": self.mixed,
        }
        sentences = written[name]()
        if style.startswith("brief"):
            return sentences[0]
        opening = [self.said(phrases.OPENINGS)]
        closing = [self.said(phrases.CLOSINGS)] if name != "mixed" and self.rng.random() < 0.6 else []
        return " ".join(self.long_enough([*opening, *sentences, *closing], WORDS["detailed"][0]))

    def long_enough(self, sentences: list[str], least: int) -> list[str]:
        """The sentences, with general wishes where the room itself gives too little to say."""
        further = list(phrases.CLOSINGS)
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
        return [self.said(phrases.BRIEF_B, pieces=self.asked(pieces))] if pieces else [self.said(phrases.BRIEF_A)]

    def quality(self) -> str:
        """What the furniture gives the room."""
        families = [family for family in phrases.QUALITIES if self.contents.of(family)]  # type: ignore[arg-type]
        return self.rng.choice(phrases.QUALITIES[self.rng.choice(families)] if families else phrases.QUALITY)

    def specific(self) -> list[str]:
        """Nearly everything, with numbers and looks."""
        pieces = self.contents.main[: _TOGETHER + 3]
        first, then = pieces[:_TOGETHER], pieces[_TOGETHER:]
        if not then and len(pieces) > 2:
            first, then = pieces[:2], pieces[2:]
        sentences = [self.said(phrases.FIRST, pieces=self.asked(first, looks=True))] if first else []
        sentences += [self.said(phrases.THEN, pieces=self.asked(then, looks=True))] if then else []
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
        ] or [self.said(phrases.GOALS)]

    def look(self, most: int) -> list[str]:
        """Sentences on style, colours and materials, as far as the descriptions bear them out."""
        contents, made = self.contents, []
        if contents.styles:
            styles = " and ".join(contents.styles[:2])
            made.append(self.said(phrases.STYLE, styles=styles, a_styles=with_article(styles)))
        if contents.colours:
            made.append(self.said(phrases.COLOURS, colours=listed(contents.colours[:3])))
        if contents.materials:
            made.append(self.said(phrases.MATERIALS, materials=" and ".join(contents.materials[:2])))
        return [made[i] for i in sorted(self.rng.sample(range(len(made)), min(most, len(made))))]

    def aesthetic(self) -> list[str]:
        """The look first, then a piece or two that carry it."""
        pieces = self.contents.main[:3]
        shown = self.rng.sample(pieces, min(2, len(pieces)))
        sentences = self.look(3)
        return [*sentences, self.said(phrases.SHOWPIECE, pieces=self.asked(shown, looks=True))] if shown else sentences

    def layout(self) -> list[str]:
        """Where things stand; two to four wishes that are so."""
        wishes = layout_wishes(self.scene, self.contents)
        chosen = sorted(self.rng.sample(range(len(wishes)), min(_MIDDLE, len(wishes))))
        halves = [wishes[i] for i in chosen]
        sentences = [self.said(phrases.LAYOUT, wish=listed(halves[i : i + 2])) for i in range(0, len(halves), 2)]
        if len(sentences) < 2 and self.contents.main:
            sentences.append(self.said(phrases.LAYOUT_HAS, pieces=self.asked(self.contents.main[:3])))
        return sentences

    def mixed(self) -> list[str]:
        """Some concrete pieces, a look, and goals."""
        pieces = self.contents.main[: self.rng.choice((2, 3))]
        sentences = [self.said(phrases.FIRST, pieces=self.asked(pieces, looks=True))] if pieces else []
        return [*sentences, *self.look(1), *dict.fromkeys(self.said(phrases.GOALS) for _ in range(2))]
