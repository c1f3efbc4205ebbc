"""What a run of onevision leaves and tells, and its other commands: calibrate and sample."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext import Operator, OptionError, Prompt, StreamResult, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.files import write_text

if TYPE_CHECKING:
    import pyarrow as pa

#: Reasons that are told at the terminal; the page has all of them.
_SHOWN = 8


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


def deliver(result: StreamResult, args: argparse.Namespace) -> int:
    """Write what a run made, and tell of it; the exit code."""
    import pyarrow as pa

    from dataflow_ext.datasets.rejects_and_stats import write_beside
    from operators.onevision.export import row_parts
    from operators.onevision.output import stats, write_page

    rejects = _from_folders(result.rejects, (args.out, cli.cache_of(args), *args.images))
    rejects = rejects.append_column("id", pa.array(_ids(result, rejects["row_id"]), pa.string()))
    # Without rows the data are those of an earlier run.
    rows = partial(row_parts, args.out) if result.num_rows else list[pa.Table]
    figures = stats(rows(), rejects)
    write_beside(args.out, "onevision", figures["kept"], figures, rejects)
    page = write_page(rows, rejects, figures, result.report, args.out)
    _tell(figures)
    if not result.num_rows:
        cli.say(f"No row was made, so no data were written; data of an earlier run in {args.out} stay as they are.")
    else:
        cli.say(f"data: {args.out / 'onevision.jsonl'}")
    cli.say(f"page: {page.resolve()}")
    if figures["kept"]:
        out = shlex.quote(str(args.out))
        cli.say(f"measure the gate on it: python -m pipelines.onevision calibrate {out}")
        cli.say(f"a sheet to review by eye: python -m pipelines.onevision sample {out} --n 50")
    return 0 if result.num_rows else 1


def _from_folders(rejects: pa.Table, folders: Iterable[Path]) -> pa.Table:
    """The rejects with paths of pictures as paths from these folders, so that they name no place on this disk."""
    import pyarrow.compute as pc

    for folder in folders:
        for whole in dict.fromkeys((os.path.abspath(folder), os.path.realpath(folder))):  # noqa: PTH100
            start = json.dumps(f"{whole}/", ensure_ascii=False)[:-1]  # with the mark that opens a value
            place = rejects.column_names.index("inputs")
            inputs = pc.replace_substring(rejects["inputs"], start, '"')
            rejects = rejects.set_column(place, "inputs", inputs)
    return rejects


def _ids(result: StreamResult, row_ids: pa.ChunkedArray) -> list[str | None]:
    """The turns' ids of rejected rows, as far as they had become turns."""
    import pyarrow.compute as pc

    known: dict[str, str] = {}
    for turns in result.parts_after("LLaVACoTReader", ["row_id", "id"]):
        mine = turns.filter(pc.is_in(turns["row_id"], value_set=row_ids))
        known.update(zip(mine["row_id"].to_pylist(), mine["id"].to_pylist(), strict=True))
    return [known.get(row_id) for row_id in row_ids.to_pylist()]


def _tell(figures: dict[str, Any]) -> None:
    """The counts, why rows are not kept, and why some have no verdict."""
    told = ", ".join(f"{figures[name]} {name}" for name in ("kept", "review", "dropped", "errored"))
    cli.say(f"{figures['turns']} turn{'' if figures['turns'] == 1 else 's'}: {told}.")
    if unjudged := figures["kept"] - figures["judged"].get("kept", 0):
        cli.say(f"No judge saw {unjudged} of the kept rows: they passed the checks alone, and are marked so.")
    if reasons := figures["reasons"]:
        most = ", ".join(f"{code} {count}" for code, count in list(reasons.items())[:_SHOWN])
        cli.say(f"reasons of rows not kept: {most}")
    cli.tell_rejects(figures["rejects"])


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
