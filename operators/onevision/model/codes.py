"""The checks of a row, by their codes, and what a failed one does to it."""

from __future__ import annotations

from typing import Literal

#: Each code and what it says of a row in which it failed.
CODES = {
    "description.empty": "there is no description, or next to none",
    "description.leak": "the description speaks of the question or gives its answer",
    "description.number": "the description states a number as written in the picture that OCR did not read there",
    "code.parses": "the formal code is not of its language",
    "answer.option": "the answer is a letter that is none of the options",
    "answer.source": "the answer is not what the source concluded",
    "answer.gold": "the answer is not the gold answer that came with the row",
    "source.picture": "the source knows hardly a word that can be read in the picture",
    "source.reached": "the source's own steps do not reach its answer",
    "rewrite.insufficient": "the description does not hold what the reasoning needs",
    "rewrite.length": "the reasoning is too short or too long for its source",
    "rewrite.copied": "the reasoning is the source's, not rewritten",
    "rewrite.gibberish": "the reasoning is no running text",
    "rewrite.language": "the reasoning is not in the question's language",
    "rewrite.leak": "the reasoning takes its answer from elsewhere: the description, the source, a hint",
    "rewrite.tags": "the reasoning holds tags, prompts or talk about the task",
    "rewrite.number": "a number of the reasoning is neither given nor computed",
    "rewrite.equation": "an equation of the reasoning does not hold",
    "rewrite.vague": "the reasoning guesses where it should look",
    "rewrite.answer": "the reasoning ends at another answer",
    "rewrite.reached": "the steps of the reasoning do not reach the answer",
    "blind.answer": "solved without the answer, the question gives another one",
    "judge.description": "the judge: the description does not show this picture",
    "judge.grounding": "the judge: the reasoning tells of things that are not in the picture",
    "judge.logic": "the judge: a step does not follow",
    "judge.answer": "the judge: the answer is wrong",
}

#: What a failed check makes of its row, whatever the score; "note" leaves it alone.
EFFECT: dict[str, Literal["drop", "review", "note"]] = {
    "description.empty": "review",
    "description.leak": "review",
    "description.number": "note",
    "code.parses": "review",
    "answer.option": "drop",
    "answer.source": "drop",
    "answer.gold": "drop",
    "source.picture": "review",
    "source.reached": "review",
    "rewrite.insufficient": "review",
    "rewrite.length": "review",
    "rewrite.copied": "review",
    "rewrite.gibberish": "drop",
    "rewrite.language": "drop",
    "rewrite.leak": "review",
    "rewrite.tags": "review",
    "rewrite.number": "review",
    "rewrite.equation": "drop",
    "rewrite.vague": "note",
    "rewrite.answer": "drop",
    "rewrite.reached": "review",
    "blind.answer": "review",
    "judge.description": "drop",
    "judge.grounding": "drop",
    "judge.logic": "review",
    "judge.answer": "drop",
}
