"""What a model is asked about a picture, and its reply, checked at once: form, formal code, leaks."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataflow_ext import Prompt
from dataflow_ext.errors import RowError
from dataflow_ext.models import Request
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.outcomes import Record
from operators.onevision.describing.layout import plain, rows_of, told
from operators.onevision.describing.leaks import leaks_in, without_leaks
from operators.onevision.formal import bare, parse_problem
from operators.onevision.model.records import (
    DESCRIBE_TOKENS,
    FORMAL_LANGUAGE,
    NOT_FOR_THIS_TYPE,
    NOT_RUN,
    FormalLanguage,
    ImageType,
)
from operators.onevision.types_of_pictures import sound

#: The shape that is asked for, as JSON schema.
REPLY_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"description": {"type": "string"}, "code": {"type": "string"}},
    "required": ["description", "code"],
    "additionalProperties": False,
}

#: The most characters of a description.
_LONGEST = 12_000
#: Characters of a leaking sentence that the model is told.
_TOLD = 200
_NEITHER = 'the reply holds no JSON object {"description": "...", "code": "..."} with two texts'
_TAG = re.compile(r"<[a-z]", re.IGNORECASE)
#: Predicates that are no facts of a picture.
_ASKS = re.compile(r"^[ \t]*(?:answer|solution|question|find|prove|query|goal|option|conclusion)\w{0,20}[ \t]*\(", re.M)


@dataclass(frozen=True, slots=True)
class Described:
    """A description and its code, and what is wrong with them."""

    description: str
    code: str
    language: FormalLanguage
    leaks: tuple[str, ...]
    code_problem: str | None

    @property
    def faults(self) -> tuple[bool, bool, bool]:
        """How bad it is, to compare: nothing left without the leaks, code that does not parse, leaks."""
        return not without_leaks(self.description)[0], self.code_problem is not None, bool(self.leaks)


class Reader:
    """Reads the replies for one picture; ``best`` is the one with the fewest faults, the later of equals."""

    def __init__(self, kind: ImageType, size: tuple[int, int]) -> None:
        self.kind, self.size = kind, size
        self.best: Described | None = None

    def read(self, text: str) -> Described:
        """The reply, if nothing is wrong with it; RowError with all that is."""
        found = described(text, self.kind, self.size)
        if self.best is None or found.faults <= self.best.faults:
            self.best = found
        problems = []
        if found.leaks:
            told = "; ".join(leak if len(leak) <= _TOLD else leak[:_TOLD] + "…" for leak in found.leaks[:3])
            problems.append(f"the description may only say what can be seen, leave out or say otherwise: {told}")
        if found.code_problem:
            problems.append(f"the code is no {found.language}: {found.code_problem}")
        if problems:
            raise RowError("\n".join(problems))
        return found


def described(text: str, kind: ImageType, size: tuple[int, int]) -> Described:
    """Description and code of a reply, and what is wrong with them; RowError if there are none."""
    description, code = _texts(text)
    language = FORMAL_LANGUAGE[kind]
    if kind == "document_ui" and not _TAG.search(code):
        language = "text"
    problem = parse_problem(code, language, size)
    if problem is None and kind == "table" and "<table" not in code.lower():
        problem = "there is no <table> in it"
    if problem is None and language == "predicates" and (asks := _ASKS.search(code)):
        problem = f"{asks[0].strip()[:-1]} is no fact of the picture"
    return Described(description, code, language, tuple(leaks_in(description)), problem)


def _texts(text: str) -> tuple[str, str]:
    """The two texts of the last object in a reply that holds a description."""
    try:
        found = extract_all(text)
    except RowError as error:
        raise RowError(f"{_NEITHER} ({error})") from None
    if any(each.cut for each in found):
        raise RowError("the reply is cut off, its JSON has no end")
    for each in reversed(found):
        if isinstance(each.value, Mapping) and "description" in each.value:
            return _said(each.value)
    raise RowError(_NEITHER)


def _said(value: Mapping[str, Any]) -> tuple[str, str]:
    description, code = value["description"], value.get("code")
    if isinstance(code, Mapping | list):  # a scene graph that is not in a text
        code = json.dumps(code, ensure_ascii=False)
    if not isinstance(description, str) or not description.strip():
        raise RowError("the description is empty, or no text")
    if not isinstance(code, str | None):
        raise RowError("the code is no text")
    try:
        description, code = sound(description).strip(), bare(sound(code or ""))
    except ValueError as error:
        raise RowError(str(error)) from None
    if len(description) > _LONGEST:
        raise RowError(f"the description has {len(description):,} characters, more than {_LONGEST:,}")
    return description, code


#: Lines of text, and characters of the caption, that are told.
_LINES, _CAPTION = 150, 6000


def request_of(row: Record, prompt: Prompt, facts: Prompt, seed: int | None) -> Request:
    """The request for a picture's description and code; it holds the picture and the facts."""
    language = FORMAL_LANGUAGE[row["image_type"]]
    lines = [line for each in rows_of(row["ocr"]) for line in each][:_LINES]
    filled = facts.fill(
        image_type=row["image_type"],
        width=row["width"],
        height=row["height"],
        language="html, or text if it is running text" if row["image_type"] == "document_ui" else language,
        caption=row["dense_caption"][:_CAPTION].strip(),
        detected=row["detector"] not in (NOT_RUN, NOT_FOR_THIS_TYPE),
        objects=[f"{plain(each.label, 60)} {_box(each.box)}{_sure(each.score)}" for each in told(row["detections"])],
        read=row["ocr_by"] != NOT_RUN,
        texts=[f'"{plain(line.text)}" {_box(line.box)}' for line in lines],
    )
    return Request(
        filled,
        system=prompt.text,
        images=(str(row["picture"]),),
        seed=seed,
        json_schema=REPLY_SCHEMA,
        schema_name="description",
        expect=DESCRIBE_TOKENS,
    )


def _box(box: tuple[float, float, float, float]) -> str:
    return f"({', '.join(str(round(corner)) for corner in box)})"


def _sure(score: float) -> str:
    return f", score {score:.2f}" if math.isfinite(score) else ""
