"""What a judge and a blind solver are asked, and how their replies are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from operators.onevision.model.records import Judgement
from operators.onevision.rewriting.replies import as_data, inside, options_of, readable, unwrapped
from operators.verify.answer import Option

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


#: A line that gives the answer, with what models put around the word.
_ANSWER = re.compile(
    r"^[\s*_#>\-]{0,8}(?:the\s)?(?:final\s)?(?:answer|答案)(?:\s?(?:is|是))?[\s*_]{0,4}[:：](?P<said>.*)$",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<answer>(?P<said>[^<>]{1,400})</answer>", re.IGNORECASE)
_AROUND = '*_`"“” \t'
#: Characters of an answer; what is longer is none.
_MOST = 400


def solved(text: str, question: str, options: Sequence[Option]) -> str | None:
    """The bare answer on the last line of a reply that gives one; None if no line does, or it is "unknown".

    >>> solved("Two cars stand there.\\nAnswer: 2", "How many cars?", [])
    '2'
    >>> solved("I cannot see it.\\nAnswer: unknown", "How many cars?", []) is None
    True
    """
    from operators.verify.extraction import answer_in

    said = _said(readable(text))
    if said is None or said.casefold().rstrip(".") in ("", "unknown", "none", "n/a", "未知", "…", "..."):
        return None
    found = answer_in(said, question=question, options=options)
    return None if found is None else found.text


def _said(text: str) -> str | None:
    """What stands behind the last "Answer:", on its line or, if that is empty, on the next."""
    tagged = list(_TAGGED.finditer(text))
    lines = [line for line in unwrapped(text).splitlines() if line.strip()]
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number][: _MOST + 100]
        found = _ANSWER.match(line)
        if found is not None:
            said = found["said"].strip(_AROUND)
            if not said and number + 1 < len(lines):
                said = lines[number + 1].strip(_AROUND)
            return said if len(said) <= _MOST else None
    return tagged[-1]["said"].strip() if tagged else None
