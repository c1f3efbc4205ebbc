"""Entries of a MinerU list of any version read into content items, and equations put back into their sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from operators.pdf.blocks import ContentItem
from operators.pdf.mineru.fields import (
    Box,
    Notes,
    Pictures,
    box_of,
    captions_of,
    flat,
    level_of,
    lines_of,
    list_items_of,
    plain,
    shown,
    unfenced,
)

#: MinerU's names of types, of all versions, and ours.
KINDS = {
    "text": "text",
    "title": "text",
    "doc_title": "text",
    "paragraph_title": "text",
    "paragraph": "text",
    "abstract": "text",
    "ref_text": "text",
    "phonetic": "text",
    "list": "list",
    "index": "list",
    "image": "image",
    "seal": "image",
    "chart": "chart",
    "table": "table",
    "equation": "equation",
    "interline_equation": "equation",
    "equation_interline": "equation",
    "code": "code",
    "algorithm": "code",
    "header": "header",
    "page_header": "header",
    "footer": "footer",
    "page_footer": "footer",
    "page_number": "page_number",
    "aside_text": "aside_text",
    "page_aside_text": "aside_text",
    "page_footnote": "page_footnote",
}

#: Headings whose entry names no level.
_LEVELS = {"title": 1, "doc_title": 1, "paragraph_title": 2}

#: Where the words of a kind stand, the first field with words wins.
_WORDS = {
    "text": ("text", "paragraph_content", "title_content", "content"),
    "list": ("text", "content"),
    "image": ("content", "text", "seal_content"),
    "chart": ("content", "text"),
    "table": ("table_body", "html", "content", "text"),
    "equation": ("text", "math_content", "content", "latex"),
    "code": ("code_body", "code_content", "algorithm_content", "content", "text"),
    "header": ("text", "page_header_content", "content"),
    "footer": ("text", "page_footer_content", "content"),
    "page_number": ("text", "page_number_content", "content"),
    "aside_text": ("text", "page_aside_text_content", "content"),
    "page_footnote": ("text", "page_footnote_content", "content"),
}

#: Kinds whose texts are not the Markdown of running words.
_UNMARKED = frozenset({"equation", "table", "image", "chart"})

#: Fields that hold words under a name not foreseen for the entry's type.
_WORDY = re.compile(r"(?:.*_)?(?:text|content|body|html|latex)$")


class EntryReader:
    """Reads the entries of one list and notes whatever is odd about them.

    ``structured`` says that they are version 4's: boxes count from 0 to 1, texts are Markdown.
    """

    def __init__(self, root: Path, file: int, *, structured: bool = False) -> None:
        self.notes = Notes()
        self.pictures = Pictures(root)
        self._file = file
        self._structured = structured

    def read(self, entry: object, index: int, page: int) -> ContentItem | None:
        """The item for this entry; None, with a note, if there is nothing to keep."""
        if isinstance(entry, str):
            self.notes.add(index, "is bare text, not an object; kept as text")
            entry = {"type": "text", "text": entry}
        if not isinstance(entry, dict):
            self.notes.add(index, f"is {shown(entry)}, not an object; left out")
            return None
        fields = _spread(entry)
        name = fields.get("type")
        kind = KINDS.get(name) if isinstance(name, str) else None
        captions, footnotes = _sides(fields)
        image = self._image(fields, index)
        text, items = self._words(fields, kind, index)
        if kind is None:
            kind = _kind_by_content(text, items, image, captions or footnotes)
            done = f"kept as {kind}" if kind else "left out, as it has neither text nor picture"
            said = f"type {shown(name)} is not known" if "type" in fields else "has no type"
            self.notes.add(index, f"{said}; {done}")
            if kind is None:
                return None
        if self._structured:
            text = _unmarked(text, kind)
            items, captions, footnotes = ([plain(part) for part in parts] for parts in (items, captions, footnotes))
        return ContentItem(
            type=kind,
            text=text,
            level=self._level(fields, name, index),
            items=items,
            captions=captions,
            footnotes=footnotes,
            image=image,
            page=page,
            box=self._box(fields, index),
            file=self._file,
            ref=str(index),
        )

    def _words(self, fields: dict[str, object], kind: str | None, index: int) -> tuple[str, list[str]]:
        text = self._text(fields, kind, index)
        if "list_items" not in fields:
            return ("", lines_of(text)) if kind == "list" else (text, [])
        raw = fields["list_items"]
        if isinstance(raw, str):
            return text, lines_of(raw)
        if not isinstance(raw, list):
            if raw is not None:
                self.notes.add(index, f"field 'list_items' is {shown(raw)}, not a list; kept as one item")
            return text, list_items_of(raw) if flat(raw) else []
        items = list_items_of(raw)
        if any(part is None or isinstance(part, int | float) for part in raw):
            self.notes.add(index, "field 'list_items' has entries that are not text; kept as text or blank")
        return text, items

    def _text(self, fields: dict[str, object], kind: str | None, index: int) -> str:
        wanted = _WORDS[kind] if kind else ()
        for key in wanted:
            value = fields.get(key)
            if value is not None:
                text = self._field(value, key, index)
                if text.strip():
                    return text
        for key, value in fields.items():
            if _is_wordy(key) and key not in wanted:
                text = self._field(value, key, index)
                if text.strip():
                    if kind:
                        self.notes.add(index, f"its text was found in field {shown(key)}")
                    return text
        first = fields.get(wanted[0]) if wanted else None
        return first if isinstance(first, str) else ""

    def _field(self, value: object, key: str, index: int) -> str:
        if isinstance(value, str):
            return value
        text = flat(value)
        if isinstance(value, bool | int | float):
            done = "kept as text" if text else "left out"
            self.notes.add(index, f"field {shown(key)} is {shown(value)}, not text; {done}")
        elif value and not text:
            self.notes.add(index, f"field {shown(key)} is {shown(value)} in which no words were found")
        return text

    def _image(self, fields: dict[str, object], index: int) -> str | None:
        for key in ("img_path", "image_source", "image_path"):
            value = fields.get(key)
            if isinstance(value, dict):
                value = value.get("path")
            if value is None:
                continue
            if not isinstance(value, str):
                self.notes.add(index, f"field {shown(key)} is {shown(value)}, not a path; left out")
                continue
            # MinerU writes "" or "images/" where it cut out no picture.
            if not value.strip() or value.endswith("/"):
                continue
            path, reason = self.pictures.find(value)
            if reason:
                self.notes.add(index, f"field {shown(key)}, {shown(value)}, {reason}; the picture is left out")
            if path:
                return path
        return None

    def _level(self, fields: dict[str, object], name: object, index: int) -> int | None:
        value = fields.get("text_level", fields.get("level"))
        if value is None:
            return _LEVELS.get(name) if isinstance(name, str) else None
        level = level_of(value)
        # Level 0 is how older versions say "no heading".
        if level is None and (type(value) is not int or value != 0):
            self.notes.add(index, f"heading level {shown(value)} is not a number from 1 to 9; left out")
        return level

    def _box(self, fields: dict[str, object], index: int) -> Box | None:
        value = fields.get("bbox")
        if value is None:
            return None
        box = box_of(value, fraction=self._structured)
        if box is None:
            self.notes.add(index, f"field 'bbox', {_shown_box(value)}, is not a box on the page; left out")
        return box


def _unmarked(text: str, kind: str) -> str:
    """The text of a version 4 block; formulas, tables and what was read in pictures stay as they are."""
    if kind == "code":
        return unfenced(text)
    return text if kind in _UNMARKED else plain(text)


def _spread(entry: dict[str, object]) -> dict[str, object]:
    """The entry's fields on one level: the second form keeps most of them under ``content``."""
    content = entry.get("content")
    if not isinstance(content, dict):
        return entry
    outer = {key: value for key, value in entry.items() if key != "content"}
    return {**content, **outer}


def _sides(fields: dict[str, object]) -> tuple[list[str], list[str]]:
    captions: list[str] = []
    footnotes: list[str] = []
    for key, value in fields.items():
        name = _side(key)
        if name and value:
            side = captions if name == "caption" else footnotes
            texts = captions_of(value)
            # An entry that carries the old and the new name of the field says everything twice.
            if texts != side:
                side += texts
    return captions, footnotes


@lru_cache(maxsize=1024)
def _is_wordy(key: str) -> bool:
    return _WORDY.match(key) is not None


@lru_cache(maxsize=1024)
def _side(key: str) -> str:
    if key.endswith(("_caption", "captions")) or key == "caption":
        return "caption"
    return "footnote" if key.endswith(("_footnote", "footnotes")) or key == "footnote" else ""


def _kind_by_content(text: str, items: list[str], image: str | None, sides: list[str]) -> str | None:
    if items:
        return "list"
    if text.strip():
        return "text"
    return "image" if image or sides else None


def _shown_box(value: object) -> str:
    if isinstance(value, list) and len(value) <= 6:
        return "[" + ", ".join(map(shown, value)) + "]"
    return shown(value)


#: What a text ends with that is complete, or that leads up to a formula on a line of its own.
_ENDED = re.compile(r"[.。．!！?？:：;；…][\"'”’)）\]】」』]*$")
#: How a text begins in the middle of a sentence: a small letter that is no label, or a mark that needs words before it.
_GOES_ON = re.compile(r"[a-z]{2,}\b(?![.．、)）])|[,，。、;；)）]|\.(?!\d)")
#: Formulas of several lines, or with a number of their own, stand apart on purpose.
_APART = re.compile(r"\\begin\b|\\\\|\\tag\b|\n\s*\S+.*\n")


def joined(items: Sequence[ContentItem]) -> list[ContentItem]:
    """The items, with every equation that surely interrupts a sentence joined to it, as ``$…$``.

    Sure is: one line of LaTeX between two texts or lists of one page, of which the first does not end a
    sentence and the second begins in the middle of one. The whole takes the first one's place; the
    second's entry of a list stays as "", so that the positions of the others hold.

    >>> parts = [ContentItem("text", "Let"), ContentItem("equation", "$$a^2$$"), ContentItem("text", "be 9.")]
    >>> [item.text for item in joined(parts)]
    ['Let $a^2$ be 9.']
    """
    out: list[ContentItem] = []
    place = 0
    while place < len(items):
        item = items[place]
        after = items[place + 1] if place + 1 < len(items) else None
        if item.type == "equation" and out and after is not None and _interrupts(out[-1], item, after):
            rest = _join(out[-1], _inline(item.text), after)
            # What follows may be interrupted again, so the rest is only passed over if nothing is left of it.
            if rest:
                out.append(after)
            place += 2
        else:
            out.append(item)
            place += 1
    return out


def _interrupts(before: ContentItem, equation: ContentItem, after: ContentItem) -> bool:
    if not before.page == equation.page == after.page or not _inline(equation.text):
        return False
    if _APART.search(_inline(equation.text)) or any(item.captions or item.footnotes for item in (equation, after)):
        return False
    start, end = _last(before).rstrip(), _first(after).lstrip()
    return bool(start) and not _ENDED.search(start) and _GOES_ON.match(end) is not None


def _last(item: ContentItem) -> str:
    """The words that the equation would follow; none if the item takes no equation."""
    if item.type == "list" and item.items:
        return item.items[-1]
    return item.text if _is_prose(item) else ""


def _first(item: ContentItem) -> str:
    if item.type == "list" and item.items:
        return "" if item.text else item.items[0]
    return item.text if _is_prose(item) else ""


def _is_prose(item: ContentItem) -> bool:
    return item.type == "text" and item.level is None and not item.items and item.image is None


def _join(before: ContentItem, equation: str, after: ContentItem) -> bool:
    """Put the equation and the first words of ``after`` to ``before``; whether anything is left of ``after``."""
    words = _first(after).strip()
    gap = "" if re.match(r"[,，。、;；.)）]", words) else " "
    whole = f"{_last(before).rstrip()} ${equation}${gap}{words}"
    if before.type == "list" and before.items:
        before.items[-1] = whole
    else:
        before.text = whole
    if after.type == "list" and after.items:
        after.items[0] = ""
        return any(text.strip() for text in after.items)
    return False


def _inline(text: str) -> str:
    """The LaTeX without the marks of a formula.

    >>> _inline("$$ x+1 $$")
    'x+1'
    """
    text = text.strip()
    for opening, closing in (("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)")):
        if len(text) > len(opening + closing) and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return "" if text.strip("$") == "" else text
