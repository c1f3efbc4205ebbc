"""CoTGenerator: the assistant's turn of each sample, by a model or by rules."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, RowError, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.columns import Columns, arrow_type
from dataflow_ext.models import Model, Request, TruncatedReplyError, ask
from dataflow_ext.rows import decoded, encoded, rows_in_flight
from operators.cot.context import context_of
from operators.cot.load import load_plan
from operators.cot.mending import Mended, mended
from operators.cot.offline import reasoning_of
from operators.cot.pieces import Pieces, pieces_of
from operators.cot.plan import Plan
from operators.cot.reply import REPLY_SCHEMA, read_reply
from operators.cot.rules.response import given_of, response_problems
from operators.cot.sample import AssistantGenerator
from operators.cot.tasks import TASKS
from operators.cot.tasks.task import Task
from prompts import CoTQuestionPrompt, CoTReasoningPrompt

#: Rows that are Python objects at one time, where no model is asked.
_SLICE = 4096
#: The most problems of a reply that the model is told at once.
_TOLD = 5
#: Tokens that a reply will about have, beside the answer.
_EXPECTED = 260

Record = dict[str, Any]


class CoTGenerator(Operator):
    """The assistant's turn of each sample: a reasoning with all required sentences, and the gold answer.

    Reads a sample and its ``anchors``. Without a ``model`` rules write the reasoning from the plan's own words. A
    model's reply is mended where that is safe (``mended`` says what was done) and judged by the rules for files; if
    it breaks one, the model is asked again with what is wrong, ``max_attempts`` times in all, then the row is a
    reject with the last reply. With ``with_images`` the sample's pictures are sent along. ``provider_id`` stands
    for ``model_provider_id``; without it, the server's host does. ``seed`` is sent with each request.
    """

    inputs: ClassVar[Columns] = {
        "plan_file": Path,
        "root": str,
        "task_name": str,
        "step_index": int,
        "fields": str,
        "question": str,
        "answer": str,
        "anchors": list[str],
        "image": list[str],
        "id": str,
    }
    outputs: ClassVar[Columns] = {"response": str, "assistant_generator": AssistantGenerator, "mended": list[str]}
    record: ClassVar[tuple[str, ...]] = ("mended",)

    model: Model | None = None
    prompt: Prompt = CoTReasoningPrompt()
    question_prompt: Prompt = CoTQuestionPrompt()
    max_attempts: int = Field(default=4, ge=1)
    with_images: bool = False
    provider_id: str | None = Field(default=None, min_length=1)
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Write all turns: by rules one after the other, by a model all at once."""
        progress.expect(table.num_rows, "samples")
        size = _SLICE if self.model is None else table.num_rows
        parts = [self._part(table.slice(start, size), start) for start in range(0, table.num_rows, size)]
        columns = {
            name: pa.chunked_array([part.columns[name] for part in parts], arrow_type(kind))
            for name, kind in self.outputs.items()
        }
        rows = [row for part in parts for row in part.rows or ()]
        return Made(columns, rows, [failure for part in parts for failure in part.failures])

    def _part(self, table: pa.Table, start: int) -> Made:
        """The turns of some rows, of which the first is the table's ``start``-th."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(start + i, error) for i, error in wrong.items()]
        places = [i for i in range(table.num_rows) if i not in wrong]
        rows = [{name: values[i] for name, values in columns.items()} for i in places]
        outcomes: list[Record | Exception]
        if self.model is None:
            outcomes = [self._by_rules(row) for row in rows]
        else:
            outcomes = run_async(map_async(self._by_model, rows, rows_in_flight(self)))
        made: list[tuple[int, Record]] = []
        for place, outcome in zip(places, outcomes, strict=True):
            if isinstance(outcome, Exception):
                failures.append(Failure.of(start + place, outcome))
            else:
                made.append((start + place, outcome))
        return Made(encoded([record for _, record in made], self.outputs), [place for place, _ in made], failures)

    def _by_rules(self, row: Record) -> Record | Exception:
        try:
            sample = _Sample.of(row)
            said = reasoning_of(
                sample.task, sample.plan, sample.step_index, sample.fields, sample.anchors, sample.answer, row["id"]
            )
        except Exception as error:
            return error
        finally:
            progress.advance()
        return _record(Mended(f"<think>{said}</think>\n{sample.answer}\n", []), _OFFLINE)

    async def _by_model(self, row: Record) -> Record:
        try:
            sample = _Sample.of(row)
            # No reply can be good if the plan's own words break a rule, so none is paid for.
            sample.pieces.must_be_usable(sample.anchors)
            sample.pieces.must_be_answerable(sample.answer)
            return _record(await self._asked(self._request(row, sample), sample), self._generator())
        finally:
            progress.advance()

    async def _asked(self, request: Request, sample: _Sample) -> Mended:
        """A reply that breaks no rule; one that ended at its token limit is asked for with twice the limit."""
        assert self.model is not None  # noqa: S101 - only called with one
        made = 0
        while True:
            try:
                left = self.max_attempts - made
                read = _numbered(sample.read, made + 1, self.max_attempts)
                return (await ask(self.model, request, read, repairs=left - 1, max_raises=0)).value
            except Exception as error:
                made += getattr(error, "attempts", 1)
                limit = request.max_tokens or getattr(self.model, "max_tokens", None)
                if not isinstance(error, TruncatedReplyError) or limit is None or made >= self.max_attempts:
                    error.attempts = made  # type: ignore[attr-defined]
                    raise
                request = replace(request, max_tokens=2 * limit)

    def _request(self, row: Record, sample: _Sample) -> Request:
        told = {"question": row["question"], "anchors": sample.anchors, "answer": sample.answer}
        besides = [row["question"], sample.answer, *sample.anchors]
        context = context_of(sample.task, sample.plan, sample.step_index, sample.fields, besides)
        return Request(
            self.question_prompt.fill(context=context, **told),
            system=self.prompt.text,
            images=tuple(_picture(row["root"], image) for image in row["image"]) if self.with_images else (),
            seed=self.seed,
            json_schema=REPLY_SCHEMA,
            schema_name="reasoning",
            expect=_EXPECTED + len(sample.answer) // 4,
        )

    def _generator(self) -> AssistantGenerator:
        """Who answers: the server without what may be secret in its address."""
        address = _plain_address(str(getattr(self.model, "server", "")))
        name = self.model.name if self.model is not None else ""
        provider = self.provider_id or urlsplit(address).hostname or type(self.model).__name__
        return AssistantGenerator("api_generate_v1", address, provider, name)


_OFFLINE = AssistantGenerator()


@dataclass(frozen=True, slots=True)
class _Sample:
    """What a row says, with its plan."""

    task: Task
    plan: Plan
    step_index: int
    fields: Mapping[str, Any]
    anchors: list[str]
    answer: str
    pieces: Pieces

    @classmethod
    def of(cls, row: Record) -> _Sample:
        """The row's sample; RowError if its task is none, or its fields are no JSON object."""
        task = TASKS.get(row["task_name"])
        if task is None:
            raise RowError(f"There is no task {row['task_name']!r}.")
        fields = json.loads(row["fields"])
        if not isinstance(fields, Mapping):
            raise RowError("The column 'fields' holds no JSON object.")
        plan = load_plan(row["plan_file"])
        return cls(task, plan, row["step_index"], fields, row["anchors"], row["answer"], pieces_of(plan))

    def read(self, text: str) -> Mended:
        """The turn that a reply makes; ValueError, with what is wrong, if it breaks a rule."""
        made = mended(read_reply(text), self.answer, self.anchors, self.fields)
        known, given = self.pieces.known, given_of(self.fields)
        found = response_problems(made.response, self.answer, self.anchors, known, given=given)
        if found:
            more = f"\nand {len(found) - _TOLD} more" if len(found) > _TOLD else ""
            raise ValueError("\n".join(map(str, found[:_TOLD])) + more)
        return made


def _numbered(read: Callable[[str], Mended], first: int, last: int) -> Callable[[str], Mended]:
    """The reader of replies, with a reply's number in what is told of it, so that another one can be asked for.

    Without it, asking again after the same bad reply would be the same request, whose reply is remembered.
    """
    numbers = count(first)

    def numbered(text: str) -> Mended:
        number = next(numbers)
        try:
            return read(text)
        except ValueError as error:
            if number >= last:
                raise
            raise ValueError(f"{error}\n(That was reply {number} of {last}.)") from None

    return numbered


def _record(made: Mended, generator: AssistantGenerator) -> Record:
    return {"response": made.response, "assistant_generator": generator, "mended": made.notes}


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
