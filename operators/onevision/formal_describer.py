"""FormalDescriber: a formal description of each picture, and its formal code, once for each picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, TruncatedReplyError, UnreadableReplyError, ask_again
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.onevision.describing.description import PARSED, Described, Reader, described_by_rules, request_of
from operators.onevision.describing.leaks import without_leaks
from operators.onevision.model.records import columns, once_a_picture
from prompts import OneVisionDescribePrompt, OneVisionFactsPrompt

#: Pictures that a process does at one time.
_AT_ONCE = 256


class FormalDescriber(Operator):
    """The formal description of each picture, made of all that is known of it, and the same as formal code.

    Nothing of a question goes into it, so all rows that show a picture share it. With a ``model`` each picture is
    shown to it once, with type, caption, objects and text; a reply whose code is not of its language, or that speaks
    of a question or an answer, is asked for again with what is wrong, ``max_attempts`` times in all. Then the best of
    the replies is kept: ``formal_state`` is "does not parse: " with the reason, and sentences that leak are taken out
    and listed in ``description_leaks``; if nothing is left, or no reply could be read, the picture's rows are rejects.
    Without a model, rules put caption, objects and text together, and give code where they can: a scene graph of
    objects, the text of a page, the HTML of a clear table; else ``formal_code`` is None and ``formal_state`` "not run".
    ``seed`` is sent with each request.

    Options:
        model: whom to show the pictures; rules describe without one.
        prompt, facts_prompt: what the model is told, and how what is known is shown.
        max_attempts: how often it is asked about one picture.
        seed: sent with each request.

    Rejects:
        RowError: nothing of the description is left, or no reply could be read.
        ModelError: a reply that did not come; the picture's rows are done again by another run.

    Example:
        >>> row = {"picture": "a.png", "picture_key": "a", "width": 9, "height": 9, "image_type": "natural_scene"}
        >>> row |= {"dense_caption": "A red car is parked.", "caption_by": "rules", "detections": []}
        >>> row |= {"detector": "not run", "ocr": [], "ocr_by": "not run"}
        >>> FormalDescriber()([row])["image_formal_description"].to_pylist()
        ['A red car is parked.']
    """

    inputs: ClassVar[Columns] = columns(
        "picture picture_key width height image_type dense_caption caption_by detections detector ocr ocr_by"
    )
    outputs: ClassVar[Columns] = columns(
        "image_formal_description formal_code formal_language formal_state description_by description_leaks"
    )

    model: Model | None = None
    prompt: Prompt = OneVisionDescribePrompt()
    facts_prompt: Prompt = OneVisionFactsPrompt()
    max_attempts: int = Field(default=3, ge=1)
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Describe all pictures, by a model all at once."""
        return made_of_rows(self, table, self._outcomes)

    def needed_inputs(self) -> Columns:
        """The picture itself is needed only if a model is shown it."""
        return {name: kind for name, kind in self.inputs.items() if name != "picture" or self.model is not None}

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.model is None:
            return once_a_picture(rows, lambda leading: spread(described_by_rules, leading, _AT_ONCE))
        return once_a_picture(rows, lambda leading: side_by_side(self, self._asked, leading))

    async def _asked(self, row: Record) -> Record:
        assert self.model is not None  # noqa: S101 - only called with one
        reader = Reader(row["image_type"], (row["width"], row["height"]))
        request = request_of(row, self.prompt, self.facts_prompt, self.seed)
        try:
            best = (await ask_again(self.model, request, reader.read, self.max_attempts)).value
        except (UnreadableReplyError, TruncatedReplyError):
            if reader.best is None:
                raise
            best = reader.best
        return _record(best, self.model.name)


def _record(found: Described, by: str) -> Record:
    """The columns of a reply; RowError if nothing is left of its description."""
    description, leaks = without_leaks(found.description)
    if not description:
        raise RowError(
            f"The description by {by} speaks of nothing but a question or an answer ({leaks[0][:120]!r}); "
            "look at the prompt, or take another model."
        )
    return {
        "image_formal_description": description,
        "formal_code": found.code or None,
        "formal_language": found.language,
        "formal_state": f"does not parse: {found.code_problem}" if found.code_problem else PARSED,
        "description_by": by,
        "description_leaks": leaks,
    }
