"""Game screenshots to EasyR1 training data: ``python -m pipelines.game_annotate ROOT --out DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from dataflow_ext import InputError, Operator, OptionError, Result, cli
from dataflow_ext.cli.flags import positive, share
from dataflow_ext.datasets.rejects_and_stats import write_rejects, write_stats
from dataflow_ext.datasets.source import settings_of
from dataflow_ext.models import Model
from dataflow_ext.ocr import OCREngine, RapidOCREngine
from operators import (
    CorrectCardFinder,
    EasyR1Writer,
    EpisodeMemory,
    EpisodeReader,
    LightColorReader,
    OCRNumberExtractor,
    ProblemBuilder,
    RoundChecker,
    TrainTestSplit,
)
from operators.game.easyr1.data_set import must_be_ours
from operators.game.easyr1.form import NAMES
from operators.game.inputs import episodes
from operators.game.number_extractor import DETECT_SIDE, LEAST
from operators.game.output.labels import Label, read_labels
from operators.game.output.run_rounds import NAME as ANNOTATIONS
from operators.game.output.run_rounds import Key, Rounds
from operators.game.output.stats import NAME as FIGURES
from operators.game.output.stats import RuleFigures, accuracy, told_accuracy, unlabelled
from operators.game.round_checker import Rule
from prompts import GameCardPrompt, GameLightPrompt, GameNumbersPrompt

__all__ = ["episodes", "main", "pipeline"]

EXAMPLES = """  python -m pipelines.game_annotate game_data_raw --out out
  python -m pipelines.game_annotate game_data_raw --out out --model qwen2.5vl --base-url http://localhost:11434/v1
  python -m pipelines.game_annotate game_data_raw --out out --test-share 0.1 --seed 7 --labels labels.csv

other commands (each has --help):
  python -m pipelines.game_annotate validate out        does EasyR1 accept the data set?
  python -m pipelines.game_annotate sample out --n 50   a page to check rounds by eye, which saves labels.csv"""

#: Files of the data set, and of what is known of its rounds.
WRITTEN = (*NAMES, FIGURES, ANNOTATIONS)
PROMPTS = (GameNumbersPrompt, GameLightPrompt, GameCardPrompt)
#: Why there is no row, if nothing went wrong.
_NOTHING = "there is no round in the input."


def pipeline(
    model: Model | None = None,
    *,
    engine: OCREngine | None = None,
    layout: Literal["relative", "absolute"] = "relative",
    parser: Literal["strict", "seed"] = "strict",
    vlm_first: bool = False,
    rule: Rule = "auto",
    template: str | None = None,
    test_share: float = 0.2,
    seed: int = 0,
    split: Literal["seeded", "hash"] = "seeded",
    prompts: Path | None = None,
    labels: Mapping[Key, Label] | None = None,
    out: Path | None = None,
) -> list[Operator]:
    """The steps from ``root`` and ``files`` to problems with their answers, and to files in ``out`` if that is given.

    Without a model, rules do the job. What people wrote down in ``labels`` is taken as it is, whatever was read.

    >>> [type(step).__name__ for step in pipeline()][1:5]
    ['OCRNumberExtractor', 'LightColorReader', 'CorrectCardFinder', 'EpisodeMemory']
    """
    shared: dict[str, Any] = {"model": model, "parser": parser, "vlm_first": vlm_first, "unsure": "keep"}
    own: dict[str, Any] = {"layout": layout} if engine is None else {"layout": layout, "engine": engine}
    numbers = OCRNumberExtractor(prompt=GameNumbersPrompt(folder=prompts), **own, **shared)
    words: dict[str, Any] = {} if engine is None or isinstance(engine, RapidOCREngine) else {"engine": engine}
    light = LightColorReader(prompt=GameLightPrompt(folder=prompts), **words, **shared)
    card = CorrectCardFinder(prompt=GameCardPrompt(folder=prompts), **shared)
    return [
        EpisodeReader(),
        numbers,
        light,
        card,
        EpisodeMemory(engine=numbers.engine, light_reader=light),
        RoundChecker(
            rule=rule,
            numbers_reader=numbers,
            light_reader=light,
            card_finder=card,
            labels=tuple(sorted((labels or {}).items(), key=lambda each: each[0])),
        ),
        ProblemBuilder() if template is None else ProblemBuilder(template=template),
        TrainTestSplit(by=("device", "episode"), order=("round",), test_share=test_share, seed=seed, method=split),
        *([] if out is None else [EasyR1Writer(out=out)]),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, lambda: PROMPTS, COMMANDS)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    if args.out.resolve() == args.root.resolve():
        raise OptionError("--out is the folder of the collected rounds; name another one.")
    table = episodes(args.root)
    labels = _labels_of(args)
    steps = _steps(args, labels if args.labels else None)
    if not args.dry_run:
        must_be_ours(args.out)
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args, labels), "files", rows="Episodes", names=WRITTEN
    )


def _steps(args: argparse.Namespace, labels: Mapping[Key, Label] | None) -> list[Operator]:
    model = cli.model_of(args)
    if args.vlm_first and model is None:
        raise OptionError("--vlm-first asks a model about every round; name one with --model.")
    usual = {"detect_side": str(DETECT_SIDE), "least": str(LEAST)} if args.ocr_engine == "rapidocr" else {}
    return pipeline(
        cli.batched(model, args),
        engine=cli.ocr_of(args, **usual),
        layout=args.layout,
        parser=args.reply_parser,
        vlm_first=args.vlm_first,
        rule=args.rule,
        template=args.template,
        test_share=args.test_share,
        seed=args.seed or 0,
        split=args.split,
        prompts=cli.prompts_of(args, PROMPTS),
        labels=labels,
        out=args.out,
    )


def _deliver(result: Result, args: argparse.Namespace, labels: Mapping[Key, Label] | None) -> int:
    """Write what is not the data set itself, and tell what is where; the exit code.

    A run without a row leaves the files of an earlier one as they are.
    """
    from operators.game.output.page import write_page
    from operators.game.output.run_rounds import write_annotations
    from operators.game.output.stats import stats

    out: Path = args.out
    if not result.table.num_rows and (out / "data" / "train.jsonl").is_file():
        cli.say(f"No round could be used; the files of an earlier run in {out} are left as they are.")
        return cli.told_why_empty(result, _NOTHING)
    rounds = Rounds(
        result.after("EpisodeReader"), result.after("EpisodeMemory"), result.table, result.rejects, args.root
    )
    measured = None
    if labels is not None:
        rows = rounds.kept_rows()
        read = unlabelled(rows, labels) if args.labels else rows
        measured = accuracy(read, labels, rounds.seen())
    figures = stats(
        rounds,
        rule=_rule_figures(result, args.rule),
        seed=args.seed or 0,
        test_share=args.test_share,
        method=args.split,
        accuracy=measured,
    )
    write_stats(figures, out, FIGURES, ordered=True)
    write_annotations(rounds, out)
    write_rejects(rounds.placed_rejects(), out)
    page = write_page(rounds, figures, result.report, out, accuracy=measured)
    _tell(figures)
    if measured is not None:
        cli.say(told_accuracy(measured))
    if result.table.num_rows:
        cli.say(
            f"data: {out / 'data'}, {out / 'parquet'}   settings for EasyR1: {out / 'README.md'}\n"
            f"check it: python -m pipelines.game_annotate validate {out}"
        )
    cli.say(f"figures: {out / 'annotation_stats.json'}   page: {page.resolve()}")
    return 0 if result.table.num_rows else cli.told_why_empty(result, _NOTHING)


def _tell(figures: Mapping[str, Any]) -> None:
    """The headline figures and the reasons of rejects, at the terminal."""
    seen, split, rule = figures["rounds"], figures["split"], figures["rule"]
    cli.say(
        f"{seen['kept']} of {seen['seen']} rounds kept: {split['train']['rounds']} to train, "
        f"{split['test']['rounds']} to test. Game's rule {'' if rule['applied'] else 'not '}applied ({rule['why']}: "
        f"{rule['agree']} of {rule['of']} sure rounds go by it)."
    )
    if not rule["applied"] and rule["name"] != "none":
        cli.say("warning: nothing checked these rounds against each other; if it is this game, use --rule number-game.")
    cli.tell_rejects(figures["rejects"])


def _rule_figures(result: Result, name: Rule) -> RuleFigures:
    checker = RoundChecker(rule=name)
    found = checker.evidence(result.after("EpisodeMemory"))
    applied = checker.applies(found)
    few = f"{found.of} sure rounds are too few to tell" if not found.enough else "the data do not bear it out"
    why = {"number-game": "asked for", "none": "switched off"}.get(name, "the data bear it out" if applied else few)
    return RuleFigures(name, applied, found.agree, found.of, why)


def _labels_of(args: argparse.Namespace) -> Mapping[Key, Label] | None:
    """The labels that the run is measured against: those of ``--labels``, else those beside the rounds."""
    beside = args.root / "labels.csv"
    path: Path | None = args.labels or (beside if beside.is_file() else None)
    return None if path is None else read_labels(path)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "game_annotate",
        "Turn screenshots of game rounds into training data for EasyR1.",
        EXAMPLES,
        seeds="the split",
        inputs="ROOT",
        unit="episodes",
    )
    parser.add_argument("root", type=Path, metavar="ROOT", help="the folder of the collected rounds")
    reading = parser.add_argument_group("reading screenshots")
    cli.add_ocr_flags(reading, {}, "numbers")
    reading.add_argument("--layout", choices=("relative", "absolute"), default="relative",
                         help="find the row of cards, or look below y = 600 (default: %(default)s)")  # fmt: skip
    reading.add_argument("--rule", choices=("auto", "number-game", "none"), default="auto", help=(
        "check rounds by the rule green largest, red smallest, yellow middle: if the data bear it out, always, "
        "or never (default: %(default)s)"))  # fmt: skip
    reading.add_argument("--vlm-first", action="store_true",
                         help="ask the model about every round, not only unsure ones")  # fmt: skip
    reading.add_argument("--reply-parser", choices=("strict", "seed"), default="strict", help=(
        "replies that hold the value alone, or the first match in any (default: %(default)s)"))  # fmt: skip
    data = parser.add_argument_group("data set")
    data.add_argument("--template", metavar="TEXT", help="the problem's text, with <image>, {light} and {numbers}")
    data.add_argument("--test-share", type=share, default=0.2, metavar="SHARE",
                      help="share of the rounds that are to test (default: %(default)s)")  # fmt: skip
    data.add_argument("--split", choices=("seeded", "hash"), default="seeded", help=(
        "hash: new episodes never move old ones to the other side (default: %(default)s)"))  # fmt: skip
    data.add_argument("--labels", type=Path, metavar="FILE",
                      help="what people saw, as labels.csv: taken as true, and what was read is measured against it "
                           "(ROOT/labels.csv, if there is one, is measured against alone)")  # fmt: skip
    return parser.parse_args(argv)


def _command(name: str, what: str, example: str) -> argparse.ArgumentParser:
    return cli.CommandParser(
        prog=f"python -m pipelines.game_annotate {name}",
        description=what,
        epilog=f"example:\n  python -m pipelines.game_annotate {name} {example}",
    )


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if EasyR1 accepts it, 1 if not."""
    from operators.game.easyr1.checker import has_errors, told, validate
    from operators.game.easyr1.form import PROMPT_LENGTH, ROLLOUT_BATCH

    parser = _command("validate", "Test a data set against what EasyR1 accepts; code 1 if it does not.", "out")
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --out was, a folder of data files, or one file")
    parser.add_argument("--image-dir", type=Path, metavar="DIR", help="where relative paths of pictures begin")
    parser.add_argument("--rollout-batch", type=positive, default=ROLLOUT_BATCH, metavar="N",
                        help="data.rollout_batch_size of the training (default: %(default)s)")  # fmt: skip
    parser.add_argument("--prompt-length", type=positive, default=PROMPT_LENGTH, metavar="N",
                        help="data.max_prompt_length of the training (default: %(default)s)")  # fmt: skip
    args = parser.parse_args(argv)
    problems = validate(
        args.folder, args.image_dir, rollout_batch_size=args.rollout_batch, max_prompt_length=args.prompt_length
    )
    cli.say(told(problems))
    return 1 if has_errors(problems) else 0


def _sample(argv: Sequence[str]) -> int:
    """Write a page on which a person checks rounds by eye."""
    from operators.game.output.labels import write_sample
    from operators.game.output.run_rounds import read_annotations

    parser = _command("sample", "Write a page to check rounds by eye, which saves labels.csv.", "out --n 50")
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --out was")
    parser.add_argument("--n", type=positive, default=50, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which rounds (default: %(default)s)")
    parser.add_argument("--root", type=Path, metavar="ROOT",
                        help="the folder of the collected rounds (default: that of the run)")  # fmt: skip
    args = parser.parse_args(argv)
    if args.root is not None and not args.root.is_dir():
        raise InputError(f"--root: there is no folder {args.root}.")
    root = args.root or _root_of(args.folder)
    page = write_sample(read_annotations(args.folder), args.folder, args.n, args.seed, root=root)
    cli.say(f"page: {page.resolve()}   save labels.csv from it, then run again with --labels labels.csv")
    return 0


def _root_of(folder: Path) -> Path | None:
    """The folder that the last run read, as its settings tell."""
    root = settings_of(folder).get("root")
    return Path(root) if isinstance(root, str) and Path(root).is_dir() else None


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "validate": _validate,
    "sample": _sample,
}


if __name__ == "__main__":
    sys.exit(main())
