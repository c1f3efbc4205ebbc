"""HybridGenerator: rules read the whole document, a model only the stretches that the rules are unsure of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, Prompt, progress
from dataflow_ext.background import map_async, run_async
from dataflow_ext.codec import encode
from dataflow_ext.models import Model, Reply
from dataflow_ext.rows import rows_in_flight
from operators.pdf.blocks import Block
from operators.pdf.chunks import count_tokens, in_parts, own_column
from operators.pdf.document_text import DocumentText
from operators.pdf.doubts.document import Document, Doubt, Part, Row
from prompts import QAExtractPrompt


class HybridGenerator(Operator):
    """A row for each stretch of a document with its pairs: the rules' where they are sure, else a model's.

    Stands where ``ChunkedPromptedGenerator`` stands. The rules read the whole document and judge each item by the
    book itself; doubtful ones go to the model, with the headings in force and the openings of their neighbours,
    several stretches in one request. Headings that the model tells let the rules read the rest anew.

    Reads:
        blocks: a document's blocks, ids from 0.

    Writes:
        chunk: the stretch's number, counted from 0.
        core: its first and last block.
        blocks: its blocks and those of the headings over it.
        reply: its pairs, as a model would have said them.
        extracted_by: ``rules``, the model's name, or ``rules+`` that name where both say the same.
        stretch: ``sure``, ``settled`` by the model, or ``kept`` as the rules had it for want of a sound answer.
        rules_reply, model_reply: what both sides said, in the stretch's first row; empty where only ``reply`` was said.
        stretch_doubts: why the rules were not sure.
        tokens: those of its text, and of text before it without items.
        sent: those of the request that began with it, prompt included.

    Options:
        model: whom to ask.
        prompt: what is asked.
        max_chunk_tokens: the most that a request may hold, the prompt not counted.
        tokenizer: ``o200k_base`` or ``cl100k_base`` to count exactly; without one, UTF-8 bytes / 4.
        sure_from: the confidence from which on an item is not asked for.
        probes: items that the rules are sure of and the model is shown all the same, an eighth of these at most; if it
            reads more than a quarter of them otherwise, all of the document is asked for.

    Rejects:
        ModelError: a stretch got no reply; beside the reject it keeps the rules' pairs.
        UnreadableReply: the reply names blocks that were not shown; the same.

    Example:
        >>> import pyarrow as pa
        >>> from dataflow_ext.codec import encode
        >>> from operators import PDFRules
        >>> from operators.pdf.blocks import Block
        >>> blocks = [Block(0, "text", "1. What is 2 + 2?"), Block(1, "text", "2. What is 3 + 3?")]
        >>> table = pa.table({"document": ["a"], "blocks": encode([blocks], list[Block])})
        >>> set(HybridGenerator(model=PDFRules(), sure_from=0)(table)["stretch"].to_pylist())
        {'sure'}
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
    probes: int = Field(default=6, ge=0)

    def batch(self, table: pa.Table) -> Made:
        """Read all documents by rules, ask for all doubtful stretches and probes at once, and join both answers."""
        texts = [DocumentText(blocks.values, self.tokenizer) for blocks in table["blocks"]]
        documents = [Document(row, text, self.sure_from) for row, text in enumerate(texts)]
        todo = [part for document in documents for part in document.parts(self.max_chunk_tokens, self.probes)]
        progress.expect(len(todo))
        self._ask(todo)
        rest = [part for document in documents for part in document.rest(self.max_chunk_tokens)]
        if rest:
            progress.expect(len(todo) + len(rest))
            self._ask(rest)
        prompt = count_tokens([self.prompt.text], self.tokenizer)[0] if todo else 0
        rows = [row for document in documents for row in document.rows(prompt, self.model.name)]
        return self._columns(rows, [failure for document in documents for failure in document.failures])

    def _ask(self, parts: Sequence[Part]) -> None:
        """Ask about stretches, all at once, and tell their documents."""
        for answers in run_async(map_async(self._answers, parts, rows_in_flight(self))):
            if isinstance(answers, Exception):
                raise answers  # no part's own, so one of the code
            for part, reply in answers:
                part.document.take(part, reply)

    async def _answers(self, part: Part) -> list[tuple[Part, Reply | Exception]]:
        answers = await in_parts(part, self.model, self.prompt.text)
        progress.advance()
        return answers

    def _columns(self, rows: Sequence[Row], failures: list[Failure]) -> Made:
        columns: dict[str, Any] = {
            name: encode([getattr(row, name) for row in rows], self.outputs[name])
            for name in self.outputs
            if name != "blocks"
        }
        columns["blocks"] = own_column([row.document.own(row) for row in rows])
        return Made({name: columns[name] for name in self.outputs}, [row.document.row for row in rows], failures)
