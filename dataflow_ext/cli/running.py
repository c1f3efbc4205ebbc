"""The run behind a command line: its folder, its record, and what is told of it beside the data."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import __version__, parallel, progress
from dataflow_ext.checking import check, must_be_ready
from dataflow_ext.cli.models import cache_of, estimate_of, session_of, told_settings
from dataflow_ext.cli.records import RunInputs, logged, must_be_its_inputs, traced_row, write_recipe
from dataflow_ext.cli.terminal import SPENT, STOPPED, UNREAD, say
from dataflow_ext.datasets.folder import BESIDE, must_be_ours, writing
from dataflow_ext.errors import InputError
from dataflow_ext.estimates import EstimatingSession
from dataflow_ext.files import RUN_FOLDER, forget_unfinished, make_folder, only_run_in, write_text
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.identity import ROW_ID, parent_of
from dataflow_ext.models import RequestCache
from dataflow_ext.models.request import models_in
from dataflow_ext.pipeline import RunOptions, run
from dataflow_ext.rejects import first_rows, split
from dataflow_ext.report import Report, Stop
from dataflow_ext.result import Result
from dataflow_ext.tables import TableLike, input_table
from dataflow_ext.tracebacks import log
from dataflow_ext.well_formed import path_text

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator
    from dataflow_ext.streaming.result import StreamResult

#: Inputs that are told one by one, the characters of a reason, and the causes of rejects.
_SHOWN, _QUOTE, _CAUSES = 10, 300, 5


def steps_that_failed(result: Result | StreamResult) -> list[str]:
    """A line for each step that failed on all of its rows, if these were several."""
    lines = []
    for step in result.report.steps:
        if step.rows_in > 1 and not step.rows_out and step.failed >= step.rows_in:
            first, where = _failed(result, step.step)["message"][0].as_py(), f"step {step.step} ({step.operator})"
            lines.append(f"error: all {step.rows_in} rows failed at {where}, the first: {first}")
    return lines


def inputs_that_failed(result: Result | StreamResult, paths: Sequence[str]) -> dict[str, str]:
    """The inputs of which the first step made nothing, with the reason; ``paths`` has one for each row of the run."""
    ids = result.after(1)[ROW_ID].to_pylist()
    living = {*ids, *map(parent_of, ids)}
    failed = _failed(result, 1)
    reasons = dict(zip(reversed(failed[ROW_ID].to_pylist()), reversed(failed["message"].to_pylist()), strict=True))
    sources = zip(result.after(0)[ROW_ID].to_pylist(), paths, strict=False)
    return {path: reasons[row_id] for row_id, path in sources if row_id in reasons and row_id not in living}


def told_why_empty(result: Result, otherwise: str) -> int:
    """Tell why a run gave no row, by the first causes of its rejects or in these words; 1, the exit code for that.

    What stopped a run is told in its place.
    """
    if not result.report.stopped:
        causes = result.rejects.filter(pc.not_equal(result.rejects["kind"], "empty"))["message"].to_pylist()
        for cause in causes[:_CAUSES] or [otherwise]:
            say(f"error: {cause}")
    return 1


def told_inputs(failed: dict[str, str], result: Result | StreamResult) -> list[str]:
    """The inputs of a run that failed, as lines for a terminal; none if all could be read."""
    lines = [f"error: {len(failed)} of {result.after(0).num_rows} inputs could not be read:"] if failed else []
    for path, reason in list(failed.items())[:_SHOWN]:
        short = reason if len(reason) <= _QUOTE else reason[:_QUOTE] + "…"
        lines.append(f"  {short}" if path in short else f"  {path}: {short}")
    if len(failed) > _SHOWN:
        lines.append(f"  and {len(failed) - _SHOWN} more, which rejects.jsonl names")
    return lines


def rows_that_went(out: Path, before: RunInputs, now: RunInputs) -> list[str]:
    """A sentence if there are fewer rows than the run before had made."""
    if now.rows >= before.rows:
        return []
    gone = before.without(now)
    why = f"; {len(gone)} of its inputs are not among these, such as {gone[0]}" if gone else ""
    return [f"warning: {now.rows} rows, and the run before in {out} had made {before.rows}{why}."]


def _failed(result: Result | StreamResult, step: int) -> pa.Table:
    rejects = result.rejects
    return rejects.filter(pc.and_(pc.equal(rejects["step"], step), pc.equal(rejects["kind"], "failed")))


def writable(folder: Path, *, private: bool = False) -> None:
    """Make the folder, and see that files can be written there, before any work is done for it."""
    if path_text(folder) != str(folder):
        raise InputError(f"Cannot write to {path_text(folder)}: the folder's name is not UTF-8; give another name.")
    try:
        make_folder(folder, private=private)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"Cannot write to {folder}: {error.strerror or error}.") from None


def told_stops(stops: Sequence[Stop], fresh: bool = False) -> int:
    """Tell why rows were not done although they may be, and how to go on; the exit code for that.

    A budget that is used up has a code of its own, so that a script which runs the command until it succeeds
    does not spend the budget over and over.
    """
    for stop in stops:
        say(f"error: not done: {stop}")
    spent = any(stop.error == "BudgetError" for stop in stops)
    changes = ["with a larger budget"] * spent + ["without --fresh"] * fresh
    say(f"What was finished is kept; {' '.join(['the same command', *changes])} goes on from there.")
    return SPENT if spent else STOPPED


def run_steps(
    args: argparse.Namespace,
    steps: Sequence[Operator],
    data: TableLike,
    deliver: Callable[[Any], int],
    inputs: str | Sequence[Path] = (),
    *,
    rows: str = "Rows",
    names: Collection[str] = (),
    rows_per_part: int | None = None,
) -> int:
    """Run a pipeline as the flags say, one run at a time in a folder, and ``deliver`` its result; the exit code.

    ``data`` is a table or what makes one, a file best by its path: a line of JSON Lines that is none is then a reject.
    ``inputs`` are the files that the rows come from, or the column that names each row's, the main one first.
    A folder whose data were made of others is refused, and those that could not be read are told, as is what was not
    done though it may be. With ``--dry-run`` it only looks whether it could run; ``rows`` is what these are called.
    ``names`` are those of the data files, which no input may be: a folder in which others have written some, or a page,
    figures, rejects or README, is refused. With ``rows_per_part`` the run goes by parts of so many rows, each step's
    kept, and ``deliver`` is given a StreamResult.
    """
    table = input_table(data)
    if args.dry_run:
        return _dry_run(args, steps, table, rows, inputs)
    paths, files = _paths(table, inputs), {*names, *BESIDE}
    must_be_ours(args.out, files, map(Path, paths))
    cache = cache_of(args)
    writable(args.out)
    writable(cache, private=True)
    keys = tuple(str(value) for name, value in vars(args).items() if name.endswith("key_env") and value)
    # What a run opens and what is delivered after it share the worker processes.
    with only_run_in(args.out / RUN_FOLDER), logged(args.out / RUN_FOLDER, keys), parallel.workers(args.workers):
        if (row := traced_row.get()) is not None:
            sys.stdout.write(f"{_remembered(args, steps, table, cache, rows_per_part).trace(row)}\n")
            return 0
        if args.estimate:
            say(str(estimate_of(args, steps, table, cache)))
            return 0
        log.info("a run of %d rows begins (version %s, process %d)", table.num_rows, __version__, os.getpid())
        before, now = _inputs(args, paths)
        forget_unfinished(args.out, files)
        with writing(args.out, files):
            result = _ran(args, steps, table, cache, rows_per_part)
            keep_record(result, args, args.out / RUN_FOLDER)
            models = {each.name: each for each in models_in(list(steps))}.values()
            write_recipe(args.out / RUN_FOLDER, now.files, models)
            for line in steps_that_failed(result):
                say(line)
            with seldom_collecting():
                code = deliver(result)
        if result.report.stopped:
            code = told_stops(result.report.stopped, args.fresh)
        if not result.num_rows or not paths:
            return code
        now = replace(now, rows=result.num_rows)
        now.keep_in(args.out / RUN_FOLDER)
        failed = inputs_that_failed(result, paths) if isinstance(inputs, str) else {}
        for line in [*rows_that_went(args.out, before, now), *told_inputs(failed, result)]:
            say(line)
        return code or (UNREAD if failed else 0)


def _ran(
    args: argparse.Namespace, steps: Sequence[Operator], table: pa.Table, cache: Path, rows_per_part: int | None
) -> Result | StreamResult:
    session, listener = session_of(args, cache), progress.for_stream(sys.stderr)
    common: RunOptions = {
        "cache_dir": cache,
        "workers": args.workers,
        "limit": args.limit,
        "fresh": args.fresh,
        "listener": listener,
        "session": session,
        "preflight": not args.no_preflight,
    }
    if args.engine == "local":
        return _run_here(steps, table, cache, rows_per_part, common)
    made = run(
        steps, table, out=cache / "parts", rows_per_part=rows_per_part or args.rows_per_part, engine=args.engine,
        keep_steps=range(1 if rows_per_part is None else 0, len(steps) + 1), **common,
    )  # fmt: skip
    if rows_per_part is not None:
        return made
    return made.in_memory(first_rows(table, args.limit), session)


def _run_here(
    steps: Sequence[Operator], table: pa.Table, cache: Path, rows_per_part: int | None, common: RunOptions
) -> Result | StreamResult:
    if rows_per_part is None:
        return run(steps, table, **common)
    every = range(len(steps) + 1)
    return run(steps, table, out=cache / "parts", rows_per_part=rows_per_part, keep_steps=every, **common)


def _remembered(
    args: argparse.Namespace, steps: Sequence[Operator], table: pa.Table, cache: Path, rows_per_part: int | None
) -> Result | StreamResult:
    """The result of a run that was, from its memories; no model is asked, and no file is written that is for users."""
    ends = (n for n, step in enumerate(steps) if not step.remembered and not step.outputs)
    steps = steps[: next(ends, len(steps))]
    session = EstimatingSession(RequestCache(cache / "requests.sqlite"))
    common: RunOptions = {
        "cache_dir": cache, "workers": args.workers, "limit": args.limit, "session": session, "preflight": False,
    }  # fmt: skip
    return _run_here(steps, table, cache, rows_per_part, common)


def _paths(table: pa.Table, inputs: str | Sequence[Path]) -> list[str]:
    """The main file of each row, or the files that were named."""
    if not isinstance(inputs, str):
        return [str(path) for path in inputs]
    named = split(table)[0][inputs].to_pylist()
    return [each if isinstance(each, str) else each[0] for each in named]


def _inputs(args: argparse.Namespace, paths: Sequence[str]) -> tuple[RunInputs, RunInputs]:
    """The inputs of the data in the folder, and those of this run; InputError if they are others."""
    before, now = RunInputs.kept_in(args.out / RUN_FOLDER), RunInputs.of(map(Path, paths))
    if paths and not args.fresh:
        must_be_its_inputs(args.out, before, now)
    return before, now


def _dry_run(
    args: argparse.Namespace, steps: Sequence[Operator], table: pa.Table, rows: str, inputs: str | Sequence[Path]
) -> int:
    """Check the wiring, and all that a run would need."""
    check(steps, table.schema)
    _inputs(args, _paths(table, inputs))
    if not args.no_preflight:
        must_be_ready(steps)
    say(f"{rows}: {table.num_rows}. Steps: {len(steps)}. The wiring is sound; nothing was run.")
    return 0


def keep_record(result: Result | StreamResult, args: argparse.Namespace, folder: Path) -> None:
    """Write the report and the settings of a run where its caches are; neither holds a secret."""
    keep_report(result.report, folder)
    settings = json.dumps(told_settings(args), ensure_ascii=False, indent=2, default=path_text)
    write_text(folder / "config.json", settings + "\n")


def keep_report(report: Report, folder: Path) -> None:
    """Write the report of a run; again, if what is delivered adds to it."""
    write_text(folder / "report.json", json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n")
