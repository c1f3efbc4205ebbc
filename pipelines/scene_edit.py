"""Finished rooms to conversations that furnish them: ``python -m pipelines.scene_edit ROOMS --out DIR``."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dataflow_ext import InputError, Operator, OptionError, Result, cli, write_table
from dataflow_ext.cli.flags import count, positive
from dataflow_ext.datasets.rejects_and_stats import write_beside, write_rejects
from dataflow_ext.datasets.source import settings_of
from dataflow_ext.models import Model
from dataflow_ext.report import Report
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators import (
    ChainJudge,
    ChainValidator,
    InstructionWriter,
    SceneCoTGenerator,
    SceneFilter,
    SceneReader,
    SceneRenderer,
    SceneRepair,
    SceneReverseEditor,
    TopKChains,
    WordingJudge,
)
from operators.scene.conversation_reader import ConversationReader, conversation_files
from operators.scene.model.records import CODES, NAMES
from operators.scene.reading.room_file import rooms
from pipelines.commands.scene_edit import COMMANDS
from prompts import (
    SceneChainPrompt,
    SceneCoTPrompt,
    SceneInstructionPrompt,
    SceneJudgePrompt,
    SceneTurnPrompt,
    SceneWordingPrompt,
)

__all__ = ["main", "pipeline", "rooms"]

EXAMPLES = """  python -m pipelines.scene_edit examples/rooms --out scenes
  python -m pipelines.scene_edit rooms_dir --out scenes --chains 10 --keep 3 --turns 4-8 --seed 1 --workers 2
  python -m pipelines.scene_edit rooms_dir --out scenes --model qwen3-vl --base-url http://localhost:8000/v1
  python -m pipelines.scene_edit --only cot --out scenes --model qwen3-vl --base-url http://localhost:8000/v1

other commands (each has --help):
  python -m pipelines.scene_edit validate scenes                          replay and test every conversation
  python -m pipelines.scene_edit replay scenes/conversations.jsonl        one chain turn by turn, with pictures"""

PROMPTS = (
    SceneInstructionPrompt,
    SceneJudgePrompt,
    SceneChainPrompt,
    SceneCoTPrompt,
    SceneTurnPrompt,
    SceneWordingPrompt,
)

#: What a run keeps for doing a stage again: all chains before they were judged, the rooms, and all rejects.
CANDIDATES, ROOMS, REJECTS = "candidates.parquet", "rooms.parquet", "rejects.parquet"
#: The stages that can be done again, and the columns of the data set that each makes.
STAGES = {"judge": (), "render": ("images", "camera"), "cot": ("texts", "claims", "text_by", "wording")}
#: What comes before the judge, whose rejects stay.
_BEFORE_JUDGE = ["SceneReader", "SceneFilter", "SceneRepair", "SceneReverseEditor", "InstructionWriter"]


def pipeline(
    pictures: Path,
    model: Model | None = None,
    judge: Model | None = None,
    *,
    wording: Model | None = None,
    chains: int = 10,
    keep: int = 3,
    spare: int = 0,
    turns: tuple[int, int] = (4, 8),
    single_turn: bool = False,
    seed: int = 0,
    assets: Path | None = None,
    odds: dict[str, float] | None = None,
    junk: Literal["drop", "keep"] = "drop",
    scene_filter: SceneFilter | None = None,
    keep_faulty: bool = False,
    slips: bool = False,
    renderer: Literal["painter", "blender", "none"] = "painter",
    program: str | None = None,
    prompts: Path | None = None,
) -> list[Operator]:
    """The steps from :func:`rooms` to conversations that break no rule; ``pictures`` is where pictures are kept.

    Without models, rules write instructions and reasoning, and geometry judges. Pictures are drawn of the kept
    chains alone, unless the judge looks at them. ``wording`` judges whether a model's words say what their marks
    prove. ``spare`` more chains of each room are written, of which the next best takes the place of one that fails.

    >>> [type(step).__name__ for step in pipeline(Path("pictures"))][1:5]
    ['SceneFilter', 'SceneRepair', 'SceneReverseEditor', 'InstructionWriter']
    """
    made: list[Operator] = [
        SceneReader(junk=junk),
        scene_filter or SceneFilter(),
        SceneRepair(keep_faulty=keep_faulty),
        SceneReverseEditor(
            chains=chains, turns=turns, single_turn=single_turn, slips=slips, seed=seed, assets=assets, odds=odds
        ),
        InstructionWriter(model=model, prompt=SceneInstructionPrompt(folder=prompts), seed=seed),
    ]
    draw = SceneRenderer(folder=pictures, renderer=renderer, program=program)
    judged, looks = judging(judge, keep + spare, prompts, renderer != "none"), judge is not None
    rest = writing(model, wording, seed, prompts, renderer != "none")
    rest += [TopKChains(best=keep)] if spare else []
    return [*made, *([draw, *judged] if looks else [*judged, draw]), *rest]


def judging(judge: Model | None, keep: int, prompts: Path | None, pictures: bool) -> list[Operator]:
    """The steps that score chains and keep the best of each room."""
    asked = ChainJudge(
        model=judge,
        prompt=SceneJudgePrompt(folder=prompts),
        chain_prompt=SceneChainPrompt(folder=prompts),
        with_images=pictures,
    )
    return [asked, TopKChains(best=keep)]


def writing(
    model: Model | None, wording: Model | None, seed: int, prompts: Path | None, pictures: bool
) -> list[Operator]:
    """The steps that write the reasoning of chains, with their pictures if there are any, and test the whole."""
    generator = SceneCoTGenerator(
        model=model,
        prompt=SceneCoTPrompt(folder=prompts),
        turn_prompt=SceneTurnPrompt(folder=prompts),
        with_images=pictures,
        seed=seed,
    )
    if wording is None:
        return [generator, ChainValidator()]
    return [generator, WordingJudge(model=wording, prompt=SceneWordingPrompt(folder=prompts)), ChainValidator()]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, lambda: PROMPTS, COMMANDS)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    model, judge = cli.batched(cli.model_of(args), args), cli.batched(cli.judge_of(args), args)
    if args.only:
        return _only(args, model, judge)
    if args.out.resolve() in [path.resolve() for path in args.rooms]:
        raise OptionError("--out is the folder of the rooms; name another one.")
    table = rooms(args.rooms)
    steps = pipeline(
        cli.cache_of(args) / "pictures",
        model,
        judge,
        wording=judge if args.judge_model else None,
        chains=args.chains,
        keep=args.keep or 3,
        spare=args.spare if args.spare is not None else int(model is not None),
        turns=args.turns,
        single_turn=args.single_turn,
        seed=args.seed or 0,
        assets=args.assets,
        odds=args.odds,
        junk=args.junk,
        scene_filter=SceneFilter(enabled=not args.no_filter, metric=args.metric, tolerance=args.tolerance),
        keep_faulty=args.keep_faulty or args.no_filter,
        slips=args.slips,
        renderer=args.renderer,
        program=args.blender,
        prompts=cli.prompts_of(args, PROMPTS),
    )
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args), "scene_file", rows="Files with rooms", names=NAMES
    )


def _only(args: argparse.Namespace, model: Model | None, judge: Model | None) -> int:
    """Do one stage again, with what has to follow it, from what an earlier run left in ``--out``."""
    if args.rooms:
        raise OptionError(f"--only {args.only} works on what is in --out; leave the rooms away.")
    earlier = settings_of(args.out)
    args.seed = earlier.get("seed") if args.seed is None else args.seed
    args.keep = earlier.get("keep") if args.keep is None else args.keep
    prompts = cli.prompts_of(args, PROMPTS)
    draw = SceneRenderer(folder=cli.cache_of(args) / "pictures", renderer=args.renderer, program=args.blender)
    judged = judging(judge, args.keep or 3, prompts, args.renderer != "none")
    named = judge if args.judge_model and args.only != "render" else None
    written = writing(model, named, args.seed or 0, prompts, args.renderer != "none")
    steps: dict[str, list[Operator]] = {
        "judge": [*([draw, *judged] if judge is not None else [*judged, draw]), *written],
        "render": [draw, ChainValidator()],
        "cot": written,
    }
    table = _again(args.out, args.only)
    return cli.run_steps(
        args, steps[args.only], table, lambda result: _deliver_again(result, args), rows="Chains", names=NAMES
    )


def _deliver(result: Result, args: argparse.Namespace) -> int:
    """Write what a whole run made, and what it keeps; the exit code."""
    kept = args.out / cli.RUN_FOLDER
    candidates, rooms = result.after("InstructionWriter"), result.after("SceneFilter")
    for name, table in ((CANDIDATES, candidates), (ROOMS, rooms)):
        write_table(_without_ids(table), kept / name)
    write_rejects(_without_ids(result.rejects), kept, REJECTS)
    return _write_data_set(result.table, result.rejects, result.report, args.out, rooms)


def _write_data_set(
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


def _again(out: Path, stage: str) -> pa.Table:
    """The rows that a stage begins with: all candidates for the judge, else the conversations of the data set."""
    return _kept(out, CANDIDATES) if stage == "judge" else _conversations(out).drop_columns(list(STAGES[stage]))


def _conversations(out: Path) -> pa.Table:
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


def _deliver_again(result: Result, args: argparse.Namespace) -> int:
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
        return _write_data_set(made, rejects, result.report, out, rooms)
    old = _conversations(out)
    old = old.filter(pc.invert(pc.is_in(old["id"], value_set=pa.array(made["id"]))))
    made = made.select([name for name in made.column_names if name in old.column_names])
    whole = pa.concat_tables([made, old.select(made.column_names).cast(made.schema)])
    return _write_data_set(whole, earlier, result.report, out, rooms, attempt=result.rejects)


def _without_ids(table: pa.Table) -> pa.Table:
    return table.drop_columns([name for name in ("row_id",) if name in table.column_names])


def _kept(out: Path, name: str) -> pa.Table:
    path = out / cli.RUN_FOLDER / name
    if not path.is_file():
        raise InputError(f"{out} does not keep what a stage needs: {path} is missing; run the pipeline there first.")
    return pq.read_table(path)


def _turns(text: str) -> tuple[int, int]:
    """``4-8`` or ``6`` as the least and the most."""
    low, _, high = text.partition("-")
    try:
        made = int(low), int(high or low)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of turns, such as 4-8") from None
    if not 1 <= made[0] <= made[1]:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of turns, such as 4-8")
    return made


def _odds(text: str) -> dict[str, float]:
    """``add=0.5,move=0.5`` as weights of tools."""
    try:
        return {f"{name.strip()}_object": float(weight) for name, weight in (p.split("=") for p in text.split(","))}
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' are no odds, such as add=0.5,move=0.3,rotate=0.2") from None


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "scene_edit",
        "Turn finished 3D rooms into conversations that furnish them by tool calls, turn by turn.",
        EXAMPLES,
        judge=True,
        seeds="every chain, instruction and style",
        inputs="ROOMS...",
        unit="files with rooms",
    )
    parser.add_argument("rooms", type=Path, nargs="*", metavar="ROOMS",
                        help="folders, or .json and .jsonl files, with rooms in SSR or Groups form")  # fmt: skip
    parser.add_argument("--only", choices=STAGES, metavar="STAGE",
                        help="do one stage of what --out holds again: judge, render or cot")  # fmt: skip
    kept = parser.add_argument_group("which rooms")
    kept.add_argument("--no-filter", action="store_true", help="keep crowded and colliding rooms as well")
    kept.add_argument("--metric", choices=("objects", "pairs"), default="objects",
                      help="collision rate: share of objects or of pairs (default: %(default)s)")  # fmt: skip
    kept.add_argument("--tolerance", type=float, default=SceneFilter.model_fields["tolerance"].default, metavar="M",
                      help="metres that boxes may overlap before they collide (default: %(default)s)")  # fmt: skip
    kept.add_argument("--keep-faulty", action="store_true",
                      help="keep rooms with overlaps, objects outside or afloat that no small move mends")  # fmt: skip
    kept.add_argument("--junk", choices=("drop", "keep"), default="drop",
                      help="what to do with objects far out of bounds (default: %(default)s)")  # fmt: skip
    made = parser.add_argument_group("chains")
    made.add_argument("--chains", type=positive, default=10, metavar="N", help="made of a room (default: %(default)s)")
    made.add_argument("--keep", type=positive, metavar="N", help="kept of them (default: 3)")
    made.add_argument("--spare", type=count, metavar="N",
                      help="more of them written, for texts that fail (default: 1 with a model, else 0)")  # fmt: skip
    made.add_argument("--turns", type=_turns, default=(4, 8), metavar="A-B", help="editing turns (default: 4-8)")
    made.add_argument("--single-turn", action="store_true", help="one turn that edits a furnished room")
    made.add_argument("--slips", action="store_true",
                      help="begin in the empty room; turns that later ones undo are out of the loss")  # fmt: skip
    made.add_argument("--odds", type=_odds, metavar="LIST",
                      help="of free calls; add=1: no corrections (default: add=.35,move=.2,rotate=.2 …)")  # fmt: skip
    made.add_argument("--assets", type=Path, metavar="FILE",
                      help="own furniture to draw from: JSON, JSONL, CSV or Parquet (jid, desc, size)")  # fmt: skip
    seen = parser.add_argument_group("pictures")
    seen.add_argument("--renderer", choices=("painter", "blender"), default="painter", help="(default: %(default)s)")
    seen.add_argument("--no-pictures", dest="renderer", action="store_const", const="none",
                      help="text and replay only; models see no pictures either")  # fmt: skip
    seen.add_argument("--blender", metavar="PROGRAM", help="the Blender program (default: blender)")
    args = parser.parse_args(argv)
    if not args.only and not args.rooms:
        parser.error("name folders or files with rooms")
    return args


if __name__ == "__main__":
    sys.exit(main())
