"""What rows of questions from books have for trainers; their texts link to pictures in the same folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from dataflow_ext.datasets.pictures import captioned, with_places
from dataflow_ext.datasets.source import WITHOUT, Row, Source, problem_of, question_turns
from dataflow_ext.tables import json_records, read_table


def question_source(name: str, lines: Path, parquet: Path, missing: Mapping[str, str]) -> Source | None:
    """The questions of a run, in two files of one folder; None if one is not there.

    A question whose picture is not there is in its tables alone.
    """
    if not lines.is_file() or not parquet.is_file():
        return None
    left_out: Counter[str] = Counter()
    return Source(
        name,
        lines.parent,
        lambda: {"train": read_table(parquet)},
        conversations=partial(_rows, lines, "conversations", _conversation, left_out),
        problems=partial(_rows, lines, "problems", problem_of, left_out),
        missing={"conversations": "no question has an answer", "problems": "no question has a short answer", **missing},
        left_out=left_out,
    )


def _rows(lines: Path, kind: str, form: Callable[[Row], Row | None], left_out: Counter[str]) -> Iterator[Row]:
    left_out.clear()
    for number, row in enumerate(json_records(lines), 1):
        made = form(row)
        if made is None:
            left_out[WITHOUT[kind]] += 1
        elif not all((lines.parent / path).is_file() for path in made["images"]):
            left_out["of which a picture is not there"] += 1
        else:
            yield {"id": row.get("row_id") or f"{row['name']}-{number}", **made}


def _conversation(row: Row) -> Row | None:
    # A short answer that was taken from the solution stands there.
    names = ("solution",) if row.get("answer_from") == "solution" else ("solution", "answer")
    said = "\n\n".join(told for name in names if (told := captioned(row[name])))
    return question_turns(*with_places(row["question"], row["question_images"]), said) if said else None
