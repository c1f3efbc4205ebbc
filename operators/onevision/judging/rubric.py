"""What a judge is told of a row, and what its reply has to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from operators.onevision.records import Judgement
from operators.onevision.rewriting.replies import inside
from operators.onevision.rewriting.requests import as_data, options_of, readable

Fault = Literal[
    "wrong_picture",
    "invented_object",
    "wrong_number",
    "wrong_answer",
    "gibberish",
    "not_a_step",
    "copied",
    "other_language",
    "leak",
    "other",
]

Points = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]

#: Characters of a judge's comment that are kept.
_COMMENT = 500


class Rubric(BaseModel):
    """The reply of a judge: what it sees, four points from 0 to 10, the faults by their names, a comment.

    >>> said = '{"seen": "A car.", "description": 11, "grounding": 1, "logic": 1, "answer": 1, "faults": []'
    >>> Rubric.model_validate_json(said + ', "comment": "Good."}')
    Traceback (most recent call last):
    pydantic_core._pydantic_core.ValidationError: 1 validation error for Rubric
    description
      Input should be less than or equal to 10 [type=less_than_equal, input_value=11, input_type=int]
        For further information visit https://errors.pydantic.dev/...
    """

    model_config = ConfigDict(strict=True)

    # First, so that the judge looks before it judges.
    seen: str = Field(min_length=1, description="what is in the picture, in one or two sentences")
    description: Points = Field(description="0 to 10: the description shows this picture")
    grounding: Points = Field(description="0 to 10: every claim is visible, given or computed")
    logic: Points = Field(description="0 to 10: each step follows")
    answer: Points = Field(description="0 to 10: the final answer is right")
    faults: list[Fault] = Field(description="the faults, each once; empty if there is none")
    comment: str = Field(description="one or two sentences on what decided the points")

    def judgement(self, by: str) -> Judgement:
        """The reply as a record, without what the judge saw."""
        return Judgement(
            status="judged",
            by=by,
            description=self.description,
            grounding=self.grounding,
            logic=self.logic,
            answer=self.answer,
            faults=tuple(dict.fromkeys(self.faults)),
            comment=" ".join(readable(self.comment).split())[:_COMMENT],
        )


def judged_prompt(prompt: Prompt, row: Mapping[str, Any]) -> str:
    """A row as its judge reads it, without the tags of its reasoning and its answer."""
    return prompt.fill(
        question=as_data(row["question"]),
        options=options_of(row["question"], row["options"]),
        gold=as_data(row["answer"]),
        description=as_data(row["image_formal_description"]),
        reasoning=as_data(inside(row["cot_thinking"], "think")),
        final=as_data(inside(row["final_answer"], "answer")),
    )
