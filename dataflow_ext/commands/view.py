"""``rowsmith view``: the page of a run, or of any table, in a browser or as one file to mail."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from dataflow_ext.cli.flags import CommandParser
from dataflow_ext.cli.terminal import say
from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER
from dataflow_ext.packages import DISTRIBUTION
from dataflow_ext.report.page import NAME
from dataflow_ext.report.single import single_file
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
    page = page_of(args.path)
    if args.single_file is not None:
        if args.single_file.exists() and args.single_file.resolve() == page.resolve():
            raise InputError(f"--single-file: {args.single_file} is the page itself; give another name.")
        page, left_out = single_file(page, args.single_file)
        if left_out:
            say(f"{left_out} pictures are left out, to keep the file small.")
    say(f"page: {page.resolve()}")
    if not args.no_open and args.single_file is None and not webbrowser.open(page.resolve().as_uri()):
        say("There is no browser here; open the page in one.")
    return 0


def page_of(path: Path) -> Path:
    """The page in a run's folder, or one that is written of the rows of a streamed run, or of a table's file."""
    if (path / NAME).is_file():
        return path / NAME
    if (path / _ROWS).is_file():
        rejects = path / _REJECTS
        return table_page(read_table(path / _ROWS), path, rejects=read_table(rejects) if rejects.is_file() else None)
    if path.is_file():
        # Such a page holds its data: beside somebody's file there is no folder of ours.
        return table_page(read_table(path), path.parent, name=f"{path.name}.html")
    raise InputError(f"There is neither a page {path / NAME} nor a table {path / _ROWS}; name the folder of a run.")
