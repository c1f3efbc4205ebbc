"""The command that measures the gate on the rows of a run, and writes what it found beside them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, OptionError, cli, cli_flags
from dataflow_ext.cli_values import positive
from dataflow_ext.tables import as_meant, read_table, write_text
from operators.onevision.calibrating.measuring import Measure, measure
from operators.onevision.dataset.layout import ROWS
from operators.onevision.dataset.read import rows_in
from prompts import OneVisionJudgedPrompt, OneVisionJudgePrompt

#: The file that is written into the run's folder.
FILE = "calibration.json"

#: What is said of undamaged rows, by whether a person reviewed them and whether a judge looked.
_NOTE = {
    (
        False,
        False,
    ): "Undamaged rows were kept by these very checks, so their rate is 0 by construction; an honest rate of "
    "false alarms comes from rows that a person found good: --reviewed review.csv (see sample).",
    (False, True): "Undamaged rows passed the checks; their rate is that of the judge, whose alarms are false only if "
    "the rows are good: --reviewed review.csv (see sample).",
    (True, False): "The rate of undamaged rows is that of false alarms: a person found them good.",
    (True, True): "The rate of undamaged rows is that of false alarms: a person found them good.",
}
PROMPTS = (OneVisionJudgePrompt, OneVisionJudgedPrompt)

_EXAMPLES = """examples:
  python -m pipelines.onevision calibrate out                                  by the checks alone
  python -m pipelines.onevision calibrate out --rows 100 --seed 1
  python -m pipelines.onevision calibrate out --reviewed review.csv            with an honest rate of false alarms
  python -m pipelines.onevision calibrate out --model qwen3-vl --base-url http://localhost:8000/v1"""


def main(argv: Sequence[str]) -> int:
    """Damage kept rows in known ways and tell how many the gate catches."""
    args = _arguments(argv)
    for flag in ("estimate", "batch"):
        if getattr(args, flag):
            raise OptionError(f"--{flag} is for a run, not for calibrate.")
    rows = _rows(args.out)
    rows, missed = (_kept(rows, args.out), None) if args.reviewed is None else _reviewed(rows, args.reviewed)
    # Without --judge-model the model is its own judge.
    judge = cli.judge_of(args)
    cache = args.cache_dir or args.out / ".run" / "cache"
    with cli.session_of(args, cache) if judge is not None else nullcontext():
        measures = measure(rows, judge=judge, seed=args.seed or 0, per_kind=args.rows,
                           prompts=cli.prompts_of(args, PROMPTS))  # fmt: skip
    for line in table_of(measures):
        cli.say(line)
    cli.say(_NOTE[args.reviewed is not None, judge is not None])
    told = _told(measures, args, len(rows), judge)
    if missed is not None:
        told["bad_rows"] = missed
        cli.say(f"Of {missed['reviewed']} rows that a person found bad the run kept {missed['kept']}.")
    path = write_text(args.out / FILE, json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    by = judge.name if judge is not None else "nobody"
    cli.say(f"\n{len(rows)} {'kept' if missed is None else 'good'} rows, judged by {by}   {path}")
    return 0


def table_of(measures: Sequence[Measure]) -> list[str]:
    """The measures as lines of a table."""
    lines = [f"{'kind':22}{'made':>6}{'caught':>8}{'rate':>8}  {'95 % bounds':16}{'left out':>9}  most by"]
    for each in measures:
        bounds = f"{each.low:.1%} to {each.high:.1%}"
        by = ", ".join(f"{code} {count}" for code, count in each.by[:3])
        lines.append(
            f"{each.kind:22}{each.made:6}{each.caught:8}{each.rate:8.1%}  {bounds:16}{each.left:9}  {by}".rstrip()
        )
    if errors := sum(each.errors for each in measures):
        lines.append(f"{errors} rows had no judgement that could be read; they are not counted.")
    return lines


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.CommandParser(
        prog="python -m pipelines.onevision calibrate",
        description="Damage the kept rows of a run in known ways (a wrong answer, another picture, an invented object, "
        "a changed number, gibberish, copied reasoning, another language) and tell how many the gate catches.",
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
    from operators.onevision.records import FINISHED

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


def _told(measures: Sequence[Measure], args: argparse.Namespace, kept: int, judge: Any) -> dict[str, Any]:
    return {
        "kept": kept,
        "seed": args.seed or 0,
        "judge": judge.name if judge is not None else None,
        "kinds": [
            {
                "kind": each.kind,
                "made": each.made,
                "caught": each.caught,
                "rate": round(each.rate, 4),
                "low": round(each.low, 4),
                "high": round(each.high, 4),
                "left_out": each.left,
                "errors": each.errors,
                "by": dict(each.by),
            }
            for each in measures
        ],
    }
