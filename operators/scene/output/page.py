"""The page to look at after a run: figures, rooms, conversations turn by turn, and rejects by reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates
from dataflow_ext.report.rejects import shown_reasons
from dataflow_ext.tables import write_text
from operators.scene.output.shown import DEEDS, rooms, shown
from operators.scene.output.stats import junk_of, reason_of, rows_of

NAME = "report.html"

#: Rooms with a picture, conversations in full, and those of them that are open.
ROOMS, IN_FULL, OPEN = 120, 24, 2
#: Characters of a line of a reject's inputs.
_LINE = 400

_SORTED = [("scene_id", "ascending"), ("score", "descending"), ("chain_id", "ascending"), ("id", "ascending")]


def write_page(table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path) -> Path:
    """The path of ``out/report.html``, a file without scripts that shows the pictures of the data set in ``out``.

    ``table`` has the finished rows, ``rejects`` and ``report`` are those of the run's result, ``figures`` those of
    :func:`~operators.scene.output.stats.stats`. Pictures are named by relative paths, so the folder can be moved
    as a whole. Whatever texts hold is shown, never run; a picture that is not there leaves an empty frame.
    """
    ordered = table.take(pc.sort_indices(table, sort_keys=_SORTED)).to_pylist() if table.num_rows else []
    chosen = _chosen(ordered)
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=Path(out).absolute().name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            deeds=DEEDS,
            rooms=(listed := rooms(ordered, junk_of(table), Path(out)))[:ROOMS],
            rooms_left=max(0, len(listed) - ROOMS),
            conversations=[shown(row, Path(out)) for row in chosen],
            in_full={row["id"] for row in chosen},
            open=OPEN,
            reasons=shown_reasons(figures["rejects"], rows_of(rejects), reason_of, _LINE),
            failed=_count(figures, dropped=False),
            dropped=_count(figures, dropped=True),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The page's templates."""
    spoken = {"spoken": lambda name: str(name).replace("_", " ")}
    return page_templates(Path(__file__).parent / "templates", points=_points, **spoken)


def _chosen(ordered: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The conversations that are shown in full: the best one of each room first, then each one's second."""
    by_room: dict[str, list[Mapping[str, Any]]] = {}
    for row in ordered:
        by_room.setdefault(row["scene_id"], []).append(row)
    return [row for row in chain.from_iterable(zip_longest(*by_room.values())) if row is not None][:IN_FULL]


def _count(figures: Mapping[str, Any], *, dropped: bool) -> int:
    return sum(reason["count"] for reason in figures["rejects"] if (reason["kind"] == "dropped") is dropped)


def _points(value: float) -> str:
    """Points without a fraction that says nothing."""
    return f"{value:.1f}".removesuffix(".0")
