"""SceneCoTGenerator: the reasoning and the conclusion of each turn of a chain, by a model or by rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.background import map_async
from dataflow_ext.claims import check
from dataflow_ext.claims.vocabulary import prompt_text
from dataflow_ext.columns import Columns
from dataflow_ext.models import Answer, Model, Request, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.scene.claims.world import ROOM
from operators.scene.facts import fact_sheet
from operators.scene.model.records import BY_TABLE, NOT_JUDGED, TurnClaims, TurnText, first_few
from operators.scene.model.scene import objects_of, stream
from operators.scene.reasoning.english import accepted, form_problems, taken_apart
from operators.scene.reasoning.templates import written_texts
from operators.scene.reasoning.turn import Turn, told_calls, turns_of
from operators.scene.reasoning.voice import Voice, conclusion
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

#: Letters of a description that are told.
_LETTERS = 240


class SceneCoTGenerator(Operator):
    """The reasoning and the conclusion of each turn of a chain, the last one included.

    Each turn is written in one of five styles (A to E, drawn evenly), from its own room, picture, calls and what
    was done before, with marks that are proven in the room and taken out. Conclusions are put by code. A model is
    asked once a turn, all turns of a chain side by side. What it claims falsely or without a proof is told to it
    once, by name; then these sentences are cut. What is not in form is asked for again.

    Reads:
        id: what styles are drawn by, with the seed.
        chain: the chain.
        instruction: what the user wants.
        images: one for the room before each turn; only if a model looks at them.

    Writes:
        texts: reasoning, conclusion and style of each turn.
        claims: the claims of each turn with value, verdict and place, and the share of sentences that they prove.
        text_by: "rules", or the model's name.
        wording: "by table" for rules, else "not judged".
        text_attempts: the requests of each turn.

    Options:
        model: who writes; None is rules.
        prompt, turn_prompt: the rules, and what is told of a turn.
        max_attempts: how often a turn is asked for, in all.
        with_images: whether the model sees pictures.
        seed: of styles and phrases.

    Rejects:
        UnreadableReplyError: no text in form; with the last reply.
        RowError: the chain cannot be replayed, or rules find no true text about a turn.

    Example:
        >>> SceneCoTGenerator().looks
        False
    """

    inputs: ClassVar[Columns] = {"id": str, "chain": str, "instruction": str, "images": list[Path]}
    outputs: ClassVar[Columns] = {
        "texts": list[TurnText], "claims": list[TurnClaims], "text_by": str, "wording": str,
        "text_attempts": list[int],
    }  # fmt: skip
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
                system=self.prompt.fill(claims=prompt_text(ROOM)),
                images=(str(images[turn.number - 1]),) if self.looks else (),
                expect=_EXPECTED,
            )
            questions.append(_Question(turn, template, request))
        return questions

    async def _asked(self, question: _Question) -> Answer[tuple[TurnText, TurnClaims]]:
        assert self.model is not None  # noqa: S101 - only called with one
        return await ask_again(self.model, question.request, question.read, self.max_attempts)


@dataclass(slots=True)
class _Question:
    """What is asked about a turn; ``told`` is whether the model was told of its claims already."""

    turn: Turn
    template: str
    request: Request
    told: bool = False

    def read(self, text: str) -> tuple[TurnText, TurnClaims]:
        """The text and claims that a reply makes; RowError, with what is wrong, if it is not in form.

        Claims that are false or missing are told once; after that their sentences are cut.
        """
        world = self.turn.world
        voice = Voice(stream(0, self.template, self.turn.number, "conclusion"))
        think, said = check(read_reply(text), world), check(conclusion(self.turn, voice), world)
        wrong = [reason for each in think.sentences for reason in each.reasons]
        if wrong and not self.told:
            self.told = True
            raise RowError(first_few(wrong, _TOLD, "\n"))
        think = check(accepted(think), world)
        problems = [*think.false, *think.open, *form_problems(think.text, said.text)]
        if problems:
            raise RowError("\n".join(problems[:_TOLD]))
        return taken_apart(think, said, self.template)


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
        templates = [template_of(seed, id, turn.number) for turn in turns]
        texts = written_texts(turns, templates, stream(seed, id, 0, "reasoning"))
        return _record(texts, BY_RULES, [0] * len(texts))
    except RowError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError) as error:
        raise RowError(f"The chain {id!r} cannot be written about: {type(error).__name__}: {error}.") from None


def _record(texts: Sequence[tuple[TurnText, TurnClaims]], by: str, attempts: Sequence[int]) -> Record:
    return {"texts": [text for text, _ in texts], "claims": [claims for _, claims in texts], "text_by": by,
            "wording": BY_TABLE if by == BY_RULES else NOT_JUDGED, "text_attempts": list(attempts)}  # fmt: skip


def values_of(turn: Turn) -> dict[str, Any]:
    """What fills the prompt of a turn, beside the instruction and the letter of the style."""
    sheet = fact_sheet(turn.before)
    # The sheet numbers what is there before the turn; what comes has its name among all.
    names = {**turn.names, **{thing.jid: thing.name for thing in sheet.room.things}}
    told = told_calls(turn.before, turn.calls, turn.after, turn.retrievals)
    return {
        "number": turn.number,
        "total": turn.total,
        "room_type": str(turn.before.get("room_type") or "room"),
        "objects": [
            f"{names[str(each['jid'])]}: {' '.join(str(each['desc']).split())[:_LETTERS]}"
            for each in objects_of(turn.before)
        ],
        "facts": sheet.lines(),
        "earlier": turn.earlier,
        "calls": [f"{call['id']}: {said}" for call, said in zip(turn.calls, told, strict=True)],
        "changes": [] if turn.ends else _after(turn),
    }


def _after(turn: Turn) -> list[str]:
    """The facts that are others after the turn than before."""
    before = set(fact_sheet(turn.before).lines())
    return [line for line in fact_sheet(turn.after).lines() if line not in before]


#: What servers and models put around a text: their own thoughts, and fences.
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*</think(?:ing)?>(?=\s*\S)", re.DOTALL)
_FENCE = re.compile(r"^\s*```\w*\n(.*)\n```\s*$", re.DOTALL)


def read_reply(text: str) -> str:
    """The reasoning in a reply, without a fence around it or thoughts before it; RowError if there is none.

    >>> read_reply("```text\\nThe room is empty [count() = 0].\\n```")
    'The room is empty [count() = 0].'
    """
    text = _THOUGHTS.sub("", text)
    fenced = _FENCE.match(text)
    said = (fenced[1] if fenced else text).strip()
    if not said:
        raise RowError("the reply is empty")
    return said
