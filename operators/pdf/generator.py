"""ChunkedPromptedGenerator: a document's blocks, chunk by chunk, through a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, RowError
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.models import Model, Reply, Request, complete
from operators.pdf.blocks import Block
from operators.pdf.chunks import Chunk, count_tokens, plan
from operators.pdf.mineru_input import line_of
from prompts import QAExtractPrompt

#: Chunks under way at one time; the session's gate decides what is really sent.
_IN_FLIGHT = 1024


class TruncatedReply(RowError):
    """The model's reply was cut off at its token limit, so that items at its end are missing."""


class ChunkedPromptedGenerator(Operator):
    """A row for each chunk of a document: its blocks, the ids of its core, and the model's reply.

    Documents are cut between blocks, best before a heading or an item, into chunks of ``max_chunk_tokens``
    (the prompt not counted). A chunk shows the headings in force, its core, and a look-ahead; an item
    belongs to the chunk whose core holds its first block. ``tokenizer`` (``"o200k_base"``,
    ``"cl100k_base"``) counts exactly, otherwise UTF-8 bytes / 4. A chunk that fails is a reject; the others
    live. ``context`` of a request holds the chunk's blocks for local models and is never sent.

    Writes ``chunk`` (0, 1, …), ``core`` (first and last id), ``blocks``, ``reply`` and ``extracted_by``
    (the model's name, or ``rules``).
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"blocks": list[Block]}
    outputs: ClassVar[Any] = {
        "chunk": int,
        "core": tuple[int, int],
        "blocks": list[Block],
        "reply": str,
        "extracted_by": str,
    }

    model: Model
    prompt: Prompt = QAExtractPrompt()
    max_chunk_tokens: int = Field(default=8_000, ge=200)
    tokenizer: str | None = None

    def batch(self, table: pa.Table) -> Made:
        """Plan all chunks of all documents, ask for all of them at once, and keep what came."""
        todo = [
            (row, number, blocks, chunk)
            for row, blocks in enumerate(decode(table["blocks"], list[Block]))
            for number, (blocks, chunk) in enumerate(self.chunks(blocks))
        ]
        replies = run_async(map_async(self._ask, [blocks for _, _, blocks, _ in todo], _IN_FLIGHT))
        failures = []
        made: list[tuple[int, int, tuple[int, int], list[Block], Reply]] = []
        for (row, number, blocks, core), reply in zip(todo, replies, strict=True):
            if isinstance(reply, Exception):
                failures.append(_failure(row, number, blocks, core, reply))
            else:
                made.append((row, number, core, blocks, reply))
        return Made(
            {
                "chunk": encode([m[1] for m in made], int),
                "core": encode([m[2] for m in made], tuple[int, int]),
                "blocks": encode([m[3] for m in made], list[Block]),
                "reply": encode([m[4].text for m in made], str),
                "extracted_by": encode([_maker(m[4], self.model) for m in made], str),
            },
            [m[0] for m in made],
            failures,
        )

    def chunks(self, blocks: Sequence[Block]) -> list[tuple[list[Block], tuple[int, int]]]:
        """Each chunk's blocks, and the first and last id of its core.

        Hidden blocks between the chunk's blocks go with it, so that local models see page furniture.
        """
        shown = [b for b in blocks if b.shown]
        if not shown:
            return []
        tokens = count_tokens([line_of(b) + "\n" for b in shown], self.tokenizer)
        chunks = plan(shown, tokens, self.max_chunk_tokens)
        ids = {b.id: place for place, b in enumerate(blocks)}
        return [self._cut(blocks, shown, chunk, ids, chunk is chunks[-1]) for chunk in chunks]

    def _cut(
        self, blocks: Sequence[Block], shown: Sequence[Block], chunk: Chunk, places: dict[int, int], last: bool
    ) -> tuple[list[Block], tuple[int, int]]:
        start = places[shown[chunk.start].id] if chunk.start else 0
        end = len(blocks) if last else places[shown[chunk.seen - 1].id] + 1
        core_end = blocks[-1].id if last else shown[chunk.end].id - 1
        own = [shown[h] for h in chunk.headings] + list(blocks[start:end])
        return own, (blocks[start].id, core_end)

    async def _ask(self, blocks: list[Block]) -> Reply:
        text = "\n".join(line_of(b) for b in blocks if b.shown)
        reply = await complete(self.model, Request(prompt=text, system=self.prompt.text, context=blocks))
        if reply.finish_reason == "length":
            raise TruncatedReply(
                f"the reply was cut off after {reply.completion_tokens} tokens; use smaller chunks "
                "(max_chunk_tokens) or raise the model's max_tokens"
            )
        return reply


def _maker(reply: Reply, model: Model) -> str:
    return reply.model or model.name


def _failure(row: int, number: int, blocks: Sequence[Block], core: tuple[int, int], error: Exception) -> Failure:
    failure = Failure.of(row, error)
    failure.message = f"chunk {number} (blocks {core[0]} to {core[1]}): {failure.message}"
    lines = [line_of(b) for b in blocks if b.shown]
    failure.inputs = json.dumps({"chunk": number, "core": core, "text": "\n".join(lines)}, ensure_ascii=False)
    return failure
