"""``python -m pipelines.onevision sample OUT --n 50``: a sheet to review rows by eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dataflow_ext import cli
from dataflow_ext.cli_values import positive
from operators.onevision.dataset.read import rows_in


def main(argv: Sequence[str]) -> int:
    """Write the sheet; 0."""
    parser = cli.CommandParser(
        prog="python -m pipelines.onevision sample",
        description="Write a page with rows of each verdict, their pictures and boxes to tick, that saves a CSV.",
        epilog="examples:\n  python -m pipelines.onevision sample out --n 50\n"
        "  python -m pipelines.onevision sample out --n 20 --seed 3 --verdict kept",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of a run")
    parser.add_argument("--n", type=positive, default=50, metavar="N", help="rows (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which rows (default: %(default)s)")
    parser.add_argument("--verdict", choices=("kept", "review", "dropped"), help="only rows of this verdict")
    args = parser.parse_args(argv)
    import pyarrow.compute as pc

    from operators.onevision.output.sample_page import HEADER, write_sample

    rows = rows_in(args.out)
    if args.verdict:
        rows = rows.filter(pc.equal(rows["verdict"], args.verdict))
    page = write_sample(rows, args.out, args.n, args.seed)
    cli.say(f"{min(args.n, rows.num_rows)} of {rows.num_rows} rows: {page.resolve()}")
    cli.say(f"Open it in a browser, tick, and save review.csv ({', '.join(HEADER)}).")
    return 0
