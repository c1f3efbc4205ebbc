"""The page to look at after a run: figures, mistakes, doubts, rejects by reason, and a sample of rounds."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates, short
from dataflow_ext.report.thumbnails import Thumbnails
from dataflow_ext.tables import write_text
from operators.game.output.accuracy import Accuracy, Share
from operators.game.output.readings import disputed
from operators.game.output.run_rounds import Rejected, Rounds
from operators.game.output.shown import Shown, shown, shown_reject

NAME = "report.html"

#: Rounds of each kind that are shown with pictures.
SAMPLE, MISTAKES, DISPUTED, REJECTS_A_REASON, REJECTS = 18, 60, 24, 6, 60
#: Rejects of one reason that are told by their message alone.
MESSAGES = 200


def write_page(
    rounds: Rounds, figures: Mapping[str, Any], report: Report, out: Path, *, accuracy: Accuracy | None = None
) -> Path:
    """The path of ``out/report.html``, one file without scripts that holds its pictures and opens anywhere.

    ``figures`` are those of :func:`~operators.game.output.stats.stats`. With ``accuracy`` it has a contact
    sheet of the mistakes. Whatever names and texts hold is shown, never run; a picture that cannot be shown
    leaves an empty frame that says why.
    """
    pictures, rows = Thumbnails(root=rounds.root), rounds.kept_rows()
    mistakes = _mistakes(rows, accuracy, pictures)
    doubts = [row for row in rows if disputed(row)]
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=rounds.root.absolute().name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            accuracy=accuracy,
            mistakes=mistakes,
            doubts=[shown(row, pictures) for row in doubts[:DISPUTED]],
            doubts_total=len(doubts),
            reasons=_reasons(rounds, figures, pictures),
            sample=_sample(rows, figures["split"]["seed"], pictures),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The pages' templates: every value is escaped, and an unknown name is an error."""
    return page_templates(Path(__file__).parent / "templates", percent=_percent, bounds=_bounds, readable=_readable)


def _mistakes(rows: list[dict[str, Any]], measured: Accuracy | None, pictures: Thumbnails) -> list[Shown]:
    if measured is None:
        return []
    by_id = {row["row_id"]: row for row in rows}
    return [shown(by_id[m.row_id], pictures, m.label) for m in measured.mistakes[:MISTAKES] if m.row_id in by_id]


def _reasons(rounds: Rounds, figures: Mapping[str, Any], pictures: Thumbnails) -> list[dict[str, Any]]:
    """The reasons of rejects, each with some rounds in pictures, and the messages of others."""
    groups: dict[tuple[str, str, str], list[Rejected]] = {}
    for reject in rounds.rejected():
        groups.setdefault((reject.operator, reject.error, reject.kind), []).append(reject)
    reasons, left = [], REJECTS
    for reason in figures["rejects"]:
        group = groups[reason["operator"], reason["error"], reason["kind"]]
        few = group[: min(REJECTS_A_REASON, left)]
        left -= len(few)
        told = group[len(few) : len(few) + MESSAGES]
        reasons.append(
            {
                **reason,
                "shown": [(shown_reject(reject, pictures, rounds), reject) for reject in few],
                "told": told,
                "left_out": len(group) - len(few) - len(told),
            }
        )
    return reasons


def _sample(rows: list[dict[str, Any]], seed: int, pictures: Thumbnails) -> list[Shown]:
    chosen = random.Random(seed).sample(range(len(rows)), min(SAMPLE, len(rows)))  # noqa: S311 - the same each time
    return [shown(rows[place], pictures) for place in sorted(chosen)]


def _percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def _bounds(share: Share) -> str:
    low, high = share.bounds
    return "–" if share.share is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def _readable(inputs: Mapping[str, Any]) -> str:
    """A reject's inputs, one a line, long ones cut."""
    lines = (f"{k}: {v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)}" for k, v in inputs.items())
    return "\n".join(short(line, 300) for line in list(lines)[:40])
