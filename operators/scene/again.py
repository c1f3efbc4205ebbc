"""One stage of a data set done again, from what an earlier run left."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dataflow_ext import InputError, Result, cli, write_table
from operators.scene.conversation_reader import ConversationReader, conversation_files
from operators.scene.delivery import CANDIDATES, deliver, deliver_chains

#: The stages that can be done again, and the columns of the data set that each makes.
STAGES = {"judge": (), "render": ("images", "camera"), "cot": ("texts", "text_by")}


def again(out: Path, stage: str) -> pa.Table:
    """The rows that a stage begins with: all candidates for the judge, else the conversations of the data set."""
    if stage == "judge":
        path = out / cli.RUN_FOLDER / CANDIDATES
        if not path.is_file():
            raise InputError(f"{out} keeps no chains to judge: {path} is missing; run the pipeline there first.")
        return pq.read_table(path)
    read = ConversationReader().apply(conversation_files(out))
    for reject in read.rejects.to_pylist():
        raise InputError(f"{out}: {reject['message']}; mend or remove that line, or run the whole pipeline.")
    return read.table.drop_columns([*STAGES[stage], "row_id"])


def deliver_again(result: Result, args: argparse.Namespace) -> int:
    """Write the data set anew, unless rows are undone for a passing reason: then it stays as it was."""
    if result.report.stopped:
        code = cli.told_stops(result.report.stopped, args.fresh)
        cli.say(f"The data set in {args.out} is as it was.")
        return code
    if args.only == "judge":
        return deliver(result, args)
    write_table(result.rejects, args.out / f"rejects_{args.only}.jsonl")
    return deliver_chains(result, args)
