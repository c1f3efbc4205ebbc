"""The page to look at after a run: figures, numbering, rows beside their pages, text in no row, and rejects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from jinja2 import Environment, Template
from markupsafe import Markup

from dataflow_ext.report import Report
from dataflow_ext.report.listing import Facet, Listing, ShownRow
from dataflow_ext.report.pages import page_templates, short
from dataflow_ext.report.rejects import readable
from dataflow_ext.report.run_page import RunPage, write_run_page
from operators.pdf.output.checks import SURE, UNREAD, rows_to_check
from operators.pdf.output.crops import Crop, Crops
from operators.pdf.output.gaps import numbering_gaps
from operators.pdf.output.page_rows import FACETS, shown_rows
from operators.pdf.output.page_text import text_html

_TEMPLATES = Path(__file__).parent / "templates"

_MOST_INPUT = 300


def write_page(
    table: pa.Table,
    rejects: pa.Table,
    report: Report,
    crops: Crops,
    out: Path,
    *,
    reading: str = "",
    outside: Sequence[Mapping[str, Any]] = (),
    unread: float | None = None,
) -> Path:
    """The path of ``out/report.html``, which opens from a disk or a server; see ``dataflow_ext.report.run_page``.

    Its pictures are those that ``write_outputs`` and ``page_crops`` put into ``out``. ``reading`` tells how the pages
    were read. ``outside`` are the blocks in no row: ``kind``, ``page`` (from 0), ``text``, and if known ``box``,
    ``source_ref``, ``document``, ``name`` and ``file``; ``unread`` is the share of the text that was not read, from 0
    to 1. Whatever the texts hold is shown, never run.
    """
    templates = _templates()
    listings = [
        Listing(
            "rows",
            "Questions",
            shown_rows(table, crops, templates),
            FACETS,
            _crops_note(crops),
            f"This run has no rows{'; the rejects say why.' if rejects.num_rows else '.'}",
        )
    ]
    if outside or unread is not None:
        listings.append(_outside(outside, crops, templates))
    if rejects.num_rows:
        listings.append(_rejects(rejects, templates))
    names = _names(table)
    head = templates.get_template("page_head.html").render(
        **_counts(table, rejects),
        names=names,
        report=report,
        reading=reading,
        calls=[(step, model, used) for (step, model), used in report.calls.items()],
        unread=unread,
        crops=crops,
    )
    page = RunPage(
        title=short(", ".join(names[:3]), 80) or "No rows",
        kind="Questions and answers",
        listings=listings,
        head=Markup(head),  # noqa: S704 - of our template
        foot=Markup(templates.get_template("page_foot.html").render(sure=SURE)),  # noqa: S704
        style=(_TEMPLATES / "rows.css").read_text(encoding="utf-8"),
    )
    return write_run_page(page, out)


def _names(table: pa.Table) -> list[str]:
    called = zip(*(table[name].to_pylist() for name in ("name", "document")), strict=True)
    return list(dict.fromkeys(name or document for name, document in called))


def _counts(table: pa.Table, rejects: pa.Table) -> dict[str, Any]:
    """How many rows there are of each status and doubt, rejects of each kind, and where the numbering has gaps."""
    reasons = rows_to_check(table)
    return {
        "counts": Counter(table["status"].to_pylist()),
        "total": table.num_rows,
        "to_check": len({row for rows in reasons.values() for row in rows}),
        "doubts": _by_reason(reasons, table),
        "kinds": sorted(Counter(rejects["kind"].to_pylist()).items()),
        "gaps": numbering_gaps(table),
    }


def _templates() -> Environment:
    return page_templates(_TEMPLATES, short=_flat, url=quote)


def _crops_note(crops: Crops) -> Markup:
    if crops.left_out:
        return Markup(
            '<p class="quiet">Page crops were made for {:,} rows, those to check first; {:,} more have none.</p>'
        ).format(crops.limit, crops.left_out)
    if not crops.by_row and not crops.problems:
        return Markup('<p class="quiet">No page crops: no PDF with the places of these rows was found.</p>')
    return Markup("")


def _by_reason(reasons: Mapping[str, Sequence[int]], table: pa.Table) -> list[tuple[str, list[tuple[str, int]]]]:
    """The reasons for looking at rows, the most frequent first, each with label and number of its rows."""
    labels = table["label"].to_pylist()
    most = sorted(reasons.items(), key=lambda item: -len(item[1]))
    return [(reason, [(labels[row] or "", row + 1) for row in rows]) for reason, rows in most]


def _outside(blocks: Sequence[Mapping[str, Any]], crops: Crops, templates: Environment) -> Listing:
    names = {block.get("name") for block in blocks if block.get("name")}

    def rows() -> Iterator[ShownRow]:
        template = templates.get_template("outside.html")
        for number, block in enumerate(blocks):
            name = f" – {block['name']}" if len(names) > 1 and block.get("name") else ""
            yield ShownRow(
                partial(_block_html, template, block, crops.outside.get(number, ())),
                block["text"],
                heading=f"p. {block['page'] + 1}{name}",
                state="bad" if block["kind"] == UNREAD else "",
                values={"kind": [(block["kind"],)], "document": [(block["name"],)] if block.get("name") else []},
            )

    facets = (Facet("kind", "Kind"), Facet("document", "Document"))
    return Listing("outside", "Text in no row", rows(), facets, nothing="Every block of text is in a row.")


def _block_html(template: Template, block: Mapping[str, Any], shots: Sequence[Crop], root: str) -> Markup:
    look = "bad" if block["kind"] == UNREAD else ""
    made = template.render(block=block, shots=shots, root=root, look=look, text=text_html(block["text"], (), root))
    return Markup(made)  # noqa: S704 - of our template


def _rejects(rejects: pa.Table, templates: Environment) -> Listing:
    def rows() -> Iterator[ShownRow]:
        template = templates.get_template("reject.html")
        for batch in rejects.to_batches(max_chunksize=1024):
            for reject in batch.to_pylist():
                inputs = readable(reject["inputs"], _MOST_INPUT)
                yield ShownRow(
                    partial(_reject_html, template, reject, inputs),
                    f"{reject['message']}\n{reject['operator']}\n{reject['error']}\n{inputs}",
                    state="bad" if reject["kind"] == "failed" else "",
                    values={name: [(reject[name],)] if reject[name] else [] for name in ("kind", "error", "operator")},
                )

    facets = (Facet("kind", "Kind"), Facet("error", "Reason"), Facet("operator", "Step"))
    return Listing("rejects", "Rejects", rows(), facets)


def _reject_html(template: Template, reject: Mapping[str, Any], inputs: str, root: str) -> Markup:
    return Markup(template.render(reject=reject, inputs=inputs))  # noqa: S704 - of our template


def _flat(text: str | None, length: int) -> str:
    """A text in one line of at most so many letters."""
    return short(" ".join((text or "")[: 4 * length].split()), length)
