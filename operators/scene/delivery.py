"""What a run leaves behind, and what it tells at the terminal."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

import pyarrow as pa

from dataflow_ext import Result, cli, write_table
from dataflow_ext.report import Report

#: What a run keeps for doing a stage again: all chains before they were judged, the rooms, and all rejects.
CANDIDATES, ROOMS, REJECTS = "candidates.parquet", "rooms.parquet", "rejects.parquet"
#: Reasons that are told at the terminal; the page has all of them.
_SHOWN_REASONS = 8


def deliver(result: Result, args: argparse.Namespace) -> int:
    """Write what a whole run made, and what it keeps; the exit code."""
    kept = args.out / cli.RUN_FOLDER
    candidates, rooms = result.after("InstructionWriter"), result.after("SceneFilter")
    for name, table in ((CANDIDATES, candidates), (ROOMS, rooms), (REJECTS, result.rejects)):
        write_table(table.drop_columns([each for each in ("row_id",) if each in table.column_names]), kept / name)
    code = write_data_set(result.table, result.rejects, result.report, args.out, rooms)
    return cli.told_stops(result.report.stopped, args.fresh) if result.report.stopped else code


def write_data_set(
    table: pa.Table, rejects: pa.Table, report: Report, out: Path, rooms: pa.Table, attempt: pa.Table | None = None
) -> int:
    """Write finished rows, rejects, figures and page, and tell of them; 0, or 1 if there is no row.

    ``attempt`` are rejects of a stage that was done again, whose rows stayed as they were: told, but no rejects of
    the data set.
    """
    from operators.scene.output.page import write_page
    from operators.scene.output.stats import stats, write_stats
    from operators.scene.scene_writer import SceneWriter

    done = SceneWriter(out=out).apply(table)
    dead = pa.concat_tables([_plain(rejects), _plain(done.rejects)])
    write_table(dead, out / "rejects.jsonl")
    figures = stats(done.table, dead, rooms)
    write_stats(figures, out)
    page = write_page(done.table, dead, figures, report, out)
    made = done.table.num_rows
    cli.say(f"{made} conversation{'' if made == 1 else 's'} of {figures['rooms']['rooms']} rooms.")
    tell_rejects(dead if attempt is None else attempt)
    cli.say(f"data: {out / 'conversations.jsonl'}   page: {page.resolve()}")
    if made:
        cli.say(f"check it: python -m pipelines.scene_edit validate {shlex.quote(str(out))}")
    return 0 if made else 1


def _plain(rejects: pa.Table) -> pa.Table:
    return rejects.drop_columns([name for name in ("row_id",) if name in rejects.column_names])


def tell_rejects(rejects: pa.Table) -> None:
    """How many rows each operator turned away, with an example."""
    told: dict[tuple[str, str], list[str]] = {}
    for each in rejects.select(["operator", "kind", "message"]).to_pylist():
        told.setdefault((each["operator"], each["kind"]), []).append(each["message"])
    for (operator, kind), messages in list(told.items())[:_SHOWN_REASONS]:
        what = "left out" if kind == "dropped" else "rejected"
        cli.say(f"{what}: {len(messages)} ({operator}), such as: {messages[0]}")
