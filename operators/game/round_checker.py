"""RoundChecker: rounds whose numbers, light and card are sure and go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, OptionError, parallel, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import encode
from dataflow_ext.content import file_hash
from dataflow_ext.rows import decoded, rows_in_flight
from operators.game.card_finder import CorrectCardFinder
from operators.game.light_reader import LightColorReader
from operators.game.number_extractor import OCRNumberExtractor
from operators.game.picture_reader import PictureReader
from operators.game.rounds import Box, Found, Light, Look, Reading, UnsureError, told
from operators.game.rule import Evidence, evidence
from operators.game.screen import must_have_numpy, screen
from operators.game.settling import FIELDS, Round, settled, with_cards, with_found, with_model

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

Rule = Literal["auto", "number-game", "none"]
Row = Mapping[str, Any]
_READINGS = {"numbers_read": Reading, "light_read": Reading, "card_read": Reading}
_VALUES: Mapping[str, Any] = {"numbers": list[int], "light": Light, "card": int, **_READINGS}


class RoundChecker(Operator):
    """The rounds that can be trusted, with what settled them; the others are rejects that say why not.

    The game's rule (green: the largest number, red: the smallest, yellow: the middle one; of equal ones the
    leftmost) is applied with ``rule`` "number-game", or with "auto" as soon as the rounds that are sure in all
    three values bear it out (nine of nine at least). A round that contradicts it, or is unsure, is looked at
    again: the cards enlarged, in both pictures, the light in the result picture, the marks at full
    size; then, if the readers have a model, by that. What stays unsure or contradictory is rejected.
    Without the rule all three values have to be sure by themselves. Writes ``rule_read``: how the rule judged.
    """

    inputs: ClassVar[Any] = {
        "question": Path,
        "result": Path,
        "cards": list[Box] | None,
        "selected": int | None,
        **_VALUES,
    }
    outputs: ClassVar[Any] = {**_VALUES, "rule_read": str}
    record: ClassVar[tuple[str, ...]] = ("rule_read", *_READINGS)
    together: ClassVar[bool] = True

    rule: Rule = "auto"
    sure: float = Field(default=0.8, ge=0.0, le=1.0)
    numbers_reader: OCRNumberExtractor = OCRNumberExtractor()
    light_reader: LightColorReader = LightColorReader()
    card_finder: CorrectCardFinder = CorrectCardFinder()

    def preflight(self) -> None:
        """OptionError without the packages that look at pictures."""
        must_have_numpy()

    def batch(self, table: pa.Table) -> Made:
        """Judge all rounds, look closer at those that do not pass, and ask about the rest."""
        must_have_numpy()
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        places = [i for i in range(table.num_rows) if i not in wrong]
        rows = [{name: values[i] for name, values in columns.items()} for i in places]
        outcomes = self._judged(rows)
        good: list[tuple[int, Round, str]] = []
        for place, outcome in zip(places, outcomes, strict=True):
            if isinstance(outcome, Exception):
                failures.append(Failure.of(place, outcome))
            else:
                good.append((place, *outcome))
        made: dict[str, Any] = {
            field: encode([r.values[field] for _, r, _ in good], _VALUES[field]) for field in FIELDS
        }
        made |= {f"{field}_read": encode([r.readings[field] for _, r, _ in good], Reading) for field in FIELDS}
        return Made(
            {**made, "rule_read": encode([verdict for *_, verdict in good], str)}, [p for p, *_ in good], failures
        )

    def evidence(self, table: pa.Table) -> Evidence:
        """How the rule fares in the rounds of a table that are sure in all three values."""
        declared = {"question": Path, **_VALUES}
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

    def _judged(self, rows: Sequence[Row]) -> list[tuple[Round, str] | Exception]:
        rounds = [round_of(row) for row in rows]
        rule = self.applies(self._evidence(rows))
        outcomes: list[tuple[Round, str] | Exception] = [settled(r, rule, self.sure) for r in rounds]
        again = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, Exception)]
        progress.expect(len(again), "closer looks")
        for i, closer in zip(again, parallel.outcomes(self._closer, [rows[i] for i in again]), strict=True):
            rounds[i] = closer if isinstance(closer, Round) else rounds[i]
            outcomes[i] = closer if isinstance(closer, Exception) else self._after(settled(closer, rule, self.sure))
            progress.advance()
        left = [i for i in again if isinstance(outcomes[i], UnsureError)]
        if left and self._models():
            progress.expect(len(left), "questions")
            asked = run_async(map_async(self._asked, [rows[i] for i in left], rows_in_flight(self)))
            for i, answers in zip(left, asked, strict=True):
                before = outcomes[i]
                if isinstance(before, Exception):
                    outcomes[i] = self._answered(rounds[i], answers, rule, before)
        return outcomes

    @staticmethod
    def _after(outcome: tuple[Round, str] | UnsureError) -> tuple[Round, str] | UnsureError:
        return outcome if isinstance(outcome, Exception) else (outcome[0], f"{outcome[1]}, after a closer look")

    def _answered(self, made: Round, answers: Any, rule: bool, before: Exception) -> tuple[Round, str] | Exception:
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

    def _closer(self, row: Row) -> Round | Exception:
        """The round after a closer look at its pictures."""
        try:
            return self._looked(row)
        except OptionError:
            raise
        except Exception as error:
            return error

    def _looked(self, row: Row) -> Round:
        from operators.game.cards import look_at_card
        from operators.game.light import look_at_light
        from operators.game.numbers import read_cards

        question, result = screen(row["question"]), screen(row["result"])
        made = round_of(row)
        cards: Sequence[Box] | None = row["cards"]
        lamp = look_at_light(question).columns.get("lamp")
        # The lamp keeps its place; elsewhere the result picture has marks that look like one.
        near = None if lamp is None else _grown(*_scaled([lamp], question, result))
        light: Found = look_at_light(result, near)
        card: Found = look_at_card(question, result, cards, row["selected"], closer=True)
        made = with_found(with_found(made, "light", light), "card", card)
        if cards is None:
            return made
        engine = self.numbers_reader.engine
        both = [read_cards(question, cards, engine), read_cards(result, _scaled(cards, question, result), engine)]
        return with_cards(made, both, self.sure)

    def _readers(self) -> Mapping[str, PictureReader]:
        return {"numbers": self.numbers_reader, "light": self.light_reader, "card": self.card_finder}

    def _models(self) -> bool:
        return any(reader.model is not None for reader in self._readers().values())

    async def _asked(self, row: Row) -> Mapping[str, Any]:
        """What the readers' models see in the round, by field: the readers' own questions, so none is paid twice."""
        answers: dict[str, Any] = {}
        try:
            for field, reader in self._readers().items():
                if reader.model is not None:
                    answers[field] = await reader.answer(row)
        finally:
            progress.advance()
        return answers


def round_of(row: Row) -> Round:
    """The three values of a row, with their readings."""
    return Round({f: row[f] for f in FIELDS}, {f: row[f"{f}_read"] for f in FIELDS})


def _scaled(cards: Sequence[Box], source: Pixels, target: Pixels) -> list[Box]:
    """The cards' boxes in a picture of another size."""
    x, y = target.shape[1] / source.shape[1], target.shape[0] / source.shape[0]
    return [(x0 * x, y0 * y, x1 * x, y1 * y) for x0, y0, x1, y1 in cards]


def _grown(box: Box) -> Box:
    """The box with half its size more on each side."""
    x, y = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    return box[0] - x, box[1] - y, box[2] + x, box[3] + y
