"""What rows of questions from books have for trainers; their texts link to pictures in the same folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from dataflow_ext.datasets.places import captioned, with_places
from dataflow_ext.datasets.source import Row, Source, problem_of, question_turns
from dataflow_ext.tables import json_records, read_table


def question_source(name: str, lines: Path, parquet: Path, missing: Mapping[str, str]) -> Source | None:
    """The questions of a run, in two files of one folder; None if one is not there.

    A question whose picture is not there is in its tables alone.
    """
    if not lines.is_file() or not parquet.is_file():
        return None
    return Source(
        name,
        lines.parent,
        lambda: {"train": read_table(parquet)},
        conversations=partial(_rows, lines, _conversation),
        problems=partial(_rows, lines, problem_of),
        missing={"conversations": "no question has an answer", "problems": "no question has a short answer", **missing},
    )


def _rows(lines: Path, form: Callable[[Row], Row | None]) -> Iterator[Row]:
    for number, row in enumerate(json_records(lines), 1):
        made = form(row)
        if made and all((lines.parent / path).is_file() for path in made["images"]):
            yield {"id": row.get("row_id") or f"{row['name']}-{number}", **made}


def _conversation(row: Row) -> Row | None:
    # A short answer that was taken from the solution stands there.
    names = ("solution",) if row.get("answer_from") == "solution" else ("solution", "answer")
    said = "\n\n".join(told for name in names if (told := captioned(row[name])))
    return question_turns(*with_places(row["question"], row["question_images"]), said) if said else None
