"""EpisodeMemory: what the rounds of an episode agree on settles the one that is unsure, and contradicts the wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from dataflow_ext import InputError, OptionError, parallel, progress
from dataflow_ext.ocr import OCREngine
from dataflow_ext.outcomes import Outcome
from operators.game.light_reader import LightColorReader
from operators.game.number_extractor import default_engine
from operators.game.picture_reader import ScreenshotOperator
from operators.game.rounds import Box, CardChange, CardUnsure, Found, Look, Point, screen, told
from operators.game.settling import READ

if TYPE_CHECKING:
    from operators.game.second_look import Seen

Row = Mapping[str, Any]
#: With fewer rounds an episode tells nothing; then all rounds of its device are asked.
_FEW = 3
#: Rounds whose lights are looked at together.
_AT_ONCE = 12


class EpisodeMemory(ScreenshotOperator):
    """The rounds after a second look at each, at the places that the rounds of its episode agree on.

    A light is a place: the one whose colour changes between the rounds as a light's does, whatever its shape, tells
    the light of each round by that round's own picture, and nothing else does. Where most rounds have their cards,
    the others are looked at, too; numbers are read again in the result picture, which shows them as well; and the
    right cards are those that changed alike over the rounds, whatever the mark. What several rounds agree on is sure;
    what they contradict is unsure, for RoundChecker to decide. An episode of less than three rounds shares the memory
    of its device.

    Reads:
        device, episode, round: which round it is.
        question, result: the files of its two pictures.
        cards: boxes x0, y0, x1, y1 of the cards in pixels, null if unknown.
        marks: what the result picture did to each card, null if unknown.
        selected, clicked: the card that the player picked, counted from 0, and where, x and y in pixels; or null.
        numbers, light, card: what was read, null for nothing.
        numbers_read, light_read, card_read: by whom each was read, how surely (0 to 1) and why, with all looks.

    Writes:
        numbers, light, card: what is known after the second look.
        numbers_read, light_read, card_read: what was read before, with the second look.
        cards: the boxes, with those that the episode tells.

    Options:
        engine: what reads text in pictures.
        light_reader: whose engine reads words where colour does not tell a light.
        sure: the confidence, 0 to 1, below which a value is unsure.

    Rejects:
        CardUnsure: the result picture shows other numbers than the question.
        PictureMissing, PictureDamaged: a picture is not there, or cannot be decoded.

    Example:
        >>> EpisodeMemory().columns_read()[:5]
        ['device', 'episode', 'round', 'question', 'result']
    """

    inputs: ClassVar[Any] = {
        "device": str,
        "episode": str,
        "round": int,
        "question": Path,
        "result": Path,
        "cards": list[Box] | None,
        "marks": list[CardChange] | None,
        "selected": int | None,
        "clicked": Point | None,
        **READ,
    }
    outputs: ClassVar[Any] = {**READ, "cards": list[Box] | None}
    record: ClassVar[tuple[str, ...]] = ("cards",)
    together: ClassVar[bool] = True

    engine: OCREngine = Field(default_factory=default_engine)
    light_reader: LightColorReader = Field(default_factory=LightColorReader)
    sure: float = Field(default=0.8, ge=0.0, le=1.0)

    def _outcomes(self, rows: Sequence[Row]) -> Iterator[Outcome]:
        """Gather what the rounds of each episode agree on, look at all once more, then compare their marks."""
        for done in self._remembered(rows):
            yield done if isinstance(done, Exception) else {name: done.value(name) for name in self.outputs}

    def _remembered(self, rows: Sequence[Row]) -> list[Seen | Exception]:
        from operators.game.second_look import Remembered

        groups = _groups(rows)
        pieces = [(row, Remembered(None)) for row in rows]
        progress.expect(len(rows), "second looks")
        for known in parallel.outcomes(self._known, [_Group.of(rows, own, asked) for own, asked in groups]):
            if isinstance(known, dict):  # and no error of a process that died
                pieces = [(row, known.get(i, before)) for i, (row, before) in enumerate(pieces)]
        done: list[Seen | Exception] = []
        for outcome in parallel.outcomes(self._again, pieces):
            done.append(outcome)
            progress.advance()
        return self._compared(done, groups)

    def _compared(
        self, done: list[Seen | Exception], groups: Sequence[tuple[list[int], list[int]]]
    ) -> list[Seen | Exception]:
        """The rounds after the marks of each episode were compared with each other."""
        from operators.game.cards.episode import FEWEST, MOST, like_each_other

        marked = {i: this for i, this in enumerate(done) if not isinstance(this, Exception) and this.marks}
        compared = list(done)
        for own, asked in groups:
            others = [i for i in asked if i not in own and i in marked]
            for part in _parts([i for i in own if i in marked], MOST):
                whole = [*part, *others[: max(0, MOST - len(part))]]
                if len(whole) >= FEWEST:
                    likes = like_each_other([marked[i].marked() for i in whole])
                    for i, like in zip(part, likes, strict=False):
                        compared[i] = marked[i].compared(like, len(whole), self.sure)
        return compared

    def _known(self, group: _Group) -> dict[int, Any]:
        """What the rounds of a group tell of each of its own."""
        from operators.game.cards.episode import CardPlace, card_place, changing_row, on_screen
        from operators.game.light.glow import FEWEST, lights_of
        from operators.game.second_look import Remembered

        members = group.members
        cards = card_place(members)
        if len(members) >= _FEW and (cards is None or 2 * cards.rounds < len(members)):
            boxes = changing_row([Path(row["question"]) for row in members[:_AT_ONCE]], self.engine)
            cards = cards if boxes is None else CardPlace(boxes, len(members))
        known = {i: Remembered(cards) for i in group.own}
        here = {i: row for i, row in group.own.items() if cards is not None and on_screen(row, cards)}
        device = [Path(row["question"]) for row in group.device if cards is not None and on_screen(row, cards)]
        for part in _parts(list(here), _AT_ONCE):
            own, others = [Path(here[i]["question"]) for i in part], device[: max(0, _AT_ONCE - len(part))]
            lights = lights_of(own, others, cards.boxes if cards else None)
            # Lights that differ, wherever each stands, are no button's that is always there.
            one = len({here[i]["light"] for i in part}) == 1
            constant = one and len(own) + len(others) >= FEWEST and not any(lights)
            known |= {i: Remembered(cards, light, constant) for i, light in zip(part, lights, strict=True)}
        witnesses = {i: self._witnesses(row) for i, row in group.own.items() if known[i].light is None}
        words = {row["light"] for row in members if row["light_read"].by == "words"}
        words |= {found.value for found in witnesses.values() if found is not None and found.look.by == "words"}
        return {i: replace(each, words=words, witnesses=witnesses.get(i)) for i, each in known.items()}

    def _witnesses(self, row: Row) -> Found | None:
        """What tells a light beside its colour, if that is unsure and LightColorReader has not asked it."""
        from operators.game.light.uncoloured import look_without_colour

        reading = row["light_read"]
        if reading.confidence >= self.sure or len(reading.looks) > 1:
            return None
        coloured = Found(row["light"], Look("colour", told(row["light"]), reading.confidence, reading.reason))
        try:
            return look_without_colour(screen(row["question"]), coloured, self.light_reader.engine)
        except InputError:  # its own round's trouble
            return None

    def _again(self, piece: tuple[Row, Any]) -> Seen | Exception:
        """One round's second look."""
        from operators.game.second_look import look_again

        row, known = piece
        try:
            seen = look_again(row, known, self.engine, self.sure)
        except OptionError:
            raise
        except Exception as error:
            return error
        return CardUnsure(f"{seen.wrong}.") if seen.wrong else seen


@dataclass(frozen=True, slots=True)
class _Group:
    """The rows of an episode by their places in the table, those that share its memory, and others of its device."""

    own: Mapping[int, Row]
    members: Sequence[Row]
    device: Sequence[Row]

    @classmethod
    def of(cls, rows: Sequence[Row], own: Sequence[int], asked: Sequence[int]) -> _Group:
        """The group of rows at some places of the table; ``asked`` are the places of those that share its memory."""
        device = [row for i, row in enumerate(rows) if row["device"] == rows[own[0]]["device"] and i not in own]
        return cls({i: rows[i] for i in own}, [rows[i] for i in asked], device[:_AT_ONCE])


def _parts(places: Sequence[int], most: int) -> list[Sequence[int]]:
    """Places in parts of about one size, so that a long episode takes no more room or time than short ones."""
    count = -(-len(places) // most)
    return [places[len(places) * part // count : len(places) * (part + 1) // count] for part in range(count)]


def _groups(rows: Sequence[Row]) -> list[tuple[list[int], list[int]]]:
    """The rows of each episode, with those that share its memory: its own, or, where these are few, its device's."""
    episodes: dict[tuple[str, str], list[int]] = defaultdict(list)
    devices: dict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(rows)), key=lambda i: (rows[i]["device"], rows[i]["episode"], rows[i]["round"])):
        episodes[rows[i]["device"], rows[i]["episode"]].append(i)
        devices[rows[i]["device"]].append(i)
    return [(own, own if len(own) >= _FEW else devices[device]) for (device, _), own in episodes.items()]
