"""``rowsmith trace``: the life of a row of a run, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dataflow_ext.cli_parser import CommandParser
from dataflow_ext.installing import DISTRIBUTION
from dataflow_ext.own_packages import put_first
from dataflow_ext.run_command import look_at


def main(arguments: Sequence[str]) -> int:
    """Print what became of a row; 0."""
    parser = CommandParser(
        prog=f"{DISTRIBUTION} trace",
        description="Print a row's life: what went into each step and what came out, with prompts and replies. No "
        "model is asked; what the run's folder no longer remembers is done again.",
        epilog=f"example:\n  {DISTRIBUTION} trace out 0235d65427cbadd66c52",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of a run")
    parser.add_argument("row", metavar="ROW", help="the row's id, as the page and rejects.jsonl name it")
    args = parser.parse_args(arguments)
    put_first()
    return look_at(args.out, args.row)
