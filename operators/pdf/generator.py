"""ChunkedPromptedGenerator: a document's blocks, chunk by chunk, through a model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import encode
from dataflow_ext.models import Model, Reply
from dataflow_ext.rows import rows_in_flight
from operators.pdf.blocks import Block
from operators.pdf.chunks import Chunk, in_parts, own_column
from operators.pdf.document_text import DocumentText
from prompts import QAExtractPrompt


class ChunkedPromptedGenerator(Operator):
    """A row for each chunk of a document: its blocks, the ids of its core, and the model's reply.

    Documents are cut between blocks, best before a heading or an item. A chunk shows the headings in force, its
    core, and a look-ahead; an item belongs to the chunk whose core holds its first block. A chunk whose reply is
    cut off at the model's token limit is asked for again in halves. ``context`` of a request holds the chunk's
    blocks for local models and is never sent.

    Reads:
        blocks: a document's blocks, ids from 0.

    Writes:
        chunk: the chunk's number, counted from 0.
        core: its first and its last block that is no look-ahead.
        blocks: the blocks that were shown.
        reply: what the model said.
        extracted_by: the model's name, or ``rules``.

    Options:
        model: whom to ask; ``PDFRules()`` does the job by rules.
        prompt: what is asked.
        max_chunk_tokens: the most that a chunk may hold, the prompt not counted.
        tokenizer: ``o200k_base`` or ``cl100k_base`` to count exactly; without one, UTF-8 bytes / 4.
        reads_as: with ``pairs`` a reply without any tag of the contract is asked for once more; ``text`` takes all.

    Rejects:
        ModelError: the chunk's call failed; the raw reply stands in the reject, the other chunks live.

    Example:
        >>> import pyarrow as pa
        >>> from dataflow_ext.codec import encode
        >>> from operators import PDFRules
        >>> from operators.pdf.blocks import Block
        >>> blocks = [Block(0, "text", "1. What is 2 + 2?"), Block(1, "text", "2. What is 3 + 3?")]
        >>> table = pa.table({"document": ["a"], "blocks": encode([blocks], list[Block])})
        >>> made = ChunkedPromptedGenerator(model=PDFRules())(table)
        >>> made["core"].to_pylist(), made["extracted_by"].to_pylist()
        ([[0, 1]], ['rules'])
    """

    rows: ClassVar[Any] = "explode"
    spread = "if it pays"
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
    reads_as: Literal["pairs", "text"] = "pairs"

    def batch(self, table: pa.Table) -> Made:
        """Plan all chunks of all documents, ask for all of them at once, and keep what came."""
        texts = [DocumentText(blocks.values, self.tokenizer) for blocks in table["blocks"]]
        todo = [
            _Part(row, text, chunk) for row, text in enumerate(texts) for chunk in text.chunks(self.max_chunk_tokens)
        ]
        progress.expect(len(todo), "chunks")
        answers = run_async(map_async(self._answers, todo, rows_in_flight(self)))
        made: list[tuple[_Part, int, Reply]] = []
        failures: list[Failure] = []
        numbers: Counter[int] = Counter()
        for part, reply in ((part, r) for answer in answers for part, r in _sound(answer)):
            number = numbers[part.row]
            numbers[part.row] += 1
            if isinstance(reply, Exception):
                failures.append(_failure(part, number, reply))
            else:
                made.append((part, number, reply))
        return self._columns(made, failures)

    def _columns(self, made: list[tuple[_Part, int, Reply]], failures: list[Failure]) -> Made:
        return Made(
            {
                "chunk": encode([number for _, number, _ in made], int),
                "core": encode([p.text.core(p.chunk) for p, _, _ in made], tuple[int, int]),
                "blocks": own_column([part.text.own(part.chunk) for part, _, _ in made]),
                "reply": encode([r.text for _, _, r in made], str),
                "extracted_by": encode([r.model or self.model.name for _, _, r in made], str),
            },
            [p.row for p, _, _ in made],
            failures,
        )

    async def _answers(self, part: _Part) -> list[_Answer]:
        """The part with its reply, or, if the model had no room for that, smaller parts with theirs."""
        answers = await in_parts(part, self.model, self.prompt.text, pairs=self.reads_as == "pairs")
        progress.advance()
        return answers


@dataclass(frozen=True, slots=True)
class _Part:
    """One chunk on its way: the input row it is of, and the document's text."""

    row: int
    text: DocumentText
    chunk: Chunk

    @property
    def divisible(self) -> bool:
        """Whether it can be asked for in less at once."""
        return self.chunk.seen - self.chunk.start > 1

    @property
    def tokens(self) -> int:
        """The tokens of the chunk's text."""
        return self.text.tokens(self.chunk)

    def words(self) -> str:
        """The chunk's text."""
        return self.text.text(self.chunk)

    def own(self) -> pa.StructArray:
        """The chunk's blocks."""
        return self.text.own(self.chunk)

    def smaller(self) -> list[_Part]:
        """The chunk in smaller ones."""
        return [_Part(self.row, self.text, chunk) for chunk in self.text.smaller(self.chunk)]


_Answer = tuple[_Part, Reply | Exception]


def _sound(answers: list[_Answer] | Exception) -> list[_Answer]:
    """The answers; an error that is no chunk's own is one of the code, and passed on."""
    if isinstance(answers, Exception):
        raise answers
    return answers


def _failure(part: _Part, number: int, error: Exception) -> Failure:
    core = part.text.core(part.chunk)
    failure = Failure.of(part.row, error)
    failure.message = f"chunk {number} (blocks {core[0]} to {core[1]}): {failure.message}"
    what = {"chunk": number, "core": core, "text": part.text.text(part.chunk)}
    if failure.reply is not None:
        what["reply"] = failure.reply
    failure.inputs = json.dumps(what, ensure_ascii=False)
    return failure
