"""A picture's description and its formal code: asked of a model and checked at once, or put together by rules."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataflow_ext import Prompt
from dataflow_ext.errors import RowError
from dataflow_ext.models import Request
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.ocr import OCRLine
from dataflow_ext.outcomes import Record
from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import masked
from operators.onevision.describing.leaks import leaks_in, without_leaks
from operators.onevision.describing.places import place_of, plain, rows_of, scene_graph_of, table_of, text_of, told
from operators.onevision.formal import bare, parse_problem
from operators.onevision.image_types import sound
from operators.onevision.model.language import language_of, pieces
from operators.onevision.model.records import (
    BY_RULES,
    DESCRIBE_TOKENS,
    FORMAL_LANGUAGE,
    NOT_FOR_THIS_TYPE,
    NOT_RUN,
    Detection,
    FormalLanguage,
    ImageType,
)

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
_TOLD_LINES, _TOLD_CAPTION = 150, 6000


def request_of(row: Record, prompt: Prompt, facts: Prompt, seed: int | None) -> Request:
    """The request for a picture's description and code; it holds the picture and the facts."""
    language = FORMAL_LANGUAGE[row["image_type"]]
    lines = [line for each in rows_of(row["ocr"]) for line in each][:_TOLD_LINES]
    filled = facts.fill(
        image_type=row["image_type"],
        width=row["width"],
        height=row["height"],
        language="html, or text if it is running text" if row["image_type"] == "document_ui" else language,
        caption=row["dense_caption"][:_TOLD_CAPTION].strip(),
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


def _third(found: re.Match[str]) -> str:
    return "has" if found[1] == "have" else f"{found[1]}s"


#: Habits of captions that guess nothing, and their plain form.
_PLAIN = (
    (re.compile(r"\b(?:appears|seems) to (show|depict|display|contain|represent|illustrate|include|have)\b"), _third),
    (re.compile(r"\b(?:appear|seem) to (show|depict|display|contain|represent|illustrate|include|have)\b"), r"\1"),
    (re.compile(r"\b(?:appears|seems) to be\b"), "is"),
    (re.compile(r"\b(?:appear|seem) to be\b"), "are"),
    (re.compile(r"\bIt (?:appears|seems)(?: that)? (\w)"), lambda found: found[1].upper()),
    (re.compile(r"看起来(?:像)?是|似乎是"), "是"),
)
_PATTERNS = patterns(__package__, "guesses.tsv")
#: A clause at a sentence's end that guesses, tells a mood or a purpose.
_CLAUSE = re.compile(_PATTERNS["clause"])
_GUESS = re.compile(_PATTERNS["guess"], re.IGNORECASE)


def without_guesses(caption: str) -> str:
    """The caption without clauses and sentences that guess; if nothing else is in it, as it was.

    >>> without_guesses("It seems that a man is on a bench, possibly waiting. He may be tired. A dog lies there.")
    'A man is on a bench. A dog lies there.'
    """
    for pattern, said in _PLAIN:
        caption = pattern.sub(said, caption)
    kept = []
    for sentence in pieces(caption):
        shorter = _cut(sentence)
        if not _GUESS.search(masked(shorter)):
            kept.append(shorter)
    return "".join(kept).strip() or caption.strip()


def _cut(sentence: str) -> str:
    """The sentence without its guessing clauses; what stands in quotation marks is none."""
    parts = []
    start = 0
    for found in _CLAUSE.finditer(masked(sentence)):
        parts.append(sentence[start : found.start()])
        start = found.end()
    return "".join(parts) + sentence[start:]


#: Lines of text that a description quotes.
_LINES = 120
PARSED = "parsed"


def described_by_rules(row: Record) -> Record:
    """Description and formal code of a picture, from what is known of it; tools that were not run are not spoken of."""
    caption, leaks = without_leaks(without_guesses(row["dense_caption"]))
    # In the caption's language, without one in that of the text in the picture.
    chinese = language_of(caption or " ".join(line.text for line in row["ocr"][:_LINES])) == "zh"
    parts = [caption]
    if _ran(row["detector"]) and row["detections"]:
        parts.append(_objects(row["detections"], row["width"], row["height"], chinese))
    if _ran(row["ocr_by"]) and row["ocr"]:
        parts.append(_text_read(row["ocr"], chinese))
    language, code = _code(row)
    return {
        "image_formal_description": "\n".join(part for part in parts if part),
        "formal_code": code,
        "formal_language": language,
        "formal_state": NOT_RUN if code is None else PARSED,
        "description_by": BY_RULES,
        "description_leaks": leaks,
    }


def _ran(tool: str) -> bool:
    return tool not in (NOT_RUN, NOT_FOR_THIS_TYPE)


def _objects(detections: Sequence[Detection], width: int, height: int, chinese: bool) -> str:
    said = []
    for each in told(detections):
        place = place_of(each.box, width, height, chinese=chinese)
        box = ", ".join(str(round(corner)) for corner in each.box)
        label = plain(each.label, 60)
        said.append(f"{label}：{place}（{box}）" if chinese else f"{label} at the {place} ({box})")
    if not said:
        return ""
    if chinese:
        return f"物体及其边界框（像素 x0, y0, x1, y1）：{'；'.join(said)}。"
    return f"Objects with boxes (x0, y0, x1, y1 in pixels): {'; '.join(said)}."


def _is_noise(text: str) -> bool:
    """Whether a line was read where there is none: no letter and no digit, or one sign over and over.

    >>> [_is_noise(text) for text in ("★", "wwwwwwwwwww.wwww", "m=6kg", "www.a.org", "70", "O")]
    [True, True, False, False, False, False]
    """
    signs = [each for each in text if each.isalnum()]
    return not signs or (len(signs) > 5 and len(set(signs)) == 1 and not signs[0].isdigit())


def _text_read(ocr: Sequence[OCRLine], chinese: bool) -> str:
    rows = rows_of([line for line in ocr if not _is_noise(line.text)][:_LINES])
    if not rows:
        return ""
    if chinese:
        return f"图中文字，自上而下：{'；'.join('、'.join(f'“{plain(line.text)}”' for line in row) for row in rows)}。"
    said = "; ".join(", ".join(f'"{plain(line.text)}"' for line in row) for row in rows)
    return f"Text in the picture, from top to bottom: {said}."


def _code(row: Record) -> tuple[FormalLanguage, str | None]:
    """The code that rules can give for a picture of this type, in which language; None if they cannot."""
    kind: ImageType = row["image_type"]
    language = FORMAL_LANGUAGE[kind]
    code = None
    if language == "scene_graph" and _ran(row["detector"]):
        code = scene_graph_of(row["detections"])
    elif kind in _FROM_TEXT and _ran(row["ocr_by"]):
        made, make = _FROM_TEXT[kind]
        code = make(row["ocr"])
        language = made if code is not None else language
    if code is None or parse_problem(code, language, (row["width"], row["height"])) is not None:
        return FORMAL_LANGUAGE[kind], None
    return language, code


#: Types whose code can be made of the lines of text, the code's language, and how.
_FROM_TEXT: Mapping[ImageType, tuple[FormalLanguage, Callable[[Sequence[OCRLine]], str | None]]] = {
    "document_ui": ("text", text_of),
    "map_or_other": ("text", text_of),
    "table": ("html", table_of),
}
