"""Docling's JSON, a DoclingDocument, as entries."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from operators.pdf.other_parsers.entries import Entries

_KINDS = {
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


def entries(data: dict[str, Any]) -> Entries:
    """The entries of a document in its reading order; captions stand with what they belong to."""
    made = Entries()
    owners = [item for kind in ("pictures", "tables") for item in _list(data, kind)]
    told = {each.get("$ref") for item in owners for each in _captions(item)}
    for item in _walk(data, told):
        _add(made, data, item)
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


def _add(made: Entries, data: dict[str, Any], item: dict[str, Any]) -> None:
    label = str(item.get("label"))
    kind, text = _KINDS.get(label, "text"), str(item.get("text") or "")
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
        _box(place.get("bbox"), height),
        (width, height),
        text_level={"title": 1, "section_header": item.get("level") or 1}.get(label),
        img_path="" if address.startswith("data:") or kind not in ("image", "chart") else address,
        image_caption=captions if kind in ("image", "chart") else [],
        table_caption=captions if kind == "table" else [],
    )
    if address.startswith("data:") and kind in ("image", "chart"):
        made.picture(address)


def _box(box: Any, height: float) -> list[float] | None:
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
