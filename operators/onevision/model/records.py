"""The records that columns hold, the columns of a finished row, the codes of its checks; rows that share a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from dataflow_ext import progress
from dataflow_ext.ocr import OCRLine
from dataflow_ext.outcomes import Outcome, Record
from dataflow_ext.text import rows
from operators.verify.answer import AnswerType, Option

_CODES = rows(__package__, "codes.tsv")
#: Each code and what it says of a row in which it failed.
CODES = {code: meaning for code, _, meaning in _CODES}
#: What a failed check makes of its row, whatever the score; "note" leaves it alone.
EFFECT = {code: cast(Literal["drop", "review", "note"], effect) for code, effect, _ in _CODES}


ImageType = Literal[
    "natural_scene",
    "synthetic_scene",
    "chart",
    "table",
    "flow_or_diagram",
    "circuit",
    "physics_setup",
    "geometry",
    "formula",
    "document_ui",
    "map_or_other",
]

FormalLanguage = Literal["scene_graph", "csv", "html", "mermaid", "spice", "predicates", "latex", "text"]

#: The formal code of each type of picture; of a screen or document it may be plain text, too.
FORMAL_LANGUAGE: Mapping[ImageType, FormalLanguage] = {
    "natural_scene": "scene_graph",
    "synthetic_scene": "scene_graph",
    "chart": "csv",
    "table": "html",
    "flow_or_diagram": "mermaid",
    "circuit": "spice",
    "physics_setup": "predicates",
    "geometry": "predicates",
    "formula": "latex",
    "document_ui": "html",
    "map_or_other": "text",
}

#: The types in whose pictures objects are looked for.
DETECTED: tuple[ImageType, ...] = ("natural_scene", "synthetic_scene", "physics_setup", "geometry")

Language = Literal["en", "zh", "other"]

#: What stands in a column of provenance where a tool was not used, and where the picture's type has no use for it.
NOT_RUN = "not run"
NOT_FOR_THIS_TYPE = "not for this type"
#: Who did it where no model did.
BY_RULES = "rules"


@dataclass(frozen=True, slots=True)
class Detection:
    """An object that was found; ``box`` is x0, y0, x1, y1 in pixels of the normalised picture, y downwards."""

    label: str
    score: float
    box: tuple[float, float, float, float]


CheckState = Literal["passed", "failed", "unsure", "not run"]


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found, under one of the codes of :mod:`.codes`; ``note`` says it in one sentence."""

    code: str
    state: CheckState
    note: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of a row: points from 0 to 10 in four dimensions, and the faults that it named.

    ``status`` tells whether there was a judge at all ("not run"), or whether the row needed none because a check
    had dropped it already ("skipped"); then all else is empty.
    """

    status: Literal["judged", "skipped", "not run"]
    by: str = ""
    description: float | None = None
    grounding: float | None = None
    logic: float | None = None
    answer: float | None = None
    faults: tuple[str, ...] = ()
    comment: str = ""


Verdict = Literal["kept", "review", "dropped"]

#: The columns of a finished row: what the writer writes.
FINISHED: Mapping[str, Any] = {
    "id": Annotated[str, "the record's id and the turn's number"],
    "record_id": Annotated[str, "the record's own id"],
    "turn": Annotated[int, "which turn of its record, from 1"],
    "image": Annotated[str, "the picture's path in the data set"],
    "picture": Annotated[Path, "the file of the picture that is used"],
    "picture_key": Annotated[str, "the SHA-256 of that file"],
    "width": Annotated[int, "of the picture, in pixels"],
    "height": Annotated[int, "of the picture, in pixels"],
    "question": Annotated[str, "the user's question"],
    "options": Annotated[list[Option], "the options of the question, letters with texts"],
    "language": Annotated[Language, "of the question"],
    "image_formal_description": Annotated[str, "the picture in words"],
    "cot_thinking": Annotated[str | None, "the rewritten reasoning in its tags; null where nothing could be rewritten"],
    "answer": Annotated[str, "the bare answer"],
    "answer_type": Annotated[AnswerType, "what kind of answer it is"],
    "final_answer": Annotated[str, "the answer in its tags"],
    "original_caption": Annotated[str, "the source's caption"],
    "original_reasoning": Annotated[str, "the source's reasoning"],
    "original_conclusion": Annotated[str, "the source's conclusion"],
    "gold": Annotated[str | None, "the right answer, if one came with the record"],
    "tag_notes": Annotated[list[str], "what was mended in the source's tags"],
    "image_type": Annotated[ImageType, "what kind of picture it is"],
    "type_by": Annotated[str, "who told the type"],
    "dense_caption": Annotated[str, "the best caption of the picture"],
    "caption_by": Annotated[str, "who wrote that caption"],
    "formal_code": Annotated[str | None, "the picture as code; null where there is none"],
    "formal_language": Annotated[FormalLanguage, "the language of that code"],
    "formal_state": Annotated[str, "``parsed``, ``not run``, or why it does not parse"],
    "description_by": Annotated[str, "who described the picture"],
    "description_leaks": Annotated[list[str], "sentences that were taken out of the description"],
    "detections": Annotated[list[Detection], "objects with their boxes"],
    "detector": Annotated[str, "who found them, or why nobody looked"],
    "ocr": Annotated[list[OCRLine], "lines of text in the picture"],
    "ocr_by": Annotated[str, "who read them, or why nobody did"],
    "rewrite_state": Annotated[str, "``rewritten``, or why not"],
    "rewrite_by": Annotated[str, "who rewrote the reasoning"],
    "checks": Annotated[list[Check], "what each check found"],
    "judge": Annotated[Judgement, "what the judge said"],
    "verdict": Annotated[Verdict, "``kept``, ``review`` or ``dropped``"],
    "reasons": Annotated[list[str], "why"],
    "score": Annotated[float | None, "the judge's weighted points; null if unjudged"],
}

#: The columns that only some operators know.
_OTHERS: Mapping[str, Any] = {
    "first_caption": Annotated[str | None, "the first caption of the record"],
    "objects": Annotated[list[str], "short nouns of the things in the picture"],
    "source": Annotated[str, "the file that the record is from"],
    "record": Annotated[str, "the record as JSON"],
    "blind_answer": Annotated[str | None, "the blind solver's answer; null if there is none"],
    "blind_by": Annotated[str, "the solver's name, ``skipped`` or ``not run``"],
}


def columns(names: str) -> dict[str, Any]:
    """The columns of some names, parted by spaces, with their types and what they are."""
    return {name: FINISHED.get(name, _OTHERS.get(name)) for name in names.split()}


#: Type, caption and objects of a picture: once a picture.
IMAGE_TOKENS = 400
#: Formal description and formal code of a picture: once a picture.
DESCRIBE_TOKENS = 500
#: The reasoning of a row, written anew.
REWRITE_TOKENS = 350
#: A question solved again, blind.
BLIND_TOKENS = 200
#: What a judge says of a row.
JUDGE_TOKENS = 220


#: The column that tells pictures apart.
KEY = "picture_key"


def once_a_picture(rows: Sequence[Record], treat: Callable[[Sequence[Record]], Sequence[Outcome]]) -> list[Outcome]:
    """The outcomes of rows, where ``treat`` gives that of one row for each picture.

    Of the rows that show a picture it gets the one with the smallest ``id``, and of those with one id, or without
    ids, the smallest as text, so that their order makes no difference. All of them get its outcome.
    """
    leading, places = _leading(rows)
    progress.expect(len(leading), "pictures")
    made = treat(leading)
    return [made[place] for place in places]


def _leading(rows: Sequence[Record]) -> tuple[list[Record], list[int]]:
    """The row that stands for each picture, and for each row the place of its picture's among them."""
    first: dict[str, Record] = {}
    for row in rows:
        other = first.get(row[KEY])
        if other is None or _before(row, other):
            first[row[KEY]] = row
    numbers = {key: number for number, key in enumerate(first)}
    return list(first.values()), [numbers[row[KEY]] for row in rows]


def _before(row: Record, other: Record) -> bool:
    one, two = row.get("id", ""), other.get("id", "")
    # Text is dear, and ids are mostly unique.
    return bool(one < two) if one != two else row != other and repr(row) < repr(other)
