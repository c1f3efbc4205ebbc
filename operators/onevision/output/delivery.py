"""What a run leaves behind, and what it tells at the terminal."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext import Result, cli, write_table
from dataflow_ext.datasets.folder import write_stats

if TYPE_CHECKING:
    import pyarrow as pa

#: Reasons that are told at the terminal; the page has all of them.
_SHOWN = 8


def deliver(result: Result, args: argparse.Namespace) -> int:
    """Write what a run made, and tell of it; the exit code."""
    import pyarrow as pa

    from operators.onevision.onevision_writer import OneVisionWriter
    from operators.onevision.output.page import write_page
    from operators.onevision.output.stats import stats

    done = OneVisionWriter(out=args.out, embed_pictures=not args.no_embed).apply(result.table)
    rejects = pa.concat_tables([result.rejects, done.rejects])
    rejects = _from_folders(rejects, (args.out, args.cache_dir or args.out / cli.RUN_FOLDER, *args.images))
    rejects = rejects.append_column("id", pa.array(_ids(result, rejects["row_id"].to_pylist()), pa.string()))
    write_table(rejects, args.out / "rejects.jsonl")
    figures = stats(done.table, rejects)
    write_stats(figures, args.out)
    page = write_page(done.table, rejects, figures, result.report, args.out)
    _tell(figures)
    if not done.table.num_rows:
        cli.say(f"No row was made, so no data were written; data of an earlier run in {args.out} stay as they are.")
    else:
        cli.say(f"data: {args.out / 'onevision.jsonl'}")
    cli.say(f"page: {page.resolve()}")
    if figures["kept"]:
        out = shlex.quote(str(args.out))
        cli.say(f"measure the gate on it: python -m pipelines.onevision calibrate {out}")
        cli.say(f"a sheet to review by eye: python -m pipelines.onevision sample {out} --n 50")
    if result.report.stopped:
        return cli.told_stops(result.report.stopped, args.fresh)
    return 0 if done.table.num_rows else 1


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


def _ids(result: Result, row_ids: list[str]) -> list[str | None]:
    """The turns' ids of rejected rows, as far as they had become turns."""
    turns = result.after("LLaVACoTReader")
    known = dict(zip(turns["row_id"].to_pylist(), turns["id"].to_pylist(), strict=True))
    return [known.get(row_id) for row_id in row_ids]


def _tell(figures: dict[str, object]) -> None:
    """The counts, why rows are not kept, and why some have no verdict."""
    told = ", ".join(f"{figures[name]} {name}" for name in ("kept", "review", "dropped", "errored"))
    cli.say(f"{figures['turns']} turn{'' if figures['turns'] == 1 else 's'}: {told}.")
    judged = figures["judged"]
    assert isinstance(judged, dict)  # noqa: S101 - as stats makes it
    unjudged = int(str(figures["kept"])) - judged.get("kept", 0)
    if unjudged:
        cli.say(f"No judge saw {unjudged} of the kept rows: they passed the checks alone, and are marked so.")
    reasons = figures["reasons"]
    assert isinstance(reasons, dict)  # noqa: S101
    if reasons:
        most = ", ".join(f"{code} {count}" for code, count in list(reasons.items())[:_SHOWN])
        cli.say(f"reasons of rows not kept: {most}")
    rejects = figures["rejects"]
    assert isinstance(rejects, list)  # noqa: S101
    for each in rejects[:_SHOWN]:
        cli.say(f"errored: {each['count']} ({each['operator']}), such as: {each['example']}")
