"""Rows of any table as a page shows them: column by column, filtered by those that have few values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.identity import PARENTS, ROW_ID
from dataflow_ext.report.figures import Report
from dataflow_ext.report.listing import Facet, Listing, ShownRow
from dataflow_ext.report.page import NAME, Page, write_report
from dataflow_ext.report.parts import SHOWN_AS_PICTURES, Part, Pictures, el, fields, figure
from dataflow_ext.report.rejects import spelled
from dataflow_ext.report.texts import rich
from dataflow_ext.tables import records
from dataflow_ext.well_formed import short

#: Values that a column may have to be filtered by, and their letters.
_FEW, _SHORT = 60, 80
#: Pictures of a cell that are shown.
_PICTURES = 12


def table_listing(table: pa.Table, pictures: Pictures) -> Listing:
    """All rows of a table; a column ``row_id`` names them, else their places do."""
    facets = [Facet(_name(place), name) for place, name in enumerate(table.column_names) if _is_filter(table[name])]
    return Listing("rows", "Rows", _rows(table, facets, pictures), facets, nothing="There is no row.")


def table_page(
    table: pa.Table,
    out: Path,
    report: Report | None = None,
    rejects: pa.Table | None = None,
    *,
    name: str = NAME,
    base: Path | None = None,
) -> Path:
    """The path of a page with all rows of a table, whatever they are; pictures are looked for from ``base``, or out."""
    page = Page(
        title=Path(out).absolute().name if name == NAME else name.removesuffix(".html"),
        kind="Rows",
        listings=[table_listing(table, Pictures(base or out))],
        figures=[
            _counted(table.num_rows, "row"),
            *([_counted(rejects.num_rows, "reject")] if rejects is not None and rejects.num_rows else []),
        ],
    )
    return write_report(page, out, report, rejects, name=name)


def _counted(number: int, what: str) -> Part:
    return figure(number, what if number == 1 else f"{what}s")


def _name(place: int) -> str:
    """A facet's name in links: columns may be called as the address's own words are."""
    return f"column{place}"


def _is_filter(column: pa.ChunkedArray) -> bool:
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_boolean)
    if not any(is_kind(column.type) for is_kind in kinds):
        return False
    values = pc.unique(column)
    if not 1 <= len(values) <= min(_FEW, max(2, len(column) // 2)):
        return False
    return all(len(spelled(value)) <= _SHORT for value in values.to_pylist())


def _rows(table: pa.Table, facets: list[Facet], pictures: Pictures) -> Iterator[ShownRow]:
    for place, row in enumerate(records(table), 1):
        shown = {name: value for name, value in row.items() if name not in (ROW_ID, PARENTS) and value is not None}
        texts = {name: spelled(value) for name, value in shown.items()}
        yield ShownRow(
            str(row.get(ROW_ID) or place),
            [fields((name, _cell(value, texts[name], pictures)) for name, value in shown.items())],
            texts,
            values={
                facet.name: [(short(texts[facet.title], _SHORT),)] if texts.get(facet.title) else [] for facet in facets
            },
        )


def _cell(value: Any, text: str, pictures: Pictures) -> Part:
    """A value's pictures if it names any, else its text."""
    shown = [_picture(each, pictures) for each in (value if isinstance(value, list) else [value])[:_PICTURES]]
    if shown and all(shown):
        return el("div", *(part for part in shown if part), look="strip small")
    return rich(text)


def _picture(value: Any, pictures: Pictures) -> Part | None:
    path = value.get("path") if isinstance(value, Mapping) and "bytes" in value else value
    if not isinstance(path, str) or Path(path[-200:]).suffix.lower() not in SHOWN_AS_PICTURES:
        return None
    return pictures.of(path, short(path, _SHORT))
