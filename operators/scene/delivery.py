"""What a run leaves behind, and what it tells at the terminal."""

from __future__ import annotations

import argparse

import pyarrow as pa

from dataflow_ext import Result, cli, write_table

#: All chains of a run before they were judged, for judging again.
CANDIDATES = "candidates.parquet"
#: Reasons that are told at the terminal; the page has all of them.
_SHOWN_REASONS = 8


def deliver(result: Result, args: argparse.Namespace) -> int:
    """Write data set, rejects, candidates, figures and page; the exit code."""
    candidates, rooms = _after(result, "InstructionWriter"), _after(result, "SceneFilter")
    if candidates is not None:
        write_table(candidates.drop_columns(["row_id"]), args.out / cli.RUN_FOLDER / CANDIDATES)
    return deliver_chains(result, args, rejects="rejects.jsonl", rooms=rooms)


def _after(result: Result, operator: str) -> pa.Table | None:
    """The rows that an operator of the run let live; None if it has no such operator."""
    return next((result.after(step.step) for step in result.report.steps if step.operator == operator), None)


def deliver_chains(result: Result, args: argparse.Namespace, rejects: str = "", rooms: pa.Table | None = None) -> int:
    """Write the chains that a run made, and what is told of them."""
    from operators.scene.output.page import write_page
    from operators.scene.output.stats import stats, write_stats
    from operators.scene.scene_writer import SceneWriter

    done = SceneWriter(out=args.out).apply(result.table)
    dead = pa.concat_tables([result.rejects, done.rejects])
    if rejects:
        write_table(dead, args.out / rejects)
    figures = stats(done.table, dead, rooms)
    write_stats(figures, args.out)
    page = write_page(done.table, dead, figures, result.report, args.out)
    made = done.table.num_rows
    cli.say(f"{made} conversations.")
    _tell_rejects(dead)
    cli.say(f"data: {args.out / 'conversations.jsonl'}   page: {page.resolve()}")
    if made:
        cli.say(f"check it: python -m pipelines.scene_edit validate {args.out}")
    if result.report.stopped:
        return cli.told_stops(result.report.stopped, args.fresh)
    return 0 if made else 1


def _tell_rejects(rejects: pa.Table) -> None:
    """How many rows each operator turned away, with an example."""
    told: dict[tuple[str, str], list[str]] = {}
    for each in rejects.select(["operator", "kind", "message"]).to_pylist():
        told.setdefault((each["operator"], each["kind"]), []).append(each["message"])
    for (operator, kind), messages in list(told.items())[:_SHOWN_REASONS]:
        what = "left out" if kind == "dropped" else "rejected"
        cli.say(f"{what}: {len(messages)} ({operator}), such as: {messages[0]}")
