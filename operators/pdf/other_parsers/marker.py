"""Marker's JSON, blocks of HTML in a tree, as entries."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from operators.pdf.other_parsers.entries import Entries

_KINDS = {
    "Equation": "equation",
    "Code": "code",
    "Footnote": "page_footnote",
    "PageHeader": "header",
    "PageFooter": "footer",
    "Picture": "image",
    "Figure": "image",
    "Diagram": "chart",
    "Table": "table",
    "Form": "table",
    "TableOfContents": "table",
}


def entries(data: dict[str, Any]) -> Entries:
    """The entries of a document in its reading order; captions stand with what is in their group."""
    made = Entries()
    for number, page in enumerate(_children(data)):
        found = re.match(r"/page/(\d{1,6})/", str(page.get("id")))
        corners = _box(page) or [0.0, 0.0, 0.0, 0.0]
        _read(made, page, int(found[1]) if found else number, corners)
    return made


def _read(made: Entries, group: dict[str, Any], page: int, corners: list[float]) -> None:
    """Add a group's blocks; groups within groups are few, and no deeper than JSON may be."""
    blocks = _children(group)
    shown = ("image", "chart", "table")
    owner = next((each for each in blocks if _KINDS.get(str(each.get("block_type"))) in shown), None)
    captions = [_text(each) for each in blocks if owner is not None and each.get("block_type") == "Caption"]
    for block in blocks:
        name = str(block.get("block_type"))
        if name == "Caption" and owner is not None:
            continue
        if _children(block) and name not in _KINDS:
            _read(made, block, page, corners)
            continue
        _add(made, block, page, corners, captions if block is owner else [])


def _add(made: Entries, block: dict[str, Any], page: int, corners: list[float], captions: list[str]) -> None:
    name, markup = str(block.get("block_type")), str(block.get("html") or "")
    kind = _KINDS.get(name, "text")
    text = markup if kind == "table" else "" if kind in ("image", "chart") else _text(block)
    level = re.match(r"\s*<h([1-6])", markup)
    made.add(
        kind,
        text.strip("$ \n") if kind == "equation" else text,
        page,
        _on_page(_box(block), corners),
        (corners[2] - corners[0], corners[3] - corners[1]),
        text_level=(int(level[1]) if level else 2) if name == "SectionHeader" else None,
        image_caption=captions if kind in ("image", "chart") else [],
        table_caption=captions if kind == "table" else [],
    )
    pictures = block.get("images")
    if kind in ("image", "chart") and isinstance(pictures, dict) and pictures:
        made.picture(next(iter(pictures.values())))


class _Words(HTMLParser):
    """The words of a piece of HTML, its formulas between dollars."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """A formula or a line begins."""
        self.parts.append({"math": "$", "br": "\n", "p": "\n", "li": "\n"}.get(tag, ""))

    def handle_endtag(self, tag: str) -> None:
        """A formula ends."""
        self.parts.append("$" if tag == "math" else "")

    def handle_data(self, data: str) -> None:
        """Words."""
        self.parts.append(data)


def _text(block: dict[str, Any]) -> str:
    words = _Words()
    words.feed(str(block.get("html") or ""))
    words.close()
    return "".join(words.parts).strip()


def _box(block: dict[str, Any]) -> list[float] | None:
    try:
        left, top, right, bottom = map(float, block["bbox"])
    except (KeyError, TypeError, ValueError):
        return None
    return [left, top, right, bottom]


def _on_page(box: list[float] | None, corners: list[float]) -> list[float] | None:
    return None if box is None else [value - corners[n % 2] for n, value in enumerate(box)]


def _children(block: dict[str, Any]) -> list[dict[str, Any]]:
    found = block.get("children")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
