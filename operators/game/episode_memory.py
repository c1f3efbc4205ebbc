"""EpisodeMemory: what the rounds of an episode agree on settles the one that is unsure, and contradicts the wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, OptionError, parallel, progress
from dataflow_ext.codec import encode
from dataflow_ext.ocr import OCREngine
from dataflow_ext.rows import decoded
from operators.game.number_extractor import default_engine
from operators.game.rounds import Box, CardChange, CardUnsure, Light, Look, Point, Reading, told
from operators.game.screen import must_have_numpy
from operators.game.settling import FIELDS, Round

Row = Mapping[str, Any]
_READINGS = {f"{field}_read": Reading for field in FIELDS}
_VALUES: Mapping[str, Any] = {"numbers": list[int] | None, "light": Light | None, "card": int | None, **_READINGS}
#: With fewer rounds an episode tells nothing; then all rounds of its device are asked.
_FEW = 3
#: How sure a card is that is marked as the right ones of other rounds are; and one that is not.
_LIKE_OTHERS, _UNLIKE = 0.92, 0.5


class EpisodeMemory(Operator):
    """The rounds after a second look at each, at the places that the rounds of its episode agree on.

    Where most rounds of an episode have their cards and lamps, the others are looked at, too; numbers are read
    again in the result picture, which shows them as well; and the card counts as right that is marked as the right
    cards of other rounds are. What several rounds agree on is sure; what they contradict is unsure, for RoundChecker
    to decide. A result picture with other numbers than its question is a reject (CardUnsure). An episode of less
    than three rounds shares the memory of its device.
    """

    inputs: ClassVar[Any] = {
        "device": str,
        "episode": str,
        "round": int,
        "question": Path,
        "result": Path,
        "cards": list[Box] | None,
        "lamp": Box | None,
        "marks": list[CardChange] | None,
        "selected": int | None,
        "clicked": Point | None,
        **_VALUES,
    }
    outputs: ClassVar[Any] = {**_VALUES, "cards": list[Box] | None}
    record: ClassVar[tuple[str, ...]] = ("cards",)
    together: ClassVar[bool] = True

    engine: OCREngine = Field(default_factory=default_engine)
    sure: float = Field(default=0.8, ge=0.0, le=1.0)

    def preflight(self) -> None:
        """OptionError without the packages that look at pictures."""
        must_have_numpy()

    def batch(self, table: pa.Table) -> Made:
        """Gather what the rounds of each episode agree on, look at all once more, then compare their marks."""
        must_have_numpy()
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        places = [i for i in range(table.num_rows) if i not in wrong]
        rows = [{name: values[i] for name, values in columns.items()} for i in places]
        done = self._remembered(rows)
        good = [(place, each) for place, each in zip(places, done, strict=True) if isinstance(each, _Done)]
        failures += [
            Failure.of(place, each) for place, each in zip(places, done, strict=True) if isinstance(each, Exception)
        ]
        made = {name: encode([each.value(name) for _, each in good], kind) for name, kind in self.outputs.items()}
        return Made(made, [place for place, _ in good], failures)

    def _remembered(self, rows: Sequence[Row]) -> list[_Done | Exception]:
        from operators.game.memory.places import card_place, lamp_places
        from operators.game.memory.second_look import Remembered

        groups = _groups(rows)
        pieces: list[tuple[Row, Remembered]] = [(row, Remembered(None, ())) for row in rows]
        for own, asked in groups:
            members = [rows[i] for i in asked]
            words = frozenset(row["light"] for row in members if row["light_read"].by == "words")
            known = Remembered(card_place(members), lamp_places([row for row in members if self._lit(row)]), words)
            for i in own:
                pieces[i] = (rows[i], known)
        progress.expect(len(rows), "second looks")
        done: list[_Done | Exception] = []
        for outcome in parallel.outcomes(self._again, pieces):
            done.append(outcome)
            progress.advance()
        compared = list(done)
        for own, asked in groups:
            for i in own:
                if isinstance(this := done[i], _Done):
                    others = [other for j in asked if j != i and isinstance(other := done[j], _Done)]
                    compared[i] = self._compared(this, others)
        return compared

    def _lit(self, row: Row) -> bool:
        return row["light"] is not None and bool(row["light_read"].confidence >= self.sure)

    def _again(self, piece: tuple[Row, Any]) -> _Done | Exception:
        """One round's second look."""
        from operators.game.memory.second_look import look_again

        row, known = piece
        try:
            seen = look_again(row, known, self.engine, self.sure)
        except OptionError:
            raise
        except Exception as error:
            return error
        if seen.wrong:
            return CardUnsure(f"{seen.wrong}.")
        return _Done(seen.made, seen.cards, seen.marks, row["selected"])

    def _compared(self, this: _Done, others: Sequence[_Done]) -> _Done:
        """The round after its marks were compared with those of other rounds."""
        from operators.game.memory.marks import like_others

        if this.marks is None:
            return this
        like = like_others(this.marked(self.sure), [each.marked(self.sure) for each in others if each.marks])
        if like is None:
            return this
        card, reading = this.made.values["card"], this.made.readings["card"]
        if like.clear and (like.card == card or reading.confidence < self.sure):
            why = f"it is marked as the right cards of {like.seen} other rounds are"
            look = Look("episode", told(like.card), max(_LIKE_OTHERS, reading.confidence), why)
            return replace(this, made=this.made.seen("card", like.card, look))
        if like.clear and like.card != card:
            why = f"other rounds of the episode mark their right cards as card {like.card} is marked: {reading.reason}"
            return replace(this, made=this.made.seen("card", card, Look("episode", told(card), _UNLIKE, why)))
        return this


@dataclass(frozen=True, slots=True)
class _Done:
    """A round after its second look."""

    made: Round
    cards: Sequence[Box] | None
    marks: Sequence[CardChange] | None
    picked: int | None

    def marked(self, sure: float) -> Any:
        """Its marks, with the right card if that is sure."""
        from operators.game.memory.marks import Marked

        known = self.made.readings["card"].confidence >= sure
        return Marked(self.marks or (), self.picked, self.made.values["card"] if known else None)

    def value(self, column: str) -> Any:
        """What stands in an output column."""
        if column == "cards":
            return self.cards
        field = column.removesuffix("_read")
        return self.made.values[field] if field == column else self.made.readings[field]


def _groups(rows: Sequence[Row]) -> list[tuple[list[int], list[int]]]:
    """The rows of each episode, with those that share its memory: its own, or, where these are few, its device's."""
    episodes: dict[tuple[str, str], list[int]] = defaultdict(list)
    devices: dict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(rows)), key=lambda i: (rows[i]["device"], rows[i]["episode"], rows[i]["round"])):
        episodes[rows[i]["device"], rows[i]["episode"]].append(i)
        devices[rows[i]["device"]].append(i)
    return [(own, own if len(own) >= _FEW else devices[device]) for (device, _), own in episodes.items()]
