"""A formal description by rules: the caption without guesses, the objects with their places, the text that was read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from dataflow_ext.ocr import OCRLine
from dataflow_ext.outcomes import Record
from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import masked
from operators.onevision.describing.layout import place_of, plain, rows_of, scene_graph_of, table_of, text_of, told
from operators.onevision.describing.leaks import without_leaks
from operators.onevision.formal import parse_problem
from operators.onevision.model.language import language_of
from operators.onevision.model.records import (
    BY_RULES,
    FORMAL_LANGUAGE,
    NOT_FOR_THIS_TYPE,
    NOT_RUN,
    Detection,
    FormalLanguage,
    ImageType,
)
from operators.onevision.model.sentences import pieces


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
        parts.append(_texts(row["ocr"], chinese))
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


def _texts(ocr: Sequence[OCRLine], chinese: bool) -> str:
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
