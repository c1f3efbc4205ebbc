"""SceneCoTGenerator: the reasoning and the conclusion of each turn of a chain, by a model or by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.background import map_async
from dataflow_ext.columns import Columns
from dataflow_ext.models import Answer, Model, Request, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
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


class SceneCoTGenerator(Operator):
    """The reasoning and the conclusion of each turn of a chain, the last one included.

    Each turn is written in one of five styles (A to E, drawn evenly from ``seed``, the chain's id and the turn), from
    its own room, picture, calls and what was done before. Without a ``model`` rules write from what is measured in
    the room, and ``images`` need not be there. A model is asked once a turn, all turns of a chain side by side, with
    the picture of the room before the turn unless ``with_images`` is off; its reply is checked against the measured
    facts and for its form and asked for again with what is wrong, ``max_attempts`` times in all. If a turn has no
    good text then, the chain is a reject with the last reply. ``text_attempts`` counts the requests of each turn.
    """

    inputs: ClassVar[Columns] = {"id": str, "chain": str, "instruction": str, "images": list[Path]}
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
        return made_of_rows(self, table, self._outcomes)

    def needed_inputs(self) -> Columns:
        """The pictures are needed only if a model is shown them."""
        return {name: kind for name, kind in self.inputs.items() if name != "images" or self.looks}

    @property
    def looks(self) -> bool:
        """Whether the pictures are looked at."""
        return self.model is not None and self.with_images

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        progress.expect(len(rows), "chains")
        if self.model is None:
            return spread(partial(_written, self.seed), rows, _AT_ONCE)
        return side_by_side(self, self._told, rows)

    async def _told(self, row: Record) -> Record:
        """The texts of a chain; every turn is asked about, even if another one fails, as all are paid for."""
        asked = self._questions(row)
        answers = await map_async(self._asked, asked, len(asked))
        failed = [(n, error) for n, error in enumerate(answers, 1) if isinstance(error, Exception)]
        if failed:
            # What will not be better next time decides before what may be.
            number, error = min(failed, key=lambda each: bool(getattr(each[1], "transient", False)))
            error.args = (f"Turn {number}: {error}", *error.args[1:])
            raise error
        good = [answer for answer in answers if not isinstance(answer, Exception)]
        assert self.model is not None  # noqa: S101 - only called with one
        return _record([each.value for each in good], self.model.name, [each.attempts for each in good])

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

    async def _asked(self, question: _Question) -> Answer[TurnText]:
        assert self.model is not None  # noqa: S101 - only called with one
        return await ask_again(self.model, question.request, question.read, self.max_attempts)


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


def _written(seed: int, row: Record) -> Record:
    """The texts of a chain, by rules."""
    id = row["id"]
    try:
        turns = turns_of(row["chain"])
        texts = []
        for turn in turns:
            template = template_of(seed, id, turn.number)
            texts.append(written_text(turn, template, stream(seed, id, turn.number, "reasoning")))
        return _record(texts, BY_RULES, [0] * len(texts))
    except RowError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError) as error:
        raise RowError(f"The chain {id!r} cannot be written about: {type(error).__name__}: {error}.") from None


def _record(texts: Sequence[TurnText], by: str, attempts: Sequence[int]) -> Record:
    return {"texts": list(texts), "text_by": by, "text_attempts": list(attempts)}
