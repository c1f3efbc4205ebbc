"""What measuring the gate starts from and finds: rows of a run, a table, a file beside them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from dataflow_ext import InputError
from dataflow_ext.tables import as_meant, read_table
from operators.onevision.calibrating.measuring import Caught, Measure
from operators.onevision.dataset.layout import ROWS, rows_in

#: The file that is written into the run's folder; a later one gets a number and leaves the first as it is.
FILE = "calibration.json"


def free_path(folder: Path) -> Path:
    """The first name that no file has: calibration.json, calibration-2.json, …"""
    stem, _, ending = FILE.partition(".")
    names = (FILE if number == 1 else f"{stem}-{number}.{ending}" for number in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def table_of(measures: Sequence[Measure]) -> list[str]:
    """The measures as lines of a table: caught by code alone, and with the judge if there was one."""
    judged = any(each.judge is not None for each in measures)
    head = f"{'kind':26}{'made':>6}{'left out':>10}{'by code':>9}{'rate':>8}  {'95 % bounds':16}"
    lines = [head + (f"{'judged':>9}{'rate':>8}  {'95 % bounds':16}" if judged else "") + "  most by"]
    for each in measures:
        line = f"{each.kind:26}{each.code.made:6}{each.left:10}{_cells(each.code)}"
        by = each.code.by if each.judge is None else each.judge.by
        line += _cells(each.judge) if each.judge is not None else ""
        lines.append(f"{line}  {', '.join(f'{code} {number}' for code, number in by[:3])}".rstrip())
    if errors := sum(each.errors for each in measures):
        lines.append(f"{errors} rows had replies of models that could not be read; they are not counted.")
    return lines


def _cells(caught: Caught) -> str:
    low, high = caught.bounds
    return f"{caught.count:9}{caught.rate:8.1%}  {f'{low:.1%} to {high:.1%}':16}"


def kept_rows(rows: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The kept ones; InputError if there are none."""
    kept = [row for row in rows if row["verdict"] == "kept"]
    if not kept:
        raise InputError(f"{folder / ROWS} has no kept row, so there is nothing to damage.")
    return kept


def reviewed_rows(rows: list[dict[str, Any]], files: Sequence[Path]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows that a person found good, and how many of those found bad the run had kept.

    Raises InputError if a file is no review of these rows, or none names a good one.
    """
    found = {row["id"]: row for row in rows}
    said = reviews(files, found)
    good = [found[id] for id, verdict in said.items() if verdict == "good"]
    bad = [found[id] for id, verdict in said.items() if verdict == "bad"]
    if not good:
        raise InputError(f"{', '.join(map(str, files))}: no row was found good, so there is nothing to damage.")
    return good, {"reviewed": len(bad), "kept": sum(row["verdict"] == "kept" for row in bad)}


def reviews(files: Sequence[Path], known: Collection[str]) -> dict[str, str]:
    """What a person said of rows, by their ids, in the files that the page of sample saves; the last file counts."""
    said: dict[str, str] = {}
    for file in files:
        told = read_table(file)
        if not {"id", "reviewed"} <= set(told.column_names):
            raise InputError(
                f"{file} is no review: it needs the columns id and reviewed, as the page of sample has them."
            )
        columns = (told[name].to_pylist() for name in ("id", "reviewed"))
        here = {as_meant(id): verdict for id, verdict in zip(*columns, strict=True)}
        if unknown := sorted(set(here) - set(known)):
            raise InputError(
                f"{file} speaks of {len(unknown)} rows that the run does not have, such as {unknown[0]!r}."
            )
        said |= here
    return said


def rows_with_reasoning(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run that have a reasoning; InputError if there is no run."""
    from dataflow_ext.rows import decoded
    from operators.onevision.model.records import FINISHED

    table = rows_in(folder)
    try:
        columns, wrong = decoded(table, FINISHED)
    except Exception as error:  # columns that are not there, or of another kind
        raise InputError(f"{folder / ROWS} cannot be read as finished rows: {error}") from None
    return [
        {name: values[n] for name, values in columns.items()}
        for n in range(table.num_rows)
        if n not in wrong and columns["cot_thinking"][n]
    ]


def told(measures: Sequence[Measure], seed: int, kept: int, judge: Any, model: Any) -> dict[str, Any]:
    """The measures for the file."""
    return {
        "kept": kept,
        "seed": seed,
        "model": model.name if model is not None else None,
        "judge": judge.name if judge is not None else None,
        "kinds": [
            {
                "kind": each.kind,
                "made": each.code.made,
                "left_out": each.left,
                "errors": each.errors,
                "code": _figures(each.code),
                "judge": _figures(each.judge) if each.judge is not None else None,
            }
            for each in measures
        ],
    }


def _figures(caught: Caught) -> dict[str, Any]:
    low, high = caught.bounds
    rates = {"rate": round(caught.rate, 4), "low": round(low, 4), "high": round(high, 4)}
    return {"caught": caught.count, **rates, "by": dict(caught.by)}
