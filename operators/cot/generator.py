"""CoTGenerator: the assistant's turn of each sample, by a model or by rules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal
from urllib.parse import urlsplit

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.claims import check
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side
from operators.cot.asking import REPLY_SCHEMA, context_of, read_reply
from operators.cot.items import load_plan
from operators.cot.mending import Mended, mended, names_of
from operators.cot.reasoning.paragraph import Pieces, pieces_of
from operators.cot.reasoning.writer import cut_of, reasoning_of
from operators.cot.rules.response import response_problems
from operators.cot.sample import GENERATOR, AssistantGenerator, columns, read_fields, turn_of
from operators.cot.tasks import task_named
from operators.cot.tasks.conclusion import Answered, closing_of
from operators.cot.world import world_of
from prompts import CoTQuestionPrompt, CoTReasoningPrompt

#: Rows that are Python objects at one time, where no model is asked.
_SLICE = 4096
#: The most problems of a reply that the model is told at once.
_TOLD = 5
#: Tokens that a reply will about have, beside the answer.
_EXPECTED = 260


class CoTGenerator(Operator):
    """The assistant's turn of each sample: a reasoning with all required sentences, and the gold answer.

    Without a ``model`` rules write the reasoning from what the plan proves. A
    model's reply is mended where that is safe (``mended`` says what was done) and judged by the rules for files; if
    it breaks one, or one of its marks is false, the model is asked again with what is wrong, ``max_attempts`` times in
    all, then the row is a reject with the last reply. With ``with_images`` the sample's pictures are sent along.
    ``provider_id`` stands for ``model_provider_id``; without it, the server's host does.
    ``generator_type`` is the type in the records of what rules wrote: some validators know ``api_generate_v1`` alone.

    Writes:
        mended: what was mended in a reply.
        marked: the reasoning with the marks that prove it, as it was written.

    Options:
        model: whom to ask; rules write without one.
        prompt, question_prompt: what the model is told, and how a sample is shown.
        max_attempts: how often it is asked about one sample.
        with_images: send the sample's pictures along.
        provider_id: stands for the server's host in the records.
        seed: sent with each request.
        generator_type: the type in the records of what rules wrote.

    Rejects:
        RowError: no sample, a plan whose own words break a rule, or no reply without a fault in ``max_attempts``.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> from operators import AnchorWriter, CoTPlanReader, CoTSampleBuilder
        >>> from operators.cot.items import items
        >>> table = items(Path("examples/causal_plans"))
        >>> for step in (CoTPlanReader(), CoTSampleBuilder(tasks=(31,)), AnchorWriter(), CoTGenerator()):
        ...     table = step(table)
        >>> print(table["response"][0].as_py()[-27:])
        the valve core".</think>
        1
        <BLANKLINE>
    """

    inputs: ClassVar[Columns] = columns("plan_file root task_name step_index fields question answer anchors image id")
    outputs: ClassVar[Columns] = {
        **columns("response"),
        "assistant_generator": GENERATOR,
        "mended": list[str],
        "marked": str,
    }
    record: ClassVar[tuple[str, ...]] = ("mended", "marked")

    model: Model | None = None
    prompt: Prompt = CoTReasoningPrompt()
    question_prompt: Prompt = CoTQuestionPrompt()
    max_attempts: int = Field(default=4, ge=1)
    with_images: bool = False
    provider_id: str | None = Field(default=None, min_length=1)
    seed: int | None = None
    generator_type: Literal["offline_rules_v1", "api_generate_v1"] = "offline_rules_v1"

    def batch(self, table: pa.Table) -> Made:
        """Write all turns: by rules one after the other, by a model all at once."""
        progress.expect(table.num_rows, "samples")
        return made_of_rows(self, table, self._written, _SLICE if self.model is None else None)

    def _written(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.model is None:
            return [self._by_rules(row) for row in rows]
        return side_by_side(self, self._by_model, rows)

    def _by_rules(self, row: Record) -> Record | Exception:
        try:
            sample = _Sample.of(row)
            made = reasoning_of(sample.answered, sample.anchors, row["id"])
        except Exception as error:
            return error
        finally:
            progress.advance()
        turn = Mended(turn_of(made.plain, row["answer"]), [], made.marked)
        return _record(turn, AssistantGenerator(self.generator_type))

    async def _by_model(self, row: Record) -> Record:
        assert self.model is not None  # noqa: S101 - only called with one
        sample = _Sample.of(row)
        # No reply can be good if the plan's own words break a rule, so none is paid for.
        sample.pieces.must_be_usable(sample.anchors)
        sample.pieces.must_be_answerable(sample.answered.answer)
        answer = await ask_again(self.model, self._request(row, sample), sample.read, self.max_attempts)
        return _record(answer.value, self._generator())

    def _request(self, row: Record, sample: _Sample) -> Request:
        of, anchors = sample.answered, sample.anchors
        told = {"question": row["question"], "anchors": anchors, "answer": of.answer}
        context = context_of(of.task, of.plan, of.step_index, of.fields, [row["question"], of.answer, *anchors])
        return Request(
            self.question_prompt.fill(context=context, **told),
            system=self.prompt.text,
            images=tuple(_picture(row["root"], image) for image in row["image"]) if self.with_images else (),
            seed=self.seed,
            json_schema=REPLY_SCHEMA,
            schema_name="reasoning",
            expect=_EXPECTED + len(of.answer) // 4,
        )

    def _generator(self) -> AssistantGenerator:
        """Who answers: the server without what may be secret in its address."""
        address = _plain_address(str(getattr(self.model, "server", "")))
        name = self.model.name if self.model is not None else ""
        provider = self.provider_id or urlsplit(address).hostname or type(self.model).__name__
        return AssistantGenerator("api_generate_v1", address, provider, name)


@dataclass(slots=True)
class _Sample:
    """What a row says, with its plan."""

    answered: Answered
    anchors: list[str]
    pieces: Pieces

    @classmethod
    def of(cls, row: Record) -> _Sample:
        """The row's sample; RowError if its task is none, or its fields are no JSON object."""
        task = task_named(row["task_name"])
        fields, plan = read_fields(row["fields"]), load_plan(row["plan_file"])
        return cls(Answered(task, plan, row["step_index"], fields, row["answer"]), row["anchors"], pieces_of(plan))

    def read(self, text: str) -> Mended:
        """The turn that a reply makes; ValueError, with what is wrong, if it breaks a rule."""
        said, of = read_reply(text), self.answered
        checked = check(said.reasoning, world_of(of.plan, cut_of(of)))
        if wrong := [*checked.false, *checked.unmet]:
            raise ValueError("\n".join(wrong[:_TOLD]))
        closing = closing_of(of)
        plain = replace(said, reasoning=checked.text)
        made = mended(plain, of.answer, self.anchors, of.fields, closing=closing, names=names_of(of.plan))
        found = response_problems(made.response, of.answer, self.anchors, self.pieces.known, closing=closing)
        if found:
            more = f"\nand {len(found) - _TOLD} more" if len(found) > _TOLD else ""
            raise ValueError("\n".join(map(str, found[:_TOLD])) + more)
        return replace(made, marked=said.reasoning)


def _record(made: Mended, generator: AssistantGenerator) -> Record:
    return {"response": made.response, "assistant_generator": generator, "mended": made.notes, "marked": made.marked}


def _picture(root: str, image: str) -> str:
    """The absolute path of a picture below the root; RowError if it is not there, or not below it."""
    if Path(image).is_absolute() or "\0" in image:
        raise RowError(f"The picture {image!r} is no path relative to the root.")
    base = Path(os.path.realpath(root))
    path = Path(os.path.realpath(base / image))
    if not path.is_relative_to(base):
        raise RowError(f"The picture {image!r} lies outside of the root.")
    if not path.is_file():
        raise RowError(f"There is no picture {image!r} below the root.")
    return str(path)


def _plain_address(server: str) -> str:
    """A server's address without user, query and fragment; empty for what is no web address.

    >>> _plain_address("https://me:secret@example.org:8000/v1/?key=x#y")
    'https://example.org:8000/v1'
    """
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
