"""The command that measures the gate on the rows of a run, and writes what it found beside them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, Operator, OptionError, Prompt, cli, cli_flags
from dataflow_ext.cli_values import positive
from dataflow_ext.tables import as_meant, read_table, write_text
from operators.onevision.calibrating.measuring import Caught, Measure, measure
from operators.onevision.dataset.layout import ROWS, rows_in

#: The file that is written into the run's folder; a later one gets a number and leaves the first as it is.
FILE = "calibration.json"

#: Makes the steps of a run: of model, judge, seed and the folder of prompts.
Steps = Callable[..., list[Operator]]

#: What is said of undamaged rows, by whether a person reviewed them.
_NOTE = {
    False: "Undamaged rows were kept by this pipeline already, so their rate says little; an honest rate of false "
    "alarms comes from rows that a person found good: --reviewed review.csv (see sample).",
    True: "The rate of undamaged rows is that of false alarms: a person found them good.",
}

_EXAMPLES = """examples:
  python -m pipelines.onevision calibrate out                                  by the checks alone
  python -m pipelines.onevision calibrate out --rows 100 --seed 1
  python -m pipelines.onevision calibrate out --reviewed review.csv            with an honest rate of false alarms
  python -m pipelines.onevision calibrate out --model qwen3-vl --base-url http://localhost:8000/v1"""


def main(argv: Sequence[str], steps: Steps, prompts: Sequence[type[Prompt]] = ()) -> int:
    """Damage the sources of kept rows in known ways, run all ``steps`` again, and tell how many are not kept."""
    args = _arguments(argv)
    for flag in ("estimate", "batch"):
        if getattr(args, flag):
            raise OptionError(f"--{flag} is for a run, not for calibrate.")
    rows = _rows(args.out)
    rows, missed = (_kept(rows, args.out), None) if args.reviewed is None else _reviewed(rows, args.reviewed)
    model, judge = cli.model_of(args), cli.judge_of(args)
    made = steps(args.out, args.out / ".run" / "pictures", model, judge, ocr=None, seed=args.seed or 0,
                 prompts=cli.prompts_of(args, prompts))  # fmt: skip
    cache = args.cache_dir or args.out / ".run" / "cache"
    asks = model is not None or judge is not None
    session = cli.session_of(args, cache) if asks else None
    measures = measure(rows, made, seed=args.seed or 0, per_kind=args.rows, judged=judge is not None, session=session)
    for line in table_of(measures):
        cli.say(line)
    cli.say(_NOTE[args.reviewed is not None])
    told = _told(measures, args, len(rows), judge, model)
    if missed is not None:
        told["bad_rows"] = missed
        cli.say(f"Of {missed['reviewed']} rows that a person found bad the run kept {missed['kept']}.")
    path = write_text(_free(args.out), json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    by = judge.name if judge is not None else "nobody"
    cli.say(f"\n{len(rows)} {'kept' if missed is None else 'good'} rows, judged by {by}   {path}")
    return 0


def _free(folder: Path) -> Path:
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


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.CommandParser(
        prog="python -m pipelines.onevision calibrate",
        description="Damage the sources of a run's kept rows in known ways (a wrong conclusion, another picture, an "
        "invented object, a changed number, a false step, gibberish, …), run the whole pipeline on them again, and "
        "tell how many are not kept.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("out", type=Path, metavar="DIR", help="the folder of a run, with rows.parquet")
    parser.add_argument("--reviewed", type=Path, metavar="CSV",
                        help="the review.csv of a sample: take the rows that a person found good")  # fmt: skip
    parser.add_argument("--rows", type=positive, metavar="N", help="at most so many rows a kind (default: all)")
    parser.add_argument("--cache-dir", type=Path, metavar="DIR", help="where the judge's replies are kept")
    parser.add_argument("--fresh", action="store_true", help="ask again what was asked before")
    cli_flags.add_model_flags(parser, judge=True, seeds="the damages")
    cli_flags.add_tuning_flags(parser)
    return parser.parse_args(argv)


def _kept(rows: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The kept ones; InputError if there are none."""
    kept = [row for row in rows if row["verdict"] == "kept"]
    if not kept:
        raise InputError(f"{folder / ROWS} has no kept row, so there is nothing to damage.")
    return kept


def _reviewed(rows: list[dict[str, Any]], file: Path) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows that a person found good, and how many of those found bad the run had kept.

    Raises InputError if the file is no review of these rows, or names no good one.
    """
    found = {row["id"]: row for row in rows}
    reviews = read_table(file)
    if not {"id", "reviewed"} <= set(reviews.column_names):
        raise InputError(f"{file} is no review: it needs the columns id and reviewed, as the page of sample has them.")
    said = {as_meant(id): verdict for id, verdict in zip(*(reviews[n].to_pylist() for n in ("id", "reviewed")),
                                                                  strict=True)}  # fmt: skip
    if unknown := sorted(set(said) - set(found)):
        raise InputError(f"{file} speaks of {len(unknown)} rows that the run does not have, such as {unknown[0]!r}.")
    good = [found[id] for id, verdict in said.items() if verdict == "good"]
    bad = [found[id] for id, verdict in said.items() if verdict == "bad"]
    if not good:
        raise InputError(f"{file} has no row that was found good, so there is nothing to damage.")
    return good, {"reviewed": len(bad), "kept": sum(row["verdict"] == "kept" for row in bad)}


def _rows(folder: Path) -> list[dict[str, Any]]:
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


def _told(measures: Sequence[Measure], args: argparse.Namespace, kept: int, judge: Any, model: Any) -> dict[str, Any]:
    return {
        "kept": kept,
        "seed": args.seed or 0,
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
