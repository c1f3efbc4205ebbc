"""Documents as other parsers than MinerU write them, Docling and Marker, in the form of MinerU's flat list."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


@dataclass
class Entries:
    """Entries as MinerU's flat list has them, and by their place the bytes of pictures that came with them."""

    listed: list[dict[str, Any]] = field(default_factory=list)
    pictures: dict[int, bytes] = field(default_factory=dict)

    def add(
        self, kind: str, text: str, page: int, box: Sequence[float] | None, size: Sequence[float], **more: Any
    ) -> None:
        """Add an entry; ``box`` is x0, y0, x1, y1 on a page of that width and height, y downwards."""
        entry = {"type": kind, "text": text, "page_idx": page, **more}
        if box is not None and len(size) == 2 and min(size) > 0:
            scaled = [1000 * value / size[n % 2] for n, value in enumerate(box)]
            entry["bbox"] = [round(min(1000, max(0, value))) for value in scaled]
        self.listed.append({name: value for name, value in entry.items() if value not in (None, "", [])})

    def picture(self, encoded: object) -> None:
        """Give the last entry a picture in base64, as data or a data URL; what is none of these is left out."""
        try:
            body = str(encoded).rpartition(",")[2] if str(encoded).startswith("data:") else str(encoded)
            self.pictures[len(self.listed) - 1] = base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError):
            return

    def kept_in(self, folder: Path) -> dict[int, str]:
        """The pictures as files, by the places of their entries."""
        paths = {}
        for place, data in self.pictures.items():
            path = folder / f"picture-{place}"
            path.write_bytes(data)
            paths[place] = str(path)
        return paths


_DOCLING_KINDS = {
    "formula": "equation",
    "code": "code",
    "footnote": "page_footnote",
    "page_header": "header",
    "page_footer": "footer",
    "picture": "image",
    "chart": "chart",
    "table": "table",
    "document_index": "table",
}


def _docling_entries(data: dict[str, Any]) -> Entries:
    """The entries of a Docling document in its reading order; captions stand with what they belong to."""
    made = Entries()
    owners = [item for kind in ("pictures", "tables") for item in _list(data, kind)]
    told = {each.get("$ref") for item in owners for each in _captions(item)}
    for item in _walk(data, told):
        _add_docling(made, data, item)
    return made


def _walk(data: dict[str, Any], told: set[Any]) -> Iterator[dict[str, Any]]:
    """The items that the body holds, in order; parts of one line as one text."""
    waiting = [each for root in ("furniture", "body") for each in _list(data.get(root), "children")][::-1]
    while waiting:
        ref = waiting.pop()
        item = _at(data, ref)
        if item is None or ref.get("$ref") in told:
            continue
        told.add(ref["$ref"])
        parts = [part for each in _list(item, "children") if (part := _at(data, each)) is not None]
        if item.get("label") == "inline" and parts:
            told |= {each.get("$ref") for each in _list(item, "children")}
            yield {"label": "text", "text": " ".join(map(_inline, parts)), "prov": parts[0].get("prov")}
            continue
        if not str(ref["$ref"]).startswith("#/groups/"):
            yield item
        waiting += _list(item, "children")[::-1]


def _add_docling(made: Entries, data: dict[str, Any], item: dict[str, Any]) -> None:
    label = str(item.get("label"))
    kind, text = _DOCLING_KINDS.get(label, "text"), str(item.get("text") or "")
    places = _list(item, "prov")
    place = places[0] if places and isinstance(places[0], dict) else {}
    number = place.get("page_no")
    size = ((data.get("pages") or {}).get(str(number)) or {}).get("size") or {}
    width, height = (float(size.get(side) or 0) for side in ("width", "height"))
    if label == "list_item" and item.get("enumerated"):
        text = f"{item.get('marker') or ''} {text}".strip()
    captions = [str(found.get("text") or "") for each in _captions(item) if (found := _at(data, each)) is not None]
    image = item.get("image") or {}
    address = str(image.get("uri") or "") if isinstance(image, dict) else ""
    made.add(
        kind,
        _html(item.get("data") or {}) if kind == "table" else text,
        number - 1 if isinstance(number, int) else 0,
        _docling_box(place.get("bbox"), height),
        (width, height),
        text_level={"title": 1, "section_header": item.get("level") or 1}.get(label),
        img_path="" if address.startswith("data:") or kind not in ("image", "chart") else address,
        image_caption=captions if kind in ("image", "chart") else [],
        table_caption=captions if kind == "table" else [],
    )
    if address.startswith("data:") and kind in ("image", "chart"):
        made.picture(address)


def _docling_box(box: Any, height: float) -> list[float] | None:
    try:
        left, top, right, bottom = (float(box[side]) for side in "ltrb")
    except (TypeError, KeyError, ValueError):
        return None
    if box.get("coord_origin") == "BOTTOMLEFT":
        top, bottom = height - top, height - bottom
    return [left, top, right, bottom]


def _html(table: dict[str, Any]) -> str:
    """The table's cells, each once, row by row."""
    rows: dict[int, list[str]] = {}
    for cell in sorted(_list(table, "table_cells"), key=lambda each: int(each.get("start_col_offset_idx") or 0)):
        spans = {"rowspan": cell.get("row_span"), "colspan": cell.get("col_span")}
        said = "".join(f' {name}="{int(span)}"' for name, span in spans.items() if isinstance(span, int) and span > 1)
        text = escape(str(cell.get("text") or ""), quote=False)
        rows.setdefault(int(cell.get("start_row_offset_idx") or 0), []).append(f"<td{said}>{text}</td>")
    return "<table>" + "".join(f"<tr>{''.join(rows[row])}</tr>" for row in sorted(rows)) + "</table>" if rows else ""


def _inline(item: dict[str, Any]) -> str:
    text = str(item.get("text") or "")
    return f"${text}$" if item.get("label") == "formula" else text


def _captions(item: dict[str, Any]) -> list[dict[str, Any]]:
    return _list(item, "captions")


def _list(item: Any, name: str) -> list[dict[str, Any]]:
    found = item.get(name) if isinstance(item, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _at(data: dict[str, Any], ref: dict[str, Any]) -> dict[str, Any] | None:
    """The item that a reference such as ``#/texts/3`` leads to."""
    try:
        _, kind, place = str(ref.get("$ref")).split("/")
        found = data[kind][int(place)]
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    return found if isinstance(found, dict) else None


_MARKER_KINDS = {
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


def _marker_entries(data: dict[str, Any]) -> Entries:
    """The entries of a Marker document in its reading order; captions stand with what is in their group."""
    made = Entries()
    for number, page in enumerate(_children(data)):
        found = re.match(r"/page/(\d{1,6})/", str(page.get("id")))
        corners = _marker_box(page) or [0.0, 0.0, 0.0, 0.0]
        _read(made, page, int(found[1]) if found else number, corners)
    return made


def _read(made: Entries, group: dict[str, Any], page: int, corners: list[float]) -> None:
    """Add a group's blocks; groups within groups are few, and no deeper than JSON may be."""
    blocks = _children(group)
    shown = ("image", "chart", "table")
    owner = next((each for each in blocks if _MARKER_KINDS.get(str(each.get("block_type"))) in shown), None)
    captions = [_text(each) for each in blocks if owner is not None and each.get("block_type") == "Caption"]
    for block in blocks:
        name = str(block.get("block_type"))
        if name == "Caption" and owner is not None:
            continue
        if _children(block) and name not in _MARKER_KINDS:
            _read(made, block, page, corners)
            continue
        _add_marker(made, block, page, corners, captions if block is owner else [])


def _add_marker(made: Entries, block: dict[str, Any], page: int, corners: list[float], captions: list[str]) -> None:
    name, markup = str(block.get("block_type")), str(block.get("html") or "")
    kind = _MARKER_KINDS.get(name, "text")
    text = markup if kind == "table" else "" if kind in ("image", "chart") else _text(block)
    level = re.match(r"\s*<h([1-6])", markup)
    made.add(
        kind,
        text.strip("$ \n") if kind == "equation" else text,
        page,
        _on_page(_marker_box(block), corners),
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


def _marker_box(block: dict[str, Any]) -> list[float] | None:
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


def entries_of(data: dict[str, Any]) -> tuple[str, Entries] | None:
    """The name of the form that a JSON object has, with its entries; None if it is of no other parser."""
    if data.get("schema_name") == "DoclingDocument":
        return "docling", _docling_entries(data)
    if data.get("block_type") == "Document" and isinstance(data.get("children"), list):
        return "marker", _marker_entries(data)
    return None
