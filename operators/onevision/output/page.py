"""The page to look at after a run: figures, rows of each verdict with their pictures, and rejects by reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates
from dataflow_ext.report.rejects import shown_reasons
from dataflow_ext.report.thumbnails import Thumbnails
from dataflow_ext.tables import write_text
from operators.onevision.codes import CODES
from operators.onevision.output.shown import points, shown
from operators.onevision.output.stats import reason_of, rows_of

NAME = "report.html"

#: Rows that are shown of each verdict.
ROWS = {"kept": 12, "review": 12, "dropped": 12}
#: Of one first reason, so many.
_OF_REASON = 2
#: Characters of a line of a reject's inputs.
_LINE = 400


def write_page(table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path) -> Path:
    """The path of ``out/report.html``, one file without scripts that holds its pictures and opens anywhere.

    ``table`` has the finished rows, ``rejects`` and ``report`` are those of the run's result, ``figures`` those of
    :func:`~operators.onevision.output.stats.stats`. Whatever texts hold is shown, never run; a picture that cannot
    be shown leaves an empty frame that says why.
    """
    pictures = Thumbnails(width=300, most=sum(ROWS.values()))
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=Path(out).absolute().name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            sections=[(verdict, shown(_chosen(table, verdict, most), pictures)) for verdict, most in ROWS.items()],
            codes=CODES,
            reasons=shown_reasons(figures["rejects"], _at_home(rejects, Path(out)), reason_of, _LINE),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The page's templates."""
    return page_templates(
        Path(__file__).parent / "templates", spoken=lambda name: str(name).replace("_", " "), points=points
    )


def _at_home(rejects: pa.Table, out: Path) -> Iterator[dict[str, Any]]:
    """The rejects with paths below the folder as they are from within: the page may go elsewhere."""
    home = f"{out.absolute()}/"
    for row in rows_of(rejects):
        yield row | {"inputs": (row["inputs"] or "").replace(home, "")}


def _chosen(table: pa.Table, verdict: str, most: int) -> pa.Table:
    """Some rows of a verdict, by id: of as many types of pictures, or first reasons, as can be."""
    of_verdict = table.filter(pc.equal(table["verdict"], verdict))
    order = pc.sort_indices(of_verdict, sort_keys=[("id", "ascending")])
    kinds = _kinds(of_verdict, verdict)
    taken: dict[str, int] = {}
    first: list[int] = []
    later: list[int] = []
    for place in order.to_pylist():
        kind = kinds[place]
        taken[kind] = taken.get(kind, 0) + 1
        (first if taken[kind] <= _OF_REASON else later).append(place)
        if len(first) == most:
            break
    return of_verdict.take(pa.array([*first, *later][:most], pa.int64()))


def _kinds(table: pa.Table, verdict: str) -> list[str]:
    return list(table["image_type"].to_pylist() if verdict == "kept" else _first_codes(table))


def _first_codes(table: pa.Table) -> Iterator[str]:
    for reasons in table["reasons"].to_pylist():
        yield reasons[0].partition(":")[0] if reasons else ""
