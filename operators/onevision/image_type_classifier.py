"""ImageTypeClassifier: what type a picture is of, a dense caption, and the things in it, once for each picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Made, Operator, Prompt
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.onevision.describing.leaks import without_leaks
from operators.onevision.image_types import ImageReply, best_caption, objects_by_rules, type_by_rules
from operators.onevision.model.records import BY_RULES, IMAGE_TOKENS, KEY, NOT_RUN, columns, once_a_picture
from prompts import OneVisionImagePrompt

#: Pictures that a process does at one time.
_AT_ONCE = 256


class ImageTypeClassifier(Operator):
    """The type of each picture, a dense caption of it, and short nouns of the things in it, for a detector.

    With a ``model`` each picture is shown to it once, however many rows have it (they share a ``picture_key``), with
    a constant prompt that holds nothing of a row; a reply of no use is asked for once more, then the picture's rows
    are rejects. Without one, the type is told by rules from ``image``, the path in the data set, and the captions: of
    all ``first_caption`` on the picture the dense one is that of which most words stand in others, too; what those tell
    besides of the same things is added, and sentences that speak of a question or an answer are left out. Its nouns are
    the things. ``type_by`` and ``caption_by`` say who did it: the model's name, "rules", or, for a picture without any
    caption, "not run". ``seed`` is sent with each request.

    Options:
        model: whom to show the pictures; rules tell without one.
        prompt: what the model is told.
        seed: sent with each request.

    Rejects:
        RowError: a reply of no use, twice.
        ModelError: a reply that did not come; the picture's rows are done again by another run.

    Example:
        >>> row = {"id": "7#1", "image": "chartqa/train/7.png", "picture": "7.png", "picture_key": "7"}
        >>> table = ImageTypeClassifier()([{**row, "first_caption": "A bar chart of fruit."}])
        >>> table.select(["image_type", "type_by", "dense_caption"]).to_pylist()
        [{'image_type': 'chart', 'type_by': 'rules', 'dense_caption': 'A bar chart of fruit.'}]
    """

    inputs: ClassVar[Columns] = columns("id image picture picture_key first_caption")
    outputs: ClassVar[Columns] = columns("image_type type_by dense_caption caption_by objects")
    together: ClassVar[Any] = True

    model: Model | None = None
    prompt: Prompt = OneVisionImagePrompt()
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Do all pictures, by a model all at once."""
        return made_of_rows(self, table, self._outcomes)

    def needed_inputs(self) -> Columns:
        """A model is shown the picture and nothing else; rules read path and caption and no picture."""
        left_out = ("picture",) if self.model is None else ("image", "first_caption")
        return {name: kind for name, kind in self.inputs.items() if name not in left_out}

    def _outcomes(self, rows: Sequence[Record]) -> list[Outcome]:
        if self.model is None:
            return once_a_picture(
                _with_best_captions(rows), lambda leading: spread(classified_by_rules, leading, _AT_ONCE)
            )
        return once_a_picture(rows, lambda leading: side_by_side(self, self._asked, leading))

    async def _asked(self, row: Record) -> Record:
        assert self.model is not None  # noqa: S101 - only called with one
        request = Request(self.prompt.text, images=(str(row["picture"]),), seed=self.seed, expect=IMAGE_TOKENS)
        reply = (await ask(self.model, request, ImageReply)).value
        return {
            "image_type": reply.image_type,
            "type_by": self.model.name,
            "dense_caption": reply.caption,
            "caption_by": self.model.name,
            "objects": reply.objects,
        }


def _with_best_captions(rows: Sequence[Record]) -> list[Record]:
    """The rows with the best of all captions on their picture as their first one."""
    captions: dict[str, set[str]] = {}
    for row in rows:
        captions.setdefault(row[KEY], set()).add((row["first_caption"] or "").strip())
    best = {key: best_caption(sorted(each - {""})) for key, each in captions.items()}
    return [{**row, "first_caption": best[row[KEY]]} for row in rows]


def classified_by_rules(row: Record) -> Record:
    """Type, caption and things of a picture, from its path and its best caption."""
    caption = (row["first_caption"] or "").strip()
    clean, _ = without_leaks(caption)
    return {
        "image_type": type_by_rules(row["image"], caption),
        "type_by": BY_RULES,
        "dense_caption": clean,
        "caption_by": BY_RULES if caption else NOT_RUN,
        "objects": objects_by_rules(clean),
    }
