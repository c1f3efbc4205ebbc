"""Commands of onevision beside the run: calibrate and sample."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from dataflow_ext import Operator, OptionError, Prompt, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.files import write_text

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


def calibrate(argv: Sequence[str], steps: Steps, prompts: Sequence[type[Prompt]] = ()) -> int:
    """Damage the sources of kept rows in known ways, run all ``steps`` again, and tell how many are not kept."""
    from operators.onevision import calibration

    args = _calibrate_arguments(argv)
    for flag in ("estimate", "batch"):
        if getattr(args, flag):
            raise OptionError(f"--{flag} is for a run, not for calibrate.")
    rows = calibration.rows_with_reasoning(args.out)
    rows, missed = (
        (calibration.kept_rows(rows, args.out), None)
        if args.reviewed is None
        else calibration.reviewed_rows(rows, args.reviewed)
    )
    model, judge = cli.model_of(args), cli.judge_of(args)
    made = steps(args.out, args.out / ".run" / "pictures", model, judge, ocr=None, seed=args.seed or 0,
                 prompts=cli.prompts_of(args, prompts))  # fmt: skip
    cache = args.cache_dir or args.out / ".run" / "cache"
    asks = model is not None or judge is not None
    session = cli.session_of(args, cache) if asks else None
    seed = args.seed or 0
    measures = calibration.measure(rows, made, seed=seed, per_kind=args.rows, judged=judge is not None, session=session)
    for line in calibration.table_of(measures):
        cli.say(line)
    cli.say(_NOTE[args.reviewed is not None])
    told = calibration.told(measures, seed, len(rows), judge, model)
    if missed is not None:
        told["bad_rows"] = missed
        cli.say(f"Of {missed['reviewed']} rows that a person found bad the run kept {missed['kept']}.")
    path = write_text(calibration.free_path(args.out), json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    by = judge.name if judge is not None else "nobody"
    cli.say(f"\n{len(rows)} {'kept' if missed is None else 'good'} rows, judged by {by}   {path}")
    return 0


def _calibrate_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.CommandParser(
        prog="python -m pipelines.onevision calibrate",
        description="Damage the sources of a run's kept rows in known ways (a wrong conclusion, another picture, an "
        "invented object, a changed number, a false step, gibberish, …), run the whole pipeline on them again, and "
        "tell how many are not kept.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("out", type=Path, metavar="DIR", help="the folder of a run, with rows.parquet")
    parser.add_argument("--reviewed", type=Path, nargs="+", metavar="CSV",
                        help="the review.csv of samples: take the rows that a person found good")  # fmt: skip
    parser.add_argument("--rows", type=positive, metavar="N", help="at most so many rows a kind (default: all)")
    parser.add_argument("--cache-dir", type=Path, metavar="DIR", help="where the judge's replies are kept")
    parser.add_argument("--fresh", action="store_true", help="ask again what was asked before")
    cli.add_model_flags(parser, judge=True, seeds="the damages")
    cli.add_tuning_flags(parser)
    return parser.parse_args(argv)


def sample(argv: Sequence[str]) -> int:
    """Write the sheet; 0."""
    parser = cli.CommandParser(
        prog="python -m pipelines.onevision sample",
        description="Write a page with rows of each verdict, their pictures and boxes to tick, that saves a CSV.",
        epilog="examples:\n  python -m pipelines.onevision sample out --n 50\n"
        "  python -m pipelines.onevision sample out --n 20 --seed 3 --verdict kept\n"
        "  python -m pipelines.onevision sample out --reviewed review.csv          further rows",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of a run")
    parser.add_argument("--n", type=positive, default=50, metavar="N", help="rows (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which rows (default: %(default)s)")
    parser.add_argument("--verdict", choices=("kept", "review", "dropped"), help="only rows of this verdict")
    parser.add_argument("--reviewed", type=Path, nargs="+", default=(), metavar="CSV",
                        help="the review.csv of earlier samples: only rows that stand in none of them")  # fmt: skip
    args = parser.parse_args(argv)
    import pyarrow as pa
    import pyarrow.compute as pc

    from operators.onevision.calibration import reviews
    from operators.onevision.export import rows_in
    from operators.onevision.output import HEADER, write_sample

    rows = rows_in(args.out)
    seen = pa.array(reviews(args.reviewed, rows["id"].to_pylist()), pa.string())
    rows = rows.filter(pc.invert(pc.is_in(rows["id"], value_set=seen)))
    if args.verdict:
        rows = rows.filter(pc.equal(rows["verdict"], args.verdict))
    page = write_sample(rows, args.out, args.n, args.seed)
    cli.say(f"{min(args.n, rows.num_rows)} of {rows.num_rows} rows: {page.resolve()}")
    cli.say(f"Open it in a browser, tick, and save review.csv ({', '.join(HEADER)}).")
    return 0
