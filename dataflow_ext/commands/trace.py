"""``rowsmith trace``: the life of a row of a run, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dataflow_ext.cli.flags import CommandParser
from dataflow_ext.cli.records import FILE, repeat, traced_row
from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.packages import DISTRIBUTION


def main(arguments: Sequence[str]) -> int:
    """Print what became of a row; 0. The run's own command is given again, with its memories alone."""
    parser = CommandParser(
        prog=f"{DISTRIBUTION} trace",
        description="Print a row's life: what went into each step and what came out, with prompts and replies. No "
        "model is asked; what the run's folder no longer remembers is done again.",
        epilog=f"example:\n  {DISTRIBUTION} trace out 0235d65427cbadd66c52",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of a run")
    parser.add_argument("row", metavar="ROW", help="the row's id, as the page and rejects.jsonl name it")
    args = parser.parse_args(arguments)
    if not (args.out / RUN_FOLDER / FILE).is_file():
        raise InputError(f"There is no {args.out / RUN_FOLDER / FILE}; name the folder of a run of a pipeline.")
    before = traced_row.set(args.row)
    try:
        return repeat([str(args.out)])
    finally:
        traced_row.reset(before)
