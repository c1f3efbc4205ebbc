"""What a run leaves behind beside the data, and what it tells at the terminal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dataflow_ext import Result, cli, write_table

if TYPE_CHECKING:
    from operators.sampling.output.figures import Cost


def deliver(result: Result, args: argparse.Namespace, cost: Cost) -> int:
    """Write figures, card and rejects, and tell of them; the exit code."""
    from dataflow_ext.datasets.folder import write_stats
    from operators.sampling.dataset.write import Selection
    from operators.sampling.output.card import write_card
    from operators.sampling.output.figures import figures_of
    from operators.sampling.output.page import write_page

    write_table(result.rejects, args.out / "rejects.jsonl")
    chosen = Selection(args.per_question, args.pairs)
    figures = figures_of(result.table, result.rejects, chosen, cost)
    for step in figures["funnel"]:
        why = ", ".join(f"{count} {reason}" for reason, count in step["reasons"].items())
        cli.say(f"{step['step']}: {step['in']} → {step['out']}{f' ({why})' if why else ''}")
    page = write_page(result.table, result.rejects, figures, result.report, args.out)
    if not result.table.num_rows:
        cli.say(f"No attempt was made, so no data were written; data of an earlier run in {args.out} stay as they are.")
    else:
        write_stats(figures, args.out)
        write_card(figures, args.out)
        rows = figures["rows"]
        cli.say(f"{rows['sft']} right attempts, {rows['dpo']} pairs, {rows['grpo']} questions with rates.")
        cli.say(f"data: {args.out / 'sft.jsonl'}   card: {args.out / 'README.md'}")
    cli.say(f"page: {page.resolve()}")
    if result.report.stopped:
        return cli.told_stops(result.report.stopped, args.fresh)
    return 0 if result.table.num_rows else 1
