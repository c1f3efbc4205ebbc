"""What the three readers of a round share: rules look first, the model looks where they are unsure."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, OptionError, Prompt, parallel, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import Model, Request, UnreadableReplyError, ask
from dataflow_ext.outcomes import Outcome, made_of_rows
from dataflow_ext.rows import rows_in_flight
from operators.game.rounds import Found, Look, Reading, UnsureError, must_have_numpy, told

#: Rounds that are looked at together in one process.
_AT_ONCE = 4
#: How sure a model's answer is by itself, if it agrees with an unsure look, and if it contradicts a sure one.
_ALONE, _AGREED, _DISPUTED = 0.85, 0.95, 0.5

#: Letters of a reply that are shown in messages.
LONGEST_SHOWN = 60

_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)\n?\s*```", re.DOTALL)
#: What may stand around a reply.
_AROUND = " \t\r\n\"'`*“”‘’"

Row = Mapping[str, Any]


def bare(text: str) -> str:
    """A reply without a fence, quotes, bold and a full stop around it.

    >>> bare("**[5, 8, 3]**."), bare("'GREEN'.")
    ('[5, 8, 3]', 'GREEN')
    """
    said = text.strip()
    fenced = _FENCE.fullmatch(said)
    return (fenced[1] if fenced else said).strip(_AROUND).removesuffix(".").strip(_AROUND)


class ScreenshotOperator(Operator):
    """Base of operators that look at screenshots."""

    def preflight(self) -> None:
        """OptionError without the packages that look at pictures."""
        must_have_numpy()

    def batch(self, table: pa.Table) -> Made:
        """Look at all rounds, then settle what they are."""
        must_have_numpy()
        return made_of_rows(self, table, self._outcomes)

    @abstractmethod
    def _outcomes(self, rows: Sequence[Row]) -> Iterable[Outcome]:
        """What each round comes to."""


class PictureReader(ScreenshotOperator):
    """Base of operators that read one value in a screenshot: ``look`` by rules, a model where those are unsure.

    A look below ``sure`` counts as unsure. Then ``model`` is asked with ``prompt`` and the picture, its reply
    read by ``parser`` ("strict", or "seed" for the lenient one); ``vlm_first`` asks it about every round. The
    reading records every look, so that disagreement can be seen. A round that stays unsure is a reject, or,
    with ``unsure="keep"``, goes on for EpisodeMemory and RoundChecker to decide, without a value if there is none.
    """

    #: The output column that holds the value, and the input column whose picture the model is shown.
    value: ClassVar[str] = ""
    shown: ClassVar[str] = "question"
    #: What a round is rejected with that stays unsure.
    error: ClassVar[type[UnsureError]] = UnsureError

    model: Model | None = Field(default=None, description="whom to ask where rules are unsure; None asks nobody")
    prompt: Prompt
    parser: Literal["strict", "seed"] = Field(
        default="strict",
        description='"strict" takes replies in the form that was asked for alone, "seed" '
        "the first value anywhere in one",
    )
    vlm_first: bool = Field(default=False, description="ask about every round")
    sure: float = Field(
        default=0.8, ge=0.0, le=1.0, description="the confidence, 0 to 1, below which a value is unsure"
    )
    unsure: Literal["reject", "keep"] = Field(
        default="reject",
        description='"reject" an unsure round, or "keep" it, for EpisodeMemory and RoundChecker to decide',
    )

    @abstractmethod
    def look(self, row: Row) -> Found:
        """What the rules find in a row's pictures."""

    @abstractmethod
    def read_reply(self, text: str) -> Any:
        """The value that a model's reply holds; ValueError if it is of no use."""

    def _outcomes(self, rows: Sequence[Row]) -> Iterable[Outcome]:
        """Looks are spread over the run's processes; then the unsure ones are asked about all at once."""
        return self._settled(rows, self._found(rows))

    def _found(self, rows: Sequence[Row]) -> list[Found | Exception]:
        progress.expect(len(rows), "rounds")
        found: list[Found | Exception] = []
        for outcomes in parallel.batches(self._looked, rows, _AT_ONCE):
            found += outcomes
            progress.advance(len(outcomes))
        return found

    def _looked(self, rows: Sequence[Row]) -> list[Found | Exception]:
        return [self._look_at(row) for row in rows]

    def _look_at(self, row: Row) -> Found | Exception:
        """What is found in a row's pictures, or why they cannot be looked at."""
        try:
            return self.look(row)
        except OptionError:  # a package that is not there fails the step, not its rounds
            raise
        except ImportError as error:
            raise OptionError(f"A package that looks at pictures cannot be used: {error}.") from error
        except Exception as error:
            return error

    def _settled(self, rows: Sequence[Row], found: Sequence[Found | Exception]) -> list[Mapping[str, Any] | Exception]:
        """Each round's output columns, or why it has none."""
        asked = [i for i, f in enumerate(found) if isinstance(f, Found) and self._in_doubt(f)]
        told_by: dict[int, Any] = {}
        if self.model is not None and asked:
            progress.expect(len(asked), "questions")
            answers = run_async(map_async(self._asked, [rows[i] for i in asked], rows_in_flight(self)))
            told_by = dict(zip(asked, answers, strict=True))
        outcomes: list[Mapping[str, Any] | Exception] = []
        for i, each in enumerate(found):
            if isinstance(each, Exception):
                outcomes.append(each)
                continue
            try:
                outcomes.append(self._columns(self._with_answer(each, told_by[i]) if i in told_by else each))
            except Exception as error:
                outcomes.append(error)
        return outcomes

    def _in_doubt(self, found: Found) -> bool:
        return self.vlm_first or found.value is None or found.look.confidence < self.sure

    async def answer(self, row: Row, picture: bytes | None = None) -> Any:
        """The model's value for a row's picture, or another one; for an unreadable reply a Look that saw nothing."""
        assert self.model is not None  # noqa: S101 - only called with one
        try:
            request = Request(self.prompt.text, images=(picture or str(row[self.shown]),))
            return (await ask(self.model, request, self.read_reply)).value
        except UnreadableReplyError as error:
            return Look("vlm", "", 0.0, f"the model's reply cannot be used: {error}")

    async def _asked(self, row: Row) -> Any:
        try:
            return await self.answer(row)
        finally:
            progress.advance()

    def _with_answer(self, found: Found, answer: Any) -> Found:
        """What rules and model found together."""
        if isinstance(answer, Exception):
            # The round is not done without the answer; the same run may get it later.
            raise answer
        looks = [*found.earlier, found.look]
        if isinstance(answer, Look):
            return replace(found, earlier=[*found.earlier, answer])
        sure = found.value is not None and found.look.confidence >= self.sure
        if answer == found.value:
            confidence = max(found.look.confidence, _AGREED)
            look = Look("vlm", told(answer), confidence, "the model agrees with the rules")
            if sure:
                return replace(found, earlier=[*found.earlier, look])
            return replace(found, look=look, earlier=looks)
        if sure or self.contradicts(found, answer):
            seen = told(found.value) or " ".join("?" if part is None else str(part) for part in found.parts)
            why = f"the rules saw {seen}, the model {told(answer)}"
            return replace(found, value=answer, look=Look("vlm", told(answer), _DISPUTED, why), earlier=looks)
        why = f"the model's answer, as the rules were unsure: {found.look.reason}"
        return replace(found, value=answer, look=Look("vlm", told(answer), _ALONE, why), earlier=looks)

    def contradicts(self, found: Found, answer: Any) -> bool:
        """Whether a model's answer contradicts what is sure in an unsure look."""
        return False

    def _columns(self, found: Found) -> Mapping[str, Any]:
        unsure = found.value is None or found.look.confidence < self.sure
        if unsure and self.unsure == "reject":
            last = found.earlier[-1] if found.earlier and found.earlier[-1].by == "vlm" else None
            also = f"; {last.reason}" if last is not None and last is not found.look else ""
            nobody = "; no model was there to ask" if self.model is None else ""
            raise self.error(f"{found.look.reason} (confidence {found.look.confidence:.2f}){also}{nobody}.")
        looks = [*found.earlier, found.look]
        reading = Reading(found.look.by, found.look.confidence, found.look.reason, looks)
        own = {name: found.columns.get(name) for name in self.outputs if name not in (self.value, f"{self.value}_read")}
        return {self.value: found.value, f"{self.value}_read": reading, **own}
