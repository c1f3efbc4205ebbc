"""The page of a run: figures, and rows with their pictures and boxes."""

from __future__ import annotations

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
from dataflow_ext.report.thumbnails import Mark, Thumbnail, Thumbnails
from dataflow_ext.tables import write_text
from operators.onevision.model.codes import CODES
from operators.onevision.output.stats import reason_of, rows_of

#: Characters of a text that are shown, and boxes on a picture.
_LONG, _BOXES = 3000, 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A row on a page: its picture with boxes, its texts without tags, checks that did not pass, and its verdict."""

    id: str
    picture: Thumbnail
    source_image: str
    image_type: str
    question: str
    description: str
    code: str
    code_state: str
    thinking: str
    answer: str
    source: str
    conclusion: str
    verdict: str
    reasons: Sequence[str]
    checks: Sequence[Mapping[str, str]]
    judge: Mapping[str, Any]
    score: float | None
    made_by: Mapping[str, str]
    read: Sequence[str]
    found: Sequence[str]


def shown(table: pa.Table, pictures: Thumbnails) -> list[Shown]:
    """The rows of a table with the columns of a finished row."""
    return [_shown(row, pictures) for row in table.to_pylist()]


def points(judge: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The judge's points by dimension, of those that it gave."""
    names = ("description", "grounding", "logic", "answer")
    return [(name, judge[name]) for name in names if judge[name] is not None]


def _shown(row: Mapping[str, Any], pictures: Thumbnails) -> Shown:
    thinking = (row["cot_thinking"] or "").removeprefix("<think>").removesuffix("</think>").strip()
    return Shown(
        id=row["id"],
        picture=pictures.of(Path(row["picture"]), _marks(row)),
        source_image=row["image"],
        image_type=row["image_type"],
        question=short(row["question"], _LONG),
        description=short(row["image_formal_description"], _LONG),
        code=short(row["formal_code"] or "", _LONG),
        code_state=f"{row['formal_language']}: {row['formal_state']}",
        thinking=short(thinking, _LONG),
        answer=short(row["answer"], 300),
        source=short(row["original_reasoning"], _LONG),
        conclusion=short(row["original_conclusion"], 600),
        verdict=row["verdict"],
        reasons=[short(reason, 400) for reason in row["reasons"]],
        checks=[check for check in row["checks"] if check["state"] in ("failed", "unsure")],
        judge=row["judge"],
        score=row["score"],
        made_by={
            "type": row["type_by"],
            "caption": row["caption_by"],
            "boxes": row["detector"],
            "text": row["ocr_by"],
            "description": row["description_by"],
            "reasoning": row["rewrite_by"],
            "judge": row["judge"]["by"] or row["judge"]["status"],
        },
        read=[line["text"] for line in row["ocr"]][:_BOXES],
        found=[f"{each['label']} {each['score']:.2f}" for each in row["detections"]][:_BOXES],
    )


def _marks(row: Mapping[str, Any]) -> list[Mark]:
    """What was found in one colour, what was read in the other."""
    found: list[Mark] = [(tuple(each["box"]), True) for each in row["detections"][:_BOXES]]
    read: list[Mark] = [(tuple(line["box"]), False) for line in row["ocr"][:_BOXES]]
    return [*found, *read]


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
