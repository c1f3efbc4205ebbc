"""The command that measures the gate on the rows of a run, and writes what it found beside them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, OptionError, cli, cli_models
from dataflow_ext.cli_values import positive
from operators.onevision.calibrating.measuring import Measure, measure

#: The file that is written into the run's folder.
FILE = "calibration.json"

_EXAMPLES = """examples:
  python -m pipelines.onevision calibrate out                                  by the checks alone
  python -m pipelines.onevision calibrate out --rows 100 --seed 1
  python -m pipelines.onevision calibrate out --model qwen3-vl --base-url http://localhost:8000/v1"""


def main(argv: Sequence[str]) -> int:
    """Damage kept rows in known ways and tell how many the gate catches."""
    args = _arguments(argv)
    for flag in ("estimate", "batch"):
        if getattr(args, flag):
            raise OptionError(f"--{flag} is for a run, not for calibrate.")
    rows = _kept(args.out)
    # Without --judge-model the model is its own judge.
    judge = cli_models.judge_of(args)
    cache = args.cache_dir or args.out / ".run" / "cache"
    with cli_models.session_of(args, cache) if judge is not None else nullcontext():
        measures = measure(rows, judge=judge, seed=args.seed or 0, per_kind=args.rows)
    for line in table_of(measures):
        cli.say(line)
    path = args.out / FILE
    path.write_text(json.dumps(_told(measures, args, len(rows), judge), ensure_ascii=False, indent=2) + "\n", "utf-8")
    cli.say(f"\n{len(rows)} kept rows, judged by {judge.name if judge is not None else 'nobody'}   {path}")
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
    lines.append("Of undamaged rows the rate is that of false alarms.")
    if errors := sum(each.errors for each in measures):
        lines.append(f"{errors} rows had no judgement that could be read; they are not counted.")
    return lines


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pipelines.onevision calibrate",
        description="Damage the kept rows of a run in known ways (a wrong answer, another picture, an invented object, "
        "a changed number, gibberish, copied reasoning, another language) and tell how many the gate catches.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("out", type=Path, metavar="DIR", help="the folder of a run, with rows.parquet")
    parser.add_argument("--rows", type=positive, metavar="N", help="at most so many rows a kind (default: all)")
    parser.add_argument("--cache-dir", type=Path, metavar="DIR", help="where the judge's replies are kept")
    parser.add_argument("--fresh", action="store_true", help="ask again what was asked before")
    cli_models.add_model_flags(parser, judge=True, seeds="the damages")
    cli_models.add_tuning_flags(parser)
    return parser.parse_args(argv)


def _kept(folder: Path) -> list[dict[str, Any]]:
    """The kept rows of a run; InputError if there are none."""
    import pyarrow.parquet as pq

    from dataflow_ext.rows import decoded
    from operators.onevision.records import FINISHED

    path = folder / "rows.parquet"
    if not path.is_file():
        raise InputError(f"There is no file {path}; name the folder of a run.")
    try:
        table = pq.read_table(path)
        columns, wrong = decoded(table, FINISHED)
    except Exception as error:
        raise InputError(f"{path} cannot be read as finished rows: {error}") from None
    rows = [
        {name: values[n] for name, values in columns.items()}
        for n in range(table.num_rows)
        if n not in wrong and columns["verdict"][n] == "kept" and columns["cot_thinking"][n]
    ]
    if not rows:
        raise InputError(f"{path} has no kept row, so there is nothing to damage.")
    return rows


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
