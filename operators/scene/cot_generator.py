"""SceneCoTGenerator: the reasoning and the conclusion of each turn of a chain, by a model or by rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, RowError, parallel, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, TruncatedReplyError, ask
from dataflow_ext.rows import decoded, encoded, rows_in_flight
from operators.scene.reasoning.offline import written_text
from operators.scene.reasoning.prompting import values_of
from operators.scene.reasoning.reply import REPLY_SCHEMA, read_reply
from operators.scene.reasoning.truth import problems_of
from operators.scene.reasoning.turn import Turn, turns_of
from operators.scene.records import TurnText
from operators.scene.scene import stream
from prompts import SceneCoTPrompt, SceneTurnPrompt

#: The letters of the five styles.
TEMPLATES = "ABCDE"
#: Who wrote the texts where no model did.
BY_RULES = "rules"
#: Chains that a process writes at one time.
_AT_ONCE = 4
#: The most problems of a reply that the model is told at once.
_TOLD = 5
#: Tokens that a reply will about have.
_EXPECTED = 330

_TOLD_OF: Columns = {"id": str, "chain": str, "instruction": str}
_SHOWN: Columns = {**_TOLD_OF, "images": list[Path]}

Record = dict[str, Any]


class _Inputs:
    """The columns that are read: the pictures only if a model is shown them."""

    def __get__(self, generator: SceneCoTGenerator | None, owner: type) -> Columns:
        return _TOLD_OF if generator is None or not generator.looks else _SHOWN


class SceneCoTGenerator(Operator):
    """The reasoning and the conclusion of each turn of a chain, the last one included.

    Each turn is written in one of five styles (A to E, drawn evenly from ``seed``, the chain's id and the turn), from
    its own room, picture, calls and what was done before. Without a ``model`` rules write from what is measured in
    the room, and ``images`` need not be there. A model is asked once a turn, all turns of a chain side by side, with
    the picture of the room before the turn unless ``with_images`` is off; its reply is checked against the measured
    facts and for its form and asked for again with what is wrong, ``max_attempts`` times in all. If a turn has no
    good text then, the chain is a reject with the last reply. ``text_attempts`` counts the requests of each turn.
    """

    inputs: ClassVar[Columns] = _Inputs()  # type: ignore[assignment]
    outputs: ClassVar[Columns] = {"texts": list[TurnText], "text_by": str, "text_attempts": list[int]}
    record: ClassVar[tuple[str, ...]] = ("text_attempts",)

    model: Model | None = None
    prompt: Prompt = SceneCoTPrompt()
    turn_prompt: Prompt = SceneTurnPrompt()
    max_attempts: int = Field(default=4, ge=1)
    with_images: bool = True
    seed: int = 0

    def batch(self, table: pa.Table) -> Made:
        """Write all chains: by rules spread over the run's processes, by a model all at once."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        places = [i for i in range(table.num_rows) if i not in wrong]
        rows = [{name: values[i] for name, values in columns.items()} for i in places]
        progress.expect(len(rows), "chains")
        outcomes = self._by_rules(rows) if self.model is None else self._by_model(rows)
        made: list[tuple[int, Record]] = []
        for place, outcome in zip(places, outcomes, strict=True):
            if isinstance(outcome, Exception):
                failures.append(Failure.of(place, outcome))
            else:
                made.append((place, outcome))
        return Made(encoded([record for _, record in made], self.outputs), [place for place, _ in made], failures)

    @property
    def looks(self) -> bool:
        """Whether the pictures are looked at."""
        return self.model is not None and self.with_images

    def _by_rules(self, rows: Sequence[Record]) -> list[Record | Exception]:
        jobs = [(row["id"], row["chain"]) for row in rows]
        pieces = [jobs[start : start + _AT_ONCE] for start in range(0, len(jobs), _AT_ONCE)]
        outcomes: list[Record | Exception] = []
        for written in parallel.each(partial(_written, self.seed), pieces):
            outcomes += written
            progress.advance(len(written))
        return outcomes

    def _by_model(self, rows: Sequence[Record]) -> list[Record | Exception]:
        return run_async(map_async(self._told, rows, rows_in_flight(self)))

    async def _told(self, row: Record) -> Record:
        """The texts of a chain; every turn is asked about, even if another one fails, as all are paid for."""
        try:
            asked = self._questions(row)
            answers = await map_async(self._asked, asked, len(asked))
        finally:
            progress.advance()
        failed = [(n, error) for n, error in enumerate(answers, 1) if isinstance(error, Exception)]
        if failed:
            # What will not be better next time decides before what may be.
            number, error = min(failed, key=lambda each: bool(getattr(each[1], "transient", False)))
            error.args = (f"Turn {number}: {error}", *error.args[1:])
            raise error
        texts = [answer for answer in answers if not isinstance(answer, Exception)]
        assert self.model is not None  # noqa: S101 - only called with one
        return _record([text for text, _ in texts], self.model.name, [attempts for _, attempts in texts])

    def _questions(self, row: Record) -> list[_Question]:
        turns = turns_of(row["chain"])
        images = row["images"] if self.looks else []
        if self.looks and len(images) != len(turns):
            raise RowError(
                f"The chain has {len(turns)} turns, but {len(images)} pictures; draw them with SceneRenderer."
            )
        questions = []
        for turn in turns:
            template = template_of(self.seed, row["id"], turn.number)
            request = Request(
                self.turn_prompt.fill(instruction=row["instruction"], template=template, **values_of(turn)),
                system=self.prompt.text,
                images=(str(images[turn.number - 1]),) if self.looks else (),
                json_schema=REPLY_SCHEMA,
                schema_name="reasoning",
                expect=_EXPECTED,
            )
            questions.append(_Question(turn, template, request))
        return questions

    async def _asked(self, question: _Question) -> tuple[TurnText, int]:
        """A text without problems, and how often it was asked for; twice the limit for one that was cut off."""
        assert self.model is not None  # noqa: S101 - only called with one
        request, made = question.request, 0
        while True:
            try:
                left = self.max_attempts - made
                read = _numbered(question.read, made + 1, self.max_attempts)
                answer = await ask(self.model, request, read, repairs=left - 1, max_raises=0)
                return answer.value, made + answer.attempts
            except Exception as error:
                made += getattr(error, "attempts", 1)
                limit = request.max_tokens or getattr(self.model, "max_tokens", None)
                if not isinstance(error, TruncatedReplyError) or limit is None or made >= self.max_attempts:
                    error.attempts = made  # type: ignore[attr-defined]
                    raise
                request = replace(request, max_tokens=2 * limit)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked about a turn."""

    turn: Turn
    template: str
    request: Request

    def read(self, text: str) -> TurnText:
        """The text that a reply makes; ValueError, with what is wrong, if it is not true or not in form."""
        think, conclusion = read_reply(text)
        found = problems_of(self.turn, think, conclusion)
        if found:
            more = f"\nand {len(found) - _TOLD} more" if len(found) > _TOLD else ""
            raise RowError("\n".join(map(str, found[:_TOLD])) + more)
        return TurnText(think, conclusion, self.template)


def template_of(seed: int, id: str, number: int) -> str:
    """The letter of a turn's style; each is as likely as the others.

    >>> template_of(1, "multi_turn_edit_1_0a1b2c3d", 1) in TEMPLATES
    True
    """
    return stream(seed, id, number, "template").choice(TEMPLATES)


def _numbered(read: Callable[[str], TurnText], first: int, last: int) -> Callable[[str], TurnText]:
    """The reader of replies, with a reply's number in what is told of it, so that another one can be asked for.

    Without it, asking again after the same bad reply would be the same request, whose reply is remembered.
    """
    numbers = count(first)

    def numbered(text: str) -> TurnText:
        number = next(numbers)
        try:
            return read(text)
        except ValueError as error:
            if number >= last:
                raise
            raise ValueError(f"{error}\n(That was reply {number} of {last}.)") from None

    return numbered


def _written(seed: int, jobs: Sequence[tuple[str, str]]) -> list[Record | Exception]:
    """The texts of some chains, by rules; each is by its id and its chain."""
    return [_written_chain(seed, id, chain) for id, chain in jobs]


def _written_chain(seed: int, id: str, chain: str) -> Record | Exception:
    try:
        turns = turns_of(chain)
        texts = []
        for turn in turns:
            template = template_of(seed, id, turn.number)
            texts.append(written_text(turn, template, stream(seed, id, turn.number, "reasoning")))
        return _record(texts, BY_RULES, [0] * len(texts))
    except RowError as error:
        return error
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError) as error:
        return RowError(f"The chain {id!r} cannot be written about: {type(error).__name__}: {error}.")


def _record(texts: Sequence[TurnText], by: str, attempts: Sequence[int]) -> Record:
    return {"texts": list(texts), "text_by": by, "text_attempts": list(attempts)}
