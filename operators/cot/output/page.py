"""The page to look at after a run: figures, what was skipped and rejected, and some samples of each task."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates, short
from dataflow_ext.report.rejects import shown_reasons
from dataflow_ext.report.thumbnails import Thumbnail, Thumbnails
from dataflow_ext.tables import write_text
from operators.cot.output.stats import is_skip, reason_of, rows_of
from operators.cot.output.turn import pieces_of, reasoning_of

NAME = "report.html"

#: Samples of a task, pictures of a sample and in all that are shown.
SAMPLES, PICTURES, THUMBNAILS = 3, 6, 240
#: Characters of a text that are shown.
_LONG = 4000
#: Characters of a line of a reject's inputs.
_LINE = 600


@dataclass(frozen=True, slots=True)
class Shown:
    """A sample on the page: its pictures with their paths, the reasoning cut at its required sentences."""

    id: str
    source_path: str
    step: int
    evidence_type: str
    pictures: Sequence[tuple[str, Thumbnail]]
    left_out: int
    video: str
    question: str
    reasoning: Sequence[tuple[str, bool]]
    answer: str
    fields: Mapping[str, str]
    by: str
    mended: Sequence[str]


def write_page(
    table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path, *, root: Path
) -> Path:
    """The path of ``out/report.html``, one file without scripts that holds its pictures and opens anywhere.

    ``table`` has the finished samples, with ``anchors`` and ``mended`` if the run made them; ``rejects`` and
    ``report`` are those of its result, ``figures`` those of :func:`~operators.cot.output.stats.stats`, and
    ``root`` the folder below which pictures lie. Whatever texts hold is shown, never run; a picture that
    cannot be shown leaves an empty frame that says why.
    """
    root = Path(root).absolute()
    pictures = Thumbnails(width=150, most=THUMBNAILS, root=root)
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=root.name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            skipped=_by_task(figures),
            tasks=[(task, list(_samples(table, task, root, pictures))) for task in figures["tasks"]],
            reasons=shown_reasons(
                figures["rejects"], (row for row in rows_of(rejects) if not is_skip(row)), reason_of, _LINE
            ),
            rejected=sum(reason["count"] for reason in figures["rejects"]),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The page's templates."""
    spoken = {"spoken": lambda name: name.replace("_", " ")}
    return page_templates(Path(__file__).parent / "templates", **spoken)


def _samples(table: pa.Table, task: str, root: Path, pictures: Thumbnails) -> Iterator[Shown]:
    """Some samples of a task; which ones rests on their ids, which are as good as random."""
    of_task = table.filter(pc.equal(table["task_name"], task))
    first = pc.sort_indices(of_task, sort_keys=[("id", "ascending")]).slice(0, SAMPLES)
    for row in of_task.take(first).to_pylist():
        reasoning, answer = reasoning_of(row["response"])
        shown = row["image"][:PICTURES]
        yield Shown(
            id=row["id"],
            source_path=row["source_path"],
            step=row["step_index"],
            evidence_type=row["evidence_type"],
            pictures=[(path, pictures.of(root / path)) for path in shown],
            left_out=len(row["image"]) - len(shown),
            video=row["video"] or "",
            question=row["question"],
            reasoning=pieces_of(short(reasoning, _LONG), row.get("anchors") or ()),
            answer=short(answer, _LONG),
            fields=_told_fields(row["fields"]),
            by=" ".join(filter(None, (row["assistant_generator"][key] for key in ("type", "model_name")))),
            mended=row.get("mended") or (),
        )


def _told_fields(text: str) -> dict[str, str]:
    """Each field as text, lists and objects as JSON."""
    fields = json.loads(text)
    told = {key: value if isinstance(value, str) else _json(value) for key, value in fields.items()}
    return {key: short(value, _LONG) for key, value in told.items()}


def _json(value: object) -> str:
    if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str) for each in value):
        return "\n".join(f"{place}. {each}" for place, each in enumerate(value, 1))
    return json.dumps(value, ensure_ascii=False, indent=None if not isinstance(value, dict) else 1)


def _by_task(figures: Mapping[str, Any]) -> dict[str, list[tuple[str, int]]]:
    """What was skipped of each task: reasons with their counts."""
    found: dict[str, list[tuple[str, int]]] = {}
    for skip in figures["skipped"]:
        found.setdefault(skip["task"], []).append((skip["reason"], skip["count"]))
    return found
