"""Tables to look at in a notebook: a small HTML table with thumbnails, long texts cut, all of it escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.images import IMAGE
from dataflow_ext.report.parts import thumbnail
from dataflow_ext.report.rejects import bare
from dataflow_ext.tables import TableLike, to_table
from dataflow_ext.well_formed import short

#: Pixels of a thumbnail's side.
THUMBNAIL = 160
#: No more pictures than this stand in one cell, and no more letters.
MAX_PICTURES = 4
MAX_LETTERS = 200

#: The title that shows a whole text is cut too, as one cell must not weigh megabytes.
_MAX_TITLE = 4000
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
_CELL = "text-align:left;vertical-align:top;max-width:26em;overflow-wrap:anywhere;white-space:pre-wrap"
_IMAGE = f"max-width:{THUMBNAIL}px;max-height:{THUMBNAIL}px;background:#fff;margin:1px"


class View:
    """The first rows of a table, as HTML in a notebook and as plain text elsewhere."""

    def __init__(self, table: pa.Table, rows: int = 20) -> None:
        self.table = table
        self._rows = max(rows, 0)

    def _repr_html_(self) -> str:
        head = self.table.slice(0, self._rows)
        titles = "".join(
            f'<th style="text-align:left" title="{escape(str(f.type)[:_MAX_TITLE])}">{escape(f.name)}</th>'
            for f in head.schema
        )
        columns = [[_cell(v, f.type) for v in head[i].to_pylist()] for i, f in enumerate(head.schema)]
        lines = "".join(
            "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>"
            for row in zip(*columns, strict=True)
        )
        table = f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"
        return f'<div style="overflow-x:auto">{table}<p>{escape(self._size())}</p></div>'

    def __repr__(self) -> str:
        head = self.table.slice(0, self._rows)
        names = head.column_names
        lines = [
            f"{number}: " + ", ".join(f"{n}={_plain(row[n], 40)}" for n in names)
            for number, row in enumerate(head.to_pylist())
        ]
        return "\n".join([*lines, self._size()])

    def _size(self) -> str:
        rows, columns = self.table.num_rows, self.table.num_columns
        shown = f", the first {self._rows} shown" if rows > self._rows else ""
        return f"{rows} row{'' if rows == 1 else 's'}, {columns} column{'' if columns == 1 else 's'}{shown}"


def show(table: TableLike, rows: int = 20) -> View:
    """The first rows of anything that makes a table, to look at.

    In a notebook pictures, ``struct<bytes, path>`` or paths of picture files, are thumbnails, held in the
    page itself; nothing is fetched from a network. Nested values are compact JSON.

    >>> show([{"label": "例1", "ids": [4, 5]}, {"label": "2", "ids": []}])
    0: label=例1, ids=[4,5]
    1: label=2, ids=[]
    2 rows, 2 columns
    """
    return View(to_table(table), rows)


def _cell(value: Any, dtype: pa.DataType) -> str:
    if value is None:
        return '<span style="opacity:.5">null</span>'
    pictures = _pictures(value, dtype)
    drawn = [_thumbnail(picture) for picture in pictures[:MAX_PICTURES]]
    if drawn and all(drawn):
        left = len(pictures) - len(drawn)
        return "".join(drawn) + (f" and {left} more" if left else "")
    text = _plain(value, MAX_LETTERS)
    whole = _plain(value, _MAX_TITLE)
    return f'<span title="{escape(whole)}">{escape(text)}</span>' if whole != text else escape(text)


def _pictures(value: Any, dtype: pa.DataType) -> list[Mapping[str, Any]]:
    """The pictures that a value stands for, as bytes and path; none if it is anything else."""
    if dtype == IMAGE:
        return [value]
    if pa.types.is_string(dtype) or pa.types.is_large_string(dtype):
        return [{"bytes": None, "path": value}] if value.lower().endswith(_ENDINGS) else []
    if pa.types.is_list(dtype) or pa.types.is_large_list(dtype):
        found = [_pictures(v, dtype.value_type) for v in value if v is not None]
        return list(chain.from_iterable(found)) if all(found) else []
    return []


def _thumbnail(picture: Mapping[str, Any]) -> str:
    """The picture as an ``img`` that holds its bytes, or nothing if it is none after all: that is shown as text."""
    path = picture["path"] or ""
    made = thumbnail(Path(path) if picture["bytes"] is None else picture["bytes"], THUMBNAIL)
    return f'<img src="{made.uri}" style="{_IMAGE}" title="{escape(path)}">' if made.uri else ""


def _plain(value: Any, length: int) -> str:
    if isinstance(value, str):
        text = value[: length + 1]
    elif isinstance(value, (list, dict, tuple)):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=bare)
    else:
        text = str(bare(value))
    return short(text, length)
