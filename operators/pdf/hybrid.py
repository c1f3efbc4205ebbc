"""HybridGenerator: rules read the whole document, a model only the stretches that the rules are unsure of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import encode
from dataflow_ext.columns import arrow_type
from dataflow_ext.models import Model, Reply
from dataflow_ext.rows import rows_in_flight
from operators.pdf.asking import in_parts
from operators.pdf.blocks import Block
from operators.pdf.chunks import count_tokens
from operators.pdf.document_text import DocumentText
from operators.pdf.doubts.document import Document, Doubt, Part, Row
from prompts import QAExtractPrompt


class HybridGenerator(Operator):
    """A row for each stretch of a document with its pairs: the rules' where they are sure, else a model's.

    Stands where ``ChunkedPromptedGenerator`` stands, with the same columns and options. The rules read the
    whole document and judge each item by the book itself; items whose confidence is below ``sure_from`` go
    to the model, with the headings in force and the openings of their neighbours. Several stretches travel
    in one request of up to ``max_chunk_tokens``. Headings that the model tells let the rules read the rest
    anew. A stretch that gets no reply, or one that names blocks that were not shown, keeps the rules' pairs and
    is a reject beside them.

    Besides the columns of the generator it writes ``stretch``: ``sure``, ``settled`` by the model, or ``kept``
    as the rules had it for want of a sound answer. With the first row of a stretch it writes what both sides
    said, ``rules_reply`` and ``model_reply`` (empty where nothing but ``reply`` was said), the
    ``stretch_doubts``, ``tokens`` (those of its text and of text before it without items), and ``sent``, the
    tokens of the request that began with it, prompt included. ``extracted_by`` is ``rules``, the model's name, or
    ``rules+`` that name where both say the same or the rules only followed the model's headings.
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"blocks": list[Block]}
    outputs: ClassVar[Any] = {
        "chunk": int,
        "core": tuple[int, int],
        "blocks": list[Block],
        "reply": str,
        "extracted_by": str,
        "stretch": Literal["sure", "settled", "kept"],
        "rules_reply": str,
        "model_reply": str,
        "stretch_doubts": list[Doubt],
        "tokens": int,
        "sent": int,
    }
    record: ClassVar[tuple[str, ...]] = ("stretch", "rules_reply", "model_reply", "stretch_doubts", "tokens", "sent")

    model: Model
    prompt: Prompt = QAExtractPrompt()
    max_chunk_tokens: int = Field(default=8_000, ge=200)
    tokenizer: str | None = None
    sure_from: float = Field(default=0.7, ge=0, le=1)

    def batch(self, table: pa.Table) -> Made:
        """Read all documents by rules, ask for all doubtful stretches at once, and join both answers."""
        texts = [DocumentText(blocks.values, self.tokenizer) for blocks in table["blocks"]]
        documents = [Document(row, text, self.sure_from) for row, text in enumerate(texts)]
        todo = [part for document in documents for part in document.parts(self.max_chunk_tokens)]
        progress.expect(len(todo))
        for answers in run_async(map_async(self._answers, todo, rows_in_flight(self))):
            if isinstance(answers, Exception):
                raise answers  # no part's own, so one of the code
            for part, reply in answers:
                part.document.take(part, reply)
        prompt = count_tokens([self.prompt.text], self.tokenizer)[0] if todo else 0
        rows = [row for document in documents for row in document.rows(prompt, self.model.name)]
        return self._columns(rows, [failure for document in documents for failure in document.failures])

    async def _answers(self, part: Part) -> list[tuple[Part, Reply | Exception]]:
        answers = await in_parts(part, self.model, self.prompt.text)
        progress.advance()
        return answers

    def _columns(self, rows: Sequence[Row], failures: list[Failure]) -> Made:
        own = [row.document.own(row) for row in rows]
        sizes = list(accumulate(map(len, own), initial=0))
        values = pa.concat_arrays(own) if own else pa.array([], arrow_type(Block))
        columns: dict[str, Any] = {
            name: encode([getattr(row, name) for row in rows], self.outputs[name])
            for name in self.outputs
            if name != "blocks"
        }
        columns["blocks"] = pa.ListArray.from_arrays(pa.array(sizes, pa.int32()), values)
        return Made({name: columns[name] for name in self.outputs}, [row.document.row for row in rows], failures)
