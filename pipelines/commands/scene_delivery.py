"""What a run leaves behind and tells, and one stage of it done again."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dataflow_ext import InputError, Result, cli, write_table
from dataflow_ext.datasets.rejects_and_stats import write_beside, write_rejects
from dataflow_ext.report import Report
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.scene.conversation_reader import ConversationReader, conversation_files
from operators.scene.model.records import CODES

#: What a run keeps for doing a stage again: all chains before they were judged, the rooms, and all rejects.
CANDIDATES, ROOMS, REJECTS = "candidates.parquet", "rooms.parquet", "rejects.parquet"


def deliver(result: Result, args: argparse.Namespace) -> int:
    """Write what a whole run made, and what it keeps; the exit code."""
    kept = args.out / cli.RUN_FOLDER
    candidates, rooms = result.after("InstructionWriter"), result.after("SceneFilter")
    for name, table in ((CANDIDATES, candidates), (ROOMS, rooms)):
        write_table(_without_ids(table), kept / name)
    write_rejects(_without_ids(result.rejects), kept, REJECTS)
    return write_data_set(result.table, result.rejects, result.report, args.out, rooms)


def write_data_set(
    table: pa.Table, rejects: pa.Table, report: Report, out: Path, rooms: pa.Table, attempt: pa.Table | None = None
) -> int:
    """Write finished rows, rejects, figures and page, and tell of them; 0, or 1 if there is no row.

    ``attempt`` are rejects of a stage that was done again, whose rows stayed as they were: told, but no rejects of
    the data set.
    """
    from operators.scene.output.page import write_page
    from operators.scene.output.stats import stats
    from operators.scene.scene_writer import SceneWriter

    done = SceneWriter(out=out).apply(table)
    named = pa.concat_tables([rejects, done.rejects], promote_options="default")
    dead = named.drop_columns(["row_id"])  # which is another where a stage is done again
    figures = stats(done.table, dead, rooms)
    write_beside(out, "scene_edit", done.table.num_rows, figures, dead)
    page = write_page(done.table, named, figures, report, out)
    made = done.table.num_rows
    cli.say(f"{made} conversation{'' if made == 1 else 's'} of {figures['rooms']['rooms']} rooms.")
    cli.tell_rejects(figures["rejects"] if attempt is None else by_reason(records(attempt), CODES))
    cli.say(f"data: {out / 'conversations.jsonl'}   page: {page.resolve()}")
    if made:
        cli.say(f"check it: python -m pipelines.scene_edit validate {shlex.quote(str(out))}")
    return 0 if made else 1


#: The stages that can be done again, and the columns of the data set that each makes.
STAGES = {"judge": (), "render": ("images", "camera"), "cot": ("texts", "claims", "text_by", "wording")}
#: What comes before the judge, whose rejects stay.
_BEFORE_JUDGE = ["SceneReader", "SceneFilter", "SceneRepair", "SceneReverseEditor", "InstructionWriter"]


def again(out: Path, stage: str) -> pa.Table:
    """The rows that a stage begins with: all candidates for the judge, else the conversations of the data set."""
    return _kept(out, CANDIDATES) if stage == "judge" else conversations(out).drop_columns(list(STAGES[stage]))


def conversations(out: Path) -> pa.Table:
    """The finished rows of a data set; InputError if a line of it cannot be read."""
    read = ConversationReader().apply(conversation_files(out))
    for reject in read.rejects.to_pylist():
        raise InputError(f"{out}: {reject['message']}; mend or remove that line, or run the whole pipeline.")
    # Which calls were drawn by the odds is told by no conversation.
    drawn = _kept(out, CANDIDATES).select(["id", "free", "forced"])
    place = pc.index_in(read.table["id"], value_set=pa.array(drawn["id"]))
    table = read.table.drop_columns(["row_id"])
    for name in ("free", "forced"):
        table = table.append_column(name, drawn[name].take(place))
    return table


def deliver_again(result: Result, args: argparse.Namespace) -> int:
    """Write the data set anew; the exit code.

    It stays as it was if rows are undone for a passing reason, or if the stage gives none. A conversation for which
    drawing or writing fails keeps what it had; ``rejects_STAGE.jsonl`` tells why.
    """
    out: Path = args.out
    if result.report.stopped:
        cli.say(f"The data set in {out} is as it was.")
        return 1
    write_rejects(result.rejects, out, f"rejects_{args.only}.jsonl")
    if not result.table.num_rows:
        cli.tell_rejects(by_reason(records(result.rejects), CODES))
        cli.say(f"error: nothing came of it; the data set in {out} is as it was.")
        return 1
    rooms, earlier = _kept(out, ROOMS), _kept(out, REJECTS)
    made = result.table.drop_columns(["row_id"])
    if args.only == "judge":
        stays = pc.is_in(earlier["operator"], value_set=pa.array(_BEFORE_JUDGE))
        rejects = pa.concat_tables([earlier.filter(stays), result.rejects.drop_columns(["row_id"])])
        write_rejects(rejects, out / cli.RUN_FOLDER, REJECTS)
        return write_data_set(made, rejects, result.report, out, rooms)
    old = conversations(out)
    old = old.filter(pc.invert(pc.is_in(old["id"], value_set=pa.array(made["id"]))))
    made = made.select([name for name in made.column_names if name in old.column_names])
    whole = pa.concat_tables([made, old.select(made.column_names).cast(made.schema)])
    return write_data_set(whole, earlier, result.report, out, rooms, attempt=result.rejects)


def _without_ids(table: pa.Table) -> pa.Table:
    return table.drop_columns([name for name in ("row_id",) if name in table.column_names])


def _kept(out: Path, name: str) -> pa.Table:
    path = out / cli.RUN_FOLDER / name
    if not path.is_file():
        raise InputError(f"{out} does not keep what a stage needs: {path} is missing; run the pipeline there first.")
    return pq.read_table(path)
