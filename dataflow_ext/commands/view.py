"""``rowsmith view``: the page of a run, or of any table; ``rowsmith trace``: the life of a row of a run."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dataflow_ext.cli.records import FILE, repeat, traced_row
from dataflow_ext.cli.terminal import CommandParser, say
from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.packages import DISTRIBUTION
from dataflow_ext.report.page import NAME
from dataflow_ext.report.shards import is_page, single_file
from dataflow_ext.report.table_rows import table_page
from dataflow_ext.tables import read_table

#: What a streamed run leaves.
_ROWS, _REJECTS = "rows.parquet", Path(RUN_FOLDER, "rejects.parquet")


def main(arguments: Sequence[str]) -> int:
    """Show a page; 0."""
    parser = CommandParser(
        prog=f"{DISTRIBUTION} view",
        description="Open the page that a run has left, or one of the rows of any table.",
        epilog=f"examples:\n  {DISTRIBUTION} view out\n  {DISTRIBUTION} view rows.parquet\n"
        f"  {DISTRIBUTION} view out --single-file page.html",
    )
    parser.add_argument("path", type=Path, metavar="OUT", help="the folder of a run, or a table's file")
    parser.add_argument("--single-file", type=Path, metavar="FILE",
                        help="write the page with its rows and pictures into one file, to mail it")  # fmt: skip
    parser.add_argument("--no-open", action="store_true", help="only tell where the page is")
    args = parser.parse_args(arguments)
    return shown(args)


def shown(args: argparse.Namespace) -> int:
    """Find or write the page, and open it; 0."""
    if args.single_file is not None:
        return _mailed(args.path, args.single_file)
    page = page_of(args.path)
    say(f"page: {page.resolve()}")
    if not args.no_open and not webbrowser.open(page.resolve().as_uri()):
        say("There is no browser here; open the page in one.")
    return 0


def _mailed(path: Path, file: Path) -> int:
    """Write the page as one file, and nothing beside a table's file."""
    with TemporaryDirectory() as scratch:
        page = page_of(path, Path(scratch))
        if file.exists() and file.resolve() in (page.resolve(), path.resolve()):
            what = "table" if file.samefile(path) else "page"
            raise InputError(f"--single-file: {file} is the {what} itself; give another name.")
        made, left_out = single_file(page, file, base=path if path.is_dir() else path.parent)
    if left_out:
        say(f"{left_out} pictures are left out, to keep the file small.")
    say(f"page: {made.resolve()}")
    return 0


def page_of(path: Path, out: Path | None = None) -> Path:
    """The page in a run's folder, or one that is written of the rows of a streamed run, or of a table's file.

    The last is written to ``out``, or beside the file.
    """
    if (path / NAME).is_file():
        return path / NAME
    if (path / _ROWS).is_file():
        rejects = path / _REJECTS
        return table_page(read_table(path / _ROWS), path, rejects=read_table(rejects) if rejects.is_file() else None)
    if path.is_file():
        # Such a page holds its data: beside somebody's file there is no folder of ours.
        if out is None and (there := path.with_name(f"{path.name}.html")).exists() and not is_page(there):
            raise InputError(f"{there} is no page of a table; move it away, or write the page with --single-file.")
        return table_page(read_table(path), out or path.parent, name=f"{path.name}.html", base=path.parent)
    raise InputError(f"There is neither a page {path / NAME} nor a table {path / _ROWS}; name the folder of a run.")


def trace(arguments: Sequence[str]) -> int:
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
