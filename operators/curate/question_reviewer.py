"""QuestionReviewer: what a model that sees the pictures says of each row, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, Prompt, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.outcomes import Record, made_of_rows, side_by_side
from operators.curate.model import Review, columns
from operators.curate.reviewing import SCHEMA, read_reply, sentences_of
from operators.curate.rules.tables import says
from prompts import CurateReviewPrompt, CurateRowPrompt

#: Tokens that a reply about has, for estimates.
_EXPECTED = 160


class QuestionReviewer(Operator):
    """What one call of a model finds in each row: its parts and their kinds, answers, lost blanks, problems.

    The model is shown the row in numbered sentences, and its pictures. It names sentences and quotes words; the places
    that it means are looked up in the row's own text, so that no letter of its reply gets into a row. A reply that
    names what is not there is asked for once more, with what is wrong; then the row is a reject. Rows without any
    answer are not asked about, and without a model none is: rules do the work then, which ``curated_by`` says.

    Reads:
        question, answer, solution: the texts.
        picture_files: the question's pictures.

    Writes:
        review: what was found, null where nobody was asked.
        curated_by: the model's name, or ``rules``.
        review_tokens: what the replies took, prompts included.

    Options:
        model: whom to ask; without one, nobody.
        prompt: says what is asked, and how to reply; the same for all rows.
        row_prompt: one row in numbered sentences.
        seed: is sent with each request.

    Rejects:
        UnreadableReplyError: two replies that name what is not there.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> row = {"question": "Find 2 + 2.", "answer": "4", "solution": "", "picture_files": []}
        >>> QuestionReviewer()([row])["curated_by"].to_pylist()
        ['rules']
    """

    inputs: ClassVar[Columns] = {**columns("question answer solution"), "picture_files": list[Path]}
    outputs: ClassVar[Columns] = {"review": Review | None, "curated_by": str, "review_tokens": int}
    record: ClassVar[tuple[str, ...]] = ("curated_by", "review_tokens")

    model: Model | None = None
    prompt: Prompt = CurateReviewPrompt()
    row_prompt: Prompt = CurateRowPrompt()
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Ask about all rows at once."""
        progress.expect(table.num_rows, "rows")
        together = 4096 if self.model is None else None
        return made_of_rows(self, table, lambda rows: side_by_side(self, self._reviewed, rows), together)

    async def _reviewed(self, row: Record) -> Mapping[str, Any]:
        texts = {side: row[side] for side in ("question", "answer", "solution")}
        told = any(texts[side].strip() and not says("no_answer", texts[side]) for side in ("answer", "solution"))
        if self.model is None or not told or not texts["question"].strip():
            return {"review": None, "curated_by": "rules", "review_tokens": 0}
        sentences = sentences_of(**texts)
        lines = {side: [(s.name, s.span.of(texts[side]).strip()) for s in sentences.values() if s.side == side]
                 for side in texts}  # fmt: skip
        request = Request(
            self.row_prompt.fill(**lines),
            system=self.prompt.text,
            images=tuple(str(path) for path in row["picture_files"]),
            json_schema=SCHEMA.schema,
            schema_name=SCHEMA.name,
            seed=self.seed,
            expect=_EXPECTED,
        )
        answer = await ask(self.model, request, lambda text: read_reply(text, sentences, texts))
        return {"review": answer.value, "curated_by": self.model.name, "review_tokens": answer.reply.tokens}
