"""Finished rooms to conversations that furnish them: ``python -m pipelines.scene_edit ROOMS --out DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from dataflow_ext import Operator, OptionError, cli
from dataflow_ext.cli.flags import count, positive
from dataflow_ext.datasets.source import settings_of
from dataflow_ext.models import Model
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
from operators.scene.model.records import NAMES
from operators.scene.reading.room_file import rooms
from pipelines.commands.scene_delivery import STAGES, again, deliver, deliver_again
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


def judging(judge: Model | None, keep: int, prompts: Path | None, pictures: bool = True) -> list[Operator]:
    """The steps that score chains and keep the best of each room."""
    asked = ChainJudge(
        model=judge,
        prompt=SceneJudgePrompt(folder=prompts),
        chain_prompt=SceneChainPrompt(folder=prompts),
        with_images=pictures,
    )
    return [asked, TopKChains(best=keep)]


def writing(
    model: Model | None, wording: Model | None, seed: int, prompts: Path | None, pictures: bool = True
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
        args, steps, table, lambda result: deliver(result, args), "scene_file", rows="Files with rooms", names=NAMES
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
    table = again(args.out, args.only)
    return cli.run_steps(
        args, steps[args.only], table, lambda result: deliver_again(result, args), rows="Chains", names=NAMES
    )


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
