"""ChunkedPromptedGenerator: a document's blocks, chunk by chunk, through a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, RowError
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.models import Model, Reply, Request, complete
from operators.pdf.blocks import Block
from operators.pdf.chunks import Marks, count_tokens, plan
from operators.pdf.mineru_input import line
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
        todo = [_Part(row, *part) for row, blocks in enumerate(table["blocks"]) for part in self._cut(blocks.values)]
        replies = run_async(map_async(self._ask, todo, _IN_FLIGHT))
        made = [(part, r) for part, r in zip(todo, replies, strict=True) if not isinstance(r, Exception)]
        failures = [_failure(p, r) for p, r in zip(todo, replies, strict=True) if isinstance(r, Exception)]
        sizes = list(accumulate((len(part.blocks) for part, _ in made), initial=0))
        values = pa.concat_arrays([p.blocks for p, _ in made]) if made else pa.array([], arrow_type(Block))
        return Made(
            {
                "chunk": encode([p.number for p, _ in made], int),
                "core": encode([p.core for p, _ in made], tuple[int, int]),
                "blocks": pa.ListArray.from_arrays(pa.array(sizes, pa.int32()), values),
                "reply": encode([r.text for _, r in made], str),
                "extracted_by": encode([r.model or self.model.name for _, r in made], str),
            },
            [p.row for p, _ in made],
            failures,
        )

    def _cut(self, blocks: pa.StructArray) -> Iterator[tuple[int, tuple[int, int], pa.StructArray, str]]:
        """A document's chunks: number, first and last id of the core, own blocks, and what the model sees.

        Hidden blocks between the chunk's blocks go with it, so that local models see page furniture.
        """
        names = ("id", "type", "text", "level", "image", "caption")
        flat = dict(zip((f.name for f in blocks.type), blocks.flatten(), strict=True))
        places = pc.indices_nonzero(flat["shown"]).to_pylist()
        if not places:
            return
        whole = len(places) == len(blocks)
        columns = [(flat[n] if whole else flat[n].filter(flat["shown"])).to_pylist() for n in names]
        lines = list(map(line, *columns))
        marks = Marks(columns[2], columns[1], columns[3])
        chunks = plan(marks, [n + 1 for n in count_tokens(lines, self.tokenizer)], self.max_chunk_tokens)
        for number, chunk in enumerate(chunks):
            last = chunk is chunks[-1]
            start = places[chunk.start] if chunk.start else 0
            end = len(blocks) if last else places[chunk.seen - 1] + 1
            core = (start, len(blocks) - 1 if last else places[chunk.end] - 1)
            above = blocks.take(pa.array([places[h] for h in chunk.headings], pa.int64()))
            own = pa.concat_arrays([above, blocks.slice(start, end - start)])
            seen = [lines[h] for h in chunk.headings] + lines[chunk.start : chunk.seen]
            yield number, core, own, "\n".join(seen)

    async def _ask(self, part: _Part) -> Reply:
        local = getattr(self.model, "local", False)
        context = decode(part.blocks, Block) if local else None
        reply = await complete(self.model, Request(prompt=part.text, system=self.prompt.text, context=context))
        if reply.finish_reason == "length":
            raise TruncatedReply(
                f"the reply was cut off after {reply.completion_tokens} tokens; use smaller chunks "
                "(max_chunk_tokens) or raise the model's max_tokens"
            )
        return reply


@dataclass(frozen=True, slots=True)
class _Part:
    """One chunk on its way: the input row it is of, and what goes out for it."""

    row: int
    number: int
    core: tuple[int, int]
    blocks: pa.StructArray
    text: str


def _failure(part: _Part, error: Exception) -> Failure:
    failure = Failure.of(part.row, error)
    failure.message = f"chunk {part.number} (blocks {part.core[0]} to {part.core[1]}): {failure.message}"
    what = {"chunk": part.number, "core": part.core, "text": part.text}
    failure.inputs = json.dumps(what, ensure_ascii=False)
    return failure
