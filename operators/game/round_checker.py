"""RoundChecker: rounds whose numbers, light and card are sure and go together."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
from pydantic import Field

from dataflow_ext import progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.outcomes import Outcome
from dataflow_ext.rows import decoded, rows_in_flight
from operators.game.card_finder import CorrectCardFinder
from operators.game.light_reader import LightColorReader
from operators.game.number_extractor import OCRNumberExtractor
from operators.game.output.labels import Label
from operators.game.output.run_rounds import Key
from operators.game.picture_reader import PictureReader, ScreenshotOperator
from operators.game.rounds import Box, Evidence, Light, Look, UnsureError, evidence, screen, told
from operators.game.settling import FIELDS, READ, READINGS, Round, round_of, settled, unsure_error, with_model

Rule = Literal["auto", "number-game", "none"]
Row = Mapping[str, Any]
_VALUES: Mapping[str, Any] = {"numbers": list[int], "light": Light, "card": int, **READINGS}
_KEY = {"device": str, "episode": str, "round": int}
_Outcome = tuple[Round, str] | Exception
#: A round, the fields that are asked about, and whether in another framing.
_Question = tuple[Row, Iterable[str], bool]
#: How sure a value is that only a model saw, though in two framings.
_TOLD_TWICE = 0.85

#: What stands around the cards is shown with them, as a share of their height: marks, and digits beyond an outline.
_AROUND = 0.35


@dataclass(slots=True)
class Machine:
    """What came out of a round without a person's label."""

    numbers: list[int]
    light: Light
    card: int


class RoundChecker(ScreenshotOperator):
    """The rounds that can be trusted, with what settled them; the others are rejects that say why not.

    The game's rule (green: the largest number, red: the smallest, yellow: the middle; of equal ones the leftmost)
    is applied with ``rule`` "number-game", or "auto" if rounds sure in all values bear it out (nine of nine at least);
    else all have to be sure. The readers' models are asked about others, and again, framed anew, where they alone saw.

    Reads:
        question, result: the files of the two pictures.
        cards: boxes x0, y0, x1, y1 in pixels, or null; read with a model only.
        device, episode, round: which round it is; read with ``labels`` only.
        numbers, light, card: what was read, null for nothing.
        numbers_read, light_read, card_read: by whom each was read, how surely (0 to 1) and why, with all looks.

    Writes:
        numbers, light, card, numbers_read, light_read, card_read: the same, with what settled them.
        rule_read, machine: how the rule judged; what had come out without the label, null for a reject.

    Options:
        rule: "number-game", "auto" or "none".
        sure: the confidence, 0 to 1, below which a value is unsure.
        numbers_reader, light_reader, card_finder: the readers, whose models are asked.
        labels: what persons saw, true whatever was read: pairs of (device, episode, round) and a Label.

    Rejects:
        NumbersUnsure, LightUnsure, CardUnsure, RoundContradiction: a value stays unsure, or against the rule.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> seen = {"by": "ocr", "confidence": 0.99, "reason": "clear", "looks": []}
        >>> row = {"question": __file__, "result": __file__} | {f"{name}_read": seen for name in FIELDS}
        >>> rounds = [{**row, "numbers": [5, 8, 3], "light": "GREEN", "card": card} for card in (0, 1)]
        >>> RoundChecker(rule="number-game")(rounds)["card"].to_pylist()
        [1]
    """

    inputs: ClassVar[Any] = {
        "question": Path,
        "result": Path,
        "cards": list[Box] | None,
        **_KEY,
        **READ,
    }
    outputs: ClassVar[Any] = {**_VALUES, "rule_read": str, "machine": Machine | None}
    record: ClassVar[tuple[str, ...]] = ("rule_read", "machine", *READINGS)
    together: ClassVar[bool] = True

    rule: Rule = "auto"
    sure: float = Field(default=0.8, ge=0.0, le=1.0)
    numbers_reader: OCRNumberExtractor = Field(default_factory=OCRNumberExtractor)
    light_reader: LightColorReader = Field(default_factory=LightColorReader)
    card_finder: CorrectCardFinder = Field(default_factory=CorrectCardFinder)
    labels: tuple[tuple[Key, Label], ...] = ()

    def needed_inputs(self) -> Mapping[str, Any]:
        """All that are declared; which round it is only for labels, where cards are only for a model."""
        unused = {*(() if self.labels else _KEY), *(() if self._models() else ("cards",))}
        return {name: kind for name, kind in self.inputs.items() if name not in unused}

    def _outcomes(self, rows: Sequence[Row]) -> Iterator[Outcome]:
        """Judge all rounds, and ask about those that do not pass."""
        for outcome, machine in self._corrected(rows, self._judged(rows)):
            if isinstance(outcome, Exception):
                yield outcome
                continue
            made, verdict = outcome
            readings = {column: made.readings[field] for field, column in FIELDS.items()}
            yield {**{field: made.values[field] for field in FIELDS}, **readings,
                   "rule_read": verdict, "machine": machine}  # fmt: skip

    def _corrected(
        self, rows: Sequence[Row], outcomes: Sequence[_Outcome]
    ) -> Iterator[tuple[_Outcome, Machine | None]]:
        """The outcomes after labels, each with what it was without, if it has a label."""
        labels = dict(self.labels)
        for row, outcome in zip(rows, outcomes, strict=True):
            label = labels.get((row["device"], row["episode"], row["round"])) if labels else None
            if label is None:
                yield outcome, None
                continue
            machine = None if isinstance(outcome, Exception) else Machine(**outcome[0].values)
            made = round_of(row) if isinstance(outcome, Exception) else outcome[0]
            known = {"numbers": label.numbers and list(label.numbers), "light": label.light,
                     "card": None if label.answer is None else int(label.answer)}  # fmt: skip
            for field, value in known.items():
                if value is not None:
                    made = made.seen(field, value, Look("person", told(value), 1.0, "a person's label"))
            unsure = made.unsure(self.sure)
            yield (unsure_error(made, unsure[0]) if unsure else (made, "a person's labels")), machine

    def evidence(self, table: pa.Table) -> Evidence:
        """How the rule fares in the rounds of a table that are sure in all three values."""
        declared = {"question": Path, **READ}
        columns, wrong = decoded(table.select(list(declared)), declared)
        rows = [{name: values[i] for name, values in columns.items()} for i in range(table.num_rows) if i not in wrong]
        return self._evidence(rows)

    def applies(self, found: Evidence) -> bool:
        """Whether rounds are checked by the rule, given how it fares."""
        return self.rule == "number-game" or (self.rule == "auto" and found.believed)

    def _evidence(self, rows: Sequence[Row]) -> Evidence:
        """Each picture speaks once, however often it was collected."""
        confident = {file_hash(row["question"]): row for row in rows if not round_of(row).unsure(self.sure)}
        return evidence((row["numbers"], row["light"], row["card"]) for row in confident.values())

    def _judged(self, rows: Sequence[Row]) -> list[_Outcome]:
        rounds = [round_of(row) for row in rows]
        rule = self.applies(self._evidence(rows))
        outcomes: list[_Outcome] = [settled(r, rule, self.sure) for r in rounds]
        left = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, UnsureError)]
        if left and self._models():
            asked = self._replies([(rows[i], self._readers(), False) for i in left], "questions")
            for i, answers in zip(left, asked, strict=True):
                before = outcomes[i]
                if isinstance(before, Exception):
                    outcomes[i] = self._answered(rounds[i], answers, rule, before)
        return self._asked_twice(rows, outcomes)

    def _asked_twice(self, rows: Sequence[Row], outcomes: list[_Outcome]) -> list[_Outcome]:
        """The outcomes after what only the model saw was asked for in another framing."""
        alone: dict[int, list[str]] = {}
        for i, outcome in enumerate(outcomes):
            if not isinstance(outcome, Exception):
                fields = [name for name in self._readers() if outcome[0].told_by_model(name)]
                alone |= {i: fields} if fields and self._models() else {}
        if alone:
            questions = [(rows[i], fields, True) for i, fields in alone.items()]
            for i, answers in zip(alone, self._replies(questions, "questions in another framing"), strict=True):
                made = outcomes[i]
                if not isinstance(made, Exception):
                    outcomes[i] = answers if isinstance(answers, Exception) else self._said_twice(made, answers)
        return outcomes

    def _answered(self, made: Round, answers: Any, rule: bool, before: Exception) -> _Outcome:
        """The round with a model's answers, or why it is not used."""
        if isinstance(answers, Exception):
            return answers
        error = type(before)
        told_by_all = with_model(made, answers, rule)
        if told_by_all is None:
            differ = {f: v for f, v in answers.items() if not isinstance(v, Look) and v != made.values[f]}
            seen = ", ".join(f"{field} {told(value)}" for field, value in differ.items())
            return error(f"{str(before).rstrip('.')}; the model saw {seen}.")
        outcome = settled(told_by_all, rule, self.sure)
        return outcome if isinstance(outcome, Exception) else (outcome[0], f"{outcome[1]}, after asking a model")

    def _readers(self) -> Mapping[str, PictureReader]:
        return {"numbers": self.numbers_reader, "light": self.light_reader, "card": self.card_finder}

    def _models(self) -> bool:
        return any(reader.model is not None for reader in self._readers().values())

    def _replies(self, questions: Sequence[_Question], what: str) -> list[Any]:
        """What the models see, or why there is no reply; all questions are under way at the same time."""
        progress.expect(len(questions), what)
        return run_async(map_async(self._asked, questions, rows_in_flight(self)))

    async def _asked(self, question: _Question) -> Mapping[str, Any]:
        """What the readers' models see of some fields of a round, or, ``otherwise``, in its picture in another framing.

        These are the readers' own questions, so that none is paid twice.
        """
        row, fields, otherwise = question
        answers: dict[str, Any] = {}
        try:
            for field in fields:
                reader, picture = self._readers()[field], None
                if reader.model is None:
                    continue
                if otherwise:
                    picture = await to_thread(other_framing, field, row["question"], row["result"], row["cards"])
                answers[field] = await reader.answer(row, picture)
        finally:
            progress.advance()
        return answers

    def _said_twice(self, outcome: tuple[Round, str], answers: Mapping[str, Any]) -> _Outcome:
        """The round if the model said the same twice, else why it is not used."""
        made, verdict = outcome
        for field, answer in answers.items():
            value = made.values[field]
            if answer != value:
                again = answer.reason if isinstance(answer, Look) else f"it saw {told(answer)}"
                where = "screen without its cards" if field == "light" else "cards by themselves"
                error = self._readers()[field].error
                return error(f"only the model told {told(value)}; asked once more, with the {where}, {again}.")
            made = made.noted(field, Look("vlm", told(value), _TOLD_TWICE, "the same in another framing"))
        return made, verdict


def other_framing(field: str, question: Path, result: Path, cards: Sequence[Box] | None) -> bytes:
    """The picture that tells a field, framed otherwise than as the whole screen, as PNG.

    Where the cards are not known it is the whole screen at half its size.
    """
    import cv2  # only where a model is asked

    from dataflow_ext.boxes import union
    from operators.game.second_look import scaled

    pixels = screen(result if field == "card" else question)
    if cards is None:
        return _png(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    there = scaled(cards, screen(question), pixels) if field == "card" else cards
    height, width = pixels.shape[:2]
    margin = _AROUND * max(box[3] - box[1] for box in there)
    left, top, right, low = union(there)
    x0, y0 = max(0, round(left - margin)), max(0, round(top - margin))
    x1, y1 = round(right + margin), round(low + margin)
    if field != "light":
        return _png(pixels[y0 : min(y1, height), x0 : min(x1, width)])
    without = pixels.copy()
    without[y0:y1, x0:x1] = np.median(pixels[y0:y1, x0:x1], axis=(0, 1))
    return _png(without)


def _png(pixels: Any) -> bytes:
    import cv2

    return cv2.imencode(".png", np.ascontiguousarray(pixels[:, :, ::-1]))[1].tobytes()
