"""CoTRewriter: the reasoning of each row as one who sees the picture would give it, by a model or by rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, UnreadableReplyError, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.onevision.model.records import BY_RULES, REWRITE_TOKENS, columns
from operators.onevision.rewriting.replies import kept, read_rewrite, row_prompt
from operators.onevision.rewriting.rules import rewritten
from prompts import OneVisionRewritePrompt, OneVisionRowPrompt

REWRITTEN, INSUFFICIENT = "rewritten", "insufficient"

#: Rows that a process writes at one time.
_AT_ONCE = 256
#: Rows that are Python objects at one time, where rules treat them.
_TOGETHER = 16 * _AT_ONCE


class CoTRewriter(Operator):
    """The source's reasoning, rewritten on the description's facts, as "<think>…</think>"; code puts the tags.

    A ``model`` is asked once a row, without the picture; a reply whose form is wrong (empty, too short, another
    language, tags, another answer at its end) is asked for again with what is wrong, ``max_attempts`` times in all.
    The last reply is kept whatever its form: GroundingChecks fails such a row by what is still wrong; only one that is
    empty is a reject. Without a model, rules cite the description's facts that a row needs, keep the source's steps
    without guesses and talk, and end at the answer; ``seed`` varies their wording.

    Where the description does not hold what the reasoning needs, ``rewrite_state`` is "insufficient" and
    ``cot_thinking`` None: nothing is invented.

    Options:
        model: whom to ask; rules write without one.
        prompt, row_prompt: what the model is told, and how a row is shown.
        max_attempts: how often it is asked about one row.
        seed: of the rules' wording, and sent with each request.

    Rejects:
        RowError: a reply that holds nothing.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> row = {"question": "What colour is the car?", "options": [], "language": "en", "formal_code": None}
        >>> row |= {"image_formal_description": "A red car is parked.", "answer": "red", "answer_type": "words"}
        >>> CoTRewriter()([{**row, "original_reasoning": "The car is red."}])["cot_thinking"].to_pylist()
        ['<think>As seen in the image: A red car is parked. Hence, the answer is red.</think>']
    """

    inputs: ClassVar[Columns] = columns(
        "question options language image_formal_description formal_code original_reasoning answer answer_type"
    )
    outputs: ClassVar[Columns] = columns("cot_thinking rewrite_state rewrite_by")
    record: ClassVar[tuple[str, ...]] = ("rewrite_by",)

    model: Model | None = None
    prompt: Prompt = OneVisionRewritePrompt()
    row_prompt: Prompt = OneVisionRowPrompt()
    max_attempts: int = Field(default=2, ge=1, le=10)
    seed: int = 0

    def batch(self, table: pa.Table) -> Made:
        """Rewrite all rows: by rules spread over the run's processes, by a model all at once."""
        progress.expect(table.num_rows, "rows")
        return made_of_rows(self, table, self._outcomes, _TOGETHER if self.model is None else None)

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.model is None:
            return spread(partial(_by_rules, self.seed), rows, _AT_ONCE)
        return side_by_side(self, self._asked, rows)

    async def _asked(self, row: Record) -> Mapping[str, Any]:
        assert self.model is not None  # noqa: S101 - only called with one
        request = Request(row_prompt(self.row_prompt, row), system=self.prompt.text, expect=REWRITE_TOKENS)
        try:
            text = (await ask_again(self.model, request, partial(read_rewrite, row=row), self.max_attempts)).value
        except UnreadableReplyError as error:
            # The last reply as it is, for the gate to judge, if there is anything in it.
            text = kept(error.reply.text) if error.reply is not None else ""
            if text == "":
                raise
        return _record(text, self.model.name)


def _by_rules(seed: int, row: Record) -> Record:
    return _record(rewritten(row, seed), BY_RULES)


def _record(text: str | None, by: str) -> Record:
    if text is None:
        return {"cot_thinking": None, "rewrite_state": INSUFFICIENT, "rewrite_by": by}
    return {"cot_thinking": f"<think>{text}</think>", "rewrite_state": REWRITTEN, "rewrite_by": by}
