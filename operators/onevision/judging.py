"""What a judge and a blind solver are asked and reply, and a row's verdict: hard rules first, then points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Prompt
from operators.onevision.model.records import CODES, EFFECT, Check, Judgement, Verdict
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


#: What stands among the reasons of a row that no judge saw, kept ones included.
NOT_JUDGED = "not judged"

#: The checks of which an open one sends its row to review; of all others it is only told.
OPEN_MATTERS = frozenset(
    {"answer.option", "answer.source", "answer.gold", "rewrite.answer", "rewrite.equation", "rewrite.language"}
)

#: The same where no judge saw the row: whether steps reach an answer is for a judge where code cannot tell.
OPEN_UNJUDGED = frozenset({"rewrite.reached", "rewrite.number"})

#: What each dimension of a judge counts in the score.
WEIGHTS: Mapping[str, float] = {"description": 0.2, "grounding": 0.3, "logic": 0.3, "answer": 0.2}

#: The dimension that a fault named by a judge belongs to; a fault of none of them sends the row to review.
FAULTS: Mapping[str, str] = {
    "wrong_picture": "description",
    "invented_object": "grounding",
    "wrong_number": "grounding",
    "wrong_answer": "answer",
    "gibberish": "logic",
    "not_a_step": "logic",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Points of a judge: below ``fail`` a dimension has failed; below ``review`` it or the score is to be reviewed."""

    fail: float = 5.0
    review: float = 7.0


Same = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class Blind:
    """Whether the answer of a blind solver is the row's, and why."""

    verdict: Same
    reason: str = ""


Found = tuple[Literal["drop", "review", "note"], str]


def verdict_of(
    checks: Sequence[Check], judge: Judgement, blind: Blind | None = None, limits: Limits | None = None
) -> tuple[Verdict, list[str], float | None]:
    """The verdict, its reasons as "code: note", and the judge's weighted points from 0 to 10 (None if unjudged).

    A failed check does what :data:`EFFECT` says, whatever the points. A row that no judge saw says so.

    >>> verdict_of([Check("answer.gold", "failed", "A, not B")], Judgement("skipped"))
    ('dropped', ['answer.gold: A, not B', 'not judged'], None)
    >>> verdict_of([Check("answer.gold", "passed")], Judgement("judged", "gpt", 9, 8, 10, 10))
    ('kept', [], 9.2)
    """
    limits = limits or Limits()
    matters = OPEN_MATTERS if judge.status == "judged" else OPEN_MATTERS | OPEN_UNJUDGED
    found = [*_of_checks(checks, matters), *_of_blind(blind)]
    score = None
    if judge.status == "judged":
        score = score_of(judge)
        found += _of_judge(judge, limits)
        if score is not None and score < limits.review and not any(each[0] != "note" for each in found):
            found.append(("review", f"score: {score:g} of 10 points"))
    effects = {effect for effect, _ in found}
    verdict: Verdict = "dropped" if "drop" in effects else "review" if "review" in effects else "kept"
    # The strongest first; what is only told comes last.
    reasons = [reason for wanted in ("drop", "review", "note") for effect, reason in found if effect == wanted]
    if judge.status != "judged":
        reasons.append(NOT_JUDGED)
    return verdict, reasons, score


def score_of(judge: Judgement) -> float | None:
    """The weighted points of a judge, from 0 to 10; None if one of them is missing."""
    score = 0.0
    for name, weight in WEIGHTS.items():
        points: float | None = getattr(judge, name)
        if points is None:
            return None
        score += weight * points
    return round(score, 2)


def _of_checks(checks: Sequence[Check], matters: frozenset[str]) -> list[Found]:
    found: list[Found] = []
    for check in checks:
        if check.state == "failed":
            found.append((EFFECT[check.code], _reason(check.code, check.note)))
        elif check.state == "unsure":
            effect: Literal["review", "note"] = "review" if check.code in matters else "note"
            found.append((effect, f"{check.code}: unsure: {check.note}"))
    return found


def _of_blind(blind: Blind | None) -> list[Found]:
    if blind is None or blind.verdict == "yes":
        return []
    note = blind.reason if blind.verdict == "no" else f"unsure: {blind.reason}"
    return [(EFFECT["blind.answer"], _reason("blind.answer", note))]


def _of_judge(judge: Judgement, limits: Limits) -> list[Found]:
    """A dimension below the limits, or whose fault was named while its points are low; other faults are reviewed."""
    found: list[Found] = []
    told: set[str] = set()
    for name in WEIGHTS:
        points = getattr(judge, name)
        code = f"judge.{name}"
        faults = [fault for fault in judge.faults if FAULTS.get(fault) == name]
        note = (
            f"{points:g} of 10 points{''.join(f', {fault}' for fault in faults)}" if points is not None else "no points"
        )
        if points is not None and (points < limits.fail or (faults and points < limits.review)):
            found.append((EFFECT[code], _reason(code, f"{note}; {judge.comment}" if judge.comment else note)))
        elif points is None or points < limits.review:
            found.append(("review", _reason(code, note)))
        else:
            continue
        told.update(faults)
    return found + [("review", f"judge: the fault {fault}") for fault in judge.faults if fault not in told]


def _reason(code: str, note: str) -> str:
    return f"{code}: {note or CODES[code]}"


def worth_asking(checks: Iterable[Check]) -> bool:
    """Whether a model's word could still matter: no check has dropped the row, and it has a reasoning.

    >>> worth_asking([Check("code.parses", "failed"), Check("answer.gold", "passed")])
    True
    >>> worth_asking([Check("answer.gold", "failed")]), worth_asking([Check("rewrite.insufficient", "failed")])
    (False, False)
    """
    failed = {check.code for check in checks if check.state == "failed"}
    return "rewrite.insufficient" not in failed and not any(EFFECT.get(code) == "drop" for code in failed)
